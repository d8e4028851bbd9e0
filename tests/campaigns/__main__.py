"""Runs campaigns, one line each, and ends non-zero where a promise is broken."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tests.campaigns import (
    commands,
    crowd,
    culprit,
    cut,
    flip,
    forgery,
    full,
    hostile,
    kill,
    mutation,
    power,
    readonly,
)
from tests.campaigns.campaign import Broken, Campaign, Case, Plan, Skipped

ALL = (
    cut.CAMPAIGN,
    flip.CAMPAIGN,
    kill.CAMPAIGN,
    power.CAMPAIGN,
    full.CAMPAIGN,
    crowd.WRITERS,
    crowd.READERS,
    commands.CAMPAIGN,
    culprit.CAMPAIGN,
    hostile.CAMPAIGN,
    forgery.CAMPAIGN,
    mutation.CAMPAIGN,
    readonly.CAMPAIGN,
)
CAMPAIGNS = {campaign.name: campaign for campaign in ALL}

ENOUGH = 5
"""So many broken promises end a campaign."""

MEMORY = Path("/dev/shm")  # noqa: S108 - each process has a folder of its own there
"""A disk that never waits: what a power cut leaves is rebuilt, so a sync may cost nothing."""


class Order(NamedTuple):
    """What was asked for."""

    plan: Plan
    only: int | None
    """The one case to run; None for all."""
    seconds: float
    """After so many no further case is begun."""


class Found(NamedTuple):
    """What came of a campaign, or of a share of it."""

    cases: int
    outcomes: Counter[str]
    broken: list[str]
    skipped: str
    stopped: bool
    """Whether the time was up before the cases were."""


def main(arguments: Sequence[str]) -> int:
    """Run the campaigns that are asked for; 1 where a promise is broken."""
    asked = read_arguments(arguments)
    order = Order(Plan(asked.seed, asked.long), asked.case, asked.minutes * 60)
    kept = True
    for name, campaign in CAMPAIGNS.items():
        if name in asked.names or (not asked.names and (campaign.short or asked.long)):
            begin = monotonic()
            found = conduct(campaign, order)
            tell(campaign, order, found, monotonic() - begin)
            kept = kept and not found.broken
    return 0 if kept else 1


def read_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser("python -m tests.campaigns", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(CAMPAIGNS))
    parser.add_argument("--long", action="store_true", help="the form for once in a while")
    parser.add_argument("--seed", type=int, default=0, help="another choice of cases")
    parser.add_argument("--case", type=int, help="only the case of this number")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most, a campaign")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - CAMPAIGNS.keys():
        parser.error(f"no campaign is called {' or '.join(sorted(unknown))}")
    return asked


def conduct(campaign: Campaign, order: Order) -> Found:
    """Run the cases of a campaign in as many processes as it may have."""
    shares = campaign.shares if order.only is None else 1
    with ProcessPoolExecutor(shares, mp_context=get_context("fork")) as pool:
        tasks = [pool.submit(share, campaign.name, order, n, shares) for n in range(shares)]
        parts = [task.result() for task in tasks]
    outcomes = sum((part.outcomes for part in parts), Counter[str]())
    broken = [line for part in parts for line in part.broken]
    skipped = next((part.skipped for part in parts if part.skipped), "")
    stopped = any(part.stopped for part in parts)
    return Found(sum(part.cases for part in parts), outcomes, broken, skipped, stopped)


def share(name: str, order: Order, number: int, shares: int) -> Found:
    """Run every case that falls to one of several processes, in a room of its own."""
    home = Path.cwd()
    memory = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as room:
        enter(Path(room))
        try:
            return run(chosen(CAMPAIGNS[name], order, number, shares), order.seconds)
        finally:
            os.chdir(home)


def enter(room: Path) -> None:
    """Work in a folder and with a state that no other process shares."""
    os.chdir(room)
    room.chmod(0o755)
    state = str(room / "state")
    os.environ |= {"XDG_STATE_HOME": state, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    for each in ("POLLCTL_SESSION", "NO_COLOR", "COLUMNS"):
        os.environ.pop(each, None)


def chosen(
    campaign: Campaign, order: Order, number: int, shares: int
) -> Iterator[tuple[int, Case]]:
    """The cases of a share, each with its number among all."""
    for place, case in enumerate(campaign.cases(order.plan)):
        if place % shares == number and order.only in (None, place):
            yield place, case


def run(cases: Iterator[tuple[int, Case]], seconds: float) -> Found:
    """Run cases one after the other until the time is up, or enough are broken."""
    end = monotonic() + seconds
    count, outcomes, broken, skipped, stopped = 0, Counter[str](), list[str](), "", False
    try:
        for place, case in cases:
            if stopped := monotonic() > end:
                break
            outcome, fault = attempt(case)
            outcomes[outcome] += case.size
            count += case.size
            broken += [f"case {place} ({case.name}): {fault}"] if fault else []
            if len(broken) >= ENOUGH:
                break
    except Skipped as reason:
        skipped = str(reason)
    except Broken as fault:
        broken.append(f"case {count} (none could be made): {fault}")
    return Found(count, outcomes, broken, skipped, stopped)


def attempt(case: Case) -> tuple[str, str]:
    """What came of a case, and the promise it breaks, if it breaks one."""
    try:
        return case.run(), ""
    except Skipped as reason:
        return f"skipped ({reason})", ""
    except Broken as fault:
        return "BROKEN", str(fault)
    except Exception:  # noqa: BLE001 - whatever it is, the other cases are run
        return "BROKEN", traceback.format_exc()


def tell(campaign: Campaign, order: Order, found: Found, seconds: float) -> None:
    """Write the line of a campaign, and of each broken promise how to see it again."""
    outcomes = [f"{what} {count:,}" for what, count in found.outcomes.most_common()]
    notes = ["the time was up"] if found.stopped else []
    notes += [f"skipped: {found.skipped}"] if found.skipped else []
    text = "; ".join([", ".join(outcomes), *notes] if outcomes else notes)
    line = f"{campaign.name:<9} {found.cases:>9,} cases  {seconds:>6.1f} s  {text}\n"
    options = f"{' --long' if order.plan.long else ''} --seed {order.plan.seed}"
    for fault in found.broken:
        line += f"  BROKEN {fault}\n"
        number = fault.split()[1]
        line += f"  again: python -m tests.campaigns {campaign.name}{options} --case {number}\n"
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
