"""What an audit finds, what a repair mends, and what neither lets pass."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from pollctl.codec import HEADER, body
from pollctl.game import defaults
from pollctl.games import find
from pollctl.model import Event
from tests.log import hand_seal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.conftest import Answer

AT = datetime(2024, 11, 30, 20, tzinfo=timezone(timedelta(hours=1)))

SESSION = "7f0c3c1e9a8d4b6f8e21c0d9a4b7e613"
PLAYERS = ["Ann", "Ben", "Cai"]

TIMES = {"poll-game": {"spaces": 4}, "dice-democracy": {"rounds": 2}}
"""Rules that make a game of each kind as short as it can be with two rounds."""


def event(seq: int, kind: str, **fields: Any) -> Event:
    """An entry of the log, a minute after the one before it."""
    return Event(seq, AT + timedelta(minutes=seq), kind, fields)


def opening(game: str = "poll-game", **fields: Any) -> Event:
    """The first entry of a session of Ann, Ben and Cai; every rule is stated."""
    rules = {**defaults(find(game)), **TIMES[game], **fields.pop("rules", {})}
    base = {"format": 1, "session": SESSION, "game": game, "players": PLAYERS, "first": "Ann"}
    return event(1, "open", **{**base, **fields}, rules=rules)


def poll_round(seq: int, number: int, pollster: str, cards: str = "1y 0n 0n", **more: Any) -> Event:
    """A round of The Poll Game; with these cards Ann alone is right, and moves two spaces."""
    names = more.pop("players", PLAYERS)
    chips = {"y": "yes", "n": "no"}
    ballots = [
        {"player": name, "card": int(card[:-1]), "chip": chips[card[-1]]}
        for name, card in zip(names, cards.split(), strict=True)
    ]
    return event(seq, "round", number=number, pollster=pollster, ballots=ballots, **more)


def dice_round(seq: int, number: int, chair: str, dials: str = "64 61 52", **more: Any) -> Event:
    """A round of Dice Democracy."""
    ballots = [
        {"player": name, "large": int(dial[0]), "small": int(dial[1])}
        for name, dial in zip(PLAYERS, dials.split(), strict=True)
    ]
    return event(seq, "round", number=number, chairperson=chair, ballots=ballots, **more)


POLL = (
    opening(),
    poll_round(2, 1, "Ann", question="Do you sing in the shower?"),
    poll_round(3, 2, "Cai", question="Would you go to Mars?"),
    event(4, "ruling", round=2, player="Ben", change=1, reason="the question was read twice"),
    event(5, "penalty", round=2, player="Ben", penalty="answer"),
)
"""A whole evening: Ann wins with the second round, and two entries come late."""

DICE = (
    opening("dice-democracy"),
    dice_round(2, 1, "Ann"),
    dice_round(3, 2, "Ben", "66 61 52"),
)
"""A whole evening of the other game: Ann has most after two rounds."""


def sealed(events: Iterable[Event]) -> bytes:
    """A file of these events, whatever they say, every one properly sealed."""
    return extended(b"", events)


def extended(data: bytes, events: Iterable[Event]) -> bytes:
    """A file with these events after all it holds."""
    for each in events:
        data = hand_seal((data + b"\n" if data else HEADER.encode()) + body(each).encode())
    return data


EVENING = sealed(POLL)
OTHER = sealed(DICE)


def findings(answer: Answer) -> list[tuple[str, str]]:
    """Everything an audit answered as JSON: `problems` or `warnings`, and the code."""
    return [
        (level, told["code"])
        for session in answer.json["sessions"]
        for level in ("problems", "warnings")
        for told in session[level]
    ]


def flat(text: str) -> str:
    """A text as one line, so that where it was wrapped does not matter."""
    return " ".join(text.split())
