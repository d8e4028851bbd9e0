"""Events within the limits of the format, crowded with what text and tables may do to it."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st
from wcwidth import wcswidth

from pollctl.codec import REQUIRED
from pollctl.model import Event

LOUD = [
    '"""',
    "'''",
    "\\",
    "\\u0041",
    "# no comment",
    "[[event]]",
    "[event.seal]",
    'sha256 = "0"',
    "{ player = 'x' }",
    "a.b.c",
    "\u202eright to left\u202c",
    "ẞ\u0301",
]
"""Texts that mean something elsewhere in the file, or in a terminal."""


BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that a sentence may hold, and a name may not."""


def is_name(text: str) -> bool:
    """Whether the format has room for a name, beside the characters it may not hold."""
    return bool(text.strip()) and len(text.encode()) <= 256 and 1 <= wcswidth(text) <= 64


def nfc(text: str) -> str:
    """The text in the form the format wants."""
    return unicodedata.normalize("NFC", text)


plain = st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"))
letters = plain.filter(lambda char: char not in ":=;")
ascii_letters = st.characters(min_codepoint=32, max_codepoint=126, exclude_characters=":=;")

names = (
    st.text(letters, min_size=1, max_size=20).map(nfc)
    | st.sampled_from([text for text in LOUD if not set(text) & {*BIDI, *":=;"}])
    | st.text(ascii_letters, min_size=1, max_size=8).map(lambda text: (text * 64)[:64])
).filter(is_name)
"""Names with every character a name may hold; some have 64 columns, so that rows pass 100."""

sentences = (
    st.text(plain | st.sampled_from(BIDI), min_size=1, max_size=20).map(nfc)
    | st.lists(st.sampled_from(LOUD), min_size=1, max_size=5).map("".join).map(nfc)
    | st.text(ascii_letters, min_size=1, max_size=8).map(lambda text: (text * 1000)[:1000])
).filter(str.strip)
"""Questions, notes and reasons, up to 1,000 characters."""

zones = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))

times = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - the zone is drawn
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=zones,
).map(lambda at: at.replace(microsecond=0))
"""Moments of every year but the first and the last, with every offset a log may hold."""

values = st.recursive(
    st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
"""What a field of a later pollctl may hold: tables in lists in tables."""

unknown = st.dictionaries(st.text(max_size=6).map("x{}".format), values, max_size=2)
"""Fields that no event of this format has."""

number = st.integers(1, 10**6)

hashes = st.text("0123456789abcdef", min_size=64, max_size=64)

poll_ballot = st.fixed_dictionaries(
    {"player": names, "chip": st.sampled_from(["yes", "no"])},
    optional={"card": st.integers(0, 8)},
)
dice_ballot = st.fixed_dictionaries(
    {"player": names, "large": st.integers(1, 6), "small": st.integers(1, 6)}
)
ballots = st.lists(poll_ballot, min_size=1, max_size=8) | st.lists(
    dice_ballot, min_size=1, max_size=8
)
"""The ballots of a table, in either game."""

penalty = st.fixed_dictionaries({"player": names, "kind": st.sampled_from(["chip", "answer"])})

RULING: dict[str, st.SearchStrategy[Any]] = {
    "player": names,
    "change": st.integers(-999_999_999, 999_999_999),
    "reason": sentences,
}

ROUND: dict[str, st.SearchStrategy[Any]] = {
    "pollster": names,
    "question": sentences,
    "penalties": st.lists(penalty, min_size=1, max_size=3),
    "rulings": st.lists(st.fixed_dictionaries(RULING), min_size=1, max_size=2),
    "dice": st.text("123456", min_size=1, max_size=40),
    "recasts": st.integers(0, 99),
    "rule_card": sentences,
    "overrides": st.dictionaries(st.sampled_from(["majority", "dice"]), st.integers(1, 40)),
    "note": sentences,
}
"""What may stand in a round of either game beside its number and its ballots."""

AMEND: dict[str, st.SearchStrategy[Any]] = {
    "set": st.fixed_dictionaries({}, optional={**ROUND, "ballots": ballots, "at": times}),
    "clear": st.lists(st.sampled_from(sorted(ROUND)), min_size=1, max_size=3),
}

FIELDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "open": st.fixed_dictionaries(
        {
            "format": st.just(1),
            "session": st.text("0123456789abcdef", min_size=32, max_size=32),
            "game": st.just("poll-game"),
            "players": st.lists(names, min_size=1, max_size=8, unique=True),
        },
        optional={
            "title": sentences,
            "first": names,
            "rules": st.dictionaries(st.sampled_from(["spaces", "paths"]), st.integers(0, 99)),
            "start": st.dictionaries(names, st.integers(0, 11), max_size=3),
        },
    ),
    "round": st.fixed_dictionaries({"number": number, "ballots": ballots}, optional=ROUND),
    "penalty": st.fixed_dictionaries(
        {"round": number, "player": names, "penalty": st.sampled_from(["chip", "answer"])},
        optional={"note": sentences},
    ),
    "ruling": st.fixed_dictionaries({"round": number, **RULING}, optional={"note": sentences}),
    "amend": st.fixed_dictionaries({"round": number}, optional=AMEND),
    "void": st.fixed_dictionaries(
        {"target": number, "by": st.sampled_from(["void", "undo", "redo"])},
        optional={"reason": sentences},
    ),
    "end": st.fixed_dictionaries({}, optional={"reason": sentences}),
    "check": st.fixed_dictionaries(
        {"table": st.dictionaries(names, st.integers(0, 99), min_size=1, max_size=8)}
    ),
    "join": st.fixed_dictionaries({"player": names}, optional={"after": names}),
    "leave": st.fixed_dictionaries({"player": names}, optional={"note": sentences}),
    "rename": st.fixed_dictionaries({"player": names, "to": names}),
    "dispute": st.fixed_dictionaries({"round": number, **RULING}),
    "resolve": st.fixed_dictionaries(
        {"target": number, "outcome": st.sampled_from(["upheld", "rejected"]), "reason": sentences}
    ),
    "draw": st.fixed_dictionaries(
        {"deck": sentences, "card": sentences},
        optional={"questions": st.lists(sentences, min_size=1, max_size=3), "skipped": sentences},
    ),
    "acknowledge": st.fixed_dictionaries(
        {"warning": st.sampled_from(["P4", "D12"]), "reason": sentences},
        optional={"round": number, "target": number},
    ),
    "repair": st.fixed_dictionaries(
        {"removed": number, "sha256": hashes, "kept_in": sentences}, optional={"note": sentences}
    ),
    "accept": st.fixed_dictionaries({"first_bad": number, "sha256": hashes, "reason": sentences}),
}
"""The fields of every kind of event that the format has."""


@st.composite
def events(draw: st.DrawFn, kind: str | None = None, seq: int | None = None) -> Event:
    """An event within the format's limits, of this kind and seq or of any."""
    kind = kind or draw(st.sampled_from(sorted(REQUIRED)))
    fields = {**draw(FIELDS[kind]), **draw(unknown)}
    return Event(seq or draw(st.integers(1, 10**9)), draw(times), kind, fields)


@st.composite
def evenings(draw: st.DrawFn) -> list[Event]:
    """A few events one after the other."""
    size = draw(st.integers(1, 4))
    return [draw(events(seq=seq)) for seq in range(1, size + 1)]
