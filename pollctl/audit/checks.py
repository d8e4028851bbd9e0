"""What an audit asks of a file: one small function a question, each yielding what it finds."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pollctl.codec import REQUIRED, misshapen
from pollctl.damage import Damage, readable
from pollctl.game import card_fields
from pollctl.history import SEATS
from pollctl.log import Log
from pollctl.model import Event, Refused
from pollctl.replay import begin
from pollctl.session import Session
from pollctl.text import check_name, listing, look_alikes, twins


class Evidence(NamedTuple):
    """One file, as far as it can be read."""

    log: Log | None
    """None where no event can be used."""
    session: Session | None
    """None where it can't be scored."""
    damage: Damage
    fault: str
    """Why there is no log or no session; empty otherwise."""


class Finding(NamedTuple):
    """Something an auditor is told."""

    event: int | None
    round: int | None
    rule: str
    """The clause or section; empty for the check's own."""
    text: str


def unreadable(seen: Evidence) -> Iterator[Finding]:
    """Nothing of the file can be used."""
    if seen.log is None:
        yield Finding(None, None, "", seen.fault)


def disguised(seen: Evidence) -> Iterator[Finding]:
    """A mail program or an editor changed the bytes and not what they say."""
    if seen.damage.names:
        yield Finding(None, None, "", f"the bytes were changed: {listing(seen.damage.names)}")


def torn(seen: Evidence) -> Iterator[Finding]:
    """The file ends in the middle of an entry or of an import."""
    whole = seen.log is not None and seen.log.chain in ("intact", "accepted")
    log = None if whole else readable(seen.damage.mended, trusting=True)
    if log and log.chain == "torn":
        yield Finding(len(log.events) + 1, None, "", log.fault)


def broken(seen: Evidence) -> Iterator[Finding]:
    """Bytes were altered after they were sealed."""
    if seen.log and seen.log.chain == "broken":
        yield Finding(len(seen.log.events) + 1, None, "", seen.log.fault)


def vouched(seen: Evidence) -> Iterator[Finding]:
    """The owner vouches for altered bytes."""
    for event in seen.log.events if seen.log else ():
        if event.kind == "accept":
            first = event.fields.get("first_bad")
            reason = event.fields.get("reason", "no reason given")
            text = f"entries {first} to {event.seq - 1} were accepted as they stand: {reason}"
            yield Finding(event.seq, None, "", text)


def mended(seen: Evidence) -> Iterator[Finding]:
    """Something was moved aside."""
    for event in seen.log.events if seen.log else ():
        if event.kind == "repair" and not misshapen(event):
            text = f"{event.fields['removed']:,} bytes were moved to {event.fields['kept_in']}"
            yield Finding(event.seq, None, "", text)


def newer(seen: Evidence) -> Iterator[Finding]:
    """A later pollctl wrote it."""
    if seen.log and seen.log.newer:
        yield Finding(None, None, "", f"it holds {seen.log.newer}")


def misformed(seen: Evidence) -> Iterator[Finding]:
    """A sealed entry is not what its kind asks for."""
    for event in _known(seen):
        if text := misshapen(event):
            yield Finding(event.seq, None, "", f"the {event.kind} is none: {text}")


def unopened(seen: Evidence) -> Iterator[Finding]:
    """The opening can't be played."""
    if seen.log and not seen.session and not seen.log.newer and not list(misformed(seen)):
        yield Finding(1, None, "", seen.fault)


def identity(seen: Evidence) -> Iterator[Finding]:
    """The session's id is not 128 bits in hex."""
    if seen.log:
        name = str(seen.log.events[0].fields.get("session", ""))
        if not re.fullmatch("[0-9a-f]{32}", name):
            yield Finding(1, None, "", f"the session's id is {name[:40]!r}, not 32 hex digits")


def clock(seen: Evidence) -> Iterator[Finding]:
    """Time runs backwards from one entry to the next."""
    events = seen.log.events if seen.log else ()
    for before, event in pairwise(events):
        if event.at < before.at:
            text = f"it is dated {before.at - event.at} before the entry above it"
            yield Finding(event.seq, _number(event), "", text)


def numbering(seen: Evidence) -> Iterator[Finding]:
    """The rounds are not numbered in the order of recording."""
    expected = 1
    for event in _known(seen):
        if event.kind == "round":
            number = event.fields.get("number")
            if number != expected:
                text = f"the round has the number {number}, and {expected} is next"
                yield Finding(event.seq, None, "", text)
            expected = number + 1 if type(number) is int else expected + 1


def names(seen: Evidence) -> Iterator[Finding]:
    """A name is outside the format's limits, or two are one player's."""
    if not seen.session:
        return
    game, rule = seen.session.game, seen.session.game.opening.game.seats_rule
    for seq, player in _given(seen.session):
        try:
            same = check_name(player, rule) == player
        except Refused as error:
            yield Finding(seq, None, error.rule, error.text)
        else:
            if not same:
                yield Finding(seq, None, rule, f"{player!r} is not in plain form")
    if pair := twins(game.opening.players) or twins(game.players):
        yield Finding(_latest(seen.session, pair), None, rule, f"{listing(pair)} are one player")


