"""What happens to a file in mails and editors: named, and undone where that proves itself."""

from codecs import utf_16_be_decode, utf_16_decode, utf_16_le_decode
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pollctl.log import Log, NotASession, read

BOM = b"\xef\xbb\xbf"


class Damage(NamedTuple):
    """What changed every byte of a file, or its end, without touching what it says."""

    names: tuple[str, ...]
    """`utf-16`, `bom`, `line-endings`, `nul-tail`, `no-final-newline`; empty for none of these."""
    mended: bytes
    """The file without them: more of its seals match then, or more of its entries can be read."""


def diagnose(data: bytes) -> Damage:
    """The damage whose undoing brings something back; none where the file is whole or worse."""
    names = tuple(_UNDOING)
    mended = _undone(data, names)
    if whole(data) or mended == data or _reach(mended) <= _reach(data):
        return Damage((), data)
    for name in reversed(names):
        fewer = tuple(other for other in names if other != name)
        text = _undone(data, fewer)
        if text == mended or _reach(text) >= _reach(mended):
            names, mended = fewer, text
    return Damage(names, mended)


def whole(data: bytes) -> bool:
    """Whether every seal of a file matches or is vouched for, and nothing follows the last."""
    log = readable(data)
    return log is not None and log.chain in ("intact", "accepted")


def readable(data: bytes, *, trusting: bool = False) -> Log | None:
    """What a file holds, as `read` has it; None where no event can be used."""
    try:
        return read(data, trusting=trusting)
    except NotASession:
        return None


def _reach(data: bytes) -> tuple[int, int, bool]:
    """How much of a file is there: entries sealed, entries readable, and whether it ends there."""
    log, stood = readable(data), readable(data, trusting=True)
    if stood is None:
        return 0, 0, False
    return len(log.events) if log else 0, len(stood.events), stood.chain == "intact"


def _undone(data: bytes, names: Sequence[str]) -> bytes:
    for name in names:
        data = _UNDOING[name](data)
    return data


def _from_utf16(data: bytes) -> bytes:
    """The text as UTF-8; what can't be text stays so, and a unit cut in two goes."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        decode = utf_16_decode
    elif b"\0" in data[:2]:
        decode = utf_16_be_decode if data.startswith(b"\0") else utf_16_le_decode
    else:
        return data
    return decode(data, "surrogatepass", False)[0].encode(errors="surrogatepass")  # noqa: FBT003


_UNDOING: Mapping[str, Callable[[bytes], bytes]] = {
    "utf-16": _from_utf16,
    "bom": lambda data: data.removeprefix(BOM),
    "line-endings": lambda data: data.replace(b"\r\n", b"\n"),
    "nul-tail": lambda data: data.rstrip(b"\0"),
    "no-final-newline": lambda data: (
        data if data.endswith(b"\n") else data.removesuffix(b"\r") + b"\n"
    ),
}
