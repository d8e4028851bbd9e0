"""The examples are whole games, and hold what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pollctl.session import Session, load
from pollctl.standings import standings
from tests.conftest import Pollctl

FOLDER = Path(__file__).parents[2] / "examples"

RESULTS = {
    "friday-poll-game": (
        ["Ben 1 9", "Dee 2 9", "José 3 7", "Cai 4 6", "Ann 5 1"],
        "9939-21-NFZE0-YRMWK-GCQF5-N960X-U",
    ),
    "league-dice-democracy": (
        ["Oskar 1 13", "Noor 2 9", "Mia 3 7", "Pia 4 6", "李雷 5 4"],
        "164B-8-MR32P-4Y4DG-2MTZG-MKM06-M",
    ),
}
"""Player, rank and score of each example, and the receipt of its last entry."""


def session(name: str) -> Session:
    """One example."""
    return load((FOLDER / f"{name}.toml").read_bytes())


def test_every_example_is_held() -> None:
    """No session lies among the examples without its result here."""
    assert {path.stem for path in FOLDER.glob("*.toml")} == RESULTS.keys()


@pytest.mark.parametrize("name", RESULTS)
def test_an_example_has_its_result(name: str) -> None:
    """An example is intact, finished, free of problems, and ends as it is known to."""
    found = session(name)
    rows = [f"{row.player} {row.rank} {row.score}" for row in standings(found.game)]
    assert (rows, found.log.receipt) == RESULTS[name]
    assert (found.log.chain, found.game.status, found.game.problems) == ("intact", "finished", ())


@pytest.mark.parametrize("name", RESULTS)
def test_a_spreadsheet_gives_the_same_game(name: str, pollctl: Pollctl) -> None:
    """The CSV beside an example is what it exports, and imports to its standings."""
    sheet = FOLDER / f"{name}.csv"
    pollctl("new", "--like", str(FOLDER / f"{name}.toml"), "-o", "past.toml")
    assert pollctl("round", "import", str(sheet)).status == 0
    rows = pollctl("standings", "--json").json["standings"]
    assert [f"{row['player']} {row['rank']} {row['score']}" for row in rows] == RESULTS[name][0]
    assert pollctl("round", "export").out == sheet.read_text(encoding="utf-8")


def test_the_poll_game_has_what_an_evening_has() -> None:
    """The Poll Game's example holds a tie-break, both penalties, a ruling and corrections."""
    found = session("friday-poll-game")
    rules = {a.rule for step in found.game.steps if step.outcome for a in step.outcome.awards}
    assert any(step.before.contenders for step in found.game.steps)
    assert {"P8", "P9", "P10", "P11", "P13"} <= rules
    assert {"amend", "void", "penalty"} <= {event.kind for event in found.log.events}


def test_dice_democracy_has_what_an_evening_has() -> None:
    """The other example has both sticks in one hand, a rule card, rulings and a correction."""
    found = session("league-dice-democracy")
    rounds = [each.fields for each in found.game.history.rounds]
    sticks = [(fields.get("large_stick"), fields.get("small_stick")) for fields in rounds]
    assert any(large == small is not None for large, small in sticks)
    assert any("rule_card" in fields and "overrides" in fields for fields in rounds)
    assert {"amend", "ruling"} <= {event.kind for event in found.log.events}


def test_the_evening_is_played_from_nothing(room: Path) -> None:
    """The script opens two sessions and plays both to their winners through the command line."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [FOLDER / "evening.sh", room / "evening"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.count("Cai wins. The game is over.") == 3
    winners = [load(path.read_bytes()).game.state.winners for path in (room / "evening").iterdir()]
    assert winners == [("Cai",), ("Cai",)]
