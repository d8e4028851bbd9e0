"""The one door to the disk: here sessions are read and written, and the clock is read."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from time import monotonic, sleep
from typing import Protocol, TypeVar

from pollctl.store.disk import (
    LARGEST_FILE,
    Trouble,
    create_file,
    cut_back,
    hold_signals,
    link_file,
    open_locked,
    read_all,
    read_bytes,
    refusal,
    sync_folder,
    write_once,
)
from pollctl.store.user import current, current_file, sessions_under, set_current
from pollctl.text import shown

__all__ = [
    "Trouble",
    "append",
    "base_name",
    "create",
    "current",
    "current_file",
    "discard",
    "exists",
    "mend",
    "now",
    "random_id",
    "random_index",
    "read",
    "read_bytes",
    "read_input",
    "seconds",
    "sessions_under",
    "set_current",
    "unbroken",
]

Result = TypeVar("Result")

SETTLE_SECONDS = 0.25


def now() -> datetime:
    """The local time with its offset, in whole seconds."""
    return datetime.now().astimezone().replace(microsecond=0)


def seconds() -> float:
    """Seconds since some moment; only differences mean anything."""
    return monotonic()


def random_id() -> str:
    """128 random bits as 32 hex digits."""
    return os.urandom(16).hex()


def random_index(size: int) -> int:
    """A number from 0 up to, not including, `size`, each equally likely."""
    return int.from_bytes(os.urandom(16), "big") % size


def read(path: str, load: Callable[[bytes], Result], settled: Callable[[Result], bool]) -> Result:
    """Read a session file without a lock; raises Trouble, and what `load` raises.

    While it is not settled a writer may be at it, and it is read again, for a quarter of a second.
    """
    end = monotonic() + SETTLE_SECONDS
    data = read_bytes(path)
    result = load(data)
    while not settled(result) and monotonic() < end:
        sleep(0.02)
        before, data = data, read_bytes(path)
        if data != before:
            result = load(data)
    return result


def read_input() -> bytes:
    """Standard input to its end."""
    return sys.stdin.buffer.read(LARGEST_FILE) if sys.stdin is not None else b""


def append(path: str, compose: Callable[[bytes], tuple[bytes, Result]]) -> Result:
    """Append to a session file what `compose` makes of its bytes; raises Trouble.

    Nothing is written where `compose` raises, or makes no bytes. From the write on, Ctrl-C,
    SIGTERM and SIGHUP wait: call it inside `unbroken`.
    """
    fd = open_locked(path)
    try:
        before = read_all(fd, path)
        text, result = compose(before)
        if text:
            hold_signals()
            write_once(fd, path, text, len(before))
        return result
    finally:
        os.close(fd)


class Mend(Protocol):
    """A plan for a damaged file: what stays, what goes into a file beside it, what is added."""

    @property
    def base(self) -> bytes:
        """What stays."""

    @property
    def aside(self) -> bytes:
        """What goes into the file beside it."""

    @property
    def kept_in(self) -> str:
        """The name of that file."""

    @property
    def text(self) -> bytes:
        """What is added; empty for a plan that is only told."""


Mended = TypeVar("Mended", bound=Mend)


def mend(path: str, compose: Callable[[bytes, dict[str, bytes]], Mended]) -> Mended:
    """Do to a damaged file what `compose` plans from its bytes and the files put aside before.

    Nothing is written for a plan without a text. Raises Trouble.
    """
    fd = open_locked(path)
    try:
        before = read_all(fd, path)
        plan = compose(before, _asides(path))
        if plan.text:
            hold_signals()
            _put_aside(path, plan.kept_in, plan.aside)
            _rebuild(fd, path, before, plan)
        return plan
    finally:
        os.close(fd)


def create(path: str, text: bytes) -> None:
    """Create a session file whole, or not at all; raises Trouble, FileExistsError if it exists."""
    folder = os.path.dirname(path) or "."
    beside = os.path.join(folder, f".{os.path.basename(path)[:200]}.{random_id()[:8]}")
    hold_signals()
    try:
        create_file(beside, text)
        try:
            link_file(beside, path, text)
        finally:
            os.unlink(beside)
        sync_folder(folder)
    except FileExistsError:
        raise
    except FileNotFoundError:
        raise Trouble(2, f"there is no folder {shown(folder)}: nothing was written") from None
    except OSError as error:
        raise refusal(error, path) from None


@contextmanager
def unbroken() -> Iterator[None]:
    """Let signals held back by a write go again, forgetting those that came: it is recorded."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        yield
    finally:
        for number in signal.sigpending() - before:
            signal.sigwait({number})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def discard(fd: int) -> None:
    """Send nowhere what is still written to a descriptor."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), fd)


def exists(path: str) -> bool:
    """Whether something has this name, a dangling link included."""
    return os.path.lexists(path)


def base_name(path: str) -> str:
    """The name of a file without its folder."""
    return os.path.basename(path)


def _asides(path: str) -> dict[str, bytes]:
    """The files that repairs of this one put aside, by name."""
    folder, stem = os.path.dirname(path) or ".", f"{os.path.basename(path)}.aside-"
    names = sorted(name for name in os.listdir(folder) if name.startswith(stem))
    return {name: read_bytes(os.path.join(folder, name)) for name in names}


def _put_aside(path: str, name: str, content: bytes) -> None:
    folder = os.path.dirname(path) or "."
    aside = os.path.join(folder, name)
    if not os.path.lexists(aside):
        try:
            create_file(aside, content)
        except OSError as error:
            raise refusal(error, aside) from None
        sync_folder(folder)


def _rebuild(fd: int, path: str, before: bytes, plan: Mend) -> None:
    """Cut the file back and append, or put a whole one in its place."""
    if before.startswith(plan.base):
        if len(plan.base) < len(before):
            cut_back(fd, path, len(plan.base))
        write_once(fd, path, plan.text, len(plan.base))
        return
    beside = f"{path}.{random_id()[:8]}"
    try:
        create_file(beside, plan.base + plan.text)
        os.chmod(beside, stat.S_IMODE(os.fstat(fd).st_mode))
        os.replace(beside, path)
    except OSError as error:
        raise refusal(error, path) from None
    sync_folder(os.path.dirname(path) or ".")
