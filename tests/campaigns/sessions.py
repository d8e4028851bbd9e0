"""Sessions for the campaigns: random games with every kind of entry at their end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from pollctl.log import seal_all
from pollctl.model import Event
from tests.log import AT, ballots, event, opening, round_event, sealed
from tests.rules import log
from tests.rules.random_games import random_game

GAMES = ("poll-game", "dice-democracy")

LAST: tuple[tuple[str, dict[str, Any]], ...] = (
    ("note", {}),
    ("penalty", {"round": 1, "player": "Ann", "penalty": "chip"}),
    ("ruling", {"round": 1, "player": "Ann", "change": 1, "reason": 'ambiguous, "they" said'}),
    ("amend", {"round": 1, "set": {"question": "Straße, 李雷?"}, "clear": ["note"]}),
    ("void", {"target": 2, "by": "void"}),
    ("end", {"reason": "the last bus"}),
    ("repair", {"removed": 3, "sha256": "0" * 64, "kept_in": "x.toml.aside-1"}),
    ("acknowledge", {"warning": "clock", "reason": "summer time"}),
)
"""What may stand last; `note` stands for a round."""


class Session(NamedTuple):
    """A session file, and where its last command begins in it."""

    data: bytes
    last: int
    """Where the bytes of the last command begin."""
    events: int
    """How many events stand before them."""


def twenty(seed: int) -> list[Session]:
    """Sessions of both games with different entries at the end; one holds only its opening."""
    rng = random.Random(seed)
    made = [Session(sealed([opening()]), 0, 0)]
    for place in range(19):
        events = evening(rng, GAMES[place % 2])
        kind, fields = LAST[place // 2 % len(LAST)]
        if kind != "note":
            events.append(event(len(events) + 1, kind, **fields))
        made.append(ending(events[:-1], events[-1:]))
    return made


def evening(rng: random.Random, game: str) -> list[Event]:
    """A random game of at most eight rounds."""
    events = list(log(random_game(rng, game)))[:9]
    session = f"{rng.getrandbits(128):032x}"
    head = events[0]
    fields = {**head.fields, "session": session, "format": 1}
    return [head._replace(fields=fields, at=AT), *events[1:]]


def ending(before: Sequence[Event], last: Sequence[Event]) -> Session:
    """A session whose last command recorded these events."""
    data = seal_all(b"", before)[0]
    return Session(data + seal_all(data, last)[0], len(data), len(before))


def batch(size: int = 6) -> Session:
    """A session whose last command was an import."""
    before = [opening(), round_event(2, 1), round_event(3, 2)]
    chips = ballots("yes", "no", "yes")
    rounds = [
        round_event(place + 3, place + 2, batch=f"{place}/{size}", ballots=chips)
        for place in range(1, size + 1)
    ]
    return ending(before, rounds)


def altered() -> bytes:
    """The same, altered in the middle by somebody's editor."""
    return small().replace(b'chip = "yes"', b'chip = "no"', 1)


def small() -> bytes:
    """A session of three rounds, one with a question that looks like the file around it."""
    question = 'Is "[[event]]" or [event.seal] a line?'
    rounds = [round_event(seq, seq - 1) for seq in (2, 3)]
    return sealed([opening(), *rounds, round_event(4, 3, question=question)])
