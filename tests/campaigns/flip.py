"""One bit flipped, one byte changed, dropped or doubled, anywhere in a file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pollctl.log import NotASession, read
from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import hold_answer
from tests.campaigns.sessions import batch, twenty
from tests.campaigns.witness import witness
from tests.log.processes import forked

WAYS = ("flipped", "changed", "dropped", "doubled")
EVERY = 25
"""One case in so many is put to the whole program too."""


def cases(plan: Plan) -> Iterator[Case]:
    """One small change to a session, at random."""
    sessions = [each.data for each in (*twenty(plan.seed), batch())]
    for number in range(plan.pick(2_000, 20_000)):
        rng = plan.rng("flip", number)
        which, way = rng.randrange(len(sessions)), WAYS[number % len(WAYS)]
        data = sessions[which]
        place = rng.randrange(len(data))
        name = f"session {which}, byte {place} {way}"
        altered = data[:place] + change(rng, data[place], way) + data[place + 1 :]
        yield Case(name, partial(hold_altered, data, altered, program=number % EVERY == 0))


def change(rng: random.Random, byte: int, way: str) -> bytes:
    """What stands in the place of a byte."""
    if way == "flipped":
        return bytes([byte ^ 1 << rng.randrange(8)])
    if way == "changed":
        return bytes([(byte + rng.randrange(1, 256)) % 256])
    return b"" if way == "dropped" else bytes([byte, byte])


def hold_altered(data: bytes, altered: bytes, *, program: bool) -> str:
    """Hold the reader to this: it is not intact, and nothing but true events are shown."""
    if program:
        hold_program(altered)
    true = read(data).events
    try:
        log = read(altered)
    except NotASession:
        return "not read"
    demand(log.chain in ("torn", "broken"), f"called {log.chain}")
    demand(log.fault, "what is wrong is not said")
    demand(log.events == true[: len(log.events)], "an altered event is shown")
    return log.chain


def hold_program(altered: bytes) -> None:
    """Hold audit and a writing command to the same."""
    path = Path("flip.toml")
    path.write_bytes(altered)
    audit, add = forked("audit", str(path), "--json"), forked("undo", "-s", str(path))
    hold_answer(audit)
    hold_answer(add)
    demand(audit.status == 1, "audit finds nothing wrong")
    demand(audit.json["sessions"][0]["chain"] in ("torn", "broken"), "audit calls it intact")
    demand(not witness(altered).whole, "the second reader finds it whole")
    demand(add.status in (2, 3) and path.read_bytes() == altered, "it is written to")


CAMPAIGN = Campaign(
    "flip",
    "No file in which a bit or byte differs passes for intact, and none shows a false event.",
    cases,
)
