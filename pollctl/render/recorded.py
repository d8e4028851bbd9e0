"""What a command recorded: in words, with what it changed, and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.evening import differences
from pollctl.model import Fields
from pollctl.recording import Draft, new_awards
from pollctl.render.answers import Answer, entry, problems, state_answer
from pollctl.render.cards import card_answer, drawn_lines, played_line
from pollctl.render.words import (
    Loud,
    award_lines,
    joined,
    next_line,
    receipt_line,
    round_head,
    standings_lines,
    step_lines,
    with_clause,
)
from pollctl.replay import Replay
from pollctl.standings import standings
from pollctl.text import spans

MOST = 6
"""Rounds a correction may rescore before the rest is only counted."""


class More(NamedTuple):
    """What a command has to say beside what it recorded."""

    lines: Sequence[str] = ()
    answer: Mapping[str, Any] = {}
    """The keys that it adds to the answer in JSON."""


def recorded_words(file: str, draft: Draft, receipt: str | None, more: Sequence[str] = ()) -> str:
    """What a command recorded (or, without a receipt, would record), and where the game stands."""
    lines = list(_round_lines(draft) if draft.events[0].kind == "round" else _change_lines(draft))
    lines += more
    lines += ["", *standings_lines(draft.after), next_line(draft.after), *_open_lines(draft.after)]
    if receipt:
        lines += [f"Entry {draft.events[-1].seq} of {file}.", receipt_line(receipt)]
    else:
        lines.append(f"Dry run: nothing was written to {file}.")
    return joined(lines)


def recorded_answer(
    file: str, draft: Draft, receipt: str | None, more: Mapping[str, Any] = {}
) -> Answer:
    """What a command recorded, or without a receipt would record."""
    table = draft.events[0].fields.get("table")
    found = {} if table is None else {"differences": _differences(draft.after, table)}
    return {
        **state_answer(file, draft.after),
        **found,
        **({"card": card_answer(draft.card)} if draft.card else {}),
        **more,
        "recorded": receipt is not None,
        "event": draft.events[-1].seq,
        "round": draft.round,
        "receipt": receipt,
        "said": draft.said,
        "entries": [entry(number, award) for number, award in new_awards(draft)],
        "warnings": problems((*draft.warnings, *draft.impossible, *draft.passed_over)),
    }


def _differences(game: Replay, table: Fields) -> list[Answer]:
    return [each._asdict() for each in differences(game, table)]


def _round_lines(draft: Draft) -> Iterator[str]:
    new = draft.after.steps[len(draft.before.steps) :]
    if len(new) > 1:
        yield f"{draft.said[0].upper()}{draft.said[1:]}."
    else:
        yield round_head(draft.after, new[0].round)
        if draft.card:
            yield played_line(draft.after.opening.game, draft.card, new[0].round.fields)
        yield from step_lines(new[0], None)
    yield from _warning_lines(draft)


def _change_lines(draft: Draft) -> Iterator[str]:
    yield Loud(f"{draft.said[0].upper()}{draft.said[1:]}.")
    yield from _award_lines_of(draft)
    if draft.events[0].kind == "check":
        yield from _compared(draft)
    if draft.card:
        yield from drawn_lines(draft.after.opening.game, draft.card)
    yield from _effects(draft)
    yield from _warning_lines(draft)


def _compared(draft: Draft) -> Iterator[str]:
    """Who stands elsewhere on the table than in the log, and by how much."""
    found = differences(draft.after, draft.events[0].fields["table"])
    for each in found:
        more = f"{abs(each.table - each.log)} {'more' if each.table > each.log else 'less'}"
        yield f"  {each.player}: {each.table} on the table, {each.log} in the log: {more}."
    if not found:
        yield "  The table and the log agree."


def _open_lines(game: Replay) -> Iterator[str]:
    """Where the standings say what hangs on the disputes that are open."""
    if disputes := game.history.disputes:
        are = "1 dispute is" if len(disputes) == 1 else f"{len(disputes)} disputes are"
        yield f"{are} open: pollctl standings."


def _award_lines_of(draft: Draft) -> Iterator[str]:
    awards = [award for number, award in new_awards(draft) if number == draft.round]
    if awards:
        yield from award_lines(awards)


def _effects(draft: Draft) -> Iterator[str]:
    """What a correction changed, before and after."""
    before, after = draft.before, draft.after
    rescored = list(_rescored(before, after))
    yield from rescored[:MOST]
    if len(rescored) > MOST:
        yield f"  … and {len(rescored) - MOST} more rounds"
    ranks = [{row.player: row.rank for row in standings(game)} for game in (before, after)]
    moved = [
        f"{p} {r or 'out'} → {ranks[1][p] or 'out'}"
        for p, r in ranks[0].items()
        if ranks[1].get(p, r) != r
    ]
    if moved:
        yield f"  rank      {', '.join(moved)}"
    was, now = next_line(before), next_line(after)
    if was != now:
        yield f"  was       {was}"


def _rescored(before: Replay, after: Replay) -> Iterator[str]:
    """The rounds after which a score is another than it was."""
    earlier = {step.round.number: step.after.scores for step in before.steps}
    later = {step.round.number: step.after.scores for step in after.steps}
    if gone := earlier.keys() - later.keys():
        yield f"  out       {spans(gone)}: as if never played"
    if back := later.keys() - earlier.keys():
        yield f"  back      {spans(back)}"
    for number in sorted(earlier.keys() & later.keys()):
        was, now = earlier[number], later[number]
        moved = [f"{p} {was[p]} → {now[p]}" for p in now if now[p] != was.get(p, now[p])]
        if moved:
            yield f"  {f'round {number}':<9} {', '.join(moved)}"


def _warning_lines(draft: Draft) -> Iterator[str]:
    for warning in (*draft.warnings, *draft.impossible, *draft.passed_over):
        seat = warning in draft.after.strays
        where = f"entry {warning.event}" if seat else f"round {warning.round}"
        yield f"  Note: {where}: {with_clause(warning.rule, warning.text)}."
