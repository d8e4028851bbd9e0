"""Undo and redo: in every order, saying in words what they take back."""

from __future__ import annotations

from shlex import split
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import POLL, done, scores, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Pollctl

GAME = (POLL, "round add 2y2y3n -q 'Do you sing?'", "round add 1y2n3n -q 'Do you dance?'")


def standing(pollctl: Pollctl) -> dict[str, Any]:
    """The standings without the receipt, which no two entries share."""
    return {**done(pollctl, "standings --json").json, "receipt": ""}


STEPS = [
    ("round add 2y2y3n -q 'Do you cook?'", ["round 3", "Do you cook?"]),
    ("penalty ann=answer", ["answer penalty", "Ann", "round 2"]),
    ("penalty ben=chip --round 1", ["chip penalty", "Ben", "round 1"]),
    ("ruling cai=+2:fair", ["ruling", "Cai", "+2", "fair", "round 2"]),
    ("round amend 1 ben:3y", ["round 1", "amended", "Ben 3y"]),
    ("round amend 2 -q 'Do you swim?' --clear question", ["round 2", "amended"]),
    ("round void 1", ["void", "round 1"]),
    ("void 3", ["void", "round 2"]),
]


@pytest.mark.parametrize(("line", "words"), STEPS, ids=[line for line, _ in STEPS])
def test_undo_and_redo(pollctl: Pollctl, line: str, words: list[str]) -> None:
    """Undo takes a command back in words and to the point, redo puts it back likewise."""
    done(pollctl, *GAME)
    before = standing(pollctl)
    done(pollctl, line)
    after = standing(pollctl)
    for _ in range(2):
        undone = done(pollctl, "undo").out
        assert all(word in undone for word in ["Took back", *words]), undone
        assert standing(pollctl) == {**before, "next": standing(pollctl)["next"]}
        redone = done(pollctl, "redo").out
        assert all(word in redone for word in ["Put back", *words]), redone
        assert standing(pollctl) == after


def test_undo_names_the_entry_in_its_first_line(pollctl: Pollctl) -> None:
    """What an undo or a redo is about stands in its first line, as round and not as entry."""
    done(pollctl, *GAME, "round void 1")
    for line in ("undo", "redo"):
        assert "round 1" in done(pollctl, line).out.splitlines()[0]


def test_several_undos_and_redos(pollctl: Pollctl) -> None:
    """Undos go back step by step as far as the opening, and redos forth to where it began."""
    done(pollctl, GAME[0])
    seen = [scores(pollctl)]
    lines = [line for line, _ in STEPS if not line.startswith("void")]
    for line in [*GAME[1:], *lines]:
        done(pollctl, line)
        seen.append(scores(pollctl))
    for expected in reversed(seen[:-1]):
        done(pollctl, "undo")
        assert scores(pollctl) == expected
    assert pollctl("undo").status == 1
    for expected in seen[1:]:
        done(pollctl, "redo")
        assert scores(pollctl) == expected
    assert pollctl("redo").status == 1


def test_undo_after_redo(pollctl: Pollctl) -> None:
    """Undo, redo and undo again end where the first undo did; the redo can be had again."""
    done(pollctl, *GAME, "undo")
    once = standing(pollctl)
    done(pollctl, "redo", "undo")
    assert standing(pollctl) == once
    done(pollctl, "undo", "redo", "redo")
    assert scores(pollctl) == {"Ann": 3, "Ben": 1, "Cai": 0}


@pytest.mark.parametrize("line", [line for line, _ in STEPS[:7]])
def test_no_redo_after_anything_else(pollctl: Pollctl, room: Path, line: str) -> None:
    """Once anything else is recorded the undo stays, and redo is refused in words."""
    done(pollctl, *GAME, "round add 0n0n1n", "undo", line)
    before = snapshot(room)
    answer = pollctl("redo")
    assert (answer.status, answer.out) == (1, "")
    assert "nothing to redo" in answer.err
    assert snapshot(room) == before


def test_undo_after_a_new_beginning(pollctl: Pollctl) -> None:
    """After an undo and a new round, undo takes the new one back and then the one before."""
    done(pollctl, *GAME, "undo", "round add 0n0n1n -q 'Do you cook?'")
    assert "Do you cook?" in done(pollctl, "undo").out
    assert "Do you sing?" in done(pollctl, "undo").out
    assert scores(pollctl) == {"Ann": 0, "Ben": 0, "Cai": 0}
    done(pollctl, "redo", "redo")
    assert scores(pollctl) == {"Ann": 2, "Ben": 2, "Cai": 0}


def test_undo_leaves_what_was_voided(pollctl: Pollctl) -> None:
    """Undo takes the latest entry that stands: not a round that is voided already."""
    done(pollctl, *GAME, "round void 2", "undo", "redo", "undo", "undo")
    numbers = [each["stands"] for each in done(pollctl, "round list --json").json["rounds"]]
    assert numbers == [True, False]


def test_a_number_is_never_used_again(pollctl: Pollctl) -> None:
    """A round that is undone leaves a gap: the next one has a number of its own."""
    done(pollctl, *GAME, "undo", "round add 0n0n1n", "undo", "round add 2y2y3n")
    rounds = done(pollctl, "round list --json").json["rounds"]
    assert [(each["number"], each["stands"]) for each in rounds] == [
        (1, True),
        (2, False),
        (3, False),
        (4, True),
    ]


def test_the_log_keeps_everything(pollctl: Pollctl) -> None:
    """Entries that are taken back stay in the log and are marked; what is put back is not."""
    done(pollctl, *GAME, "penalty ann=answer", "undo", "redo", "undo", "round void 1")
    events = done(pollctl, "log --json").json["events"]
    assert [each["kind"] for each in events] == ["open", "round", "round", "penalty"] + ["void"] * 4
    fallen = [each["seq"] for each in events if not each["stands"]]
    assert fallen == [2, 4, 5]
    lines = done(pollctl, "log").out.splitlines()
    marked = [split(line)[0] for line in lines if line[:6].split()[1:2] == ["x"]]
    assert [int(seq) for seq in marked] == fallen
