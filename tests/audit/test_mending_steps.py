"""A repair stopped after any of its steps, or killed at any moment, is done when run again."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from pollctl.log import read
from pollctl.mending import Place, plan_repair
from tests.audit import AT, EVENING
from tests.audit.test_accept import accept
from tests.audit.test_mending import ALTERED, BOM, HALF, beside, crlf, note, noted, repair
from tests.conftest import Pollctl
from tests.log.processes import LINUX, fork, forked, moments, traced

ASIDE = "evening.toml.aside-1"
TORN = EVENING + HALF
ENTRY = plan_repair(TORN, Place("evening.toml", {}, AT)).text

OTHERS = {"evening.toml.aside-1": b"an earlier tail", "evening.toml.bak": b"x"}

STEPS: dict[str, tuple[bytes, dict[str, bytes], list[tuple[str, bytes]]]] = {
    "nothing done": (TORN, {}, [(ASIDE, HALF)]),
    "aside there and empty": (TORN, {ASIDE: b""}, [("evening.toml.aside-2", HALF)]),
    "aside half written": (
        TORN,
        {ASIDE: HALF[:9]},
        [("evening.toml.aside-2", HALF), (ASIDE, HALF[:9])],
    ),
    "aside written": (TORN, {ASIDE: HALF}, [(ASIDE, HALF)]),
    "file cut": (EVENING, {ASIDE: HALF}, [(ASIDE, HALF)]),
    "cut after a half written one": (
        EVENING,
        {ASIDE: HALF[:9], "evening.toml.aside-2": HALF},
        [(ASIDE, HALF[:9]), ("evening.toml.aside-2", HALF)],
    ),
    "entry half written": (
        EVENING + ENTRY[:80],
        {ASIDE: HALF},
        [("evening.toml.aside-2", ENTRY[:80]), (ASIDE, HALF)],
    ),
    "another file aside": (
        TORN,
        OTHERS,
        [("evening.toml.aside-2", HALF), (ASIDE, b"an earlier tail")],
    ),
}
"""How a file and those beside it may lie there, and what is noted in the end, repair by repair."""


def finish(pollctl: Pollctl, file: Path) -> None:
    """Repair again and again until there is nothing to repair."""
    for _ in range(4):
        answer = repair(pollctl, file)
        if answer.status:
            break
    assert answer.status == 1
    assert answer.json["text"].endswith(("there is nothing to repair", "accept if all agree"))


@pytest.mark.parametrize("case", STEPS)
def test_each_step_can_be_taken_again(case: str, file: Path, pollctl: Pollctl) -> None:
    """From the state after any step, repair run again ends with a whole file, every byte kept."""
    data, others, expected = STEPS[case]
    file.write_bytes(data)
    for name, content in others.items():
        file.with_name(name).write_bytes(content)
    assert repair(pollctl, file).status == 0
    log = read(file.read_bytes())
    assert (log.chain, file.read_bytes()[: len(EVENING)]) == ("intact", EVENING)
    finish(pollctl, file)
    assert noted(read(file.read_bytes())) == [note(*each) for each in expected]
    kept = beside(file)
    assert all(kept[name] == content for name, content in [*others.items(), *expected])


def test_a_finished_repair_is_done_once(file: Path, pollctl: Pollctl) -> None:
    """A repair that was finished is not done again, and writes no second entry."""
    file.write_bytes(TORN)
    repair(pollctl, file)
    whole = file.read_bytes()
    finish(pollctl, file)
    assert file.read_bytes() == whole


KILLED = {
    "torn": (EVENING, HALF, "intact"),
    "rebuilt": (b"", crlf(EVENING), "intact"),
    "altered and torn": (ALTERED, HALF, "accepted"),
    "altered and rebuilt": (b"", BOM + ALTERED + HALF, "accepted"),
}
"""What stays where it is of a damaged file, what is moved aside, and the chain in the end."""


@LINUX
@pytest.mark.parametrize("case", KILLED)
def test_killed_at_any_moment(case: str, file: Path, pollctl: Pollctl) -> None:
    """Killed at any moment and run again, repair and accept leave a whole file, nothing lost."""
    base, lost, chain = KILLED[case]
    whole = ALTERED if chain == "accepted" else EVENING
    commands = [["repair", "-s", str(file), "--yes"]]
    commands += [["accept", "-s", str(file), "--yes", "--reason", "x"]] * (chain == "accepted")

    def begin() -> None:
        for path in file.parent.iterdir():
            path.unlink()
        file.write_bytes(base + lost)

    def run() -> None:
        begin()
        for command in commands:
            forked(*command)

    ends = set()
    for moment in (0, *moments(11, 15, run)):
        begin()
        child = fork(*commands[0])
        signal.sigtimedwait([], moment / len(commands))
        child.kill(signal.SIGKILL)
        ends.add(child.wait().status)
        assert set(asides(file).values()) <= {lost}
        assert file.read_bytes() == base + lost or asides(file)
        finish(pollctl, file)
        accept(pollctl, file)
        log = read(file.read_bytes())
        assert (log.chain, file.read_bytes()[: len(whole)]) == (chain, whole)
        told = [name for name, size, _ in noted(log) if size == len(lost)]
        assert [beside(file)[name] for name in told] == [lost]
    assert -signal.SIGKILL in ends


@pytest.mark.parametrize("call", ["write", "?link,linkat"])
def test_what_is_put_aside_is_there_whole_or_not_at_all(
    call: str, file: Path, room: Path, pollctl: Pollctl
) -> None:
    """Killed while the tail is put aside, a repair leaves nothing that could be taken for it."""
    file.write_bytes(TORN)
    words = ("repair", "-s", str(file), "--yes")
    left, _ = traced(room / "trace", *words, calls=call, inject=f"{call}:signal=SIGKILL:when=1")
    assert (left.status, file.read_bytes()) == (-signal.SIGKILL, TORN)
    (scratch,) = (name for name in beside(file) if name.startswith(".pollctl-"))
    assert asides(file) in ({}, {ASIDE: HALF})
    finish(pollctl, file)
    assert asides(file) == {ASIDE: HALF}
    assert beside(file).keys() == {ASIDE, scratch}


def asides(file: Path) -> dict[str, bytes]:
    """What lies beside a file under the name of something that was moved aside."""
    return {name: data for name, data in beside(file).items() if ".aside-" in name}


@LINUX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_at_any_moment(number: int, file: Path) -> None:
    """A signal while a repair writes waits until it is done; before, nothing is written."""
    for moment in moments(number, 4, lambda: forked("--version")):
        for path in file.parent.iterdir():
            path.unlink()
        file.write_bytes(TORN)
        child = fork("repair", "-s", str(file), "--yes")
        signal.sigtimedwait([], moment * random.Random(number).uniform(1, 3))
        child.kill(number)
        answer = child.wait()
        log = read(file.read_bytes())
        untouched = (file.read_bytes(), beside(file)) == (TORN, {})
        done = (log.chain, beside(file)) == ("intact", {ASIDE: HALF})
        assert done or untouched, answer
        assert answer.status in ((0,) if done else (-number, 130)), answer
