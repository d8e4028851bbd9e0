"""Killed, interrupted, or failed by the disk at each system call of an append and of a repair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import (
    ADD,
    hold_altered,
    hold_answer,
    hold_append,
    hold_recovery,
    hold_repair,
    hold_untouched,
    look,
)
from tests.campaigns.sessions import altered, small
from tests.campaigns.tracing import LOG, Call, parsed, recorded, traced
from tests.campaigns.witness import witness

PATH = Path("kill.toml")
TORN = b'\n[[event]]\nseq = 5\nat = 2026-11-30 20:06:07+01:00\nkind = "round"\nnumb'

SIGNALS = ("signal=SIGKILL", "signal=SIGINT", "signal=SIGTERM", "signal=SIGHUP")
ERRORS = ("error=EIO", "error=ENOSPC")
FAILING = [
    "openat",
    "newfstatat",
    "fstat",
    "lstat",
    "flock",
    "pread64",
    "write",
    "fsync",
    "ftruncate",
    "close",
    "getdents64",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "chmod",
    "fchmodat",
]
"""Calls that a disk may fail; the others need none."""


class Scene(NamedTuple):
    """A command, the file it is given, and what of it a repair moves aside."""

    words: Sequence[str]
    data: bytes
    tail: bytes = b""
    adds: int = 1
    altered: bool = False
    """Whether it is whole only when accepted."""


def scenes() -> dict[str, Scene]:
    """An append, an import, the two ways in which a file is repaired, and what is altered."""
    data, file, other = small(), ("-s", str(PATH)), altered()
    crlf = data.replace(b"\n", b"\r\n")
    return {
        "append": Scene((*ADD, *file), data),
        "import": Scene(("round", "import", "rounds.csv", *file), data, adds=3),
        "repair": Scene(("repair", "-y", *file), data + TORN, TORN),
        "repair of line endings": Scene(("repair", "-y", *file), crlf, crlf),
        "repair of altered bytes": Scene(("repair", "-y", *file), other + TORN, TORN, altered=True),
        "accept": Scene(("accept", "-y", "--reason", "why", *file), other, altered=True),
    }


def prepare(scene: Scene) -> None:
    """Lay the file where the command looks for it, and nothing beside it."""
    for old in Path().glob(f"{PATH}*"):
        old.unlink()
    PATH.write_bytes(scene.data)


def cases(plan: Plan) -> Iterator[Case]:
    """Some of all the calls from the moment the file is opened, each with something that hits."""
    Path("rounds.csv").write_text("Ann,Ben,Cai\n" + "3n,3n,3n\n" * 3, "utf-8")
    ours: list[Case] = []
    others: list[Case] = []
    for name, scene in scenes().items():
        prepare(scene)
        recorded(scene.words)  # from here on everything it imports is compiled
        prepare(scene)
        for call, own in after_opening(recorded(scene.words, "-y")):
            fails = own and call.name in FAILING
            for hit in (*SIGNALS, *(ERRORS if fails else ())):
                text = f"{name}, {hit} at {call.name} {call.nth} ({call.arguments[:60]})"
                (ours if own else others).append(Case(text, partial(hold, scene, call, hit)))
    rng, number = plan.rng("kill"), plan.pick(40, 200)
    chosen = rng.sample(ours, min(len(ours), number * 4 // 5))
    yield from chosen
    yield from rng.sample(others, number - len(chosen))


def after_opening(calls: Sequence[Call]) -> Iterator[tuple[Call, bool]]:
    """The calls from the opening of the file on, and whether each is about it or the answer."""
    places = [place for place, call in enumerate(calls) if PATH.name in call.arguments]
    opened = next(place for place in places if calls[place].name == "openat")
    for call in calls[opened:]:
        yield call, is_ours(call)


def is_ours(call: Call) -> bool:
    """Whether a call is about the file, its folder, or the answer."""
    folder = f"<{Path.cwd()}>"
    text = call.arguments.replace(f"AT_FDCWD{folder}", "")
    answers = call.name == "write" and text.startswith("1<")
    return answers or any(name in text for name in (PATH.name, folder, '"."'))


def hold(scene: Scene, call: Call, hit: str) -> str:
    """Hold a command that is hit at a call to its answer, and the file to its recovery."""
    prepare(scene)
    before = look(PATH)
    inject = f"inject={call.name}:{hit}:when={call.nth}"
    answer = traced(scene.words, "-y", "-e", f"trace={call.name}", "-e", inject)
    if is_ours(call) and missed(call):
        return "another call was hit"
    after = look(PATH)
    if scene.altered:
        hold_answer(answer)
        hold_untouched(answer, same=after == before)
        return hold_altered(PATH, scene.data.removesuffix(scene.tail), scene.tail)
    if scene.tail:
        outcome = hold_repair(before, scene.tail, after, answer)
    else:
        outcome = hold_append(scene.data, after.data, answer, scene.adds)
        demand(outcome != "torn tail" or answer.status in (4, -9), "a part was left behind")
    known = after.seen if answer.status in (0, 5) else witness(before.data.replace(b"\r\n", b"\n"))
    hold_recovery(PATH, known)
    hold_notes(scene)
    return outcome


def missed(call: Call) -> bool:
    """Whether the program made other calls this time than when it was recorded."""
    calls = parsed(LOG.read_text("ascii", "replace").splitlines())
    return len(calls) < call.nth or shape(calls[call.nth - 1]) != shape(call)


def shape(call: Call) -> str:
    """What a call is about, without what differs from one run to the next."""
    parts = call.arguments.split("<unfinished")[0].split(", ")
    text = " ".join(parts[: 2 if parts[0].startswith("AT_FDCWD") else 1])
    return re.sub(r"[0-9a-f]{8}|0x[0-9a-f]+|[0-9]+", "#", text)


def hold_notes(scene: Scene) -> None:
    """Hold what entries tell of repairs: the bytes that were moved, and no others."""
    state = look(PATH)
    told = [event["removed"] for event in state.seen.events if event["kind"] == "repair"]
    demand(told == ([len(scene.tail)] if scene.tail else []), f"it is told that {told} were moved")


CAMPAIGN = Campaign(
    "kill",
    "Killed, interrupted or failed at any system call: what was acknowledged stays, no answer is"
    " untrue, and a repair can be run again.",
    cases,
)
