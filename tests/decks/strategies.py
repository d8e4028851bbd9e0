"""Decks of both games, and how each form of a deck file is written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from tomli_w import dumps
from wcwidth import wcswidth

from pollctl.decks import Card, Deck
from pollctl.game import Game
from pollctl.games import find
from pollctl.games.poll_game import CATEGORIES
from pollctl.sheet import guarded
from tests.log.strategies import sentences

texts = sentences.map(str.strip)
ids = texts.filter(lambda text: wcswidth(text) <= 32 and not text.isdecimal())
"""Ids that are not taken for a place in the deck."""

poll_card = st.fixed_dictionaries(
    {"questions": st.lists(texts, min_size=1, max_size=3)}
) | st.fixed_dictionaries({"category": st.sampled_from(CATEGORIES)})
dice_card = st.fixed_dictionaries(
    {"name": texts, "colour": st.sampled_from(["green", "orange"]), "text": texts},
    optional={
        "overrides": st.dictionaries(
            st.sampled_from(["majority", "dice", "need_two"]), st.integers(6, 99), min_size=1
        )
    },
)
FACES = {"poll-game": poll_card, "dice-democracy": dice_card}


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """A deck of either game; some of its cards have an id of their own."""
    game = draw(st.sampled_from(sorted(FACES)))
    faces = draw(st.lists(FACES[game], min_size=1, max_size=4))
    size = len(faces)
    own = draw(st.lists(ids, min_size=size, max_size=size, unique=True))
    names = [draw(st.sampled_from([str(place), name])) for place, name in enumerate(own, 1)]
    return Deck(draw(texts), find(game), tuple(map(Card, names, faces)))


class Written(NamedTuple):
    """A deck file, with the line on which each card begins."""

    text: str
    lines: Sequence[int]


def together(head: str, cards: Sequence[str]) -> Written:
    """A file of these parts."""
    ends = [head.count("\n")]
    for card in cards:
        ends.append(ends[-1] + card.count("\n"))
    return Written(head + "".join(cards), [end + 1 for end in ends[:-1]])


def with_id(place: int, card: Card) -> dict[str, Any]:
    """What stands on a card, with its id if that is not its place."""
    return {**({} if card.id == str(place) else {"id": card.id}), **card.fields}


def as_toml(deck: Deck) -> Written:
    """A table for each card."""
    head = dumps({"title": deck.title, "game": deck.game.id})
    cards = [dumps({"card": with_id(*each)}) for each in enumerate(deck.cards, 1)]
    return together(f"{head}\n", [f"[{each.replace(']', ']]', 1)}\n" for each in cards])


def as_json(deck: Deck) -> Written:
    """An object with a list of objects, several lines each."""
    head = json.dumps({"title": deck.title, "game": deck.game.id}, indent=1).rstrip("\n}")
    cards = [json.dumps(with_id(*each), indent=1) for each in enumerate(deck.cards, 1)]
    ends = [",\n"] * (len(cards) - 1) + ["]}\n"]
    parts = [card + end for card, end in zip(cards, ends, strict=True)]
    return together(f'{head},\n"cards": [\n', parts)


def as_csv(deck: Deck) -> Written:
    """A row for each card, under a head."""
    names = ["id", *dict.fromkeys(name for card in deck.cards for name in card.fields)]

    def row(cells: Sequence[str]) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=";", lineterminator="\n").writerow(map(guarded, cells))
        return out.getvalue()

    tables = [
        {name: parted(value) for name, value in with_id(*each).items()}
        for each in enumerate(deck.cards, 1)
    ]
    rows = [row([table.get(name, "") for name in names]) for table in tables]
    return together(row(names), rows)


def as_lines(deck: Deck) -> Written:
    """A line for each card, below a comment."""
    lines = [f"{LINES[deck.game.id](card.fields)}\n" for card in deck.cards]
    return together("# a deck\n\n", lines)


def parted(value: Any) -> str:
    """A value as it stands in one cell."""
    if isinstance(value, list):
        return " | ".join(each.replace("|", "||") for each in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}={setting}" for key, setting in value.items())
    return str(value)


def poll_line(face: Mapping[str, Any]) -> str:
    """`Do you sing? | Do you dance?`, `choice: Money`."""
    return f"choice: {face['category']}" if "category" in face else parted(face["questions"])


def dice_line(face: Mapping[str, Any]) -> str:
    """`Landslide | orange | Majorities pay twice. | majority=2`."""
    texts = parted([face["name"], face["colour"], face["text"]])
    return f"{texts} | {parted(face['overrides'])}" if "overrides" in face else texts


LINES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "poll-game": poll_line,
    "dice-democracy": dice_line,
}
WRITERS = {"toml": as_toml, "json": as_json, "csv": as_csv, "txt": as_lines}


def plain(deck: Deck) -> Deck:
    """What is left of a deck in plain text: no title, no ids, no line that means otherwise."""
    cards = []
    for place, card in enumerate(deck.cards, 1):
        name, *_ = card.fields.get("questions", [card.fields.get("name", "")])
        odd = name.startswith("#") or name.casefold().startswith("choice:")
        instead = {"name": "?"} if "name" in card.fields else {"questions": ["?"]}
        cards.append(Card(str(place), {**card.fields, **instead} if odd else card.fields))
    return Deck("party", deck.game, tuple(cards))


def expected(deck: Deck, form: str) -> Deck:
    """What comes back of a deck from a file party.FORM of this form."""
    if form == "txt":
        return plain(deck)
    return deck._replace(title="party") if form == "csv" else deck


def chosen(game: Game) -> Callable[[str | None], Game]:
    """The game that a file names, else this one."""
    return lambda named: find(named) if named else game
