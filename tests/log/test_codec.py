"""Events as text and back: nothing is lost, any TOML reader agrees, and no text surprises."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.codec import REQUIRED, NotAnEvent, body, misshapen, parse
from pollctl.log import read, seal_all
from pollctl.model import Event, Refused
from tests.log import QUICK, event, hand_seal, opening, round_event, sealed
from tests.log.strategies import evenings, events

TRAILER = re.compile(r'\n\[event\.seal\]\nsha256 = "[0-9a-f]{64}"\n\Z')

HEAD = 'seq = 1\nat = 2026-11-30 20:01:07+01:00\nkind = "end"\n'
SEAL = '[event.seal]\nsha256 = "0"\n'


def plain(told: Event) -> dict[str, Any]:
    """An event as the table that a TOML reader sees."""
    return {"seq": told.seq, "at": told.at, "kind": told.kind, **told.fields}


def unsealed(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a document, each without its seal, which has to be its last key."""
    assert list(document) == ["event"]
    assert all(list(each)[-1] == "seal" for each in document["event"])
    return [{k: v for k, v in each.items() if k != "seal"} for each in document["event"]]


def attempt(text: str) -> Event | None:
    """What a text is read as; None where it is no event."""
    try:
        return parse(text)
    except NotAnEvent:
        return None


@pytest.mark.parametrize("kind", sorted(REQUIRED))
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_every_event_comes_back(kind: str, data: st.DataObject) -> None:
    """An event of any kind is the same after writing and reading, for tomllib too."""
    told = data.draw(events(kind))
    text = hand_seal(body(told).encode()).decode()
    back = parse(text)
    assert (back._replace(seal=""), back.at.isoformat()) == (told, told.at.isoformat())
    assert text.startswith("[[event]]\n")
    assert TRAILER.search(text)
    assert unsealed(tomllib.loads(text)) == [plain(told)]
    assert misshapen(back) == ""


@given(told=evenings())
@QUICK
def test_a_file_is_one_document(told: list[Event]) -> None:
    """Events appended one after the other are one TOML document, the same as if written at once."""
    data = b""
    for each in told:
        data += seal_all(data, [each])[0]
    assert data == sealed(told)
    assert unsealed(tomllib.loads(data.decode())) == [plain(each) for each in told]


@given(told=evenings())
@QUICK
def test_what_is_written_is_read(told: list[Event]) -> None:
    """A file that was just written is intact, and holds the very events and seals."""
    data, written = seal_all(b"", told)
    log = read(data)
    assert (log.chain, log.fault, log.size) == ("intact", "", len(data))
    assert log.events == written
    assert [each._replace(seal="") for each in log.events] == told


@pytest.mark.parametrize(
    "sentence",
    ["[" * 99, "[" * 100, "[" * 1000, "." * 1000, "{" * 1000, "=" * 1000, "\U00010000" * 1000],
    ids=lambda text: f"{len(text)} of {text[0]}",
)
@pytest.mark.parametrize("field", ["question", "note"])
def test_every_sentence_can_be_read_again(field: str, sentence: str) -> None:
    """What is recorded never makes its file unreadable, whatever was asked at the table."""
    told = [opening(), round_event(2, 1, **{field: sentence})]
    assert read(sealed(told)).events[-1].fields[field] == sentence


def test_a_large_event_can_be_read_again() -> None:
    """An event is only sealed if it is small enough to be read."""
    rulings = [{"player": "Ann", "change": 1, "reason": "\U0001f3b2" * 1000}] * 300
    told = [opening(), round_event(2, 1, rulings=rulings)]
    try:
        data = sealed(told)
    except Refused:
        return
    assert len(read(data).events) == 2


@pytest.mark.parametrize("players", range(1, 9))
@pytest.mark.parametrize("letter", ['"', "\\", "é", "["])
def test_long_rows_are_tables(letter: str, players: int) -> None:
    """Rows beyond 100 columns stand as tables of their own, before the seal, and come back."""
    ballot = {"player": letter * 64, "card": 1, "chip": "yes"}
    told = event(2, "round", number=1, ballots=[ballot] * players)
    text = hand_seal(body(told).encode()).decode()
    assert text.count("\n[[event.ballots]]\n") == players
    assert parse(text).fields == told.fields
    assert TRAILER.search(text)


@pytest.mark.parametrize("kind", sorted(REQUIRED))
def test_short_events_are_blocks(kind: str) -> None:
    """However little an event says, it is a block of lines and never a table in one line."""
    told = Event(1, opening().at, kind, {})
    assert body(told).startswith("[[event]]\nseq = 1\nat = ")
    assert parse(body(told) + SEAL)._replace(seal="") == told


@given(text=st.text() | st.binary().map(lambda data: data.decode("latin-1")))
@QUICK
def test_no_text_surprises(text: str) -> None:
    """Any text at all is an event or is said to be none."""
    assert attempt(text) is None


@given(text=st.text("[]{}\"'=.,#\n -+:TZaenti0129_\\\r\t", max_size=40))
@settings(max_examples=150, deadline=None)
def test_no_fields_surprise(text: str) -> None:
    """Whatever stands among the fields of an event, it is an event or is said to be none."""
    back = attempt(f"[[event]]\n{HEAD}{text}\n{SEAL}")
    assert back is None or back.seal == "0"


