"""What the host says: before the first round, and in the round to come."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pollctl.game import Moment
from pollctl.hand import dealt, open_card
from pollctl.model import Fields, Refused, Rules
from pollctl.render.answers import Answer, next_turn
from pollctl.render.cards import card_answer, drawn_lines, drawn_ways
from pollctl.render.words import Loud, joined, next_line
from pollctl.session import Session


def said(session: Session) -> str:
    """The lines of a whole round, numbered by its moments; how it ended once the game is over."""
    if session.game.over:
        return joined([next_line(session.game)])
    setup, card = setup_lines(session), open_card(session)
    lines = [*setup, *([""] if setup else []), *head_lines(session)]
    lines += [*(drawn_ways(session.game.opening.game, card) if card else ()), ""]
    for place, moment in enumerate(moments_of(session, {}), 1):
        lines += [f"{'  ' if i else f'{place}.'} {line}" for i, line in enumerate(moment.say)]
    return joined(lines)


def next_answer(session: Session) -> Answer:
    """The round to come, with the lines the host says, and the card that is drawn for it."""
    turn, say = next_turn(session.game), list[str]()
    card = open_card(session) if turn else None
    if turn:
        say = [
            *setup_lines(session),
            *(line for each in moments_of(session, {}) for line in each.say),
        ]
    told = {"schema": "pollctl.next/1", **(turn or dict.fromkeys(_TURN)), "say": say}
    return {**told, "card": card_answer(card)} if card else told


_TURN = ("round", "role", "player")


def moments_of(session: Session, given: Fields) -> Sequence[Moment]:
    """The moments of the round to come, of which some fields are known."""
    state, opening = session.game.state, session.game.opening
    turn = str(given.get(opening.game.role, session.game.turn))
    return opening.game.guide().moments(state, _rules(session, given), turn)


def _rules(session: Session, given: Fields) -> Rules:
    """The rules of the round to come, with those that the card overrides, or what was typed."""
    opening = session.game.opening
    try:
        known: Fields = {**dealt(session, given), **given}
    except Refused:  # several texts to choose from, and no rules
        known = given
    settings = [field.name for field in opening.game.fields if field.kind == "settings"]
    overrides: Sequence[Mapping[str, Any]] = [known[name] for name in settings if name in known]
    return {**opening.rules, **(overrides[0] if overrides else {})}


def head_lines(session: Session) -> Iterator[str]:
    """What is said before a round: whose turn it is, which card is drawn."""
    game = session.game
    last = " · the last round" if game.state.played + 1 == game.rounds_total else ""
    yield Loud(f"Round {game.next_number} · {game.turn} is the {game.opening.game.role}{last}")
    if card := open_card(session):
        yield from drawn_lines(game.opening.game, card)


def setup_lines(session: Session) -> Sequence[str]:
    """What is said before the first round; nothing later."""
    game = session.game
    return () if game.steps else game.opening.game.guide().setup(game.state, game.opening.rules)
