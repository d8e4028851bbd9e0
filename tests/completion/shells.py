"""Real shells in a pseudo-terminal, with completion loaded as a user loads it."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pexpect

from tests.house.source import ROOT

BASH = r"""
PS1='ready> '
trap 'line=$BASH_COMMAND' DEBUG
eval "$(pollctl completion bash)"
pollctl() { printf '\2%s' "$line" "$@"; printf '\3\n'; }
"""

ZSH = r"""
PS1='ready> '
autoload -U compinit
compinit -D -u
eval "$(pollctl completion zsh)"
preexec() { line=$1 }
pollctl() { printf '\2%s' "$line" "$@"; printf '\3\n'; }
"""

FISH = r"""
function fish_prompt; echo 'ready> '; end
function fish_preexec --on-event fish_preexec; set -g line (string trim $argv); end
pollctl completion fish | source
function pollctl; printf '\2%s' $line $argv; printf '\3\n'; end
"""

SHELLS = {
    "bash": (BASH, ["--noprofile", "--rcfile", ".bashrc", "-i"]),
    "zsh": (ZSH, ["-d", "-i"]),
    "fish": (FISH, ["--no-config", "--init-command", "source .fishrc"]),
}
"""What each shell reads at its start, and how it is told to read that and nothing else.

Entered, `pollctl` is a function there that shows the line and what the shell made of it; completion
asks the program itself.
"""


class Typed(NamedTuple):
    """What stood on the line when Enter was pressed, and what the shell would have run."""

    line: str
    arguments: list[str]


class Shell:
    """An interactive shell whose home is a folder."""

    def __init__(self, name: str, home: Path) -> None:
        """Start it, with `pollctl` found in the folder's `bin`."""
        start, arguments = SHELLS[name]
        (home / f".{name}rc").write_text(start, encoding="utf-8")
        self.child = pexpect.spawn(
            name,
            arguments,
            cwd=str(home),
            env={
                "HOME": str(home),
                "ZDOTDIR": str(home),
                "XDG_STATE_HOME": str(home / "state"),
                "PATH": f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin",
                "TERM": "xterm",
                "LC_ALL": "C.UTF-8",
            },
            encoding="utf-8",
            dimensions=(24, 160),
            timeout=20,
        )
        self.child.delaybeforesend = None
        self.child.expect_exact("ready> ")

    def type(self, keys: str) -> None:
        """Press keys, in which an arrow is the Tab key."""
        self.child.send(keys.replace("→", "\t"))

    def read(self) -> Typed | None:
        """What Enter brought; None where it brought nothing."""
        try:
            self.child.expect("\2([^\3]*)\3")
        except pexpect.TIMEOUT:
            self.child.send("\x03")
            return None
        assert isinstance(self.child.match, re.Match)
        line, *arguments = self.child.match[1].split("\2")
        return Typed(line, arguments)

    def sees(self, *texts: str) -> bool:
        """Whether these texts come, one after the other; the line is then left."""
        try:
            for text in texts:
                self.child.expect_exact(text)
        except pexpect.TIMEOUT:
            return False
        finally:
            self.child.send("\x03")
        return True


def installed() -> list[str]:
    """The shells that are there."""
    return [name for name in SHELLS if shutil.which(name)]


def write_program(home: Path) -> None:
    """Put a `pollctl` into the folder's `bin` that runs the code under test."""
    program = home / "bin" / "pollctl"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT.parent}" exec "{sys.executable}" -m pollctl "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
