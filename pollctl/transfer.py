"""Rounds as CSV and NDJSON, in and out: texts in, rounds out, and back."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from pollctl import sheet
from pollctl.game import Field, Game, in_order
from pollctl.model import Fields, Refused, Round
from pollctl.notation import read_fields, read_time
from pollctl.recording import Draft, RefusedRound, added, named_absent, not_over
from pollctl.replay import Replay
from pollctl.seating import pass_on
from pollctl.session import Session
from pollctl.text import brief, check_sentence, fold, normal, several
from pollctl.wording import as_typed

AT = "at"
"""The column of the time, beside those of the game's fields."""

_IGNORED = ("number", "seq", "kind", "batch", "seal")
"""Fields of an event that an import gives anew."""


class Row(NamedTuple):
    """A round that is to be recorded."""

    place: str
    """Where it stands in the file: `row 3`."""
    fields: Fields
    at: datetime


def read_csv(text: str, game: Replay, now: datetime) -> list[Row]:
    """The rounds of a CSV file; raises Refused naming the row and the fault.

    The separator is a comma, a semicolon or a tab, whichever makes columns of the players.
    """
    lacking = "the first row names no player: it is the head, a column for each"
    head, *rows = sheet.read_table(text, game.players, lacking)
    _no_player_is_a_column(game)
    columns = sheet.columns(head, (AT, *_names(game), *game.players))
    found = []
    for row in rows:
        with _at(f"row {row.number}"), named_absent(game):
            found.append(_csv_row(row, columns, game, now))
    return _with_turns(found, game)


def read_ndjson(text: str, game: Replay, now: datetime) -> list[Row]:
    """The rounds of an NDJSON file, one a line; raises Refused naming the line and the fault."""
    found = []
    for place, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            with _at(f"line {place}"):
                found.append(_json_row(place, line, game, now))
    return _with_turns(found, game)


def import_rounds(session: Session, rows: Sequence[Row]) -> Draft:
    """All rounds of a file as one batch; raises Refused naming the row and the fault."""
    not_over(session.game)
    try:
        return added(session, [(row.fields, row.at) for row in rows])
    except RefusedRound as error:
        raise Refused(error.rule, f"{rows[error.index].place}: {error.text}") from None


def write_csv(game: Replay) -> str:
    """The scored rounds, a row each, with the columns that `read_csv` reads; raises Refused."""
    names = _names(game)
    _no_player_is_a_column(game)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    for row in _rows(game, names):
        table.writerow([sheet.guarded(cell) for cell in row])
    return out.getvalue()


def write_ndjson(game: Replay) -> str:
    """The scored rounds, one a line, as `read_ndjson` reads them."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in as_tables(game))


def as_tables(game: Replay) -> Iterator[dict[str, Any]]:
    """The scored rounds' fields, each with its number and its time as ISO 8601."""
    for each in _scored(game):
        fields = {name: value for name, value in each.fields.items() if name not in _IGNORED}
        yield {"number": each.number, AT: each.at.isoformat(), **fields}


