"""The command line: commands are imported only when they are used."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

import click

from pollctl import __version__
from pollctl.cli.ended import Caller, Ended, tell
from pollctl.cli.lazy import LazyGroup

COMMANDS = {
    "play": "play",
    "new": "session",
    "use": "session",
    "log": "session",
    "round": "rounds",
    "penalty": "corrections",
    "ruling": "corrections",
    "void": "corrections",
    "undo": "corrections",
    "redo": "corrections",
    "deck": "decks",
    "draw": "decks",
    "check": "evening",
    "dispute": "evening",
    "player": "evening",
    "end": "evening",
    "standings": "reading",
    "board": "reading",
    "explain": "reading",
    "next": "reading",
    "audit": "audit",
    "receipt": "trust",
    "repair": "trust",
    "accept": "trust",
    "help": "help",
    "completion": "completion",
}
"""Every command, with the module of this folder that holds it."""


@click.group(
    cls=LazyGroup, modules=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--no-color", is_flag=True, help="Never use colour.")
@click.version_option(__version__, prog_name="pollctl")
@click.pass_context
def cli(ctx: click.Context, *, no_color: bool) -> None:
    """Keep the score of The Poll Game and Dice Democracy.

    Open a session with `pollctl new`, record each round with `pollctl round add`, and read
    `pollctl standings`. Every mistake can be taken back with `pollctl undo`.
    """
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False


def main() -> NoReturn:
    """Run pollctl with the arguments of this process, and end it with the right status."""
    if "_POLLCTL_COMPLETE" in os.environ:
        from pollctl.cli.completion import respond

        sys.exit(respond(cli, os.environ["_POLLCTL_COMPLETE"]))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        elif stream is None:
            from pollctl.store import fill_descriptors

            fill_descriptors()
    sys.exit(_run(sys.argv[1:]))


def run(arguments: Sequence[str], *, guided: bool = False) -> int:
    """Run one command; its exit status, after any error has been told on standard error.

    Signals that a write has held back are let go again, which the end of a process does not need.
    """
    from pollctl.store import unbroken

    with unbroken():
        return _run(arguments, guided=guided)


def _run(arguments: Sequence[str], *, guided: bool = False) -> int:
    try:
        status = cli.main(
            list(arguments), prog_name="pollctl", standalone_mode=False, obj=Caller(run, guided)
        )
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        text, status = error.format_message(), 2
    except click.UsageError as error:
        text, status = _usage(error), error.exit_code
    except Ended as error:
        text, status = error.args[0] and f"pollctl: {error}", error.status
    except (click.Abort, KeyboardInterrupt):
        text, status = "\npollctl: interrupted, nothing recorded", 130
    except OSError as error:
        sys.stdout = None  # or the interpreter fails again at its end
        if isinstance(error, BrokenPipeError):
            return 0
        text, status = f"pollctl: this could not be printed: {error.strerror}", 6
    _told(text, guided=guided)
    return status


def _told(text: str, *, guided: bool) -> None:
    """Tell an error, if there is one; at a prompt nobody has to hear which program it is."""
    if guided:
        from pollctl.text import wrapped

        lines = text.replace("pollctl: ", "", 1).split("\n")
        text = "\n".join(line and wrapped(f"  {line}", 80, 4) for line in lines)
    if text:
        tell(text)


def _usage(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "pollctl"
    return f"pollctl: {error.format_message()}\nTry: {path} --help"
