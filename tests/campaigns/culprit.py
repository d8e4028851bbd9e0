"""A random game with one wrong entry, and a table check: the culprit finder names the entry."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from pollctl import store
from pollctl.model import Event
from pollctl.replay import replay
from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.mistakes import MISTAKES
from tests.campaigns.sessions import GAMES
from tests.log import sealed
from tests.log.processes import forked
from tests.rules import Table, log
from tests.rules.independent import after_round, opening
from tests.rules.random_games import NAMES, random_dice, random_game, random_poll

PATH = Path("game.toml")
SECOND = 1.0
"""The longest an answer may take, in seconds."""
FIRST = 3
"""Among so many suggestions the true one stands, mostly."""
MOSTLY = 0.9
SOON = 2
"""Rounds between a mistake and the check that comes soon."""


class Evening(NamedTuple):
    """A log that is wrong in one entry, and the table beside it."""

    events: list[Event]
    table: dict[str, int]
    command: str
    soon: bool
    """Whether the check comes soon after the mistake."""
    name: str
    """What kind of mistake it is, in which game."""


def cases(plan: Plan) -> Iterator[Case]:
    """All games as one case, for what is promised is promised of all together."""
    number = plan.pick(20, 200)
    yield Case(f"{number} games", partial(play, plan, number), number)


def play(plan: Plan, number: int) -> str:
    """Check the table in so many games; the figures. Raises Broken where they are not kept."""
    ranks, soon, slowest = [], [], 0.0
    for place in range(number):
        evening = wrong(plan.rng("culprit", place), GAMES[place % 2])
        rank, seconds = asked(evening, f"game {place} ({evening.name})")
        slowest = max(slowest, seconds)
        ranks.append(rank)
        soon += [rank] if evening.soon else []
    first = sum(rank < FIRST for rank in soon) / len(soon)
    text = (
        f"the true entry found in {len(ranks)} of {number}, among the first {FIRST} in "
        f"{first:.0%} of the {len(soon)} checked within {SOON} rounds, "
        f"slowest answer {slowest:.2f} s; games"
    )
    demand(first >= MOSTLY, f"among the first {FIRST} too seldom: {text}")
    return text


def asked(evening: Evening, name: str) -> tuple[int, float]:
    """The place of the true entry among the suggestions, and the seconds the answer took."""
    PATH.write_bytes(sealed(evening.events))
    store.set_current(str(PATH))
    table = [f"{player}={score}" for player, score in evening.table.items()]
    begin = perf_counter()
    answer = forked("check", *table, "--json")
    seconds = perf_counter() - begin
    found = [[each["command"], *each["alternatives"]] for each in answer.json["culprits"]]
    ranks = [rank for rank, commands in enumerate(found) if evening.command in commands]
    demand(ranks, f"{name}: {evening.command} is not among {found}")
    demand(seconds <= SECOND, f"{name}: the answer took {seconds:.2f} s")
    mended = forked(*shlex.split(evening.command)[1:])
    demand(mended.status == 0, f"{name}: {evening.command} is refused: {mended.err}")
    demand(forked("check", *table).status == 0, f"{name}: {evening.command} mends nothing")
    return ranks[0], seconds


def wrong(rng: random.Random, name: str) -> Evening:
    """A random game with a mistake that shows on the table."""
    soon = rng.random() < 0.5
    while True:
        game = rng.choice([full_game, long_game])(rng, name)
        if evening := _wrong(rng, game, soon=soon):
            return evening


def full_game(rng: random.Random, name: str) -> Table:
    """A game as the rules are tried with, often short and full of rare branches."""
    return random_game(rng, name, seats=rng.random() < 0.5)


def long_game(rng: random.Random, name: str) -> Table:
    """A game on a board, or of rounds, as in the box or longer, with few rulings."""
    poll = name == "poll-game"
    players = rng.sample(NAMES, rng.randint(3, 8 if poll else 6))
    rules = {"spaces": rng.choice([11, 11, 20])} if poll else {"rounds": rng.choice([0, 0, 12])}
    told = {"game": name, "players": players, "first": players[0], "rules": rules}
    state, rounds = opening(name, players, players[0], rules, {}), list[Table]()
    while state["status"] != "finished" and len(rounds) < 60:
        given = (random_poll if poll else random_dice)(rng, rules, state)
        given.pop("rulings", None)
        if rng.random() < 0.05:
            change = rng.choice([-1, 1, 2])
            given["rulings"] = [{"player": players[0], "change": change, "reason": "as agreed"}]
        state = after_round(name, rules, state, given)
        rounds.append(given)
    return {**told, "round": rounds}


def _wrong(rng: random.Random, game: Table, *, soon: bool) -> Evening | None:
    """The game with a random mistake in a random round, up to the check; None where none shows."""
    rounds, kinds = game["round"], MISTAKES[game["game"]]
    places = range(len(rounds) if soon else len(rounds) - SOON - 1)
    if not places:
        return None
    place = rng.choice(places)
    delay = rng.randint(0, SOON) if soon else rng.randrange(SOON + 1, len(rounds) - place)
    true = rounds[: place + 1 + delay]
    (make,) = rng.choices(list(kinds), list(kinds.values()))
    if (mistake := make(rng, true[place], place + 1)) is None:
        return None
    right = replay(log({**game, "round": true, "finally": []}))
    recorded = [*true[:place], *mistake.rounds, *true[place + 1 :]]
    events, seq = list(log({**game, "round": recorded, "finally": []})), 0
    if mistake.late:
        events, seq = later(events, place + 1, mistake.late)
    seen, table = replay(events), dict(right.state.scores)
    if right.problems or seen.problems or table == seen.state.scores:
        return None
    name = f"{make.__name__} in round {place + 1} of {len(true)}, {game['game']}"
    return Evening(events, table, mistake.command.format(seq=seq), soon, name)


def later(events: list[Event], number: int, late: Table) -> tuple[list[Event], int]:
    """The events with one more after a round, and its place."""
    seq = 1 + next(each.seq for each in events if each.fields.get("number") == number)
    fields = {key: value for key, value in late.items() if key != "kind"}
    more = Event(seq, events[0].at, late["kind"], fields)
    whole = [*events[: seq - 1], more, *events[seq - 1 :]]
    return [each._replace(seq=place) for place, each in enumerate(whole, 1)], seq


CAMPAIGN = Campaign(
    "culprit",
    "Of a single wrong entry, check names the right correction, soon and first.",
    cases,
    shares=1,
)
