"""Reading a file whose bytes were cut, altered or made by hand: what is shown is what is sealed."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest

from pollctl.log import Log, NotASession, read, seal_all, unusable
from pollctl.model import Refused
from pollctl.session import Unscorable, load
from tests.log import (
    EVENING,
    OPEN_TEXT,
    ROUND_TEXT,
    cut,
    entry_text,
    event,
    hand_seal,
    hand_sealed,
    opening,
    round_event,
    sealed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollctl.model import Event

SMALL = (opening(), round_event(2, 1), event(3, "void", target=2, by="undo"))
ENDS = list(accumulate(map(len, cut(sealed(SMALL)))))
"""Where the blocks of the small file end."""

OTHER = (opening(session="0" * 32, title="Another"), *EVENING[1:])
"""A session with the same rounds under another opening."""

LATER = entry_text(3, "end", "")


def attempt(data: bytes) -> Log | None:
    """What is read of these bytes; None where they are no session."""
    try:
        return read(data)
    except NotASession:
        return None


def seen(data: bytes) -> tuple[str, int]:
    """The chain, and how many events are shown; a file that is no session shows none."""
    log = attempt(data)
    return (log.chain, len(log.events)) if log else ("none", 0)


def altered(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The file with one byte changed, lost or put in, at every place."""
    for place, byte in enumerate(data):
        before, after = data[:place], data[place + 1 :]
        for other in {byte ^ 1, byte ^ 32, 10} - {byte}:
            yield f"{byte} made {other} at {place}", before + bytes([other]) + after
        yield f"{byte} lost at {place}", before + after
        for put in {10, byte}:
            yield f"{put} put in at {place}", before + bytes([put]) + data[place:]


def test_cut_anywhere() -> None:
    """A file cut at any byte is torn, unless at the end of a block, and shows what was sealed."""
    data = sealed(SMALL)
    for size in range(len(data) + 1):
        kept = sum(end <= size for end in ENDS)
        chain = "none" if not kept else "intact" if size in ENDS else "torn"
        assert (size, *seen(data[:size])) == (size, chain, kept)


def test_changed_anywhere() -> None:
    """With one byte changed, lost or put in, a file is not intact, and shows what is before it."""
    data = sealed(SMALL)
    true = read(data).events
    for how, other in altered(data):
        if other == data:
            continue
        log = attempt(other)
        if log is not None:
            assert log.chain in ("torn", "broken"), how
            assert log.events == true[: len(log.events)], how
            assert log.fault, how
            assert other[: log.size] == data[: log.size], how


