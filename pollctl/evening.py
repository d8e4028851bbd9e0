"""What an evening records beside its rounds: seats, table checks, disputes, an early end."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pollctl.model import Event, Refused
from pollctl.notation import find_player, read_scores
from pollctl.recording import (
    Draft,
    correct,
    named_absent,
    not_over,
    read_late_ruling,
    read_penalty,
    scored_step,
)
from pollctl.replay import Replay
from pollctl.seating import cant_join, cant_leave
from pollctl.session import Session, event_of
from pollctl.text import check_name, check_sentence, fold, listing
from pollctl.wording import late_words, left_alone, round_name


class Difference(NamedTuple):
    """A player who stands elsewhere on the table than in the log."""

    player: str
    table: int
    log: int


def leave_seat(session: Session, player: str, at: datetime) -> Draft:
    """A player leaves between two rounds (P19, D20)."""
    game = session.game.opening.game
    not_over(session.game)
    with named_absent(session.game):
        name = find_player(player, session.game.state.seats, game.leave_rule)
    for fault in cant_leave(session.game.state, game, name):
        raise Refused(*fault)
    draft = correct(session, "leave", {"player": name}, at)
    if draft.after.state.winners:
        return draft._replace(said=f"{draft.said}: {left_alone(draft.after)}")
    return draft


def take_seat(session: Session, player: str, after: str | None, at: datetime) -> Draft:
    """A player sits down, back or new, last or after another (P19, D20)."""
    now, game = session.game, session.game.opening.game
    not_over(now)
    known = [each for each in now.players if fold(each) == fold(player.strip())]
    name = known[0] if known else check_name(player, game.seats_rule)
    fields = {"player": name}
    if after is not None:
        fields["after"] = find_player(after, now.players, game.leave_rule)
    for fault in cant_join(now.state, game, name, fields.get("after")):
        raise Refused(*fault)
    draft = correct(session, "join", fields, at)
    how = "again" if known else "as a new player"
    place = f" after {fields['after']}" if after is not None else ""
    score = f"{draft.after.state.scores[name]} {game.unit}{_not_meant(now, name)}"
    return draft._replace(said=f"recorded: {name} joins {how}{place}, with {score}")


def _not_meant(game: Replay, name: str) -> str:
    """Who has left and may have been meant by the beginning of a name, which is another's now."""
    left = [each for each in game.players if each not in game.state.seats and each != name]
    meant = [each for each in left if fold(each).startswith(fold(name))]
    return f" (not {listing(meant, 'or')}, who left)" if meant else ""


def rename(session: Session, player: str, to: str, at: datetime) -> Draft:
    """A player goes by another name, from here on and in all earlier rounds as shown."""
    game = session.game.opening.game
    old = find_player(player, session.game.players, game.seats_rule)
    new = check_name(to, game.seats_rule)
    same = [each for each in session.game.players if each != old and fold(each) == fold(new)]
    if same or new == old:
        raise Refused(game.seats_rule, f"{(same or [old])[0]} is called so already")
    draft = correct(session, "rename", {"player": old, "to": new}, at)
    return draft._replace(names={old: new})


def end_evening(session: Session, reason: str | None, at: datetime) -> Draft:
    """The evening stops before the game does."""
    not_over(session.game)
    said = {} if reason is None else {"reason": check_sentence(reason, "reason")}
    return correct(session, "end", said, at)


def check_table(session: Session, texts: Sequence[str], at: datetime) -> Draft:
    """What stands on the real board or in the real piles, `PLAYER=N` each."""
    game = session.game.opening.game
    table = read_scores(texts, session.game.players, game.seats_rule)
    return correct(session, "check", {"table": table}, at)


def differences(game: Replay, table: Mapping[str, int]) -> tuple[Difference, ...]:
    """Who stands elsewhere on the table than in the log, in seating order."""
    scores = game.state.scores
    return tuple(
        Difference(player, table[player], score)
        for player, score in scores.items()
        if table.get(player, score) != score
    )


def dispute(
    session: Session, move: str, reason: str | None, number: int | None, at: datetime
) -> Draft:
    """A penalty or ruling that is not decided yet; it does not score until it is upheld.

    Raises Refused for what could not be upheld.
    """
    step = scored_step(session, number)
    number, where = step.round.number, round_name(step.round.number, step.round.fields)
    if move.partition("=")[2].strip()[:1] in ("+", "-"):
        said = read_late_ruling(session, move, reason, step)
    else:
        said = read_penalty(session, move, step)
        for problem in correct(session, "penalty", {"round": number, **said}, at).impossible:
            if problem.round == number:
                raise Refused(problem.rule, problem.text)
        if reason is not None:
            said = {**said, "note": check_sentence(reason, "reason")}
    draft = correct(session, "dispute", {"round": number, **said}, at, number)
    return draft._replace(said=f"recorded a dispute: {late_words(said)} in {where}")


def settle(
    session: Session, seq: int | None, outcome: str, reason: str | None, at: datetime
) -> Draft:
    """A dispute `upheld` or `rejected`; without a number, the only one that is open."""
    target = _open_dispute(session, seq)
    number = target.fields["round"]
    where = f"round {number}"
    if outcome == "upheld":
        where = round_name(number, scored_step(session, number).round.fields)
    fields: dict[str, Any] = {"target": target.seq, "outcome": outcome}
    if reason is not None:
        fields["reason"] = check_sentence(reason, "reason")
    draft = correct(session, "resolve", fields, at, number)
    return draft._replace(said=f"{outcome}: {late_words(target.fields)} in {where}")


def _open_dispute(session: Session, seq: int | None) -> Event:
    """The dispute of this entry, or the only one; raises Refused where there is none open."""
    disputes = session.game.history.disputes
    found = [each for each in disputes if seq in (None, each.seq)]
    if len(found) == 1:
        return found[0]
    which = f"open: {listing([f'entry {each.seq}' for each in disputes])}"
    if not disputes:
        which = "no dispute is open"
    if seq is None:
        raise Refused("", f"several disputes are {which}" if disputes else which)
    if event_of(session, seq).kind == "dispute":
        raise Refused("", f"the dispute of entry {seq} is decided or taken back already; {which}")
    raise Refused("", f"entry {seq} is no dispute; {which}")
