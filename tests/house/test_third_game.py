"""A third game is one file in the catalogue, and every command plays it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

GAME = Path(__file__).with_name("third_game.py")

EVENING = (
    ("new", "high", "Ann", "Ben", "Cai", "-o", "cards.toml", "--rule", "goal=2"),
    ("round", "add", "7 3 9", "--suit", "hearts", "--note", "a quiet start"),
    ("round", "add", "ann:9", "ben:1", "cai:2"),
    ("round", "amend", "2", "ben:8"),
    ("ruling", "ben=+1", "--reason", "dropped a card"),
    ("undo",),
    ("redo",),
    ("round", "void", "1"),
    ("void", "5"),
    ("undo",),
    ("deck", "show", "suits.txt"),
    ("deck", "use", "suits.txt"),
    ("draw",),
    ("draw", "--skip", "torn"),
    ("draw",),
    ("round", "add", "999"),
    ("round", "add", "989"),
    ("use", "cards.toml"),
    ("standings",),
    ("standings", "--format", "github"),
    ("board",),
    ("explain",),
    ("round", "list"),
    ("round", "show", "2"),
    ("log",),
    ("next",),
)


@pytest.fixture
def home(room: Path) -> Path:
    """A copy of the program with the third game in its catalogue."""
    shutil.copytree(ROOT, room / "home" / "pollctl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(GAME, room / "home" / "pollctl" / "games" / "high_card.py")
    (room / "suits.txt").write_text("spades\nspades\n")
    return room / "home"


ALL = """
import json, sys
from pollctl.cli import run
for arguments in json.loads(sys.argv[1]):
    print(arguments, flush=True)
    if status := run(arguments):
        sys.exit(status)
"""


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the copy."""
    return python(home, "-m", "pollctl", *arguments)


def python(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the copy is found first."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_command_plays_it(home: Path) -> None:
    """Nothing but its one file is needed for a game to be opened, played, corrected and read."""
    done = python(home, "-c", ALL, json.dumps(EVENING))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    answer = json.loads(run(home, "standings", "--json").stdout)
    assert [(row["player"], row["score"]) for row in answer["standings"]] == [
        ("Ann", 1),
        ("Ben", 1),
        ("Cai", 0),
    ]
    played = json.loads(run(home, "round", "show", "3", "--json").stdout)
    assert played["fields"]["suit"] == "spades"


def test_its_slips_are_found(home: Path) -> None:
    """Where the table differs, the game's own slips say which card was misread."""
    evening = (*EVENING[:1], ("round", "add", "7 3 5"), ("check", "ann=0", "ben=0", "cai=1"))
    done = python(home, "-c", ALL, json.dumps(evening))
    assert (done.returncode, done.stderr) == (1, "")
    assert "  round 1: Ann's card was 1 (or 2, 3, 4), not 7\n" in done.stdout
    assert "    pollctl round amend 1 Ann:1\n" in done.stdout
    assert "    pollctl round amend 1 Cai:8\n" in done.stdout


def test_its_words_stand_in_the_help(home: Path) -> None:
    """The help of round add names the fields and ballots of a game that was just added."""
    text = run(home, "round", "add", "--help").stdout
    assert "--suit hearts|spades" in text
    assert "High Card: a card, as in 7 or ann:7." in text


def test_a_module_without_a_game_fails_loudly(home: Path) -> None:
    """A file in the catalogue that holds no game is named at once."""
    (home / "pollctl" / "games" / "high_card.py").write_text("GAME = None\n", encoding="utf-8")
    assert "pollctl.games.high_card has no GAME" in run(home, "new", "poll", "A", "B").stderr
