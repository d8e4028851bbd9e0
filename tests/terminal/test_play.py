"""`play`: whole evenings in a real terminal, and what becomes of them when somebody leaves."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path
from shlex import split

import pytest

from pollctl.model import Fields
from pollctl.session import load
from tests.conftest import Pollctl
from tests.documents.transcript import RECEIPT
from tests.terminal.screen import Terminal
from tests.terminal.scripts import ASK, CARDS, DIALS, EVENINGS, PENALTIES, VOTE, Evening

SCREENS = Path(__file__).with_name("evenings")


def played(terminal: Terminal, script: Sequence[tuple[str, str]]) -> str:
    """Everything that stood on the screen at the end, receipts and dates made equal."""
    for after, text in script:
        terminal.type(text, after=after)
    assert terminal.end() == 0
    lines = (line.rstrip() for line in terminal.screen.display)
    text = re.sub(r"\d{4}-\d\d-\d\d-", "DATE-", "\n".join(lines).rstrip() + "\n")
    return RECEIPT.sub("RECEIPT", text)


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.name)
def test_an_evening_is_played_by_play_alone(room: Path, pollctl: Pollctl, evening: Evening) -> None:
    """From nothing to the winner: every screen is as kept, and the log as by other commands."""
    for file, text in CARDS.items():
        (room / file).write_text(text, encoding="utf-8")
    terminal = Terminal(room, "play", *evening.arguments, height=600)
    screen, golden = played(terminal, evening.script), SCREENS / f"{evening.name}.txt"
    if "POLLCTL_REWRITE" in os.environ:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(screen, encoding="utf-8")
    assert screen == golden.read_text(encoding="utf-8")
    (session,) = pollctl("audit", ".", "--json").json["sessions"]
    assert (session["ok"], session["status"]) == (True, "finished")
    for command in evening.commands:
        assert not pollctl(*split(command)).err
    assert events(room / session["file"]) == events(room / "same.toml")


def events(file: Path) -> list[tuple[str, Fields]]:
    """What a log holds, but for times, seals, and the session's random id."""
    found = load(file.read_bytes()).log.events
    return [(each.kind, {**each.fields, "session": None}) for each in found]


@pytest.fixture
def session(room: Path, pollctl: Pollctl) -> Path:
    """A session of three players with one round."""
    assert pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "s.toml").status == 0
    assert pollctl("round", "add", "2y1y0n").status == 0
    return room / "s.toml"


@pytest.mark.parametrize(("way", "status"), [("\x03", 130), ("\x04", 130), ("quit\r", 0)])
def test_one_can_leave_and_go_on(session: Path, way: str, status: int, pollctl: Pollctl) -> None:
    """Whoever leaves in the middle of a round is told what is recorded, and goes on from there."""
    before = session.read_bytes()
    terminal = Terminal(session.parent, "play")
    terminal.type("Do you sing?", after=ASK)
    terminal.type("2y", after=VOTE)
    terminal.press(way, after="Ben and Cai still owe: ")
    assert terminal.end() == status
    told = "s.toml holds everything up to round 1; pollctl play goes on from there."
    assert terminal.lines[-1] == told
    assert session.read_bytes() == before
    again = Terminal(session.parent, "play")
    again.type("", after="Round 2 · Cai is the pollster")
    again.type("1y1n1n", after=VOTE)
    again.type("", after=PENALTIES)
    again.type("quit", after="Round 3 · Ben is the pollster")
    assert again.end() == 0
    assert pollctl("standings", "--json").json["round"] == 2


@pytest.mark.parametrize("way", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_closed_terminal_loses_nothing(session: Path, way: signal.Signals) -> None:
    """Whatever ends the process, the log holds what was recorded, and no byte more."""
    before = session.read_bytes()
    terminal = Terminal(session.parent, "play")
    terminal.type("", after=ASK)
    terminal.type("2y2n2n", after=VOTE)
    terminal.wait(PENALTIES)
    terminal.child.kill(way)
    assert terminal.end() == -way
    assert session.read_bytes() == before


def test_another_writer_is_noticed(session: Path, pollctl: Pollctl) -> None:
    """A round that somebody else recorded meanwhile is not recorded over, and the next is asked."""
    terminal = Terminal(session.parent, "play")
    terminal.type("", after=ASK)
    assert pollctl("round", "add", "1y1y1n").status == 0
    terminal.type("2y2n2n", after=VOTE)
    terminal.type("", after=PENALTIES)
    terminal.wait("this would be round 3, not 2")
    terminal.type("quit", after="Round 3 · Ben is the pollster")
    assert terminal.end() == 0


def test_dice_are_counted_for_three_seconds(room: Path, pollctl: Pollctl) -> None:
    """Enter counts to three, a number a second, and rings before the dials are asked for."""
    assert pollctl("new", "dice", "Ann", "Ben", "Cai", "-o", "d.toml").status == 0
    terminal = Terminal(room, "play")
    terminal.type("", after="Enter counts to three: ")
    terminal.wait("\a")
    terminal.wait("Cover the box!")
    assert [line.strip() for line in terminal.lines[-4:-1]] == ["One …", "Two …", "Three …"]
    terminal.type("quit", after=DIALS)
    assert terminal.end() == 0


def test_play_needs_a_terminal(session: Path, process: Pollctl) -> None:
    """Without one it says so, with the command that scripts use, and writes nothing."""
    before = session.read_bytes()
    answer = process("play")
    assert (answer.status, answer.out) == (2, "")
    assert "play talks to a host at a terminal; scripts use round add" in answer.err
    assert session.read_bytes() == before
