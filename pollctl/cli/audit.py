"""Commands that make a file worth trusting: audit, receipt, repair, accept."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

import click

from pollctl import store
from pollctl.audit import Report, audit, compared
from pollctl.cli.desk import Command, answer
from pollctl.cli.ended import Ended
from pollctl.render.answers import dumps
from pollctl.render.audited import audit_answer, audit_words

MANY = 8
"""Files from which on all cores are worth their start."""


@click.command(
    "audit",
    cls=Command,
    examples=(
        "pollctl audit friday.toml",
        "pollctl audit league/ --strict",
        "pollctl audit friday.toml --receipt 7F0C-12-K7QFW-2M9DX-R4TB0-9XKQ3-H",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
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
    paths = [path for name in files for path in store.sessions_under(name)]
    if not paths:
        raise Ended(2, "there is no session file there.")
    reports = compared(_watched(paths, receipts))
    if as_json:
        answer(dumps(audit_answer(reports, strict=strict)))
    else:
        answer(audit_words(reports, strict=strict))
    if not all(report.ok(strict=strict) for report in reports):
        raise Ended(1, "")


def _watched(paths: Sequence[str], receipts: Sequence[str]) -> Iterator[Report]:
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


def _reports(paths: Sequence[str], receipts: Sequence[str]) -> Iterator[Report]:
    if len(paths) < MANY:
        yield from (_report(path, receipts) for path in paths)
        return
    from concurrent.futures import ProcessPoolExecutor

    pool: Executor
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_report, paths, [receipts] * len(paths), chunksize=4)


def _report(path: str, receipts: Sequence[str]) -> Report:
    return audit(path, store.read_bytes(path), receipts)
