"""`play` among mishaps: of the disk, of the terminal, of the keyboard."""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

import pytest

from tests.conftest import Pollctl
from tests.terminal.screen import Terminal
from tests.terminal.scripts import ASK, GAME, OVER, PENALTIES, VOTE

LEFT = "\x1b[D"
"""What an arrow key sends."""


@pytest.fixture
def session(room: Path, pollctl: Pollctl) -> Path:
    """A session of three players with one round."""
    assert pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "s.toml").status == 0
    assert pollctl("round", "add", "2y1y0n").status == 0
    return room / "s.toml"


def test_arrow_keys_edit_the_line(session: Path, pollctl: Pollctl) -> None:
    """A forgotten ballot is put between two others with the keys of any line editor."""
    pytest.importorskip("readline")
    terminal = Terminal(session.parent, "play")
    terminal.type("", after=ASK)
    terminal.type(f"3y 5y{LEFT * 2}4n ", after=VOTE)
    terminal.type("", after=PENALTIES)
    terminal.type("quit", after=ASK)
    assert terminal.end() == 0
    ballots = pollctl("round", "show", "2", "--json").json["fields"]["ballots"]
    assert [(each["card"], each["chip"]) for each in ballots] == [
        (3, "yes"),
        (4, "no"),
        (5, "yes"),
    ]


def test_whoever_stopped_it_finds_the_prompt_again(session: Path) -> None:
    """Stopped and continued, it asks again, and what was told before is not lost."""
    terminal = Terminal(session.parent, "play")
    terminal.type("Why?", after=ASK)
    terminal.type("2y", after=VOTE)
    terminal.wait("Ben and Cai still owe: ")
    terminal.child.kill(signal.SIGSTOP)
    terminal.child.kill(signal.SIGCONT)
    terminal.type("1n0n", after="Ben and Cai still owe: ")
    terminal.type("", after=PENALTIES)
    terminal.wait("Round 2 · Cai, pollster · “Why?”")
    terminal.type("quit", after=ASK)
    assert terminal.end() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")
def test_a_full_disk_costs_no_ballot(session: Path, pollctl: Pollctl) -> None:
    """Where the disk says no, the round is kept and tried again, once there is room."""
    terminal = Terminal(session.parent, "play")
    terminal.type("", after=ASK)
    terminal.type("2y2n2n", after=VOTE)
    terminal.wait(PENALTIES)
    pid = terminal.child.pid or 0
    limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (len(session.read_bytes()), limits[1]))
    terminal.child.sendline("")
    terminal.type("standings", after="Enter tries again: ")
    terminal.wait("after 1 round")
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
    terminal.type("", after="Enter tries again: ")
    terminal.type("quit", after="Round 3 · Ben is the pollster")
    assert terminal.end() == 0
    assert pollctl("standings", "--json").json["round"] == 2


def test_what_the_host_says_fits_a_narrow_terminal(session: Path) -> None:
    """On 40 columns the words of the host are cut between words."""
    terminal = Terminal(session.parent, "play", height=60, width=40)
    terminal.type("quit", after=ASK)
    assert terminal.end() == 0
    head = "Round 2 · Cai is the pollster"
    assert terminal.lines[terminal.lines.index(head) + 1 :][:2] == [
        "Cai, read out a question from a card of",
        "  either pile, or ask one of your own.",
    ]


def test_a_damaged_file_is_not_played(session: Path) -> None:
    """Nothing is asked for a round that could not be recorded."""
    session.write_bytes(session.read_bytes() + b"\n[[event]]\nseq")
    terminal = Terminal(session.parent, "play")
    assert terminal.end() == 3
    assert "pollctl: nothing can be added to it; pollctl audit says what to do." in terminal.lines


def test_a_session_that_is_gone_is_no_dead_end(session: Path) -> None:
    """Where the file of the current session was moved away, it says so and begins anew."""
    session.unlink()
    terminal = Terminal(session.parent, "play")
    terminal.wait(GAME)
    assert terminal.lines[0] == "s.toml, the current session, is gone."
    terminal.child.sendline("quit")
    assert terminal.end() == 130


def test_one_game_follows_another(room: Path, pollctl: Pollctl) -> None:
    """After the winner another game is begun, with the same players unless others are named."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml", "--rule", "spaces=1")
    pollctl("round", "add", "1y0n")
    terminal = Terminal(room, "play")
    terminal.type("n", after="s.toml is over: Ann won. A new game? [Y/n]: ")
    terminal.type("new", after=OVER)
    terminal.type("poll", after=GAME)
    terminal.type("", after="Players, clockwise [Ann, Ben]: ")
    terminal.type("2", after="Spaces from Start to the centre [11]: ")
    terminal.type("RANDOM", after="Who begins, or random [Ann]: ")
    terminal.type("new", after=ASK)
    terminal.wait("first leave this game with quit; then pollctl new.")
    terminal.type("end", after=ASK)
    terminal.type("", after=OVER)
    assert terminal.end() == 0
    sessions = pollctl("audit", ".", "--json").json["sessions"]
    assert sorted(each["status"] for each in sessions) == ["abandoned", "finished"]


def test_a_question_outlasts_a_change_of_seats(session: Path) -> None:
    """Where somebody leaves before all have voted, the vote is asked for anew, not the question."""
    terminal = Terminal(session.parent, "play")
    terminal.type("Why? --really?", after=ASK)
    terminal.type("2y", after=VOTE)
    terminal.type("player leave ann", after="Ben and Cai still owe: ")
    terminal.type("1y1n", after="Ben, Cai, as 3y 4n: ")
    terminal.type("", after=PENALTIES)
    terminal.wait("Round 2 · Cai, pollster · “Why? --really?”")
    terminal.type("quit", after=ASK)
    assert terminal.end() == 0


def test_it_says_how_to_go_on_with_a_session_that_is_named(session: Path, pollctl: Pollctl) -> None:
    """Whoever named the session has to name it again, and is told so."""
    pollctl("new", "poll", "Dee", "Eve", "-o", "other.toml")
    terminal = Terminal(session.parent, "play", "-s", "s.toml")
    terminal.type("exit", after=ASK)
    assert terminal.end() == 0
    told = " ".join(line.strip() for line in terminal.lines[-2:])
    assert told.endswith("round 1; pollctl play -s s.toml goes on from there.")
