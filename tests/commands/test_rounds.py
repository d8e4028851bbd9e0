"""Recording rounds: what `round add` takes, says and writes."""

from __future__ import annotations

import os
import pty
from contextlib import contextmanager
from datetime import datetime
from shlex import split
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pollctl import store
from tests.commands import DICE, POLL, SCENES, TIE, done, scores, snapshot, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Pollctl

NOW = datetime.fromisoformat("2026-11-30T21:07:09+01:00")
AT = "2026-11-30T20:04:11+01:00"


def fields(pollctl: Pollctl, number: int = 1) -> dict[str, object]:
    """What is recorded for a round."""
    recorded: dict[str, object] = done(pollctl, f"round show {number} --json").json["fields"]
    return recorded


def test_every_option_of_the_poll_game(pollctl: Pollctl) -> None:
    """All options of The Poll Game are recorded as the session format has them, in any order."""
    line = "round add cai:3n a:2y b:1G -q 'Do you sing?' --source choice --category mon"
    more = "-p cai=answer --penalty c=chip --ruling ann=+1:late --ruling 'ben=-1:sneezed'"
    done(pollctl, POLL, f"{line} {more} --pollster ben --note 'at the window' --at {AT}")
    assert fields(pollctl) == {
        "number": 1,
        "pollster": "Ben",
        "source": "choice",
        "category": "Money",
        "question": "Do you sing?",
        "ballots": [
            {"player": "Ann", "card": 2, "chip": "yes"},
            {"player": "Ben", "card": 1, "chip": "yes"},
            {"player": "Cai", "card": 3, "chip": "no"},
        ],
        "penalties": [{"player": "Cai", "kind": "answer"}, {"player": "Cai", "kind": "chip"}],
        "rulings": [
            {"player": "Ann", "change": 1, "reason": "late"},
            {"player": "Ben", "change": -1, "reason": "sneezed"},
        ],
        "note": "at the window",
    }
    assert done(pollctl, "round show 1 --json").json["at"] == AT


def test_every_option_of_dice_democracy(pollctl: Pollctl) -> None:
    """All options of Dice Democracy are recorded as the session format has them."""
    line = "round add 64 61 52 -L cai -S c -d '4445 5531 1x1' --recasts 2"
    line = line.replace("'4445 5531 1x1'", "1x1,2x2,3x3,4x4,5x3,6x1")
    more = "--rule-card 'Gold Rush' --override majority=2 --override dice=14 --ruling ann=-1:peeked"
    done(pollctl, DICE, f"{line} {more} --chairperson ben --note n --at {AT}")
    assert fields(pollctl) == {
        "number": 1,
        "chairperson": "Ben",
        "ballots": [
            {"player": "Ann", "large": 6, "small": 4},
            {"player": "Ben", "large": 6, "small": 1},
            {"player": "Cai", "large": 5, "small": 2},
        ],
        "large_stick": "Cai",
        "small_stick": "Cai",
        "dice": "12233344445556",
        "recasts": 2,
        "rule_card": "Gold Rush",
        "overrides": {"majority": 2, "dice": 14},
        "rulings": [{"player": "Ann", "change": -1, "reason": "peeked"}],
        "note": "n",
    }


@pytest.mark.parametrize(
    ("game", "short", "long"),
    [
        (POLL, "-q Why? -p ann=chip", "--question Why? --penalty ann=chip"),
        (DICE, "-d 1x14 -L cai -S ben", "--dice 1x14 --large-stick cai --small-stick ben"),
    ],
)
def test_short_options(pollctl: Pollctl, game: str, short: str, long: str) -> None:
    """Each short option is its long one."""
    ballots = "round add 2y2y3n" if game is POLL else "round add 64 61 52"
    done(pollctl, game)
    told = [done(pollctl, f"{ballots} {each} -n -v --at {AT}").out for each in (short, long, "")]
    assert told[0] == told[1]
    assert told[0] != told[2]


def test_what_is_not_given_is_not_recorded(pollctl: Pollctl) -> None:
    """A round has its number, its turn and its ballots, and no field that nobody gave."""
    done(pollctl, POLL, "round add 2y2y3n")
    assert list(fields(pollctl)) == ["number", "pollster", "ballots"]


def test_a_category_means_a_choice_card(pollctl: Pollctl) -> None:
    """A category without a source is of a Pollster's Choice card (P5)."""
    done(pollctl, POLL, "round add 2y2y3n --category food")
    assert (fields(pollctl)["source"], fields(pollctl)["category"]) == ("choice", "Food & Drink")


