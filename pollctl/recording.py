"""What a command would record: the events, the game before and after, and what they change."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pollctl.codec import misshapen
from pollctl.game import Game, in_order
from pollctl.hand import dealt, open_card
from pollctl.history import CORRECTIONS
from pollctl.model import Award, Event, Fields, Problem, Refused, Step
from pollctl.notation import (
    Typed,
    Unknown,
    find_player,
    read_fields,
    read_move,
    read_ruling,
    read_word,
)
from pollctl.replay import Replay, due, extend, no_round, replay
from pollctl.session import Session
from pollctl.text import check_sentence, listing
from pollctl.wording import event_words, late_words, round_name


class Draft(NamedTuple):
    """Events that are ready to be recorded."""

    events: tuple[Event, ...]
    before: Replay
    after: Replay
    said: str
    """What the command does, in half a sentence."""
    round: int | None
    """The round it is about; None where it is about none."""
    warnings: tuple[Problem, ...] = ()
    """What is lawful and probably a slip."""
    names: Mapping[str, str] = {}
    """Who is called otherwise afterwards: the old names, each with the new one."""
    card: Event | None = None
    """The latest draw of the card that it plays or draws; None where it does neither."""

    @property
    def impossible(self) -> tuple[Problem, ...]:
        """Why entries don't count that did before, or for another reason than before."""
        known = {(problem.event, problem.rule) for problem in self.before.problems}
        return tuple(p for p in self.after.problems if (p.event, p.rule) not in known)

    @property
    def passed_over(self) -> tuple[Problem, ...]:
        """Why the round it is about does not count, and did not before."""
        return tuple(
            p for p in self.after.problems if p.round == self.round and p not in self.impossible
        )


def add_round(session: Session, typed: Typed, at: datetime, expected: int | None = None) -> Draft:
    """A new round from what was typed for its fields and what the open card brings to the rest.

    Raises Refused where it is unlawful.
    """
    game, now = session.game.opening.game, session.game
    if expected not in (None, now.next_number):
        raise Refused("", f"this would be round {now.next_number}, not {expected}")
    not_over(now)
    with named_absent(now):
        given = read_fields(game, now.state.seats, typed)
    brings = dealt(session, given)
    fields = game.settle({game.role: now.turn, **brings, **given})
    draft = added(session, [(in_order(game, fields), at)])
    return draft._replace(card=open_card(session)) if brings else draft


def added(session: Session, rounds: Sequence[tuple[Fields, datetime]]) -> Draft:
    """New rounds from their fields, each with its time; raises RefusedRound."""
    seq, number, size = len(session.log.events) + 1, session.game.next_number, len(rounds)
    events = tuple(
        Event(seq + i, at, "round", {"number": number + i, **fields, **batch_mark(i, size)})
        for i, (fields, at) in enumerate(rounds)
    )
    for event in events:
        if text := misshapen(event):
            raise RefusedRound("", f"not a round: {text}", event.seq - seq)
    after = extend(session.game, events)
    for problem in after.problems[len(session.game.problems) :]:
        raise RefusedRound(problem.rule, problem.text, problem.round - number)
    said = f"round {number}" if size == 1 else f"rounds {number} to {number + size - 1}"
    new = after.steps[len(session.game.steps) :]
    warnings = [*_out_of_turn(session.game, new), *_doubts(after, new)]
    return Draft(events, session.game, after, f"recorded {said}", number, tuple(warnings))


class RefusedRound(Refused):
    """One of several rounds can't be recorded."""

    def __init__(self, rule: str, text: str, index: int) -> None:
        """Keep which of them it is, counted from 0."""
        super().__init__(rule, text)
        self.index = index


def repeats(session: Session, draft: Draft) -> bool:
    """Whether a round looks recorded twice: the same within a minute of the last one."""
    last, new = session.log.events[-1], draft.events[0]
    if last.kind != "round" or last.seq in session.game.history.fallen:
        return False
    skip = ("number", session.game.opening.game.role)
    same = [{k: v for k, v in e.fields.items() if k not in skip} for e in (last, new)]
    return same[0] == same[1] and abs(new.at - last.at) < timedelta(minutes=1)


