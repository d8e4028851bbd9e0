"""What would be so: under another rule, and with the open disputes decided either way."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from pollctl.model import Event, Problem
from pollctl.render.answers import Answer, problems, situation
from pollctl.render.words import (
    COLUMNS,
    Loud,
    joined,
    problem_lines,
    standings_foot,
    standings_head,
    standings_lines,
    with_clause,
)
from pollctl.replay import Replay
from pollctl.standings import standings
from pollctl.text import listing, pad, shown, spans, width, wrapped
from pollctl.what_if import Decision, Disputes, Supposition, decided_in
from pollctl.wording import late_words

LABEL = 24
"""Columns for what is upheld, beside the standings; more stands above them."""


def supposed_answer(supposition: Supposition) -> Answer:
    """What stands beside the standings: what the other rules change, and the open disputes."""
    told: Answer = {}
    if supposition.settings:
        told["what_if"] = _what_if(supposition)
    if supposition.disputes.open:
        told["disputes"] = _disputes(supposition.disputes)
    return told


def _what_if(supposition: Supposition) -> Answer:
    played, game = supposition.played, supposition.game
    agreed = {name: played.opening.rules[name] for name in supposition.settings}
    return {
        "rules": dict(supposition.settings),
        "winners": list(game.state.winners),
        "decided_in": decided_in(game),
        "impossible": problems(supposition.impossible),
        "possible": problems(supposition.possible),
        "as_played": {"rules": agreed, **situation(played), "decided_in": decided_in(played)},
    }


def _disputes(disputes: Disputes) -> Answer:
    """The open disputes and what every combination of upheld and rejected brings."""
    told = bool(disputes.decisions)
    return {
        "open": [{"event": event.seq, **event.fields} for event in disputes.open],
        "changes_order": disputes.changes_order if told else None,
        "changes_winner": disputes.changes_winner if told else None,
        "combinations": [_combination(each) for each in disputes.possible] if told else None,
        "refused": list(_refused(disputes)) if told else None,
    }


def _combination(decision: Decision) -> Answer:
    impossible = problems(decision.impossible)
    return {"upheld": decision.upheld, **situation(decision.game), "impossible": impossible}


def _refused(disputes: Disputes) -> Iterator[Answer]:
    for each in disputes.decisions:
        if each.refused:
            rule, text = each.refused
            yield {"upheld": each.upheld, "rule": rule or None, "text": text}


def supposed_words(supposition: Supposition, table: str) -> str:
    """The standings under these rules, as a table, with all that is said above and below it."""
    head, disputes = standings_head(supposition.game), supposition.disputes
    open_ = [_open_words(disputes)] if disputes.open else []
    if supposition.settings:
        parts = [f"{head}\n{_with(supposition)}", table, _would_be(supposition), *open_]
    else:
        parts = [head, table, *open_, standings_foot(supposition.game)]
    return "\n\n".join(parts)


def _with(supposition: Supposition) -> str:
    """Which rules: `With spaces=9 in place of 11`."""
    agreed = supposition.played.opening.rules
    said = [
        f"{name}={value}{'' if value == agreed[name] else f' in place of {agreed[name]}'}"
        for name, value in supposition.settings.items()
    ]
    same = all(agreed[name] == value for name, value in supposition.settings.items())
    return joined([f"With {listing(said)}{', as agreed' if same else ''}."])


def _would_be(supposition: Supposition) -> str:
    """Who would have won, who has, and what could not have happened."""
    game, new = supposition.game, supposition.impossible
    known = [problem for problem in game.problems if problem not in new]
    lines = [_compared(supposition.played, game), *_impossible(game, new)]
    if back := {problem.round for problem in supposition.possible}:
        lines.append(f"{spans(back).capitalize()} would count, and as played can't.")
    return joined([*problem_lines(known, game.strays), *lines])


def _open_words(disputes: Disputes) -> str:
    """The open disputes, whether they can change the order or the winner, and what each brings."""
    return joined([*_open(disputes.open), *_brought(disputes)])


def _compared(played: Replay, game: Replay) -> str:
    """`Ann would have won after round 9; as played, Ben leads`."""
    (_, was), (would_be, now) = _told(played), _told(game)
    line = f"{would_be}{', as played' if now == was else f'; as played, {was}'}."
    return Loud(line) if game.state.winners else line


def _told(game: Replay) -> tuple[str, str]:
    """Who has won, ties or leads: as it would be, and as it is."""
    state, first = game.state, _first(game)
    if state.winners:
        who, won = listing(state.winners), "won" if len(state.winners) == 1 else "shared the win"
        return f"{who} would have {won} {_when(game)}", f"{who} {won} {_when(game)}"
    if game.over:
        return "Nobody would have won", "the evening ended and nobody won"
    if state.contenders:
        who = listing(state.contenders)
        return f"{who} would be in a tie-break", f"{who} are in a tie-break"
    if len(first) == len(state.seats):
        return "Nobody would have won yet, and nobody would lead", "nobody leads"
    who, lead = listing(first), "leads" if len(first) == 1 else "lead"
    return f"Nobody would have won yet, and {who} would lead", f"{who} {lead}"


def _first(game: Replay) -> list[str]:
    """Who is first, alone or with others."""
    return [row.player for row in standings(game) if row.rank == 1]


def _when(game: Replay) -> str:
    number = decided_in(game)
    return "before the first round" if number is None else f"after round {number}"


def _impossible(game: Replay, new: Sequence[Problem]) -> Iterator[str]:
    """What could not have happened; rounds for which the same clause says the same, together."""
    over, strays = game.opening.game.over_rule, game.strays
    grouped: dict[str, set[int]] = {}
    for problem in new:
        if problem not in strays:
            text = "the game was over" if problem.rule == over else problem.text
            grouped.setdefault(with_clause(problem.rule, text), set()).add(problem.round)
    for text, numbers in grouped.items():
        yield f"{spans(numbers).capitalize()} could not have been played: {text}."
    yield from problem_lines([problem for problem in new if problem in strays], strays)


def _open(disputes: Sequence[Event]) -> Iterator[str]:
    """Which disputes are open: one in a sentence, several in a line each."""
    said = [
        (f"entry {event.seq}", late_words(event.fields), f"round {event.fields['round']}")
        for event in disputes
    ]
    if len(said) == 1:
        entry, words, where = said[0]
        yield f"1 dispute is open: {entry}, {words} in {where}."
        return
    yield f"{len(said)} disputes are open:"
    yield from (f"  {entry}, {where}: {words}" for entry, words, where in said)


def _brought(disputes: Disputes) -> Iterator[str]:
    """What they can change, and the standings for every combination that differs."""
    if not disputes.decisions:
        yield "Too many to say what every combination brings: decide some of them first."
        return
    many = _many(disputes)
    idle = [each.seq for each in disputes.open if _is_idle(each.seq, disputes.decisions)]
    if len(idle) == len(disputes.open):
        yield f"However {'they are' if many else 'it is'} decided, nothing changes."
        return
    yield f"{_changes(disputes)}.{' With these upheld:' if many else ''}"
    rows = [each for each in disputes.decisions if _is_told(each, idle, disputes.decisions)]
    yield from _rows(rows, _of_many if many else _of_one)
    yield from _same(idle)


def _same(idle: Sequence[int]) -> Iterator[str]:
    """The entries on which nothing hangs, if there are any."""
    if idle:
        word = "Entry" if len(idle) == 1 else "Entries"
        yield f"  {word} {listing([str(seq) for seq in idle])}: upheld or not, it is the same."


def _many(disputes: Disputes) -> bool:
    return len(disputes.open) > 1


def _is_idle(seq: int, decisions: Sequence[Decision]) -> bool:
    """Whether nothing hangs on this dispute, whatever is decided about the others."""
    outcomes = {each.upheld: _outcome(each) for each in decisions}
    return all(
        outcomes[upheld] == outcomes[tuple(each for each in upheld if each != seq)]
        for upheld in outcomes
    )


def _is_told(decision: Decision, idle: Sequence[int], decisions: Sequence[Decision]) -> bool:
    """Whether a combination has a row: not with what is idle, nor where fewer are refused."""
    upheld = {*decision.upheld}
    if decision.refused:
        return not any(each.refused and {*each.upheld} < upheld for each in decisions)
    return upheld.isdisjoint(idle)


def _outcome(decision: Decision) -> object:
    """What is told of a combination, by which it is the same as another or not."""
    if decision.refused:
        return decision.refused
    rows = [row[:3] for row in standings(decision.game)]
    return (
        *rows,
        _end(decision.game),
        *[problem[:1] + problem[2:] for problem in decision.impossible],
    )


def _changes(disputes: Disputes) -> str:
    """`It can change the order, not the winner`, `They decide between Ann and Ben`."""
    it, decides = ("They", "decide") if _many(disputes) else ("It", "decides")
    games = [each.game for each in disputes.possible]
    if disputes.changes_winner:
        winners = dict.fromkeys(game.state.winners for game in games)
        return f"{it} {decides} {_between(list(winners))}"
    over = bool(games[0].state.winners)
    if not disputes.changes_order:
        return f"{it} can't change the order{' or the winner' if over else ''}"
    leaders = len({tuple(_first(game)) for game in games}) > 1
    who = ", and who leads" if leaders else ", not who leads"
    return f"{it} can change the order{', not the winner' if over else who}"


def _between(found: Sequence[tuple[str, ...]]) -> str:
    """What is decided, from all the winners there may be; the empty tuple for nobody."""
    some = [winners for winners in found if winners]
    if [len(winners) for winners in found] == [1, 1]:
        return f"between {found[0][0]} and {found[1][0]}"
    if len(some) == 1:
        return f"whether {listing(some[0])} {'has' if len(some[0]) == 1 else 'have'} won"
    return f"who has won: {', or '.join(listing(each) or 'nobody yet' for each in found)}"


def _rows(decisions: Iterable[Decision], label: Callable[[Decision], str]) -> Iterator[str]:
    """A row for each outcome, beside the combinations that come to it."""
    groups: dict[object, list[Decision]] = {}
    for each in decisions:
        groups.setdefault(_outcome(each), []).append(each)
    labels = [" or ".join(map(label, group)) for group in groups.values()]
    column = max((width(each) for each in labels if width(each) <= LABEL), default=0)
    ends = {_end(group[0].game) for group in groups.values() if not group[0].refused}
    for head, group in zip(labels, groups.values(), strict=True):
        beside = [head] if width(head) <= LABEL else []
        yield from [] if beside else [f"  {head}"]
        lines = _row(group[0], COLUMNS - column - 5, tell=len(ends) > 1)
        for left, line in zip_longest(beside, lines, fillvalue=""):
            yield f"  {pad(left, column)}   {line}"


def _row(decision: Decision, columns: int, *, tell: bool) -> Iterator[str]:
    """The standings a combination comes to, and what could not have been played then."""
    game = decision.game
    if decision.refused:
        lines = [f"can't be: {with_clause(*decision.refused)}."]
    else:
        lines = [
            *standings_lines(game, *[_end(game)] * tell, columns=columns),
            *_impossible(game, decision.impossible),
        ]
    for line in lines:
        yield from wrapped(shown(line), columns, 2).split("\n")


def _of_one(decision: Decision) -> str:
    """What becomes of the only open dispute."""
    return "upheld" if decision.upheld else "rejected"


def _of_many(decision: Decision) -> str:
    """Which entries are upheld: `none`, `5`, `5+6`."""
    return "+".join(map(str, decision.upheld)) or "none"


def _end(game: Replay) -> str:
    """How a combination leaves the game, where not all leave it alike."""
    state = game.state
    if state.winners:
        return f"{listing(state.winners)} {'wins' if len(state.winners) == 1 else 'share the win'}"
    if state.contenders:
        return f"tie of {listing(state.contenders)}"
    return "no winner" if game.over else "no winner yet"