@pytest.mark.parametrize(
    ("typed", "recorded"),
    [
        ("20:04", "2026-11-30T20:04:00+01:00"),
        ("7:30", "2026-11-30T07:30:00+01:00"),
        ("2026-11-29T23:59:59+02:00", "2026-11-29T23:59:59+02:00"),
        (None, "2026-11-30T21:07:09+01:00"),
    ],
)
def test_the_time(
    pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch, typed: str | None, recorded: str
) -> None:
    """A round is of the time given, of today where only the clock is, and else of now."""
    monkeypatch.setattr(store, "now", lambda: NOW)
    done(pollctl, POLL, "round add 2y2y3n" + (f" --at {typed}" if typed else ""))
    rounds = done(pollctl, "round list --json").json["rounds"]
    assert [each["at"] for each in rounds] == [recorded]
    assert recorded[11:16] in done(pollctl, "round list").out


@pytest.mark.parametrize(
    ("game", "ballots", "turns"),
    [
        (POLL, "2y 2y 3n", ["Ann", "Cai", "Ben", "Ann", "Cai"]),
        (f"{POLL} --first ben", "2y 2y 3n", ["Ben", "Ann", "Cai", "Ben"]),
        (DICE, "64 61 52", ["Ann", "Ben", "Cai", "Ann", "Ben", "Cai"]),
        (f"{DICE} --first cai", "64 61 52", ["Cai", "Ann", "Ben"]),
    ],
)
def test_whose_turn_it_is(pollctl: Pollctl, game: str, ballots: str, turns: list[str]) -> None:
    """The role passes counter-clockwise in The Poll Game, clockwise in Dice Democracy."""
    done(pollctl, game)
    for number, turn in enumerate(turns, start=1):
        due = done(pollctl, "next --json").json
        assert (due["round"], due["player"]) == (number, turn)
        assert turn in done(pollctl, f"round add {ballots}").out.splitlines()[0]


def test_the_turn_counts_from_the_last_round_that_stands(pollctl: Pollctl) -> None:
    """After a turn out of order the role passes on from there, and a void gives it back."""
    answer = done(pollctl, POLL, "round add 2y2y3n", "round add 2y2y3n --pollster ben")
    assert "Cai's turn" in answer.out
    assert "(P4)" in answer.out
    assert done(pollctl, "next --json").json["player"] == "Ann"
    assert done(pollctl, "round void 2", "next --json").json["player"] == "Cai"
    assert done(pollctl, "next --json").json["round"] == 3


@pytest.mark.parametrize(
    ("line", "rule", "word"),
    [
        ("round add 2y2y3n --pollster cai", "P4", "Ann's turn"),
        ("round add 4y2y3n", "P6", "Ann"),
        ("round add 2y2y3n -p ben=chip -p ben=answer", "P18", "Ben"),
    ],
)
def test_what_is_lawful_and_odd_is_a_warning(
    pollctl: Pollctl, line: str, rule: str, word: str
) -> None:
    """An irregular turn, a hopeless card and both penalties are recorded, and named."""
    done(pollctl, POLL)
    warnings = done(pollctl, f"{line} --json").json["warnings"]
    assert [(each["round"], each["rule"]) for each in warnings] == [(1, rule)]
    assert word in warnings[0]["text"]
    assert warnings[0]["text"] in done(pollctl, "undo", line).out


def test_expect_round(pollctl: Pollctl, room: Path) -> None:
    """A script that runs twice with --expect-round records its round once."""
    done(pollctl, POLL, "round add 2y2y3n --expect-round 1")
    before = snapshot(room)
    answer = pollctl("round", "add", "2y2y3n", "--expect-round", "1")
    assert answer.status == 1
    assert "2" in answer.err
    assert snapshot(room) == before
    done(pollctl, "round void 1", "round add 2y2y3n --expect-round 2")


WRITES = [
    "round add 2y2y3n",
    "round amend 1 ann:3y --note x",
    "round void 1 --reason x",
    "void 2",
    "penalty ann=chip",
    "ruling ann=+1:x",
    "undo",
    "redo",
]


@pytest.mark.parametrize("line", WRITES)
def test_a_dry_run_writes_nothing(pollctl: Pollctl, room: Path, line: str) -> None:
    """With --dry-run every command tells what it would do, writes nothing and says that."""
    done(pollctl, POLL, "round add 2y2y3n", "round add 2y1y3n", "undo")
    before = snapshot(room)
    dry = done(pollctl, f"{line} --dry-run")
    asked = done(pollctl, f"{line} -n --json").json
    assert snapshot(room) == before
    assert "nothing was written" in dry.out
    assert "game.toml" in dry.out
    assert (asked["recorded"], asked["receipt"]) == (False, None)
    wet = done(pollctl, f"{line} --json").json
    told = ("event", "round", "entries", "status", "winners", "standings", "warnings")
    assert {key: wet[key] for key in told} == {key: asked[key] for key in told}
    assert wet["recorded"] is True


