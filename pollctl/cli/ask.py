"""A round asked for question by question, where none was typed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import click

from pollctl.game import Field
from pollctl.model import Refused
from pollctl.notation import Typed, read_fields
from pollctl.recording import not_over
from pollctl.session import Session
from pollctl.text import several, shown

BACK = "<"


class Question(NamedTuple):
    """One short question."""

    field: Field
    text: str
    default: str
    """What Enter alone means, shown in brackets; empty for nothing."""
    needed: bool
    prefix: str = ""
    """What the answer is typed with: the player whose ballot it is."""


def ask_round(session: Session, typed: Typed, check: Callable[[Typed], object]) -> Typed:
    """Ask for a round until `check` takes the answers; raises Abort when the host leaves.

    Fields that were typed are not asked for. An answer of `<` goes back to the question before.
    """
    not_over(session.game)
    asked = _questions(session, typed)
    click.echo(f"Enter takes what stands in [ ]; {BACK} goes back; Ctrl-C leaves.", err=True)
    answers: list[str] = []
    while True:
        while len(answers) < len(asked):
            _next(session, asked, answers)
        whole = _typed(typed, asked, answers)
        if _accepted(partial(check, whole)):
            return whole
        answers.pop()


def _next(session: Session, asked: Sequence[Question], answers: list[str]) -> None:
    """Ask one question: an answer more, or one less."""
    question = asked[len(answers)]
    default = question.default if question.default or not question.needed else None
    answer = click.prompt(
        shown(question.text), default=default, show_default=bool(default), err=True
    ).strip()
    if answer == BACK:
        del answers[-1:]
    elif not answer or _accepted(lambda: _read(session, question, answer)):
        answers.append(answer)


def _accepted(read: Callable[[], object]) -> bool:
    """Whether an answer can be read; if not, say why."""
    try:
        read()
    except Refused as error:
        clause = f" ({error.rule})" if error.rule else ""
        click.echo(f"  {shown(error.text)}{clause}.", err=True)
        return False
    return True


def _questions(session: Session, typed: Typed) -> list[Question]:
    game, asked = session.game.opening.game, []
    for field in game.fields:
        if field.kind == "ballots":
            for player in session.game.state.seats:
                text = f"{player}, {game.ballot.hint}"
                asked.append(Question(field, text, "", needed=True, prefix=f"{player}:"))
        elif field.ask and not typed.get(field.name):
            default = session.game.turn if field.name == game.role else ""
            asked.append(Question(field, field.ask, default, needed=False))
    return asked


def _read(session: Session, question: Question, answer: str) -> object:
    name = question.field.name
    texts = {name: _texts(question, answer)}
    return read_fields(session.game.opening.game, session.game.state.seats, texts)


def _texts(question: Question, answer: str) -> list[str]:
    lists = question.field.kind in ("moves", "rulings", "settings")
    return several(answer) if lists else [question.prefix + answer]


def _typed(typed: Typed, asked: Sequence[Question], answers: Sequence[str]) -> Typed:
    """What was typed on the command line, with the answers."""
    whole = {name: list(texts) for name, texts in typed.items()}
    for question, answer in zip(asked, answers, strict=True):
        if answer:
            whole.setdefault(question.field.name, []).extend(_texts(question, answer))
    return whole
