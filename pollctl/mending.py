"""What repair and accept would do to a file: plans, made from its bytes."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pollctl.codec import parse
from pollctl.damage import Damage, diagnose, readable
from pollctl.log import Log, NotASession, Ruined, read, seal_all
from pollctl.model import Event, Fields, Refused
from pollctl.seal import blocks, digest
from pollctl.text import listing

_TRAILER = rb'(\n\[event\.seal\]\nsha256 = "[0-9a-f]{64}"\n)'


class Entry(NamedTuple):
    """An entry that tells of what was done, once it is in the file."""

    event: int
    """Its seq."""
    receipt: str
    said: str
    """What was done, in a sentence or two."""


class Plan(NamedTuple):
    """How a file becomes whole: what is kept of it, what is put aside, what is added."""

    base: bytes
    """What stays of the file: its beginning, or all of it with its damage undone."""
    aside: bytes
    """What is put into a file beside it; nothing is deleted."""
    kept_in: str
    """The name of that file."""
    text: bytes
    """What is appended then: the entry that tells of it."""
    entry: Entry


class Place(NamedTuple):
    """Where a damaged file stands, and when."""

    name: str
    """The file's own."""
    asides: Mapping[str, bytes]
    """What earlier repairs put beside it, by the name of each file."""
    at: datetime


def plan_repair(data: bytes, place: Place) -> Plan:
    """How to repair a file: undo what was done to its form, move aside what was not written whole.

    What was altered stays as it is, for accept to vouch for. Each step of a repair can be stopped
    and taken again: what was put aside already is found there. Raises Refused where there is
    nothing to repair, or nothing that may be repaired.
    """
    damage = diagnose(data)
    base = _commands(damage.mended[: _legible(damage.mended).size])
    if base != data:
        return _parted(data, damage, base, place)
    for kept_in, content in _untold(data, place).items():
        if not _holds(data, content):
            said = f"An earlier repair moved {len(content):,} bytes to {kept_in}: it is noted now."
            return _plan(data, content, said, place)
    return _without_last(data, place)


def plan_accept(data: bytes, reason: str, at: datetime) -> tuple[bytes, Entry]:
    """The entry that vouches for altered bytes, and what it vouches for.

    Raises Refused where nothing is altered, or where what is altered can't be read.
    """
    names, found = diagnose(data)
    stood = _legible(found)
    fault = f"its form was changed ({listing(names)})" if names else stood.fault
    if fault:
        raise Refused("", f"{fault}: run pollctl repair first")
    first, _ = _altered(data)
    if not first:
        raise Refused("", "every seal matches or is vouched for: there is nothing to accept")
    last = max(seq for seq, block in enumerate(blocks(data), 1) if not block.sealed)
    said = f"Entries {first} to {last} don't match their seals and are accepted as they stand."
    fields = {"first_bad": first, "sha256": digest(data + b"\n"), "reason": reason}
    return _entry(data, "accept", fields, at, said)


def _without_last(data: bytes, place: Place) -> Plan:
    """A plan that moves the last command aside, where it alone does not match its seal."""
    log = readable(data)
    if log and log.chain == "broken" and _last_alone(log, data):
        return _parted(data, Damage((), data), _commands(data[: log.size]), place)
    first, fault = _altered(data)
    if first:
        raise Refused("", f"{fault}: take another copy, or run pollctl accept if all agree")
    raise Refused("", "the file is whole: there is nothing to repair")


def _legible(data: bytes) -> Log:
    """The log as it stands, whatever its seals say, up to the last entry that can be read.

    Raises Refused where more than the last command can't.
    """
    try:
        log = read(data, trusting=True)
    except Ruined:
        raise Refused("", "no entry of it can be read: look for another copy") from None
    except NotASession:
        raise NotASession("", "it is not a pollctl session: no entry in it was sealed") from None
    if log.chain == "broken" and not _last_alone(log, data):
        raise Refused("", f"{log.fault}, and more follows: look for another copy")
    return log


def _commands(data: bytes) -> bytes:
    """A file up to the last command that was written to its end."""
    return data[: read(data, trusting=True).size]


