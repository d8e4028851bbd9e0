"""Commands about rounds: add, list, show, amend, void."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, Unpack, cast

import click

from pollctl import store
from pollctl.cli.desk import (
    NUMBER,
    Command,
    answer,
    asking,
    format_option,
    offers,
    open_session,
    reads,
    session_path,
)
from pollctl.cli.ended import Ended
from pollctl.cli.lazy import LazyGroup
from pollctl.cli.recorder import Recording, forces, record, writes
from pollctl.game import Field
from pollctl.games import catalogue
from pollctl.model import Refused
from pollctl.notation import Typed, read_time
from pollctl.recording import (
    Amendment,
    Draft,
    add_round,
    amend_round,
    not_over,
    repeats,
)
from pollctl.render import answers
from pollctl.replay import no_round
from pollctl.session import Session

Function = TypeVar("Function", bound=Callable[..., Any])

METAVARS: Mapping[str, Callable[[Field], str]] = {
    "text": lambda _field: "TEXT",
    "word": lambda field: "|".join(field.words),
    "player": lambda _field: "PLAYER",
    "number": lambda _field: "N",
    "dice": lambda _field: "DICE",
    "moves": lambda field: f"PLAYER={'|'.join(field.words)}",
    "rulings": lambda _field: "PLAYER=±N:REASON",
    "settings": lambda _field: "KEY=VALUE",
}
"""How the value of an option is shown, by the kind of its field."""

_FIELD = "field_"


class RoundCommand(Command):
    """A command with an option for every field of a round of every game."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Offer the options, but for those of another game."""
        from pollctl.cli.complete import fitting

        options = super().shell_complete(ctx, incomplete)
        return fitting(asking(ctx, incomplete), options)


@click.group("round", cls=LazyGroup, modules={"import": "transfer", "export": "transfer"})
def round_command() -> None:
    """Record rounds, look at them, correct them."""


def add_help() -> str:
    """The help of `round add`, with the ballots of every game."""
    ballots = [(game.title, game.ballot) for game in catalogue().values()]
    forms = [
        f"{title}: {ballot.text}, as in {ballot.example} or ann:{ballot.example}."
        for title, ballot in ballots
    ]
    first = "Record a round: one BALLOT a player, in seating order or with names."
    return "\n\n".join([first, *forms, "Ballots without names may stand close together."])


def field_options(function: Function) -> Function:
    """Add an option for every field of a round of every game."""
    merged: dict[str, tuple[Field, list[str]]] = {}
    for game in catalogue().values():
        for field in game.fields:
            if field.kind != "ballots":
                merged.setdefault(field.name, (field, []))[1].append(game.title)
    for field, titles in reversed(merged.values()):
        only = f" [{titles[0]}]" if len(titles) == 1 else ""
        function = click.option(
            *([f"-{field.short}"] if field.short else []),
            field.flag,
            f"{_FIELD}{field.name}",
            multiple=True,
            metavar=METAVARS[field.kind](field),
            shell_complete=offers("value", field.name),
            help=f"{field.text[0].upper()}{field.text[1:]}.{only}",
        )(function)
    return function


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Sequence[str]], Recording]:
    """The texts of the round's fields, by the field's name, and how to record it."""
    typed = {k.removeprefix(_FIELD): v for k, v in options.items() if k.startswith(_FIELD)}
    how = {k: v for k, v in options.items() if not k.startswith(_FIELD)}
    return typed, cast("Recording", how)


def typed_fields(session: Session, typed: Typed) -> Typed:
    """The texts given for each field; raises Refused for those of another game."""
    game = session.game.opening.game
    known = {field.name for field in game.fields}
    for other in catalogue().values():
        for field in other.fields:
            if typed.get(field.name) and field.name not in known:
                text = f"{field.flag} belongs to {other.title}, and this is {game.title}"
                raise Refused("", text)
    return typed


@round_command.command(
    "add",
    cls=RoundCommand,
    writes=True,
    help=add_help(),
    examples=(
        "pollctl round add 3y 4n 3y",
        "pollctl round add ann:3y ben:4n cai:3y -q 'Do you sing?' -p ben=chip",
        "pollctl round add 64 61 52 -L cai -d 11223344445556",
    ),
)
@click.argument("ballots", nargs=-1, metavar="[BALLOT]...", shell_complete=offers("ballots"))
@field_options
@click.option("--at", metavar="TIME", help="When it was: ISO 8601, or HH:MM of today.")
@click.option("--expect-round", "expected", type=NUMBER, metavar="N", help="Refuse another number.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask when a round looks recorded twice.")
@writes
def add_command(
    path: str | None,
    ballots: Sequence[str],
    at: str | None,
    expected: int | None,
    *,
    yes: bool,
    **options: Any,
) -> None:
    """Record a round; its help is made from the games."""
    asks = sys.stdin is not None and sys.stdin.isatty()
    if not ballots and not asks:
        raise click.UsageError("no ballots: give one a player, in seating order or with names")
    given, how = split_options(options)
    typed: Typed = {"ballots": ballots, **given}
    file = session_path(path)
    if not ballots:
        session = open_session(file)
        not_over(session.game)
        expected = expected or session.game.next_number
        typed = _ask(session, typed, lambda now, whole: compose_round(now, whole, at, expected))
    elif asks and not yes and not how["dry_run"]:
        session = open_session(file)
        if repeats(session, compose_round(session, typed, at, expected)):
            _confirm("The same round was recorded a moment ago. Again?")
    record(file, lambda session: compose_round(session, typed, at, expected), **how)


