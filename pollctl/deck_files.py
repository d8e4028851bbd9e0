"""The four forms of a deck file: which cards stand in it, and on which line each begins."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pollctl.game import Game, card_fields
from pollctl.model import Refused
from pollctl.notation import read_settings
from pollctl.text import brief, several, shown

ID = "id"
"""The key of a card's id, beside the fields of its game's cards."""


class Leaf(NamedTuple):
    """A card as it stands in a file."""

    line: int
    """On which it begins, from 1."""
    read: Callable[[], Mapping[str, Any]]
    """Its id and its fields, unchecked; raises Refused."""


class Source(NamedTuple):
    """A deck file as far as its form goes."""

    leaves: Callable[[Game], Sequence[Leaf]]
    """Its cards, of this game; raises Faulty."""
    head: Mapping[str, Any] = {}
    """What stands beside them."""
    line_of: Callable[[str], int] = lambda _key: 1
    """The line of a key of the head."""


class Faulty(Refused):
    """Something is wrong on one line of a deck file."""

    def __init__(self, line: int, rule: str, text: str) -> None:
        """Keep the line, from 1."""
        super().__init__(rule, text)
        self.line = line


def read_lines(text: str) -> Source:
    """Plain text: a card a line; what begins with # is a comment."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    cards = [(number, line) for number, line in lines if line and not line.startswith("#")]

    def read(game: Game, line: str) -> Mapping[str, Any]:
        return _typed(game, game.guide().cards.read(line))

    return Source(lambda game: [Leaf(number, partial(read, game, line)) for number, line in cards])


def read_csv(text: str) -> Source:
    """CSV: a head, then a card a row; in a cell bars part texts, semicolons settings."""
    from pollctl import sheet

    def leaves(game: Game) -> list[Leaf]:
        names = [ID, *card_fields(game)]
        lacking = f"the first row names the columns: {', '.join(names)}"
        try:
            head, *rows = sheet.read_table(text, names, lacking)
            columns = sheet.columns(head, names)
        except Refused as fault:
            raise Faulty(1, fault.rule, fault.text) from None

        def read(row: sheet.Row) -> Mapping[str, Any]:
            return _typed(game, _parted(game, sheet.named(row, columns)))

        return [Leaf(row.line, partial(read, row)) for row in rows]

    return Source(leaves)


def read_toml(text: str) -> Source:
    """TOML: `title` and `game`, then a table `[[card]]` for each card."""
    from rtoml import loads

    try:
        head = loads(text)
    except (ValueError, RecursionError) as error:
        said, _, place = str(error).partition(" at line ")
        line = re.match("[0-9]+", place)
        raise Faulty(int(line[0]) if line else 1, "", f"this is no TOML: {shown(said)}") from None
    cards, lines = head.pop("card", []), _headers(text)
    line_of = partial(_line_of, text)
    if type(cards) is not list or len(cards) != len(lines):
        each = "each card is a table of its own, under a line [[card]]"
        raise Faulty(line_of("card"), "", each)
    leaves = [Leaf(line, partial(_table, card)) for line, card in zip(lines, cards, strict=True)]
    return Source(lambda _game: leaves, head, line_of)


def read_json(text: str) -> Source:
    """JSON: an object with `title`, `game` and the list `cards`, or that list alone."""
    import json

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        said = str(getattr(error, "msg", error))
        raise Faulty(getattr(error, "lineno", 1), "", f"this is no JSON: {said}") from None
    top = _first(text)
    places = {"cards": top}
    head: Mapping[str, Any] = {}
    if type(document) is dict:
        members = list(_inside(text, top))
        places = {str(k): at for (_, k), (at, _) in zip(members[::2], members[1::2], strict=True)}
        head = {key: value for key, value in document.items() if key != "cards"}
        document = document.get("cards")
    if type(document) is not list:
        line = _line(text, places.get("cards", top))
        raise Faulty(line, "", "a deck is a list of cards, or an object whose cards are one")
    cards = [(_line(text, at), card) for at, card in _inside(text, places["cards"])]
    leaves = [Leaf(line, partial(_table, card)) for line, card in cards]
    return Source(lambda _game: leaves, head, lambda key: _line(text, places[key]))


FORMS: Mapping[str, Callable[[str], Source]] = {
    "toml": read_toml,
    "txt": read_lines,
    "csv": read_csv,
    "json": read_json,
}
"""How a file is read, by what its name ends in."""


def _typed(game: Game, texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The values of a card's fields from the texts that are typed for them."""
    known, found = card_fields(game), dict[str, Any]()
    for name, typed in texts.items():
        kind = known[name].kind if name in known else "text"
        if kind == "settings":
            keys = [key for key in game.keys if key.overridable]
            found[name] = read_settings(typed, keys, known[name].rule)
        else:
            found[name] = list(typed) if kind == "texts" else typed[0]
    return found


def _parted(game: Game, cells: Mapping[str, str]) -> dict[str, list[str]]:
    """The texts in each cell."""
    marks = {"texts": "|", "settings": ";"}
    known = card_fields(game)
    kinds = {name: known[name].kind if name in known else "" for name in cells}
    return {
        name: several(cell, marks[kinds[name]]) if kinds[name] in marks else [cell]
        for name, cell in cells.items()
    }


def _table(card: Any) -> Mapping[str, Any]:
    """The keys and values of a card; raises Refused where it has none."""
    if type(card) is not dict:
        raise Refused("", f"a card has keys and values, unlike {brief(str(card))}")
    return card


_HEADER = r"""\s*\[\[\s*(?:card|"card"|'card')\s*\]\]"""


def _headers(text: str) -> list[int]:
    """The lines on which the tables `[[card]]` begin.

    A line that looks like a header is one where all since the header before is TOML by itself; in
    a string or a list of several lines, it would not be.
    """
    lines, begin, found = text.split("\n"), 0, []
    for place, line in enumerate(lines):
        if re.match(_HEADER, line) and _whole("\n".join(lines[begin:place])) is not None:
            begin = place
            found.append(place + 1)
    return found


def _line_of(text: str, key: str) -> int:
    """The line on which a key of a TOML document is complete."""
    lines = text.split("\n")
    ends = range(1, len(lines) + 1)
    return next((end for end in ends if key in (_whole("\n".join(lines[:end])) or ())), 1)


def _whole(text: str) -> dict[str, Any] | None:
    """A TOML document; None where the text is none."""
    from rtoml import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


_BLANKS = re.compile(r"[ \t\r\n,:]*")


def _first(text: str, place: int = 0) -> int:
    """The place of the next value of a JSON document, or of a closing bracket."""
    match = _BLANKS.match(text, place)
    return match.end() if match else place


def _inside(text: str, place: int) -> Iterator[tuple[int, Any]]:
    """What stands in the JSON list or object that begins at this place, each with its own.

    The keys and values of an object follow one another.
    """
    from json import JSONDecoder

    decoder = JSONDecoder()
    place = _first(text, place + 1)
    while text[place] not in "]}":
        value, end = decoder.raw_decode(text, place)
        yield place, value
        place = _first(text, end)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
