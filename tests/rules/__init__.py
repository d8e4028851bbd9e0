"""The rules: their cases as tables, and how a game written as a table becomes a log."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pollctl.model import Event

Table = dict[str, Any]

AT = datetime(2026, 11, 30, 20, tzinfo=UTC)

CASES: list[Table] = [
    case
    for path in sorted(Path(__file__).with_name("cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
]
"""Every case of every file in `cases/`."""


def log(game: Table) -> list[Event]:
    """The log of a game: its opening, and an event for each of its rounds."""
    opening = {key: game[key] for key in ("game", "players", "first", "rules")}
    events = [Event(1, AT, "open", {"format": 1, "session": "0" * 32, **opening})]
    for number, given in enumerate(game["round"], start=1):
        fields = {key: value for key, value in given.items() if key != "after"}
        events.append(Event(number + 1, AT, "round", {"number": number, **fields}))
    return events
