"""The notation of dice, times, moves, rulings and rules: what may be typed, and what it means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.game import Game, Key
from pollctl.games import catalogue, find
from pollctl.model import Refused
from pollctl.notation import read_dice, read_move, read_ruling, read_settings, read_time

SEATS = ("Ann", "Ben", "Cai")
NOW = datetime(2026, 11, 30, 21, 7, 9, tzinfo=timezone(timedelta(hours=1)))
MANY = "1" * 5000


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("4445 5531", "13444555"),
        ("44455531", "13444555"),
        ("4 4 4,5,5 5 3 1", "13444555"),
        ("1x2,3x4,6x8", "11333366666666"),
        ("1x2 3x4 6x8", "11333366666666"),
        ("6x8, 1x2, 3x4", "11333366666666"),
        ("1x1,1x1,2x0", "11"),
        ("5x14", "5" * 14),
        ("6", "6"),
    ],
)
def test_dice_are_read(typed: str, meaning: str) -> None:
    """Dice may be typed as they lie, or counted; they are kept sorted."""
    assert read_dice(typed) == meaning


@pytest.mark.parametrize(
    "typed",
    [
        *("", " ", "0", "7", "1230", "1234567", "12a", "1.2", "-1", "1_2", "\u0661\u0662"),
        *("1x", "x2", "1xx2", "0x1", "7x2", "1x2,33", "1x-2", "1x+2", "1x1_0", "1x\u0662", "1x0"),
        f"1x{MANY}",
    ],
)
def test_dice_that_are_refused(typed: str) -> None:
    """What is no face from 1 to 6 and no count is refused under D5, briefly."""
    with pytest.raises(Refused) as caught:
        read_dice(typed, "D5")
    assert caught.value.rule == "D5"
    assert len(caught.value.text) < 200


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.text("123456", min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_dice_read_the_same_however_they_lie(faces: str, chance: Random) -> None:
    """Order, blanks and commas change nothing, nor does counting the dice."""
    lying = list(faces)
    chance.shuffle(lying)
    scattered = "".join(face + chance.choice(["", " ", ",", ", "]) for face in lying)
    counted = [f"{face}x{faces.count(face)}" for face in set(faces)]
    for typed in (scattered, ",".join(counted), " ".join(counted)):
        assert read_dice(typed) == "".join(sorted(faces))


def local(*time: int) -> datetime:
    """A time of this machine's clock."""
    return datetime(*time).astimezone()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("20:04", NOW.replace(hour=20, minute=4, second=0)),
        ("9:30", NOW.replace(hour=9, minute=30, second=0)),
        ("00:00", NOW.replace(hour=0, minute=0, second=0)),
        ("23:59", NOW.replace(hour=23, minute=59, second=0)),
        ("2026-11-29T20:04", local(2026, 11, 29, 20, 4)),
        ("2026-11-29 20:04:11", local(2026, 11, 29, 20, 4, 11)),
        ("2026-11-29", local(2026, 11, 29)),
        ("2026-11-30T20:04:11+01:00", NOW.replace(hour=20, minute=4, second=11)),
        ("2026-11-30T20:04:11.987+01:00", NOW.replace(hour=20, minute=4, second=11)),
        ("2026-11-30T20:04:11Z", datetime(2026, 11, 30, 20, 4, 11, tzinfo=UTC)),
    ],
)
def test_a_time_is_read(typed: str, meaning: datetime) -> None:
    """HH:MM is of today, ISO 8601 of its day, both with an offset and in whole seconds."""
    at = read_time(typed, NOW)
    assert (at, at.utcoffset(), at.microsecond) == (meaning, meaning.utcoffset(), 0)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "now", "8", "24:00", "20:60", "20.04", "+20:04", "2_0:04", "2026-13-01", MANY),
        *("2026-02-30T10:00", "2026-11-30T25:00", "2026-11-30T20:04+01:00:30"),
        *("\u0662\u0660:\u0660\u0664", "\u0662\u0660\u0662\u0666-11-30"),
        *("9999-12-31T23:59-23:00", "0001-01-01T00:00+23:00"),
    ],
)
def test_times_that_are_refused(typed: str) -> None:
    """What is no time, or can't be written with its offset, is refused with both forms."""
    with pytest.raises(Refused, match="20:04"):
        read_time(typed, NOW)


POLL = find("poll")
PENALTIES = next(field for field in POLL.fields if field.kind == "moves")


