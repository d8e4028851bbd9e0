"""Signals at any moment: the file stays whole, and what the program said is what is in it."""

from __future__ import annotations

import json
import random
import signal
from time import sleep
from typing import TYPE_CHECKING

import pytest

from pollctl.log import read
from tests.log import DATA, EVENING
from tests.log.processes import INTERRUPTS, finish, fork, forked, moments, start, traced

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Answer

ADD = ("round", "add", "3n3n3n", "--json")

MANY = pytest.mark.parametrize("number", [*INTERRUPTS, signal.SIGKILL], ids=lambda each: each.name)


def recorded(file: Path, *, killed: bool = False) -> str:
    """The receipt of what was added to the small session; empty where nothing was.

    The file has to be whole, or torn where its writer could be killed without warning.
    """
    data = file.read_bytes()
    log = read(data)
    assert data.startswith(DATA)
    assert log.chain == "intact" or (killed and log.chain == "torn")
    assert len(log.events) - len(EVENING) in (0, 1)
    return log.receipt if len(log.events) > len(EVENING) else ""


def said(answer: Answer) -> str:
    """The receipt an answer tells; empty where it tells none."""
    return str(answer.json["receipt"]) if answer.out else ""


def hold_to(answer: Answer, receipt: str) -> None:
    """Fail unless an answer fits what was recorded, as whoever reads it understands it."""
    assert said(answer) in ("", receipt)
    assert answer.status != 0 or (said(answer) and receipt)
    if answer.status in (130, -signal.SIGINT):
        assert receipt == "", "recorded, and called interrupted"
    if "nothing" in answer.err:
        assert receipt == "", "recorded, and called nothing"


@MANY
def test_at_any_moment(file: Path, number: signal.Signals) -> None:
    """At whatever moment a signal comes, the entry is there whole or not at all, and told truly."""
    stops = 130 if number == signal.SIGINT else -number
    for moment in moments(number, 12, lambda: forked(*ADD, "-s", str(file))):
        file.write_bytes(DATA)
        child = fork(*ADD, "-s", str(file))
        sleep(moment)
        child.kill(number)
        answer = child.wait()
        assert answer.status in (0, stops)
        hold_to(answer, recorded(file, killed=number == signal.SIGKILL))


@MANY
def test_the_whole_program_at_any_moment(file: Path, number: signal.Signals) -> None:
    """The same holds of the whole program, from its start to its end."""
    process = start(*ADD, "-s", str(file))
    sleep(random.Random(number).uniform(0.02, 0.3))
    process.send_signal(number)
    hold_to(finish(process), recorded(file, killed=number == signal.SIGKILL))


@pytest.mark.parametrize("wait", [0, 0.005])
def test_after_the_answer(file: Path, wait: float) -> None:
    """Ctrl-C after the receipt was read changes nothing: the program ends as it would have."""
    process = start(*ADD, "-s", str(file))
    assert process.stdout is not None
    receipt = json.loads(process.stdout.readline())["receipt"]
    sleep(wait)
    process.send_signal(signal.SIGINT)
    assert (finish(process).status, recorded(file)) == (0, receipt)


@pytest.mark.parametrize("number", INTERRUPTS[:2], ids=lambda each: each.name)
def test_while_it_is_synced(file: Path, room: Path, number: signal.Signals) -> None:
    """A signal that comes while the entry is synced waits, and the receipt is told."""
    inject = f"fsync:signal={number.name}"
    answer, lines = traced(room / "trace", *ADD, "-s", str(file), calls="fsync", inject=inject)
    receipt = recorded(file)
    assert any(line.startswith("fsync") for line in lines)
    assert (answer.status, said(answer)) == (0, receipt)
    assert receipt


@pytest.mark.parametrize("place", [1, 2, 3])
def test_where_signals_are_held_and_let_go(file: Path, room: Path, place: int) -> None:
    """A Ctrl-C in the very moment in which signals are held or let go is answered truly."""
    call = "rt_sigprocmask"
    inject = f"{call}:signal=SIGINT:when={place}"
    answer, _ = traced(room / "trace", *ADD, "-s", str(file), calls=call, inject=inject)
    receipt = recorded(file)
    hold_to(answer, receipt)
    assert answer.status == (0 if receipt else 130)
