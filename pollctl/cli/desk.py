"""What all commands share: which session, reading it, and how an answer goes out."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from pollctl import store
from pollctl.cli.ended import Ended, guided, tell
from pollctl.log import NotASession
from pollctl.log import read as read_log
from pollctl.model import Refused
from pollctl.session import Session, Unscorable, compute, load
from pollctl.text import shown

Function = TypeVar("Function", bound=Callable[..., Any])


class Number(click.ParamType[int]):
    """A plain number: no sign, no underscore, ASCII digits only."""

    name = "number"

    def __init__(self, low: int) -> None:
        """Take the smallest it may be."""
        self.low = low

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it; raises BadParameter."""
        from pollctl.notation import read_number

        try:
            return read_number(value, "it", self.low)
        except Refused as error:
            self.fail(error.text, param, ctx)


NUMBER = Number(1)
AS_OF = Number(0)
"""A round's number, or 0 for the time before the first."""


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
            if ctx.params.get("as_json"):
                from pollctl.render import answers

                answer(answers.dumps(answers.refused(error.rule, error.text)))
            clause = f" ({error.rule})" if error.rule else ""
            nothing = "\nNothing was written." if self.writes and not guided() else ""
            raise Ended(error.status, f"{shown(error.text)}{clause}.{nothing}") from None
        except store.Trouble as error:
            raise Ended(error.status, f"{error.text}.") from None


def offers(what: str, field: str = "") -> Callable[[click.Context, click.Parameter, str], Any]:
    """Complete a value as `what` of pollctl.cli.complete does; imported when somebody asks."""

    def offered(ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        from pollctl.cli import complete

        return getattr(complete, what)(asking(ctx, incomplete, str(param.name), field))

    return offered


def asking(ctx: click.Context, word: str, param: str = "", field: str = "") -> Any:
    """What somebody asks who presses Tab, as pollctl.cli.complete takes it."""
    from pollctl.cli import complete

    return complete.ask(ctx, param, field, word, lambda: session_path(ctx.params.get("path")))


def reads(function: Function) -> Function:
    """Add the options of a command that reads a session."""
    return session_option(json_option(function))


session_option = click.option(
    "-s",
    "--session",
    "path",
    metavar="FILE",
    help="The session; else POLLCTL_SESSION, else the current one.",
    shell_complete=offers("files"),
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")


def round_option(text: str, number: Number = NUMBER) -> Callable[[Function], Function]:
    """Let a command take the number of a round that stands."""
    return click.option(
        "--round",
        "number",
        type=number,
        metavar="N",
        help=text,
        shell_complete=offers("rounds"),
    )


def _check_format(_ctx: click.Context, _param: click.Parameter, style: str | None) -> str | None:
    """Hold a table format to those tabulate has; asked only when one is given."""
    if style is None:
        return None
    from pollctl.render.tables import FORMATS

    if style not in FORMATS:
        raise click.BadParameter(f"{style!r} is none of {', '.join(FORMATS)}.")
    return style


format_option = click.option(
    "--format",
    "style",
    metavar="FORMAT",
    callback=_check_format,
    help="As tabulate names it.",
    shell_complete=offers("formats"),
)


def session_path(given: str | None) -> str:
    """The session a command works on; raises UsageError where there is none."""
    path = os.environ.get("POLLCTL_SESSION") or store.current() if given is None else given
    if not path:
        raise click.UsageError("no current session: pollctl new, pollctl use FILE, or -s FILE")
    return path


def open_session(path: str) -> Session:
    """Read a session, warning on standard error where the file is damaged."""
    with _named(path):
        log = store.read(path, read_log, lambda log: log.chain != "torn")
        session = compute(log)
    if log.fault:
        text = f"{path} is {log.chain}: {log.fault}; what is sealed is shown"
        tell(f"pollctl: {shown(text)}.")
    return session


def answer(text: str | bytes, *, recorded: bool = False) -> None:
    """Write to standard output; raises Ended where it can't take it.

    A closed pipe is no error unless something was recorded that could not be told.
    """
    try:
        if sys.stdout is None:
            raise BrokenPipeError
        click.echo(text)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = None  # or the interpreter fails again at its end
        if recorded:
            raise Ended(5, "recorded, but the answer could not be printed.") from None
        if not isinstance(error, BrokenPipeError):
            raise Ended(6, f"the answer could not be printed: {error.strerror}.") from None


def load_session(path: str, data: bytes) -> Session:
    """Read a session from its bytes; what is wrong with them is told with the file's name."""
    with _named(path):
        return load(data)


@contextmanager
def _named(path: str) -> Iterator[None]:
    try:
        yield
    except (NotASession, Unscorable) as error:
        raise type(error)(error.rule, f"{path} {error.text}") from None
