"""Which single entry of the log, had it been another, would explain what stands on the table."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from pollctl.evening import differences
from pollctl.history import CORRECTIONS, History, resolve
from pollctl.model import Event, Round, State
from pollctl.replay import Replay, begin, faults, last_names, moved, replay
from pollctl.session import Session
from pollctl.slips import Line, Said, line, mended, mending, slips
from pollctl.wording import event_words


class Culprit(NamedTuple):
    """A mistake that alone would explain the table."""

    command: Line
    """What puts it right."""
    round: int
    """Number of the round it shows in."""
    event: int
    """The `seq` of the entry that was wrong, or of the round from which something is missing."""
    text: str
    """The mistake, in half a sentence."""
    alternatives: tuple[Line, ...]
    """What would put it right as well, the likeliest first: the same was misread for another."""


class _Change(NamedTuple):
    """Another course of the game: a round left out, or put there, or in place of another."""

    number: int
    """Of that round."""
    place: int
    """Of the first item of the course that is left out, or before which the round is put."""
    rounds: tuple[Round, ...]
    """What is played there."""
    resume: int
    """From which item on all goes on as logged."""


class _Suspect(NamedTuple):
    """Something that may have gone wrong."""

    change: _Change
    """The course without it."""
    event: int
    whose: tuple[Hashable, ...]
    """Suspects of an entry that are alike in this are one mistake."""
    rate: float
    """How often it happens, beside others; 0 for what explains anything."""
    line: Callable[[], Line]
    said: Said


RECENT = 0.6
"""How much less likely a mistake is for each round that was played since: nobody noticed."""
HELD = 0.05
"""The same for one that was made before a check that held."""
TWICE, WRONG, DECIDED = 4.0, 3.0, 3.0
"""The rates of a round recorded twice, a late entry that is wrong, a dispute decided since."""
REASON = "as it stands on the table"
"""Of a ruling of which nothing is known but what it did."""
EFFORT = 15_000
"""Rounds that are scored again to follow mistakes up to the end of the game, at most."""
TOLD = 6
"""Alternatives that are told in words."""


def culprits(session: Session, table: Mapping[str, int]) -> tuple[Culprit, ...]:
    """Every mistake in one entry that explains the whole table, the likeliest and latest first.

    The table holds the scores of some players or all; it differs from the log. What is suggested
    is lawful where it stands, and makes no later round impossible. In a game of very many rounds
    (EFFORT), early mistakes are left out whose effect was not the same from the first.
    """
    course = _Course(session.game)
    changes: list[_Change] = []
    mistakes: dict[tuple[Hashable, ...], list[_Suspect]] = {}
    for suspect in _suspects(session, course, table):
        if course.explains(suspect.change, table) and suspect.change not in changes:
            changes.append(suspect.change)
            mistakes.setdefault((suspect.event, *suspect.whose), []).append(suspect)
    held, played = _last_held(session, table), [each.seq for each in session.game.history.rounds]

    def rank(alike: Sequence[_Suspect]) -> tuple[float, int]:
        event = alike[0].event
        age = len(played) - bisect_right(played, event)
        rate = sum(each.rate for each in alike) * (HELD if event < held else 1)
        return -rate * RECENT**age, -event

    return tuple(_culprit(alike) for alike in sorted(mistakes.values(), key=rank))


def _culprit(alike: Sequence[_Suspect]) -> Culprit:
    """Suspects of which one or the other is to blame, as one."""
    first, *others = sorted(alike, key=lambda each: -each.rate)
    said, values = first.said, [each.said.value for each in others]
    more = f" (or {', '.join(values[:TOLD])}{', …' if values[TOLD:] else ''})" if values else ""
    lines = tuple(each.line() for each in others)
    text = f"{said.head} {said.value}{more}{said.tail}"
    return Culprit(first.line(), first.change.number, first.event, text, lines)


class _Course:
    """A game as it was played, item by item: rounds, and changes of seats between them."""

    def __init__(self, game: Replay) -> None:
        self._opening, self._rounds = game.opening, game.history.rounds
        self._known = {(problem.event, problem.rule) for problem in game.problems}
        self._items: list[Round | Event] = sorted(
            [*game.history.rounds, *game.history.seats], key=lambda each: each.seq
        )
        self._seqs = [each.seq for each in self._items]
        self._states = [begin(game.opening)]
        """The state before each item, and the last one."""
        self._ends: dict[Hashable, State | None] = {}
        """What came of a course that was in some state before some item."""
        for item in self._items:
            self._states.append(self._next(self._states[-1], item) or self._states[-1])

    def explains(self, change: _Change, table: Mapping[str, int]) -> bool:
        """Whether this course ends as the table stands, without a round become impossible."""
        state: State | None = self._states[change.place]
        for each in change.rounds:
            state = self._next(state, each) if state else None
        if state and len(self._ends) > EFFORT and not self._at_once(state, change.resume, table):
            return False
        end = self._end(state, change.resume)
        return end is not None and all(end.scores.get(p) == score for p, score in table.items())

    def _at_once(self, state: State, place: int, table: Mapping[str, int]) -> bool:
        """Whether a state differs from the logged one as the table does in the end."""
        then, now = self._states[place].scores, self._states[-1].scores
        return all(
            state.scores.get(player, 0) - then.get(player, 0) == score - now[player]
            for player, score in table.items()
        )

    def instead(self, each: Round, *others: Round) -> _Change:
        """The course with another round in the place of one, or none."""
        place = self._seqs.index(each.seq)
        return _Change(each.number, place, others, place + 1)

    def corrected(self, history: History) -> _Change | None:
        """The course with one more correction; None where that is about no round."""
        now, then = self._rounds, history.rounds
        both = min(len(now), len(then))
        same = next((place for place in range(both) if now[place] != then[place]), both)
        if len(then) > len(now):
            place = bisect_right(self._seqs, then[same].seq)
            return _Change(then[same].number, place, (then[same],), place)
        if same == len(now):
            return None
        return self.instead(now[same], *then[same : same + len(then) - len(now) + 1])

    def _end(self, state: State | None, place: int) -> State | None:
        """What comes of a state before an item; None for what came of it, or what can't be."""
        path, end = [], None
        while state and state != self._states[place]:
            others = [each for each in state if each is not state.scores]
            key = (place, *state.scores.values(), *others)
            if place == len(self._items) or key in self._ends:
                end = self._ends.get(key, state)
                break
            path.append(key)
            state = self._next(state, self._items[place])
            place += 1
        self._ends.update(dict.fromkeys(path, end))
        return end

    def _next(self, state: State, item: Round | Event) -> State | None:
        """The state after an item; None where it has become impossible."""
        game, rules = self._opening.game, self._opening.rules
        if isinstance(item, Round):
            found = faults(self._opening, state, item)
            if not found:
                return game.score(state, rules, item.fields).state
        else:
            after = moved(self._opening, state, item)
            if isinstance(after, State):
                return after
            found = after
        return state if all((item.seq, fault.rule) in self._known for fault in found) else None


