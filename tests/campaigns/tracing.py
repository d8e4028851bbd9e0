"""The whole program under strace: what it asked of the system, and what it is made to meet."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.campaigns.campaign import Skipped
from tests.conftest import Answer
from tests.log.processes import PROGRAM

LOG = Path("strace.log")
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+|\?)(.*)")


class Call(NamedTuple):
    """One system call."""

    name: str
    nth: int
    """The how manieth of this name."""
    arguments: str
    result: int
    """-1 where it failed, or never came back."""


@cache
def strace() -> str:
    """Where the tracer is; raises Skipped where there is none, or it may not trace."""
    path = shutil.which("strace")
    if path is None:
        raise Skipped("strace is not installed")
    if subprocess.run([path, "true"], capture_output=True, check=False).returncode:
        raise Skipped("strace may not trace here")
    return path


def traced(words: Sequence[str], *options: str) -> Answer:
    """The answer of the whole program, traced into LOG with these options."""
    done = subprocess.run(
        [strace(), "-f", "-o", str(LOG), *options, *PROGRAM, *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def recorded(words: Sequence[str], *options: str) -> list[Call]:
    """Every system call of a command, in order."""
    answer = traced(words, *options)
    if answer.status:
        raise AssertionError(f"{' '.join(words)} fails while it is recorded: {answer.err}")
    return parsed(LOG.read_text("ascii", "replace").splitlines())


def parsed(lines: Iterable[str]) -> list[Call]:
    """The calls of a log, those that never came back included."""
    counts: Counter[str] = Counter()
    calls = []
    for line in lines:
        text = re.sub(r"^\d+ +", "", line)
        if match := _CALL.match(text):
            name, arguments, result = match[1], match[2], match[3]
        elif match := re.match(r"(\w+)\((.*)", text):
            name, arguments, result = match[1], match[2], "-1"
        else:
            continue
        counts[name] += 1
        value = -1 if result == "?" else int(result)
        calls.append(Call(name, counts[name], arguments, value))
    return calls
