"""What is refused: one clear line, the right status, and nothing written."""

from __future__ import annotations

from shlex import split
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pollctl.games import catalogue, find
from tests.commands import SCENES, begin, done, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Answer, Pollctl

ROW = 200
"""No line of a refusal is longer, so that it can be read at a glance."""


class No(NamedTuple):
    """One refusal: where, what is typed, under which clause, and what the message must name."""

    scene: str
    line: str
    rule: str | None
    word: str


ROUNDS = [
    No("poll", "round add zoe:3y ben:3y cai:3y", "P1", "Ann, Ben and Cai"),
    No("twins", "round add an:3y anna:3y ben:3y", "P1", "Ann or Anna"),
    No("twins", "round add a:3y anna:3y ben:3y", "P1", "Ann or Anna"),
    No("poll", "round add ann:3y ben:3y", "P7", "Cai"),
    No("poll", "round add 3y 3y", "P7", "2 ballots"),
    No("poll", "round add 3y3y", "P7", "Ann, Ben, Cai"),
    No("poll", "round add 3y 3y 3y 3y", "P7", "4 ballots"),
    No("poll", "round add ann:3y ann:3n ben:3y cai:3y", "P7", "Ann"),
    No("poll", "round add ann:3y ANN:3n ben:3y cai:3y", "P7", "Ann"),
    No("poll", "round add ann:3y 3y 3y", "P7", "names"),
    No("poll", "round add 3y ben:3y 3y", "P7", "names"),
    No("poll", "round add 9y 3y 3y", "P6", "9"),
    No("poll", "round add ann:10y ben:3y cai:3y", "P6", "10"),
    No("poll", "round add 3y 3x 3y", "P7", "3x"),
    No("poll", "round add 3maybe 3y 3y", "P7", "3maybe"),
    No("poll", "round add 3 3y 3y", "P7", "chip"),
    No("poll", "round add 3y y 3y", "P6", "Ben"),
    No("tie", "round add 2y 2y 2n", "P15", "Cai"),
    No("tie", "round add ann:2y ben:2y cai:0n", "P15", "Cai"),
    No("tie", "round add 2y y n", "P15", "Ben"),
    No("tie", "round add cai:n ann:y ben:2y", "P15", "Ann"),
    No("won", "round add 2y 2y n", "P17", "over"),
    No("won", "round add 2y 2y 2n", "P17", "Ann"),
    No("counted", "round add 11 22 33", "D19", "over"),
    No("dice", "round add 71 11 11", "D6", "71"),
    No("dice", "round add 10 11 11", "D6", "10"),
    No("dice", "round add 5 51 51", "D6", "5"),
    No("dice", "round add 3y 4n 3y", "D6", "3y"),
    No("dice", "round add ann:51 ben:51", "D6", "Cai"),
    No("dice", "round add ann:51 51 51", "D6", "names"),
    No("dice", "round add ann:51 zoe:51 cai:51", "D1", "zoe"),
    No("dice", "round add 64 61 52 -L cai", "D13", "Cai's Large objection"),
    No("dice", "round add 64 61 52 -S cai", "D13", "Cai's Small objection"),
    No("dice", "round add 64 61 52 -d 1x13", "D13", "13 dice"),
    No("dice", "round add 64 61 52 -L cai -d 1x15", "D13", "15 dice"),
    No("dice", "round add 64 61 52 -d 11111111111110", "D5", "1 to 6"),
    No("dice", "round add 64 61 52 -d 11111111111117", "D5", "1 to 6"),
    No("dice", "round add 64 61 52 -L cai -L ann -d 1x14", "D9", "large-stick"),
    No("dice", "round add 64 61 52 -S cai --small-stick cai -d 1x14", "D9", "small-stick"),
    No("dice", "round add 64 61 52 -L zoe -d 1x14", "D9", "zoe"),
]

