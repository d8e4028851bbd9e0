"""Transcripts in documents: the commands of their `console` blocks, run and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
RECEIPT = re.compile(r"\b[0-9A-F]{4}(-[0-9]+)(?:-[0-9A-Z]{5}){4}-[0-9A-Z]\b")


def commands(block: str) -> Iterator[str]:
    """The lines of a block that begin with a prompt, without it."""
    return (line[2:] for line in block.splitlines() if line.startswith("$ "))


def masked(text: str) -> str:
    """The text without what differs from run to run: a receipt's random digits."""
    return RECEIPT.sub(r"RECEIPT\1", text)


def run(command: str, folder: Path) -> str:
    """What a command line prints, both streams together as a terminal shows them."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def played(block: str, folder: Path) -> str:
    """The block as it comes out now."""
    return "".join(f"$ {command}\n{run(command, folder)}" for command in commands(block))
