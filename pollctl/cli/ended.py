"""How a command ends before its time, and how the reason is said."""

import sys

import click


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
