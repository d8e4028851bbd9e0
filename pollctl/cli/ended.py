"""Who runs a command, how it ends before its time, and how the reason is said."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import click


class Caller(NamedTuple):
    """What runs a command: the shell, or a prompt of the guided game."""

    run: Callable[..., int]
    """Runs another command in this process, `guided` or not; its exit status."""
    guided: bool
    """Whether a host is at a prompt, knows the session, and is told there what comes next."""


def guided() -> bool:
    """Whether the command at work was typed at a prompt of the guided game."""
    context = click.get_current_context(silent=True)
    caller = context.find_root().obj if context else None
    return isinstance(caller, Caller) and caller.guided


class Ended(Exception):
    """The end of a command with an exit status of its own."""

    def __init__(self, status: int, text: str) -> None:
        """Keep the status, and the sentence for standard error; empty where nothing is to say."""
        super().__init__(text)
        self.status = status


def tell(text: str) -> None:
    """Say something on standard error, where somebody listens."""
    try:
        click.echo(text, err=True)
    except OSError:
        sys.stderr = None  # or the interpreter fails again at its end
