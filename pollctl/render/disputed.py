"""Disputes: which there are, and how they were decided."""

from collections.abc import Iterator

from pollctl.model import Event
from pollctl.render.answers import Answer, dumps
from pollctl.render.words import joined
from pollctl.replay import last_names
from pollctl.session import Session
from pollctl.wording import late_words


def disputes_answer(session: Session) -> bytes:
    """Every dispute that stands, with its outcome: null while it is open."""
    rows = [
        {"event": event.seq, **event.fields, "outcome": outcome}
        for event, outcome in _disputes(session)
    ]
    answer: Answer = {"schema": "pollctl.disputes/1", "disputes": rows}
    return dumps(answer)


def disputes_words(session: Session) -> str:
    """A line for each dispute that stands."""
    lines = [
        f"Entry {event.seq}, round {event.fields['round']}: {late_words(event.fields)}; "
        f"{outcome or 'open'}."
        for event, outcome in _disputes(session)
    ]
    if session.game.history.disputes:
        lines.append("What the open ones can change: pollctl standings.")
    return joined(lines or ["There are no disputes."])


def _disputes(session: Session) -> Iterator[tuple[Event, str | None]]:
    """The disputes that stand, under the last names, each with how it was first decided."""
    fallen, outcomes = session.game.history.fallen, dict[int, str]()
    events = last_names(session.game.opening.game, session.log.events)
    standing = [event for event in events if event.seq not in fallen]
    for event in standing:
        if event.kind == "resolve" and event.fields["target"] < event.seq:
            outcomes.setdefault(event.fields["target"], event.fields["outcome"])
    for event in standing:
        if event.kind == "dispute":
            yield event, outcomes.get(event.seq)
