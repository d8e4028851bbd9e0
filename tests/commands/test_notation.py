"""The notation of players and ballots: what may be typed, and what it means."""

from __future__ import annotations

import unicodedata
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pollctl.games import find
from pollctl.model import Refused
from pollctl.notation import find_player, read_ballots
from pollctl.text import check_name, twins

if TYPE_CHECKING:
    from pollctl.game import Game

SEATS = ("Ann", "Ben", "Cai")
GUESTS = ("Ann", "Anna", "Jos\u00e9", "李雷", "O'Neil", "1e5", "nan", "--help", "Mary Ann", "Zo Li")
POLL, DICE = find("poll"), find("dice")
MANY = "1" * 5000

quick = settings(max_examples=60, derandomize=True, deadline=None)


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("Ann", "Ann"),
        ("ann", "Ann"),
        ("ANN", "Ann"),
        ("anna", "Anna"),
        ("Jos\u00e9", "Jos\u00e9"),
        ("Jose\u0301", "Jos\u00e9"),
        ("JOSE\u0301", "Jos\u00e9"),
        ("JO", "Jos\u00e9"),
        ("李雷", "李雷"),
        ("李", "李雷"),
        ("O'Neil", "O'Neil"),
        ("o'n", "O'Neil"),
        ("1e5", "1e5"),
        ("1E5", "1e5"),
        ("1", "1e5"),
        ("\uff11e5", "1e5"),
        ("nan", "nan"),
        ("NaN", "nan"),
        ("n", "nan"),
        ("--help", "--help"),
        ("-", "--help"),
        ("Mary Ann", "Mary Ann"),
        ("mary", "Mary Ann"),
        ("zo l", "Zo Li"),
        (" ann ", "Ann"),
    ],
)
def test_a_player_is_found(typed: str, meaning: str) -> None:
    """A name, or any unique beginning of it in any case and normal form, means its player."""
    assert find_player(typed, GUESTS, "P1") == meaning


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("an", ["Ann", "Anna"]),
        ("A", ["Ann", "Anna"]),
        ("bob", [*GUESTS]),
        ("anne", [*GUESTS]),
        ("annas", [*GUESTS]),
        ("neil", [*GUESTS]),
        ("", [*GUESTS]),
        (" ", [*GUESTS]),
        (MANY, [*GUESTS]),
    ],
)
def test_no_player_is_found(typed: str, words: list[str]) -> None:
    """An ambiguous name is refused with those it may mean, an unknown one with everybody."""
    with pytest.raises(Refused) as caught:
        find_player(typed, GUESTS, "P1")
    assert all(word in caught.value.text for word in words)
    assert len(caught.value.text) < 200
    assert ("Ben" in caught.value.text) == ("Ben" in words)


names = st.text(
    st.sampled_from("aAbéßİǆﬁΣς李e\u0301\u0308 '\"-1|\\.%{}\u00a0\u3000\uff19"), min_size=1
)


@quick
@given(st.lists(names, min_size=1, max_size=5))
@example([" Ann"])
@example(["Ann\u3000"])
def test_an_accepted_name_is_found_by_itself(typed: list[str]) -> None:
    """Whatever name is accepted at the opening, typing it again means its player."""
    try:
        players = [check_name(name, "P1") for name in typed]
    except Refused:
        assume(condition=False)
    assume(twins(players) is None)
    for name, player in zip(typed, players, strict=True):
        assert find_player(name, players, "P1") == player
        assert find_player(unicodedata.normalize("NFD", name), players, "P1") == player


def read(game: Game, typed: str, *, cut: bool = True) -> list[tuple[object, ...]]:
    """Player and ballot of three players, typed as several words or as one."""
    texts = typed.split() if cut else [typed]
    return [tuple(ballot.values()) for ballot in read_ballots(texts, game, SEATS)]


@pytest.mark.parametrize(
    "typed",
    [
        "3y 4n 0y",
        "3y4n0y",
        "3y4n 0y",
        "3Y 4N 0Y",
        "3yes 4no 0Yes",
        "3yes4NO0yes",
        "3g 4r 0g",
        "3g4R0G",
        "3green 4red 0GREEN",
        "3green4red0y",
        "3y,4n,0y",
        "3y, 4n, 0y",
        "Ann:3y Ben:4n Cai:0y",
        "ann:3y ben:4n cai:0y",
        "a:3yes B:4red c:0G",
        "cai:0y ann:3y ben:4n",
    ],
)
@pytest.mark.parametrize("cut", [True, False], ids=["words", "one word"])
def test_ballots_of_the_poll_game(typed: str, *, cut: bool) -> None:
    """Cards and chips read the same in every notation, with and without names and blanks."""
    expected = [("Ann", 3, "yes"), ("Ben", 4, "no"), ("Cai", 0, "yes")]
    assert read(POLL, typed, cut=cut) == expected


