"""Decks in words and as JSON."""

from collections.abc import Collection

from pollctl.decks import Deck
from pollctl.render.answers import Answer, dumps
from pollctl.render.words import COLUMNS, Loud, joined
from pollctl.text import pad, shown, width, wrapped


def deck_words(deck: Deck, drawn: Collection[str]) -> str:
    """A deck card by card, those marked that were drawn in the session."""
    columns = max(width(card.id) for card in deck.cards)
    lines = []
    for card in deck.cards:
        mark = "x" if card.id in drawn else " "
        first, *more = deck.game.guide().cards.show(card.fields)
        lines.append(f"{mark} {pad(card.id, columns)}  {first}")
        lines += [f"{' ' * (columns + 4)}{row}" for row in more]
    head = joined([Loud(f"{deck.title} · {deck.game.title} · {_count(deck)}")])
    rows = [wrapped(shown(line), COLUMNS, columns + 4) for line in lines]
    foot = ["", f"x marks what was drawn: {len(drawn)} of {_count(deck)}."] if drawn else []
    return "\n".join([head, "", *rows, *foot])


def deck_chosen(deck: Deck, file: str | None) -> str:
    """From which deck a game's cards are drawn from now on."""
    where = f"That is {file}." if file else "That is the deck that comes with pollctl."
    return joined([f"{deck.game.title} now draws from {deck.title}, {_count(deck)}.", where])


def deck_answer(deck: Deck, file: str | None, drawn: Collection[str]) -> bytes:
    """A deck, its file (null where it comes with pollctl), and its cards."""
    cards = [{"id": card.id, **card.fields, "drawn": card.id in drawn} for card in deck.cards]
    answer: Answer = {"schema": "pollctl.deck/1", "title": deck.title, "game": deck.game.id}
    return dumps({**answer, "file": file, "cards": cards})


def _count(deck: Deck) -> str:
    return f"{len(deck.cards)} card{'' if len(deck.cards) == 1 else 's'}"