def _ask(session: Session, typed: Typed, compose: Callable[[Session, Typed], Draft]) -> Typed:
    """Ask for what was not typed, without a word more than the questions."""
    from pollctl.cli import ask
    from pollctl.hand import dealt
    from pollctl.notation import read_fields

    seats = session.game.state.seats
    dealt(session, read_fields(session.game.opening.game, seats, typed_fields(session, typed)))
    ask.tell("Enter alone leaves out what may be left out; < goes back; Ctrl-C leaves.")
    means = ask.Means(compose, typed_line, lambda moment: moment if moment.field else None)
    voice = ask.Voice(
        lambda _moment: None, lambda text, _moment: ask.hear(text), ask.tell, lambda _seconds: None
    )
    return ask.ask_round(ask.Asked(session, typed, means), voice)


def typed_line(session: Session, words: Sequence[str]) -> Typed:
    """The texts for each field in the words of one line, read as `round add` reads them."""
    try:
        context = add_command.make_context("round add", list(words))
    except click.UsageError as error:
        raise Refused("", error.format_message().rstrip(".")) from None
    typed, _ = split_options(context.params)
    return typed_fields(session, {"ballots": context.params["ballots"], **typed})


def _confirm(question: str) -> None:
    """Ask; raises Ended where the answer is no."""
    if not click.confirm(question, err=True):
        raise Ended(1, "not recorded.")


def compose_round(
    session: Session, typed: Typed, at: str | None = None, expected: int | None = None
) -> Draft:
    """A round of what was typed for its fields, played now or at a time as typed."""
    now = store.now()
    when = now if at is None else read_time(at, now)
    return add_round(session, typed_fields(session, typed), when, expected)


@round_command.command("list", cls=Command, examples=("pollctl round list",))
@format_option
@reads
def list_command(path: str | None, style: str | None, *, as_json: bool) -> None:
    """List the rounds with what each scored; voided ones are marked."""
    session = open_session(session_path(path))
    if as_json:
        answer(answers.dumps(answers.rounds_answer(session.game)))
        return
    from pollctl.render import tables

    answer(tables.rounds_table(session.game, style or "simple"))


@round_command.command("show", cls=Command, examples=("pollctl round show 2",))
@click.argument("number", type=NUMBER, metavar="N", shell_complete=offers("recorded"))
@reads
def show_command(path: str | None, number: int, *, as_json: bool) -> None:
    """Show what was recorded for round N, and what it scored."""
    game = open_session(session_path(path)).game
    every = (*game.history.rounds, *game.history.voided)
    if number not in [each.number for each in every]:
        raise Refused("", no_round(game, number))
    if as_json:
        answer(answers.dumps(answers.round_answer(game, number)))
        return
    from pollctl.render import words

    answer(words.round_shown(game, number))


@round_command.command(
    "amend",
    cls=RoundCommand,
    writes=True,
    examples=(
        "pollctl round amend 2 ben:3y",
        "pollctl round amend 2 --clear penalties",
    ),
)
@click.argument("number", type=NUMBER, metavar="N", shell_complete=offers("rounds"))
@click.argument("ballots", nargs=-1, metavar="[BALLOT]...", shell_complete=offers("ballots"))
@field_options
@click.option("--at", metavar="TIME", help="When it was: ISO 8601, or HH:MM of today.")
@click.option(
    "--clear",
    multiple=True,
    metavar="FIELD",
    help="Drop a field; repeats.",
    shell_complete=offers("clearable"),
)
@forces
def amend_command(
    path: str | None,
    number: int,
    ballots: Sequence[str],
    at: str | None,
    clear: Sequence[str],
    **options: Any,
) -> None:
    """Replace the named ballots and the given options of round N.

    An option that repeats replaces its whole list. Everything after the round is scored again.
    """
    typed, how = split_options(options)

    def compose(session: Session) -> Draft:
        now = store.now()
        when = None if at is None else read_time(at, now)
        fields = typed_fields(session, {"ballots": ballots, **typed})
        amendment = Amendment(fields, clear, when)
        return amend_round(session, number, amendment, now)

    record(session_path(path), compose, **how)


@round_command.command(
    "void", cls=Command, writes=True, examples=("pollctl round void 2 --reason 'asked twice'",)
)
@click.argument("number", type=NUMBER, metavar="N", shell_complete=offers("rounds"))
@click.option("--reason", metavar="TEXT", help="Why; kept in the log.")
@forces
def void_command(
    path: str | None,
    number: int,
    reason: str | None,
    **how: Unpack[Recording],
) -> None:
    """Take round N back, as if never played; its number is not used again."""
    from pollctl.undoing import void_round

    record(
        session_path(path),
        lambda session: void_round(session, number, reason, store.now()),
        **how,
    )