@pytest.mark.parametrize("line", WRITES)
def test_a_verbose_dry_run_shows_the_very_text(
    pollctl: Pollctl, room: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """The TOML of a dry run is, at the same second, byte for byte what is then written."""
    monkeypatch.setattr(store, "now", lambda: NOW)
    done(pollctl, POLL, "round add 2y2y3n", "round add 2y1y3n", "undo")
    before = (room / "game.toml").read_bytes()
    shown = done(pollctl, f"{line} -n -v").out
    done(pollctl, line)
    written = (room / "game.toml").read_bytes().removeprefix(before).decode()
    assert shown[shown.index("[[event]]") :].strip() == written.strip()


@pytest.mark.parametrize("line", WRITES)
def test_every_write_is_told(pollctl: Pollctl, line: str) -> None:
    """After every write stand the session, the receipt of the log, the standings, who is next."""
    done(pollctl, POLL, "round add 2y2y3n", "round add 2y1y3n", "undo")
    told = done(pollctl, line).out
    standings = done(pollctl, "standings --json").json
    assert "game.toml" in told
    assert standings["receipt"] in told
    assert f"round {standings['next']['round']}, {standings['next']['player']}" in told
    for row in standings["standings"]:
        assert f"{row['rank']}. {row['player']} {row['score']}" in told


@contextmanager
def terminal(*keys: bytes) -> Iterator[int]:
    """A terminal at which these keys have been pressed."""
    master, slave = pty.openpty()
    try:
        for key in keys:
            os.write(master, key)
        yield slave
    finally:
        os.close(slave)
        os.close(master)


class Pressed(NamedTuple):
    """A round typed at a terminal, the keys pressed then, and what comes of it."""

    line: str
    keys: bytes
    status: tuple[int, ...]
    rounds: int


@pytest.mark.parametrize(
    "case",
    [
        Pressed("round add ann:2y ben:2yes cai:3red", b"y\n", (0,), 2),
        Pressed("round add 2y2y3n", b"\n", (1, 130), 1),
        Pressed("round add 2y2y3n", b"\x04", (130,), 1),
        Pressed("round add 2y2y3n --yes", b"", (0,), 2),
        Pressed("round add 2y2y3n -q Why?", b"", (0,), 2),
    ],
    ids=lambda case: f"{case.line} {case.keys}",
)
def test_the_same_round_on_a_terminal(pollctl: Pollctl, process: Pollctl, case: Pressed) -> None:
    """On a terminal the same round within a minute is asked about, another one is not."""
    done(pollctl, POLL, "round add 2y2y3n")
    with terminal(case.keys) as slave:
        answer = process(*split(case.line), stdin=slave, timeout=20)
    assert answer.status in case.status
    assert bool(answer.err) == bool(case.keys)
    assert done(pollctl, "standings --json").json["played"] == case.rounds


def test_the_same_round_after_a_minute(pollctl: Pollctl, process: Pollctl) -> None:
    """A round like the last one is not asked about where they are a minute apart."""
    done(pollctl, POLL, f"round add 2y2y3n --at {AT}")
    with terminal() as slave:
        answer = process("round", "add", "2y2y3n", stdin=slave, timeout=20)
    assert (answer.status, answer.err) == (0, "")


def test_the_same_round_without_a_terminal(pollctl: Pollctl) -> None:
    """Without a terminal the same round is recorded as often as it is given, unasked."""
    answer = done(pollctl, POLL, *["round add 2y2y3n"] * 3)
    assert answer.err == ""
    assert scores(pollctl) == {"Ann": 3, "Ben": 3, "Cai": 0}


def test_no_ballots_without_a_terminal(pollctl: Pollctl, room: Path) -> None:
    """Where nobody can be asked a round without ballots is a usage error that asks for them."""
    done(pollctl, POLL)
    before = snapshot(room)
    answer = pollctl("round", "add")
    assert (answer.status, answer.out) == (2, "")
    assert "ballot" in answer.err
    assert snapshot(room) == before


def test_no_ballots_on_a_terminal(pollctl: Pollctl, process: Pollctl, room: Path) -> None:
    """On a terminal a round without ballots asks for them; the end of input records nothing."""
    done(pollctl, POLL)
    before = snapshot(room)
    with terminal(b"\x04") as slave:
        answer = process("round", "add", stdin=slave, timeout=20)
    assert answer.status == 130
    assert "nothing recorded" in answer.err
    assert snapshot(room) == before


def test_a_tie_break_round(pollctl: Pollctl) -> None:
    """In a tie-break the others give the chip alone, all chips count, and the right one wins."""
    tie = done(pollctl, *TIE).out
    assert "Tie-break" in tie
    assert "Ann and Ben" in tie
    end = done(pollctl, "round add ann:2y ben:1y cai:n").out
    assert "Ann wins" in end
    assert "over" in end


@pytest.mark.parametrize(
    ("scene", "end", "winners"),
    [("won", "Ann wins", ["Ann"]), ("counted", "Ann and Cai share the win", ["Ann", "Cai"])],
)
def test_the_end_is_told(pollctl: Pollctl, scene: str, end: str, winners: list[str]) -> None:
    """When a game ends its winners are told, by every command that says who is next."""
    done(pollctl, *SCENES[scene][:-1])
    for line in (SCENES[scene][-1], "standings", "next"):
        assert end in done(pollctl, line).out
    assert status(pollctl) == ("finished", winners)
