"""The card that is open: drawn, and not yet played by a round or thrown out (P5, D16)."""

from collections.abc import Iterable, Iterator, Sequence

from pollctl.game import Field, Game, card_fields
from pollctl.model import Event, Fields, Refused
from pollctl.session import Session
from pollctl.wording import card_name

Name = tuple[str, str]
"""The name of a deck, and the id of a card in it."""


def hand(session: Session) -> tuple[Event, ...]:
    """The draws that stand of the card that is open, the first one first; empty if none is."""
    last = next(_standing(session, reversed(session.log.events)), None)
    if last is None or closes(last):
        return ()
    found: list[Event] = []
    seen = set[Name]()
    for event in _standing(session, session.log.events):
        if closes(event):
            found.clear()
        elif found and name_of(event) == name_of(found[0]):
            found.append(event)
        elif name_of(event) not in seen:
            found = [event]
        seen.add(name_of(event))
    return tuple(found)


def open_card(session: Session) -> Event | None:
    """The latest draw of the card that is open, which stands for all said of it before."""
    return next(reversed(hand(session)), None)


def used(session: Session) -> set[Name]:
    """The cards that were drawn, but for those whose draw is taken back."""
    standing = _standing(session, session.log.events)
    return {name_of(event) for event in standing if event.kind == "draw"}


def closes(event: Event) -> bool:
    """Whether no card is open any more after this draw or round."""
    return event.kind == "round" or "skipped" in event.fields


def name_of(event: Event) -> Name:
    """Which card a draw is about; of no card for a round."""
    return str(event.fields.get("deck", "")), str(event.fields.get("card", ""))


def choices(game: Game, card: Fields) -> Sequence[str]:
    """What can be chosen from on a card; empty where there is nothing to choose."""
    found: Sequence[str] = card.get(choice_of(game).name, ())
    return found


def choice_of(game: Game) -> Field:
    """The field of the game's cards that holds what can be chosen from."""
    fields = card_fields(game).values()
    return next((field for field in fields if field.kind == "texts"), NOTHING)


NOTHING = Field("texts", "texts", "nothing to choose from", "", option="choice")
"""Stands for that field in a game whose cards have none."""


def dealt(session: Session, given: Fields) -> Fields:
    """What the open card brings to the next round, of which these fields are given.

    Raises Refused where one of several texts has to be chosen first.
    """
    event, game = open_card(session), session.game.opening.game
    if event is None:
        return {}
    brings = game.guide().cards.deal(event.fields, given)
    several = choices(game, event.fields)
    chosen = [field for field in game.fields if brings.get(field.name) in several]
    for field in chosen if len(several) > 1 else ():
        option = f"-{field.short}" if field.short else field.flag
        text = f"{card_name(event.fields)} has {len(several)} {choice_of(game).name}"
        ways = f"choose one with pollctl draw --pick N, or give another with {option}"
        raise Refused(field.rule, f"{text}: {ways}")
    return brings


def ways_on(game: Game, draw: Event) -> str:
    """What can be done with the open card, in a sentence without its end."""
    several = len(choices(game, draw.fields)) > 1
    play = "draw --pick N chooses one" if several else "round add plays it"
    return f"{play}, draw --skip REASON throws it out, undo puts it back"


def _standing(session: Session, events: Iterable[Event]) -> Iterator[Event]:
    """The draws and the rounds among these events that stand."""
    fallen = session.game.history.fallen
    return (e for e in events if e.kind in ("draw", "round") and e.seq not in fallen)
