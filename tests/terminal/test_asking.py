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
    """Ballots one by one, a way back, and faults said at once lead to a recorded round."""
    terminal = Terminal(session.parent, "round", "add")
    terminal.type("Do you sing?", after="Question, or Enter: ")
    terminal.type("9y", after="Ann, Ben, as 3y 4n: ")
    terminal.type("2y", after="Ann, Ben, as 3y 4n: ")
    terminal.type("<", after="Ben still owes: ")
    terminal.type("<", after="Ann, Ben, as 3y 4n: ")
    terminal.type("Do you dance?", after="Question, or Enter: ")
    terminal.type("1y", after="Ann, Ben, as 3y 4n: ")
    terminal.type("0n", after="Ben still owes: ")
    terminal.type("ben=chip", after="Penalties, as ben=chip;ann=answer, or Enter: ")
    assert terminal.end() == 0
    assert terminal.lines[:14] == [
        "Enter alone leaves out what may be left out; < goes back; Ctrl-C leaves.",
        "Question, or Enter: Do you sing?",
        "Ann, Ben, as 3y 4n: 9y",
        "  there is no Voting Card 9: cards are 0 to 8, as in 3y (P6).",
        "Ann, Ben, as 3y 4n: 2y",
        "Ben still owes: <",
        "Ann, Ben, as 3y 4n: <",
        "Question, or Enter: Do you dance?",
        "Ann, Ben, as 3y 4n: 1y",
        "Ben still owes: 0n",
        "  1 said Yes.",
        "Penalties, as ben=chip;ann=answer, or Enter: ben=chip",
        "Round 1 · Ann, pollster · “Do you dance?”",
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
    terminal.type("1y0n -p ann=answer", after="Ann, Ben, as 3y 4n: ")
    assert terminal.end() == 0
    fields = pollctl("round", "show", "1", "--json").json["fields"]
    assert (fields["pollster"], fields["question"]) == ("Ben", "Why?")
    assert fields["penalties"] == [{"player": "Ann", "kind": "answer"}]


def test_a_ballot_that_can_not_be_is_asked_for_again(room: Path, pollctl: Pollctl) -> None:
    """A ballot that the rules forbid is put right by name, and the others stay."""
    pollctl("new", "poll", "Ann", "Ben", "Cai", "--start", "ann=11", "--start", "ben=11")
    terminal = Terminal(room, "round", "add", "-q", "Why?")
    terminal.type("1y0n2n", after="Ann, Ben, Cai, as 3y n: ")
    terminal.wait("Cai plays no card")
    terminal.type("cai:n", after="All again, or Ann:…: ")
    terminal.type("", after="Penalties, as ben=chip;ann=answer, or Enter: ")
    assert terminal.end() == 0
    assert pollctl("round", "show", "1", "--json").json["fields"]["ballots"] == [
        {"player": "Ann", "card": 1, "chip": "yes"},
        {"player": "Ben", "card": 0, "chip": "no"},
        {"player": "Cai", "chip": "no"},
    ]


@pytest.mark.parametrize("way", ["\x03", "\x04"])
def test_one_can_leave_without_a_trace(session: Path, way: str) -> None:
    """Ctrl-C and Ctrl-D leave in the middle with status 130, and no byte is written."""
    before = session.read_bytes()
    terminal = Terminal(session.parent, "round", "add")
    terminal.press(way, after="Question, or Enter: ")
    assert terminal.end() == 130
    assert terminal.lines[-1] == "pollctl: interrupted, nothing recorded"
    assert session.read_bytes() == before


def test_dice_are_asked_for_where_an_objection_needs_them(room: Path, pollctl: Pollctl) -> None:
    """Only where an objection gets as far as looking are the dice asked for, and all of them."""
    pollctl("new", "dice", "Ann", "Ben", "Cai", "-o", "d.toml")
    terminal = Terminal(room, "round", "add", "--chairperson", "ann")
    terminal.type("66 61 51", after="Ann, Ben, Cai, as 64 51: ")
    terminal.type("cai", after="Green stick, or Enter: ")
    terminal.type("", after="Pink stick, or Enter: ")
    terminal.type("666", after="Dice: ")
    terminal.wait("3 dice are given, and 14 are in the box (D13)")
    terminal.type("66666122334455", after="Dice: ")
    assert terminal.end() == 0
    assert pollctl("round", "list", "--json").json["rounds"][0]["verdicts"] == {"large": "refuted"}
    terminal = Terminal(room, "round", "add")
    terminal.type("66 61 51", after="Ann, Ben, Cai, as 64 51: ")
    terminal.type("ann", after="Green stick, or Enter: ")
    terminal.type("", after="Pink stick, or Enter: ")
    assert terminal.end() == 0


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


def test_a_card_with_several_questions_is_seen_to_first(session: Path, pollctl: Pollctl) -> None:
    """Nothing is asked for a round whose card has its question still to be chosen."""
    (session.parent / "two.txt").write_text("Do you sing? | Do you dance?\n", encoding="utf-8")
    assert pollctl("draw", "--deck", "two.txt").status == 0
    terminal = Terminal(session.parent, "round", "add")
    assert terminal.end() == 1
    assert terminal.lines[0].startswith("pollctl: card 1 of two has 2 questions: choose one")
    assert pollctl("draw", "--pick", "2").status == 0
    terminal = Terminal(session.parent, "round", "add")
    terminal.type("", after="Question, or Enter for the card's: ")
    terminal.type("1y0n", after="Ann, Ben, as 3y 4n: ")
    terminal.type("", after="ann=answer, or Enter: ")
    assert terminal.end() == 0
    assert pollctl("round", "show", "1", "--json").json["fields"]["question"] == "Do you dance?"
