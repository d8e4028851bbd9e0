"""Taking entries back: void, undo and redo, and what keeps an entry from being taken back."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pollctl.history import SEATS, redoable, undoable
from pollctl.model import Event, Fields, Refused
from pollctl.recording import Draft, batch_mark, step_of
from pollctl.replay import Replay, replay
from pollctl.session import Session, event_of, voids
from pollctl.text import check_sentence, twins
from pollctl.wording import event_words, late_words


def void_round(session: Session, number: int, reason: str | None, at: datetime) -> Draft:
    """A round taken back, as if never played."""
    return void_event(session, step_of(session, number).round.seq, reason, at)


def void_event(session: Session, seq: int, reason: str | None, at: datetime) -> Draft:
    """Any entry taken back, but for the opening and the marks of undo and redo."""
    event = event_of(session, seq)
    by_undo = event.kind == "void" and event.fields["by"] != "void"
    if event.kind == "open" or by_undo:
        other = "start a new session instead"
        if by_undo:
            other = "redo takes it back" if event.fields["by"] == "undo" else "undo takes it back"
        raise Refused("", f"entry {seq} can't be voided: {other}")
    if void := voids(session, seq):
        raise Refused("", f"entry {seq} is taken back already, by entry {void.seq}")
    fields = {"by": "void"}
    if reason is not None:
        fields["reason"] = check_sentence(reason, "reason")
    return _take_back(session, [event], fields, at, "took back")


def undo(session: Session, at: datetime) -> Draft:
    """The latest entry that stands taken back; raises Refused where there is none."""
    targets = undoable(session.log.events, session.game.history.fallen)
    if not targets:
        raise Refused("", "there is nothing to undo")
    return _take_back(session, targets, {"by": "undo"}, at, "took back")


def redo(session: Session, at: datetime) -> Draft:
    """The latest undo taken back; raises Refused where something else came after it."""
    undos = redoable(session.log.events, session.game.history.fallen)
    if not undos:
        raise Refused("", "there is nothing to redo: redo only follows an undo")
    return _take_back(session, undos, {"by": "redo"}, at, "put back")


def _take_back(
    session: Session, targets: Sequence[Event], fields: Fields, at: datetime, verb: str
) -> Draft:
    """Voids of the targets, as one batch where they are several."""
    from pollctl.naming import changed_names

    first, size = len(session.log.events) + 1, len(targets)
    taken = []
    for i, target in enumerate(targets):
        said = {"target": target.seq, **fields, **batch_mark(i, size)}
        taken.append(Event(first + i, at, "void", said))
    events = [*session.log.events, *taken]
    after = replay(events)
    names = changed_names(events, first)
    _told_apart(session.game, after, names)
    _ended_last(session, after)
    what = _named(session, targets[0])
    number = targets[0].fields.get("number", targets[0].fields.get("round"))
    if size > 1:
        what, number = f"{size} entries: {what}; …", None
    return Draft(tuple(taken), session.game, after, f"{verb} {what}", number, names=names)


def _told_apart(before: Replay, after: Replay, names: Mapping[str, str]) -> None:
    """Raise Refused where a name that is taken back is another player's by now."""
    merged = len(after.players) < len(before.players) or twins(after.players)
    for name in names.values() if merged else ():
        text = f"another player is called {name} by now: rename that one first"
        raise Refused(before.opening.game.seats_rule, text)


def _ended_last(session: Session, after: Replay) -> None:
    """Raise Refused where an end that is put back has something after it that it forbids."""
    if after.history.ended and not session.game.history.ended:
        events = [e for e in session.log.events if e.seq not in after.history.fallen]
        end = next(event.seq for event in events if event.kind == "end")
        for event in events:
            if event.seq > end and event.kind in ("round", *SEATS):
                raise Refused("", f"entry {event.seq} came after that end: void it first")


def _named(session: Session, event: Event) -> str:
    """An entry in words: a round as it is corrected, a void by what it took back."""
    seq = event.fields.get("target", 0)
    target = session.log.events[seq - 1] if 0 < seq < event.seq else event
    if event.kind == "void" and target is not event:
        named = _named(session, target)
        return named if event.fields["by"] == "undo" else f"the void of {named}"
    if event.kind == "resolve" and target.kind == "dispute":
        about = f"{late_words(target.fields)} in round {target.fields['round']}"
        return f"that it was {event.fields['outcome']}: {about}"
    if event.kind == "round":
        history = session.game.history
        for each in (*history.rounds, *history.voided):
            if each.seq == event.seq:
                event = event._replace(fields=each.fields)
    return event_words(session.game.opening.game, event)
