"""The one door to the disk: here sessions are read and written, and the clock is read."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from time import monotonic, sleep
from typing import Protocol, TypeVar

from pollctl.store.disk import (
    LARGEST_FILE,
    NOT_PERMITTED,
    Trouble,
    close,
    create_whole,
    cut_back,
    hold_signals,
    open_locked,
    read_all,
    read_bytes,
    read_other,
    refusal,
    replace_file,
    write_once,
)
from pollctl.store.user import (
    current,
    current_file,
    forget_current,
    sessions_under,
    set_current,
)
from pollctl.text import shown

__all__ = [
    "Trouble",
    "append",
    "base_name",
    "create",
    "current",
    "current_file",
    "exists",
    "fill_descriptors",
    "forget_current",
    "mend",
    "now",
    "random_id",
    "random_index",
    "read",
    "read_bytes",
    "read_input",
    "read_other",
    "seconds",
    "sessions_under",
    "set_current",
    "unbroken",
    "wait",
]

Result = TypeVar("Result")

SETTLE_SECONDS = 0.25


def now() -> datetime:
    """The local time in whole seconds, with its offset in whole minutes, as the log has them."""
    local = datetime.now().astimezone().replace(microsecond=0)
    minutes = round((local.utcoffset() or timedelta()).total_seconds() / 60)
    return local.astimezone(timezone(timedelta(minutes=minutes)))


def seconds() -> float:
    """Seconds since some moment; only differences mean anything."""
    return monotonic()


def wait(duration: float) -> None:
    """Let so many seconds pass."""
    sleep(duration)


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
    """Standard input to its end; raises Trouble where that is beyond 64 MiB."""
    data = sys.stdin.buffer.read(LARGEST_FILE + 1) if sys.stdin is not None else b""
    if len(data) > LARGEST_FILE:
        raise Trouble(6, f"standard input has more than {LARGEST_FILE:,} bytes")
    return data


def append(path: str, compose: Callable[[bytes], tuple[bytes, Result]]) -> Result:
    """Append to a session file what `compose` makes of its bytes; raises Trouble.

    Nothing is written where `compose` raises, or makes no bytes. From the write on, Ctrl-C,
    SIGTERM and SIGHUP wait: they are held to the end.
    """
    fd = open_locked(path)
    try:
        before = read_all(fd, path)
        text, result = compose(before)
        if len(before) + len(text) > LARGEST_FILE:
            raise Trouble(6, f"{shown(path)} would have more than {LARGEST_FILE:,} bytes")
        if text:
            hold_signals()
            write_once(fd, path, text, len(before))
        return result
    finally:
        close(fd)


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
            with _put_aside(path, plan.kept_in, plan.aside):
                _rebuild(fd, path, before, plan)
        return plan
    finally:
        close(fd)


def create(path: str, text: bytes) -> None:
    """Create a session file whole, or not at all; raises Trouble, FileExistsError if it exists."""
    hold_signals()
    try:
        create_whole(path, text)
    except FileExistsError:
        raise
    except FileNotFoundError:
        folder = shown(os.path.dirname(path) or ".")
        raise Trouble(2, f"there is no folder {folder}: nothing was written") from None
    except OSError as error:
        raise refusal(error, path) from None


@contextmanager
def unbroken() -> Iterator[None]:
    """Let signals that a write in it held back go again, forgetting those that came."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        yield
    finally:
        for number in signal.sigpending() - before:
            signal.sigwait({number})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def fill_descriptors() -> None:
    """Open what was closed of the standard descriptors, so that no session becomes one of them."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:  # noqa: PLR2004 - standard error
        pass
    os.close(fd)


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


@contextmanager
def _put_aside(path: str, name: str, content: bytes) -> Iterator[None]:
    """Keep bytes in a file beside this one, and take it away again if nothing comes of it."""
    aside = os.path.join(os.path.dirname(path) or ".", name)
    there = os.path.lexists(aside)
    if not there:
        try:
            create_whole(aside, content)
        except OSError as error:
            raise refusal(error, aside) from None
    try:
        yield
    except Trouble as trouble:
        if trouble.status == NOT_PERMITTED and not there:
            os.unlink(aside)
        raise


def _rebuild(fd: int, path: str, before: bytes, plan: Mend) -> None:
    """Append to what stays of the file, cut back before; or put a whole one in its place."""
    size = len(plan.base)
    if plan.base.startswith(before):
        write_once(fd, path, plan.base[len(before) :] + plan.text, len(before))
    elif before.startswith(plan.base):
        cut_back(fd, path, size)
        try:
            write_once(fd, path, plan.text, size)
        except Trouble as trouble:
            text = f"the end is moved to {shown(plan.kept_in)}, and not noted yet: run it again"
            raise Trouble(4, f"{trouble.text.partition(': nothing')[0]}: {text}") from None
    else:
        try:
            replace_file(fd, path, plan.base + plan.text)
        except OSError as error:
            raise refusal(error, path) from None
