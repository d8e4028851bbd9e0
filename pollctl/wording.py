"""An event, a state, a change in one line of words. Names stand as they are recorded."""

from collections.abc import Callable, Mapping
from typing import Any

from pollctl.game import Field, Game
from pollctl.model import Event, Fields
from pollctl.replay import Replay
from pollctl.text import listing


def signed(change: int) -> str:
    """`+2`, `-1`, and `0` for nothing."""
    return f"{change:+d}" if change else "0"


def round_name(number: int, fields: Fields) -> str:
    """`round 3 (“Do you sing in the shower?”)`."""
    question = fields.get("question")
    return f"round {number} (“{question}”)" if question else f"round {number}"


def left_alone(game: Replay) -> str:
    """Who has won a tie-break because the others left it, with the clause."""
    rule = game.opening.game.leave_rule
    return f"{listing(game.state.winners)} is the only contender left and wins ({rule})"


def card_name(draw: Fields) -> str:
    """`card 12 of House Party`."""
    return f"card {draw.get('card')} of {draw.get('deck')}"


def card_face(draw: Fields) -> dict[str, Any]:
    """What stands on the card, from the fields of a draw."""
    beside = ("deck", "card", "skipped", "note", "batch")
    return {name: value for name, value in draw.items() if name not in beside}


def event_words(game: Game, event: Event) -> str:
    """One event as the log tells it."""
    words = _EVENTS.get(event.kind)
    text = words(game, event.fields) if words else event.kind
    note = event.fields.get("note")
    return f"{text}; note: {note}" if note else text


def field_words(game: Game, field: Field, value: Any) -> str:
    """A field's value in one line: `Ann 3y, Ben 4n`, `Ann=+1:why; Ben=-2:why`."""
    if field.kind == "ballots":
        return ", ".join(f"{ballot['player']} {game.ballot.show(ballot)}" for ballot in value)
    return ("; " if field.kind == "rulings" else ", ").join(as_typed(game, field, value))


def as_typed(game: Game, field: Field, value: Any) -> list[str]:
    """The texts that a field's value is typed as: one for each entry of a list."""
    entries = _TYPED.get(field.kind)
    return entries(game, value) if entries else [str(value)]


def late_words(fields: Fields) -> str:
    """`chip penalty of Ann`, `ruling Ben +1 (why)`."""
    if "penalty" in fields:
        return f"{fields['penalty']} penalty of {fields['player']}"
    return f"ruling {fields['player']} {signed(fields['change'])} ({fields['reason']})"


_TYPED: Mapping[str, Callable[[Game, Any], list[str]]] = {
    "ballots": lambda game, value: [f"{b['player']}:{game.ballot.show(b)}" for b in value],
    "moves": lambda _game, value: [f"{move['player']}={move.get('kind')}" for move in value],
    "rulings": lambda _game, value: [
        f"{r['player']}={_change(r.get('change'))}:{r.get('reason')}" for r in value
    ],
    "settings": lambda _game, value: (
        [f"{key}={each}" for key, each in value.items()] if type(value) is dict else [str(value)]
    ),
}


def _change(value: object) -> str:
    """`+2`, or whatever stands in its place in a round that is passed over for it."""
    return f"{value:+d}" if type(value) is int else str(value)


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
    scores = [f"{player} {score}" for player, score in fields.get("start", {}).items()]
    start = f"; begun with {', '.join(scores)}" if scores else ""
    return f"{game.title}{title} opened: {listing(fields['players'])}{start}{rules}"


def _acknowledged(fields: Fields) -> str:
    where = f" in round {fields['round']}" if "round" in fields else ""
    return f"warning {fields['warning']} acknowledged{where}"


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
    if "skipped" in fields:
        return f"{card_name(fields)} thrown out: {fields['skipped']}"
    return f"{card_name(fields)}: {' | '.join(map(_on_a_card, card_face(fields).values()))}"


def _on_a_card(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={setting}" for key, setting in value.items())
    return " or ".join(f"“{each}”" for each in value) if isinstance(value, list) else str(value)


def _void(_game: Game, fields: Fields) -> str:
    reason = f": {fields['reason']}" if "reason" in fields else ""
    return f"{fields['by']} of entry {fields['target']}{reason}"


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
