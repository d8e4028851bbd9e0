"""What all commands share: which session, reading and recording it, and how an answer goes out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NotRequired, TypedDict, TypeVar

import click

from pollctl import store
from pollctl.cli.ended import Ended
from pollctl.log import NotASession, seal_all
from pollctl.model import Refused
from pollctl.recording import Draft, weigh
from pollctl.render import answers
from pollctl.seal import receipt
from pollctl.session import Session, Unscorable, load
from pollctl.text import shown

Function = TypeVar("Function", bound=Callable[..., Any])


class Recording(TypedDict):
    """How something is recorded: the options of every command that does."""

    force: NotRequired[bool]
    dry_run: bool
    verbose: bool
    as_json: bool


class Command(click.Command):
    """A command with examples, whose refusals are told in words and, if asked for, as JSON."""

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), writes: bool = False, **kwargs: Any
    ) -> None:
        """Take the lines of the Examples block, and whether the command records anything."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.writes = writes

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples below the options."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {example}\n" for example in self.examples))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; raises Ended where it is refused, or the disk says no."""
        try:
            return super().invoke(ctx)
        except Refused as error:
            if ctx.params.get("as_json") and error.status == 1:
                answer(answers.dumps(answers.refused(error.rule, error.text)))
            clause = f" ({error.rule})" if error.rule else ""
            nothing = "\nNothing was written." if self.writes else ""
            raise Ended(error.status, f"{shown(error.text)}{clause}.{nothing}") from None
        except store.Trouble as error:
            raise Ended(error.status, f"{error.text}.") from None


def reads(function: Function) -> Function:
    """Add the options of a command that reads a session."""
    return _session(_json(function))


def writes(function: Function) -> Function:
    """Add the options of a command that records something in a session."""
    dry = click.option("-n", "--dry-run", is_flag=True, help="Say what it would do, write nothing.")
    verbose = click.option("-v", "--verbose", is_flag=True, help="With -n: the TOML too.")
    return _session(_json(dry(verbose(function))))


def forces(function: Function) -> Function:
    """Add the options of a command that corrects what is recorded."""
    text = "Record it even where a later round becomes impossible."
    return writes(click.option("--force", is_flag=True, help=text)(function))


_session = click.option(
    "-s",
    "--session",
    "path",
    metavar="FILE",
    help="The session; else POLLCTL_SESSION, else the current one.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")


def _check_format(_ctx: click.Context, _param: click.Parameter, style: str | None) -> str:
    """Hold a table format to those tabulate has; asked only when one is given."""
    if style is None:
        return "simple"
    from pollctl.render.tables import FORMATS

    if style not in FORMATS:
        raise click.BadParameter(f"{style!r} is none of {', '.join(FORMATS)}.")
    return style


format_option = click.option(
    "--format", "style", metavar="FORMAT", callback=_check_format, help="As tabulate names it."
)


def session_path(given: str | None) -> str:
    """The session a command works on; raises UsageError where there is none."""
    path = given or os.environ.get("POLLCTL_SESSION") or store.current()
    if not path:
        raise click.UsageError("no current session: pollctl new, pollctl use FILE, or -s FILE")
    return path


def open_session(path: str) -> Session:
    """Read a session, warning on standard error where the file is damaged."""
    session = store.read(
        path, lambda data: _load(path, data), lambda found: found.log.chain != "torn"
    )
    if session.log.fault:
        text = f"{path} is {session.log.chain}: {session.log.fault}; what is sealed is shown"
        click.echo(f"pollctl: {shown(text)}.", err=True)
    return session


def record(
    path: str,
    compose: Callable[[Session], Draft],
    *,
    force: bool = False,
    dry_run: bool = False,
    verbose: bool = False,
    as_json: bool = False,
) -> None:
    """Record what `compose` makes of the session, and answer; it runs under the file's lock."""

    def draft_of(data: bytes) -> tuple[bytes, tuple[Draft, str]]:
        session = _load(path, data)
        if session.log.chain != "intact":
            damage = f"{path} is {session.log.chain}: {session.log.fault}"
            raise Ended(3, f"{shown(damage)}.\nNothing was written.")
        draft = compose(session)
        weigh(draft, force=force)
        text, sealed = seal_all(data, draft.events)
        opening = session.game.opening
        return text, (draft, receipt(opening.session, sealed[-1].seq, sealed[-1].seal))

    if dry_run:
        text, (draft, _) = store.read(path, draft_of, lambda _: True)
        _answer_recorded(path, draft, None, as_json=as_json)
        if verbose and not as_json:
            answer(shown_toml(text))
        return
    with store.unbroken():
        draft, code = store.append(path, draft_of)
        _answer_recorded(path, draft, code, as_json=as_json)


def shown_toml(text: bytes) -> str:
    """The TOML that would be appended, without its seals' promise: it was not written."""
    return text.decode().strip("\n")


def answer(text: str, *, recorded: bool = False) -> None:
    """Write to standard output; raises Ended where it can't take it.

    A closed pipe is no error unless something was recorded that could not be told.
    """
    try:
        if sys.stdout is None:
            raise BrokenPipeError
        click.echo(text)
        sys.stdout.flush()
    except OSError as error:
        _drop_output()
        if recorded:
            raise Ended(5, "recorded, but the answer could not be printed.") from None
        if not isinstance(error, BrokenPipeError):
            raise Ended(6, f"the answer could not be printed: {error.strerror}.") from None


def _answer_recorded(path: str, draft: Draft, code: str | None, *, as_json: bool) -> None:
    if as_json:
        text = answers.dumps(answers.recorded_answer(path, draft, code))
    else:
        from pollctl.render import words

        text = words.recorded(path, draft, code)
    answer(text, recorded=code is not None)


def _load(path: str, data: bytes) -> Session:
    try:
        return load(data)
    except (NotASession, Unscorable) as error:
        raise type(error)(error.rule, f"{path} {error.text}") from None


def _drop_output() -> None:
    """Keep the interpreter from failing again when it flushes at its end."""
    if sys.stdout is not None:
        store.discard(sys.stdout.fileno())
