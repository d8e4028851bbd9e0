"""Commands on damaged, newer and nonsensical files: readers show the sealed part, nobody writes."""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from pollctl.log import read
from tests.log import (
    DATA,
    EVENING,
    OPEN_TEXT,
    ROUND_TEXT,
    cut,
    entry_text,
    hand_sealed,
    opening,
    round_event,
    sealed,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Pollctl

READERS = [
    ("standings",),
    ("board",),
    ("log",),
    ("explain",),
    ("next",),
    ("round", "list"),
    ("dispute", "list"),
    ("round", "show", "1"),
]
WRITERS = [
    ("round", "add", "1y1n1n"),
    ("round", "amend", "1", "ann:2y"),
    ("round", "void", "1"),
    ("penalty", "ann=answer"),
    ("ruling", "ann=+1:why"),
    ("void", "2"),
    ("undo",),
    ("redo",),
    ("check", "ann=1"),
    ("player", "leave", "ann"),
    ("player", "rename", "ann", "Zoe"),
    ("dispute", "add", "ann=chip"),
    ("dispute", "uphold"),
    ("draw",),
    ("end",),
]

BLOCKS = cut(DATA)

IMPORT = sealed(
    [opening(), *(round_event(seq, seq - 1, batch=f"{seq - 1}/3") for seq in (2, 3, 4))]
)

DAMAGED: list[tuple[str, bytes, tuple[str, int]]] = [
    ("half-written", DATA + b"\n[[event]]\nseq = 7\nat = 2026", ("torn", 6)),
    ("NULs", DATA + b"\0" * 4096, ("torn", 6)),
    ("newline lost", DATA[:-1], ("torn", 5)),
    ("cut", DATA[:-40], ("torn", 5)),
    ("import cut", b"".join(cut(IMPORT)[:3]), ("torn", 1)),
    ("altered", DATA.replace(b'chip = "no"', b'chip = "yes"', 1), ("broken", 1)),
    ("block lost", b"".join(BLOCKS[:2] + BLOCKS[3:]), ("broken", 2)),
    ("block twice", DATA + BLOCKS[-1], ("broken", 6)),
    ("another's", DATA + cut(IMPORT)[-1], ("broken", 6)),
]
"""What was done to the bytes, the chain, and the events still shown."""

UNREADABLE: list[tuple[str, bytes]] = [
    ("opening altered", DATA.replace(b"Ann", b"Eve", 1)),
    ("CRLF", DATA.replace(b"\n", b"\r\n")),
    ("BOM", b"\xef\xbb\xbf" + DATA),
]
"""Damage to every seal, with which not even the opening can be shown."""
NO_SESSION: list[tuple[str, bytes]] = [
    ("opening cut", DATA[:300]),
    ("UTF-16", DATA.decode().encode("utf-16")),
    ("empty", b""),
]
NEWER: list[tuple[str, bytes]] = [
    ("format", hand_sealed(OPEN_TEXT.replace("format = 1", "format = 2"), ROUND_TEXT)),
    ("kind", hand_sealed(OPEN_TEXT, ROUND_TEXT, entry_text(3, "poem", 'line = "Roses"'))),
]


def named(table: list[Any]) -> list[Any]:
    """The rows of a table as cases, each under its first column."""
    return [pytest.param(*row[1:], id=row[0]) for row in table]


def untouched(file: Path, data: bytes, before: os.stat_result) -> bool:
    """Whether a file is the same one with the same bytes, not written to at all, and alone."""
    now = file.stat()
    same = (now.st_ino, now.st_mtime_ns, now.st_mode) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_mode,
    )
    alone = [each.name for each in file.parent.iterdir()] == [file.name]
    return same and alone and file.read_bytes() == data


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("data", "seen"), named(DAMAGED))
def test_readers_show_what_is_sealed(
    pollctl: Pollctl, file: Path, data: bytes, seen: tuple[str, int]
) -> None:
    """A reader of a damaged file exits 0, warns, and answers as for the undamaged beginning."""
    file.write_bytes(data)
    chain, shown = seen
    before, beginning = file.stat(), file.parent.with_name("beginning")
    blocks = cut(data)[:shown]
    beginning.write_bytes(b"".join([*blocks[:-1], _up_to_trailer(blocks[-1])]))
    for command in READERS if shown > 1 else READERS[:-1]:
        answer, clean = (pollctl(*command, "-s", str(f), "--json") for f in (file, beginning))
        assert (answer.status, clean.status, clean.err) == (0, 0, "")
        assert all(part in answer.err for part in (str(file), chain))
        told, expected = answer.json, clean.json
        if command == ("standings",):
            assert (told.pop("chain"), expected.pop("chain")) == (chain, "intact")
            del told["session"]["file"], expected["session"]["file"]
        assert told == expected
    assert untouched(file, data, before)


