"""Tables as spreadsheets write them: a byte order mark, any separator, quoted cells, guards."""

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pollctl.model import Refused
from pollctl.text import brief, fold, normal

SEPARATORS = ",;\t"


class Row(NamedTuple):
    """A row of a table that is not blank."""

    number: int
    """Its number among all rows of the table, as a spreadsheet counts them."""
    line: int
    """The line of the file on which it begins, from 1."""
    cells: Sequence[str]


def read_table(text: str, wanted: Collection[str], lacking: str) -> list[Row]:
    """The rows, cut by the separator that finds most of the wanted columns in the first one.

    Raises Refused, with what is lacking where none finds any.
    """
    folded = {fold(column) for column in wanted}

    def found(rows: Sequence[Row]) -> int:
        return len(folded & {fold(cell) for cell in rows[0].cells}) if rows else 0

    try:
        tables = [list(_cut(text.removeprefix("\ufeff"), separator)) for separator in SEPARATORS]
    except csv.Error as error:
        raise Refused("", f"the file is no CSV: {error}") from None
    best = max(tables, key=found)
    if not found(best):
        raise Refused("", lacking)
    return best


def columns(head: Row, names: Sequence[str]) -> list[str]:
    """Which of these names each column has; none (the empty string) where its head is blank."""
    known = {fold(name): name for name in names}
    found: list[str] = []
    for cell in head.cells:
        name = known.get(fold(normal(cell)), "")
        if cell and not name:
            text = f"there is no column {brief(cell)}: the columns are {', '.join(names)}"
            raise Refused("", text)
        if name and name in found:
            raise Refused("", f"the column {name} stands there twice")
        found.append(name)
    return found


def named(row: Row, heads: Sequence[str]) -> dict[str, str]:
    """The cells of a row that are not blank, each under the name of its column."""
    found = {}
    for place, cell in enumerate(row.cells):
        if cell:
            column = heads[place] if place < len(heads) else ""
            if not column:
                raise Refused("", f"{brief(cell)} stands in a column without a name")
            found[column] = cell
    return found


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if re.match(r"'*[=+\-@]", cell) else cell


def _cut(text: str, separator: str) -> Iterator[Row]:
    """Every row, its cells without guards and without blanks around them."""
    reader, line = csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1
    for number, row in enumerate(reader, 1):
        cells = [_plain(cell.strip()) for cell in row]
        if any(cells):
            yield Row(number, line, cells)
        line = reader.line_num + 1


def _plain(cell: str) -> str:
    """A cell without that guard."""
    return cell[1:] if re.match(r"'+[=+\-@]", cell) else cell
