"""The second fold: the rounds that stand in, states, awards and problems out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from pollctl.game import Game, defaults, misfits
from pollctl.games import find
from pollctl.history import History, next_number, resolve
from pollctl.model import Event, Fault, Problem, Refused, Round, Rules, State, Step


class Opening(NamedTuple):
    """What was agreed before the first round."""

    game: Game
    rules: Rules
    players: tuple[str, ...]
    """Clockwise."""
    first: str
    """Who has the first turn."""
    title: str | None
    session: str
    """128 random bits as 32 hex digits."""


class Replay(NamedTuple):
    """A session computed from its log."""

    opening: Opening
    history: History
    steps: tuple[Step, ...]
    """One for each round that stands, in order."""
    next_number: int
    """What the next recorded round will be numbered."""

    @property
    def state(self) -> State:
        """What stands on the table now."""
        return self.steps[-1].after if self.steps else self._begin()

    @property
    def last(self) -> Step | None:
        """The last round that was scored."""
        return next((step for step in reversed(self.steps) if step.outcome), None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why rounds were passed over."""
        return tuple(problem for step in self.steps for problem in step.problems)

    @property
    def status(self) -> str:
        """`playing`, `tie-break`, `finished` or `abandoned`."""
        status = self.state.status
        return "abandoned" if self.history.ended and status != "finished" else status

    @property
    def over(self) -> bool:
        """Whether no further round can be recorded."""
        return self.status in ("finished", "abandoned")

    @property
    def turn(self) -> str:
        """Whose turn the next round is."""
        return due(self.opening, self.last)

    @property
    def rounds_total(self) -> int | None:
        """How many rounds the game has, or None where nobody knows."""
        return self.opening.game.rounds(self.opening.rules, len(self.opening.players))

    def as_of(self, number: int) -> Self:
        """The session after a round that stands, or before the first (0); raises Refused."""
        steps = tuple(step for step in self.steps if step.round.number <= number)
        if number and (not steps or steps[-1].round.number != number):
            raise Refused("", no_round(self, number))
        ended = self.history.ended and len(steps) == len(self.steps)
        history = self.history._replace(ended=ended)
        return self._replace(steps=steps, history=history, next_number=number + 1)

    def _begin(self) -> State:
        return begin(self.opening)


def no_round(session: Replay, number: int) -> str:
    """Why round `number` can't be shown or corrected, with those that can."""
    if any(each.number == number for each in session.history.voided):
        return f"round {number} is voided"
    numbers = [str(each.number) for each in session.history.rounds]
    known = f"rounds 1 to {numbers[-1]} are there" if numbers else "no round is recorded yet"
    return f"there is no round {number}: {known}"


def replay(events: Sequence[Event]) -> Replay:
    """Compute a session from its events; raises Refused where its opening can't be read."""
    opening = read_opening(events[0])
    history = resolve(events)
    steps = tuple(play(opening, begin(opening), history.rounds))
    return Replay(opening, history, steps, next_number(events))


def extend(before: Replay, events: Sequence[Event]) -> Replay:
    """The session after further events: the same as a replay of everything, at the cost of a round.

    All of them must be rounds.
    """
    rounds = tuple(Round(e.fields["number"], e.seq, e.at, e.fields) for e in events)
    history = before.history._replace(rounds=before.history.rounds + rounds)
    steps = before.steps + tuple(play(before.opening, before.state, rounds, before.last))
    return Replay(before.opening, history, steps, rounds[-1].number + 1)


def read_opening(event: Event) -> Opening:
    """Read the opening event; raises Refused where it is none, or newer than this program."""
    fields = event.fields
    if event.kind != "open":
        raise Refused("", "its first event opens no session")
    game = find(str(fields.get("game")))
    players = tuple(fields.get("players", ()))
    if not players or not all(type(player) is str for player in players):
        raise Refused("", "its opening names no players")
    rules = {**defaults(game), **fields.get("rules", {})}
    for key in game.keys:
        if not key.allows(rules[key.name]):
            raise Refused(key.rule, f"its rule {key.name} can't be {rules[key.name]!r}")
    first = fields.get("first", players[0])
    return Opening(game, rules, players, first, fields.get("title"), fields.get("session", ""))


def begin(opening: Opening) -> State:
    """The state before the first round."""
    return opening.game.begin(opening.rules, opening.players, {})


def due(opening: Opening, last: Step | None) -> str:
    """Whose turn it is after the last scored round: the role has passed on by one seat."""
    if last is None:
        return opening.first
    return pass_on(opening.game, last.after.seats, last.turn)


def pass_on(game: Game, seats: Sequence[str], turn: str) -> str:
    """Whose turn follows; the first seat's where the last turn was nobody's seated."""
    place = seats.index(turn) if turn in seats else -game.step
    return seats[(place + game.step) % len(seats)]


def play(
    opening: Opening, state: State, rounds: Iterable[Round], last: Step | None = None
) -> Iterator[Step]:
    """Score rounds one after the other from a state, passing over those that are impossible."""
    for each in rounds:
        step = _step(opening, state, each, last)
        state = step.after
        if step.outcome:
            last = step
        yield step


def faults(opening: Opening, state: State, fields: Round) -> list[Fault]:
    """What makes a round impossible in this state; empty if it is lawful."""
    game = opening.game
    if state.status == "finished":
        who = " and ".join(state.winners)
        return [Fault(game.over_rule, f"the game is over: {who} won before this round")]
    ill_formed = list(misfits(game, state.seats, fields.fields))
    return ill_formed or list(game.forbid(state, opening.rules, fields.fields))


def _step(opening: Opening, state: State, each: Round, last: Step | None) -> Step:
    turn = str(each.fields.get(opening.game.role) or due(opening, last))
    found = faults(opening, state, each)
    if found:
        problems = tuple(Problem(each.number, each.seq, *fault) for fault in found)
        return Step(each, turn, state, None, problems)
    outcome = opening.game.score(state, opening.rules, each.fields)
    return Step(each, turn, state, outcome, ())
