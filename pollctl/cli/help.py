"""The command about the commands: help."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from pollctl import store
from pollctl.cli.desk import Command, answer, json_option
from pollctl.text import brief


def _offered(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Any:
    """What can be typed next: the commands of the group named so far."""
    found = _find(ctx.find_root(), ctx.params.get("names") or ())
    return found.command.shell_complete(found, incomplete)


@click.command("help", cls=Command, examples=("pollctl help round add", "pollctl help"))
@click.argument("names", nargs=-1, metavar="[COMMAND]...", shell_complete=_offered)
@json_option
@click.pass_context
def help_command(ctx: click.Context, names: Sequence[str], *, as_json: bool) -> None:
    """Open the manual page of a command, or without one that of pollctl.

    Where there is no terminal or no man, the command's help is printed instead.
    """
    found = _find(ctx.find_root(), names)
    page = _page(f"{found.command_path.replace(' ', '-')}.1")
    if page and not as_json and sys.stdout is not None and sys.stdout.isatty():
        with suppress(OSError):
            os.execvp("man", ["man", page])  # noqa: S606, S607 - the reader's own, as typed
    text = found.command.get_help(found)
    if as_json:
        from pollctl.render.answers import dumps

        about = {"schema": "pollctl.help/1", "command": found.command_path}
        answer(dumps({**about, "page": page, "text": text}))
    else:
        answer(text)


def _find(ctx: click.Context, names: Sequence[str]) -> click.Context:
    """The context of a command, by its names from the program on; raises UsageError."""
    for name in names:
        if not isinstance(ctx.command, click.Group):
            raise click.UsageError(f"{ctx.command_path} has no command {brief(name)}.", ctx)
        _, command, _ = ctx.command.resolve_command(ctx, [name])
        if command:
            ctx = click.Context(command, ctx, name)
    return ctx


def _page(name: str) -> str | None:
    """Where a page lies: beside the program in a checkout, else where it was installed."""
    beside = str(Path(__file__).parents[2] / "man" / "man1" / name)
    return beside if store.exists(beside) else _installed(name)


def _installed(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, files

    with suppress(PackageNotFoundError):
        for file in files("pollctl") or ():
            if file.name == name:
                return str(file.locate())
    return None