def resembling(seen: Evidence) -> Iterator[Finding]:
    """Two names look the same."""
    if seen.session:
        for pair in look_alikes(seen.session.game.players):
            text = f"{listing(pair)} look alike and are two players"
            yield Finding(_latest(seen.session, pair), None, "", text)


def _given(session: Session) -> Iterator[tuple[int, str]]:
    """Every name as it was given, after the entry that gave it."""
    for event in session.log.events:
        if event.kind == "open":
            yield from ((event.seq, player) for player in event.fields["players"])
        elif event.kind in ("join", "rename"):
            yield event.seq, event.fields.get("to", event.fields["player"])


def _latest(session: Session, names: Sequence[str]) -> int:
    """The entry that gave the last of these names."""
    return max(seq for seq, name in _given(session) if name in names)


def agreement(seen: Evidence) -> Iterator[Finding]:
    """The number of players, or rules that do not go together."""
    if seen.session:
        opening = seen.session.game.opening
        low, high = opening.game.seats
        if not low <= len(opening.players) <= high:
            text = f"{opening.game.title} is for {low} to {high}, not {len(opening.players)}"
            yield Finding(1, None, opening.game.seats_rule, text)
        for fault in opening.game.oppose(opening.rules, begin(opening)):
            yield Finding(1, None, *fault)
        for player in opening.start.keys() - set(opening.players):
            yield Finding(1, None, "", f"{player} has a score to start with, and does not play")


def rule_keys(seen: Evidence) -> Iterator[Finding]:
    """Rules that the session does not state, or that nobody knows."""
    if seen.session and seen.log:
        keys = {key.name for key in seen.session.game.opening.game.keys}
        stated = seen.log.events[0].fields.get("rules", {})
        for name in sorted(keys - stated.keys()):
            yield Finding(1, None, "", f"the rule {name} is not stated; its default is taken")
        for name in sorted(stated.keys() - keys):
            yield Finding(1, None, "", f"the rule {name!r} is unknown, and not used")


def strange_fields(seen: Evidence) -> Iterator[Finding]:
    """Fields of a known kind that nobody knows: kept, not used."""
    if not seen.session:
        return
    game = seen.session.game.opening.game
    rounds = {field.name for field in game.fields}
    known = {"round": rounds, "draw": card_fields(game).keys() | {"skipped"}, **_OPTIONAL}
    for event in _known(seen):
        strange = event.fields.keys() - known.get(event.kind, {"reason"}) - _EVERYWHERE
        strange -= set(REQUIRED[event.kind])
        strange |= event.fields.get("set", {}).keys() - rounds - {"at"}
        for name in sorted(strange):
            yield Finding(event.seq, _number(event), "", f"the field {name!r} is unknown")


_EVERYWHERE = {"note", "batch"}
_OPTIONAL = {
    "open": {"title", "first", "start", "rules"},
    "amend": {"set", "clear"},
    "join": {"after"},
    "dispute": {"penalty", "change", "reason"},
    "acknowledge": {"round", "target"},
}
"""What an entry may hold beside what its kind asks for; of the kinds left out, a reason."""


def unlawful(seen: Evidence) -> Iterator[Finding]:
    """A round can't be scored where it stands, and was passed over."""
    for step in seen.session.game.steps if seen.session else ():
        for problem in step.problems:
            yield Finding(problem.event, problem.round, problem.rule, problem.text)


def after_end(seen: Evidence) -> Iterator[Finding]:
    """A round was recorded, or somebody left or joined, after the evening had been stopped."""
    if not seen.session:
        return
    game, fallen = seen.session.game, seen.session.game.history.fallen
    events = [event for event in seen.session.log.events if event.seq not in fallen]
    end = next((event.seq for event in events if event.kind == "end"), None)
    for event in events:
        if end and event.seq > end and event.kind in ("round", *SEATS):
            text = f"entry {end} ended the evening before {_AFTER_END[event.kind]}"
            yield Finding(event.seq, _number(event), game.opening.game.over_rule, text)


_AFTER_END = {"round": "this round", "leave": "somebody left", "join": "somebody sat down"}


def doubtful(seen: Evidence) -> Iterator[Finding]:
    """What is lawful in a round and probably a slip."""
    if seen.session:
        opening = seen.session.game.opening
        for step in seen.session.game.steps:
            if step.outcome:
                for fault in opening.game.doubt(step.before, opening.rules, step.round.fields):
                    yield Finding(step.round.seq, step.round.number, *fault)


def unfinished(seen: Evidence) -> Iterator[Finding]:
    """The game has no end yet, or was stopped."""
    if seen.session and seen.session.game.status != "finished":
        state = "was stopped early" if seen.session.game.status == "abandoned" else "goes on"
        yield Finding(None, None, "", f"the game {state}: nobody has won")


def _known(seen: Evidence) -> Iterator[Event]:
    return (event for event in (seen.log.events if seen.log else ()) if event.kind in REQUIRED)


def _number(event: Event) -> int | None:
    number = event.fields.get("number", event.fields.get("round"))
    return number if type(number) is int else None
