"""What the host says: before the first round, and in the round to come."""

from collections.abc import Iterator, Sequence

from pollctl.game import Moment
from pollctl.hand import open_card
from pollctl.render.answers import Answer, next_turn
from pollctl.render.cards import drawn_lines
from pollctl.render.words import Loud, joined, next_line
from pollctl.session import Session


def said(session: Session) -> str:
    """The lines of a whole round, numbered by its moments; how it ended once the game is over."""
    if session.game.over:
        return joined([next_line(session.game)])
    lines = [*head_lines(session), ""]
    for place, moment in enumerate(moments_of(session), 1):
        lines += [f"{'  ' if i else f'{place}.'} {line}" for i, line in enumerate(moment.say)]
    return joined(lines)


def next_answer(session: Session) -> Answer:
    """The round to come, with the lines the host says."""
    turn, say = next_turn(session.game), list[str]()
    if turn:
        say = [*_setup(session), *(line for each in moments_of(session) for line in each.say)]
    return {"schema": "pollctl.next/1", **(turn or dict.fromkeys(_TURN)), "say": say}


_TURN = ("round", "role", "player")


def moments_of(session: Session) -> Sequence[Moment]:
    """The moments of the round to come."""
    game = session.game
    return game.opening.game.guide().moments(game.state, game.opening.rules, game.turn)


def head_lines(session: Session) -> Iterator[str]:
    """What is said before a round: how to begin, whose turn it is, which card is drawn."""
    game = session.game
    if setup := _setup(session):
        yield from (*setup, "")
    yield Loud(f"Round {game.next_number} · {game.turn} is the {game.opening.game.role}")
    if card := open_card(session):
        yield from drawn_lines(game.opening.game, card)


def _setup(session: Session) -> Sequence[str]:
    """What is said before the first round; nothing later."""
    game = session.game
    return () if game.steps else game.opening.game.guide().setup(game.state, game.opening.rules)
