"""What a new session agrees on: game, players, rules, and who begins."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pollctl.game import Game, defaults
from pollctl.model import Event, Refused, Rules
from pollctl.notation import find_player, read_scores
from pollctl.text import check_name, check_sentence, twins


class Plan(NamedTuple):
    """What the host asks for."""

    game: Game
    players: Sequence[str]
    """Clockwise, as typed."""
    rules: Rules
    """The keys that are not at their default."""
    first: str | None
    """Who has the first turn, as typed; None for the first player."""
    title: str | None
    start: Sequence[str] = ()
    """Scores to begin with, `PLAYER=N` as typed, in a game taken over in the middle."""


def new_opening(plan: Plan, session: str, at: datetime) -> Event:
    """The first event of a session, whose id is 128 random bits as 32 hex digits.

    Raises Refused for names that can't be, and for players and rules that don't fit.
    """
    game = plan.game
    names = [check_name(name, game.seats_rule) for name in plan.players]
    if same := twins(names):
        raise Refused(game.seats_rule, f"{same[0]} and {same[1]} are one name: each plays once")
    low, high = game.seats
    if not low <= len(names) <= high:
        text = f"{game.title} is for {low} to {high} players, not {len(names)}"
        raise Refused(game.seats_rule, text)
    every = {**defaults(game), **plan.rules}
    start = read_scores(plan.start, names, game.seats_rule)
    for fault in game.oppose(every, game.begin(every, tuple(names), start)):
        raise Refused(*fault)
    fields = {
        "format": 1,
        "session": session,
        "game": game.id,
        **({} if plan.title is None else {"title": check_sentence(plan.title, "title")}),
        "players": names,
        "first": _first(plan, names),
        **({"start": start} if start else {}),
        "rules": every,
    }
    return Event(1, at, "open", fields)


def _first(plan: Plan, names: Sequence[str]) -> str:
    if plan.first is None:
        return names[0]
    return find_player(plan.first, names, plan.game.turn_rule)
