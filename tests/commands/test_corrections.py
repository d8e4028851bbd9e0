"""Corrections: amend, void, late penalties and rulings, and what they make of the game."""

from __future__ import annotations

from shlex import split
from typing import TYPE_CHECKING

import pytest

from tests.commands import DICE, POLL, TIE, done, scores, snapshot, status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Pollctl

THREE = (
    POLL,
    "round add 2y2y3n -q 'Do you sing?'",
    "round add 1y2n3n -q 'Do you dance?' --note x -p cai=chip --ruling cai=+2:fair",
    "round add 2y2y3n -q 'Do you cook?'",
)
"""Three rounds: Ann and Ben 1, then Ann 3 and Cai 2, then Ann 4, Ben 2 and Cai 2."""


def fields(pollctl: Pollctl, number: int) -> dict[str, object]:
    """What counts for a round, corrections included."""
    recorded: dict[str, object] = done(pollctl, f"round show {number} --json").json["fields"]
    return recorded


def cards(pollctl: Pollctl, number: int) -> list[str]:
    """The ballots of a round as they count."""
    ballots = done(pollctl, f"round show {number} --json").json["fields"]["ballots"]
    return [f"{each['card']}{each['chip']}" for each in ballots]


def test_three_rounds(pollctl: Pollctl) -> None:
    """The game that the tests below correct is scored as they take it to be."""
    done(pollctl, *THREE)
    assert scores(pollctl) == {"Ann": 4, "Ben": 2, "Cai": 2}


def test_amend_replaces_the_named_ballots(pollctl: Pollctl) -> None:
    """Only the ballots of named players are replaced, and all later rounds scored again."""
    answer = done(pollctl, *THREE, "round amend 1 ben:3y").out
    assert cards(pollctl, 1) == ["2yes", "3yes", "3no"]
    assert scores(pollctl) == {"Ann": 5, "Ben": 1, "Cai": 2}
    for line in (("round 1", "Ann 1 → 2", "Ben 1 → 0"), ("round 3", "Ann 4 → 5", "Ben 2 → 1")):
        assert any(all(word in row for word in line) for row in answer.splitlines())


def test_amend_replaces_all_ballots(pollctl: Pollctl) -> None:
    """Ballots without names replace those of everybody."""
    done(pollctl, *THREE, "round amend 1 0n 0n 1n")
    assert cards(pollctl, 1) == ["0no", "0no", "1no"]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("-q 'Do you swim?'", "question", "Do you swim?"),
        ("-p ann=answer -p cai=answer", "penalties", [("Ann", "answer"), ("Cai", "answer")]),
        ("--ruling ann=-1:why", "rulings", [("Ann", -1, "why")]),
        ("--pollster ann", "pollster", "Ann"),
        ("--note y", "note", "y"),
        ("--source off-board", "source", "off-board"),
        ("--clear note", "note", None),
        ("--clear penalties --clear rulings", "rulings", None),
        ("--clear QUEST", "question", None),
    ],
)
def test_amend_replaces_what_is_given(
    pollctl: Pollctl, line: str, name: str, value: object
) -> None:
    """A given option replaces its field, a list as a whole, and --clear drops one; no more."""
    done(pollctl, *THREE)
    before = fields(pollctl, 2)
    done(pollctl, f"round amend 2 {line}")
    after = fields(pollctl, 2)
    got = after.get(name)
    assert ([tuple(row.values()) for row in got] if isinstance(got, list) else got) == value
    touched = {name, "penalties"} if "penalties" in line else {name}
    rest = before.keys() - touched
    assert {key: after[key] for key in rest} == {key: before[key] for key in rest}


def test_amend_the_time(pollctl: Pollctl) -> None:
    """With --at a round is moved to another time, wherever it is shown."""
    done(pollctl, *THREE, "round amend 2 --at 2026-11-30T20:04:11+01:00")
    at = [each["at"] for each in done(pollctl, "round list --json").json["rounds"]]
    assert at[1] == "2026-11-30T20:04:11+01:00"
    assert "20:04" in done(pollctl, "round list").out.splitlines()[3]


def test_an_amended_time_is_told(pollctl: Pollctl) -> None:
    """The answer and the log say to which time a round was moved."""
    answer = done(pollctl, *THREE, "round amend 2 --at 2026-11-30T20:04:11+01:00").out
    assert "20:04" in answer
    assert "20:04" in done(pollctl, "log --json").json["events"][-1]["text"]


def test_amend_twice(pollctl: Pollctl) -> None:
    """Of two corrections the later counts where they meet, and both where they do not."""
    done(pollctl, *THREE, "round amend 1 ann:3y --note a", "round amend 1 ann:2y ben:1y")
    assert (cards(pollctl, 1), fields(pollctl, 1)["note"]) == (["2yes", "1yes", "3no"], "a")


