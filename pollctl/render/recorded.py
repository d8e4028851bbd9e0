"""What a command recorded: in words, with what it changed, and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.recording import Draft, new_awards
from pollctl.render.answers import Answer, entry, problems, state_answer
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


def recorded_words(
    file: str,
    draft: Draft,
    receipt: str | None,
    more: Sequence[str] = (),
    *,
    guided: bool = False,
) -> str:
    """What a command recorded (or, without a receipt, would record), and where the game stands.

    A host who is guided knows the file, and is told next what comes next: that is left out.
    """
    game = draft.after
    lines = list(_round_lines(draft) if draft.events[0].kind == "round" else _change_lines(draft))
    lines += more
    if not guided and draft.events[0].kind == "draw":
        lines += _card_ways(draft)
    if not guided or draft.before.state != game.state:
        lines += ["", *standings_lines(game)]
    if not guided or game.over:
        lines.append(next_line(game))
    lines += _open_lines(game)
    if receipt is None:
        lines.append(f"Dry run: nothing was written to {file}.")
    else:
        lines += [] if guided else [f"Entry {draft.events[-1].seq} of {file}."]
        lines.append(receipt_line(receipt))
    return joined(lines)


def recorded_answer(
    file: str, draft: Draft, receipt: str | None, more: Mapping[str, Any] = {}
) -> Answer:
    """What a command recorded, or without a receipt would record."""
    return {
        **state_answer(file, draft.after),
        **_card(draft),
        **more,
        "recorded": receipt is not None,
        "event": draft.events[-1].seq,
        "round": draft.round,
        "receipt": receipt,
        "said": draft.said,
        "entries": [entry(number, award) for number, award in new_awards(draft)],
        "warnings": problems((*draft.warnings, *draft.impossible, *draft.passed_over)),
    }


def _card(draft: Draft) -> Answer:
    """The card that it plays or draws, under its key; nothing where there is none."""
    if draft.card is None:
        return {}
    from pollctl.render.cards import card_answer

    return {"card": card_answer(draft.card)}


def _card_lines(draft: Draft) -> Iterator[str]:
    """The same in words."""
    if draft.card:
        from pollctl.render.cards import drawn_lines, played_line

        game = draft.after.opening.game
        if draft.round is None:
            yield from drawn_lines(game, draft.card)
        else:
            yield played_line(game, draft.card, draft.after.steps[-1].round.fields)


def _card_ways(draft: Draft) -> Iterator[str]:
    """What can be done with a card that it draws."""
    if draft.card:
        from pollctl.render.cards import drawn_ways

        yield from drawn_ways(draft.after.opening.game, draft.card)


def _round_lines(draft: Draft) -> Iterator[str]:
    new = draft.after.steps[len(draft.before.steps) :]
    if len(new) > 1:
        yield f"{draft.said[0].upper()}{draft.said[1:]}."
    else:
        yield round_head(draft.after, new[0].round)
        yield from _card_lines(draft)
        yield from step_lines(new[0], None)
    yield from _warning_lines(draft)


def _change_lines(draft: Draft) -> Iterator[str]:
    yield Loud(f"{draft.said[0].upper()}{draft.said[1:]}.")
    yield from award_lines([award for n, award in new_awards(draft) if n == draft.round])
    yield from _card_lines(draft)
    yield from _effects(draft)
    yield from _warning_lines(draft)


def _open_lines(game: Replay) -> Iterator[str]:
    """Where the standings say what hangs on the disputes that are open."""
    if disputes := game.history.disputes:
        are = "1 dispute is" if len(disputes) == 1 else f"{len(disputes)} disputes are"
        yield f"{are} open: pollctl standings."


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