def _altered(data: bytes) -> tuple[int, str]:
    """The first entry that does not match its seal, and what is wrong with it; 0 if all match."""
    try:
        log = read(data)
    except NotASession as error:
        return 1, error.text
    return (len(log.events) + 1, log.fault) if log.chain == "broken" else (0, "")


def _entry(base: bytes, kind: str, fields: Fields, at: datetime, said: str) -> tuple[bytes, Entry]:
    """The bytes that append an entry to a file, and what is answered then."""
    log = read(base, trusting=True)
    if log.newer:
        raise Refused("", f"it holds {log.newer}: use the pollctl it is from")
    text, (event,) = seal_all(base, [Event(len(log.events) + 1, at, kind, fields)])
    return text, Entry(event.seq, log.receipt_of(event), said)


def _parted(data: bytes, damage: Damage, base: bytes, place: Place) -> Plan:
    """A plan that keeps the beginning of the mended file, and what that leaves of the old one."""
    said, tail = [], damage.mended[len(base) :]
    if damage.names:
        said.append(f"What was done to its form is undone: {listing(damage.names)}.")
    if tail:
        last = len(read(base, trusting=True).events)
        said.append(f"{len(tail):,} bytes after entry {last} are moved aside.")
    if any(blocks(tail)):
        said.append("If anyone holds a receipt of an entry in them, it was altered, and not torn.")
    return _plan(base, data.removeprefix(base), " ".join(said), place)


def _plan(base: bytes, aside: bytes, said: str, place: Place) -> Plan:
    """A plan that puts bytes aside, in the file that holds them already if one does."""
    same = [kept for kept, content in _untold(base, place).items() if content == aside]
    kept_in = same[0] if same else _free(place)
    first, _ = _altered(base)
    if first:
        said += f" Entry {first} does not match its seal: run pollctl accept next, if all agree."
    fields: Fields = {"removed": len(aside), "sha256": digest(aside), "kept_in": kept_in}
    return Plan(base, aside, kept_in, *_entry(base, "repair", fields, place.at, said))


def _free(place: Place) -> str:
    count = 1
    while f"{place.name}.aside-{count}" in place.asides:
        count += 1
    return f"{place.name}.aside-{count}"


def _untold(data: bytes, place: Place) -> dict[str, bytes]:
    """What was put aside and no entry of the file tells of."""
    events = read(data, trusting=True).events
    told = {event.fields.get("kept_in") for event in events if event.kind == "repair"}
    return {name: content for name, content in place.asides.items() if name not in told and content}


def _holds(data: bytes, content: bytes) -> bool:
    """Whether entries that were put aside were only copied: the file holds them still."""
    return content.startswith(b"\n") and any(blocks(content)) and content in data


def _last_alone(log: Log, data: bytes) -> bool:
    """Whether nothing but the last command is bad, so that it may be moved aside."""
    parts = re.split(_TRAILER, data[log.size :])
    bad = [text + trailer for text, trailer in zip(parts[::2], parts[1::2], strict=False)]
    return len(bad) <= 1 or _one_batch(bad) or not _goes_on(bad, len(log.events) + 1)


def _goes_on(texts: Sequence[bytes], seq: int) -> bool:
    """Whether one of these blocks is an event beyond `seq`, so that more than the last is at stake.

    A power cut may leave old sectors in what was being written: those hold earlier events.
    """
    return any(_seq(text) > seq for text in texts)


def _one_batch(texts: Sequence[bytes]) -> bool:
    """Whether blocks are of one import; a power cut may leave holes in what was being written."""
    places = [re.search(rb'\nbatch = "([0-9]{1,7})/([0-9]{1,7})"\n', text) for text in texts]
    order = [int(place[1]) for place in places if place]
    sizes = {place[2] for place in places if place}
    ruined = [text for text, place in zip(texts, places, strict=True) if not place]
    return len(sizes) == 1 and order == sorted(set(order)) and not any(map(_seq, ruined))


def _seq(text: bytes) -> int:
    """The seq of a block that can be read, whatever its seal says; 0 for any other."""
    try:
        return parse(text.decode()).seq if b"seq" in text else 0
    except ValueError:
        return 0
