"""What is said of every case: each award, note, doubt and problem, word for word.

`POLLCTL_REWRITE=1 python -m pytest tests/rules` writes what is said now; look at what changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pollctl.game import Game
from pollctl.games import catalogue
from pollctl.model import Fields, Refused, Step
from pollctl.replay import begin, read_opening, replay
from tests.rules import CASES, Table, log

TRANSCRIPTS = Path(__file__).with_name("transcripts")

TYPED = ("", "3", "y", "9y", "12n", "3x", "x" * 60, "3YES", "gruen", "0R", "5/1", "51", "07", "711")
"""What may be typed for a ballot of either game."""

BALLOTS: tuple[Fields, ...] = (
    {},
    {"card": 3, "chip": "yes"},
    {"chip": "no"},
    {"large": 5, "small": 1},
)

SETTINGS: tuple[Fields, ...] = (
    {},
    {"paths": 1, "need_two": 2},
    {"need_one": 9},
    {"need_two": 3},
)


def said_of_case(case: Table) -> Iterator[str]:
    """The case's name, then whatever is said of its rounds."""
    session = replay(log(case))
    yield f"# {case['name']}"
    for step in session.steps:
        yield f"round {step.round.number}, {step.turn}: {step.after.status}"
        yield from said_of_step(step)
        doubts = (
            session.opening.game.doubt(step.before, session.opening.rules, step.round.fields)
            if step.outcome
            else ()
        )
        yield from (f"  doubt {each.rule}: {each.text}" for each in doubts)
    yield from (f"stray {each.rule}: {each.text}" for each in session.strays)
    yield ""


def said_of_step(step: Step) -> Iterator[str]:
    """Why a round is passed over, or what it counted, whom it moved, what it decided."""
    yield from (f"  problem {each.rule}: {each.text}" for each in step.problems)
    if step.outcome:
        yield f"  {dict(step.outcome.facts)}"
        yield from (
            f"  {each.rule} {each.player} {each.before} {each.change:+d} {each.after}: {each.text}"
            for each in step.outcome.awards
        )
        yield from (f"  {each.rule}: {each.text}" for each in step.outcome.notes)


def said_beside(game: Game) -> Iterator[str]:
    """What is said of ballots as they are typed, and of an opening."""
    yield "# typed"
    for text in TYPED:
        try:
            yield f"{text!r}: {dict(game.ballot.read(text))}"
        except Refused as error:
            yield f"{text!r}: {error.rule}: {error.text}"
    yield from (f"{dict(ballot)}: {game.ballot.show(ballot)}" for ballot in BALLOTS)
    opening = next(case for case in CASES if case["game"] == game.id)
    for rules in SETTINGS:
        known = {key.name for key in game.keys}
        for start in ({}, {"Ann": -1}, {"Ann": 0}, {"Ann": 11}, {"Ann": 12, "Ben": 11}):
            told = {**opening, "players": ["Ann", "Ben", "Cai"], "first": "Ann", "start": start}
            told |= {"rules": {k: v for k, v in rules.items() if k in known}, "round": []}
            opened = read_opening(log(told)[0])
            faults = game.oppose(opened.rules, begin(opened))
            yield from (f"{told['rules']} {start}: {each.rule}: {each.text}" for each in faults)


@pytest.mark.parametrize("game", catalogue().values(), ids=list(catalogue()))
def test_what_is_said(game: Game) -> None:
    """Every sentence about the cases of a game, and about what is typed, is the one kept."""
    cases = [line for case in CASES if case["game"] == game.id for line in said_of_case(case)]
    text = "\n".join([*cases, *said_beside(game)]) + "\n"
    golden = TRANSCRIPTS / f"{game.id}.txt"
    if "POLLCTL_REWRITE" in os.environ:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_the_poll_game_lacks_nothing() -> None:
    """A round of The Poll Game never has to be asked for more than its ballots."""
    game = catalogue()["poll-game"]
    assert game.lacks(game.begin({"spaces": 3}, ("Ann", "Ben"), {}), {}, {}) == ""


@pytest.mark.parametrize(
    ("dice", "sticks", "lacks"),
    [
        (None, {}, ""),
        (None, {"large_stick": "Cai"}, "dice"),
        ("33333333333311", {"large_stick": "Cai"}, ""),
        (None, {"large_stick": "Ann"}, ""),
        (None, {"small_stick": "Cai", "overrides": {"need_one": 4}}, ""),
        (None, {"small_stick": "Cai"}, "dice"),
    ],
)
def test_the_dice_are_needed_where_somebody_looks(
    dice: str | None, sticks: Fields, lacks: str
) -> None:
    """Dice are lacking only where an objection that stands has to look at them (D13)."""
    game = catalogue()["dice-democracy"]
    rules = {key.name: key.default for key in game.keys}
    state = game.begin(rules, ("Ann", "Ben", "Cai"), {})
    faces = {"Ann": (6, 4), "Ben": (6, 1), "Cai": (5, 2)}
    ballots = [{"player": p, "large": large, "small": small} for p, (large, small) in faces.items()]
    given = {"ballots": ballots, **sticks, **({"dice": dice} if dice else {})}
    assert game.lacks(state, rules, given) == lacks
