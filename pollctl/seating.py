"""Who is seated: leaving and joining between rounds, and whose turn that makes it (P19, D20)."""

from collections.abc import Sequence

from pollctl.game import Game
from pollctl.model import Fault, State
from pollctl.text import listing

FEWEST = 2
"""Seated players a round needs, in any game."""


def ring(state: State) -> tuple[str, ...]:
    """Every seat clockwise, the empty ones of who has left too."""
    return state.ring or state.seats


def leave(state: State, player: str) -> State:
    """The state once a seated player has left: the score is remembered, the seat stays empty.

    A tie-break goes on among the others; one contender alone has won it.
    """
    seats = tuple(each for each in state.seats if each != player)
    contenders = tuple(each for each in state.contenders if each != player)
    after = state._replace(seats=seats, ring=ring(state), contenders=contenders)
    if contenders == state.contenders:
        return after
    if len(contenders) == 1:
        return after._replace(status="finished", winners=contenders, contenders=(), away=())
    return after._replace(away=(*state.away, player))


def join(state: State, player: str, after: str | None, score: int) -> State:
    """The state once a player sits down last, or after another: with the old score, or a new one.

    Who left this tie-break as a contender is one again.
    """
    others = [each for each in ring(state) if each != player]
    place = others.index(after) + 1 if after is not None else len(others)
    seated = (*others[:place], player, *others[place:])
    scores = {player: score, **state.scores}
    back = player in state.away
    return state._replace(
        seats=_among(seated, {*state.seats, player}),
        ring=seated,
        scores={each: scores[each] for each in seated},
        contenders=_among(seated, {*state.contenders, player}) if back else state.contenders,
        away=tuple(each for each in state.away if each != player),
    )


def cant_leave(state: State, game: Game, player: str) -> list[Fault]:
    """Why a player can't leave; empty where it is possible."""
    if player not in state.seats:
        return [Fault(game.leave_rule, f"{player} is not seated and can't leave")]
    if len(state.seats) == 1:
        return [Fault(game.leave_rule, f"{player} is the last one seated: end the evening instead")]
    return []


def cant_join(state: State, game: Game, player: str, after: str | None) -> list[Fault]:
    """Why a player can't sit down; empty where it is possible."""
    if player in state.seats:
        return [Fault(game.leave_rule, f"{player} is seated already")]
    if len(state.seats) >= game.seats[1]:
        return [Fault(game.seats_rule, f"{game.title} is for at most {game.seats[1]} players")]
    others = [each for each in ring(state) if each != player]
    if after is not None and after not in others:
        text = f"nobody can sit down after {after}: the seats are {listing(others)}"
        return [Fault(game.leave_rule, text)]
    return []


def pass_on(game: Game, state: State, turn: str) -> str:
    """Whose turn follows, empty seats passed over; the first seat's where the last turn was none's.

    The empty string where nobody is seated.
    """
    seats = ring(state)
    place = seats.index(turn) if turn in seats else -game.step
    return _next_seated(game, state, seats, place + game.step)


def begin_with(game: Game, state: State, first: str) -> str:
    """Whose turn is the first: that player's, or of the next one seated."""
    seats = ring(state)
    return _next_seated(game, state, seats, seats.index(first) if first in seats else 0)


def _next_seated(game: Game, state: State, seats: Sequence[str], place: int) -> str:
    order = (seats[(place + i * game.step) % len(seats)] for i in range(len(seats)))
    return next((player for player in order if player in state.seats), "")


def _among(seats: Sequence[str], players: set[str]) -> tuple[str, ...]:
    return tuple(player for player in seats if player in players)
