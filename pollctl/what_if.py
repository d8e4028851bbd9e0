"""What would be so: the same log under other rules, or with its open disputes decided."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from pollctl.model import Event, Fault, Problem, Refused, Rules
from pollctl.notation import read_settings
from pollctl.recording import Draft, scored_step, weigh
from pollctl.replay import Replay, begin, replay
from pollctl.session import Session
from pollctl.standings import standings

MOST = 4
"""Open disputes of which every combination is replayed."""


class Decision(NamedTuple):
    """What stands once some of the open disputes are upheld and all others rejected."""

    upheld: tuple[int, ...]
    """The `seq` of each dispute that is upheld."""
    game: Replay
    impossible: tuple[Problem, ...] = ()
    """Why rounds that count while the disputes are open don't count then."""
    refused: Fault | None = None
    """Why it can't be decided so, in no order and by no force; then `game` is of no account."""


class Disputes(NamedTuple):
    """The disputes that are open, and all that can come of them."""

    open: tuple[Event, ...]
    """In the order in which they were recorded."""
    decisions: tuple[Decision, ...]
    """Every combination, the fewest upheld first; empty where more than MOST are open."""

    @property
    def possible(self) -> tuple[Decision, ...]:
        """Those that are not refused."""
        return tuple(each for each in self.decisions if each.refused is None)

    @property
    def changes_order(self) -> bool:
        """Whether anybody's rank hangs on them."""
        ranks = {tuple(row[:2] for row in standings(each.game)) for each in self.possible}
        return len(ranks) > 1

    @property
    def changes_winner(self) -> bool:
        """Whether it hangs on them who has won, or whether anybody has."""
        return len({each.game.state.winners for each in self.possible}) > 1


class Supposition(NamedTuple):
    """A session as it would be under rules that nobody agreed on, and with disputes decided."""

    settings: Rules
    """The keys asked about, each with the value it would have; empty where none is."""
    played: Replay
    """As it was played."""
    game: Replay
    """As it would be under these rules."""
    disputes: Disputes
    """What hangs on the open ones, under these rules."""

    @property
    def impossible(self) -> tuple[Problem, ...]:
        """Why rounds that were played could not have been."""
        return _new(self.played, self.game)

    @property
    def possible(self) -> tuple[Problem, ...]:
        """Why rounds are passed over as it was played, which would count."""
        return _new(self.game, self.played)


def suppose(session: Session, texts: Sequence[str], number: int | None) -> Supposition:
    """The session under other values, `KEY=VALUE` each, as of a round or now.

    Raises Refused for what is no rule or no round, and where the rules don't go together.
    """
    opening, played = session.game.opening, session.game.as_of(number)
    settings = read_settings(texts, opening.game.keys)
    if not settings:
        return Supposition({}, played, played, _weighed(session, played, number))
    supposed = opening._replace(rules={**opening.rules, **settings})
    for fault in opening.game.oppose(supposed.rules, begin(supposed)):
        raise Refused(*fault)
    game = replay(session.log.events, supposed.rules).as_of(number)
    return Supposition(settings, played, game, _weighed(session, game, number))


def _weighed(session: Session, game: Replay, number: int | None) -> Disputes:
    """What the open disputes can change in this replay of the session, as of a round or now."""
    disputes = game.history.disputes
    if number is not None:
        disputes = tuple(each for each in disputes if each.fields["round"] <= number)
    if len(disputes) > MOST:
        return Disputes(disputes, ())
    return Disputes(disputes, tuple(_decisions(session, game, disputes, number)))


def decided_in(game: Replay) -> int | None:
    """After which round the game was over; None while it is not, or where none was played."""
    return game.last.round.number if game.last and game.state.status == "finished" else None


def _decisions(
    session: Session, game: Replay, disputes: Sequence[Event], number: int | None
) -> Iterator[Decision]:
    """Every combination; of one round, what is upheld scores in the order of the disputes."""
    seqs, events = [dispute.seq for dispute in disputes], session.log.events
    made: dict[tuple[int, ...], Decision] = {(): Decision((), game)}
    for size in range(1, len(seqs) + 1):
        for upheld in combinations(seqs, size):
            resolves = [_upheld(events, seq, i) for i, seq in enumerate(upheld, 1)]
            after = replay([*events, *resolves], game.opening.rules).as_of(number)
            made[upheld] = Decision(upheld, after, refused=_refusal(session, made, upheld, after))
    for decision in made.values():
        yield decision._replace(impossible=_new(game, decision.game))


def _upheld(events: Sequence[Event], seq: int, place: int) -> Event:
    """The event that would uphold a dispute, so many places after the last one."""
    last = events[-1]
    return Event(last.seq + place, last.at, "resolve", {"target": seq, "outcome": "upheld"})


def _refusal(
    session: Session,
    made: Mapping[tuple[int, ...], Decision],
    upheld: tuple[int, ...],
    after: Replay,
) -> Fault | None:
    """Why these disputes can't be upheld, whichever comes last; None where they can."""
    found = []
    for last in reversed(upheld):
        before = made[tuple(seq for seq in upheld if seq != last)]
        fault = before.refused or _last_refusal(session, before.game, last, after)
        if fault is None:
            return None
        found.append(fault)
    return found[0]


def _last_refusal(session: Session, before: Replay, seq: int, after: Replay) -> Fault | None:
    """Why this dispute can't be upheld after the others, not even by force."""
    events = session.log.events
    about = events[seq - 1].fields["round"]
    try:
        scored_step(session._replace(game=before), about)
        weigh(Draft((_upheld(events, seq, 1),), before, after, "", about), force=True)
    except Refused as error:
        return Fault(error.rule, error.text)
    return None


def _new(before: Replay, after: Replay) -> tuple[Problem, ...]:
    """Why what counts before doesn't count after; nobody is blamed for one thing twice."""
    known = {problem.event for problem in before.problems}
    return tuple(problem for problem in after.problems if problem.event not in known)
