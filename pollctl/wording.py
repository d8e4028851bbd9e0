"""An event, a state, a change in one line of words. Names stand as they are recorded."""

from collections.abc import Callable, Mapping
from typing import Any

from pollctl.game import Field, Game
from pollctl.model import Event, Fields
from pollctl.text import listing


def signed(change: int) -> str:
    """`+2`, `-1`, and `0` for nothing."""
    return f"{change:+d}" if change else "0"


def round_name(number: int, fields: Fields) -> str:
    """`round 3 (“Do you sing in the shower?”)`."""
    question = fields.get("question")
    return f"round {number} (“{question}”)" if question else f"round {number}"


def event_words(game: Game, event: Event) -> str:
    """One event as the log tells it."""
    words = _EVENTS.get(event.kind)
    text = words(game, event.fields) if words else event.kind
    note = event.fields.get("note")
    return f"{text}; note: {note}" if note else text


def field_words(game: Game, field: Field, value: Any) -> str:
    """A field's value as it is typed."""
    show = _FIELDS.get(field.kind)
    return show(game, value) if show else str(value)


def ballots_words(game: Game, ballots: Any) -> str:
    """`Ann 3y, Ben 4n`."""
    return ", ".join(f"{ballot['player']} {game.ballot.show(ballot)}" for ballot in ballots)


def moves_words(moves: Any) -> str:
    """`Ann=chip, Ben=answer`."""
    return ", ".join(f"{move['player']}={move['kind']}" for move in moves)


def rulings_words(rulings: Any) -> str:
    """`Ann=+1:why; Ben=-2:why`."""
    return "; ".join(f"{r['player']}={r['change']:+d}:{r['reason']}" for r in rulings)


def settings_words(settings: Any) -> str:
    """`majority=2, dice=12`."""
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def late_words(fields: Fields) -> str:
    """`chip penalty of Ann`, `ruling Ben +1 (why)`."""
    if "penalty" in fields:
        return f"{fields['penalty']} penalty of {fields['player']}"
    return f"ruling {fields['player']} {signed(fields['change'])} ({fields['reason']})"


_FIELDS: Mapping[str, Callable[[Game, Any], str]] = {
    "ballots": ballots_words,
    "moves": lambda _game, value: moves_words(value),
    "rulings": lambda _game, value: rulings_words(value),
    "settings": lambda _game, value: settings_words(value),
}


def _round(game: Game, fields: Fields) -> str:
    parts = [f"{round_name(fields['number'], fields)}, {fields.get(game.role, 'somebody')}"]
    for field in game.fields:
        if field.name in fields and field.name not in (game.role, "question", "note"):
            label = "" if field.kind == "ballots" else f"{field.name.replace('_', ' ')} "
            parts.append(f"{label}{field_words(game, field, fields[field.name])}")
    return "; ".join(parts)


def _amend(game: Game, fields: Fields) -> str:
    known = {field.name: field for field in game.fields}
    changes = [
        f"{name} {field_words(game, known[name], value)}" if name in known else f"{name} {value}"
        for name, value in fields.get("set", {}).items()
    ]
    changes += [f"without {name}" for name in fields.get("clear", ())]
    return f"round {fields['round']} amended: {'; '.join(changes)}"


def _open(game: Game, fields: Fields) -> str:
    title = f" “{fields['title']}”" if "title" in fields else ""
    changed = [
        f"{key.name}={fields['rules'][key.name]}"
        for key in game.keys
        if fields.get("rules", {}).get(key.name, key.default) != key.default
    ]
    rules = f"; {', '.join(changed)}" if changed else ""
    return f"{game.title}{title} opened: {listing(fields['players'])}{rules}"


def _acknowledged(fields: Fields) -> str:
    where = f" in round {fields['round']}" if "round" in fields else ""
    return f"warning {fields['warning']} acknowledged{where}"


_VOIDS = {"void": "void", "undo": "undo", "redo": "redo"}


def _seated(_game: Game, fields: Fields) -> str:
    after = f" after {fields['after']}" if "after" in fields else ""
    return f"{fields['player']} joins{after}"


def _table(_game: Game, fields: Fields) -> str:
    stands = ", ".join(f"{player} {count}" for player, count in fields["table"].items())
    return f"on the table: {stands}"


def _disputed(_game: Game, fields: Fields) -> str:
    return f"disputed: {late_words(fields)} in round {fields['round']}"


def _resolved(_game: Game, fields: Fields) -> str:
    reason = f": {fields['reason']}" if "reason" in fields else ""
    return f"dispute of entry {fields['target']} {fields['outcome']}{reason}"


def _drawn(_game: Game, fields: Fields) -> str:
    out = f", thrown out: {fields['skipped']}" if "skipped" in fields else ""
    return f"card {fields['card']} drawn from {fields['deck']}{out}"


def _void(_game: Game, fields: Fields) -> str:
    reason = f": {fields['reason']}" if "reason" in fields else ""
    return f"{_VOIDS.get(fields['by'], 'void')} of entry {fields['target']}{reason}"


_EVENTS: Mapping[str, Callable[[Game, Fields], str]] = {
    "open": _open,
    "round": _round,
    "amend": _amend,
    "void": _void,
    "penalty": lambda _game, fields: f"{late_words(fields)} in round {fields['round']}",
    "ruling": lambda _game, fields: f"{late_words(fields)} in round {fields['round']}",
    "acknowledge": lambda _game, fields: f"{_acknowledged(fields)}: {fields['reason']}",
    "end": lambda _game, fields: f"the evening ends: {fields.get('reason', 'no reason given')}",
    "check": _table,
    "join": _seated,
    "leave": lambda _game, fields: f"{fields['player']} leaves",
    "rename": lambda _game, fields: f"{fields['player']} is called {fields['to']} from here on",
    "dispute": _disputed,
    "resolve": _resolved,
    "draw": _drawn,
}