def _drop(place: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda blocks: blocks[: place - 1] + blocks[place:]


def _double(place: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda blocks: blocks[:place] + blocks[place - 1 :]


def _swap(blocks: list[bytes]) -> list[bytes]:
    return [*blocks[:2], blocks[3], blocks[2], *blocks[4:]]


def _splice(place: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda blocks: [*blocks[: place - 1], cut(sealed(OTHER))[place - 1], *blocks[place:]]


def _reseal(blocks: list[bytes]) -> list[bytes]:
    """Block 3 stands once more at the end, with a seal that is right there."""
    body = blocks[2][: blocks[2].rindex(b"[event.seal]\n")]
    return [hand_seal(b"".join(blocks) + body)]


def _renumber(blocks: list[bytes]) -> list[bytes]:
    """Block 3 is block 4's seq, properly sealed."""
    body = blocks[2][: blocks[2].rindex(b"[event.seal]\n")].replace(b"seq = 3", b"seq = 4")
    return [hand_seal(b"".join(blocks[:2]) + body)]


@pytest.mark.parametrize(
    ("change", "chain", "shown"),
    [
        (_drop(1), "none", 0),
        (_drop(2), "broken", 1),
        (_drop(5), "broken", 4),
        (_drop(6), "intact", 5),
        (_double(1), "broken", 1),
        (_double(3), "broken", 3),
        (_double(6), "broken", 6),
        (_swap, "broken", 2),
        (_splice(1), "broken", 1),
        (_splice(2), "broken", 1),
        (_splice(6), "broken", 5),
        (_reseal, "broken", 6),
        (_renumber, "broken", 2),
    ],
    ids=[
        *("first lost", "second lost", "fifth lost", "last lost"),
        *("first twice", "third twice", "last twice", "swapped"),
        *("another's first", "another's second", "another's last", "sealed anew", "renumbered"),
    ],
)
def test_blocks_moved(change: Callable[[list[bytes]], list[bytes]], chain: str, shown: int) -> None:
    """Blocks doubled, swapped, foreign, lost or sealed anew show, but for those at the end."""
    assert seen(b"".join(change(cut(sealed())))) == (chain, shown)


@pytest.mark.parametrize(
    ("damage", "chain", "shown"),
    [
        (lambda data: data.replace(b"\n", b"\r\n"), "none", 0),
        (lambda data: b"\xef\xbb\xbf" + data, "none", 0),
        (lambda data: data.decode().encode("utf-16"), "none", 0),
        (lambda data: data + b"\0" * 512, "torn", 6),
        (lambda data: data[:-1], "torn", 5),
        (lambda data: data + b"\n", "torn", 6),
        (lambda data: data + b"# a remark\n", "torn", 6),
        (lambda data: data + b"\n[[event]]\nseq = 7\n", "torn", 6),
        (lambda data: data + sealed(), "broken", 6),
        (lambda _data: b"", "none", 0),
        (lambda _data: b"\0" * 4096, "none", 0),
        (lambda _data: b"title = 'Friday'\n", "none", 0),
    ],
    ids=[
        *("CRLF", "BOM", "UTF-16", "NULs", "a newline lost", "a newline more", "a remark"),
        *("half-written", "twice", "empty", "hollow", "another file"),
    ],
)
def test_damaged_whole(damage: Callable[[bytes], bytes], chain: str, shown: int) -> None:
    """What editors, checkouts and disks do to a whole file is never taken for an intact one."""
    assert seen(damage(sealed())) == (chain, shown)


HIDDEN_SEAL = '[event.seal]\nsha256 = "{}"\n'
QUESTION = '{0}question = """\n{1}"""\n'


def _hidden_true_seal() -> bytes:
    """A seal in a question that is right for the bytes before it."""
    start = hand_sealed(OPEN_TEXT) + b"\n" + f'{ROUND_TEXT}question = """\n'.encode()
    return hand_seal(hand_seal(start) + b'"""\n')


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        pytest.param(hand_sealed(OPEN_TEXT, QUESTION.format(ROUND_TEXT, text)), 1, id=name)
        for name, text in [
            ("wrong seal", HIDDEN_SEAL.format("0" * 64)),
            ("event", "[[event]]\n"),
            ("whole event", LATER),
            ("sealed event", LATER + HIDDEN_SEAL.format("0" * 64)),
        ]
    ]
    + [
        pytest.param(_hidden_true_seal(), 1, id="true seal"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + "\n" + LATER), 1, id="two in a block"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + "[other]\nx = 1\n"), 1, id="a table"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + "[event.seal]\n"), 1, id="a seal more"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + "[[event]]\n"), 1, id="an empty one"),
        pytest.param(hand_sealed(OPEN_TEXT, "x = 1\n" + ROUND_TEXT), 1, id="a key"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT, head="x = 1\n\n"), 0, id="a key first"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT, head="[x]\n"), 0, id="a table first"),
        pytest.param(hand_sealed(OPEN_TEXT, "# look\n" + ROUND_TEXT), 1, id="a comment between"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT, between=""), 1, id="no empty line"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT, between="\n\n"), 1, id="two empty lines"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT, between="\r\n"), 1, id="CRLF between"),
        pytest.param(
            hand_sealed(OPEN_TEXT, ROUND_TEXT.replace("[[event]]", "[[ event ]]")), 1, id="spaced"
        ),
        pytest.param(
            hand_sealed(OPEN_TEXT, ROUND_TEXT.replace("[[event]]", "[[event]] # 2")), 1, id="remark"
        ),
        pytest.param(hand_sealed(ROUND_TEXT, OPEN_TEXT), 0, id="seq 2 first"),
        pytest.param(hand_sealed(OPEN_TEXT, OPEN_TEXT), 1, id="seq 1 twice"),
        pytest.param(hand_sealed(OPEN_TEXT, LATER), 1, id="seq 2 missing"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + f"x = '{'x' * 2**20}'\n"), 1, id="huge"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + f"x = {'[' * 10**5}\n"), 1, id="deep"),
        pytest.param(hand_sealed(OPEN_TEXT, ROUND_TEXT + f"x = {'[ ' * 10**5}\n"), 1, id="spread"),
        pytest.param(hand_sealed(OPEN_TEXT, f"{ROUND_TEXT}x{'.x' * 10**5} = 1\n"), 1, id="dotted"),
    ],
)
def test_sealed_by_hand(data: bytes, shown: int) -> None:
    """A file whose seals are right is still broken where two readers could see different events."""
    assert seen(data) == ("broken" if shown else "none", shown)


