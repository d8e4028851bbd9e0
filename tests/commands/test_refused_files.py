"""What is refused because of what it is: files that are no sessions, names and texts."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.commands import POLL, done, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Pollctl

OPENING = """\
[[event]]
seq = 1
at = 2026-11-30 20:01:07+01:00
kind = "open"
format = 1
session = "7f0c3c1e9a8d4b6f8e21c0d9a4b7e613"
game = "poll-game"
players = ["Ann", "Ben", "Cai"]

"""
TOAST = """
[[event]]
seq = 2
at = 2026-11-30 20:04:11+01:00
kind = "toast"
player = "Ann"

"""


def sealed(*blocks: str) -> bytes:
    """A session of these blocks, each with the seal it has to have."""
    text = b""
    for block in blocks:
        text += block.encode()
        text += b'[event.seal]\nsha256 = "%s"\n' % sha256(text).hexdigest().encode()
    return text


def link(path: Path) -> None:
    """Make a symbolic link to a session."""
    path.with_name("other.toml").write_bytes(SESSION)
    path.symlink_to("other.toml")


SESSION = sealed(OPENING)
FILES: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a link": link,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "UTF-16": lambda path: path.write_bytes(SESSION.decode().encode("utf-16")),
    "UTF-16 without a mark": lambda path: path.write_bytes(SESSION.decode().encode("utf-16-le")),
    "no TOML": lambda path: path.write_text("three yes, four no ["),
    "other TOML": lambda path: path.write_text("[project]\nname = 'pollctl'\n"),
    "no seal": lambda path: path.write_text(OPENING),
    "empty": lambda path: path.touch(),
    "bytes": lambda path: path.write_bytes(bytes(range(256))),
    "not there": lambda _path: None,
}
WORDS = {
    "a folder": "folder",
    "a pipe": "pipe",
    "a link": "link",
    "a link to nothing": "link",
    "UTF-16": "UTF-16",
    "UTF-16 without a mark": "UTF-16",
    "not there": "no file",
}
READ = ("standings", "board", "log", "next", "explain", "round list", "round show 1")
WRITE = ("round add 3y3y3y", "undo", "redo", "void 2", "penalty ann=chip", "ruling ann=+1:x")


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_session(pollctl: Pollctl, room: Path, kind: str) -> None:
    """What is no session is refused by every command, told what it is, and left.

    The status is 2; 3 for a command that would write to what is a session in UTF-16.
    """
    path = room / "it.toml"
    FILES[kind](path)
    before = snapshot(room)
    for line in (*READ, *WRITE, "round add 3y3y3y -n"):
        answer = pollctl(*line.split(), "-s", "it.toml")
        damaged = kind.startswith("UTF-16") and line not in READ
        assert (answer.status, answer.out) == (3 if damaged else 2, ""), answer.err
        assert len(answer.err.splitlines()) <= 2
        assert "it.toml" in answer.err
        assert WORDS.get(kind, "") in answer.err
    assert pollctl("use", "it.toml").status == 2
    assert pollctl("new", "--like", "it.toml").status == 2
    assert snapshot(room) == before


@pytest.mark.parametrize("line", ["standings", "undo"])
def test_a_device_is_not_read(process: Pollctl, line: str) -> None:
    """A device that never ends is refused at once with status 2, to read and to write."""
    answer = process(line, "-s", "/dev/zero", timeout=10)
    assert (answer.status, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert "device" in answer.err


def test_no_writer_is_waited_for(process: Pollctl, room: Path) -> None:
    """A pipe that nobody writes to is refused at once."""
    os.mkfifo(room / "pipe")
    assert process("undo", "-s", "pipe", timeout=10).status == 2


@pytest.mark.parametrize(
    "text",
    [sealed(OPENING.replace("format = 1", "format = 2")), sealed(OPENING, TOAST)],
    ids=["format", "kind"],
)
def test_a_newer_session(pollctl: Pollctl, room: Path, text: bytes) -> None:
    """A session of a newer pollctl is neither scored nor appended to, and named for it."""
    (room / "it.toml").write_bytes(text)
    before = snapshot(room)
    for line in WRITE:
        answer = pollctl(*line.split(), "-s", "it.toml")
        assert (answer.status, answer.out) == (3, ""), answer.err
        assert "newer" in answer.err
        assert "Nothing was written." in answer.err
    for line in ("standings", "explain", "round list", "next"):
        answer = pollctl(*line.split(), "-s", "it.toml")
        assert (answer.status != 0, answer.out, "newer" in answer.err) == (True, "", True)
    assert snapshot(room) == before


def test_a_session_by_another_hand(pollctl: Pollctl, room: Path) -> None:
    """The same session of the format that is known is read and appended to."""
    (room / "it.toml").write_bytes(SESSION)
    told = done(pollctl, "round add 2y2y3n -s it.toml", "standings -s it.toml --json").json
    assert (told["played"], told["standings"][0]["player"]) == (1, "Ann")


def test_no_current_session(pollctl: Pollctl, room: Path) -> None:
    """Without a session every command is a usage error that names three ways out."""
    done(pollctl, POLL)
    (room / "state" / "pollctl" / "current").unlink()
    for line in (*READ, *WRITE):
        answer = pollctl(*line.split())
        assert (answer.status, answer.out) == (2, "")
        assert all(way in answer.err for way in ("pollctl new", "pollctl use", "-s FILE"))


def test_a_current_session_that_is_gone(pollctl: Pollctl, room: Path) -> None:
    """A current session whose file was removed is named, and no other is taken instead."""
    done(pollctl, POLL.replace("game.toml", "other.toml"), POLL)
    (room / "game.toml").unlink()
    answer = pollctl("standings")
    assert answer.status == 2
    assert "game.toml" in answer.err


TAKEN: dict[str, Callable[[Path], object]] = {
    "a session": lambda path: path.write_bytes(SESSION),
    "an empty file": lambda path: path.touch(),
    "a folder": lambda path: path.mkdir(),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("kind", TAKEN)
def test_nothing_is_overwritten(pollctl: Pollctl, room: Path, kind: str) -> None:
    """A new session never takes the name of something that is there, even of a dangling link."""
    TAKEN[kind](room / "it.toml")
    before = snapshot(room)
    answer = pollctl("new", "poll", "Ann", "Ben", "-o", "it.toml")
    assert (answer.status, answer.out) == (1, "")
    assert "it.toml" in answer.err
    assert snapshot(room) == before
    assert not (room / "nowhere").exists()


def test_a_folder_that_is_not_there(pollctl: Pollctl, room: Path) -> None:
    """A new session in a folder that is not there is refused, and the folder is named."""
    before = snapshot(room)
    answer = pollctl("new", "poll", "Ann", "Ben", "-o", "nowhere/it.toml")
    assert answer.status in (2, 6)
    assert "folder" in answer.err
    assert snapshot(room) == before


NO_NAMES = [
    *("", " ", "\u3000", "a:b", "a=b", "a;b", "a\tb", "a\nb", "a\rb", "\x1b[31ma", "a\x7f"),
    *("a\x9bb", "a\u202eb", "a\u2067b", "a\u200eb", "a\u200bb", "a\u200db", "\ufeffa", "a\u00adb"),
    *("a\u2028b", "a\u2029b", "a\udcffb", "a" * 65, "李" * 33, "a" + "\u0301" * 130, "\u0301"),
]
NAMES = ["a" * 64, "李" * 32, "a|b", "0", "nan", "x,y", "<b>", "$(id)", "%s", "a/b", "'", '"', "~"]


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: ascii(name)[:20])
def test_a_name_that_can_not_be(pollctl: Pollctl, room: Path, name: str) -> None:
    """A name that is blank, too long, or would steer a terminal is refused."""
    answer = pollctl("new", "poll", "Ann", name, "Cai", "-o", "it.toml", "--json")
    assert answer.status == 1
    assert answer.err.replace("\n", "").isprintable()
    assert len(answer.err) < 200
    assert answer.json["rule"] in (None, "P1")
    assert snapshot(room) == {}


def test_a_name_is_refused_by_the_game_that_is_played(pollctl: Pollctl) -> None:
    """No name is refused for a game under a clause of the other one."""
    answers = [pollctl("new", "dice", "Ann", name, "Cai", "--json") for name in NO_NAMES]
    assert {answer.json["rule"] for answer in answers} <= {None, "D1"}


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_can_be(pollctl: Pollctl, name: str) -> None:
    """A name at the limits, or that looks like something else, plays like any other."""
    assert pollctl("new", "poll", name, "Zz", "-o", "it.toml").status == 0
    assert pollctl("round", "add", f"{name}:1y", "zz:0n").status == 0
    rows = done(pollctl, "standings --json").json["standings"]
    assert (rows[0]["player"], rows[0]["score"]) == (name, 2)


@pytest.mark.parametrize(
    ("name", "word"), [("a" + "\u0301" * 130, "256 bytes"), ("\u0301", "column")]
)
def test_a_refused_name_is_told_why(pollctl: Pollctl, name: str, word: str) -> None:
    """A name of one column and many bytes is told its bytes, one of none that it has none."""
    answer = pollctl("new", "poll", "Ann", name)
    assert word in answer.err
    assert "longer than 64 columns" not in answer.err


TEXTS = [
    "new poll Ann Ben -o x.toml --title {}",
    "round add 2y2y3n -q {}",
    "round add 2y2y3n --note {}",
    "round add 2y2y3n --ruling ann=+1:{}",
    "ruling ann=+1:{}",
    "ruling ann=+1 --reason {}",
    "round void 1 --reason {}",
    "void 2 --reason {}",
    "round amend 1 -q {}",
]
NO_TEXTS = ["", " ", "a" * 1001, "a\nb", "a\x1b[2Jb", "a\u200bb", "a\u2028b", "a\x00b", "a\udcff"]


@pytest.mark.parametrize("line", TEXTS)
def test_a_text_that_can_not_be(pollctl: Pollctl, room: Path, line: str) -> None:
    """A text that is empty, too long, or would steer a terminal is refused wherever it is typed."""
    done(pollctl, POLL, "round add 2y2y3n")
    before = snapshot(room)
    for text in NO_TEXTS:
        answer = pollctl(*(word.format(text) for word in line.split()))
        assert (answer.status, answer.out) == (1, ""), ascii(text)
        assert answer.err.replace("\n", "").isprintable(), ascii(text)
        assert max(map(len, answer.err.splitlines())) < 200
    assert snapshot(room) == before


LETTERS = ["a" * 1000, "a = 'b'; \"c\" \\", "\u05d0\u200fb", "--note", "李"]


@pytest.mark.parametrize("line", TEXTS)
def test_a_text_that_can_be(pollctl: Pollctl, room: Path, line: str) -> None:
    """A text at the limit, with quotes, or of two directions is kept letter by letter."""
    for text in LETTERS:
        done(pollctl, POLL, "round add 2y2y3n")
        assert pollctl(*(word.format(text) for word in line.split())).status == 0
        newest = (room / ("x.toml" if line.startswith("new") else "game.toml")).read_text()
        assert text in newest or text.replace("\\", "\\\\").replace('"', '\\"') in newest
        for path in room.glob("*.toml"):
            path.unlink()
