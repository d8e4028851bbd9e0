"""A session file's bytes as events: what is sealed, what follows it, and what can be used."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pollctl.codec import BATCH, FORMAT, HEADER, REQUIRED, NotAnEvent, body, misshapen, parse
from pollctl.model import Event, Refused
from pollctl.seal import Block, Sealer, blocks, digest, receipt

FIRST_LINE = "[[event]]\n"
LARGEST_BLOCK = 1 << 20
"""Bytes; a parser never sees a block beyond it."""
TRAILER_SIZE = len('[event.seal]\nsha256 = ""\n') + 64
DEEPEST = 100
"""Brackets or dots in a row; no parser sees a deeper nesting."""
_MARKS = (b"[event.seal]", "\0".join("[event.seal]").encode())
"""What shows that bytes were a session's, in UTF-8 and in UTF-16 of either order."""


class NotASession(Refused):
    """The bytes hold no event that could be used."""

    status = 2


class Ruined(NotASession):
    """The bytes were a session's, and none of its events can be used any more."""


class Log(NamedTuple):
    """What a session file holds."""

    events: tuple[Event, ...]
    """Up to the last good seal."""
    chain: str
    """`intact`, `torn` (unsealed bytes follow, or a batch ends early), `broken` (a seal does not
    match), or `accepted` (broken, and vouched for)."""
    ends: tuple[int, ...]
    """For each event, the bytes of the file up to its end."""
    fault: str
    """What is wrong after the events, in a few words; empty where nothing is."""

    @property
    def size(self) -> int:
        """The bytes up to the last good seal."""
        return self.ends[-1]

    @property
    def receipt(self) -> str:
        """Of the last event."""
        return self.receipt_of(self.events[-1])

    def receipt_of(self, event: Event) -> str:
        """The code that fixes the file up to this event."""
        return receipt(self.session, event.seq, event.seal)

    @property
    def session(self) -> str:
        """The session's id, 32 hex digits; zeros where the opening has none that could be."""
        name = str(self.events[0].fields.get("session"))
        return name if re.fullmatch("[0-9a-f]{32}", name) else "0" * 32

    @property
    def newer(self) -> str:
        """What in it only a newer pollctl knows, in a few words; empty if nothing."""
        version = self.events[0].fields.get("format")
        if version != FORMAT:
            return f"format {version}"
        kinds = [event.kind for event in self.events if event.kind not in REQUIRED]
        return f"events of the kind {kinds[0][:40]!r}" if kinds else ""


def read(data: bytes, *, trusting: bool = False) -> Log:
    """Read a file as far as its last good seal; raises NotASession where there is none.

    When trusting, every seal is taken for good: so the file would read if somebody vouched for it.
    """
    log, ends = Log((), "intact", (), ""), []
    events: list[Event] = []
    unsealed: list[Event] = []
    for seq, block in enumerate(blocks(data), 1):
        try:
            event = _read_block(data, block, seq)
        except NotAnEvent as error:
            log = _broken(log, f"event {seq} {error}")
            break
        ends.append(block.end)
        if trusting or (block.sealed and not unsealed):
            events.append(event)
        elif block.sealed and _vouches(event, unsealed[0], data[: block.start + 1]):
            events += [*_as_they_stand(data, unsealed, ends), event]
            unsealed, log = [], log._replace(chain="accepted", fault="")
        else:
            unsealed.append(event)
            log = _broken(log, f"event {seq} does not match its seal: it or one before was altered")
    if not events:
        raise _no_session(data, log.fault)
    known = tuple(ends[: len(events)])
    log = log._replace(events=tuple(events), ends=known)
    return log if log.fault else _ended(log, len(data))


def _broken(log: Log, fault: str) -> Log:
    """The log with the first thing that is wrong with it."""
    return log if log.fault else log._replace(chain="broken", fault=fault)


def _as_they_stand(data: bytes, altered: Sequence[Event], ends: Sequence[int]) -> Iterator[Event]:
    """Altered events with the seals their bytes have now, so that no older receipt fits them."""
    for event in altered:
        yield event._replace(seal=digest(data[: ends[event.seq - 1] - TRAILER_SIZE]))


def _vouches(event: Event, first_bad: Event, before: bytes) -> bool:
    """Whether an event accepts the altered bytes before it."""
    return (
        event.kind == "accept"
        and event.fields.get("first_bad") == first_bad.seq
        and event.fields.get("sha256") == digest(before)
    )


def _ended(log: Log, size: int) -> Log:
    """The log up to its last whole command: torn where bytes follow, or a batch ends early."""
    batch = str(log.events[-1].fields.get("batch", ""))
    place, _, whole = batch.partition("/")
    if place != whole and re.fullmatch(BATCH, batch):
        kept = max(1, len(log.events) - int(place))
        fault = f"the batch that begins with event {kept + 1} ends early"
        return log._replace(
            events=log.events[:kept], ends=log.ends[:kept], chain="torn", fault=fault
        )
    if log.size == size:
        return log
    rest = f"{size - log.size:,} bytes without a seal follow event {len(log.events)}"
    return log._replace(chain="torn", fault=rest)


