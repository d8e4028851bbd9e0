"""A second reader of session files, from the page about the format alone.

It shares no code with the program: what it sees of a file is what anybody with a TOML reader and
`sha256sum` would see.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from typing import Any, NamedTuple

TRAILER = re.compile(rb'^\[event\.seal\]\nsha256 = "([0-9a-f]{64})"\n', re.MULTILINE)
RECEIPT = re.compile(r"[0-9A-F]{4}-\d+(?:-[0-9A-Z]{5}){4}-[0-9A-Z]")
BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE_36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Seen(NamedTuple):
    """What is sealed of a file."""

    events: tuple[dict[str, Any], ...]
    """Up to the first that does not match its seal or can't be read; no batch that ends early."""
    ends: tuple[int, ...]
    """For each of them the bytes up to its end."""
    whole: bool
    """Whether nothing follows them."""

    @property
    def receipt(self) -> str:
        """The receipt of the last event."""
        return self.receipt_of(len(self.events))

    def receipt_of(self, seq: int) -> str:
        """The receipt of an event, by its place from 1 on."""
        seal = int(self.events[seq - 1]["seal"]["sha256"], 16) >> 156
        code = "".join(BASE_32[seal >> shift & 31] for shift in range(95, -1, -5))
        head = self.events[0]["session"][:4].upper()
        check = check_character(f"{head}{seq}{code}")
        return "-".join([head, str(seq), *re.findall(".{5}", code), check])


def check_character(text: str) -> str:
    """The character that completes a text under ISO 7064 MOD 37,36."""
    product = 36
    for char in text:
        total = (product + BASE_36.index(char)) % 36
        product = (total or 36) * 2 % 37
    return BASE_36[(1 - product) % 36]


def witness(data: bytes) -> Seen:
    """Read a file as far as it is sealed."""
    running, hashed, start = hashlib.sha256(), 0, 0
    events: list[dict[str, Any]] = []
    ends: list[int] = []
    for match in TRAILER.finditer(data):
        running.update(data[hashed : match.start()])
        hashed = match.start()
        block = data[start : match.end()]
        event = event_of(block, len(ends) + 1)
        if event is None or running.hexdigest() != match[1].decode():
            break
        events.append(event)
        start = match.end()
        ends.append(start)
    kept = len(events) - early(events)
    size = ends[kept - 1] if kept else 0
    return Seen(tuple(events[:kept]), tuple(ends[:kept]), size == len(data))


def event_of(block: bytes, seq: int) -> dict[str, Any] | None:
    """The one event of a block, if it is one and is this one."""
    try:
        document = tomllib.loads(block.decode())
    except (ValueError, RecursionError):
        return None
    found = document.get("event")
    if list(document) != ["event"] or not isinstance(found, list) or len(found) != 1:
        return None
    event: dict[str, Any] = found[0]
    return event if event.get("seq") == seq else None


def early(events: list[dict[str, Any]]) -> int:
    """How many events at the end are of a batch that goes on."""
    place, _, size = str(events[-1].get("batch", "") if events else "").partition("/")
    return 0 if place == size else int(place)
