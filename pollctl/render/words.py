"""What a person reads: calm lines of at most 80 columns where the names allow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pollctl.model import Award, Event, Problem, Round, Step
from pollctl.recording import Draft, new_awards
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.standings import standings
from pollctl.text import listing, pad, shown, width, wrapped
from pollctl.wording import event_words, field_words, signed

COLUMNS = 80


def opened(file: str, session: Session) -> str:
    """A new session: who plays, what the board is taken to be, how to begin."""
    opening, game = session.game.opening, session.game.opening.game
    lines = [f"Opened {file}: {game.title}, clockwise {listing(opening.players)}."]
    for key in game.keys:
        if key.aloud:
            value = opening.rules[key.name]
            lines.append(f"There are {value} {key.text}; if not: new … --rule {key.name}=N.")
    ballots = " ".join([game.ballot.example] * len(opening.players))
    lines += [next_line(session.game), f"Record it with: pollctl round add {ballots}"]
    return _text([*lines, f"Receipt {session.log.receipt}"])


def recorded(file: str, draft: Draft, receipt: str | None) -> str:
    """What a command recorded (or, without a receipt, would record), and where the game stands."""
    lines = list(_round_lines(draft) if draft.events[0].kind == "round" else _change_lines(draft))
    lines += ["", *_brief(draft.after), next_line(draft.after)]
    if receipt:
        lines += [f"Entry {draft.events[-1].seq} of {file}.", f"Receipt {receipt}"]
    else:
        lines.append(f"Dry run: nothing was written to {file}.")
    return _text(lines)


def standings_head(game: Replay) -> str:
    """The line above the standings: title, game, round."""
    opening = game.opening
    title = f"{opening.title} · " if opening.title else ""
    return shown(f"{title}{opening.game.title} · {_place(game)}")


def standings_foot(game: Replay) -> str:
    """The lines below the standings: what was passed over, who wins or is next."""
    return _text([*_problem_lines(game.problems), next_line(game)])


def explained(game: Replay, steps: Sequence[Step], player: str | None) -> str:
    """Every point of these rounds, or only one player's, each with its clause."""
    lines: list[str] = []
    for step in steps:
        lines += [_round_head(game, step.round)]
        lines += _explain_step(step, player)
        lines.append("")
    for name in [player] if player else game.state.scores:
        lines.append(_sum(game, steps, name))
    return _text(lines)


def round_shown(game: Replay, number: int) -> str:
    """One round, which may be voided: what was recorded, and what it scored."""
    every = {each.number: each for each in (*game.history.voided, *game.history.rounds)}
    lines = [_round_head(game, every[number])]
    for field in game.opening.game.fields:
        head = field.name in ("question", game.opening.game.role)
        if field.name in every[number].fields and not head:
            words = field_words(game.opening.game, field, every[number].fields[field.name])
            lines.append(f"  {field.name.replace('_', ' '):<12} {words}")
    for step in game.steps:
        if step.round.number == number:
            return _text([*lines, *_explain_step(step, None)])
    return _text([*lines, "  Voided: as if never played."])


def next_line(game: Replay) -> str:
    """Who is next, or how it ended."""
    state, opening = game.state, game.opening
    if game.status == "finished":
        verb = "wins" if len(state.winners) == 1 else "share the win"
        return f"{listing(state.winners)} {verb}. The game is over."
    if game.status == "abandoned":
        return "The evening ended before the game did: no winner."
    line = f"Next: round {game.next_number}, {game.turn} is the {opening.game.role}."
    if state.contenders:
        return f"{line} Tie-break: {listing(state.contenders)}."
    return line


def said(game: Replay) -> str:
    """The lines the host says now."""
    if game.over:
        return _text([next_line(game)])
    opening = game.opening
    head = f"Round {game.next_number}."
    return _text([head, *opening.game.say(game.state, opening.rules, game.turn)])


def log_lines(session: Session) -> str:
    """The events as recorded, those taken back marked."""
    game, fallen = session.game.opening.game, session.game.history.fallen
    digits = len(str(len(session.log.events)))

    def line(event: Event) -> str:
        mark = "x" if event.seq in fallen else " "
        head = f"{event.seq:>{digits}} {mark} {event.at:%H:%M}  "
        return wrapped(shown(head + event_words(game, event)), COLUMNS, len(head))

    lines = [line(event) for event in session.log.events]
    if fallen:
        lines.append(f"{' ' * digits} x marks what was taken back.")
    return "\n".join([*lines, f"Receipt {session.log.receipt}"])


def _text(lines: Iterable[str]) -> str:
    return "\n".join(wrapped(shown(line), COLUMNS, 4) for line in lines)


