"""The culprit finder beside a search that replays every other course of a game from its start."""

from __future__ import annotations

import random
from collections.abc import Iterator
from shlex import join

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.culprit import culprits
from pollctl.log import read
from pollctl.replay import Replay, replay
from pollctl.session import compute
from tests.campaigns.mistakes import vote
from tests.log import sealed
from tests.rules import Table, log
from tests.rules.random_games import altered, random_game


def other_ballots(ballot: Table) -> Iterator[Table]:
    """Every ballot that one slip makes of another, by the rulebooks."""
    if "chip" in ballot:
        yield {**ballot, "chip": "no" if ballot["chip"] == "yes" else "yes"}
    if "card" in ballot:
        yield from ({**ballot, "card": card} for card in range(9) if card != ballot["card"])
    if "large" in ballot:
        for dial in ("large", "small"):
            faces = (face for face in range(1, 7) if face != ballot[dial])
            yield from ({**ballot, dial: face} for face in faces)
        if ballot["large"] != ballot["small"]:
            yield {**ballot, "large": ballot["small"], "small": ballot["large"]}


def otherwise(recorded: Table) -> Iterator[tuple[list[str], Table]]:
    """A round as it may have been, with the words of the command that says so, by the rulebooks."""
    ballots = recorded["ballots"]
    players = [each["player"] for each in ballots]
    for place, ballot in enumerate(ballots):
        for other in other_ballots(ballot):
            changed = [*ballots[:place], other, *ballots[place + 1 :]]
            yield ["round amend", vote(other)], {**recorded, "ballots": changed}
    for player in players if "chip" in ballots[0] else ():
        for kind in ("chip", "answer"):
            fines = [*recorded.get("penalties", []), {"player": player, "kind": kind}]
            yield ["penalty", f"{player}={kind}"], {**recorded, "penalties": fines}
    for flag, name in (("-L", "large_stick"), ("-S", "small_stick")):
        for player in players if "large" in ballots[0] else ():
            if player != recorded.get(name):
                yield ["round amend", flag, player], {**recorded, name: player}


def courses(game: Table) -> Iterator[tuple[str, Replay]]:
    """Every other course of a game, with the command that brings it about."""
    for place, recorded in enumerate(game["round"]):
        for (command, *words), other in otherwise(recorded):
            number = str(place + 1)
            rest = [*words, "--round", number] if command == "penalty" else [number, *words]
            rounds = [*game["round"][:place], other, *game["round"][place + 1 :]]
            yield f"pollctl {command} {join(rest)}", replay(log({**game, "round": rounds}))


@pytest.mark.parametrize("name", ["poll-game", "dice-democracy"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_all_that_explains_the_table_is_found(name: str, seed: int) -> None:
    """Ballots, penalties and sticks that would explain it are all suggested, and none that don't.

    What would is computed by replaying every other course of the game from its beginning, seats
    that change and rounds that are passed over included.
    """
    rng = random.Random(seed)
    game = random_game(rng, name, seats=rng.random() < 0.5)
    game |= {"round": game["round"][:5], "finally": []}
    game = altered(rng, game) if game["round"] and rng.random() < 0.3 else game
    session = compute(read(sealed(log(game))))
    now = session.game.state.scores
    known = {(each.event, each.rule) for each in session.game.problems}
    ends = {
        command: after.state.scores
        for command, after in courses(game)
        if {(each.event, each.rule) for each in after.problems} <= known
    }
    table = rng.choice([end for end in ends.values() if end != now] or [{}])
    found = [
        f"pollctl {line.command} {join(line.rest)}"
        for each in (culprits(session, table) if table else ())
        for line in (each.command, *each.alternatives)
    ]
    assert len(found) == len(set(found))
    assert {command for command, end in ends.items() if end == table} == ends.keys() & set(found)