@pytest.mark.parametrize("typed", ["2y 2n y", "2y2ny", "2yes2noyes", "c:y a:2y b:2n", "2g2rgreen"])
def test_ballots_of_a_tie_break(typed: str) -> None:
    """A chip alone is a ballot without a card, also where ballots stand close together."""
    assert read(POLL, typed) == [("Ann", 2, "yes"), ("Ben", 2, "no"), ("Cai", "yes")]


@pytest.mark.parametrize(
    "typed",
    [
        "6/4 6/1 5/2",
        "64 61 52",
        "646152",
        "6/46/15/2",
        "64,61,52",
        "a:6/4 b:61 c:5/2",
        "c:52 a:64 b:61",
    ],
)
def test_ballots_of_dice_democracy(typed: str) -> None:
    """Faces read the same in every notation, with and without names, strokes and blanks."""
    assert read(DICE, typed) == [("Ann", 6, 4), ("Ben", 6, 1), ("Cai", 5, 2)]


@pytest.mark.parametrize(
    ("game", "typed", "rule", "word"),
    [
        (POLL, "9y 3y 3y", "P6", "9"),
        (POLL, "10y 3y 3y", "P6", "10"),
        (POLL, f"{MANY}y 3y 3y", "P6", "0 to 8"),
        (POLL, "3 3y 3y", "P7", "3"),
        (POLL, "3x 3y 3y", "P7", "3x"),
        (POLL, "3ye 3y 3y", "P7", "chip"),
        (POLL, "-3y 3y 3y", "P7", "-3y"),
        (POLL, "+3y 3y 3y", "P7", "+3y"),
        (POLL, "0_3y 3y 3y", "P7", "chip"),
        (POLL, "\u0663y 3y 3y", "P7", "chip"),
        (POLL, "3y 3y", "P7", "2 ballots"),
        (POLL, "3y", "P7", "1 ballot is"),
        (POLL, "3y 3y 3y 3y", "P7", "4 ballots"),
        (POLL, "ann:3y 3y 3y", "P7", "names"),
        (POLL, "ann:3y ann:3y cai:3y", "P7", "Ann"),
        (POLL, "ann:3y zoe:3y cai:3y", "P1", "zoe"),
        (POLL, "ann:3y :3y cai:3y", "P1", "Cai"),
        (POLL, "64 61 52", "P7", "chip"),
        (DICE, "74 61 52", "D6", "74"),
        (DICE, "04 61 52", "D6", "04"),
        (DICE, "6 61 52", "D6", "6"),
        (DICE, "6/ 61 52", "D6", "6/"),
        (DICE, "6/4/1 61 52", "D6", "two faces"),
        (DICE, "\u0666\u0664 61 52", "D6", "two faces"),
        (DICE, "64 61", "D6", "2 ballots"),
        (DICE, "ann:64 61 52", "D6", "names"),
        (DICE, "ann:64 ann:61 cai:52", "D6", "Ann"),
        (DICE, "3y 4n 3y", "D6", "3y"),
    ],
)
def test_ballots_that_are_refused(game: Game, typed: str, rule: str, word: str) -> None:
    """A ballot that can't be is refused under its clause, in words that name what is wrong."""
    with pytest.raises(Refused) as caught:
        read_ballots(typed.split(), game, SEATS)
    assert caught.value.rule == rule
    assert word in caught.value.text
    assert len(caught.value.text) < 200


CARDS = [{"card": n, "chip": chip} for n in range(9) for chip in ("yes", "no")]
CHIPS = [{"chip": chip} for chip in ("yes", "no")]
DIALS = [{"large": large, "small": small} for large in range(1, 7) for small in range(1, 7)]


@pytest.mark.parametrize(
    ("game", "ballots"), [(POLL, CARDS + CHIPS), (DICE, DIALS)], ids=["poll", "dice"]
)
def test_a_shown_ballot_reads_back(game: Game, ballots: list[dict[str, object]]) -> None:
    """What is shown of any ballot, read again, is that ballot, alone and in a row of others."""
    for ballot in ballots:
        assert game.ballot.read(game.ballot.show(ballot)) == ballot
    row = "".join(game.ballot.show(ballot) for ballot in ballots)
    seats = [str(place) for place in range(len(ballots))]
    back = read_ballots([row], game, seats)
    assert back == [{"player": p, **b} for p, b in zip(seats, ballots, strict=True)]


@pytest.mark.parametrize("names", [*permutations(["Ann", "Anna", "An"])])
def test_an_exact_name_beats_a_longer_one(names: tuple[str, ...]) -> None:
    """A name that begins others is still meant when typed whole, whoever sits first."""
    for name in names:
        assert find_player(name.upper(), names, "P1") == name