def _scored(game: Replay) -> Iterator[Round]:
    """The rounds that count, with whose turn each was."""
    role = game.opening.game.role
    for step in game.steps:
        if step.outcome:
            yield step.round._replace(fields={role: step.turn, **step.round.fields})


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Name the place in the file in a refusal."""
    try:
        yield
    except Refused as error:
        raise Refused(error.rule, f"{place}: {error.text}") from None


def _no_player_is_a_column(game: Replay) -> None:
    taken = {fold(name) for name in (AT, *_names(game))}
    for player in game.players:
        if fold(player) in taken:
            raise Refused("", f"{player} is named like a column: use NDJSON, a .ndjson file")


def _names(game: Replay) -> list[str]:
    """The fields of a round that have a column of their own."""
    return [field.name for field in game.opening.game.fields if field.kind != "ballots"]


def _csv_row(row: sheet.Row, columns: Sequence[str], game: Replay, now: datetime) -> Row:
    rules = game.opening.game
    typed = _typed(sheet.named(row, columns), game)
    ballots = [f"{seat}:{typed.pop(seat)[0]}" for seat in game.players if seat in typed]
    at = read_time(typed.pop(AT)[0], now) if AT in typed else now
    fields = read_fields(rules, game.state.seats, {"ballots": ballots, **typed})
    return Row(f"row {row.number}", rules.settle(fields), at)


def _typed(cells: Mapping[str, str], game: Replay) -> dict[str, list[str]]:
    """The texts in each column that holds any."""
    lists = [field.name for field in game.opening.game.fields if field.kind in _LISTS]
    return {name: several(cell) if name in lists else [cell] for name, cell in cells.items()}


_LISTS = ("moves", "rulings", "settings")


def _json_row(place: int, line: str, game: Replay, now: datetime) -> Row:
    rules, table = game.opening.game, _table(line)
    at = read_time(str(table.pop(AT)), now) if AT in table else now
    given = {name: value for name, value in table.items() if name not in _IGNORED}
    known = {field.name: field for field in rules.fields}
    for name in given:
        if name not in known:
            raise Refused("", f"there is no field {brief(name)}: they are {', '.join(known)}")
    fields = {name: _json_value(known[name], value) for name, value in given.items()}
    if _are_tables(fields.get("ballots")):
        fields["ballots"] = _seated(fields["ballots"], game.state.seats)
    return Row(f"line {place}", rules.settle(in_order(rules, fields)), at)


def _table(line: str) -> dict[str, Any]:
    try:
        table = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Refused("", f"not JSON: {str(error)[:80]}") from None
    if type(table) is not dict or table.get("kind", "round") != "round":
        raise Refused("", "not a round")
    return table


def _json_value(field: Field, value: Any) -> Any:
    """A value with its texts in the log's form."""
    if field.kind == "text" and type(value) is str:
        return check_sentence(value, field.name)
    if _are_tables(value):
        return [{name: _json_value(NOTHING, each) for name, each in row.items()} for row in value]
    return normal(value) if type(value) is str else value


NOTHING = Field("", "", "", "")
"""No field of a round: a value inside a list."""


def _are_tables(value: Any) -> bool:
    return type(value) is list and all(type(each) is dict for each in value)


def _seated(ballots: list[dict[str, Any]], seats: Sequence[str]) -> list[dict[str, Any]]:
    """The ballots in seating order, those of nobody seated last."""
    places = {seat: place for place, seat in enumerate(seats)}
    return sorted(ballots, key=lambda each: places.get(str(each.get("player")), len(seats)))


def _with_turns(rows: Sequence[Row], game: Replay) -> list[Row]:
    """The rounds with whose turn each was: as given, or passed on from the one before."""
    if not rows:
        raise Refused("", "the file holds no round")
    rules, turn = game.opening.game, game.turn
    whole = []
    for row in rows:
        fields = in_order(rules, {rules.role: turn, **row.fields})
        whole.append(row._replace(fields=fields))
        turn = pass_on(rules, game.state, str(fields[rules.role]))
    return whole


def _rows(game: Replay, names: Sequence[str]) -> Iterator[list[str]]:
    """The head, then the rounds: time, turn, ballots, and the other fields."""
    rules, players = game.opening.game, game.players
    known = {field.name: field for field in rules.fields}
    others = [name for name in names if name != rules.role]
    yield [AT, rules.role, *players, *others]
    for each in _scored(game):
        ballots = {ballot["player"]: rules.ballot.show(ballot) for ballot in each.fields["ballots"]}
        cells = [
            _cell(rules, known[name], each.fields[name]) if name in each.fields else ""
            for name in others
        ]
        turn = str(each.fields[rules.role])
        yield [each.at.isoformat(), turn, *(ballots.get(p, "") for p in players), *cells]


def _cell(game: Game, field: Field, value: Any) -> str:
    """A field's value as it is typed; dice are counted, for spreadsheets round large numbers."""
    if field.kind in _LISTS:
        return ";".join(text.replace(";", ";;") for text in as_typed(game, field, value))
    if field.kind == "dice":
        return ",".join(f"{face}x{value.count(face)}" for face in sorted(set(value)))
    return str(value)
