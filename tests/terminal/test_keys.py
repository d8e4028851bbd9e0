"""The README's table of keystrokes: typed key by key, and found in the file as meant."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
import pytest

from pollctl.session import load
from tests.conftest import Pollctl
from tests.documents.test_readme import README

ENTER = "⏎"
PLAYERS = ("Ann", "Ben", "Cai", "Dee", "Eve", "Fay")
ROWS = re.findall(r"^\| (.+?) \| `([^`|]*⏎)` \| (\d+) \|$", README.read_text("utf-8"), re.MULTILINE)

POLL = {
    "pollster": "Ann",
    "ballots": [
        {"player": player, "card": card, "chip": chip}
        for player, card, chip in zip(
            PLAYERS, (3, 4, 3, 2, 3, 3), ("yes", "no", "yes", "no", "yes", "yes"), strict=True
        )
    ],
}
DICE = {
    "chairperson": "Ann",
    "ballots": [
        {"player": player, "large": int(faces[0]), "small": int(faces[1])}
        for player, faces in zip(PLAYERS, ("64", "61", "52", "11", "22", "33"), strict=True)
    ],
    "large_stick": "Cai",
    "dice": "11122344455566",
}


class Meant(NamedTuple):
    """What a row of the table has to come to."""

    game: str
    arguments: str
    """What is typed before the keys that count."""
    prompt: str
    """What the keys are typed after."""
    most: int
    fields: dict[str, Any]


MEANT = (
    Meant("poll", "", "$ ", 26, POLL),
    Meant("dice", "", "$ ", 50, DICE),
    Meant("poll", "play", f"{', '.join(PLAYERS)}, as 3y 4n: ", 16, {**POLL, "question": "Why?"}),
    Meant("dice", "play --no-count", "Enter goes on: ", 36, DICE),
)
"""For each row of the table, in its order."""


def test_the_table_has_a_row_for_each_round() -> None:
    """Four usual rounds stand in the README, none with more keys than it may take."""
    assert [len(keys) for _, keys, _ in ROWS] == [int(count) for _, _, count in ROWS]
    assert all(int(row[2]) <= meant.most for row, meant in zip(ROWS, MEANT, strict=True))


@pytest.mark.parametrize(("row", "meant"), list(zip(ROWS, MEANT, strict=True)), ids=lambda x: x[0])
def test_these_keys_make_this_round(
    row: tuple[str, str, str], meant: Meant, room: Path, pollctl: Pollctl
) -> None:
    """Exactly the characters of the table, typed into a terminal, make exactly this entry."""
    assert pollctl("new", meant.game, *PLAYERS, "-o", "s.toml").status == 0
    shell = pexpect.spawn(
        "/bin/sh",
        cwd=str(room),
        env={**os.environ, "PS1": "$ ", "TERM": "xterm", "LANG": "C.UTF-8"},
        encoding="utf-8",
        dimensions=(24, 80),
        timeout=20,
    )
    shell.expect_exact("$ ")
    shell.send(f"alias pollctl='{sys.executable} -m pollctl'; clear\r")
    shell.expect_exact("clear\r")
    shell.expect_exact("$ ")
    shell.send(f"pollctl {meant.arguments}")
    if meant.arguments:
        shell.send("\r")
    if "question" in meant.fields:
        shell.expect_exact("Question, or Enter: ")
        shell.send("Why?\r")
    if meant.arguments:
        shell.expect_exact(meant.prompt)
    shell.send(row[1].replace(ENTER, "\r"))
    shell.expect_exact("Receipt")
    shell.close(force=True)
    _opening, event = load(Path("s.toml").read_bytes()).log.events
    assert event.fields == {"number": 1, **meant.fields}
