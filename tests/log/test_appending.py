"""How entries come into a session file: one write, synced, then told; the file only grows."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from pollctl.log import read
from tests.log import DATA
from tests.log.processes import (
    LINUX,
    Child,
    as_nobody,
    branch,
    finish,
    fork,
    forked,
    full_at,
    has_open,
    start,
    traced,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Answer, Pollctl

ADD = ("round", "add", "3n3n3n")
"""A round in which nobody moves, so that the game goes on for ever."""

CALLS = "openat,write,pwrite64,?writev,fsync,fdatasync,?truncate,ftruncate"

WRITERS = [
    ADD,
    ("round", "amend", "2", "ann:2y"),
    ("penalty", "ann=answer"),
    ("ruling", "ann=+1:why"),
    ("round", "void", "2"),
    ("void", "9"),
    ("undo",),
    ("redo",),
    ("undo",),
    ("undo",),
]


@pytest.fixture(scope="module", autouse=True)
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Child, float]]:
    """A session that this process holds locked, and a pollctl that begins to wait for it now.

    It waits while the other tests of this file run.
    """
    path = tmp_path_factory.mktemp("held") / "held.toml"
    path.write_bytes(DATA)
    with path.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield path, fork(*ADD, "-s", str(path)), monotonic()


def steps(lines: list[str], path: Path) -> list[str]:
    """What was done to a file, and the writes to standard output, in order."""
    ours = [line for line in lines if f"<{path}>" in line or line.startswith("write(1")]
    return [line.split("<")[0] for line in ours if '""' not in line and "openat(" not in line]


def test_one_write_then_sync(file: Path, room: Path) -> None:
    """An entry is one write, followed by a sync of the file, and only then is it told."""
    answer, lines = traced(room / "trace", *ADD, "-s", str(file), calls=CALLS)
    assert answer.status == 0
    assert steps(lines, file) == ["write(3", "fsync(3", "write(1"]
    (opened,) = [line for line in lines if f'"{file}"' in line]
    assert all(f"O_{flag}" in opened for flag in ("APPEND", "NOFOLLOW", "CLOEXEC"))
    assert "O_CREAT" not in opened
    assert "O_TRUNC" not in opened


def test_no_standard_descriptor_is_the_session(file: Path, room: Path) -> None:
    """Where standard output is closed, the session does not get its number, to be printed into."""
    _, lines = traced(room / "trace", *ADD, "-s", str(file), calls=CALLS, closed=">&-")
    opened = [line for line in lines if f'"{file}"' in line]
    assert opened
    assert not [line for line in opened if re.search(r"= [012](<|$)", line)]


def test_a_failed_sync_is_not_certain(file: Path, room: Path) -> None:
    """Where the disk fails to sync, the answer is that nobody knows: status 4, and no receipt."""
    answer, _ = traced(
        room / "trace", *ADD, "-s", str(file), calls="fsync", inject="fsync:error=EIO"
    )
    assert (answer.status, answer.out) == (4, "")
    assert "audit" in answer.err
    assert read(file.read_bytes()).chain == "intact"


def test_a_file_replaced_meanwhile(file: Path, room: Path) -> None:
    """Where another file takes the name while an entry is written: status 4, and no receipt."""
    pid = branch()
    if not pid:
        wait_until(lambda: file.stat().st_size > len(DATA), "grown")
        other = file.with_name("other.toml")
        other.write_bytes(DATA)
        other.replace(file)
        os._exit(0)
    inject = "fsync:delay_enter=200000"
    answer, _ = traced(room / "trace", *ADD, "-s", str(file), calls="fsync", inject=inject)
    assert os.waitpid(pid, 0)[1] == 0
    assert (answer.status, answer.out) == (4, "")
    assert file.read_bytes() == DATA


def test_the_file_only_grows(pollctl: Pollctl, file: Path) -> None:
    """Every command that records something adds to the same file and changes no byte before."""
    data, inode = file.read_bytes(), file.stat().st_ino
    for command in WRITERS:
        answer = pollctl(*command, "-s", str(file), "--json")
        assert answer.status == 0, (command, answer.err)
        before, data = data, file.read_bytes()
        assert data.startswith(before)
        log = read(data)
        assert (log.chain, log.receipt) == ("intact", answer.json["receipt"])
        assert (file.stat().st_ino, os.listdir(file.parent)) == (inode, [file.name])  # noqa: PTH208


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("round", "add", "3n"), 1),
        (("round", "add", "3n3n3n", "--expect-round", "9"), 1),
        (("round", "add"), 2),
        (("round", "add", "3n3n3n", "--dry-run"), 0),
        (("round", "add", "3n3n3n", "-n", "-v"), 0),
        (("redo",), 1),
        (("undo", "-n"), 0),
        (("void", "99"), 1),
        (("penalty", "zoe=chip"), 1),
        (("ruling", "ann=+1"), 1),
        (("round", "amend", "1"), 1),
        (("standings",), 0),
        (("log",), 0),
        (("explain",), 0),
    ],
)
def test_nothing_else_writes(
    pollctl: Pollctl, file: Path, command: tuple[str, ...], status: int
) -> None:
    """Refusals, dry runs and reading commands leave every byte and the time of the last change."""
    before = file.stat().st_mtime_ns
    assert pollctl(*command, "-s", str(file)).status == status
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (DATA, before)


@pytest.mark.parametrize(
    ("command", "step"),
    [(("undo",), 1), (ADD, 9), (("round", "import", "rounds.csv"), 23)],
    ids=["undo", "add", "import"],
)
def test_a_full_disk(pollctl: Pollctl, file: Path, command: tuple[str, ...], step: int) -> None:
    """Wherever the disk is full within an entry: status 6, and every byte as before."""
    Path("rounds.csv").write_text("Ann,Ben,Cai\n" + "3n,3n,3n\n" * 3, "utf-8")
    assert pollctl(*command, "-s", str(file)).status == 0
    whole = file.stat().st_size
    for limit in range(len(DATA), whole, step):
        file.write_bytes(DATA)
        with full_at(limit):
            answer = pollctl(*command, "-s", str(file))
        assert (answer.status, answer.out, file.read_bytes()) == (6, "", DATA), limit
        assert "nothing was written" in answer.err
    with full_at(whole):
        assert pollctl(*command, "-s", str(file)).status == 0
    assert file.stat().st_size == whole


@pytest.mark.parametrize(
    ("mode", "add", "log"), [(0o444, 6, 0), (0o000, 6, 6), (0o222, 6, 6), (0o666, 0, 0)]
)
def test_permissions(public: Path, mode: int, add: int, log: int) -> None:
    """A file that can't be written is left alone with status 6, and can still be read."""
    path = public / "evening.toml"
    path.write_bytes(DATA)
    path.chmod(mode)
    assert forked(*ADD, "-s", str(path), before=as_nobody).status == add
    assert forked("log", "-s", str(path), before=as_nobody).status == log
    path.chmod(0o644)
    assert path.read_bytes().startswith(DATA)
    assert (path.stat().st_size == len(DATA)) == (add == 6)