OPTIONS = [
    No("poll", "round add 3y3y3y --pollster zoe", "P4", "zoe"),
    No("poll", "round add 3y3y3y --pollster ann --pollster ben", "P4", "pollster"),
    No("poll", "round add 3y3y3y -p ann=chip -p ann=chip", "P18", "Ann"),
    No("poll", "round add 3y3y3y -p ann=fish", "P18", "fish"),
    No("poll", "round add 3y3y3y -p ann", "P18", "ann"),
    No("poll", "round add 3y3y3y -p zoe=chip", "P1", "zoe"),
    No("poll", "round add 3y3y3y --source shelf", "P5", "shelf"),
    No("poll", "round add 3y3y3y --source choice", "P5", "category"),
    No("poll", "round add 3y3y3y --category Sports", "P5", "Sports"),
    No("poll", "round add 3y3y3y --category Money --source card", "P5", "category"),
    No("poll", "round add 3y3y3y --ruling ann=+1", None, "reason"),
    No("poll", "round add 3y3y3y --ruling ann=1:x", None, "+1"),
    No("poll", "round add 3y3y3y --ruling zoe=+1:x", "P1", "zoe"),
    No("poll", "round add 3y3y3y --at 25:00", None, "25:00"),
    No("poll", "round add 3y3y3y --at yesterday", None, "yesterday"),
    No("poll", "round add 3y3y3y --expect-round 2", None, "1"),
    No("round", "round add 3y3y3y --expect-round 1", None, "2"),
    No("dice", "round add 11 11 11 --recasts 101", None, "100"),
    No("dice", "round add 11 11 11 --override start=5", "D16", "majority"),
    No("dice", "round add 11 11 11 --override rounds=5", "D16", "majority"),
    No("dice", "round add 11 11 11 --override majority=101", "D8", "100"),
    No("dice", "round add 11 11 11 --override need_two=2", "D12", "need_one"),
    No("dice", "round add 11 11 11 --override majority=2 --override majority=3", "D8", "twice"),
    No("dice", "round add 11 11 11 --ruling zoe=+1:x", "D1", "zoe"),
    No("dice", "round add 11 11 11 --chairperson zoe", "D4", "zoe"),
]

CORRECTIONS = [
    No("poll", "undo", None, "nothing to undo"),
    No("poll", "redo", None, "nothing to redo"),
    No("round", "redo", None, "nothing to redo"),
    No("poll", "penalty ann=chip", None, "no round"),
    No("poll", "ruling ann=+1:x", None, "no round"),
    No("poll", "void 1", None, "entry 1"),
    No("poll", "void 2", None, "entry 2"),
    No("poll", "round void 1", None, "round 1"),
    No("poll", "round amend 1 3y3y3y", None, "round 1"),
    No("poll", "round show 1", None, "round 1"),
    No("round", "round void 7", None, "round 7"),
    No("round", "round amend 7 ann:3y", None, "round 7"),
    No("round", "penalty ann=chip --round 7", None, "round 7"),
    No("round", "ruling ann=+1:x --round 7", None, "round 7"),
    No("round", "standings --round 7", None, "round 7"),
    No("round", "explain --round 7", None, "round 7"),
    No("round", "explain --player zoe", "P1", "zoe"),
    No("cast", "explain --player zoe", "D1", "zoe"),
    No("round", "penalty zoe=chip", "P1", "zoe"),
    No("round", "penalty ann=fish", "P18", "fish"),
    No("round", "penalty ann", "P18", "ann"),
    No("cast", "penalty ann=chip", None, "Dice Democracy"),
    No("round", "ruling ann=+1", None, "reason"),
    No("round", "ruling ann=+1:x --reason y", None, "reason"),
    No("round", "ruling ann=1 --reason x", None, "+1"),
    No("round", "ruling zoe=+1:x", "P1", "zoe"),
    No("cast", "ruling zoe=+1:x", "D1", "zoe"),
    No("round", "round amend 1", None, "nothing to amend"),
    No("round", "round amend 1 9y2y3n", "P6", "9"),
    No("round", "round amend 1 ann:y", "P6", "Ann"),
    No("round", "round amend 1 ann:2y ann:2n", "P7", "Ann"),
    No("round", "round amend 1 ann:2y --force --source choice", "P5", "category"),
    No("round", "round amend 1 --clear note", None, "note"),
    No("round", "round amend 1 --clear nosuch", None, "question"),
    No("round", "round amend 1 --clear ballots", None, "ballots"),
    No("round", "round amend 1 --clear pollster", None, "pollster"),
    No("cast", "round amend 1 -L cai --force", "D13", "dice"),
]

