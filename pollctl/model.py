"""The nouns: events, rounds, awards, states, problems. Values only, without behaviour."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

Fields = Mapping[str, Any]
"""The fields of an event as TOML values: strings, whole numbers, lists and tables of them."""

Rules = Mapping[str, Any]
"""Every rule key of a game with its value in this session: a whole number or one of its words."""


class Event(NamedTuple):
    """One entry of the log, as recorded."""

    seq: int
    """1, 2, 3, … in order of recording."""
    at: datetime
    """Local time with its offset, whole seconds."""
    kind: str
    """`open`, `round`, `penalty`, …: the kinds of pollctl-session(5)."""
    fields: Fields
    """Its own fields, without `seq`, `at`, `kind` and `seal`."""
    seal: str = ""
    """SHA-256 as 64 lowercase hex digits of every byte before its seal; empty while unwritten."""


class Fault(NamedTuple):
    """What a clause forbids or doubts, in a sentence that says what to do instead."""

    rule: str
    """Id of the clause (`P6`, `D13`), or the empty string where no clause of a game speaks."""
    text: str


class Problem(NamedTuple):
    """What is wrong with the log at one place."""

    round: int
    """Number of the round it shows in."""
    event: int
    """The `seq` of that round's event."""
    rule: str
    text: str


class Refused(Exception):
    """What was asked for can't be had; nothing was written."""

    status = 1
    """The exit status it means."""

    def __init__(self, rule: str, text: str) -> None:
        """Keep the clause (or the empty string) and the sentence."""
        super().__init__(text)
        self.rule = rule
        self.text = text


class Round(NamedTuple):
    """A round as it counts: its event with every correction that stands applied."""

    number: int
    """1, 2, 3, … in order of recording; a voided round leaves a gap."""
    seq: int
    at: datetime
    fields: Fields


class State(NamedTuple):
    """What stands on the table between two rounds."""

    seats: tuple[str, ...]
    """Who is seated, clockwise."""
    scores: Mapping[str, int]
    """Spaces from Start or Popularity of everyone, in seating order, who has left included."""
    status: str = "playing"
    """`playing`, `tie-break` or `finished`."""
    winners: tuple[str, ...] = ()
    """In seating order; empty until the game is over."""
    contenders: tuple[str, ...] = ()
    """Who breaks the tie, in seating order; empty outside a tie-break."""
    played: int = 0
    """How many rounds have been scored."""
    total: int = 0
    """How many rounds the game has; 0 where nobody knows."""
    ring: tuple[str, ...] = ()
    """Every seat clockwise, those of who has left too; empty while nobody has."""
    away: tuple[str, ...] = ()
    """Who left this tie-break as a contender, and is one again on joining while it lasts."""


class Award(NamedTuple):
    """One player's score moved, or kept from moving, by one clause."""

    player: str
    rule: str
    change: int
    """What really moved, after the bounds; 0 where the clause applied and moved nothing."""
    before: int
    after: int
    text: str


class Outcome(NamedTuple):
    """What a lawful round brought."""

    state: State
    """After the round."""
    awards: tuple[Award, ...]
    """In the order in which they were made; the scores of `state` are their sum."""
    facts: Fields
    """What was counted: `count`, or the majorities and `verdicts`."""
    notes: tuple[Fault, ...]
    """What was counted, then what was decided without moving anyone, each with its clause."""


class Step(NamedTuple):
    """One round of the replay: scored, or passed over because it is impossible where it stands."""

    round: Round
    turn: str
    """Its pollster or chairperson."""
    before: State
    outcome: Outcome | None
    """None where the round was passed over."""
    problems: tuple[Problem, ...]
    """Why it was passed over; empty otherwise."""

    @property
    def after(self) -> State:
        """The state after it; unchanged by a round passed over."""
        return self.outcome.state if self.outcome else self.before
