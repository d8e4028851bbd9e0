"""A session: the log as read and the game as computed from it."""

from collections.abc import Sequence
from typing import NamedTuple

from pollctl.log import Log, read, unusable
from pollctl.model import Event, Refused
from pollctl.replay import Replay, replay


class Unscorable(Refused):
    """The bytes are a session's, and this program can't score them: it is newer, or no game."""

    status = 3


class Session(NamedTuple):
    """A log with its replay."""

    log: Log
    game: Replay


def load(data: bytes) -> Session:
    """Read and compute a session from a file's bytes.

    Raises NotASession where the file holds none, Unscorable where it can't be computed.
    """
    return compute(read(data))


def compute(log: Log) -> Session:
    """Compute a session from its log; raises Unscorable."""
    if text := unusable(log):
        raise Unscorable("", text)
    try:
        return Session(log, replay(log.events))
    except Refused as error:
        raise Unscorable(error.rule, error.text) from None


def voids(session: Session, seq: int) -> Event | None:
    """The void that stands and takes this event back, if one does."""
    for event in session.log.events:
        hits = event.kind == "void" and event.fields["target"] == seq
        if hits and event.seq not in session.game.history.fallen:
            return event
    return None


def event_of(session: Session, seq: int) -> Event:
    """The event of this seq; raises Refused where there is none."""
    events: Sequence[Event] = session.log.events
    if not 1 <= seq <= len(events):
        raise Refused("", f"there is no entry {seq} in the log: it has {len(events)}")
    return events[seq - 1]
