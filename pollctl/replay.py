"""The second fold: the rounds that stand in, states, awards and problems out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from pollctl.game import Game, defaults, misfits
from pollctl.games import find
from pollctl.history import History, next_number, resolve
from pollctl.model import Event, Fault, Problem, Refused, Round, Rules, State, Step
from pollctl.seating import FEWEST, begin_with, cant_join, cant_leave, join, leave, pass_on
from pollctl.text import spans


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
    start: Mapping[str, int] = {}
    """What some begin with, where a game was taken over in the middle."""


class Replay(NamedTuple):
    """A session computed from its log."""

    opening: Opening
    history: History
    steps: tuple[Step, ...]
    """One for each round that stands, in order."""
    next_number: int
    """What the next recorded round will be numbered."""
    state: State
    """What stands on the table now."""
    strays: tuple[Problem, ...] = ()
    """Why somebody could not leave or join, and was passed over; the round is the one before."""

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who ever played, in seating order."""
        return tuple(self.state.scores)

    @property
    def last(self) -> Step | None:
        """The last round that was scored."""
        return next((step for step in reversed(self.steps) if step.outcome), None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why rounds, and who left or joined, were passed over, in the order of the log."""
        found = [problem for step in self.steps for problem in step.problems]
        if self.strays:
            found = sorted([*found, *self.strays], key=lambda problem: problem.event)
        return tuple(found)

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
        return due(self.opening, self.state, self.last)

    @property
    def rounds_total(self) -> int | None:
        """How many rounds the game has, or None where nobody knows."""
        return self.state.total or None

    def as_of(self, number: int | None) -> Self:
        """The session after a round that stands, before the first (0), or now (None).

        Raises Refused for any other round.
        """
        if number is None:
            return self
        steps = tuple(step for step in self.steps if step.round.number <= number)
        if number and (not steps or steps[-1].round.number != number):
            raise Refused("", no_round(self, number))
        ended = self.history.ended and len(steps) == len(self.steps)
        return self._replace(
            steps=steps,
            history=self.history._replace(ended=ended),
            next_number=number + 1,
            state=steps[-1].after if steps else begin(self.opening),
            strays=tuple(each for each in self.strays if each.round < number),
        )


def no_round(session: Replay, number: int) -> str:
    """Why round `number` can't be shown or corrected, with those that can."""
    if any(each.number == number for each in session.history.voided):
        return f"round {number} is voided"
    numbers = [each.number for each in session.history.rounds]
    are = "is" if len(numbers) == 1 else "are"
    known = f"{spans(numbers)} {are} there" if numbers else "no round is recorded yet"
    return f"there is no round {number}: {known}"


def replay(events: Sequence[Event], rules: Rules | None = None) -> Replay:
    """Compute a session from its events; raises Refused where its opening can't be read.

    With `rules` it is computed as if it had been opened under them, every key given.
    """
    events = last_names(read_opening(events[0]).game, events)
    opening = read_opening(events[0])
    if rules is not None:
        opening = opening._replace(rules=rules)
    history = resolve(events)
    table = _Table(opening)
    for each in history.rounds:
        table.seat(history.seats, each.seq)
        table.play(each)
    table.seat(history.seats, len(events) + 1)
    steps, strays = tuple(table.steps), tuple(table.strays)
    return Replay(opening, history, steps, next_number(events), table.state, strays)


def last_names(game: Game, events: Sequence[Event]) -> Sequence[Event]:
    """The events with every player under the name borne at the end of the log."""
    if all(event.kind != "rename" for event in events):
        return events
    from pollctl.naming import renamed

    return renamed(events, {field.name for field in game.fields if field.kind == "player"})


def extend(before: Replay, events: Sequence[Event]) -> Replay:
    """The session after further events: the same as a replay of everything, at the cost of a round.

    All of them must be rounds.
    """
    rounds = tuple(Round(e.fields["number"], e.seq, e.at, e.fields) for e in events)
    history = before.history._replace(rounds=before.history.rounds + rounds)
    table = _Table(before.opening, before.state, before.last)
    for each in rounds:
        table.play(each)
    return before._replace(
        history=history,
        steps=before.steps + tuple(table.steps),
        next_number=rounds[-1].number + 1,
        state=table.state,
    )


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
    first, start = fields.get("first", players[0]), fields.get("start", {})
    title, session = fields.get("title"), fields.get("session", "")
    return Opening(game, rules, players, first, title, session, start)


def begin(opening: Opening) -> State:
    """The state before the first round."""
    return opening.game.begin(opening.rules, opening.players, opening.start)


def due(opening: Opening, state: State, last: Step | None) -> str:
    """Whose turn it is after the last scored round: the role has passed on by one seat."""
    if last is None:
        return begin_with(opening.game, state, opening.first)
    return pass_on(opening.game, state, last.turn)


class _Table:
    """A game as it is played: rounds are scored, or passed over where they are impossible."""

    def __init__(
        self, opening: Opening, state: State | None = None, last: Step | None = None
    ) -> None:
        """Begin, or go on from a state and the last scored round before it."""
        self.opening = opening
        self.state = begin(opening) if state is None else state
        self.steps: list[Step] = []
        self.strays: list[Problem] = []
        self._last = last
        self._seated = 0
        """How many changes of seats were made."""

    def play(self, each: Round) -> None:
        """Score one round."""
        step = _step(self.opening, self.state, each, self._last)
        self.state = step.after
        self.steps.append(step)
        if step.outcome:
            self._last = step

    def seat(self, changes: Sequence[Event], before: int) -> None:
        """Let those leave and join who do so before this `seq`."""
        while self._seated < len(changes) and changes[self._seated].seq < before:
            event = changes[self._seated]
            self._seated += 1
            found = moved(self.opening, self.state, event)
            if isinstance(found, State):
                self.state = found
            else:
                number = self.steps[-1].round.number if self.steps else 0
                self.strays += [Problem(number, event.seq, *fault) for fault in found]


def moved(opening: Opening, state: State, event: Event) -> State | list[Fault]:
    """The state once somebody has left or joined, or why nobody can; over, it stays as it is."""
    game, player, after = opening.game, event.fields["player"], event.fields.get("after")
    if state.status == "finished":
        return state
    if event.kind == "leave":
        return cant_leave(state, game, player) or leave(state, player)
    newcomer = game.begin(opening.rules, (player,), {}).scores[player]
    return cant_join(state, game, player, after) or join(state, player, after, newcomer)


def faults(opening: Opening, state: State, fields: Round) -> list[Fault]:
    """What makes a round impossible in this state; empty if it is lawful."""
    game = opening.game
    if state.status == "finished":
        who = " and ".join(state.winners)
        return [Fault(game.over_rule, f"the game is over: {who} won before this round")]
    if len(state.seats) < FEWEST:
        return [Fault(game.leave_rule, "a round needs two players seated: let somebody join")]
    ill_formed = list(misfits(game, state.seats, fields.fields))
    return ill_formed or list(game.forbid(state, opening.rules, fields.fields))


def _step(opening: Opening, state: State, each: Round, last: Step | None) -> Step:
    turn = str(each.fields.get(opening.game.role) or due(opening, state, last))
    found = faults(opening, state, each)
    if found:
        problems = tuple(Problem(each.number, each.seq, *fault) for fault in found)
        return Step(each, turn, state, None, problems)
    outcome = opening.game.score(state, opening.rules, each.fields)
    return Step(each, turn, state, outcome, ())
