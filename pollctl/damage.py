"""What happens to a file in mails and editors: named, and undone where that proves itself."""

from collections.abc import Callable
from typing import NamedTuple

from pollctl.log import NotASession, read

BOM = b"\xef\xbb\xbf"


class Damage(NamedTuple):
    """What changed every byte of a file, or its end, without touching what it says."""

    names: tuple[str, ...]
    """`utf-16`, `bom`, `line-endings`, `nul-tail`, `no-final-newline`; empty for none of these."""
    mended: bytes
    """The file without them; it matches every seal."""


def diagnose(data: bytes) -> Damage:
    """The damage whose undoing makes every seal match; none where the file is whole or worse."""
    names, text = [], data
    if not whole(data):
        for name, undo in _UNDOING:
            after = undo(text)
            if after != text:
                names.append(name)
                text = after
    return Damage(tuple(names), text) if names and whole(text) else Damage((), data)


def whole(data: bytes) -> bool:
    """Whether every seal of a file matches or is vouched for, and nothing follows the last."""
    try:
        return read(data).chain in ("intact", "accepted")
    except NotASession:
        return False


def _from_utf16(data: bytes) -> bytes:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif b"\0" in data[:2]:
        encoding = "utf-16-be" if data.startswith(b"\0") else "utf-16-le"
    else:
        return data
    try:
        return data.decode(encoding).encode()
    except UnicodeError:
        return data


_UNDOING: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("utf-16", _from_utf16),
    ("bom", lambda data: data.removeprefix(BOM)),
    ("line-endings", lambda data: data.replace(b"\r\n", b"\n")),
    ("nul-tail", lambda data: data.rstrip(b"\0")),
    ("no-final-newline", lambda data: data if data.endswith(b"\n") else data + b"\n"),
)
