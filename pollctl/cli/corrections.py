"""Commands that correct what is recorded: penalty, ruling, void, undo, redo."""

from typing import Unpack

import click

from pollctl import store
from pollctl.cli.desk import NUMBER, Command, offers, round_option, session_path
from pollctl.cli.recorder import Recording, forces, record
from pollctl.games import catalogue
from pollctl.recording import late_penalty, late_ruling
from pollctl.undoing import redo, undo, void_event

ROUND = round_option("The round it belongs to, else the last.")


def penalty_words() -> list[str]:
    """What a penalty can be for, in any game."""
    fields = [field for game in catalogue().values() for field in game.fields]
    return [word for field in fields if field.kind == "moves" for word in field.words]


@click.command(
    "penalty",
    cls=Command,
    writes=True,
    examples=("pollctl penalty ben=answer", "pollctl penalty ben=chip --round 2"),
)
@click.argument(
    "move", metavar=f"PLAYER={'|'.join(penalty_words())}", shell_complete=offers("moves")
)
@ROUND
@forces
def penalty_command(
    path: str | None, move: str, number: int | None, **how: Unpack[Recording]
) -> None:
    """Record a penalty that was called after its round."""
    record(
        session_path(path),
        lambda session: late_penalty(session, move, number, store.now()),
        **how,
    )


@click.command(
    "ruling",
    cls=Command,
    writes=True,
    examples=(
        "pollctl ruling ann=+1 --reason 'the question was ambiguous'",
        "pollctl ruling ann=-2:'moved twice' --round 2",
    ),
)
@click.argument("move", metavar="PLAYER=±N", shell_complete=offers("rulings"))
@click.option("--reason", metavar="TEXT", help="Why, if not after a colon.")
@ROUND
@forces
def ruling_command(
    path: str | None,
    move: str,
    reason: str | None,
    number: int | None,
    **how: Unpack[Recording],
) -> None:
    """Record a ruling of the pollster or the table: a player's score moves by N."""
    record(
        session_path(path),
        lambda session: late_ruling(session, move, reason, number, store.now()),
        **how,
    )


@click.command("void", cls=Command, writes=True, examples=("pollctl void 3",))
@click.argument("seq", type=NUMBER, metavar="SEQ", shell_complete=offers("entries"))
@click.option("--reason", metavar="TEXT", help="Why; kept in the log.")
@forces
def void_command(path: str | None, seq: int, reason: str | None, **how: Unpack[Recording]) -> None:
    """Take back entry SEQ of the log: a round, a penalty, a ruling, a correction."""
    record(session_path(path), lambda session: void_event(session, seq, reason, store.now()), **how)


@click.command("undo", cls=Command, writes=True, examples=("pollctl undo",))
@forces
def undo_command(path: str | None, **how: Unpack[Recording]) -> None:
    """Take back the latest entry that stands, and say what it was."""
    record(session_path(path), lambda session: undo(session, store.now()), **how)


@click.command("redo", cls=Command, writes=True, examples=("pollctl undo", "pollctl redo"))
@forces
def redo_command(path: str | None, **how: Unpack[Recording]) -> None:
    """Take the latest undo back, while nothing else came after it."""
    record(session_path(path), lambda session: redo(session, store.now()), **how)
