"""The README can't lie: its transcripts are run, and its table of commands is tried.

`POLLCTL_REWRITE=1 python -m pytest tests/documents` writes what comes out now into the README.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.documents.transcript import BLOCK, masked, played, run

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.fixture
def folder(room: Path) -> Path:
    """A folder as a reader has it, with the examples."""
    shutil.copytree(ROOT / "examples", room / "examples")
    return room


def test_its_transcripts_are_what_comes_out(folder: Path) -> None:
    """Every command of the README prints what the README says, but for random digits."""
    text = README.read_text(encoding="utf-8")
    now = BLOCK.sub(lambda match: played(match[0], folder), text)
    if os.environ.get("POLLCTL_REWRITE"):
        README.write_text(now, encoding="utf-8")
    assert masked(now) == masked(text)


def test_its_screens_were_seen() -> None:
    """Every screen of the README stands in an evening that is played by the tests."""
    text, folder = README.read_text(encoding="utf-8"), ROOT / "tests" / "terminal" / "evenings"
    evenings = [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]
    screens = [part.partition("```")[0].strip() for part in text.split("```text\n")[1:]]
    assert screens
    assert all(any(screen in evening for evening in evenings) for screen in screens)


def test_its_first_command_scores_an_example(folder: Path) -> None:
    """What the first of the two commands runs, once installed, prints a winner."""
    command = README.read_text(encoding="utf-8").split("pip install . && ")[1].splitlines()[0]
    assert "Ben wins. The game is over." in run(command, folder)
