"""Rounds from a file and into one: round import, round export."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Unpack

import click

from pollctl import store
from pollctl.cli.desk import Command, answer, offers, open_session, reads, session_path
from pollctl.cli.recorder import Recording, record, writes
from pollctl.model import Refused
from pollctl.recording import Draft
from pollctl.render.answers import dumps
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.text import brief, listing
from pollctl.transfer import (
    Row,
    as_tables,
    import_rounds,
    read_csv,
    read_ndjson,
    write_csv,
    write_ndjson,
)

READERS: Mapping[str, Callable[[str, Replay, datetime], list[Row]]] = {
    "csv": read_csv,
    "ndjson": read_ndjson,
}
WRITERS: Mapping[str, Callable[[Replay], str]] = {"csv": write_csv, "ndjson": write_ndjson}


@click.command(
    "import",
    cls=Command,
    writes=True,
    examples=(
        "pollctl round import friday.csv",
        "pollctl round import - < friday.ndjson",
    ),
)
@click.argument("source", metavar="FILE", shell_complete=offers("files"))
@writes
def import_command(path: str | None, source: str, **how: Unpack[Recording]) -> None:
    """Record many rounds at once, from a CSV or NDJSON file; - reads NDJSON.

    All or nothing: one row that can't be recorded, and none is. A CSV file has a head, a column
    for each player with the ballots, and further columns named as the fields of a round.
    """
    form = "ndjson" if source == "-" else _form(source)
    text = _text(source)

    def compose(session: Session) -> Draft:
        rows = READERS[form](text, session.game, store.now())
        return import_rounds(session, rows)

    record(session_path(path), compose, **how)


@click.command(
    "export",
    cls=Command,
    examples=(
        "pollctl round export -o friday.csv",
        "pollctl round export --format ndjson",
    ),
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The new file, .csv or .ndjson; else printed.",
    shell_complete=offers("files"),
)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), help="Else by the file's name.")
@reads
def export_command(
    path: str | None, output: str | None, form: str | None, *, as_json: bool
) -> None:
    """Write the rounds that count as CSV or NDJSON, as round import reads them."""
    game = open_session(session_path(path)).game
    if output in (None, "-"):
        if as_json:
            rounds = list(as_tables(game))
            answer(dumps({"schema": "pollctl.export/1", "file": None, "rounds": rounds}))
        else:
            answer(WRITERS[form or "csv"](game).removesuffix("\n"))
        return
    text = WRITERS[form or _form(output)](game)
    _create(output, text)
    count = game.state.played
    if as_json:
        answer(dumps({"schema": "pollctl.export/1", "file": output, "played": count}))
    else:
        answer(f"Wrote {count} round{'' if count == 1 else 's'} to {output}.")


def _form(name: str) -> str:
    """The form a file's name ends in; raises UsageError for any other."""
    form = name.rpartition(".")[2].casefold()
    if form not in READERS:
        endings = listing([f".{each}" for each in READERS], "or")
        raise click.UsageError(f"{brief(name)} does not end in {endings}")
    return form


def _text(source: str) -> str:
    data = store.read_input() if source == "-" else store.read_bytes(source)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused("", f"{source} is not UTF-8 text: save it as CSV UTF-8") from None


def _create(output: str, text: str) -> None:
    try:
        store.create(output, text.encode())
    except FileExistsError:
        raise Refused("", f"{output} exists, and is never overwritten: give another -o") from None