class Amendment(NamedTuple):
    """What is to be corrected in a round."""

    typed: Typed
    clear: Sequence[str] = ()
    """Names of fields to drop, as typed."""
    when: datetime | None = None
    """The time it was played."""


def amend_round(session: Session, number: int, amendment: Amendment, at: datetime) -> Draft:
    """A correction of a round; raises Refused where it corrects nothing."""
    step = step_of(session, number)
    game = session.game.opening.game
    with named_absent(session.game):
        changes = dict(game.settle(read_fields(game, step.before.seats, amendment.typed)))
    cleared = [_clearable(step, game, name) for name in amendment.clear]
    if amendment.when is not None:
        changes["at"] = amendment.when
    if not changes and not cleared:
        raise Refused("", "nothing to amend: give ballots, options, or --clear FIELD")
    said = {"set": changes, "clear": cleared}
    fields = {name: value for name, value in said.items() if value}
    return correct(session, "amend", {"round": number, **fields}, at, number)


def late_penalty(session: Session, move: str, number: int | None, at: datetime) -> Draft:
    """A penalty called after its round, `PLAYER=chip`; without a number, the last round."""
    step = scored_step(session, number)
    return _late(session, "penalty", read_penalty(session, move, step), step, at)


def late_ruling(
    session: Session, move: str, reason: str | None, number: int | None, at: datetime
) -> Draft:
    """A ruling made after its round, `PLAYER=+1`; without a number, the last round.

    The reason stands beside the move, or after a colon in it.
    """
    step = scored_step(session, number)
    return _late(session, "ruling", read_late_ruling(session, move, reason, step), step, at)


def read_penalty(session: Session, move: str, step: Step) -> Fields:
    """A penalty of a player who was seated in this round; raises Refused in a game without any."""
    game = session.game.opening.game
    field = next((field for field in game.fields if field.kind == "moves"), None)
    if field is None:
        raise Refused("", f"{game.title} has no penalties: a ruling, as in ann=-1, moves a score")
    with named_absent(session.game):
        said = read_move(move, field, game, step.before.seats)
    return {"player": said["player"], "penalty": said["kind"]}


def read_late_ruling(session: Session, move: str, reason: str | None, step: Step) -> Fields:
    """A ruling of a player who was seated in this round."""
    with named_absent(session.game):
        return read_ruling(move, session.game.opening.game, step.before.seats, reason)


def acknowledge(
    session: Session, warning: str, number: int | None, said: str, at: datetime
) -> Draft:
    """A warning of audit that the table lets stand, for one round or for all."""
    fields: dict[str, Any] = {"warning": warning}
    if number is not None:
        fields["round"] = step_of(session, number).round.number
    fields["reason"] = check_sentence(said, "reason")
    return correct(session, "acknowledge", fields, at, number)


def weigh(draft: Draft, *, force: bool) -> None:
    """Raise Refused where a correction would make an entry impossible, unless it is forced."""
    for problem in draft.impossible:
        seat = problem in draft.after.strays
        if problem.round == draft.round and draft.events[0].kind != "void" and not seat:
            raise Refused(problem.rule, problem.text)
        if not force:
            what, number = ("entry", problem.event) if seat else ("round", problem.round)
            text = f"this would make {what} {number} impossible: {problem.text}"
            text += f"; --force records it, and the {what} is passed over"
            raise Refused(problem.rule, text)


def new_awards(draft: Draft) -> tuple[tuple[int, Award], ...]:
    """The awards that are made now and were not before, with the number of their round."""
    earlier = {step.round.number: step.outcome for step in draft.before.steps}
    found = []
    for step in draft.after.steps:
        outcome = earlier.get(step.round.number)
        if step.outcome and step.outcome is not outcome:
            made = outcome.awards if outcome else ()
            known = [(draft.names.get(a.player, a.player), a.rule, a.change) for a in made]
            for award in step.outcome.awards:
                key = (award.player, award.rule, award.change)
                if key in known:
                    known.remove(key)
                else:
                    found.append((step.round.number, award))
    return tuple(found)


