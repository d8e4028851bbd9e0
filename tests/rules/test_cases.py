"""Every case of the rules, played round by round; and that no clause or key is left out."""

from __future__ import annotations

import pytest

from pollctl.game import Game
from pollctl.games import catalogue, find
from pollctl.model import Step
from pollctl.replay import Replay, replay
from tests.rules import CASES, Table, log

GAMES = list(catalogue().values())


def observed(session: Replay, step: Step) -> Table:
    """Everything that `after` may speak of, as it stands after this step."""
    then, state = session.as_of(step.round.number), step.after
    since = max(
        (each.round.seq for each in session.steps if each.round.seq < step.round.seq), default=1
    )
    seen: Table = {
        "scores": list(state.scores.values()),
        "status": state.status,
        "winners": list(state.winners),
        "contenders": list(state.contenders),
        "turn": step.turn,
        "next": "" if then.over else then.turn,
        "problem": " ".join({problem.rule for problem in step.problems}) if step.problems else None,
        "strays": [each.rule for each in session.strays if since < each.event < step.round.seq],
    }
    if step.outcome is None:
        return seen
    game, rules = session.opening.game, session.opening.rules
    facts = step.outcome.facts
    doubts = game.doubt(step.before, rules, step.round.fields)
    awards = [f"{each.rule} {each.player} {each.change:+d}" for each in step.outcome.awards]
    return {
        **seen,
        **facts,
        "yes": facts.get("count"),
        "awards": awards,
        "doubts": [doubt.rule for doubt in doubts],
    }


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: Table) -> None:
    """After each round of a case all holds that the case says, and nothing else is refused."""
    session = replay(log(case))
    for step, given in zip(session.steps, case["round"], strict=True):
        expected = {"problem": None, "strays": [], **given.get("after", {})}
        seen = observed(session, step)
        got = {key: seen.get(key, "nothing") for key in expected}
        assert (step.round.number, got) == (step.round.number, expected)


def test_names_are_unique() -> None:
    """No two cases have the same name, so that a failing one is found at once."""
    names = [case["name"] for case in CASES]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_clause_is_cited(game: Game) -> None:
    """Every clause is cited by a case, and no case cites another game's."""
    cited = {clause for case in CASES if case["game"] == game.id for clause in case["clauses"]}
    assert cited == {clause.id for clause in game.guide().clauses}


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, key.name) for game in GAMES for key in game.keys],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_every_key_is_turned(game: Game, name: str) -> None:
    """Every house rule is played in some case with a value that is not its default."""
    played = [case for case in CASES if case["game"] == game.id]
    rules = [case["rules"] for case in played]
    cards = [given.get("overrides", {}) for case in played for given in case["round"]]
    default = next(key.default for key in game.keys if key.name == name)
    assert {values[name] for values in rules + cards if name in values} - {default}


@pytest.mark.parametrize("name", [key.name for key in find("dice").keys if key.overridable])
def test_every_overridable_key_is_overridden(name: str) -> None:
    """Every key that a rule card may set is set by the card of a round that is scored."""
    lawful = [
        given.get("overrides", {})
        for case in CASES
        for given in case["round"]
        if "problem" not in given.get("after", {})
    ]
    assert any(name in overrides for overrides in lawful)


@pytest.mark.parametrize(
    ("game", "players", "rules", "clauses"),
    [
        ("poll-game", 8, {}, []),
        ("poll-game", 2, {"paths": 1}, []),
        ("poll-game", 3, {"paths": 1}, ["P3"]),
        ("poll-game", 7, {"paths": 3}, ["P3"]),
        ("dice-democracy", 6, {}, []),
        ("dice-democracy", 3, {"need_one": 6}, []),
        ("dice-democracy", 3, {"need_one": 7}, ["D12"]),
        ("dice-democracy", 3, {"need_two": 2}, ["D12"]),
    ],
)
def test_rules_that_do_not_go_together(
    game: str, players: int, rules: Table, clauses: list[str]
) -> None:
    """House rules that contradict each other or the number of players are named by their clause."""
    about = find(game)
    values = {key.name: key.default for key in about.keys} | rules
    seats = tuple("ABCDEFGHI"[:players])
    opened = about.begin(values, seats, {})
    assert [fault.rule for fault in about.oppose(values, opened)] == clauses


@pytest.mark.parametrize(
    ("large", "small", "whose"),
    [
        ("Cai", "", "Cai's Large objection"),
        ("", "Cai", "Cai's Small objection"),
        ("Ann", "Cai", "Cai's Small objection"),
        ("Cai", "Ben", "Cai's Large objection"),
        ("Cai", "Cai", "Cai's Large objection"),
    ],
)
def test_missing_dice_name_the_objection(large: str, small: str, whose: str) -> None:
    """A round without the dice it needs says whose objection, and which, needs them (D13)."""
    votes = {"Ann": (6, 1), "Ben": (6, 1), "Cai": (5, 2)}
    ballots = [{"player": p, "large": most, "small": least} for p, (most, least) in votes.items()]
    sticks = {"large_stick": large, "small_stick": small}
    given = {"ballots": ballots, **{stick: who for stick, who in sticks.items() if who}}
    game = {"game": "dice-democracy", "players": list(votes), "first": "Ann", "rules": {}}
    (problem,) = replay(log({**game, "round": [given]})).problems
    assert problem.rule == "D13"
    assert whose in problem.text
