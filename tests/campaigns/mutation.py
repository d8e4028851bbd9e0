"""Small faults put into the rules and into history, one at a time: the tests find them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tests.campaigns.campaign import Broken, Campaign, Case, Plan, Skipped, demand

HOME = Path(__file__).parents[2]

COPIED = ("pollctl", "tests", "examples", "man", "pyproject.toml", "README.md")

SETUP = """\
[mutmut]
source_paths=pollctl/games/poll_game/__init__.py
    pollctl/games/dice_democracy/__init__.py
    pollctl/seating.py
    pollctl/history.py
    pollctl/naming.py
also_copy=pollctl
    tests
    examples
    man
pytest_add_cli_args_test_selection=tests/rules
    tests/log/test_history.py
    tests/commands/test_evening.py
    tests/commands/test_undo.py
    tests/commands/test_corrections.py
    tests/commands/test_refusals.py
    tests/commands/test_notation.py
    tests/commands/test_reading.py
pytest_add_cli_args=-p
    no:syrupy
    -n0
"""
"""The tests are those that start no process: one would run what is not mutated."""

GOAL = 0.95
SURVIVED = (0, 33)
"""What a mutant ends with that no test fails for, or that no test reaches."""


def cases(_: Plan) -> Iterator[Case]:
    """Every file that is mutated."""
    if find_spec("mutmut") is None:
        raise Skipped("mutmut is not installed")
    for folder in COPIED:
        copy = shutil.copytree if (HOME / folder).is_dir() else shutil.copy
        copy(HOME / folder, folder)
    Path("setup.cfg").write_text(SETUP, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 1)],
        capture_output=True,
        check=False,
        env={**os.environ, "POLLCTL_GAMES": "20"},
    )
    metas = sorted(Path("mutants").rglob("*.meta"))
    if not metas:
        raise Broken(done.stdout.decode("utf-8", "replace")[-2000:])
    for meta in metas:
        ends: dict[str, int | None] = json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
        yield Case(str(meta.relative_to("mutants")), partial(hold, ends), len(ends))


def hold(ends: dict[str, int | None]) -> str:
    """Hold a file to so many of its mutants being killed; which were not is listed."""
    counts = Counter("survived" if end in SURVIVED else "killed" for end in ends.values())
    alive = [name for name, end in ends.items() if end in SURVIVED]
    demand(None not in ends.values(), "not every mutant was tried")
    share = counts["killed"] / max(1, len(ends))
    demand(share >= GOAL, f"{share:.1%} are killed; not so: {' '.join(alive)}")
    return f"killed but for {len(alive)}"


CAMPAIGN = Campaign(
    "mutation",
    "Of the small faults put into the rules and into history the tests find 95 % or more.",
    cases,
    shares=1,
    short=False,
)
