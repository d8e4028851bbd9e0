"""The exit statuses, each with what it promises about the file and about what was printed."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pollctl.log import read
from tests.log import (
    DATA,
    EVENING,
    OPEN_TEXT,
    ROUND_TEXT,
    entry_text,
    event,
    hand_sealed,
    sealed,
)
from tests.log.processes import LINUX, finish, forked, has_open, start, through_shell, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import Pollctl

FILES = {
    "intact": DATA,
    "torn": DATA + b"\n[[event]]\n",
    "broken": DATA.replace(b"number = 2", b"number = 3"),
    "newer": hand_sealed(OPEN_TEXT, ROUND_TEXT, entry_text(3, "poem", "")),
    "ended": sealed([*EVENING, event(7, "end")]),
    "other": b"title = 'Friday'\n",
}

TABLE = [
    (0, "intact", "standings"),
    (0, "intact", "log"),
    (0, "intact", "explain --json"),
    (0, "intact", "next"),
    (0, "torn", "standings"),
    (0, "broken", "log"),
    (0, "ended", "standings"),
    (0, "intact", "round add 3n3n3n"),
    (0, "intact", "round add 3n3n3n --dry-run"),
    (0, "intact", "undo"),
    (0, "intact", "use FILE"),
    (0, "nothing", "new poll Ann Ben -o FILE"),
    (0, "nothing", "--help"),
    (0, "nothing", "--version"),
    (0, "nothing", "round add --help"),
    (1, "intact", "round add 9y3n3n"),
    (1, "intact", "round add 3n"),
    (1, "intact", "round add 3n3n3n --expect-round 9"),
    (1, "intact", "round show 9"),
    (1, "intact", "standings --round 9"),
    (1, "intact", "penalty zoe=chip"),
    (1, "intact", "void 99"),
    (1, "intact", "redo"),
    (1, "intact", "new poll Ann Ben -o FILE"),
    (1, "ended", "round add 3n3n3n"),
    (1, "nothing", "new poll Ann -o FILE"),
    (1, "nothing", "new chess Ann Ben -o FILE"),
    (2, "nothing", "standings"),
    (2, "nothing", "undo"),
    (2, "nothing", "use FILE"),
    (2, "nothing", ""),
    (2, "nothing", "new -o FILE"),
    (2, "other", "standings"),
    (2, "other", "undo"),
    (2, "intact", "nonsense"),
    (2, "intact", "round add"),
    (2, "intact", "round add 3n3n3n --nonsense"),
    (2, "intact", "round show first"),
    (2, "intact", "standings --round -1"),
    (2, "intact", "undo 3"),
    (2, "intact", "void"),
    (3, "torn", "undo"),
    (3, "torn", "round add 3n3n3n"),
    (3, "broken", "round add 3n3n3n"),
    (3, "broken", "penalty ann=chip"),
    (3, "newer", "undo"),
    (3, "newer", "void 2"),
]

ADD = ("round", "add", "3n3n3n")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("status", "kind", "line"), TABLE)
def test_statuses(pollctl: Pollctl, room: Path, status: int, kind: str, line: str) -> None:
    """Every status comes where it is promised; from 1 on nothing is written, and it is said why."""
    path, before = room / "evening.toml", FILES.get(kind, b"")
    if kind in FILES:
        path.write_bytes(before)
    words = line.replace("FILE", str(path)).split()
    if kind != "nothing" and words[0] not in ("new", "use"):
        words += ["-s", str(path)]
    answer = pollctl(*words)
    assert answer.status == status, answer.err
    assert bool(answer.err) == (status != 0 or kind in ("torn", "broken"))
    assert bool(answer.out) == (status == 0)
    after = path.read_bytes() if path.exists() else b""
    assert after.startswith(before)
    assert status == 0 or after == before


def outputs(stack: ExitStack, how: str) -> Callable[..., subprocess.Popen[bytes]]:
    """How to start the whole program with a standard output that can't take its answer."""
    if how == "closed":
        return lambda *arguments: through_shell('exec "$@" >&-', *arguments)
    if how == "full":
        into = os.open("/dev/full", os.O_WRONLY)
    else:
        out, into = os.pipe()
        os.close(out)
    stack.callback(os.close, into)
    return lambda *arguments: start(*arguments, stdout=into)


