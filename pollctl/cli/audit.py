"""Commands that make a file worth trusting: audit, receipt, repair, accept."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import click

from pollctl import store
from pollctl.audit import Report, audit, compared
from pollctl.cli.desk import Command, answer, offers
from pollctl.cli.ended import Ended
from pollctl.render.answers import dumps
from pollctl.render.audited import audit_answer, audit_words
from pollctl.text import shown

MANY = 8
"""Files from which on all cores are worth their start."""


class Unread(NamedTuple):
    """Something that was named and is no file to audit."""

    status: int
    text: str


@click.command(
    "audit",
    cls=Command,
    examples=(
        "pollctl audit friday.toml",
        "pollctl audit league/ --strict",
        "pollctl audit friday.toml --receipt 7F0C-12-K7QFW-2M9DX-R4TB0-9XKQ3-H",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=offers("files"))
@click.option("--receipt", "receipts", multiple=True, metavar="CODE", help="A player's; repeats.")
@click.option("--strict", is_flag=True, help="Let warnings count.")
@click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
def audit_command(
    files: Sequence[str], receipts: Sequence[str], *, strict: bool, as_json: bool
) -> None:
    """Check past sessions: bytes, seals, order, rules, corrections, receipts.

    A folder stands for the session files in it and below. Ends with status 1 where anything is
    wrong.
    """
    under = {name: store.sessions_under(name) for name in files}
    paths = list(dict.fromkeys(path for found in under.values() for path in found))
    told = list(_watched(paths, receipts))
    reports = compared(each for each in told if isinstance(each, Report))
    unread = [each for each in told if isinstance(each, Unread)]
    if reports and as_json:
        answer(dumps(audit_answer(reports, strict=strict)))
    elif reports:
        answer(audit_words(reports, strict=strict))
    _end(reports, [*unread, *(_empty(name) for name in files if not under[name])], strict=strict)


def _end(reports: Sequence[Report], unread: Sequence[Unread], *, strict: bool) -> None:
    """End with the status of what could not be read, or of what was found."""
    if unread:
        raise Ended(max(unread).status, "\npollctl: ".join(each.text for each in unread))
    if not all(report.ok(strict=strict) for report in reports):
        raise Ended(1, "")


def _empty(name: str) -> Unread:
    return Unread(2, f"there is no session file in {shown(name)}.")


def _watched(paths: Sequence[str], receipts: Sequence[str]) -> Iterator[Report | Unread]:
    """The reports one by one, with a progress bar on a terminal from a second of work on."""
    begin, bar = store.seconds(), None
    for done, report in enumerate(_reports(paths, receipts), 1):
        yield report
        if bar is None and store.seconds() - begin > 1 and sys.stderr.isatty():
            bar = click.progressbar(length=len(paths), label="Auditing", file=sys.stderr)
            bar.update(done)
        elif bar is not None:
            bar.update(1)
    if bar is not None:
        bar.render_finish()


def _reports(paths: Sequence[str], receipts: Sequence[str]) -> Iterator[Report | Unread]:
    if len(paths) < MANY:
        yield from (_report(path, receipts) for path in paths)
        return
    from concurrent.futures import ProcessPoolExecutor

    pool: Executor
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_report, paths, [receipts] * len(paths), chunksize=4)


def _report(path: str, receipts: Sequence[str]) -> Report | Unread:
    """What is found in one file; a disk's refusal is a value, so that it can cross processes."""
    try:
        load = partial(audit, path, receipts=receipts)
        return store.read(path, load, lambda report: report.chain != "torn")
    except store.Trouble as error:
        return Unread(error.status, f"{error.text}.")
