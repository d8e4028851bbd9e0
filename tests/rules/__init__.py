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
    """The log of a game: its opening, and an event for each round and each change of seats.

    Before a round stands who leaves and joins, and in `finally` who does after the last one.
    """
    opening = {key: game[key] for key in ("game", "players", "first", "rules")}
    opening |= {"start": game["start"]} if game.get("start") else {}
    events = [Event(1, AT, "open", {"format": 1, "session": "0" * 32, **opening})]
    for number, given in enumerate(game["round"], start=1):
        events += _seats(given.get("before", []), len(events))
        fields = {key: value for key, value in given.items() if key not in ("before", "after")}
        events.append(Event(len(events) + 1, AT, "round", {"number": number, **fields}))
    return events + _seats(game.get("finally", []), len(events))


def _seats(changes: list[Table], size: int) -> list[Event]:
    """Who leaves and joins, as the next events of a log of this size."""
    found = []
    for change in changes:
        kind = "leave" if "leave" in change else "join"
        beside = {"after": change["after"]} if "after" in change else {}
        size += 1
        found.append(Event(size, AT, kind, {"player": change[kind], **beside}))
    return found