@pytest.mark.parametrize("line", ["round void 1", "void 2"])
def test_void_a_round(pollctl: Pollctl, line: str) -> None:
    """A voided round is as if never played, keeps its number, and its reason stays in the log."""
    answer = done(pollctl, *THREE, f"{line} --reason 'asked twice'").out
    assert "round 1" in answer
    assert "Do you sing?" in answer
    assert scores(pollctl) == {"Ann": 3, "Ben": 1, "Cai": 2}
    standings = done(pollctl, "standings --json").json
    assert (standings["played"], standings["round"], standings["next"]["round"]) == (2, 3, 4)
    assert "asked twice" in done(pollctl, "log").out
    assert "voided" in done(pollctl, "round list").out
    assert "oided" in done(pollctl, "round show 1").out


@pytest.mark.parametrize("again", ["round void 1", "void 2", "round amend 1 ann:1y"])
def test_a_voided_round_is_left_alone(pollctl: Pollctl, room: Path, again: str) -> None:
    """What is taken back can't be voided or amended again."""
    done(pollctl, *THREE, "round void 1")
    before = snapshot(room)
    assert pollctl(*again.split()).status == 1
    assert snapshot(room) == before


def test_void_a_correction(pollctl: Pollctl) -> None:
    """A late penalty, a ruling, an amendment and a void are each taken back by their entry."""
    done(pollctl, *THREE)
    lines = ("penalty ann=answer", "ruling ben=+1:x", "round amend 1 ben:0y", "round void 2")
    for entry, line in enumerate(lines, start=5):
        before = scores(pollctl)
        done(pollctl, line)
        assert scores(pollctl) != before
        done(pollctl, f"void {entry + (entry - 5)}")
        assert scores(pollctl) == before


@pytest.mark.parametrize(("entry", "way"), [("1", "new"), ("6", "redo"), ("7", "undo")])
def test_what_can_not_be_voided(pollctl: Pollctl, room: Path, entry: str, way: str) -> None:
    """The opening and the marks of undo and redo are not voided, and the way out is told."""
    done(pollctl, *THREE, "undo", "undo", "redo")
    before = snapshot(room)
    answer = pollctl("void", entry)
    assert answer.status == 1
    assert way in answer.err
    assert snapshot(room) == before


@pytest.mark.parametrize(
    ("line", "number", "question", "expected"),
    [
        ("penalty ann=answer", 3, "Do you cook?", {"Ann": 3, "Ben": 2, "Cai": 2}),
        ("penalty ann=answer --round 1", 1, "Do you sing?", {"Ann": 3, "Ben": 2, "Cai": 2}),
        ("penalty ann=chip --round 1", 1, "Do you sing?", {"Ann": 4, "Ben": 2, "Cai": 2}),
        ("ruling ben=+2:why", 3, "Do you cook?", {"Ann": 4, "Ben": 4, "Cai": 2}),
        (
            "ruling ben=-2 --reason why --round 2",
            2,
            "Do you dance?",
            {"Ann": 4, "Ben": 1, "Cai": 2},
        ),
    ],
)
def test_a_late_penalty_or_ruling(
    pollctl: Pollctl, line: str, number: int, question: str, *, expected: dict[str, int]
) -> None:
    """Called late it belongs to its round, else to the last, which the answer names."""
    answer = done(pollctl, *THREE, line)
    assert scores(pollctl) == expected
    assert f"round {number}" in answer.out
    assert question in answer.out


def test_the_last_round_is_the_last_that_stands(pollctl: Pollctl) -> None:
    """After a void a late penalty belongs to the round before it."""
    done(pollctl, *THREE, "round void 3")
    assert done(pollctl, "penalty ann=answer --json").json["round"] == 2
    assert scores(pollctl) == {"Ann": 2, "Ben": 1, "Cai": 2}


def test_a_second_penalty_of_a_kind(pollctl: Pollctl, room: Path) -> None:
    """A second penalty of the same kind in a round is refused even with --force (P18)."""
    done(pollctl, *THREE)
    before = snapshot(room)
    for force in ((), ("--force",)):
        answer = pollctl("penalty", "cai=chip", "--round", "2", *force)
        assert answer.status == 1
        assert "(P18)" in answer.err
    assert snapshot(room) == before


def test_a_correction_takes_a_win_back_and_gives_it(pollctl: Pollctl) -> None:
    """A late penalty undoes a win, an undo of it gives the win back, and both are told."""
    done(pollctl, f"{POLL} --rule spaces=2", "round add 1y3n3n")
    assert status(pollctl) == ("finished", ["Ann"])
    answer = done(pollctl, "penalty ann=answer")
    assert "Ann wins" in answer.out
    assert status(pollctl) == ("playing", [])
    answer = done(pollctl, "undo")
    assert status(pollctl) == ("finished", ["Ann"])
    assert answer.out.index("was  ") < answer.out.index("Ann wins")


def test_an_amendment_makes_a_win(pollctl: Pollctl) -> None:
    """A corrected card makes its player the only one who was right, and the winner."""
    done(pollctl, f"{POLL} --rule spaces=2", "round add 1y1n3n")
    assert status(pollctl) == ("playing", [])
    assert "Ann wins" in done(pollctl, "round amend 1 ben:3n").out
    assert status(pollctl) == ("finished", ["Ann"])


