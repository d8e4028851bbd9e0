"""The session file and the disk: sessions to hold the program to, sealed with and without it."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from hypothesis import settings

from pollctl.log import seal_all
from pollctl.model import Event

if TYPE_CHECKING:
    from collections.abc import Iterable

AT = datetime(2026, 11, 30, 20, 1, 7, tzinfo=timezone(timedelta(hours=1)))

SESSION = "7f0c3c1e9a8d4b6f8e21c0d9a4b7e613"

QUICK = settings(max_examples=40, deadline=None)

OPENING = {
    "format": 1,
    "session": SESSION,
    "game": "poll-game",
    "players": ["Ann", "Ben", "Cai"],
    "first": "Ben",
}


def event(seq: int, kind: str, **fields: Any) -> Event:
    """An entry of the log, a minute after the one before it."""
    return Event(seq, AT + timedelta(minutes=seq), kind, fields)


def opening(**fields: Any) -> Event:
    """The first entry of a session."""
    return event(1, "open", **{**OPENING, **fields})


def ballots(*chips: str) -> list[dict[str, Any]]:
    """The ballots of Ann, Ben, Cai …: all play the card 1, and these chips."""
    names = ("Ann", "Ben", "Cai", "Dee")
    return [{"player": n, "card": 1, "chip": c} for n, c in zip(names, chips, strict=False)]


def round_event(seq: int, number: int, **fields: Any) -> Event:
    """A round of The Poll Game in which Ann alone says Yes."""
    given = {"number": number, "pollster": "Ben", "ballots": ballots("yes", "no", "no")}
    return event(seq, "round", **{**given, **fields})


EVENING = (
    opening(),
    round_event(2, 1, question="Do you sing in the shower?"),
    event(3, "penalty", round=1, player="Ben", penalty="chip"),
    round_event(4, 2),
    event(5, "amend", round=2, set={"ballots": ballots("no")}),
    event(6, "void", target=3, by="void"),
)
"""A small session that can be scored."""

OPEN_TEXT = f"""[[event]]
seq = 1
at = 2026-11-30 20:01:07+01:00
kind = "open"
format = 1
session = "{SESSION}"
game = "poll-game"
players = ["Ann", "Ben"]
first = "Ben"
"""
"""An opening as somebody may write it by hand, without its seal."""

ROUND_TEXT = """[[event]]
seq = 2
at = 2026-11-30 20:04:11+01:00
kind = "round"
number = 1
pollster = "Ben"
ballots = [{ player = "Ann", card = 2, chip = "yes" }, { player = "Ben", card = 1, chip = "no" }]
"""
"""A round as somebody may write it by hand, without its seal."""


def entry_text(seq: int, kind: str, text: str) -> str:
    """Some entry as somebody may write it by hand, without its seal."""
    head = f'[[event]]\nseq = {seq}\nat = 2026-11-30 20:09:00+01:00\nkind = "{kind}"\n'
    return f"{head}{text}\n"


def hand_seal(text: bytes) -> bytes:
    """The bytes with the two lines that seal them, by the page about the format alone."""
    digest = hashlib.sha256(text).hexdigest()
    return text + f'[event.seal]\nsha256 = "{digest}"\n'.encode()


def hand_sealed(*entries: str, head: str = "# by hand\n\n", between: str = "\n") -> bytes:
    """A file of these entries, each properly sealed; `between` stands before all but the first."""
    data = head.encode()
    for place, text in enumerate(entries):
        data = hand_seal(data + (between if place else "").encode() + text.encode())
    return data


def sealed(events: Iterable[Event] = EVENING) -> bytes:
    """A file of these events, as pollctl writes it."""
    return seal_all(b"", events)[0]


DATA = sealed()
"""The small session, as pollctl writes it."""


def cut(data: bytes) -> list[bytes]:
    """The blocks of a file that pollctl wrote, found without it."""
    return re.split(rb'(?<="\n)(?=\n\[\[event\]\]\n)', data)
