"""What a check found: who stands elsewhere on the table than in the log."""

from collections.abc import Iterator, Sequence

from pollctl.evening import Difference
from pollctl.render.answers import Answer


def difference_answers(found: Sequence[Difference]) -> list[Answer]:
    """Each player who differs, with both scores."""
    return [each._asdict() for each in found]


def difference_lines(found: Sequence[Difference]) -> Iterator[str]:
    """Who differs, and by how much."""
    for each in found:
        more = f"{abs(each.table - each.log)} {'more' if each.table > each.log else 'less'}"
        yield f"  {each.player}: {each.table} on the table, {each.log} in the log: {more}."
    if not found:
        yield "  The table and the log agree."
