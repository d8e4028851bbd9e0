"""Groups of commands that are imported only when they are used."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **kwargs: Any) -> None:
        """Take every further command's name, with the module of this folder that holds it."""
        super().__init__(*args, **kwargs)
        self.modules = modules

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """All commands, in the order in which an evening needs them."""
        return [*self.commands, *self.modules]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"pollctl.cli.{self.modules[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed; raises NoSuchCommand with those of a similar name."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            known: Sequence[str] = self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=known, ctx=ctx
            ) from None