OPENINGS = [
    No("nothing", "new chess Ann Ben", None, "poll-game"),
    No("nothing", "new '' Ann Ben", None, "poll-game"),
    No("nothing", "new poll Ann", "P1", "2 to 8"),
    No("nothing", "new poll A B C D E F G H I", "P1", "2 to 8"),
    No("nothing", "new dice Ann Ben", "D1", "3 to 6"),
    No("nothing", "new dice A B C D E F G", "D1", "3 to 6"),
    No("nothing", "new poll Ann Ben ann", "P1", "ann"),
    No("nothing", "new poll Jos\u00e9 Jose\u0301", "P1", "one name"),
    No("nothing", "new poll Ann \uff21nn", "P1", "one name"),
    No("nothing", "new dice Ann Ben Ann", "D1", "Ann"),
    No("nothing", "new poll Ann Ben --first Cai", "P4", "Cai"),
    No("nothing", "new dice Ann Ben Cai --first zoe", "D4", "zoe"),
    No("nothing", "new poll Ann Ben --rule nosuch=1", None, "tiebreak"),
    No("nothing", "new poll Ann Ben --rule start=3", None, "tiebreak"),
    No("nothing", "new dice Ann Ben Cai --rule spaces=3", None, "need_one"),
    No("nothing", "new poll Ann Ben --rule spaces", None, "spaces"),
    No("nothing", "new poll Ann Ben --rule spaces=0", "P2", "1 to 100"),
    No("nothing", "new poll Ann Ben --rule spaces=101", "P2", "1 to 100"),
    No("nothing", "new poll Ann Ben --rule spaces=4 --rule spaces=4", "P2", "twice"),
    No("nothing", "new poll Ann Ben --rule tiebreak=coin", "P16", "knockout"),
    No("nothing", "new poll Ann Ben Cai --rule paths=1", "P3", "paths"),
    No("nothing", "new dice Ann Ben Cai --rule need_two=2", "D12", "need_one"),
    No("poll", "new poll Ann Ben -o game.toml", None, "game.toml"),
    No("poll", "new dice --like game.toml", None, "Poll Game"),
    No("poll", "new dice Ann Ben Cai --like game.toml", None, "Poll Game"),
]


def brief(answer: Answer) -> bool:
    """Whether it was told in a few short lines, without a traceback."""
    lines = answer.err.splitlines()
    short = 1 <= len(lines) <= 3 and max(map(len, lines)) <= ROW
    return short and lines[0].startswith("pollctl: ") and "Traceback" not in answer.err


@pytest.mark.parametrize(
    "case", ROUNDS + OPTIONS + CORRECTIONS + OPENINGS, ids=lambda case: f"{case.scene}: {case.line}"
)
def test_refused(pollctl: Pollctl, room: Path, case: No) -> None:
    """What can't be is refused under its clause, in one line and as JSON; nothing is written."""
    begin(pollctl, case.scene)
    before = snapshot(room)
    answer = pollctl(*split(case.line), "--json")
    assert answer.status == 1
    assert brief(answer), answer.err[:400]
    assert snapshot(room) == before
    text = answer.json["text"]
    assert answer.json == {"schema": "pollctl.refused/1", "rule": case.rule, "text": text}
    assert case.word in text
    assert text in answer.err
    reading = {"show", "standings", "explain"} & set(split(case.line))
    assert ("Nothing was written." in answer.err) == (not reading)
    assert case.rule is None or f"({case.rule})" in answer.err


