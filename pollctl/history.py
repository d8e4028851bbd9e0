"""The first fold: events in, the rounds that stand out, every correction applied."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.model import Event, Fields, Round

CORRECTIONS = ("penalty", "ruling", "amend")
"""Kinds that change what a round says."""

SEATS = ("join", "leave")
"""Kinds that change who is seated."""

UNDOABLE = frozenset({"round", *CORRECTIONS, *SEATS, "rename", "draw", "dispute", "resolve", "end"})
"""Kinds that undo takes back, beside a void made by the void commands."""


class History(NamedTuple):
    """What stands, and what was taken back."""

    rounds: tuple[Round, ...]
    """The rounds that stand, corrected, in order."""
    voided: tuple[Round, ...]
    """The rounds that do not stand, corrected, in order."""
    fallen: frozenset[int]
    """The `seq` of every event that is taken back."""
    ended: bool
    """Whether the evening was stopped early."""
    seats: tuple[Event, ...] = ()
    """Every leaving and joining that stands, in order."""
    disputes: tuple[Event, ...] = ()
    """The disputes that stand and are not decided, in order."""


def resolve(events: Sequence[Event]) -> History:
    """Apply every correction that stands to the rounds that stand."""
    fallen = _fallen(events)
    others = [e for e in events if e.kind != "round" and e.seq not in fallen]
    decided, disputes = _decided(others)
    corrections = _corrections(decided)
    standing: list[Round] = []
    voided: list[Round] = []
    for event in events:
        if event.kind == "round":
            number = event.fields["number"]
            rounds = voided if event.seq in fallen else standing
            rounds.append(_apply(event, corrections.get(number, ())))
    ended = any(event.kind == "end" for event in others)
    seats = tuple(event for event in others if event.kind in SEATS)
    return History(tuple(standing), tuple(voided), fallen, ended, seats, disputes)


class Growth:
    """What stands while a log grows, entry by entry."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self._targets: dict[int, int] = {}
        self._voids = Counter[int]()
        """How many voids that stand take each entry back."""

    def stands(self, seq: int) -> bool:
        """Whether nothing that stands takes this entry back."""
        return not self._voids[seq]

    def read(self, event: Event) -> list[int]:
        """Go on by one event: the `seq` of all that it takes back, or puts back up."""
        turned: list[int] = []
        seq, change = event.seq, 1
        if event.kind == "void" and 0 < event.fields["target"] < seq:
            self._targets[seq] = event.fields["target"]
            while seq in self._targets:
                seq = self._targets[seq]
                self._voids[seq] += change
                if self._voids[seq] != (change > 0):
                    break
                turned.append(seq)
                change = -change
        return turned


def next_number(events: Sequence[Event]) -> int:
    """The number the next round gets: one more than any round ever had."""
    return 1 + max((e.fields["number"] for e in events if e.kind == "round"), default=0)


def undoable(events: Sequence[Event], fallen: frozenset[int]) -> tuple[Event, ...]:
    """The latest entry that undo may take back, an import as a whole; empty if there is none."""
    for event in reversed(events):
        by_hand = event.kind == "void" and event.fields["by"] == "void"
        if event.seq not in fallen and (event.kind in UNDOABLE or by_hand):
            return tuple(e for e in _batch(events, event) if e.seq not in fallen)
    return ()


def redoable(events: Sequence[Event], fallen: frozenset[int]) -> tuple[Event, ...]:
    """The latest undo that stands, while only undos and redos came after it; else empty."""
    for event in reversed(events):
        if event.kind != "void" or event.fields["by"] == "void":
            return ()
        if event.fields["by"] == "undo" and event.seq not in fallen:
            return _batch(events, event)
    return ()


def _fallen(events: Sequence[Event]) -> frozenset[int]:
    """What is taken back by a void that stands itself; a void only reaches back."""
    fallen: set[int] = set()
    for event in reversed(events):
        if event.kind == "void" and event.seq not in fallen and event.fields["target"] < event.seq:
            fallen.add(event.fields["target"])
    return frozenset(fallen)


def _decided(events: Sequence[Event]) -> tuple[Sequence[Event], tuple[Event, ...]]:
    """The events that stand with each dispute where it was upheld, as what it is about.

    Beside them the disputes that nobody has decided.
    """
    disputes = {event.seq: event for event in events if event.kind == "dispute"}
    if not disputes:
        return events, ()
    found = []
    for event in events:
        dispute = disputes.get(event.fields["target"]) if event.kind == "resolve" else None
        if dispute is None or dispute.seq > event.seq:
            found.append(event)
            continue
        del disputes[dispute.seq]
        if event.fields["outcome"] == "upheld":
            kind = "penalty" if "penalty" in dispute.fields else "ruling"
            found.append(event._replace(kind=kind, fields=dispute.fields))
    return found, tuple(disputes.values())


def _corrections(events: Sequence[Event]) -> Mapping[int, list[Event]]:
    """The corrections, in order, under the number of the round they are about."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.kind in CORRECTIONS:
            found.setdefault(event.fields["round"], []).append(event)
    return found


def _apply(event: Event, corrections: Sequence[Event]) -> Round:
    """A round with its corrections; the time of one amended is the one it was amended to."""
    at, fields = event.at, event.fields
    for correction in corrections:
        fields = _corrected(fields, correction)
        at = correction.fields.get("set", {}).get("at", at)
    return Round(event.fields["number"], event.seq, at, fields)


def _corrected(fields: Fields, event: Event) -> Fields:
    """The fields of a round after one correction."""
    said = event.fields
    if event.kind == "penalty":
        penalty = {"player": said["player"], "kind": said["penalty"]}
        return {**fields, "penalties": [*fields.get("penalties", ()), penalty]}
    if event.kind == "ruling":
        ruling = {name: said[name] for name in ("player", "change", "reason")}
        return {**fields, "rulings": [*fields.get("rulings", ()), ruling]}
    amended = {k: v for k, v in fields.items() if k not in said.get("clear", ())}
    changes = {name: value for name, value in said.get("set", {}).items() if name != "at"}
    if "ballots" in changes:
        changes["ballots"] = _merged(fields["ballots"], changes["ballots"])
    return {**amended, **changes}


def _merged(ballots: Sequence[Any], changed: Sequence[Any]) -> list[Any]:
    """The ballots with those of the named players replaced."""
    new = {ballot.get("player"): ballot for ballot in changed}
    return [new.get(ballot.get("player"), ballot) for ballot in ballots]


def _batch(events: Sequence[Event], event: Event) -> tuple[Event, ...]:
    """All events that were recorded by the same command as this one."""
    if "batch" not in event.fields:
        return (event,)
    place, size = map(int, event.fields["batch"].split("/"))
    first = event.seq - place
    return tuple(events[first : first + size])
