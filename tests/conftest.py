"""What all tests share: a folder and a state of their own, and the program to run in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pollctl.cli import run

MEMORY = "/dev/shm"  # noqa: S108 - each run has a folder of its own there
"""A disk that does not wait, for the thousands of folders that tests work in."""


def roomy(folder: str) -> bool:
    """Whether a folder has room for that, and programs in it may be run."""
    if not os.access(folder, os.W_OK):
        return False
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize > 1 << 30 and not disk.f_flag & os.ST_NOEXEC


if roomy(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process compiles the program anew


class Answer(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it has to be."""
        return json.loads(self.out)


Pollctl = Callable[..., Answer]
"""Runs pollctl with these arguments."""


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a state directory that holds no current session."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("POLLCTL_SESSION", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may reach and write to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


@pytest.fixture
def pollctl(capsys: pytest.CaptureFixture[str]) -> Pollctl:
    """The program, in this process: quick, for what does not concern processes."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        status = run(arguments)
        return Answer(status, *capsys.readouterr())

    return call


@pytest.fixture
def process(room: Path) -> Pollctl:
    """The program, in a process of its own."""

    def call(*arguments: str | bytes, **options: Any) -> Answer:
        command = [sys.executable, "-m", "pollctl", *arguments]
        every: dict[str, Any] = {"cwd": room, "env": dict(os.environ)}
        every |= {"stdin": subprocess.DEVNULL, **options}
        done = subprocess.run(command, capture_output=True, check=False, **every)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
