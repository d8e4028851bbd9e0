"""The first fold: events in, the rounds that stand out, every correction applied."""

from collections.abc import Collection, Iterator, Mapping, Sequence
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


def renamed(events: Sequence[Event], named: Collection[str]) -> Sequence[Event]:
    """The events with every player under the name borne at the end of the log.

    `named` are the fields of a round that hold a player. A name is read as it stood when the
    event was recorded, so that taking a new name back misleads nobody.
    """
    if all(event.kind != "rename" for event in events):
        return events
    changes = list(_changes(events))
    names: dict[str, str] = {}
    found = []
    for event in reversed(events):
        while changes and changes[-1][0] > event.seq:
            _, old, new = changes.pop()
            names[old] = names.pop(new, new)
        found.append(event._replace(fields=_with_names(event.fields, names, named)))
    return found[::-1]


def toggled(event: Event, events: Sequence[Event]) -> list[int]:
    """The `seq` of all that an event takes down, or, where that is a void, up again."""
    found = []
    while event.kind == "void" and 0 < event.fields["target"] < event.seq:
        event = events[event.fields["target"] - 1]
        found.append(event.seq)
    return found


def _changes(events: Sequence[Event]) -> Iterator[tuple[int, str, str]]:
    """Every change of a name as the log grew: at which `seq`, from what, to what."""
    down = set[int]()
    for event in events:
        if event.kind == "rename":
            yield event.seq, event.fields["player"], event.fields["to"]
        for seq in toggled(event, events):
            down ^= {seq}
            if events[seq - 1].kind == "rename":
                old, new = events[seq - 1].fields["player"], events[seq - 1].fields["to"]
                yield (event.seq, new, old) if seq in down else (event.seq, old, new)


def _with_names(fields: Fields, names: Mapping[str, str], named: Collection[str]) -> Fields:
    """The fields of an event under other names."""
    return {field: _under(field, value, names, named) for field, value in fields.items()}


def _under(field: str, value: Any, names: Mapping[str, str], named: Collection[str]) -> Any:
    """What one field holds, under other names."""
    if field in _PLAYER or field in named:
        return names.get(value, value)
    if field == "players":
        return [names.get(each, each) for each in value]
    if field in _SCORES:
        return {names.get(each, each): score for each, score in value.items()}
    if field in _ROWS:
        return [_with_names(row, names, named) for row in value]
    return _with_names(value, names, named) if field == "set" else value


_PLAYER, _SCORES = ("player", "after", "first"), ("start", "table")
_ROWS = ("ballots", "penalties", "rulings")


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
        dispute = disputes.pop(event.fields["target"], None) if event.kind == "resolve" else None
        if dispute is None:
            found.append(event)
        elif event.fields["outcome"] == "upheld":
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
