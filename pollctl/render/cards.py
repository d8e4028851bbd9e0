"""Cards in words and as JSON: one that is drawn, one that a round was about."""

from collections.abc import Iterator

from pollctl.game import Game
from pollctl.hand import choices
from pollctl.model import Event, Fields
from pollctl.render.answers import Answer
from pollctl.render.words import Loud
from pollctl.wording import card_face, card_name


def drawn_lines(game: Game, draw: Event) -> Iterator[str]:
    """What stands on a card that was drawn; nothing if it is thrown out."""
    if "skipped" not in draw.fields:
        yield from (Loud(f"  {line}") for line in game.guide().cards.show(draw.fields))


def drawn_ways(game: Game, draw: Event) -> Iterator[str]:
    """What can be done with a card that was drawn; nothing if it is thrown out."""
    if "skipped" not in draw.fields:
        several = len(choices(game, draw.fields)) > 1
        play = "Choose one: pollctl draw --pick N" if several else "Play it: pollctl round add"
        yield f"{play}. Throw it out: pollctl draw --skip REASON."


def played_line(game: Game, draw: Event, fields: Fields) -> str:
    """The card that a round was about, with what its head does not say already."""
    first, said = next(game.guide().cards.show(draw.fields), ""), fields.get("question")
    shown = f": {first}" if first and not (said and said in first) else ""
    return f"  Played {card_name(draw.fields)}{shown}."


def card_answer(draw: Event) -> Answer:
    """A card by its deck and its id, with what stands on it, or why it was thrown out."""
    names = {name: draw.fields.get(name) for name in ("deck", "card", "skipped")}
    return {**names, **card_face(draw.fields)}
