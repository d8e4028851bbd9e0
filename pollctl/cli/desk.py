"""What all commands share: which session, reading it, and how an answer goes out."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from pollctl import store
from pollctl.cli.ended import Ended
from pollctl.log import NotASession
from pollctl.model import Refused
from pollctl.session import Session, Unscorable, load
from pollctl.text import shown

Function = TypeVar("Function", bound=Callable[..., Any])


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
                from pollctl.render import answers

                answer(answers.dumps(answers.refused(error.rule, error.text)))
            clause = f" ({error.rule})" if error.rule else ""
            nothing = "\nNothing was written." if self.writes else ""
            raise Ended(error.status, f"{shown(error.text)}{clause}.{nothing}") from None
        except store.Trouble as error:
            raise Ended(error.status, f"{error.text}.") from None


def reads(function: Function) -> Function:
    """Add the options of a command that reads a session."""
    return session_option(json_option(function))


session_option = click.option(
    "-s",
    "--session",
    "path",
    metavar="FILE",
    help="The session; else POLLCTL_SESSION, else the current one.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")


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
        path, lambda data: load_session(path, data), lambda found: found.log.chain != "torn"
    )
    if session.log.fault:
        text = f"{path} is {session.log.chain}: {session.log.fault}; what is sealed is shown"
        click.echo(f"pollctl: {shown(text)}.", err=True)
    return session


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


def load_session(path: str, data: bytes) -> Session:
    """Read a session from its bytes; what is wrong with them is told with the file's name."""
    try:
        return load(data)
    except (NotASession, Unscorable) as error:
        raise type(error)(error.rule, f"{path} {error.text}") from None


def _drop_output() -> None:
    """Keep the interpreter from failing again when it flushes at its end."""
    if sys.stdout is not None:
        store.discard(sys.stdout.fileno())
