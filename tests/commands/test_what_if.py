"""`standings --what-if`: the same evening under another rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.log import seal_all
from pollctl.model import Refused
from pollctl.session import load
from pollctl.what_if import suppose
from tests.commands import DICE, POLL, SCENES, begin, done, snapshot
from tests.rules import Table, log
from tests.rules.independent import DEFAULTS, KEYS, Unlawful, play
from tests.rules.random_games import altered, random_game, random_rules

if TYPE_CHECKING:
    from tests.conftest import Pollctl

RACE = (f"{POLL} --rule spaces=3", "round add 2y2y3n", "round add 2y2y3n", "round add 1y3n3n")
"""Ann and Ben on 1, then on 2; then Ann alone is right, and wins on 3."""
TIED = (f"{POLL} --rule spaces=2", *RACE[1:3], "round add 1y2yn")
"""Ann and Ben tie in the centre after round 2; Ben wins the tie."""
FINED = (f"{POLL} --rule spaces=2", "round add 2y2y3n -p ann=chip", "round add 0y2y3n")
"""Ann's penalty on Start costs nothing, so she and Ben are on 1; then Ben alone is right."""
VOTES = (f"{DICE} --rule rounds=2", "round add 64 61 52", "round add 11 22 33")
"""Ann 4, Ben 5, Cai 3; then 5, 5, 4: Ann and Ben share the win."""
STICK = (f"{DICE} --rule start=1", "round add 64 61 52 -L cai", "round add 11 22 33")
"""Cai's objection is invalid with 1: no dice were looked at. Then Ann 3, Ben 3, Cai 2."""
SEEN = (DICE, "round add 64 61 52 -L cai -d 1x3,2x3,3x2,4x2,5x4", "round add 11 22 33")
"""Cai objects, and is right: the most dice show 5. Ann 3, Ben 4, Cai 8; then 4, 4, 9."""


class Case(NamedTuple):
    """An evening under another rule."""

    evening: Sequence[str]
    rule: str
    scores: list[int]
    """In seating order."""
    decided_in: int | None
    impossible: list[tuple[int, str]]
    """Rounds that could not have been played, with their clauses."""
    words: str
    """Of what is said below the table."""


CASES = [
    Case(RACE, "spaces=3", [3, 2, 0], 3, [], "Ann would have won after round 3, as played."),
    Case(RACE, "spaces=4", [4, 2, 0], 3, [], "Ann would have won after round 3, as played."),
    Case(
        RACE, "spaces=5", [4, 2, 0], None, [], "yet, and Ann would lead; as played, Ann won after"
    ),
    Case(
        RACE, "spaces=2", [2, 2, 0], None, [(3, "P15")], "Ann and Ben would be in a tie-break; as"
    ),
    Case(RACE, "sole_advance=1", [3, 2, 0], 3, [], "Ann would have won after round 3, as played."),
    Case(RACE, "sole_advance=0", [2, 2, 0], None, [], "yet, and Ann and Ben would lead; as played"),
    Case(RACE, "advance=0", [2, 0, 0], None, [], "Nobody would have won yet, and Ann would lead"),
    Case(RACE, "advance=3", [3, 3, 0], None, [(2, "P15"), (3, "P15")], "Ann and Ben would be in a"),
    Case(RACE, "paths=2", [3, 2, 0], 3, [], "Ann would have won after round 3, as played."),
    Case(
        TIED, "spaces=3", [2, 2, 0], None, [(3, "P6")], "Ann and Ben would lead; as played, Ben won"
    ),
    Case(
        FINED, "chip_penalty=after-count", [0, 2, 0], 2, [], "Ben would have won after round 2, as"
    ),
    Case(VOTES, "rounds=1", [4, 5, 3], 1, [(2, "D19")], "Ben would have won after round 1; as"),
    Case(
        VOTES, "rounds=3", [5, 5, 4], None, [], "lead; as played, Ann and Ben shared the win after"
    ),
    Case(
        VOTES, "majority=2", [7, 7, 5], 2, [], "Ann and Ben would have shared the win after round 2"
    ),
    Case(VOTES, "start=0", [2, 2, 1], 2, [], "have shared the win after round 2, as played."),
    Case(
        STICK,
        "start=3",
        [4, 3, 4],
        None,
        [(1, "D13")],
        "Ann and Cai would lead; as played, Ann and",
    ),
    Case(STICK, "need_one=2", [3, 3, 2], None, [], "yet, and Ann and Ben would lead, as played."),
    Case(
        STICK, "need_one=1", [2, 1, 2], None, [(1, "D13")], "Ann and Cai would lead; as played, Ann"
    ),
    Case(SEEN, "dice=13", [4, 3, 4], None, [(1, "D13")], "Ann and Cai would lead; as played, Cai"),
    Case(
        SEEN, "need_one=5", [5, 5, 4], None, [], "and Ann and Ben would lead; as played, Cai leads."
    ),
]


