"""What would explain a table that differs from the log: in words, and as JSON."""

import shlex
from collections.abc import Iterator, Sequence

from pollctl.culprit import Culprit
from pollctl.render.answers import Answer
from pollctl.render.words import Exact
from pollctl.slips import Line

MOST = 5
"""Explanations a noisy table can take."""


def culprit_answers(culprits: Sequence[Culprit], session: str | None) -> list[Answer]:
    """Every explanation, with the commands as they are typed; the session is named where given."""
    return [
        {
            "command": _typed(each.command, session),
            "round": each.round,
            "event": each.event,
            "text": each.text,
            "alternatives": [_typed(other, session) for other in each.alternatives],
        }
        for each in culprits
    ]


def culprit_lines(
    culprits: Sequence[Culprit], session: str | None, *, every: bool
) -> Iterator[str]:
    """The likeliest explanations or all of them, each with the command that puts it right."""
    yield ""
    if not culprits:
        yield "No single entry explains it. Where every point is from: pollctl explain."
        return
    several = len(culprits) > 1
    yield f"{'Each of these alone' if several else 'This'} would explain it:"
    told = culprits if every else culprits[:MOST]
    for each in told:
        yield f"  {each.text}"
        yield Exact(f"    {_typed(each.command, session)}")
    if more := len(culprits) - len(told):
        yield f"  … and {more} more, less likely: check again with -n --all."


def _typed(line: Line, session: str | None) -> str:
    """A command line as it is typed in a shell."""
    options = () if session is None else ("-s", session)
    return f"pollctl {line.command} {shlex.join([*options, *line.rest])}"