@LINUX
@pytest.mark.parametrize(
    ("how", "reader"), [("closed", {0, 6}), ("full", {6}), ("pipe nobody reads", {0})]
)
def test_an_answer_that_cannot_be_printed(file: Path, how: str, reader: set[int]) -> None:
    """Where an answer can't be printed a writer exits 5 and has recorded; a reader exits 0 or 6."""
    with ExitStack() as stack:
        begin = outputs(stack, how)
        running = [begin(*ADD, "-s", str(file)), begin("standings", "-s", str(file))]
        add, standings = (finish(process) for process in running)
    assert (add.status, standings.status in reader) == (5, True)
    assert "recorded" in add.err
    assert "Traceback" not in add.err + standings.err
    log = read(file.read_bytes())
    assert (log.chain, len(log.events)) == ("intact", len(EVENING) + 1)


@LINUX
def test_a_new_session_is_the_current_one(room: Path) -> None:
    """A session that was opened is the current one, also where that could not be printed."""
    assert (
        forked("new", "poll", "Ann", "Ben", "-o", "new.toml", before=partial(_full, 1)).status == 5
    )
    answer = forked("standings", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert (room / answer.json["session"]["file"]).samefile(room / "new.toml")


@LINUX
@pytest.mark.parametrize("line", ["--help", "--version", "round add --help"])
def test_help_that_cannot_be_printed(line: str) -> None:
    """Help that can't be printed is an answer of the operating system, and no traceback."""
    answer = forked(*line.split(), before=partial(_full, 1))
    assert (answer.status, "Traceback" in answer.err) == (6, False)


def _full(fd: int) -> None:
    """Lead a descriptor to a disk that is full."""
    os.dup2(os.open("/dev/full", os.O_WRONLY), fd)


def _unread(fd: int) -> None:
    """Lead a descriptor into a pipe that nobody reads."""
    out, into = os.pipe()
    os.close(out)
    os.dup2(into, fd)


@LINUX
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("status", "kind", "line"),
    [
        (0, "intact", "standings"),
        (0, "torn", "standings"),
        (0, "broken", "log"),
        (0, "intact", "round add 3n3n3n"),
        (1, "intact", "redo"),
        (2, "intact", "round show first"),
        (3, "torn", "undo"),
    ],
)
def test_an_error_that_cannot_be_printed(file: Path, status: int, kind: str, line: str) -> None:
    """Where standard error can't be written to, the status and the answer are still the same."""
    for lead in (_full, _unread):
        file.write_bytes(FILES[kind])
        answer = forked(*line.split(), "-s", str(file), before=partial(lead, 2))
        assert (answer.status, bool(answer.out)) == (status, status == 0), lead


def test_an_answer_that_cannot_be_encoded(file: Path) -> None:
    """On a terminal that lacks a character a round is recorded, and told or exits 5."""
    add = ("round", "add", "3y1n1n", "-q", "Is \u30dd a letter \u2192 or not?")
    process = start(*add, "-s", str(file), env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    _, err = process.communicate()
    assert b"Traceback" not in err
    assert process.returncode in (0, 5)
    assert len(read(file.read_bytes()).events) == len(EVENING) + 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_json_in_every_encoding(file: Path, encoding: str) -> None:
    """An answer as JSON is one document in UTF-8, whatever the terminal is set to."""
    assert (
        forked("round", "add", "3n3n3n", "-q", "\U0001f3b2 or \xe9?", "-s", str(file)).status == 0
    )
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    out, _ = start("log", "--json", "-s", str(file), env=env).communicate()
    assert "\U0001f3b2 or \xe9?" in json.loads(out.decode("utf-8"))["events"][-1]["text"]


def test_a_name_that_cannot_be_encoded(room: Path) -> None:
    """A session can have a name that is no text: it is opened, and told or exits 5."""
    name = b"\xff.toml"
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    process = start("new", "poll", "Ann", "Ben", "--json", "-o", name, env=env)
    _, err = process.communicate()
    assert b"Traceback" not in err
    assert process.returncode in (0, 5)
    assert (room / os.fsdecode(name)).exists()


@pytest.fixture
def waiting(file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A writer that waits for a session which this process holds."""
    with file.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        process = start(*ADD, "-s", str(file))
        inode = file.stat().st_ino
        wait_until(lambda: has_open(process.pid, inode), "opened")
        yield process


@LINUX
def test_interrupted(file: Path, waiting: subprocess.Popen[bytes]) -> None:
    """Ctrl-C before anything was written exits 130 and says that nothing was recorded."""
    waiting.send_signal(signal.SIGINT)
    answer = finish(waiting)
    assert (answer.status, answer.out) == (130, "")
    assert "nothing recorded" in answer.err
    assert "Traceback" not in answer.err
    assert file.read_bytes() == DATA