def test_a_folder_that_is_read_only(public: Path) -> None:
    """A session in a folder that can't be written to can be read, and recorded in."""
    path = public / "evening.toml"
    path.write_bytes(DATA)
    path.chmod(0o666)
    public.chmod(0o555)
    assert forked("log", "-s", str(path), before=as_nobody).status == 0
    assert forked(*ADD, "-s", str(path), before=as_nobody).status == 0
    public.chmod(0o755)
    assert read(path.read_bytes()).chain == "intact"


@pytest.mark.parametrize("command", [ADD, ("undo",), ("log",), ("standings",)], ids=" ".join)
@pytest.mark.parametrize("what", ["pipe", "folder", "link", "dangling", "device", "nothing"])
def test_not_a_regular_file(room: Path, what: str, command: tuple[str, ...]) -> None:
    """Pipes, folders, links and devices are refused at once with status 2, and not touched."""
    path, target = room / "evening.toml", room / "target.toml"
    target.write_bytes(DATA)
    make: dict[str, Callable[[], object]] = {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "link": lambda: path.symlink_to(target),
        "dangling": lambda: path.symlink_to(room / "nowhere"),
        "device": lambda: None,
        "nothing": lambda: None,
    }
    make[what]()
    begin = monotonic()
    name = "/dev/null" if what == "device" else str(path)
    answer = forked(*command, "-s", name)
    assert monotonic() - begin < 2
    assert (answer.status, answer.out) == (2, "")
    assert name in answer.err
    assert target.read_bytes() == DATA


