"""What repair and accept would do to a file: plans, made from its bytes."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pollctl.codec import parse
from pollctl.damage import diagnose, whole
from pollctl.log import Log, NotASession, read, seal_all
from pollctl.model import Event, Fields, Refused
from pollctl.seal import blocks, digest
from pollctl.text import listing


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
    said: str
    """What will be done, in a sentence or two."""


class Place(NamedTuple):
    """Where a damaged file stands, and when."""

    name: str
    """The file's own."""
    asides: Mapping[str, bytes]
    """What earlier repairs put beside it, by the name of each file."""
    at: datetime


def plan_repair(data: bytes, place: Place) -> Plan:
    """How to repair a file.

    Each step of a repair can be stopped and taken again: what was put aside already is found
    there. Raises Refused where there is nothing to repair, or nothing that may be repaired.
    """
    damage = diagnose(data)
    if damage.names:
        said = f"Every seal matches once {listing(damage.names)} is undone."
        return _plan(damage.mended, data, said, place)
    try:
        log = read(data)
    except NotASession as error:
        raise Refused("", f"{error.text}; look for another copy") from None
    if log.chain in ("intact", "accepted"):
        return _finish(log, data, place)
    if log.chain == "broken" and not _last_alone(log, data):
        raise Refused("", f"{log.fault}: take another copy, or pollctl accept if all agree")
    base = data[: read(data[: log.size]).size]
    tail, last = data[len(base) :], len(read(base).events)
    said = f"{len(tail):,} bytes after entry {last} are moved aside."
    if log.chain == "broken":
        said += " If anyone holds a receipt of the entry in them, it was altered, and not torn."
    return _plan(base, tail, said, place)


def plan_accept(data: bytes, reason: str, at: datetime) -> tuple[bytes, str]:
    """The entry that vouches for altered bytes, and what it vouches for, in a sentence.

    Raises Refused where nothing is altered, or where what is altered can't be read.
    """
    first, fault = _first_bad(data)
    last = data.count(b"\n[event.seal]\n")
    said = f"Entries {first} to {last} don't match their seals and are accepted as they stand."
    fields = {"first_bad": first, "sha256": digest(data + b"\n"), "reason": reason}
    text = seal_all(data, [Event(last + 1, at, "accept", fields)])[0]
    if not whole(data + text):
        raise Refused("", f"{fault}: it can't be read to the end, so it can't be accepted")
    return text, said


def _first_bad(data: bytes) -> tuple[int, str]:
    """The first entry that does not match its seal, and what is wrong with it."""
    try:
        log = read(data)
    except NotASession as error:
        if not any(blocks(data)):
            raise
        return 1, error.text
    if log.chain != "broken":
        raise Refused("", f"the file is {log.chain}: there is nothing to accept")
    return len(log.events) + 1, log.fault


def _plan(base: bytes, aside: bytes, said: str, place: Place) -> Plan:
    """A plan that puts bytes aside, in the file that holds them already if one does."""
    same = [kept for kept, content in place.asides.items() if content == aside]
    kept_in = same[0] if same else _free(place)
    return Plan(base, aside, kept_in, _told(base, aside, kept_in, place.at), said)


def _free(place: Place) -> str:
    count = 1
    while f"{place.name}.aside-{count}" in place.asides:
        count += 1
    return f"{place.name}.aside-{count}"


def _told(base: bytes, aside: bytes, kept_in: str, at: datetime) -> bytes:
    """The entry that tells what was moved where."""
    fields: Fields = {"removed": len(aside), "sha256": digest(aside), "kept_in": kept_in}
    log = read(base)
    if log.newer:
        raise Refused("", f"it holds {log.newer}: repair it with the pollctl it is from")
    event = Event(len(log.events) + 1, at, "repair", fields)
    return seal_all(base, [event])[0]


def _finish(log: Log, data: bytes, place: Place) -> Plan:
    """The last step of a repair that was stopped before it; raises Refused if none was."""
    told = {event.fields.get("kept_in") for event in log.events if event.kind == "repair"}
    for kept_in, content in place.asides.items():
        if content and kept_in not in told:
            said = f"An earlier repair moved {len(content):,} bytes to {kept_in}: it is noted now."
            text = _told(data, content, kept_in, place.at)
            return Plan(data, content, kept_in, text, said)
    raise Refused("", "the file is whole: there is nothing to repair")


def _last_alone(log: Log, data: bytes) -> bool:
    """Whether nothing but the last command is bad, so that it may be moved aside."""
    known = len(log.events)
    bad = [data[block.start : block.end] for block in list(blocks(data))[known:]]
    return len(bad) <= 1 or _one_batch(bad) or not _goes_on(bad, known + 1)


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
        return parse(text.decode()).seq
    except ValueError:
        return 0
