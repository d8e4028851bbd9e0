"""`round add` without ballots asks, in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Pollctl
from tests.terminal.screen import Terminal


@pytest.fixture
def session(room: Path, pollctl: Pollctl) -> Path:
    """A session of two players, Ann to ask."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    return room / "s.toml"


def test_a_round_is_asked_for(session: Path, pollctl: Pollctl) -> None:
    """Defaults, a way back, and faults said at once lead to a recorded round."""
    terminal = Terminal(session.parent, "round", "add")
    terminal.type("", after="Pollster [Ann]: ")
    terminal.type("Do you sing?", after="Question: ")
    terminal.type("9y", after="Ann, card and chip: ")
    terminal.type("2y", after="Ann, card and chip: ")
    terminal.type("<", after="Ben, card and chip: ")
    terminal.type("1y", after="Ann, card and chip: ")
    terminal.type("0n", after="Ben, card and chip: ")
    terminal.type("ben=chip", after="Penalties, as ben=chip;ann=answer: ")
    assert terminal.end() == 0
    assert terminal.lines[:12] == [
        "Enter takes what stands in [ ]; < goes back; Ctrl-C leaves.",
        "Pollster [Ann]:",
        "Question: Do you sing?",
        "Ann, card and chip: 9y",
        "  there is no Voting Card 9: cards are 0 to 8, as in 3y (P6).",
        "Ann, card and chip: 2y",
        "Ben, card and chip: <",
        "Ann, card and chip: 1y",
        "Ben, card and chip: 0n",
        "Penalties, as ben=chip;ann=answer: ben=chip",
        "Round 1 · Ann, pollster · “Do you sing?”",
        "  1 said Yes.",
    ]
    fields = pollctl("round", "show", "1", "--json").json["fields"]
    assert fields["ballots"] == [
        {"player": "Ann", "card": 1, "chip": "yes"},
        {"player": "Ben", "card": 0, "chip": "no"},
    ]
    assert fields["penalties"] == [{"player": "Ben", "kind": "chip"}]


def test_what_was_typed_is_not_asked_for(session: Path, pollctl: Pollctl) -> None:
    """Options given on the command line are taken, and not asked for again."""
    terminal = Terminal(session.parent, "round", "add", "--pollster", "ben", "-q", "Why?")
    terminal.type("1y", after="Ann, card and chip: ")
    terminal.type("1n", after="Ben, card and chip: ")
    terminal.type("", after="Penalties, as ben=chip;ann=answer: ")
    assert terminal.end() == 0
    fields = pollctl("round", "show", "1", "--json").json["fields"]
    assert (fields["pollster"], fields["question"]) == ("Ben", "Why?")


@pytest.mark.parametrize("way", ["\x03", "\x04"])
def test_one_can_leave_without_a_trace(session: Path, way: str) -> None:
    """Ctrl-C and Ctrl-D leave in the middle with status 130, and no byte is written."""
    before = session.read_bytes()
    terminal = Terminal(session.parent, "round", "add")
    terminal.type("", after="Pollster [Ann]: ")
    terminal.wait("Question: ")
    terminal.child.send(way)
    assert terminal.end() == 130
    assert terminal.lines[-1] == "pollctl: interrupted, nothing recorded"
    assert session.read_bytes() == before


def test_an_objection_that_needs_dice_asks_again(room: Path, pollctl: Pollctl) -> None:
    """A round that is unlawful as answered says why, and the last question is asked again."""
    pollctl("new", "dice", "Ann", "Ben", "Cai", "-o", "d.toml")
    terminal = Terminal(room, "round", "add", "--chairperson", "ann")
    for player, faces in {"Ann": "66", "Ben": "61", "Cai": "51"}.items():
        terminal.type(faces, after=f"{player}, large and small: ")
    terminal.type("cai", after="Large Stick: ")
    terminal.type("", after="Small Stick: ")
    terminal.type("", after="Dice: ")
    terminal.wait("Cai's Large objection needs the dice")
    terminal.type("66666122334455", after="Dice: ")
    assert terminal.end() == 0
    assert pollctl("round", "list", "--json").json["rounds"][0]["verdicts"] == {"large": "refuted"}


def test_the_same_round_twice_is_asked_about(session: Path, pollctl: Pollctl) -> None:
    """On a terminal a repeated round is asked about, and No records nothing, with status 1."""
    pollctl("round", "add", "1y0n")
    before = session.read_bytes()
    terminal = Terminal(session.parent, "round", "add", "1y0n")
    terminal.type("n", after="Again? [y/N]: ")
    assert terminal.end() == 1
    assert terminal.lines[-1] == "pollctl: not recorded."
    assert session.read_bytes() == before


def test_a_finished_game_is_not_asked_about(room: Path, pollctl: Pollctl) -> None:
    """No question is asked for a round that could not be recorded."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "e.toml", "--rule", "spaces=1")
    pollctl("round", "add", "1y0n")
    terminal = Terminal(room, "round", "add")
    assert terminal.end() == 1
    assert terminal.lines[0] == "pollctl: the game is over: Ann won; undo can reopen it (P17)."
