"""What a draw records: a card of a deck, the choice among its questions, a card thrown out."""

from collections.abc import Callable, Sequence
from datetime import datetime

from pollctl.decks import Card, Deck
from pollctl.hand import choice_of, choices, hand, used, ways_on
from pollctl.model import Event, Fields, Refused
from pollctl.recording import Draft, batch_mark, not_over
from pollctl.session import Session
from pollctl.text import check_sentence, cut
from pollctl.wording import card_face, card_name


def unused(session: Session, deck: Deck) -> list[Card]:
    """The cards of a deck that were not drawn in this session, in order."""
    gone = used(session)
    return [card for card in deck.cards if (deck.title, card.id) not in gone]


def none_open(session: Session) -> None:
    """Raise Refused where no card can be drawn: one is open, or the game is over."""
    not_over(session.game)
    game = session.game.opening.game
    for draw in hand(session)[-1:]:
        shown = cut(next(game.guide().cards.show(draw.fields), "a blank one"), 48, 1)
        raise Refused("", f"{card_name(draw.fields)} is open, {shown}: {ways_on(game, draw)}")


def draw_card(
    session: Session,
    deck: Deck,
    pick: int | None,
    chance: Callable[[int], int],
    at: datetime,
) -> Draft:
    """An unused card of the deck, and the choice among its questions where `pick` makes one.

    `chance` gives a number from 0 up to, not including, the one it is given. With `pick`, only
    cards with so many questions are drawn.
    """
    none_open(session)
    game, left = session.game.opening.game, unused(session, deck)
    if not left:
        text = f"every card of {deck.title} was drawn"
        raise Refused("", f"{text}: draw --deck FILE goes on with another deck")
    fitting = [card for card in left if pick is None or pick <= len(choices(game, card.fields))]
    if not fitting:
        raise Refused("", f"no unused card of {deck.title} has a {choice_of(game).option} {pick}")
    card = fitting[chance(len(fitting))]
    drawn: Fields = {"deck": deck.title, "card": card.id, **card.fields}
    several = len(choices(game, card.fields)) > 1
    entries = [drawn, _picked(session, drawn, pick)] if pick and several else [drawn]
    said = f"drew {card_name(drawn)}; {len(left) - 1} of {len(deck.cards)} left"
    return _draft(session, entries, said, at)


def pick_question(session: Session, pick: int, at: datetime) -> Draft:
    """The open card again, with one of the questions it was drawn with, counted from 1."""
    not_over(session.game)
    first = hand(session)[0].fields
    picked = _picked(session, first, pick)
    what = choice_of(session.game.opening.game).option
    return _draft(session, [picked], f"chose {what} {pick} of {card_name(first)}", at)


def throw_out(session: Session, reason: str, at: datetime) -> Draft:
    """The open card thrown out, so that it is not played and never drawn again."""
    for draw in hand(session)[-1:]:
        said = {"deck": draw.fields["deck"], "card": draw.fields["card"]}
        fields = {**said, "skipped": check_sentence(reason, "reason")}
        return _draft(session, [fields], f"threw out {card_name(said)}: {fields['skipped']}", at)
    raise Refused("", "no card is open: pollctl draw draws one")


def _picked(session: Session, drawn: Fields, pick: int) -> Fields:
    """The fields of a draw with one of its questions alone."""
    game = session.game.opening.game
    several, name = choices(game, drawn), choice_of(game).name
    if not several:
        raise Refused("", f"{card_name(drawn)} has nothing to choose from")
    if pick > len(several):
        raise Refused("", f"{card_name(drawn)} has {name} 1 to {len(several)}, and no {pick}")
    face = {**card_face(drawn), name: [several[pick - 1]]}
    return {"deck": drawn["deck"], "card": drawn["card"], **face}


def _draft(session: Session, entries: Sequence[Fields], said: str, at: datetime) -> Draft:
    """Draws, which move nothing; several are one batch."""
    first, size = len(session.log.events) + 1, len(entries)
    events = tuple(
        Event(first + i, at, "draw", {**fields, **batch_mark(i, size)})
        for i, fields in enumerate(entries)
    )
    return Draft(events, session.game, session.game, said, None, card=events[-1])
