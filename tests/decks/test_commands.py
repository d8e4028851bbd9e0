"""The commands about decks: which is drawn from, what is in it, of which game it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands import begin, done
from tests.conftest import Answer, Pollctl
from tests.decks import ONE, TWO, deal


def test_the_deck_in_use_is_remembered(pollctl: Pollctl, room: Path) -> None:
    """`deck use` holds for its game in every session, until another or the example is used."""
    deal(pollctl, "poll", ONE)
    assert (room / "state" / "pollctl" / "deck-poll-game").read_text() == f"{room}/deck.txt\n"
    assert "card 1 of deck;" in done(pollctl, "draw").out
    done(pollctl, "new dice Ann Ben Cai -o dice.toml")
    assert " of Wild Cards; 11 of 12 left" in done(pollctl, "draw").out
    done(pollctl, "new poll Ann Ben -o other.toml", "deck use --example")
    assert " of House Party; 49 of 50 left" in done(pollctl, "draw").out
    done(pollctl, "deck use --example", "deck use deck.txt")
    Path("deck.txt").unlink()
    answer = pollctl("deck", "show")
    assert (answer.status, answer.out) == (2, "")
    assert "there is no file deck.txt, the deck in use: pollctl deck use chooses" in answer.err


def test_a_deck_is_shown(pollctl: Pollctl) -> None:
    """`deck show` lists every card, numbers what can be chosen, and marks what was drawn."""
    deal(pollctl, "poll", TWO)
    done(pollctl, "draw")
    assert done(pollctl, "deck show").out == (
        "deck · The Poll Game · 1 card\n\n"
        "x 1  1. “Do you sing?”\n     2. “Do you dance?”\n\n"
        "x marks what was drawn: 1 of 1 card.\n"
    )
    answer = done(pollctl, "deck show --json").json
    assert answer == {
        "schema": "pollctl.deck/1",
        "title": "deck",
        "game": "poll-game",
        "file": "deck.txt",
        "cards": [{"id": "1", "questions": ["Do you sing?", "Do you dance?"], "drawn": True}],
    }


GAMES = {
    ("nothing", "deck.txt"): "a deck of which game? Give --game GAME, or a session",
    ("nothing", "deck.txt --game poll"): "",
    ("nothing", "deck.txt --game dice"): "deck.txt, line 1: a rule card has a name",
    ("nothing", "rules.toml"): "",
    ("poll", "deck.txt"): "",
    ("poll", "rules.toml"): "",
    ("dice", "deck.txt"): "deck.txt, line 1: a rule card has a name",
    ("dice", "deck.txt --game poll"): "",
    ("dice", "rules.toml --game poll"): "line 1: this is a deck of Dice Democracy, not of The Poll",
}
"""A session at hand and a deck, and why it is not known what to read."""


@pytest.mark.parametrize(("scene", "line"), GAMES)
def test_the_game_of_a_deck(scene: str, line: str, pollctl: Pollctl) -> None:
    """A deck is of the game that is asked for, else of its own, else of the session's."""
    begin(pollctl, scene)
    Path("deck.txt").write_text(ONE)
    Path("rules.toml").write_text(
        'game = "dice"\n[[card]]\nname = "A"\ncolour = "green"\ntext = "B"\n'
    )
    for command in ("show", "use"):
        answer = pollctl("deck", command, *line.split())
        said = GAMES[scene, line]
        assert (answer.status != 0) == bool(said)
        assert said in answer.err


def test_a_deck_of_another_game_is_not_drawn_from(pollctl: Pollctl) -> None:
    """A file that names another game than the session's is refused, and nothing written."""
    begin(pollctl, "poll")
    Path("rules.toml").write_text('\ngame = "dice"\n')
    answer = pollctl("draw", "--deck", "rules.toml", "--json")
    assert answer.json["text"].startswith("rules.toml, line 2: this is a deck of Dice Democracy")
    assert answer.err.endswith("Nothing was written.\n")


def test_what_is_no_utf_8_is_named_by_its_line(pollctl: Pollctl) -> None:
    """A file in another encoding is refused with the first line that shows it."""
    begin(pollctl, "poll")
    Path("deck.txt").write_bytes("A?\nB?\nIs it é?\n".encode("latin-1"))
    assert "deck.txt, line 3: this is not UTF-8" in pollctl("deck", "show", "deck.txt").err


def test_the_decks_that_come_with_the_games(pollctl: Pollctl) -> None:
    """Sixty questions and every category; twelve rule cards of both colours, some with rules."""
    questions = done(pollctl, "deck show --game poll --json").json["cards"]
    asked = [text for card in questions for text in card.get("questions", ())]
    assert (len(asked), len(set(asked))) == (60, 60)
    assert {len(card.get("questions", ())) for card in questions} == {0, 1, 2, 3}
    assert all(text.endswith("?") and len(text) <= 80 for text in asked)
    assert len({card["category"] for card in questions if "category" in card}) == 4
    rules = done(pollctl, "deck show --game dice --json").json["cards"]
    assert sorted(card["colour"] for card in rules) == ["green"] * 6 + ["orange"] * 6
    assert 6 <= sum("overrides" in card for card in rules) < 12
    assert len({card["name"] for card in rules}) == 12


def test_a_linked_deck_is_read(pollctl: Pollctl) -> None:
    """A deck may be a symbolic link, which a session may not."""
    deal(pollctl, "poll", ONE)
    Path("link.txt").symlink_to("deck.txt")
    assert done(pollctl, "deck show link.txt").out.startswith("link · The Poll Game · 1 card")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_reading_needs_no_disk_to_write_on(pollctl: Pollctl, room: Path) -> None:
    """`deck show` works where nothing can be written, and `deck use` says that it can't."""
    deal(pollctl, "poll", ONE)
    folders = (room, room / "state" / "pollctl")
    for folder in folders:
        folder.chmod(0o555)
    answers: list[Answer] = [pollctl("deck", "show"), pollctl("deck", "use", "deck.txt")]
    for folder in folders:
        folder.chmod(0o755)
    assert [answer.status for answer in answers] == [0, 6]


def test_a_deck_needs_no_session(pollctl: Pollctl, room: Path) -> None:
    """A current session that is gone keeps nobody from a deck; one that is named does."""
    done(pollctl, "new poll Ann Ben -o gone.toml")
    (room / "gone.toml").unlink()
    (room / "party.txt").write_text("Do you sing?\n", "utf-8")
    line = ("deck", "show", "party.txt", "--game", "poll")
    assert pollctl(*line).status == 0
    assert pollctl(*line, "-s", "gone.toml").status == 2


def test_next_tells_the_card_that_is_drawn(pollctl: Pollctl, room: Path) -> None:
    """While a card is open, `next` shows what stands on it, in words and as JSON."""
    begin(pollctl, "poll")
    (room / "one.txt").write_text("Do you sing?\n", encoding="utf-8")
    assert "card" not in done(pollctl, "next --json").json
    done(pollctl, "draw --deck one.txt")
    assert "Do you sing?" in done(pollctl, "next").out
    card = done(pollctl, "next --json").json["card"]
    assert (card["deck"], card["questions"]) == ("one", ["Do you sing?"])
