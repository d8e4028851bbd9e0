"""Disputes: which there are, how they were decided, and what the open ones can change."""

from collections.abc import Iterator

from pollctl.model import Event
from pollctl.render.answers import Answer, dumps
from pollctl.render.words import joined
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
    return joined(lines or ["There are no disputes."])


def _disputes(session: Session) -> Iterator[tuple[Event, str | None]]:
    """The disputes that stand, each with how it was first decided."""
    fallen = session.game.history.fallen
    outcomes: dict[int, str] = {}
    for event in session.log.events:
        if event.kind == "resolve" and event.seq not in fallen:
            outcomes.setdefault(event.fields["target"], event.fields["outcome"])
    for event in session.log.events:
        if event.kind == "dispute" and event.seq not in fallen:
            yield event, outcomes.get(event.seq)
