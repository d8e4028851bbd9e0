"""How a session file comes into being: whole, under a new name, or not at all."""

from __future__ import annotations

import os
import signal
from functools import partial
from time import sleep, tzset
from typing import TYPE_CHECKING

import pytest

from pollctl import store
from pollctl.log import read
from tests.log.processes import INTERRUPTS, as_nobody, fork, forked, full_at, moments, traced

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Pollctl

NEW = ("new", "poll", "Ann", "Ben", "-o")


def names(folder: Path) -> list[str]:
    """Everything in a folder."""
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def folder(room: Path) -> Path:
    """An empty folder."""
    path = room / "folder"
    path.mkdir()
    return path


def test_a_whole_file_and_nothing_else(pollctl: Pollctl, folder: Path) -> None:
    """A new session is one sealed file, with the receipt that was answered, and nothing beside."""
    answer = pollctl(*NEW, str(folder / "new.toml"), "--json")
    log = read((folder / "new.toml").read_bytes())
    assert names(folder) == ["new.toml"]
    assert (log.chain, len(log.events), log.receipt) == ("intact", 1, answer.json["receipt"])


def untouched(path: Path) -> tuple[int, ...]:
    """What of a file changes when it is written to or replaced."""
    status = path.lstat()
    return status.st_ino, status.st_mode, status.st_nlink, status.st_size, status.st_mtime_ns


@pytest.mark.parametrize("what", ["session", "empty", "folder", "link", "dangling", "pipe"])
def test_nothing_is_overwritten(pollctl: Pollctl, folder: Path, what: str) -> None:
    """Whatever has the name already stays as it is, and nothing is left beside it."""
    path, other = folder / "new.toml", folder / "other.toml"
    other.write_bytes(b"other")
    make: dict[str, Callable[[], object]] = {
        "session": lambda: pollctl(*NEW, str(path)),
        "empty": path.touch,
        "folder": path.mkdir,
        "link": lambda: path.symlink_to(other),
        "dangling": lambda: path.symlink_to(folder / "nowhere"),
        "pipe": lambda: os.mkfifo(path),
    }
    make[what]()
    before, data = untouched(path), path.read_bytes() if what == "session" else b""
    answer = pollctl(*NEW, str(path))
    assert (answer.status, answer.out) == (1, "")
    assert untouched(path) == before
    assert other.read_bytes() == b"other"
    assert names(folder) == ["new.toml", "other.toml"]
    assert not data or path.read_bytes() == data


