"""Decks: cards of a game, each held to what may stand on one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pollctl.deck_files import FORMS, ID, Faulty, Leaf, Source
from pollctl.game import Field, Game, card_fields, check_settings, defaults
from pollctl.model import Fault, Fields, Refused, State
from pollctl.notation import read_word
from pollctl.text import brief, check_sentence, listing, width

Result = TypeVar("Result")

HEAD = ("title", "game")
"""What a file may say of its deck beside the cards."""

WIDEST = 32
"""Columns that an id may take."""

MOST = 5
"""Further lines with a fault that a refusal names."""


class Card(NamedTuple):
    """A card of a deck."""

    id: str
    """As given, or else its place in the deck, from 1."""
    fields: Fields
    """What stands on it."""


class Deck(NamedTuple):
    """Cards of one game, each with an id of its own."""

    title: str
    """As the file has it, or else the file's name without its ending."""
    game: Game
    cards: tuple[Card, ...]


def read_deck(name: str, text: str, choose: Callable[[str | None], Game]) -> Deck:
    """The deck in a file of this name; raises Refused with the file, the line and the fault.

    `choose` says which game it is of, from the one that the file names, if it does.
    """
    stem, _, form = name.rpartition("/")[2].rpartition(".")
    read = FORMS.get(form.casefold())
    if read is None:
        endings = listing([f".{each}" for each in FORMS], "or")
        raise Refused("", f"the name of a deck's file ends in {endings}, unlike {brief(name)}")
    try:
        source = read(text.removeprefix("\ufeff"))
        _check_head(source)
        game = _headed(source, "game", choose)
        title = _headed(source, "title", lambda title: _sentence(title or stem, "title"))
        return Deck(title, game, tuple(_cards(game, source.leaves(game))))
    except Faulty as fault:
        raise Refused(fault.rule, f"{name}, line {fault.line}: {fault.text}") from None


def _check_head(source: Source) -> None:
    for key in source.head:
        if key not in HEAD:
            raise Faulty(source.line_of(key), "", f"a deck has {listing(HEAD)}, not {brief(key)}")


def _headed(source: Source, key: str, read: Callable[[Any], Result]) -> Result:
    """What the file says under a key of its head; raises Faulty where it can't be so."""
    value = source.head.get(key)
    try:
        return read(value if value is None else _sentence(value, key))
    except Refused as fault:
        raise Faulty(source.line_of(key), fault.rule, fault.text) from None


def _cards(game: Game, leaves: Sequence[Leaf]) -> Iterator[Card]:
    """Every card; raises Faulty once all are read, where any has a fault."""
    lines: dict[str, int] = {}
    faults: list[Faulty] = []
    for place, leaf in enumerate(leaves, 1):
        try:
            card = read_card(game, leaf.read(), place)
            _check_single(card, lines)
        except Refused as fault:
            faults.append(Faulty(leaf.line, fault.rule, fault.text))
        else:
            lines[card.id] = leaf.line
            yield card
    if not leaves:
        raise Faulty(1, "", "there is no card in it")
    if faults:
        raise _together(faults)


def _check_single(card: Card, lines: Mapping[str, int]) -> None:
    if card.id in lines:
        raise Refused("", f"the id {brief(card.id)} is that of the card on line {lines[card.id]}")


def _together(faults: Sequence[Faulty]) -> Faulty:
    """The first fault, and on which other lines there are some."""
    first, *others = faults
    lines = [f"line {each.line}" for each in others[:MOST]]
    lines += [f"{len(others) - MOST} more"] if len(others) > MOST else []
    also = f"; look at {listing(lines)} too" if lines else ""
    return Faulty(first.line, first.rule, f"{first.text}{also}")


def read_card(game: Game, values: Mapping[str, Any], place: int) -> Card:
    """A card from the values of its id and its fields; raises Refused where it can't be one.

    Its place, from 1, is the id of one that has none.
    """
    known = card_fields(game)
    for name in values:
        if name not in (ID, *known):
            have = listing([ID, *known], "or")
            raise Refused("", f"what stands on a card is {have}, not {brief(name)}")
    fields = {n: _value(game, known[n], values[n]) for n in known if n in values}
    for fault in game.guide().cards.check(fields):
        raise Refused(*fault)
    given = values.get(ID, place)
    name = _sentence(str(given) if type(given) is int else given, ID)
    if width(name) > WIDEST:
        raise Refused("", f"the id {brief(name)} is wider than {WIDEST} columns")
    return Card(name, fields)


def _value(game: Game, field: Field, value: Any) -> Any:
    """The value of a field in the log's form; raises Refused."""
    if field.kind == "settings":
        for fault in _unfit(game, field, value):
            raise Refused(*fault)
        return value
    if field.kind == "texts":
        if type(value) is not list or not 0 < len(value) <= field.high:
            raise Refused(field.rule, f"{field.name} are a list of 1 to {field.high} texts")
        return [_sentence(each, field.option) for each in value]
    text = _sentence(value, field.name)
    return read_word(text, field.words, field.name, field.rule) if field.words else text


def _unfit(game: Game, field: Field, value: Any) -> Iterator[Fault]:
    """Why a card can't set these rules for its round, the others being as they come."""
    if type(value) is not dict or not value:
        yield Fault(field.rule, f"{field.name} is a table of rules with their values")
    else:
        yield from check_settings(game, value, field.rule)
        yield from game.oppose({**defaults(game), **value}, State((), {}))


def _sentence(value: Any, what: str) -> str:
    """A text in the log's form, without blanks around it; raises Refused."""
    if type(value) is not str:
        raise Refused("", f"the {what} is a text, not {brief(str(value))}")
    return check_sentence(value.strip(), what)