def test_the_answer_says_what_changed(pollctl: Pollctl) -> None:
    """Rounds, ranks and the turn before and after stand in the answer of a correction."""
    answer = done(pollctl, *THREE, "round amend 3 ann:0y --pollster cai").out
    assert "Ann 4 → 3" in answer
    assert "Ben 2 → 3" in answer
    assert "Ben 2 → 1" in answer
    assert "Ann is the pollster" in answer
    assert "Ben is the pollster" in answer
    assert answer.index("Ann is the pollster") < answer.index("Ben is the pollster")


IMPOSSIBLE = [
    (
        (f"{POLL} --rule spaces=2", "round add 1y1n3n", "round add 2y2y3n"),
        "round amend 1 ben:3n",
        "P17",
    ),
    ((*TIE, "round add 2y2yn"), "round void 1", "P6"),
    ((*TIE, "round add 2y2yn"), "penalty ben=answer --round 2", "P17"),
    ((*TIE, "round add 2y2yn"), "ruling ben=-1:x --round 2", "P17"),
    ((*TIE, "round add 2y2yn"), "round amend 2 ann:3y ben:3y", "P6"),
    ((*TIE, "round add 2y2yn"), "void 2", "P6"),
    (
        (f"{DICE} --rule start=2", "round add 11 11 22", "round add 11 11 22 -L cai"),
        "ruling cai=+1:x --round 1",
        "D13",
    ),
    ((*TIE, "round add 2y2yn", "round void 1 --force", "round amend 3 cai:2n"), "undo", "P6"),
    ((*TIE, "penalty ben=answer", "penalty ann=answer", "round add 2y2y3n"), "void 4", "P17"),
]


@pytest.mark.parametrize(("game", "line", "rule"), IMPOSSIBLE, ids=[row[1] for row in IMPOSSIBLE])
def test_a_later_round_made_impossible(
    pollctl: Pollctl, room: Path, game: tuple[str, ...], line: str, rule: str
) -> None:
    """A correction that breaks a later round is refused with its clause; forced, it is named."""
    done(pollctl, *game)
    last = done(pollctl, "round list --json").json["rounds"][-1]["number"]
    before, standings = snapshot(room), done(pollctl, "standings --json").json
    answer = pollctl(*split(line))
    assert (answer.status, answer.out) == (1, "")
    assert all(word in answer.err for word in (f"round {last}", f"({rule})", "--force"))
    assert pollctl(*split(line), "--dry-run").status == 1
    assert snapshot(room) == before
    forced = done(pollctl, f"{line} --force --json").json
    assert (last, rule) in [(each["round"], each["rule"]) for each in forced["warnings"]]
    after = done(pollctl, "standings --json").json
    assert [(each["round"], each["rule"]) for each in after["problems"]] == [(last, rule)]
    assert after["played"] < standings["played"] + (line == "undo")
    assert f"Round {last} is passed over" in done(pollctl, "standings").out
    assert "passed over" in done(pollctl, "round list").out
    assert "passed over" in done(pollctl, f"round show {last}").out


def test_a_forced_correction_says_it(pollctl: Pollctl) -> None:
    """The answer of a forced correction names the round it makes impossible and why."""
    game, line, rule = IMPOSSIBLE[0]
    answer = done(pollctl, *game, f"{line} --force").out
    assert "round 2" in answer
    assert f"({rule})" in answer


def test_a_passed_over_round_comes_back(pollctl: Pollctl) -> None:
    """A round that was passed over counts again when the correction is taken back."""
    game, line, _ = IMPOSSIBLE[0]
    done(pollctl, *game)
    before = done(pollctl, "standings --json").json
    done(pollctl, f"{line} --force", "undo")
    after = done(pollctl, "standings --json").json
    assert {**after, "receipt": ""} == {**before, "receipt": ""}


def test_a_round_itself_made_impossible(pollctl: Pollctl, room: Path) -> None:
    """A correction that makes its own round unlawful is refused even with --force."""
    done(pollctl, *THREE)
    before = snapshot(room)
    for line in ("round amend 3 ann:y", "round amend 3 --source choice"):
        for force in ((), ("--force",)):
            assert pollctl(*line.split(), *force).status == 1
    assert snapshot(room) == before


PASSED_OVER = (*TIE, "round add 2y2yn", "round void 1 --force")
"""Three rounds, of which the first is voided and the third can't be played any more."""


@pytest.mark.parametrize("line", ["penalty cai=chip --round 3", "ruling ann=+1:x --round 3"])
def test_a_passed_over_round_takes_no_correction_in_vain(
    pollctl: Pollctl, room: Path, line: str
) -> None:
    """A penalty or ruling in a round that is passed over is refused, saying why it is."""
    done(pollctl, *PASSED_OVER)
    before = snapshot(room)
    answer = pollctl(*line.split())
    assert answer.status == 1
    assert "round 3 is passed over" in answer.err
    assert snapshot(room) == before


def test_an_amendment_that_counts_for_nothing(pollctl: Pollctl) -> None:
    """An amendment of a round that stays passed over is told so, and not as if it counted."""
    answer = done(pollctl, *PASSED_OVER, "round amend 3 ann:1y").out
    assert "round 3" in answer
    assert "(P6)" in answer