def _suspects(session: Session, course: _Course, table: Mapping[str, int]) -> Iterator[_Suspect]:
    """Whatever may have gone wrong; first what is mended by taking back, or deciding, one entry."""
    yield from _late(session, course)
    yield from _recorded_twice(session, course)
    yield from _misrecorded(session.game, course)
    yield from _unrecorded(session.game, course, table)


def _late(session: Session, course: _Course) -> Iterator[_Suspect]:
    """Corrections that were none, and disputes that the table has decided."""
    game = session.game.opening.game
    events = last_names(game, session.log.events)
    disputes = {each.seq for each in session.game.history.disputes}
    for event in events:
        if event.seq in disputes:
            answer, rate, command = ("resolve", {"outcome": "upheld"}), DECIDED, "dispute uphold"
            said = Said(f"entry {event.seq}, {event_words(game, event)}, was", "upheld")
        elif _takes(session, event):
            answer, rate, command = ("void", {"by": "void"}), WRONG, "void"
            said = Said(f"entry {event.seq}, {event_words(game, event)}, was", "wrong")
        else:
            continue
        kind, fields = answer
        further = Event(len(events) + 1, event.at, kind, {"target": event.seq, **fields})
        if change := course.corrected(resolve([*events, further])):
            call = partial(line, command, str(event.seq))
            yield _Suspect(change, event.seq, (), rate, call, said)


def _takes(session: Session, event: Event) -> bool:
    """Whether an entry stands that corrects another, and that `pollctl void` takes back."""
    by_hand = event.kind == "void" and event.fields["by"] == "void"
    stands = event.seq not in session.game.history.fallen
    return stands and (by_hand or event.kind in (*CORRECTIONS, "resolve"))


def _recorded_twice(session: Session, course: _Course) -> Iterator[_Suspect]:
    """Rounds that say nothing else than the one before."""
    recorded = {event.seq: event.fields for event in session.log.events if event.kind == "round"}
    skip = {"number", "batch", "note", session.game.opening.game.role}
    for one, two in pairwise(session.game.history.rounds):
        first, second = recorded[one.seq], recorded[two.seq]
        both = (first.keys() & second.keys()) - skip
        if all(first[name] == second[name] for name in both):
            command = partial(line, "round void", str(two.number))
            said = Said(f"round {two.number}: the same as round {one.number}, recorded", "twice")
            yield _Suspect(course.instead(two), two.seq, ("twice",), TWICE, command, said)


def _misrecorded(game: Replay, course: _Course) -> Iterator[_Suspect]:
    """Every slip in every round, the latest first."""
    rules = game.opening.game
    for each, slip in slips(rules, game.steps[::-1]):
        change = course.instead(each, mended(each, slip))
        said = slip.said._replace(head=f"round {each.number}: {slip.said.head}")
        command = partial(mending, rules, each, slip)
        yield _Suspect(change, each.seq, slip.whose, slip.rate, command, said)


def _unrecorded(game: Replay, course: _Course, table: Mapping[str, int]) -> Iterator[_Suspect]:
    """A ruling in the last round: it explains whatever one player lacks."""
    found, last = differences(game, table), game.last
    if last and len(found) == 1:
        player, change = found[0].player, found[0].table - found[0].log
        each, ruling = last.round, {"player": player, "change": change, "reason": REASON}
        rulings = [*each.fields.get("rulings", ()), ruling]
        other = course.instead(each, each._replace(fields={**each.fields, "rulings": rulings}))
        options = ("--reason", REASON, "--round", str(each.number))
        command = partial(line, "ruling", f"{player}={change:+d}", options=options)
        said = Said(f"round {each.number}: a ruling of {change:+d} for {player} was", "forgotten")
        yield _Suspect(other, each.seq, ("ruling",), 0, command, said)


def _last_held(session: Session, table: Mapping[str, int]) -> int:
    """The `seq` of the last check that found right whoever differs now; 0 where none did."""
    differ = {each.player for each in differences(session.game, table)}
    events = session.log.events
    for event in reversed(last_names(session.game.opening.game, events)):
        if event.kind == "check" and differ <= event.fields["table"].keys():
            then = replay(events[: event.seq])
            if not differences(then, events[event.seq - 1].fields["table"]):
                return event.seq
    return 0
