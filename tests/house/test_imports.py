"""What a command imports is what it costs to start: held to a budget, so that it can't creep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Pollctl

COUNT = """
import sys
import click
known = set(sys.modules)
from pollctl.cli import _run as run
status = run(sys.argv[1:])
print(status, *sorted(set(sys.modules) - known), file=sys.stderr)
"""

OURS = "pollctl"
HEAVY = {
    "tabulate",
    "platformdirs",
    "hashlib",
    "wcwidth",
    "csv",
    "dataclasses",
    "importlib.metadata",
    "pkgutil",
    "pollctl.evening",
    "pollctl.naming",
    "pollctl.what_if",
}

BUDGETS = {
    ("--version",): (8, set[str]()),
    ("standings", "--json"): (45, set[str]()),
    ("explain", "--json"): (45, set[str]()),
    ("round", "list", "--json"): (52, set[str]()),
    ("round", "add", "2y1n", "--json"): (56, set[str]()),
    ("round", "add", "2y1n"): (50, set[str]()),
    ("penalty", "ann=chip"): (53, set[str]()),
    ("undo",): (55, {"pollctl.naming"}),
    ("log",): (45, set[str]()),
    ("board",): (45, set[str]()),
    ("next",): (46, set[str]()),
    ("draw",): (60, set[str]()),
}
"""The modules a command may import beyond click's, and which of the heavy ones it needs."""


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info[:2] != (3, 11),
    reason="elsewhere platformdirs finds the state folder, and the standard library imports more",
)
@pytest.mark.parametrize("arguments", BUDGETS, ids=" ".join)
def test_a_command_keeps_its_budget(
    arguments: tuple[str, ...], room: Path, pollctl: Pollctl
) -> None:
    """A command imports no more modules than it may, and none of the heavy ones."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    pollctl("round", "add", "1y0n")
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments],
        cwd=room,
        capture_output=True,
        text=True,
        check=True,
    )
    status, *modules = done.stderr.splitlines()[-1].split()
    most, allowed = BUDGETS[arguments]
    assert status == "0"
    assert len(modules) <= most, modules
    assert not HEAVY & set(modules) - allowed


def test_the_program_begins_before_anything_is_imported() -> None:
    """Garbage is not collected while the program's imports are read, nor is Ctrl-C a traceback."""
    code = "import sys, pollctl.__main__; sys.exit('click' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the short way is taken on Linux only")
@pytest.mark.parametrize("state", ["", "/somewhere/else"])
def test_the_state_folder_is_where_platformdirs_has_it(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short way to the user's state folder ends where the library's way does."""
    from platformdirs import user_state_dir

    from pollctl import store

    monkeypatch.setenv("XDG_STATE_HOME", state)
    assert store.current_file() == f"{user_state_dir('pollctl', appauthor=False)}/current"