def _up_to_trailer(block: bytes) -> bytes:
    place = block.index(b"[event.seal]\n")
    return block[: block.index(b'"\n', place + 24) + 2]


@pytest.mark.parametrize("data", named([row[:2] for row in DAMAGED] + UNREADABLE + NEWER))
def test_writers_write_nothing(pollctl: Pollctl, file: Path, data: bytes) -> None:
    """Every writing command on a damaged or newer file exits 3 and leaves it untouched."""
    file.write_bytes(data)
    before = file.stat()
    for command in WRITERS:
        answer = pollctl(*command, "-s", str(file))
        assert untouched(file, data, before)
        assert (answer.status, answer.out) == (3, ""), command
        assert str(file) in answer.err


@pytest.mark.parametrize(
    ("data", "way_on"),
    [
        pytest.param(DATA[:-40], "pollctl audit", id="torn"),
        pytest.param(DATA.replace(b"\n", b"\r\n"), "line endings", id="CRLF"),
        pytest.param(DATA.decode().encode("utf-16"), "pollctl repair", id="UTF-16"),
    ],
)
def test_damage_names_the_way_on(pollctl: Pollctl, file: Path, data: bytes, way_on: str) -> None:
    """Who can't record because of damage is told what it is, or which command says it."""
    file.write_bytes(data)
    assert way_on in pollctl("round", "add", "1y1n1n", "-s", str(file)).err


@pytest.mark.parametrize("data", named([*UNREADABLE, *NO_SESSION]))
def test_readers_of_nothing(pollctl: Pollctl, file: Path, data: bytes) -> None:
    """Where not even the opening is sealed a reading command shows nothing, and says so."""
    file.write_bytes(data)
    for command in READERS:
        answer = pollctl(*command, "-s", str(file))
        assert (answer.status, answer.out) == (2, ""), command
        assert str(file) in answer.err


