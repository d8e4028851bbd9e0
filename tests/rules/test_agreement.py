"""Random games: two scorers that share no code agree, and the laws that hold in every game."""

from __future__ import annotations

import copy
import math
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.games import find
from pollctl.model import Award, Event, Fault, Outcome, Problem, Step
from pollctl.replay import Replay, extend, replay
from tests.rules import AT, CASES, Table, log
from tests.rules.independent import KEYS, play
from tests.rules.random_games import altered, random_game

GAMES = int(os.environ.get("POLLCTL_GAMES", "300"))
"""How many random games of each kind; set POLLCTL_GAMES for a long run."""

BOTH = pytest.mark.parametrize("name", sorted(KEYS))


def drawn(seed: int, name: str, *, change: bool) -> Table:
    """The random game of a seed, as it was played or altered afterwards."""
    rng = random.Random(seed)
    game = random_game(rng, name, seats=seed % 2 == 1)
    return altered(rng, game) if change and game["round"] else game


def disagreements(game: Table) -> list[tuple[int, str, object, object]]:
    """Where the two scorers differ: after which round, what, the program's, the second scorer's."""
    rounds = [*game["round"], {"before": game.get("finally", [])}]
    name, players, first, rules = (game[key] for key in ("game", "players", "first", "rules"))
    told = play(name, players, first, rules, rounds, game.get("start"))
    session = replay(log(game))
    return [
        (place, what, ours, theirs[what])
        for place, theirs in enumerate(told)
        for what, ours in reading(session, place, theirs["problem"]).items()
        if ours != theirs[what]
    ]


def reading(session: Replay, place: int, problem: str) -> Table:
    """What the program says after a step, or at the end of the evening.

    Of several problems it is the one the other scorer names, if any.
    """
    steps = session.steps
    step = steps[place] if place < len(steps) else None
    state, then = (
        (step.after, session.as_of(step.round.number)) if step else (session.state, session)
    )
    problems = [each.rule for each in step.problems] if step else []
    since = steps[place - 1].round.seq if place else 0
    until = step.round.seq if step else math.inf
    seen: Table = {
        "scores": list(state.scores.values()),
        "status": state.status,
        "winners": list(state.winners),
        "contenders": list(state.contenders),
        "next": "" if then.over else then.turn,
        "problem": problem if problem in problems else ", ".join(problems),
        "strays": [each.rule for each in session.strays if since < each.event < until],
    }
    if step is None or step.outcome is None:
        return seen
    facts = {"yes" if what == "count" else what: fact for what, fact in step.outcome.facts.items()}
    return {**seen, **facts, "turn": step.turn}


@BOTH
@pytest.mark.parametrize("how", ["as played", "altered"])
def test_two_scorers_agree(name: str, how: str) -> None:
    """A second scorer that shares no code finds the same in every round of every random game."""
    for seed in range(GAMES):
        game = drawn(seed, name, change=how == "altered")
        assert (seed, disagreements(game)) == (seed, [])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_two_scorers_agree_on_every_case(case: Table) -> None:
    """The second scorer meets the cases derived by hand as the program does."""
    assert disagreements(case) == []


@BOTH
def test_keys_are_those_of_the_clauses(name: str) -> None:
    """Every key has the clause, the default and the bounds that the clauses give it."""
    keys = {key.name: key for key in find(name).keys}
    assert {each: (key.rule, key.default) for each, key in keys.items()} == {
        each: about[:2] for each, about in KEYS[name].items()
    }
    for each, (_, _, allowed) in KEYS[name].items():
        tried = [*range(-2, 103), *allowed, "", "maybe", True, None]
        got = [value for value in tried if keys[each].allows(value)]
        assert got == [v for v in tried if v in allowed and type(v) is not bool], each