@LINUX
def test_the_file_that_has_the_name_now(file: Path) -> None:
    """A writer that waited for a file which was replaced meanwhile writes to the new one."""
    old = file.with_name("old.toml")
    os.link(file, old)
    with file.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        process = start(*ADD, "-s", str(file))
        inode = file.stat().st_ino
        wait_until(lambda: has_open(process.pid, inode), "opened")
        new = file.with_name("new.toml")
        new.write_bytes(DATA)
        new.replace(file)
    assert finish(process).status == 0
    assert old.read_bytes() == DATA
    assert len(read(file.read_bytes()).events) == len(read(DATA).events) + 1


@LINUX
def test_nothing_stays_open(pollctl: Pollctl, file: Path) -> None:
    """No command leaves a descriptor open or a signal held, however it ended."""
    other = file.with_name("other.toml")
    lines = [
        *(f"{' '.join(command)} -s {file}" for command in WRITERS),
        *(f"{name} -s {file}" for name in ("standings", "log", "redo", "void 99")),
        *(f"{name} -s {file.parent}" for name in ("standings", "undo")),
        *(f"{name} -s {other}" for name in ("standings", "undo")),
        *[f"new poll Ann Ben -o {other}"] * 2,
        f"round export -s {file} -o {file.with_suffix('.csv')}",
        f"use {file}",
    ]
    before = _held()
    for line in lines:
        pollctl(*line.split())
        assert _held() == before, line


def _held() -> tuple[int, set[int]]:
    """How many descriptors this process has open, and which signals it holds back."""
    return len(os.listdir("/proc/self/fd")), signal.pthread_sigmask(signal.SIG_BLOCK, ())  # noqa: PTH208


def _record(file: Path, writer: int) -> Iterator[Answer]:
    """Five rounds of one writer, each by a process of its own."""
    for place in range(5):
        note = f"{writer}.{place}"
        yield forked(*ADD, "--note", note, "-s", str(file), "--json")


def _write_five(file: Path, writer: int) -> int:
    """Start a process that records five rounds and keeps what it was answered."""
    pid = branch()
    if not pid:
        try:
            told = [answer.json for answer in _record(file, writer) if answer.status == 0]
            file.with_name(f"{writer}.json").write_text(json.dumps(told), "utf-8")
        finally:
            os._exit(0)
    return pid


def test_several_writers_at_once(file: Path) -> None:
    """Of four writers at once every entry is there once and in order, and no reader sees damage."""
    writers = [_write_five(file, writer) for writer in range(4)]
    running = set(writers)
    readings = 0
    while running:
        answer = forked("log", "-s", str(file), "--json")
        assert (answer.status, answer.err) == (0, "")
        assert len(answer.json["events"]) >= len(read(DATA).events)
        readings += 1
        running -= {pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]}
    log = read(file.read_bytes())
    assert log.chain == "intact"
    told: list[list[dict[str, Any]]] = [
        json.loads(file.with_name(f"{writer}.json").read_text("utf-8")) for writer in range(4)
    ]
    assert [len(each) for each in told] == [5] * 4
    notes = {each.seq: each.fields.get("note") for each in log.events}
    assert len(notes) == len(read(DATA).events) + 20
    for writer, answers in enumerate(told):
        seqs = [answer["event"] for answer in answers]
        assert seqs == sorted(seqs)
        assert [notes[seq] for seq in seqs] == [f"{writer}.{place}" for place in range(5)]
        receipts = [log.receipt_of(log.events[seq - 1]) for seq in seqs]
        assert receipts == [answer["receipt"] for answer in answers]
    numbers = [each.fields["number"] for each in log.events if each.kind == "round"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert readings


def test_another_writer_for_too_long(held: tuple[Path, Child, float]) -> None:
    """A writer waits five seconds for another, then says so with status 6; nothing is written."""
    path, child, begin = held
    assert forked("log", "-s", str(path)).status == 0
    answer = child.wait()
    assert monotonic() - begin > 4.9
    assert (answer.status, answer.out) == (6, "")
    assert "another pollctl is writing" in answer.err
    assert path.read_bytes() == DATA
