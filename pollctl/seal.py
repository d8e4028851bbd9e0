"""Seals and receipts: how a file shows that it is as pollctl wrote it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

try:  # half the cost of hashlib, which loads OpenSSL for the same function
    from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:  # pragma: no cover - Python 3.12 and later
    from hashlib import sha256

_TRAILER = re.compile(rb'\n\[event\.seal\]\nsha256 = "([0-9a-f]{64})"\n')

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Block(NamedTuple):
    """The bytes of one event, by their offsets in the file."""

    start: int
    """Where its `[[event]]` line begins, or the file for the first one."""
    end: int
    """After its trailer."""
    seal: str
    """As written in its trailer, 64 hex digits."""
    sealed: bool
    """Whether the seal matches every byte before it."""


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes as 64 lowercase hex digits."""
    return str(sha256(data).hexdigest())


class Sealer:
    """Seals one block after the other, hashing every byte once."""

    def __init__(self, before: bytes) -> None:
        """Begin after these bytes, all there are of the file."""
        self._running = sha256(before)

    def trailer(self, text: bytes) -> bytes:
        """The two lines that seal everything before and this text."""
        self._running.update(text)
        lines: bytes = b'[event.seal]\nsha256 = "%s"\n' % self._running.hexdigest().encode()
        self._running.update(lines)
        return lines


def blocks(data: bytes) -> Iterator[Block]:
    """Cut a file at its trailers and hold every seal to the bytes before it.

    Bytes after the last trailer belong to no block.
    """
    running, start, hashed = sha256(), 0, 0
    for match in _TRAILER.finditer(data):
        running.update(data[hashed : match.start() + 1])
        hashed = match.start() + 1
        seal = match[1].decode()
        yield Block(start, match.end(), seal, running.copy().hexdigest() == seal)
        start = match.end()


def receipt(session: str, seq: int, seal: str) -> str:
    """The code that fixes the file up to an event, `7F0C-12-K7QFW-2M9DX-R4TB0-9XKQ3-H`.

    Of the session's id the first 4 hex digits, the event's seq, the first 100 bits of its seal in
    Crockford's base 32, and a check character (ISO 7064 MOD 37,36 over all before it).
    """
    bits = int(seal[:25], 16)
    code = "".join(_CROCKFORD[bits >> shift & 31] for shift in range(95, -1, -5))
    groups = [code[place : place + 5] for place in range(0, 20, 5)]
    parts = [session[:4].upper(), str(seq), *groups]
    return "-".join([*parts, check_character("".join(parts))])


def check_character(text: str) -> str:
    """ISO 7064 MOD 37,36 over digits and capital letters."""
    carry = 36
    for char in text:
        carry = (carry + _ALPHABET.index(char)) % 36 or 36
        carry = carry * 2 % 37
    return _ALPHABET[(37 - carry) % 36]
