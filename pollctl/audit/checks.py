"""What an audit asks of a file: one small function a question, each yielding what it finds."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pollctl.codec import REQUIRED, misshapen
from pollctl.damage import Damage
from pollctl.history import CORRECTIONS, SEATS, toggled
from pollctl.log import Log
from pollctl.model import Event, Refused, State
from pollctl.replay import Opening, begin, last_names, moved
from pollctl.seating import begin_with, pass_on
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
    if seen.log is None and not seen.damage.names:
        yield Finding(None, None, "", seen.fault)


def disguised(seen: Evidence) -> Iterator[Finding]:
    """A mail program or an editor changed the bytes and not what they say."""
    if seen.damage.names:
        yield Finding(None, None, "", f"the bytes were changed: {listing(seen.damage.names)}")


def torn(seen: Evidence) -> Iterator[Finding]:
    """The file ends in the middle of an entry or of an import."""
    if seen.log and seen.log.chain == "torn" and not seen.damage.names:
        yield Finding(len(seen.log.events) + 1, None, "", seen.log.fault)


def broken(seen: Evidence) -> Iterator[Finding]:
    """Bytes were altered after they were sealed."""
    if seen.log and seen.log.chain == "broken" and not seen.damage.names:
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
    opening = seen.session.game.opening
    for player in opening.players:
        try:
            same = check_name(player, opening.game.seats_rule) == player
        except Refused as error:
            yield Finding(1, None, error.rule, error.text)
        else:
            if not same:
                yield Finding(1, None, opening.game.seats_rule, f"{player!r} is not in plain form")
    if pair := twins(opening.players):
        yield Finding(1, None, opening.game.seats_rule, f"{pair[0]} and {pair[1]} are one player")


def resembling(seen: Evidence) -> Iterator[Finding]:
    """Two names look the same."""
    for first, second in look_alikes(seen.session.game.opening.players if seen.session else ()):
        yield Finding(1, None, "", f"{first} and {second} look alike and are two players")


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
    if seen.session:
        game = seen.session.game.opening.game
        rounds = {field.name for field in game.fields} | {"number"}
        for event in _known(seen):
            known = rounds if event.kind == "round" else _FIELDS
            for name in sorted(event.fields.keys() - known - {"note", "batch"}):
                yield Finding(event.seq, _number(event), "", f"the field {name!r} is unknown")


_FIELDS = frozenset(
    ("title", "start", "first", "rules", "reason", "set", "clear", "round", "target")
)
_FIELDS |= {name for names in REQUIRED.values() for name in names}


def unlawful(seen: Evidence) -> Iterator[Finding]:
    """A round can't be scored where it stands, and was passed over."""
    for problem in seen.session.game.problems if seen.session else ():
        yield Finding(problem.event, problem.round, problem.rule, problem.text)


def after_end(seen: Evidence) -> Iterator[Finding]:
    """A round was recorded after the evening had been stopped."""
    if seen.session:
        game, fallen = seen.session.game, seen.session.game.history.fallen
        ends = [e.seq for e in seen.session.log.events if e.kind == "end" and e.seq not in fallen]
        for each in game.history.rounds:
            if ends and each.seq > ends[0]:
                text = f"entry {ends[0]} ended the evening before this round"
                yield Finding(each.seq, each.number, game.opening.game.over_rule, text)


def in_vain(seen: Evidence) -> Iterator[Finding]:
    """A correction hit nothing that stood when it was recorded."""
    if seen.session:
        yield from _missed(seen.session)
        yield from _void_of_nothing(seen.session)


def _missed(session: Session) -> Iterator[Finding]:
    """Corrections of rounds that did not stand."""
    seqs, down = dict[int, int](), {0}
    for event in session.log.events:
        if event.kind == "round":
            seqs[event.fields["number"]] = event.seq
        elif event.kind in CORRECTIONS and event.seq not in session.game.history.fallen:
            number = event.fields["round"]
            if seqs.get(number, 0) in down:
                text = f"the {event.kind} is about round {number}, which did not stand"
                yield Finding(event.seq, number, "", text)
        down ^= set(toggled(event, session.log.events))


def _void_of_nothing(session: Session) -> Iterator[Finding]:
    """Voids of what is not above them, or was taken back already."""
    taken = set[int]()
    for event in session.log.events:
        if event.kind == "void" and event.seq not in session.game.history.fallen:
            target = event.fields["target"]
            if not 1 < target < event.seq or target in taken:
                yield Finding(event.seq, None, "", f"the void of entry {target} hits nothing")
            taken.add(target)


def out_of_turn(seen: Evidence) -> Iterator[Finding]:
    """A turn was taken that was not due, as the log stood when the round was recorded."""
    if not seen.session:
        return
    opening, history = seen.session.game.opening, seen.session.game.history
    role, events = opening.game.role, last_names(opening.game, seen.session.log.events)
    standing = {each.seq: each.fields for each in history.rounds}
    turns = _Turns(opening, events)
    for event in events:
        if event.kind == "round":
            due = turns.due()
            turn = standing.get(event.seq, {}).get(role, due)
            if turn != due:
                text = f"{turn} is {role}, and it was {due}'s turn"
                yield Finding(event.seq, event.fields["number"], opening.game.turn_rule, text)
        turns.read(event)


class _Turns:
    """Whose turn each round was, as the log stood while it grew."""

    def __init__(self, opening: Opening, events: Sequence[Event]) -> None:
        """Begin before the first of these events."""
        self._opening, self._role, self._events = opening, opening.game.role, events
        self._said: dict[int, list[tuple[int, str]]] = {}
        self._down: set[int] = set()
        self._seats = begin(opening)
        """Who is seated; scores and status stay as they were at the beginning."""

    def read(self, event: Event) -> None:
        """Go on by one event."""
        fields = event.fields if event.kind == "round" else event.fields.get("set", {})
        number = event.fields.get("number", event.fields.get("round"))
        if self._role in fields and (event.kind == "round" or number in self._said):
            self._said.setdefault(number, []).append((event.seq, str(fields[self._role])))
        turned = toggled(event, self._events)
        self._down ^= set(turned)
        if event.kind in SEATS or any(self._events[seq - 1].kind in SEATS for seq in turned):
            self._seats = self._seated(event.seq)

    def due(self) -> str:
        """Whose turn is next: it passes on from the last round that stands now."""
        game = self._opening.game
        for (seq, turn), *amended in reversed(self._said.values()):
            if seq not in self._down:
                later = [turn for seq, turn in amended if seq not in self._down]
                return pass_on(game, self._seats, later[-1] if later else turn)
        return begin_with(game, self._seats, self._opening.first)

    def _seated(self, seq: int) -> State:
        """Who is seated after this entry, by all that stands of those up to it."""
        state = begin(self._opening)
        for event in self._events[:seq]:
            if event.kind in SEATS and event.seq not in self._down:
                found = moved(self._opening, state, event)
                state = found if isinstance(found, State) else state
        return state


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