def _place(game: Replay) -> str:
    """`round 3 of 6`, `after 4 rounds`."""
    played, total = game.state.played, game.rounds_total
    if total is not None:
        return f"round {played} of {total}"
    return f"after {played} round{'' if played == 1 else 's'}"


def _round_head(game: Replay, each: Round) -> str:
    question = each.fields.get("question")
    asked = f" · “{question}”" if question else ""
    role = game.opening.game.role
    return f"Round {each.number} · {each.fields.get(role)}, {role}{asked}"


def _round_lines(draft: Draft) -> Iterator[str]:
    new = draft.after.steps[len(draft.before.steps) :]
    if len(new) > 1:
        yield f"{draft.said[0].upper()}{draft.said[1:]}."
    else:
        yield _round_head(draft.after, new[0].round)
        yield from _explain_step(new[0], None)
    yield from _warning_lines(draft)


def _explain_step(step: Step, player: str | None) -> Iterator[str]:
    if step.outcome is None:
        yield from _problem_lines(step.problems)
        return
    counted, *decided = [f"  {note.text}." for note in step.outcome.notes] or [""]
    if counted:
        yield counted
    yield from _award_lines([a for a in step.outcome.awards if player in (None, a.player)])
    yield from decided


def _award_lines(awards: Sequence[Award]) -> Iterator[str]:
    if not awards:
        yield "  Nobody moves."
        return
    name = max(width(award.player) for award in awards)
    for award in awards:
        moved = f"{signed(award.change):>4}  {f'{award.before} → {award.after}':<8}"
        yield f"  {pad(award.player, name)} {moved} {award.rule:<4}{award.text}"


def _change_lines(draft: Draft) -> Iterator[str]:
    yield f"{draft.said[0].upper()}{draft.said[1:]}."
    yield from _award_lines_of(draft)
    yield from _effects(draft)
    yield from _warning_lines(draft)


def _award_lines_of(draft: Draft) -> Iterator[str]:
    awards = [award for number, award in new_awards(draft) if number == draft.round]
    if awards:
        yield from _award_lines(awards)


def _effects(draft: Draft) -> Iterator[str]:
    """What a correction changed, before and after."""
    before, after = draft.before, draft.after
    rescored = list(_rescored(before, after))
    yield from rescored[:_MOST]
    if len(rescored) > _MOST:
        yield f"  … and {len(rescored) - _MOST} more rounds"
    ranks = [{row.player: row.rank for row in standings(game)} for game in (before, after)]
    moved = [f"{p} {r} → {ranks[1][p]}" for p, r in ranks[0].items() if ranks[1][p] != r]
    if moved:
        yield f"  rank      {', '.join(moved)}"
    was, now = next_line(before), next_line(after)
    if was != now:
        yield f"  before    {was}"


_MOST = 6


def _rescored(before: Replay, after: Replay) -> Iterator[str]:
    """The rounds after which a score is another than it was."""
    earlier = {step.round.number: step for step in before.steps}
    later = {step.round.number: step for step in after.steps}
    for number in sorted(earlier.keys() | later.keys()):
        label = f"  {f'round {number}':<9} "
        if number not in later:
            yield f"{label}no longer stands"
        elif number not in earlier:
            yield f"{label}stands again"
        else:
            was, now = earlier[number].after.scores, later[number].after.scores
            moved = [f"{p} {was[p]} → {now[p]}" for p in now if now[p] != was[p]]
            if moved:
                yield f"{label}{', '.join(moved)}"


def _warning_lines(draft: Draft) -> Iterator[str]:
    for warning in (*draft.warnings, *draft.impossible):
        clause = f" ({warning.rule})" if warning.rule else ""
        yield f"  Note: round {warning.round}: {warning.text}{clause}."


def _problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    for problem in problems:
        clause = f" ({problem.rule})" if problem.rule else ""
        yield f"  Round {problem.round} is passed over: {problem.text}{clause}."


def _brief(game: Replay) -> Iterator[str]:
    """The standings, in as many lines as 80 columns ask for."""
    line = ""
    for row in standings(game):
        entry = f"{row.rank}. {row.player} {row.score}"
        if line and width(line) + width(entry) + 3 > COLUMNS:
            yield line
            line = ""
        line += f"   {entry}" if line else entry
    yield line


def _sum(game: Replay, steps: Sequence[Step], player: str) -> str:
    """`Ann: 3 + 4 = 7`, over these rounds."""
    begin = steps[0].before.scores[player] if steps else game.state.scores[player]
    end = steps[-1].after.scores[player] if steps else begin
    return f"{player}: {begin} {'-' if end < begin else '+'} {abs(end - begin)} = {end}"