def unusable(log: Log) -> str:
    """Why no round of the log can be scored; empty if nothing keeps them."""
    if log.newer:
        return f"holds {log.newer}: it is from a newer pollctl"
    for event in log.events:
        if text := misshapen(event):
            return f"holds an event {event.seq} that is no {event.kind}: {text}"
    return ""


def seal_all(before: bytes, events: Iterable[Event]) -> tuple[bytes, tuple[Event, ...]]:
    """The bytes that append these events to a file, and the events with their seals.

    Raises Refused for an event that could not be read again, however it came to be.
    """
    parts: list[bytes] = []
    sealed: list[Event] = []
    seal = Sealer(before)
    for event in events:
        gap = b"\n" if before or parts else HEADER.encode()
        block = body(event).encode()
        end = seal.trailer(gap + block)
        parts += [gap, block, end]
        if len(block) + len(end) > LARGEST_BLOCK:
            raise Refused("", f"an entry has at most {LARGEST_BLOCK:,} bytes: make it shorter")
        sealed.append(_read_back(event, (block + end).decode()))
    return b"".join(parts), tuple(sealed)


def _read_back(event: Event, text: str) -> Event:
    """The event as it reads in the file; raises Refused unless it is the very one."""
    try:
        back = parse(_harmless(text))
    except NotAnEvent as error:
        raise Refused("", f"the entry can't be recorded: it {error}") from None
    same = (back.seq, back.at, back.kind) == event[:3] and dict(back.fields) == event.fields
    if not same or back.at.isoformat() != event.at.isoformat():
        raise Refused("", "the entry can't be recorded: it would not read as it was said")
    if fault := misshapen(event):
        raise Refused("", f"the entry can't be recorded: {fault}")
    return back


def _read_block(data: bytes, block: Block, seq: int) -> Event:
    """The event of a block; raises NotAnEvent where the scan and the parser disagree."""
    event = parse(_text(data, block, seq))
    if event.seal != block.seal:
        raise NotAnEvent("hides another seal")
    if event.seq != seq:
        raise NotAnEvent(f"has the seq {event.seq}")
    return event


def _text(data: bytes, block: Block, seq: int) -> str:
    """The text of a block that a parser may see."""
    if block.end - block.start > LARGEST_BLOCK:
        raise NotAnEvent("is larger than any pollctl writes")
    try:
        text = data[block.start : block.end].decode()
    except UnicodeDecodeError:
        raise NotAnEvent("is not UTF-8 text") from None
    if not _begins(text, seq):
        raise NotAnEvent("does not begin where the one before it ends")
    if f"\n{FIRST_LINE}" in text[text.index(FIRST_LINE) + 1 :]:
        raise NotAnEvent("hides the beginning of another")
    return _harmless(text)


def _harmless(text: str) -> str:
    """The text of a block, nested no deeper than what pollctl writes."""
    if _deep(text) and _deep(re.sub(_STRING, "", text)):
        raise NotAnEvent("is nested deeper than any pollctl writes")
    return text


def _deep(text: str) -> bool:
    """Whether brackets or the parts of a key are nested too deep to be shown to a parser."""
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text) if _many(text, "[{") else ():
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            return True
    lines = text.split("\n") if _many(text, ".") else ()
    return any(_many(line.partition("=")[0], ".") for line in lines)


def _many(text: str, chars: str) -> bool:
    return sum(map(text.count, chars)) > DEEPEST


_STRING = r'"(?:[^"\\\n]|\\.)*"'
"""A string as pollctl writes it, on one line."""


def _begins(text: str, seq: int) -> bool:
    """Whether a block begins as it should: after one empty line, the first after comments."""
    if seq > 1:
        return text.startswith(f"\n{FIRST_LINE}")
    head, first, _ = text.partition(FIRST_LINE)
    return bool(first) and all(not line or line.startswith("#") for line in head.split("\n"))


def _no_session(data: bytes, fault: str) -> NotASession:
    """That nothing of a file can be used, and why."""
    was_one = any(mark in data for mark in _MARKS)
    return (Ruined if was_one else NotASession)("", _no_event(data, fault))


def _no_event(data: bytes, fault: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0[\0" in data[:400]:
        return "is UTF-16 text; a session is UTF-8: save it so, or run pollctl repair"
    if b"[event.seal]\r" in data:
        return "has other line endings than a session: run pollctl repair"
    if fault:
        return f"can't be read from its first event on: {fault}"
    return "is not a pollctl session: it holds no sealed event"