@given(told=events(), data=st.data())
@QUICK
def test_no_alteration_surprises(told: Event, data: st.DataObject) -> None:
    """A block with a part cut out, doubled or typed over is an event or is said to be none."""
    text = body(told) + SEAL
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    put = data.draw(st.sampled_from(["", text[start:end] * 2, "[", "'''", "\n", "9" * 400, "\0"]))
    back = attempt(text[:start] + put + text[end:])
    assert back is None or type(back.seq) is int


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("\0" * 400, id="NULs"),
        pytest.param("\ud800", id="half a character"),
        pytest.param("event = 1\n", id="a number"),
        pytest.param("event = []\n", id="none"),
        pytest.param("event = [1]\n", id="a list of a number"),
        pytest.param("event = [[1]]\n", id="a list of a list"),
        pytest.param('event = ["x"]\n', id="a list of a text"),
        pytest.param("event = [2026-11-30]\n", id="a list of a day"),
        pytest.param("[event]\n" + HEAD + SEAL, id="a table"),
        pytest.param("[[event]]\n" + HEAD, id="no seal"),
        pytest.param("[[event]]\n" + HEAD + 'seal = "0"\n', id="a seal that is no table"),
        pytest.param("[[event]]\n" + HEAD + SEAL + "more = 1\n", id="a seal that says more"),
        pytest.param("[[event]]\n" + HEAD + "[event.seal]\nsha256 = 0\n", id="a seal of a number"),
        pytest.param(("[[event]]\n" + HEAD + SEAL) * 2, id="two events"),
        pytest.param("[[event]]\n" + HEAD + SEAL + "[other]\n", id="another table"),
        pytest.param("x = 1\n[[event]]\n" + HEAD + SEAL, id="another key"),
        pytest.param("[[event]]\n" + HEAD + HEAD + SEAL, id="keys twice"),
        *(
            pytest.param("[[event]]\n" + HEAD.replace(old, new) + SEAL, id=new)
            for old, new in [
                ("seq = 1", "seq = true"),
                ("seq = 1", "seq = 1.0"),
                ("seq = 1", 'seq = "1"'),
                ("seq = 1", f"seq = {'9' * 400}"),
                ("seq = 1", "x = 1"),
                ("20:01:07+01:00", "20:01:07"),
                ("20:01:07+01:00", ""),
                ("2026-11-30 ", ""),
                ("2026-11-30", "2026-02-30"),
                ("2026-11-30", "0000-11-30"),
                ("20:01:07", "23:59:60"),
                ("+01:00", "+99:99"),
                ('"end"', "1"),
                ('"end"', "[]"),
            ]
        ),
    ],
)
def test_what_is_no_event(text: str) -> None:
    """TOML that is not exactly one event with its seal, and text that is no TOML, is refused."""
    with pytest.raises(NotAnEvent):
        parse(text)


@pytest.mark.parametrize(
    "value",
    [
        "[" * 10**5,
        "[" * 10**5 + "]" * 10**5,
        "[ " * 10**5 + "] " * 10**5,
        "{x=" * 10**5 + "1" + "}" * 10**5,
        "1\nx" + ".x" * 10**5 + " = 1",
        "1\n[event.x" + ".x" * 10**5 + "]",
        "9" * 10**6,
        "1e" + "9" * 10**6,
        "0x" + "f" * 10**6,
        '"' * 10**6,
    ],
    ids=lambda text: text[:12].replace("\n", " "),
)
def test_no_depth_or_length_surprises(value: str) -> None:
    """Nesting and numbers beyond all measure are no event, and neither a crash."""
    assert attempt(f"[[event]]\n{HEAD}a = {value}\n{SEAL}") is None


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in REQUIRED.items() for name in names]
)
def test_missing_fields_are_named(kind: str, name: str) -> None:
    """An event of a known kind without a field it needs is not used, and the field is named."""
    fields: dict[str, Any] = dict.fromkeys(REQUIRED[kind], 1)
    del fields[name]
    assert misshapen(event(1, kind, **fields)) == f"{name} is missing"


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (event(2, "round", number="1", ballots=[]), "number"),
        (event(2, "round", number=True, ballots=[]), "number"),
        (round_event(2, 1, ballots={}), "ballots"),
        (round_event(2, 1, ballots=["Ann"]), "a list"),
        (round_event(2, 1, penalties=[["Ann", "chip"]]), "a list"),
        (round_event(2, 1, rulings="Ann"), "rulings"),
        (event(2, "amend", round=1, set=[]), "set"),
        (event(2, "amend", round=1, set={"ballots": 3}), "a list"),
        (event(2, "amend", round=1, clear="note"), "clear"),
        (event(2, "void", target="1", by="void"), "target"),
        (event(2, "void", target=1, by=1), "by"),
        (event(2, "end", reason=1), "reason"),
        (opening(players="Ann"), "players"),
        (opening(rules=[]), "rules"),
        (opening(title=1), "title"),
        *((round_event(2, 1, batch=batch), "batch") for batch in ("1", "0/3", "a/b", "1/2/3", "")),
    ],
)
def test_misshapen_fields_are_named(told: Event, what: str) -> None:
    """A field that corrections could stumble over is found before they are applied."""
    assert misshapen(told).startswith(what)