VALUES = {
    "text": "x",
    "word": "card",
    "player": "ann",
    "number": "1",
    "dice": "1x14",
    "moves": "ann=chip",
    "rulings": "ann=+1:x",
    "settings": "majority=2",
}
SHARED = ("--note", "--ruling")
FOREIGN = [
    (scene, game.title, f"{field.flag}={VALUES[field.kind]}")
    for scene, game in (("round", find("poll")), ("cast", find("dice")))
    for other in catalogue().values()
    for field in other.fields
    if other is not game and field.kind != "ballots" and field.flag not in SHARED
]


@pytest.mark.parametrize(("scene", "title", "option"), FOREIGN)
def test_an_option_of_the_other_game(
    pollctl: Pollctl, room: Path, scene: str, title: str, option: str
) -> None:
    """Every option that only the other game has is refused, and this game is named."""
    begin(pollctl, scene)
    before = snapshot(room)
    for command in (SCENES[scene][-1], "round amend 1"):
        answer = pollctl(*command.split(), option)
        assert answer.status == 1
        assert brief(answer), answer.err[:400]
        assert title in answer.err
    assert snapshot(room) == before


class Place(NamedTuple):
    """Where a number is typed, and a digit that is right there."""

    scene: str
    line: str
    digit: str


PLACES = [
    Place("round", "round add 2y2y3n --expect-round {}", "2"),
    Place("round", "round add {}y 2y 3n", "2"),
    Place("round", "round show {}", "1"),
    Place("round", "round amend {} ann:3y", "1"),
    Place("round", "round void {}", "1"),
    Place("round", "void {}", "2"),
    Place("round", "penalty ann=chip --round {}", "1"),
    Place("round", "ruling ann=+1:x --round {}", "1"),
    Place("round", "ruling ann=+{}:x", "1"),
    Place("round", "standings --round {}", "1"),
    Place("round", "explain --round {}", "1"),
    Place("round", "round add 2y2y3n --at 2{}:04", "0"),
    Place("cast", "round add 11 22 33 --recasts {}", "1"),
    Place("cast", "round add 11 22 33 --override majority={}", "2"),
    Place("cast", "round add 11 22 33 -d 1x1{}", "4"),
    Place("cast", "round add {}1 22 33", "1"),
    Place("nothing", "new poll Ann Ben --rule spaces={}", "9"),
]


def misspelt(digit: str) -> dict[str, str]:
    """A digit in all the ways in which a number is not written."""
    return {
        "underscore": f"0_{digit}",
        "sign": f"+{digit}",
        "arabic": chr(ord("\u0660") + int(digit)),
        "fullwidth": chr(ord("\uff10") + int(digit)),
        "fraction": f"{digit}.0",
        "5000 digits": digit * 5000,
    }


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.line)
def test_a_number_is_plain(pollctl: Pollctl, room: Path, place: Place) -> None:
    """Wherever a number is typed it has ASCII digits only, no sign it does not need, no length."""
    begin(pollctl, place.scene)
    wrong = {}
    for kind, text in misspelt(place.digit).items():
        before = snapshot(room)
        answer = pollctl(*split(place.line.format(text)))
        refused = answer.status in (1, 2) and snapshot(room) == before
        if not refused or not brief(answer):
            wrong[kind] = "told at length" if refused else "accepted"
    assert wrong == {}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.line)
def test_a_plain_number_is_taken(pollctl: Pollctl, place: Place) -> None:
    """The same lines with their plain digit are done, so that only the number was refused."""
    begin(pollctl, place.scene)
    done(pollctl, place.line.format(place.digit))