@pytest.mark.parametrize(
    "data",
    [
        hand_sealed(OPEN_TEXT, ROUND_TEXT, LATER),
        hand_sealed(OPEN_TEXT, ROUND_TEXT, head=""),
        hand_sealed(OPEN_TEXT, ROUND_TEXT, head="# one\n# two\n\n\n# three\n"),
        hand_sealed(OPEN_TEXT, ROUND_TEXT + "# a remark\n"),
        hand_sealed(OPEN_TEXT, ROUND_TEXT + "# [event.seal]\n"),
        hand_sealed(OPEN_TEXT, ROUND_TEXT + 'question = "[event.seal]\\nsha256"\n'),
        hand_sealed(OPEN_TEXT, QUESTION.format(ROUND_TEXT, " [event.seal]\n")),
        hand_sealed(OPEN_TEXT, ROUND_TEXT + "[event.weather]\nrain = true\n"),
        sealed(),
    ],
)
def test_sealed_by_hand_and_right(data: bytes) -> None:
    """However a file was made: one that is intact holds the events that any TOML reader sees."""
    log = read(data)
    assert log.chain == "intact"
    told: list[dict[str, Any]] = [
        {"seq": e.seq, "at": e.at, "kind": e.kind, **e.fields, "seal": {"sha256": e.seal}}
        for e in log.events
    ]
    assert tomllib.loads(data.decode()) == {"event": told}


def batch(first: int, numbers: int, size: int) -> list[Event]:
    """The first rounds of an import of so many."""
    return [round_event(first + i, first + i - 1, batch=f"{i + 1}/{size}") for i in range(numbers)]


@pytest.mark.parametrize(
    ("before", "numbers", "size", "chain", "shown"),
    [
        (1, 1, 3, "torn", 1),
        (1, 2, 3, "torn", 1),
        (1, 3, 3, "intact", 4),
        (3, 1, 2, "torn", 3),
        (3, 2, 2, "intact", 5),
        (2, 9, 10, "torn", 2),
        (2, 10, 10, "intact", 12),
    ],
)
def test_an_import_is_whole_or_torn(
    before: int, numbers: int, size: int, chain: str, shown: int
) -> None:
    """An import that ends early is torn from its start: none of its rounds counts."""
    told = [opening(), *(round_event(seq, seq - 1) for seq in range(2, before + 1))]
    log = read(sealed([*told, *batch(before + 1, numbers, size)]))
    assert (log.chain, len(log.events)) == (chain, shown)
    assert bool(log.fault) == (chain == "torn")


@pytest.mark.parametrize("at", ["opening", "round"])
@pytest.mark.parametrize(
    "mark",
    [
        f'"{"1" * 5000}/2"',
        '"x/3"',
        '"1/2/3"',
        '"/"',
        '"\u00b2/3"',
        '"0/3"',
        '"5/9"',
        '"-1/2"',
        "3",
        "[]",
    ],
)
def test_a_batch_that_is_none(at: str, mark: str) -> None:
    """A mark of a batch that can't be, properly sealed, is an answer and no traceback."""
    told = [OPEN_TEXT, ROUND_TEXT][: 1 if at == "opening" else 2]
    data = hand_sealed(*told[:-1], f"{told[-1]}batch = {mark}\n")
    with suppress(Refused):
        session = load(data)
        assert (session.log.chain, len(session.log.events)) in (("torn", 1), ("intact", len(told)))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([opening(format=2)], "format 2"),
        ([opening(format=2), event(2, "poem", lines=["Roses"])], "format 2"),
        ([opening(), event(2, "poem", lines=["Roses"]), round_event(3, 1)], "poem"),
    ],
)
def test_from_a_newer_pollctl(told: list[Event], said: str) -> None:
    """A newer format and unknown kinds are verified, named, and not scored."""
    data = hand_sealed(*(_text(each) for each in told))
    log = read(data)
    assert (log.chain, len(log.events)) == ("intact", len(told))
    assert said in unusable(log)
    with pytest.raises(Unscorable, match=said):
        load(data)
    assert seen(data.replace(b"Ann", b"Eve", 1)) == ("none", 0)


def _text(told: Event) -> str:
    from pollctl.codec import body

    return body(told)


def test_unknown_fields_are_kept() -> None:
    """A field of a later pollctl in a known kind of event is kept, and the event counts."""
    more = {"weather": "rain", "table": {"legs": [1, 2, {"x": 3}]}}
    plain, rich = (sealed([opening(), round_event(2, 1, **each)]) for each in ({}, more))
    session = load(rich)
    assert (session.log.chain, session.log.fault) == ("intact", "")
    assert {k: session.log.events[1].fields[k] for k in more} == more
    assert session.game.state == load(plain).game.state
    appended = seal_all(rich, [event(3, "end")])[0]
    assert read(rich + appended).events[1] == session.log.events[1]