@pytest.mark.parametrize("data", named(NEWER))
def test_newer_is_not_scored(pollctl: Pollctl, file: Path, data: bytes) -> None:
    """A file from a newer pollctl is not scored, and what is newer about it is named."""
    file.write_bytes(data)
    answer = pollctl("standings", "-s", str(file))
    assert (answer.out, "newer" in answer.err) == ("", True)


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param(entries, id=name)
        for name, entries in [
            ("session", [OPEN_TEXT.replace('session = "7f0c', 'session = "!!é!'), ROUND_TEXT]),
            (
                "first",
                [
                    OPEN_TEXT.replace('first = "Ben"', 'first = "Zoe"'),
                    ROUND_TEXT.replace('pollster = "Ben"\n', ""),
                ],
            ),
            ("chip missing", [OPEN_TEXT, ROUND_TEXT.replace(', chip = "yes"', "")]),
            ("pollster", [OPEN_TEXT, ROUND_TEXT.replace('pollster = "Ben"', "pollster = 3")]),
            ("a day", [OPEN_TEXT, ROUND_TEXT + "weather = 2026-11-30\n"]),
            *(
                (
                    f"decided {seq}",
                    [
                        OPEN_TEXT,
                        ROUND_TEXT,
                        entry_text(3, "resolve", f'target = {seq}\noutcome = "upheld"'),
                    ],
                )
                for seq in (2, 9)
            ),
            ("no opening", [ROUND_TEXT.replace("seq = 2", "seq = 1")]),
            ("two openings", [OPEN_TEXT, OPEN_TEXT.replace("seq = 1", "seq = 2")]),
            (
                "ballots cleared",
                [
                    OPEN_TEXT,
                    ROUND_TEXT,
                    entry_text(3, "amend", 'round = 1\nclear = ["ballots"]'),
                    entry_text(4, "amend", 'round = 1\nset = { ballots = [{ player = "Ann" }] }'),
                ],
            ),
            *(
                (f"set {text}", [OPEN_TEXT, ROUND_TEXT, entry_text(3, "amend", f"round=1\n{text}")])
                for text in [
                    'set = { at = "late" }',
                    "set = { at = 2026-11-30 }",
                    "set = { ballots = [{ player = [] }] }",
                    "set = { pollster = {} }",
                    'set = { number = "x" }',
                    'set = { penalties = [{ player = "Ann" }] }',
                    'set = { rulings = [{ player = "Ann", change = "x" }] }',
                    "clear = [{ x = 1 }]",
                ]
            ),
        ]
    ],
)
def test_sealed_nonsense_is_an_answer(pollctl: Pollctl, file: Path, entries: list[str]) -> None:
    """Properly sealed nonsense is shown or refused in words, and never ends in a traceback."""
    data = hand_sealed(*entries)
    file.write_bytes(data)
    before = file.stat()
    for command in READERS:
        for style in ((), ("--json",)):
            answer = pollctl(*command, "-s", str(file), *style)
            assert answer.status in (0, 1, 2, 3), command
            assert answer.out or answer.err
    for command in WRITERS:
        assert pollctl(*command, "-s", str(file), "--dry-run").status in (0, 1, 2, 3), command
    assert untouched(file, data, before)


def test_large_files_are_refused_at_once(pollctl: Pollctl, file: Path) -> None:
    """A file over 64 MiB is refused in under half a second, whatever is in it."""
    file.write_bytes(DATA)
    os.truncate(file, (64 << 20) + 1)
    begin = monotonic()
    answer = pollctl("standings", "-s", str(file))
    assert monotonic() - begin < 0.5
    assert (answer.status, answer.out) == (2, "")


def test_intact_files_need_no_warning(pollctl: Pollctl, file: Path) -> None:
    """On an intact file every reading command exits 0 without a word on standard error."""
    file.write_bytes(DATA)
    for command in READERS:
        answer = pollctl(*command, "-s", str(file))
        assert (answer.status, answer.err) == (0, "")
        assert answer.out


def test_a_half_written_block_is_waited_for(pollctl: Pollctl, file: Path) -> None:
    """A torn file is looked at for a quarter of a second before it is called so, and no longer."""
    file.write_bytes(DATA + b"\n[[event]]\n")
    begin = monotonic()
    assert pollctl("standings", "-s", str(file)).status == 0
    assert 0.2 < monotonic() - begin < 1.5


def test_what_is_intact_is_appended_to(pollctl: Pollctl, file: Path) -> None:
    """On an intact file a writing command continues the chain, and its receipt is the new one."""
    file.write_bytes(DATA)
    answer = pollctl("round", "add", "1y1n1n", "-s", str(file), "--json").json
    log = read(file.read_bytes())
    assert (log.chain, log.events[-1].seq) == ("intact", len(EVENING) + 1)
    assert (answer["event"], answer["receipt"]) == (log.events[-1].seq, log.receipt)


def test_what_is_accepted_is_appended_to(pollctl: Pollctl, file: Path) -> None:
    """A file whose altered bytes were vouched for is recorded in again, and stays accepted."""
    file.write_bytes(DATA.replace(b"number = 2", b"number = 3"))
    assert pollctl("accept", "-s", str(file), "--reason", "all agree", "--yes").status == 0
    before = file.read_bytes()
    answer = pollctl("round", "add", "1y1n1n", "-s", str(file))
    assert (answer.status, answer.err) == (0, "")
    log = read(file.read_bytes())
    assert (log.chain, len(log.events)) == ("accepted", len(EVENING) + 2)
    assert file.read_bytes().startswith(before)
