"""Whose turn each round was, as the log stood when it was recorded."""

from collections.abc import Iterator, Sequence

from pollctl.audit.checks import Evidence, Finding
from pollctl.history import SEATS, Growth
from pollctl.model import Event, State
from pollctl.replay import Opening, begin, last_names, moved
from pollctl.seating import begin_with, pass_on


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
    """Whose turn is next, and who is seated, while the log grows."""

    def __init__(self, opening: Opening, events: Sequence[Event]) -> None:
        """Begin before the first of these events."""
        self._opening, self._role, self._events = opening, opening.game.role, events
        self._said: dict[int, list[tuple[int, str]]] = {}
        self._growth = Growth()
        self._seats = self._begin()

    def read(self, event: Event) -> None:
        """Go on by one event."""
        if event.kind == "round":
            turn = str(event.fields.get(self._role) or self.due())
            self._said.setdefault(event.fields["number"], []).append((event.seq, turn))
        elif event.kind == "amend" and self._role in event.fields.get("set", {}):
            turn = str(event.fields["set"][self._role])
            self._said.get(event.fields["round"], []).append((event.seq, turn))
        turned = self._growth.read(event)
        if event.kind in SEATS:
            self._seats = self._moved(self._seats, event)
        elif any(self._events[seq - 1].kind in SEATS for seq in turned):
            self._seats = self._seated(event.seq)

    def due(self) -> str:
        """Whose turn is next: it passes on from the last round that stands now."""
        game = self._opening.game
        for (seq, turn), *amended in reversed(self._said.values()):
            if self._growth.stands(seq):
                later = [turn for seq, turn in amended if self._growth.stands(seq)]
                return pass_on(game, self._seats, later[-1] if later else turn)
        return begin_with(game, self._seats, self._opening.first)

    def _begin(self) -> State:
        """Who is seated at the beginning; a tie that it began with is nothing to this."""
        return begin(self._opening)._replace(status="playing", winners=(), contenders=())

    def _seated(self, seq: int) -> State:
        """Who is seated after this entry, by all that stands of those up to it."""
        state = self._begin()
        for event in self._events[:seq]:
            if event.kind in SEATS and self._growth.stands(event.seq):
                state = self._moved(state, event)
        return state

    def _moved(self, state: State, event: Event) -> State:
        found = moved(self._opening, state, event)
        return found if isinstance(found, State) else state
