"""The parts of pollctl-session(5) and pollctl-rules(7) that the program itself says, as markup."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from hashlib import sha256

from pollctl.audit import MEANINGS
from pollctl.codec import FORMAT, HEADER
from pollctl.game import Clause, Field, Game, Key
from pollctl.games import catalogue, find
from pollctl.log import DEEPEST, LARGEST_BLOCK, read, seal_all
from pollctl.model import Event
from pollctl.opening import Plan, new_opening
from pollctl.recording import add_round
from pollctl.session import load
from pollctl.store.disk import LARGEST_FILE
from pollctl.text import NAME_BYTES, NAME_COLUMNS, SENTENCE_CHARACTERS, listing

FILE = "friday.toml"
OPENED = datetime(2026, 11, 30, 20, 1, 7, tzinfo=timezone(timedelta(hours=1)))
SESSION = "7f0c3c1e9a8d4b6f8e21c0d9a4b7e613"
TYPED = {
    "question": ["Do you sing in the shower?"],
    "ballots": ["2y1n2y"],
    "penalties": ["ben=chip"],
}

VALUES: Mapping[str, str] = {
    "text": "A string.",
    "word": "It is {words}.",
    "player": "A player's name.",
    "number": "A whole number, 0 to {high}.",
    "dice": "In the file always one string of the faces, sorted.",
    "ballots": "A list of tables, one for each seated player, in seating order.",
    "moves": "A list of tables of `player` and `kind`, which is {words}.",
    "rulings": "A list of tables of `player`, `change` (a whole number) and `reason`.",
    "settings": "A table of rule keys with their values.",
}
"""How the value of a field stands in the file, by its kind."""


def session_parts() -> dict[str, str]:
    """What pollctl-session(5) takes from the program."""
    data = example()
    return {
        "format": str(FORMAT),
        "header": f"`{HEADER.rstrip()}`",
        "fields": "\n\n".join(_fields(game) for game in catalogue().values()),
        "example": _verbatim(data.decode().rstrip("\n")),
        "check": _verbatim(_check(data)),
        "receipt": read(data).receipt,
        "columns": str(NAME_COLUMNS),
        "bytes": str(NAME_BYTES),
        "characters": f"{SENTENCE_CHARACTERS:,}",
        "block": f"{LARGEST_BLOCK >> 20} MiB",
        "file": f"{LARGEST_FILE >> 20} MiB",
        "deepest": str(DEEPEST),
    }


def audit_parts() -> dict[str, str]:
    """What pollctl-audit(1) takes from the checks."""
    return {"findings": "\n\n".join(f"`{code}`\n: {text}" for code, text in MEANINGS.items())}


def rules_parts() -> dict[str, str]:
    """What pollctl-rules(7) takes from the games."""
    return {"games": "\n\n".join(_game(game) for game in catalogue().values())}


def example() -> bytes:
    """A session of two entries, as pollctl writes it."""
    plan = Plan(find("poll"), ["Ann", "Ben", "Cai"], {"spaces": 9}, "ben", "Friday")
    data, _ = seal_all(b"", [new_opening(plan, SESSION, OPENED)])
    return data + _sealed(data, add_round(load(data), TYPED, OPENED + timedelta(minutes=3)).events)


def _sealed(before: bytes, events: tuple[Event, ...]) -> bytes:
    return seal_all(before, events)[0]


def _check(data: bytes) -> str:
    """The commands that hold the last seal of the example to its bytes, and what they print."""
    places = [match.start() for match in re.finditer(rb"^\[event\.seal\]$", data, re.MULTILINE)]
    grep = [f"$ grep -b '^\\[event\\.seal\\]$' {FILE}", *(f"{p}:[event.seal]" for p in places)]
    digest = sha256(data[: places[-1]]).hexdigest()
    return "\n".join([*grep, f"$ head -c {places[-1]} {FILE} | sha256sum", f"{digest}  -"])


def _verbatim(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _fields(game: Game) -> str:
    """The fields of a round of this game, and a ballot of it."""
    ballot = game.ballot.read(game.ballot.example)
    fields = ", ".join(f"{name} = {_toml(value)}" for name, value in ballot.items())
    shown = f'A ballot typed as `{game.ballot.example}` is `{{ player = "Ann", {fields} }}`.'
    items = [f"`{field.name}`\n: {_field(field, game)}" for field in game.fields]
    return "\n\n".join([f"## {game.title}", shown, *items])


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _field(field: Field, game: Game) -> str:
    """The form of a field, what it says, and its clause."""
    form = VALUES[field.kind].format(words=_either(field.words), high=field.high)
    clause = f" ({field.rule})" if field.rule else ""
    if field.name == game.role:
        return f"Whose turn it was{clause}. {form} Always written."
    return f"{_sentence(field.text)[:-1]}{clause}. {form}"


def _game(game: Game) -> str:
    """A game with its clauses, each with its keys."""
    way = "next" if game.step > 0 else "previous"
    low, high = game.seats
    about = (
        f"The game `{game.id}`, for {low} to {high} players. A score counts {game.unit}; the turn "
        f"is the {game.role}'s and passes to the {way} player in seating order. A ballot, as in "
        f"`{game.ballot.example}`: {game.ballot.text}."
    )
    clauses = [_clause(clause, game) for clause in game.guide().clauses]
    return "\n\n".join([f"# {game.title.upper()}", about, *clauses])


def _clause(clause: Clause, game: Game) -> str:
    printed = _sentence(clause.printed) if clause.printed else "nothing."
    keys = [_key(key) for key in game.keys if key.rule == clause.id]
    head = f"## {clause.id} {clause.title}"
    return "\n\n".join([head, f"*Printed:* {printed}", f"*Reading:* {clause.reading}", *keys])


def _key(key: Key) -> str:
    values = _either(key.words) or key.range
    fixed = "" if key.overridable else " Holds for the whole game."
    return f"`{key.name}` = `{key.default}`\n: {_sentence(key.text)[:-1]}: {values}.{fixed}"


def _either(words: Sequence[str]) -> str:
    return listing([f"`{word}`" for word in words], "or")


def _sentence(text: str) -> str:
    """Half a sentence as one."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