def scores(told: Any) -> list[int]:
    """The scores of an answer, in seating order."""
    return [row["score"] for row in sorted(told["standings"], key=lambda row: row["player"])]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.evening[0][4:8]} {case.rule}")
def test_by_hand(pollctl: Pollctl, case: Case) -> None:
    """The scores, who would have won when, and what could not have been, worked out by hand."""
    told = done(pollctl, *case.evening, f"standings --json --what-if {case.rule}").json
    asked, (key, value) = told["what_if"], case.rule.split("=")
    assert (scores(told), asked["decided_in"]) == (case.scores, case.decided_in)
    assert [(each["round"], each["rule"]) for each in asked["impossible"]] == case.impossible
    assert told["problems"] == asked["impossible"]
    assert (asked["winners"], case.decided_in is None) == (told["winners"], not told["winners"])
    assert {name: str(given) for name, given in asked["rules"].items()} == {key: value}
    out = done(pollctl, f"standings --what-if {case.rule}").out
    assert case.words in out.replace("\n    ", " ")
    assert ("could not have been played" in out) == bool(case.impossible)


HEADS = {
    "--what-if spaces=2 --what-if tiebreak=knockout": "With spaces=2 in place of 3 and "
    "tiebreak=knockout in place of sole-correct.",
    "--what-if spaces=3": "With spaces=3, as agreed.",
    "--what-if spaces=3 --what-if advance=0": "With spaces=3 and advance=0 in place of 1.",
}


@pytest.mark.parametrize("options", HEADS)
def test_the_rule_is_named(pollctl: Pollctl, options: str) -> None:
    """Above the table stands under which rules it is, and in place of what."""
    out = done(pollctl, *RACE, f"standings {options}").out
    assert out.split("\n\n")[0].splitlines()[1] == HEADS[options]


def test_what_comes_after_the_end_is_one_line(pollctl: Pollctl) -> None:
    """Rounds that are merely after the end are told together, under one clause."""
    idle = ["round add 3n3n2n"] * 4
    done(pollctl, f"{POLL} --rule spaces=5", "round add 1y3n3n", *idle, "round void 3")
    out = done(pollctl, "standings --what-if spaces=2").out
    assert out.splitlines()[-2:] == [
        "Ann would have won after round 1; as played, Ann leads.",
        "Rounds 2 and 4 to 5 could not have been played: the game was over (P17).",
    ]


FORCED = (*TIED[:3], "round add 2y1yn", "round void 1 --force")
"""Ann won the tie in round 3, which is passed over without round 1: nobody ties then."""


def test_nothing_is_blamed_twice(pollctl: Pollctl) -> None:
    """A round that is passed over already is no reproach to another rule, and may count by it."""
    told = done(pollctl, *FORCED, "standings --what-if spaces=3 --json").json
    assert [each["round"] for each in told["problems"]] == [3]
    assert (told["what_if"]["impossible"], told["what_if"]["possible"]) == ([], [])
    assert done(pollctl, "standings --what-if spaces=3").out.count("ound 3") == 1
    told = done(pollctl, "standings --what-if spaces=1 --json").json
    assert (told["problems"], told["what_if"]["impossible"], told["winners"]) == ([], [], ["Ann"])
    assert [each["round"] for each in told["what_if"]["possible"]] == [3]
    out = done(pollctl, "standings --what-if spaces=1").out
    assert out.splitlines()[-1] == "Round 3 would count, and as played can't."


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "Nobody would have won yet, and nobody would lead, as played."),
        (1, "Ann and Ben would be in a tie-break; as played, Ann and Ben lead."),
        (3, "Ann and Ben would be in a tie-break; as played, Ann won after round 3."),
    ],
)
def test_as_of_a_round(pollctl: Pollctl, number: int, words: str) -> None:
    """With --round both sides are as of that round, and later rounds are left out of account."""
    line = f"standings --what-if spaces=1 --round {number}"
    assert f"\n{words}\n" in done(pollctl, *RACE, line).out
    told = done(pollctl, f"{line} --json").json
    assert told["what_if"]["as_played"]["standings"] == rows(pollctl, f"--round {number}")
    assert [each["round"] for each in told["problems"]] == list(range(2, number + 1))


def rows(pollctl: Pollctl, options: str) -> Any:
    """The standings, without a supposition."""
    return done(pollctl, f"standings --json {options}").json["standings"]


def test_an_evening_that_ended_early(pollctl: Pollctl) -> None:
    """An evening that was stopped has no winner, unless the other rule ends it before."""
    done(pollctl, POLL, "round add 1y3n3n", "end --reason late")
    ends = {
        "spaces=3": "Nobody would have won, as played.",
        "spaces=2": "Ann would have won after round 1; as played, the evening ended and nobody "
        "won.",
    }
    for rule, words in ends.items():
        out = done(pollctl, f"standings --what-if {rule}").out
        assert out.split("\n\n")[-1].replace("\n    ", " ") == f"{words}\n"


