"""Tables in every format of tabulate, aligned also where names are wide."""

from collections.abc import Sequence

from tabulate import tabulate, tabulate_formats

from pollctl.model import Step
from pollctl.replay import Replay
from pollctl.standings import changed, standings
from pollctl.text import shown
from pollctl.wording import signed

FORMATS: Sequence[str] = tabulate_formats
"""The names of the formats."""

_BARS = (
    dict.fromkeys(("asciidoc", "github", "jira", "pipe"), "\\|")
    | dict.fromkeys(("mediawiki", "moinmoin", "textile", "youtrack"), "&#124;")
    | {"orgtbl": "\\vert{}"}
)
"""How a bar in a cell is written where a bar ends the cell."""


def standings_table(game: Replay, style: str) -> str:
    """Rank, player, score, and what the last round brought."""
    rows = [
        [str(row.rank or ""), row.player, str(row.score), signed(row.change) if row.change else ""]
        for row in standings(game)
    ]
    unit = game.opening.game.unit
    return table(["", "Player", unit.title(), "Last"], rows, style, ("right", "left", "right"))


def rounds_table(game: Replay, style: str) -> str:
    """Number, time, turn and what each round scored, voided rounds marked."""
    rows = {step.round.number: _row(step) for step in game.steps}
    for each in game.history.voided:
        turn = str(each.fields.get(game.opening.game.role, ""))
        rows[each.number] = [str(each.number), f"{each.at:%H:%M}", turn, "voided"]
    head = ["Round", "Time", game.opening.game.role.title(), "Scored"]
    return table(head, [rows[number] for number in sorted(rows)], style, ("right",))


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], style: str, align: Sequence[str]
) -> str:
    """The cells as they are, none taken for a number; `align` for the first columns."""
    cells = [[_cell(cell, style) for cell in row] for row in rows]
    sides = [*align, *["left"] * (len(head) - len(align))]
    return tabulate(
        cells, head, tablefmt=style, disable_numparse=True, colalign=sides if rows else None
    )


def _row(step: Step) -> list[str]:
    moved = changed(step.before.scores, step.after.scores)
    scored = ", ".join(f"{player} {signed(change)}" for player, change in moved.items())
    if step.problems:
        scored = f"passed over: {step.problems[0].text}"
    elif step.after.winners:
        scored = f"{scored}; {' and '.join(step.after.winners)} won".removeprefix("; ")
    elif step.after.contenders:
        scored = f"{scored}; tie of {' and '.join(step.after.contenders)}".removeprefix("; ")
    return [str(step.round.number), f"{step.round.at:%H:%M}", step.turn, scored or "nobody moves"]


def _cell(text: str, style: str) -> str:
    return shown(text).replace("|", _BARS.get(style, "|"))
