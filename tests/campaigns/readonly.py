"""Files that can't be written to: read as ever, and left alone by whatever would write."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

from tests.campaigns.campaign import Campaign, Case, Plan, Skipped, demand
from tests.campaigns.law import ADD, hold_answer, look
from tests.campaigns.sessions import small
from tests.conftest import Answer
from tests.log.processes import NOBODY, as_nobody, forked

FOLDER = Path("readonly")
PATH = FOLDER / "game.toml"
TORN = b"\n[[event]]\n"

READERS = (
    *("standings", "board", "log", "explain", "next", "receipt"),
    *("round list", "round show 1", "audit", "deck show"),
)
WRITERS = (
    " ".join(ADD),
    "round amend 1 ann:2y",
    "round void 1",
    "penalty ann=chip",
    "ruling ann=+1:why",
    "draw",
    "void 2",
    "undo",
    "round import rounds.csv",
    "repair --yes",
    "accept --yes --reason why",
)


def contents(line: str) -> bytes:
    """The file that a command needs to have something to do."""
    data = small()
    if line.startswith("repair"):
        return data + TORN
    return data.replace(b"number = 2", b"number = 3") if line.startswith("accept") else data


@contextmanager
def read_only_file(data: bytes) -> Iterator[Callable[[], object]]:
    """A file that its owner made read-only."""
    PATH.write_bytes(data)
    if os.geteuid() == 0:
        os.chown(PATH, NOBODY, NOBODY)
    PATH.chmod(0o444)
    yield as_nobody


@contextmanager
def other_users_file(data: bytes) -> Iterator[Callable[[], object]]:
    """A file that belongs to another user, who lets everybody read it."""
    if os.geteuid() != 0:
        raise Skipped("only root can be two users")
    PATH.write_bytes(data)
    PATH.chmod(0o644)
    yield as_nobody


@contextmanager
def read_only_folder(data: bytes) -> Iterator[Callable[[], object]]:
    """A read-only file in a folder that is read-only too."""
    with read_only_file(data) as before:
        FOLDER.chmod(0o555)
        yield before
        FOLDER.chmod(0o755)


@contextmanager
def read_only_mount(data: bytes) -> Iterator[Callable[[], object]]:
    """A file on a disk that is mounted read-only; the user may be root."""
    mount("-t", "tmpfs", "none", str(FOLDER))
    try:
        PATH.write_bytes(data)
        mount("-o", "remount,ro", str(FOLDER))
        yield lambda: None
    finally:
        subprocess.run([tool("umount"), str(FOLDER)], check=True)


def mount(*words: str) -> None:
    """Mount something; raises Skipped where that is not permitted."""
    done = subprocess.run([tool("mount"), *words], capture_output=True, check=False)
    if done.returncode:
        raise Skipped("nothing may be mounted here")


def tool(name: str) -> str:
    """Where a program is; raises Skipped where there is none."""
    path = shutil.which(name)
    if path is None:
        raise Skipped(f"{name} is not installed")
    return path


Kind = Callable[[bytes], AbstractContextManager[Callable[[], object]]]

KINDS: tuple[Kind, ...] = (read_only_file, other_users_file, read_only_folder, read_only_mount)


def cases(_: Plan) -> Iterator[Case]:
    """Every command on every kind of file that can't be written to."""
    Path("rounds.csv").write_text("Ann,Ben,Cai\n3n,3n,3n\n", "utf-8")
    for kind in KINDS:
        for line in (*READERS, *WRITERS):
            name = f"{line} on a {called(kind)}"
            yield Case(name, partial(hold, kind, line))
    for kind in KINDS[2:]:
        yield Case(f"new in a {called(kind)}", partial(hold_new, kind))


def called(kind: Kind) -> str:
    """The name of a kind in words."""
    return kind.__name__.replace("_", " ")


def command(line: str, before: Callable[[], object]) -> Answer:
    """Run a command on the file."""
    named = [str(PATH)] if line == "audit" else ["-s", str(PATH)]
    return forked(*line.split(), *named, before=before)


def hold(kind: Kind, line: str) -> str:
    """Hold a command to its answer on such a file, and the file to staying as it is."""
    fresh()
    data = contents(line)
    PATH.write_bytes(data)
    usual = command(line, lambda: None)
    fresh()
    with kind(data) as before:
        answer = command(line, before)
        state = look(PATH)
        there = sorted(path.name for path in FOLDER.iterdir())
    hold_answer(answer)
    demand((state.data, there) == (data, [PATH.name]), "something was written")
    if line in READERS:
        demand(answer == usual, f"read as {answer} and not as {usual}")
        return "read"
    demand(usual.status == 0, f"{line} is refused everywhere: {usual.err}")
    demand(answer.status == 6, f"status {answer.status}: {answer.err}")
    demand("nothing was written" in answer.err, f"it is not said: {answer.err}")
    return "refused, and nothing was written"


def hold_new(kind: Kind) -> str:
    """Hold the opening of a session to the same."""
    fresh()
    with kind(small()) as before:
        answer = forked("new", "poll", "Ann", "Ben", "-o", str(FOLDER / "new.toml"), before=before)
        there = sorted(path.name for path in FOLDER.iterdir())
    hold_answer(answer)
    demand(there == [PATH.name], "something was written")
    demand(answer.status == 6, f"status {answer.status}: {answer.err}")
    return "refused, and nothing was written"


def fresh() -> None:
    """An empty folder."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()


CAMPAIGN = Campaign(
    "readonly",
    "What can't be written to is read as ever, and left alone with status 6.",
    cases,
    shares=1,
)