SESSIONS = st.builds(
    drawn, st.integers(0, 2**32), st.sampled_from(sorted(KEYS)), change=st.booleans()
)
law = settings(max_examples=max(GAMES // 3, 1), deadline=None)


def scored(session: Replay) -> list[tuple[Step, Outcome]]:
    """The steps of the rounds that were not passed over, each with what it brought."""
    return [(step, step.outcome) for step in session.steps if step.outcome]


@law
@given(SESSIONS)
def test_awards_add_up_to_the_scores(game: Table) -> None:
    """The changes of a round's awards are exactly what it adds to the scores before it."""
    for step, outcome in scored(replay(log(game))):
        sums = dict(step.before.scores)
        for award in outcome.awards:
            sums[award.player] += award.change
        assert sums == outcome.state.scores


@law
@given(SESSIONS)
def test_awards_chain(game: Table) -> None:
    """Each award begins where the player's last one ended, and its change leads to its end."""
    for step, outcome in scored(replay(log(game))):
        at = dict(step.before.scores)
        for award in outcome.awards:
            assert (award.before, award.after) == (at[award.player], award.before + award.change)
            at[award.player] = award.after


@law
@given(SESSIONS)
def test_scores_stay_within_bounds(game: Table) -> None:
    """No score is ever below nothing, and nobody stands past the centre, between awards too."""
    session = replay(log(game))
    top = session.opening.rules.get("spaces", math.inf)
    for step, outcome in scored(session):
        stands = [award.after for award in outcome.awards]
        assert all(0 <= at <= top for at in [*stands, *step.after.scores.values()])


@law
@given(SESSIONS)
def test_everything_cites_a_clause(game: Table) -> None:
    """Every award, note and problem cites a clause of its game and says something."""
    session = replay(log(game))
    clauses = {clause.id for clause in session.opening.game.guide().clauses}
    said: list[Award | Fault | Problem] = [*session.problems]
    for _, outcome in scored(session):
        said += [*outcome.awards, *outcome.notes]
    assert all(each.rule in clauses and each.text for each in said)


@law
@given(SESSIONS)
def test_states_hold_together(game: Table) -> None:
    """Winners stand iff the game is finished, contenders iff there is a tie; in seating order."""
    session = replay(log(game))
    for number, (_, outcome) in enumerate(scored(session), start=1):
        state = outcome.state
        assert (bool(state.winners), bool(state.contenders)) == {
            "playing": (False, False),
            "tie-break": (False, True),
            "finished": (True, False),
        }[state.status]
        for some in (state.winners, state.contenders):
            assert list(some) == [player for player in state.seats if player in some]
        assert (tuple(state.scores), state.played) == (state.ring or state.seats, number)


TURNS = {("playing", "finished"): "P14", ("playing", "tie-break"): "P15"}
"""Which clause decides it that a game which stood so stands so; in a tie-break P16 does."""


@law
@given(SESSIONS)
def test_turning_points_are_noted(game: Table) -> None:
    """A winner, a tie and every round of a tie are noted under the clause that decides them."""
    for step, outcome in scored(replay(log(game))):
        was, now = step.before.status, outcome.state.status
        if game["game"] == "dice-democracy":
            decides = "D18" if now == "finished" else None
        else:
            decides = "P16" if was == "tie-break" else TURNS.get((was, now))
        noted = [note.rule for note in outcome.notes if note.rule in ("P14", "P15", "P16", "D18")]
        assert noted == ([decides] if decides else [])


@law
@given(SESSIONS)
def test_scoring_is_pure(game: Table) -> None:
    """The same log always brings the same, and is not changed by being scored."""
    events = log(game)
    kept = copy.deepcopy(events)
    assert replay(events) == replay(kept)
    assert events == kept


@law
@given(SESSIONS, st.integers(0, 24))
def test_extending_is_replaying(game: Table, cut: int) -> None:
    """A session extended by further rounds, at once or one by one, is a replay of everything."""
    events = log(game)
    while events[-1].kind != "round" and len(events) > 1:
        events.pop()
    seats = max(event.seq for event in events if event.kind != "round")
    begun = events[: seats + cut % max(len(events) - seats, 1)]
    rest = events[len(begun) :]
    session = replay(begun)
    for event in rest:
        session = extend(session, [event])
    assert replay(events) == (extend(replay(begun), rest) if rest else session) == session


@law
@given(SESSIONS)
def test_calling_late_is_calling_at_once(game: Table) -> None:
    """Penalties and rulings entered after all rounds count as if on the rounds they are about."""
    events = log(game)
    late: list[Event] = []
    for at, event in enumerate(events):
        if event.kind != "round":
            continue
        fields = {key: v for key, v in event.fields.items() if key not in ("penalties", "rulings")}
        events[at] = event._replace(fields=fields)
        about = {"round": fields["number"]}
        for penalty in event.fields.get("penalties", ()):
            said = {**about, "player": penalty["player"], "penalty": penalty["kind"]}
            late.append(Event(len(events) + len(late) + 1, AT, "penalty", said))
        for ruling in event.fields.get("rulings", ()):
            late.append(Event(len(events) + len(late) + 1, AT, "ruling", {**about, **ruling}))
    called = [step.outcome for step in replay(events + late).steps]
    assert called == [step.outcome for step in replay(log(game)).steps]
