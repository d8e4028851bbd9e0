"""Ranks: who leads, and what the last round changed."""

from collections.abc import Mapping
from typing import NamedTuple

from pollctl.model import State
from pollctl.replay import Replay


class Standing(NamedTuple):
    """One line of the standings."""

    rank: int | None
    """Equal scores share one (1, 1, 3); winners before all others; None for who has left."""
    player: str
    score: int
    change: int
    """What the last scored round brought."""


def standings(session: Replay) -> tuple[Standing, ...]:
    """Everyone by rank, then seat; who has left comes last."""
    last = session.last
    changes = changed(last.before.scores, last.after.scores) if last else {}
    ranks = _ranks(session.state)
    rows = [
        Standing(ranks.get(player), player, score, changes.get(player, 0))
        for player, score in session.state.scores.items()
    ]
    return tuple(sorted(rows, key=lambda row: row.rank or len(rows) + 1))


def changed(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Who moved between two scores, and by how much."""
    return {p: after[p] - before[p] for p in after if after[p] != before[p]}


def _ranks(state: State) -> dict[str, int]:
    places = {player: (player in state.winners, state.scores[player]) for player in state.seats}
    return {
        player: 1 + sum(other > place for other in places.values())
        for player, place in places.items()
    }
