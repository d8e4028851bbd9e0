"""Commands about a file's own state: receipt, repair, accept."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

import click

from pollctl import store
from pollctl.audit.register import CHECKS
from pollctl.cli.desk import NUMBER, Command, answer, offers, open_session, reads, session_path
from pollctl.cli.ended import Ended
from pollctl.cli.recorder import record
from pollctl.log import NotASession
from pollctl.mending import Entry, Place, Plan, plan_accept, plan_repair
from pollctl.model import Refused
from pollctl.notation import read_word
from pollctl.recording import Draft, acknowledge
from pollctl.render.answers import Answer, dumps, state_answer
from pollctl.render.banner import banner
from pollctl.session import Session, Unscorable, load
from pollctl.text import check_sentence, shown

Rest = ParamSpec("Rest")
Result = TypeVar("Result")

WARNINGS = [check.code for check in CHECKS if check.level == "warning"]
YES = click.option("-y", "--yes", is_flag=True, help="Do it without asking, as scripts do.")


@click.command("receipt", cls=Command, examples=("pollctl receipt",))
@reads
def receipt_command(path: str | None, *, as_json: bool) -> None:
    """Show the latest receipt, large enough to photograph.

    With the extra `report` installed, as a QR code too.
    """
    file = session_path(path)
    log = open_session(file).log
    if as_json:
        seq = log.events[-1].seq
        doc = {"schema": "pollctl.receipt/1", "file": file, "event": seq, "receipt": log.receipt}
        answer(dumps(doc))
        return
    answer("\n\n".join(filter(None, (banner(log.receipt), _qr(log.receipt), log.receipt))))


def _qr(code: str) -> str:
    """The receipt as a QR code of half blocks; empty where the extra is missing."""
    with suppress(ImportError):
        from io import StringIO

        from segno import make

        out = StringIO()
        make(code).terminal(out, compact=True)
        return out.getvalue().rstrip("\n")
    return ""


@click.command(
    "repair", cls=Command, writes=True, examples=("pollctl repair --session friday.toml --yes",)
)
@YES
@reads
def repair_command(path: str | None, *, yes: bool, as_json: bool) -> None:
    """Make a damaged file whole again, deleting nothing.

    A torn end is moved into a file beside it; what a mail program or an editor did to the form
    of the file is undone. An entry tells of it. What was altered is left, for accept.
    """
    file = session_path(path)
    compose = _unchanged(partial(_repair, file))
    plan = store.mend(file, lambda data, asides: _dry(compose(data, asides)))
    _agree(yes, f"{plan.entry.said} The file {plan.kept_in} keeps the old bytes.")
    plan = store.mend(file, compose)
    said = f"{plan.entry.said} The old bytes are kept in {plan.kept_in}."
    _answer(file, plan.entry._replace(said=said), as_json=as_json)


@click.command(
    "accept",
    cls=Command,
    writes=True,
    examples=(
        "pollctl accept --session friday.toml --reason 'a typing error' --yes",
        "pollctl accept --session friday.toml --warning unfinished --reason 'we were tired'",
    ),
)
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the log.")
@click.option("--warning", metavar="CODE", help="Let a warning of audit stand instead.")
@click.option(
    "--round",
    "number",
    type=NUMBER,
    metavar="N",
    help="Of --warning: only there.",
    shell_complete=offers("rounds"),
)
@YES
@reads
def accept_command(
    path: str | None,
    reason: str,
    warning: str | None,
    number: int | None,
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Vouch for entries that were altered and can still be read.

    They count as they stand from now on; audit goes on saying that they were accepted. With
    --warning nothing was altered, and a warning of audit is acknowledged: it stays listed, with
    the reason, and --strict does not count it.
    """
    file = session_path(path)
    if warning is not None:
        _acknowledge(file, read_word(warning, WARNINGS, "warning"), number, reason, as_json=as_json)
        return
    sentence = check_sentence(reason, "reason")

    compose = _unchanged(lambda data: plan_accept(data, sentence, store.now()))
    _agree(yes, store.read(file, compose, lambda _: True)[1].said)
    _answer(file, store.append(file, compose), as_json=as_json)


def _acknowledge(
    file: str, warning: str, number: int | None, reason: str, *, as_json: bool
) -> None:
    def compose(session: Session) -> Draft:
        return acknowledge(session, warning, number, reason, store.now())

    record(file, compose, as_json=as_json)


def _repair(file: str, data: bytes, asides: dict[str, bytes]) -> Plan:
    return plan_repair(data, Place(store.base_name(file), asides, store.now()))


def _unchanged(
    compose: Callable[Concatenate[bytes, Rest], Result],
) -> Callable[Concatenate[bytes, Rest], Result]:
    """A plan that is made only of the bytes it was first made of: those that were agreed to."""
    seen: list[bytes] = []

    def check(data: bytes, /, *rest: Rest.args, **named: Rest.kwargs) -> Result:
        if seen and data != seen[0]:
            raise Refused("", "the file changed meanwhile: look at it again")
        seen.append(data)
        return compose(data, *rest, **named)

    return check


def _dry(plan: Plan) -> Plan:
    """A plan that writes nothing."""
    return plan._replace(text=b"")


def _agree(yes: bool, said: str) -> None:  # noqa: FBT001 - the flag as it was given
    """Say what will be done, and ask; raises Ended where the answer is no, or none can be had."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError("nobody can be asked here: give --yes")
    if not click.confirm(f"{shown(said)} Go on?", err=True):
        raise Ended(1, "nothing was written.")


def _answer(file: str, entry: Entry, *, as_json: bool) -> None:
    if as_json:
        answer(dumps({**_state(file), **entry._asdict()}), recorded=True)
    else:
        lines = [shown(entry.said), f"Entry {entry.event} of {file}.", f"Receipt {entry.receipt}"]
        answer("\n".join(lines), recorded=True)


def _state(file: str) -> Answer:
    """Where the game stands, as far as it can be scored."""
    try:
        return state_answer(file, store.read(file, load, lambda _: True).game)
    except (NotASession, Unscorable):
        return {"schema": "pollctl.recorded/1", "recorded": True, "session": file}
