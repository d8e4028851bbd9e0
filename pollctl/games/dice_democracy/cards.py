"""Dice Democracy's rule cards: a name, a colour, a text, and what they override (D16)."""

from collections.abc import Iterator, Mapping, Sequence

from pollctl.game import Cards, Field
from pollctl.model import Fault, Fields, Refused
from pollctl.text import several

NAMED = (
    Field("name", "text", "what it is called", "D16"),
    Field("colour", "word", "harder or more exciting", "D16", words=("green", "orange")),
    Field("text", "text", "what it says", "D16"),
)


def check(card: Fields) -> Iterator[Fault]:
    """A name, a colour and a text."""
    if missing := [field.name for field in NAMED if field.name not in card]:
        yield Fault("D16", f"a rule card has a name, a colour and a text, and this no {missing[0]}")


def read(line: str) -> Mapping[str, Sequence[str]]:
    """`Landslide | orange | Every majority pays twice. | majority=2; false_majority=2`."""
    parts = several(line, "|")
    texts = {field.name: [part] for field, part in zip(NAMED, parts, strict=False)}
    rest = parts[len(NAMED) :]
    if len(rest) > 1:
        raise Refused(
            "D16", "a rule card in a line is: name | colour | text | key=value; key=value"
        )
    return {**texts, "overrides": several(rest[0])} if rest else texts


def deal(card: Fields, given: Fields) -> Fields:
    """Its name and what it overrides, unless another card or other overrides are given."""
    if {"rule_card", "overrides"} & given.keys():
        return {}
    brings = {"rule_card": card.get("name"), "overrides": card.get("overrides")}
    return {name: value for name, value in brings.items() if value}


def show(card: Fields) -> Iterator[str]:
    """Name and colour, the text, and what it overrides."""
    yield f"{card.get('name', '?')} ({card.get('colour', '?')})"
    yield from [str(card["text"])] if "text" in card else ()
    if "overrides" in card:
        yield ", ".join(f"{key} = {value}" for key, value in card["overrides"].items())


CARDS = Cards("rule cards", (*NAMED, "overrides"), check, read, deal, show)
