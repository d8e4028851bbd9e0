"""Completion in the shell: the script that asks, and the answer to it."""

import os
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem, FishComplete, ShellComplete, ZshComplete

from pollctl import store
from pollctl.cli.desk import Command, answer, json_option

PROGRAM = "pollctl"
VARIABLE = "_POLLCTL_COMPLETE"
"""Set by the scripts, to `bash_complete` and so on."""

_CURSOR = "\0"
"""Stands where the cursor is, and can't stand on a command line."""

SCRIPTS = Path(__file__).parents[1] / "completions"
"""The folder of the scripts, one for each shell."""


class Line(ShellComplete):
    """What all three shells do here: send the line as it stands before the cursor."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words of the line after the program's name, and the one that is begun."""
        words, _ = split(os.environ["COMP_WORDS"])
        return words[1:-1], words[-1]


class Bash(Line):
    """Completion in bash, which quotes nothing by itself and cuts words at `:` and `=`."""

    name = "bash"

    def format_completion(self, item: CompletionItem[str]) -> str:
        """What replaces the part of the word that bash replaces, quoted as that part is."""
        words, quote = split(os.environ["COMP_WORDS"])
        part = os.environ["COMP_CWORD"]
        begun = re.sub("^--[^=]*=", "", words[-1])
        kept = len(begun) - len(split(quote + part)[0][-1])
        return f"{item.type},{escaped(item.value[kept:], quote)}"


class Zsh(Line, ZshComplete):
    """Completion in zsh."""

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Three lines an item; zsh takes backslashes for quotes where a help text follows."""
        if item.help:
            item = CompletionItem(item.value.replace("\\", r"\\"), item.type, item.help)
        return super().format_completion(item)


class Fish(Line, FishComplete):
    """Completion in fish."""


SHELLS: Mapping[str, type[Line]] = {"bash": Bash, "zsh": Zsh, "fish": Fish}


def split(line: str) -> tuple[list[str], str]:
    """The words of an unfinished line, the last one perhaps empty, and the quote left open."""
    for quote in ("", "'"):
        with suppress(ValueError):
            return _words(line, quote), quote
    return _words(line, '"'), '"'


def _words(line: str, quote: str) -> list[str]:
    """The words of a line with this quote open; raises ValueError where another one is."""
    *words, last = shlex.split(line + _CURSOR + quote)
    return [*words, last.removesuffix(_CURSOR)]


def escaped(text: str, quote: str) -> str:
    """A text as it is typed in bash: after this quote, which bash closes, or after none."""
    if quote == "'":
        return text.replace("'", r"'\''")
    special = r'[\\"$`]' if quote else r"[^\w\x80-\U0010ffff@%+=:,./-]"
    return re.sub(f"({special})", r"\\\1", text, flags=re.ASCII)


def script(shell: str) -> str:
    """The script that a shell reads to complete pollctl."""
    return store.read_bytes(str(SCRIPTS / f"{PROGRAM}.{shell}")).decode()


def respond(program: click.Command, instruction: str) -> int:
    """Answer a script; whatever is wrong, nothing is offered and nothing said."""
    shell, _, what = instruction.partition("_")
    with suppress(Exception, KeyboardInterrupt):
        if what == "complete":
            click.echo(SHELLS[shell](program, {}, PROGRAM, VARIABLE).complete())
    return 0


@click.command(
    "completion",
    cls=Command,
    examples=("pollctl completion bash", "pollctl completion zsh", "pollctl completion fish"),
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@json_option
def completion_command(shell: str, *, as_json: bool) -> None:
    """Print the script that completes pollctl in a shell: bash, zsh or fish.

    Let the shell read it at its start. In ~/.bashrc, and in ~/.zshrc after compinit:
    eval "$(pollctl completion bash)", or zsh. In ~/.config/fish/config.fish:
    pollctl completion fish | source
    """
    text = script(shell)
    if as_json:
        from pollctl.render.answers import dumps

        answer(dumps({"schema": "pollctl.completion/1", "shell": shell, "script": text}))
    else:
        answer(text.removesuffix("\n"))