@pytest.mark.parametrize("char", ["x", "é", "\u30dd", "\U0001f3b2"])
@pytest.mark.parametrize("size", [1, 100, 245, 255])
def test_every_name_will_do(folder: Path, char: str, size: int) -> None:
    """A session can have every name that the file system has room for."""
    path = folder / (char * max(1, size // len(char.encode())))
    with store.unbroken():
        store.create(str(path), b"text")
    assert (path.read_bytes(), names(folder)) == (b"text", [path.name])


def test_default_names_count_up(pollctl: Pollctl, room: Path) -> None:
    """Without a name a session is named by its day and game, with a number where that is taken."""
    for _ in range(3):
        assert pollctl("new", "poll", "Ann", "Ben").status == 0
    stems = sorted(each.name[10:] for each in room.glob("*.toml"))
    assert stems == ["-poll-game-2.toml", "-poll-game-3.toml", "-poll-game.toml"]


def test_default_names_of_several_at_once(room: Path) -> None:
    """Sessions opened at the same moment without a name each get a file of their own."""
    children = [fork("new", "poll", "Ann", "Ben", "--json") for _ in range(8)]
    answers = [child.wait() for child in children]
    assert [answer.status for answer in answers] == [0] * 8
    opened = {answer.json["session"]: answer.json["receipt"] for answer in answers}
    assert {each.name: read(each.read_bytes()).receipt for each in room.glob("*.toml")} == opened


def test_a_full_disk(pollctl: Pollctl, folder: Path) -> None:
    """Wherever a disk is full while a session is created: status 6, and no file, whole or part."""
    path = folder / "new.toml"
    size = len(_created(folder))
    for limit in [*range(0, size, 11), size - 1]:
        with full_at(limit):
            answer = pollctl(*NEW, str(path))
        assert (answer.status, answer.out, names(folder)) == (6, "", []), limit
    with full_at(size):
        assert pollctl(*NEW, str(path)).status == 0


def _created(folder: Path) -> bytes:
    """The bytes of a session that was created and removed."""
    path = folder / "new.toml"
    assert forked(*NEW, str(path)).status == 0
    data = path.read_bytes()
    path.unlink()
    return data


@pytest.mark.parametrize(
    ("mode", "status"),
    [(0o555, 6), (0o444, 6), (0o000, 6), (0o777, 0), (0o333, 0)],
    ids=oct,
)
def test_folders_with_permissions(public: Path, mode: int, status: int) -> None:
    """Where a folder can't be written to nothing is; where it can't be listed, the file is."""
    folder = public / "folder"
    folder.mkdir()
    folder.chmod(mode)
    answer = forked(*NEW, str(folder / "new.toml"), before=as_nobody)
    folder.chmod(0o755)
    assert names(folder) == (["new.toml"] if answer.status == 0 else [])
    assert answer.status == status


@pytest.mark.parametrize("zone", ["UTC", "XXX-05:45", "XXX+09:30", "XXX-14", "XXX-01:23:45"])
def test_every_zone_will_do(folder: Path, zone: str) -> None:
    """Wherever on earth a session is opened, its time is recorded."""
    path = folder / "new.toml"
    answer = forked(*NEW, str(path), before=partial(_move_to, zone))
    assert (answer.status, answer.err) == (0, "")
    assert read(path.read_bytes()).chain == "intact"


def _move_to(zone: str) -> None:
    os.environ["TZ"] = zone
    tzset()


def test_no_such_folder(pollctl: Pollctl, room: Path) -> None:
    """A session in a folder that is not there is not created, and neither is the folder."""
    assert pollctl(*NEW, str(room / "nowhere" / "new.toml")).status == 2
    assert not (room / "nowhere").exists()


@pytest.mark.parametrize("number", [*INTERRUPTS, signal.SIGKILL], ids=lambda each: each.name)
def test_interrupted(folder: Path, number: signal.Signals) -> None:
    """However a creation is interrupted, there is a whole session or none, and told truly."""
    for moment in moments(number, 10, lambda: _created(folder)):
        path = folder / f"{moment}.toml"
        child = fork(*NEW, str(path))
        sleep(moment)
        child.kill(number)
        answer = child.wait()
        assert not path.exists() or read(path.read_bytes()).chain == "intact"
        assert path.exists() or "Receipt" not in answer.out
        assert not (path.exists() and answer.status == 130)
    left = [name for name in names(folder) if name.startswith(".")]
    assert left == [] or number == signal.SIGKILL


def test_in_the_right_order(folder: Path, room: Path) -> None:
    """The file is written beside its name, synced, linked to it; the folder synced; then told."""
    calls = "openat,write,fsync,?link,linkat,?unlink,unlinkat"
    path = folder / "new.toml"
    answer, lines = traced(room / "trace", *NEW, str(path), calls=calls)
    ours = [line for line in lines if str(folder) in line or line.startswith("write(1")]
    steps = [line.split("(")[0].removesuffix("at") for line in ours if '""' not in line]
    assert answer.status == 0
    assert steps[:6] == ["open", "write", "fsync", "link", "unlink", "open"]
    assert steps[6:] == ["fsync", "write"]
    assert all(flag in ours[0] for flag in ("O_EXCL", "O_NOFOLLOW", "O_CLOEXEC"))
    assert str(path) in ours[3]
    assert f"<{folder}>" in ours[6]


@pytest.mark.parametrize("renamed", [True, False])
def test_where_there_are_no_hard_links(*, renamed: bool, folder: Path, room: Path) -> None:
    """Without hard links a session is renamed to its name, whole; else there is none."""
    names_of = "?link,linkat" if renamed else "?link,linkat,?rename,renameat,renameat2"
    path = folder / "new.toml"
    inject = f"{names_of}:error=EPERM"
    answer, _ = traced(room / "trace", *NEW, str(path), calls=names_of, inject=inject)
    assert names(folder) == (["new.toml"] if renamed else [])
    if renamed:
        assert (answer.status, read(path.read_bytes()).chain) == (0, "intact")
    else:
        assert (answer.status, "nothing was written" in answer.err) == (6, True)
