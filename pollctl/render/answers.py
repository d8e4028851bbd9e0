"""The machine-readable answers, as pollctl(1) fixes them: plain data, ready for JSON."""

from collections.abc import Iterable
from typing import Any

from pollctl.model import Award, Event, Problem, Round, Step
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.standings import standings
from pollctl.text import steers
from pollctl.wording import event_words

Answer = dict[str, Any]


def dumps(answer: Answer) -> bytes:
    """One JSON document, UTF-8 whatever the terminal's own encoding is, that steers none."""
    from json import dumps as to_json

    text = to_json(answer, ensure_ascii=False, default=str)
    if not text.isprintable():
        text = "".join(to_json(char)[1:-1] if steers(char) else char for char in text)
    return text.encode(errors="backslashreplace")


def refused(rule: str, text: str) -> Answer:
    """Why nothing was recorded; `rule` is null where no clause of a game says so."""
    return {"schema": "pollctl.refused/1", "rule": rule or None, "text": text}


def standings_answer(file: str, session: Session, game: Replay) -> Answer:
    """Who leads in this replay of the session, and who is next."""
    opening = game.opening
    return {
        "schema": "pollctl.standings/1",
        "session": {"file": file, "title": opening.title, "game": opening.game.id},
        "chain": session.log.chain,
        "round": game.last.round.number if game.last else 0,
        "played": game.state.played,
        "rounds_total": game.rounds_total,
        **_outcome(game),
        "next": next_turn(game),
        "standings": _standings(game),
        "problems": problems(game.problems),
        "receipt": session.log.receipt,
    }


def next_turn(game: Replay) -> Answer | None:
    """The round to come; None once the game is over."""
    if game.over:
        return None
    return {"round": game.next_number, "role": game.opening.game.role, "player": game.turn}


def board_answer(game: Replay) -> Answer:
    """The board and where everybody's marker stands on it; for piles it has no goal and paths."""
    state, board = game.state, game.opening.game.guide().board(game.opening.rules)
    return {
        "schema": "pollctl.board/1",
        "round": game.last.round.number if game.last else 0,
        "goal": board.goal or None,
        "paths": board.paths if board.goal else None,
        **_outcome(game),
        "next": next_turn(game),
        "players": [
            {
                "player": player,
                "path": board.path(seat, len(state.scores)) if board.goal else None,
                "score": score,
                "seated": player in state.seats,
                "contender": player in state.contenders,
                "winner": player in state.winners,
            }
            for seat, (player, score) in enumerate(state.scores.items())
        ],
    }


def rounds_answer(game: Replay) -> Answer:
    """All rounds, voided ones too, in the order of their numbers."""
    rows = {step.round.number: _round(step) for step in game.steps}
    rows |= {each.number: _voided(game, each) for each in game.history.voided}
    return {"schema": "pollctl.rounds/1", "rounds": [rows[number] for number in sorted(rows)]}


def round_answer(game: Replay, number: int) -> Answer:
    """One round: its row of the list, its fields, and what it scored."""
    row = next(row for row in rounds_answer(game)["rounds"] if row["number"] == number)
    every = {each.number: each for each in (*game.history.rounds, *game.history.voided)}
    steps = [step for step in game.steps if step.round.number == number]
    explained = explain_answer(steps, None)
    schema = {"schema": "pollctl.round/1"}
    return {**explained, **schema, **row, "fields": dict(every[number].fields)}


def explain_answer(steps: Iterable[Step], player: str | None) -> Answer:
    """Every point of these rounds, or one player's, and what the rounds decided."""
    scored = [(step.round.number, step.outcome) for step in steps if step.outcome]
    entries = [
        entry(number, award)
        for number, outcome in scored
        for award in outcome.awards
        if player in (None, award.player)
    ]
    decided = [
        {"round": number, **note._asdict()} for number, outcome in scored for note in outcome.notes
    ]
    return {"schema": "pollctl.explain/1", "entries": entries, "decided": decided}


def log_answer(session: Session) -> Answer:
    """The events as recorded."""
    game, fallen = session.game.opening.game, session.game.history.fallen

    def row(event: Event) -> Answer:
        return {
            "seq": event.seq,
            "at": event.at.isoformat(),
            "kind": event.kind,
            "stands": event.seq not in fallen,
            "text": event_words(game, event),
            "receipt": session.log.receipt_of(event),
        }

    return {"schema": "pollctl.log/1", "events": [row(event) for event in session.log.events]}


def opened_answer(file: str, session: Session) -> Answer:
    """A new session."""
    return {**state_answer(file, session.game), "event": 1, "receipt": session.log.receipt}


def state_answer(file: str, game: Replay) -> Answer:
    """Where the game stands after something was recorded; what it was is for the caller to add."""
    return {
        "schema": "pollctl.recorded/1",
        "recorded": True,
        "session": file,
        "event": None,
        "round": None,
        "receipt": None,
        "entries": [],
        **_outcome(game),
        "next": next_turn(game),
        "standings": _standings(game),
        "warnings": [],
    }


def situation(game: Replay) -> Answer:
    """How things stand in one of several replays of a session."""
    return {
        **_outcome(game),
        "standings": _standings(game),
        "problems": problems(game.problems),
    }


def problems(found: Iterable[Problem]) -> list[Answer]:
    """Each with its round, event, clause (null where none speaks) and sentence."""
    return [{**each._asdict(), "rule": each.rule or None} for each in found]


def _outcome(game: Replay) -> Answer:
    state = game.state
    return {
        "status": game.status,
        "winners": list(state.winners),
        "contenders": list(state.contenders),
    }


def _standings(game: Replay) -> list[Answer]:
    return [row._asdict() for row in standings(game)]


def _round(step: Step) -> Answer:
    after = step.after
    row = {
        "number": step.round.number,
        "stands": True,
        "at": step.round.at.isoformat(),
        "turn": step.turn,
        **(step.outcome.facts if step.outcome else {}),
        "scores": dict(after.scores),
        "status": after.status,
        "winners": list(after.winners),
        "contenders": list(after.contenders),
    }
    return {**row, "problems": problems(step.problems)} if step.problems else row


def _voided(game: Replay, each: Round) -> Answer:
    turn = each.fields.get(game.opening.game.role)
    return {"number": each.number, "stands": False, "at": each.at.isoformat(), "turn": turn}


def entry(number: int, award: Award) -> Answer:
    """One award of a round."""
    return {
        "round": number,
        "player": award.player,
        "rule": award.rule,
        "change": award.change,
        "before": award.before,
        "after": award.after,
        "text": award.text,
    }