@pytest.mark.parametrize(
    ("typed", "player", "kind"),
    [
        ("Ann=chip", "Ann", "chip"),
        ("ben=ANSWER", "Ben", "answer"),
        ("c=c", "Cai", "chip"),
        (" ann = answer ", "Ann", "answer"),
    ],
)
def test_a_penalty_is_read(typed: str, player: str, kind: str) -> None:
    """A penalty is a player and one of its words, in any case."""
    assert read_move(typed, PENALTIES, POLL, SEATS) == {"player": player, "kind": kind}


@pytest.mark.parametrize(
    "typed", ["ann", "ann=", "ann=fish", "ann:chip", "ann=chip,answer", "=chip"]
)
def test_penalties_that_are_refused(typed: str) -> None:
    """A penalty without a player or of no known kind is refused under a clause."""
    with pytest.raises(Refused) as caught:
        read_move(typed, PENALTIES, POLL, SEATS)
    assert caught.value.rule in ("P18", "P1")


@pytest.mark.parametrize(
    ("typed", "reason", "meaning"),
    [
        ("ann=+1:why", None, ("Ann", 1, "why")),
        ("ben=-2: moved twice ", None, ("Ben", -2, "moved twice")),
        ("cai=+1:10:30, too late", None, ("Cai", 1, "10:30, too late")),
        ("ann=+10", "why not", ("Ann", 10, "why not")),
        ("ANN=-3:O'Neil said = yes", None, ("Ann", -3, "O'Neil said = yes")),
    ],
)
def test_a_ruling_is_read(typed: str, reason: str | None, meaning: tuple[str, int, str]) -> None:
    """A ruling is a player, a number with its sign, and a reason after a colon or beside it."""
    ruling = read_ruling(typed, POLL, SEATS, reason)
    assert (ruling["player"], ruling["change"], ruling["reason"]) == meaning


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("ann=+1", None), ("ann=+1:", None), ("ann=+1: ", None), ("ann", "x"), ("ann:+1", "x")]
    + [("ann=+1:x", "y"), ("ann=+1", ""), ("zoe=+1:x", None), ("=+1:x", None)]
    + [(f"ann={number}:x", None) for number in ("", "1", "+", "-", "++1", "+-1", "+1_0", "+1.5")]
    + [(f"ann={number}:x", None) for number in ("+\u0661", "+1e3", "+0x1", f"+{MANY}", "one")],
)
def test_rulings_that_are_refused(typed: str, reason: str | None) -> None:
    """A ruling without its sign, with another number, or with no or two reasons is refused."""
    with pytest.raises(Refused) as caught:
        read_ruling(typed, POLL, SEATS, reason)
    assert len(caught.value.text) < 200


KEYS = [(game, key) for game in catalogue().values() for key in game.keys]


@pytest.mark.parametrize(("game", "key"), KEYS, ids=[key.name for _, key in KEYS])
def test_every_rule_key_is_held_to_its_bounds(game: Game, key: Key) -> None:
    """Every key takes its first and last value and refuses what lies beyond, saying its range."""
    good = key.words or (key.low, key.high)
    for value in good:
        assert read_settings([f"{key.name}={value}"], game.keys) == {key.name: value}
    bad = ["", "x", "-1", f"+{good[0]}", "1_0", "\u0661", "1.0", MANY]
    for text in bad if key.words else [*bad, str(key.high + 1), *[str(key.low - 1)][: key.low]]:
        with pytest.raises(Refused) as caught:
            read_settings([f"{key.name}={text}"], game.keys)
        assert caught.value.rule == key.rule
        assert all(str(value) in caught.value.text for value in good)


@pytest.mark.parametrize("game", catalogue().values(), ids=list(catalogue()))
@pytest.mark.parametrize("typed", ["nosuch=1", "=1", "1", "", "SPACES", "start:3"])
def test_an_unknown_rule_key_is_refused_with_those_there_are(game: Game, typed: str) -> None:
    """A rule that is no key with a value is refused, and every key of the game is named."""
    with pytest.raises(Refused) as caught:
        read_settings([typed], game.keys)
    assert all(key.name in caught.value.text for key in game.keys)


def test_fields_have_names_and_flags_of_their_own() -> None:
    """In no game do two fields share an option, so that no typed option is ambiguous."""
    for game in catalogue().values():
        flags = [field.flag for field in game.fields]
        shorts = [field.short for field in game.fields if field.short]
        assert len(set(flags)) == len(flags)
        assert len(set(shorts)) == len(shorts)
