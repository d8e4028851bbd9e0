"""What `new` has to be told, asked for one by one."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

from pollctl import store
from pollctl.cli import ask
from pollctl.game import Game, Key
from pollctl.games import catalogue, find
from pollctl.model import Refused
from pollctl.notation import find_player, read_settings
from pollctl.opening import Plan, new_opening
from pollctl.render.words import with_clause
from pollctl.text import fold, listing

RANDOM = "random"
HELP = (
    "Enter alone takes what stands in brackets; < goes back; quit leaves.",
    "The file is written after the last answer.",
)


class _Question(NamedTuple):
    """A question about a new game."""

    prompt: Callable[[Plan], str]
    take: Callable[[Plan, str], Plan]
    """The plan with the answer; raises Refused."""


def ask_opening(name: str, earlier: Sequence[str]) -> list[str]:
    """The arguments of `new`, asked for; raises Abort where the host leaves.

    `name` is the game's, or empty where it is asked for; `earlier` are the players of the game
    before, who may play again.
    """
    while True:
        game = find(name) if name else _ask_game()
        if plan := _ask_plan(Plan(game, earlier, {}, None, None)):
            return _as_typed(plan)


def _ask_game() -> Game:
    while True:
        line = _hear(f"Which game, {listing(list(catalogue()), 'or')}")
        if line and line not in ask.BACK:
            try:
                return find(line)
            except Refused as error:
                _say(error)


def _ask_plan(plan: Plan) -> Plan | None:
    """Ask for players, rules, and who begins; None where the host goes back to the game."""
    aloud = [_about(key) for key in plan.game.keys if key.aloud]
    questions = [_Question(_whose, _players), *aloud, _Question(_who_begins, _first)]
    place = 0
    while 0 <= place < len(questions):
        line = _hear(questions[place].prompt(plan))
        if line in ask.BACK:
            place -= 1
            continue
        try:
            told = questions[place].take(plan, line)
            new_opening(_drawn(told), "0" * 32, store.now())
        except Refused as error:
            _say(error)
        else:
            plan, place = told, place + 1
    return plan if place > 0 else None


def _drawn(plan: Plan) -> Plan:
    """The plan with somebody who begins, whom chance would choose."""
    return plan._replace(first=None) if plan.first == RANDOM else plan


def _whose(plan: Plan) -> str:
    return f"Players, clockwise{_brackets(', '.join(plan.players)) or ', as Ann, Ben, Cai'}"


def _players(plan: Plan, line: str) -> Plan:
    """Names with commas between them, or blanks."""
    parts = line.split(",") if "," in line else line.split()
    names = [part.strip() for part in parts if part.strip()]
    return plan._replace(players=names, first=None) if names else plan


def _about(key: Key) -> _Question:
    said = f"{key.text[0].upper()}{key.text[1:]}"

    def prompt(plan: Plan) -> str:
        return said + _brackets(str(plan.rules.get(key.name, key.default)))

    def take(plan: Plan, line: str) -> Plan:
        told = read_settings([f"{key.name}={line}"], plan.game.keys) if line else {}
        return plan._replace(rules={**plan.rules, **told})

    return _Question(prompt, take)


def _who_begins(plan: Plan) -> str:
    return f"Who begins, or {RANDOM}{_brackets(plan.players[0])}"


def _first(plan: Plan, line: str) -> Plan:
    """The player who begins; the word for chance, unless somebody is called so."""
    if fold(line) == RANDOM and RANDOM not in map(fold, plan.players):
        return plan._replace(first=RANDOM)
    first = find_player(line or plan.players[0], plan.players, plan.game.turn_rule)
    return plan._replace(first=first)


def _brackets(text: str) -> str:
    return f" [{text}]" if text else ""


def _hear(prompt: str) -> str:
    """An answer; raises Abort where the host leaves."""
    while True:
        line = ask.hear(prompt)
        if line in ("quit", "exit"):
            raise click.Abort
        if line != "help":
            return line
        ask.tell("\n".join(f"  {each}" for each in HELP))


def _say(error: Refused) -> None:
    ask.tell(ask.remark(with_clause(error.rule, error.text)))


def _as_typed(plan: Plan) -> list[str]:
    """What `new` is given for a plan."""
    rules = [f"--rule={name}={value}" for name, value in plan.rules.items()]
    return [*rules, f"--first={plan.first}", "--", plan.game.id, *plan.players]