def test_a_format_is_a_table_alone(pollctl: Pollctl) -> None:
    """With --format nothing but the table under the rule is printed, as ever."""
    done(pollctl, *RACE)
    line = "standings --format plain"
    table = done(pollctl, line).out
    assert done(pollctl, f"{line} --what-if spaces=4").out == table.replace("3  +1", "4  +2")
    assert done(pollctl, f"{line} --what-if paths=2").out == table


REFUSED = {
    "spaces=0": "P2",
    "spaces=many": "P2",
    "spaces": None,
    "start=3": None,
    "paths=1": "P3",
    "tiebreak=draw": "P16",
    "spaces=4 --what-if spaces=5": "P2",
    "spaces=3": "P12",
    "spaces=4": "P14",
}
"""What can't be supposed, with the clause, where Ann begins on 4."""


@pytest.mark.parametrize("rule", REFUSED)
def test_refused(pollctl: Pollctl, room: Path, rule: str) -> None:
    """What is no rule, no value, or does not go with the others and the beginning is refused."""
    done(pollctl, f"{POLL} --start ann=4", "round add 1y3n3n")
    before = snapshot(room)
    answer = pollctl("standings", "--json", "--what-if", *rule.split())
    assert (answer.status, answer.json["rule"]) == (1, REFUSED[rule])
    assert answer.json["text"] in answer.err
    assert "Nothing was written" not in answer.err
    assert snapshot(room) == before


def test_two_needs_that_do_not_go_together(pollctl: Pollctl) -> None:
    """A need for both sticks below that for one is refused, and moved together it is not."""
    done(pollctl, *SEEN)
    answer = pollctl("standings", "--what-if", "need_two=2")
    assert (answer.status, answer.out) == (1, "")
    assert "(D12)" in answer.err
    done(pollctl, "standings --what-if need_two=2 --what-if need_one=1")


@pytest.mark.parametrize("scene", [name for name in SCENES if name != "nothing"])
def test_the_own_rules_change_nothing(pollctl: Pollctl, room: Path, scene: str) -> None:
    """Under its own rules, all given, a session stands as it does, and no file changes."""
    begin(pollctl, scene)
    before, plain = snapshot(room), done(pollctl, "standings --json").json
    rules = load(Path("game.toml").read_bytes()).game.opening.rules
    line = " ".join(f"--what-if {key}={value}" for key, value in rules.items())
    told = done(pollctl, f"standings --json {line}").json
    asked = told.pop("what_if")
    assert told == plain
    assert (asked["rules"], asked["impossible"], asked["possible"]) == (rules, [], [])
    shared = asked["as_played"].keys() & plain.keys()
    assert {key: asked["as_played"][key] for key in shared} == {key: plain[key] for key in shared}
    table = done(pollctl, "standings").out.split("\n\n")[1]
    assert done(pollctl, f"standings {line}").out.split("\n\n")[1] == table
    assert snapshot(room) == before


def supposed(seed: int, name: str) -> Table:
    """A random game, often altered, and among it the rules it is supposed to have."""
    rng = random.Random(seed)
    game = random_game(rng, name, seats=rng.random() < 0.3)
    if rng.random() < 0.3:
        game = altered(rng, game)
    rules = {**DEFAULTS[name], **random_rules(rng, name, len(game["players"]))}
    return {**game, "other": rules}


def attempt(call: Callable[[], Any]) -> Any:
    """What a call gives, or the clause under which it is refused."""
    try:
        return call()
    except Refused as error:
        return error.rule
    except Unlawful as error:
        return str(error)


@settings(max_examples=40, deadline=None)
@given(st.builds(supposed, st.integers(0, 2**32), st.sampled_from(sorted(KEYS))))
def test_a_second_scorer_supposes_the_same(game: Table) -> None:
    """The second scorer, given the other rules from the start, finds the same after every round."""
    rules, session = game["other"], load(seal_all(b"", log(game))[0])
    texts = [f"{key}={value}" for key, value in rules.items()]
    name, players, first, rounds = (game[key] for key in ("game", "players", "first", "round"))
    found = attempt(lambda: suppose(session, texts, None).game)
    told = attempt(lambda: play(name, players, first, rules, rounds, game["start"]))
    if isinstance(found, str) or isinstance(told, str):
        assert found == told
        return
    for step, theirs in zip(found.steps, told, strict=True):
        assert list(step.after.scores.values()) == theirs["scores"]
        assert (step.after.status, list(step.after.winners)) == (
            theirs["status"],
            theirs["winners"],
        )
        assert bool(step.problems) == bool(theirs["problem"])
