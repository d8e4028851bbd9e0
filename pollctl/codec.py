"""Events as TOML text and back; pollctl-session(5) describes the text."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pollctl.model import Event

HEADER = "# pollctl session, append-only: correct it with pollctl, not with an editor.\n\n"
"""Stands before the first block of a new file."""

FORMAT = 1
"""The format this program reads and writes."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "open": ("format", "session", "game", "players"),
    "round": ("number", "ballots"),
    "penalty": ("round", "player", "penalty"),
    "ruling": ("round", "player", "change", "reason"),
    "amend": ("round",),
    "void": ("target", "by"),
    "end": (),
    "check": ("table",),
    "join": ("player",),
    "leave": ("player",),
    "rename": ("player", "to"),
    "dispute": ("round", "player"),
    "resolve": ("target", "outcome"),
    "draw": ("deck", "card"),
    "repair": ("removed", "sha256", "kept_in"),
    "accept": ("first_bad", "sha256"),
    "acknowledge": ("warning", "reason"),
}
"""The kinds of event this program knows, with the fields each must have."""

_TYPES: Mapping[str, type] = {
    "format": int,
    "number": int,
    "round": int,
    "target": int,
    "change": int,
    "removed": int,
    "first_bad": int,
    "sha256": str,
    "kept_in": str,
    "warning": str,
    "session": str,
    "game": str,
    "title": str,
    "first": str,
    "player": str,
    "penalty": str,
    "by": str,
    "reason": str,
    "batch": str,
    "after": str,
    "to": str,
    "outcome": str,
    "deck": str,
    "card": str,
    "skipped": str,
    "questions": list,
    "table": dict,
    "players": list,
    "ballots": list,
    "penalties": list,
    "rulings": list,
    "clear": list,
    "rules": dict,
    "set": dict,
    "start": dict,
}

OUTCOMES = ("upheld", "rejected")
"""How a dispute can be decided."""

_TABLES = ("ballots", "penalties", "rulings")
BATCH = "[1-9][0-9]{0,6}/[1-9][0-9]{0,6}"
"""The place and the size of the events of one command, `3/12`."""


class NotAnEvent(ValueError):
    """The text is TOML at most, and no event of the format."""


def body(event: Event) -> str:
    """The block of an event up to its seal, which is not in it."""
    from tomli_w import dumps

    table = {"seq": event.seq, "at": event.at, "kind": event.kind, **event.fields}
    text = dumps({"event": {**table, "seal": {"sha256": ""}}}).removeprefix("[event]\n")
    return "[[event]]\n" + text.removesuffix('[event.seal]\nsha256 = ""\n')


def parse(text: str) -> Event:
    """Read one block; raises NotAnEvent where it is not exactly one event with its seal."""
    from rtoml import loads

    try:
        document = loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAnEvent(f"is not TOML: {str(error)[:200]}") from None
    if list(document) != ["event"] or type(document["event"]) is not list:
        raise NotAnEvent("is not an [[event]] alone")
    if len(document["event"]) != 1 or type(document["event"][0]) is not dict:
        raise NotAnEvent("is not one event")
    return _event(document["event"][0])


def _event(table: dict[str, Any]) -> Event:
    seq, at, kind = table.pop("seq", None), table.pop("at", None), table.pop("kind", None)
    seal = table.pop("seal", None)
    if type(seq) is not int or type(kind) is not str:
        raise NotAnEvent("has no seq or no kind")
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise NotAnEvent("has no time with its offset")
    if type(seal) is not dict or list(seal) != ["sha256"] or type(seal["sha256"]) is not str:
        raise NotAnEvent("has no seal")
    return Event(seq, at, kind, table, seal["sha256"])


def misshapen(event: Event) -> str:
    """What keeps an event of a known kind from being used; empty if nothing does.

    The values are looked at only so far that corrections can be applied; whether a round is
    lawful is for its game to say.
    """
    fields = event.fields
    for name in REQUIRED[event.kind]:
        if name not in fields:
            return f"{name} is missing"
    for name, value in fields.items():
        if type(value) is not _TYPES.get(name, type(value)):
            return f"{name} is of the wrong type"
    if not _tables(fields) or not _tables(fields.get("set", {})):
        return "a list holds something other than players' tables"
    if "batch" in fields and not re.fullmatch(BATCH, fields["batch"]):
        return "batch is not a place and a size"
    amiss = _AMISS.get(event.kind)
    return amiss(fields) if amiss else ""


def _amend_amiss(fields: Mapping[str, Any]) -> str:
    at = fields.get("set", {}).get("at")
    if at is not None and not (isinstance(at, datetime) and at.tzinfo):
        return "its time has no offset"
    names = fields.get("clear", ())
    if "ballots" in names or not all(type(name) is str for name in names):
        return "it clears what every round has"
    return ""


def _dispute_amiss(fields: Mapping[str, Any]) -> str:
    if "penalty" in fields or fields.keys() >= {"change", "reason"}:
        return ""
    return "it is neither a penalty nor a ruling"


def _resolve_amiss(fields: Mapping[str, Any]) -> str:
    if fields["outcome"] in OUTCOMES:
        return ""
    return f"its outcome is neither {' nor '.join(OUTCOMES)}"


def _draw_amiss(fields: Mapping[str, Any]) -> str:
    texts = all(type(each) is str for each in fields.get("questions", ()))
    if texts and type(fields.get("overrides", {})) is dict:
        return ""
    return "its card holds something of the wrong type"


def _scores_amiss(scores: Mapping[str, Any]) -> str:
    if all(type(score) is int for score in scores.values()):
        return ""
    return "a score is no whole number"


_AMISS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "open": lambda fields: _scores_amiss(fields.get("start", {})),
    "amend": _amend_amiss,
    "check": lambda fields: _scores_amiss(fields["table"]),
    "dispute": _dispute_amiss,
    "resolve": _resolve_amiss,
    "draw": _draw_amiss,
}
"""What else keeps an event of some kinds from being used."""


def _tables(fields: Mapping[str, Any]) -> bool:
    return all(
        type(fields[name]) is list
        and all(type(each) is dict and type(each.get("player")) is str for each in fields[name])
        for name in _TABLES
        if name in fields
    )