def correct(
    session: Session, kind: str, fields: Fields, at: datetime, number: int | None = None
) -> Draft:
    """One more event that is no round, and what it changes; `number` is the round it is about."""
    event = Event(len(session.log.events) + 1, at, kind, fields)
    events = [*session.log.events, event]
    after, game = replay(events), session.game.opening.game
    about = [step for step in after.steps if step.round.number == number]
    words = event_words(game, event)
    said = f"recorded {words}" if kind in CORRECTIONS else f"recorded: {words}"
    return Draft((event,), session.game, after, said, number, tuple(_doubts(after, about)))


def _late(session: Session, kind: str, said: Fields, step: Step, at: datetime) -> Draft:
    """What belongs to a round and is said after it; the answer names the round as it was asked."""
    number, where = step.round.number, round_name(step.round.number, step.round.fields)
    draft = correct(session, kind, {"round": number, **said}, at, number)
    return draft._replace(said=f"recorded {late_words(said)} in {where}")


def step_of(session: Session, number: int | None) -> Step:
    """The step of a round that stands; without a number, of the last one."""
    steps = session.game.steps
    if number is None:
        if not steps:
            raise Refused("", "no round is recorded yet")
        return steps[-1]
    for step in steps:
        if step.round.number == number:
            return step
    raise Refused("", no_round(session.game, number))


def scored_step(session: Session, number: int | None) -> Step:
    """The step of a round that counts; without a number, of the last one that stands."""
    step = step_of(session, number)
    for problem in step.problems:
        where = round_name(step.round.number, step.round.fields)
        raise Refused(problem.rule, f"{where} is passed over: {problem.text}; amend or void it")
    return step


@contextmanager
def named_absent(game: Replay) -> Iterator[None]:
    """Tell of somebody who played and is not seated, where a name was not found among the seats."""
    try:
        yield
    except Unknown as error:
        try:
            name = find_player(error.name, game.players, error.rule)
        except Refused:
            raise error from None
        is_, are = ("was", "were") if name in game.state.seats else ("is", "are")
        text = f"{name} {is_} not seated: seated {are} {listing(error.players)}"
        raise Refused(game.opening.game.leave_rule, text) from None


def not_over(game: Replay) -> None:
    """Raise Refused where no further round can be recorded."""
    if game.status == "abandoned":
        raise Refused("", "the evening has ended: undo can take that back")
    if game.over:
        who = f"{listing(game.state.winners)} won"
        raise Refused(game.opening.game.over_rule, f"the game is over: {who}; undo can reopen it")


def batch_mark(place: int, size: int) -> Fields:
    """The mark of one of several events that one command records."""
    return {"batch": f"{place + 1}/{size}"} if size > 1 else {}


def _clearable(step: Step, game: Game, text: str) -> str:
    """A field that can be cleared: given in the round, and not needed by it."""
    names = [field.name for field in game.fields if field.name not in ("ballots", game.role)]
    name = read_word(text, names, "field to clear")
    if name not in step.round.fields:
        raise Refused("", f"round {step.round.number} has no {name} to clear")
    return name


def _out_of_turn(before: Replay, steps: Sequence[Step]) -> Iterator[Problem]:
    """Turns that were not due, as the log stands."""
    last, game = before.last, before.opening.game
    for step in steps:
        turn = due(before.opening, step.before, last)
        if step.turn != turn:
            text = f"{step.turn} is {game.role}, and it is {turn}'s turn"
            yield Problem(step.round.number, step.round.seq, game.turn_rule, text)
        last = step


def _doubts(after: Replay, steps: Sequence[Step]) -> Iterator[Problem]:
    """What is probably a slip in these rounds."""
    opening = after.opening
    for step in steps:
        if step.outcome:
            for fault in opening.game.doubt(step.before, opening.rules, step.round.fields):
                yield Problem(step.round.number, step.round.seq, *fault)
