"""The one door to the disk: opens, locks, writes, syncs, and reads the clock."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from time import monotonic, sleep
from typing import TypeVar

from pollctl.text import shown

Result = TypeVar("Result")

LARGEST_FILE = 64 << 20
"""Bytes; a session of ten thousand rounds has six million."""
LOCK_SECONDS = 5.0
SETTLE_SECONDS = 0.25

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Trouble(Exception):
    """The disk's answer, with the exit status it means."""

    def __init__(self, status: int, text: str) -> None:
        """Keep status 2 (no such file), 4 (fate unknown) or 6 (not permitted) and the sentence."""
        super().__init__(text)
        self.status = status
        self.text = text


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


def read_bytes(path: str) -> bytes:
    """The bytes of a regular file of at most 64 MiB; raises Trouble."""
    fd = _open(path, _READ)
    try:
        return _all(fd, path)
    finally:
        os.close(fd)


def read_input() -> bytes:
    """Standard input to its end."""
    return sys.stdin.buffer.read(LARGEST_FILE) if sys.stdin is not None else b""


def append(path: str, compose: Callable[[bytes], tuple[bytes, Result]]) -> Result:
    """Append to a session file what `compose` makes of its bytes; raises Trouble.

    Nothing is written where `compose` raises, or makes no bytes. From the write on, Ctrl-C,
    SIGTERM and SIGHUP wait: call it inside `unbroken`.
    """
    fd = _locked(path)
    try:
        before = _all(fd, path)
        text, result = compose(before)
        if text:
            hold_signals()
            _write(fd, path, text, len(before))
        return result
    finally:
        os.close(fd)


def create(path: str, text: bytes) -> None:
    """Create a session file whole, or not at all; raises Trouble, FileExistsError if it exists."""
    folder = os.path.dirname(path) or "."
    beside = os.path.join(folder, f".{os.path.basename(path)[:200]}.{random_id()[:8]}")
    hold_signals()
    try:
        _create(beside, text)
        try:
            _link(beside, path, text)
        finally:
            os.unlink(beside)
        _sync_folder(folder)
    except FileExistsError:
        raise
    except FileNotFoundError:
        raise Trouble(2, f"there is no folder {shown(folder)}: nothing was written") from None
    except OSError as error:
        raise _refusal(error, path) from None


def current() -> str | None:
    """The path of the current session, short if it is in this folder; None where there is none."""
    try:
        path = os.fsdecode(read_bytes(current_file())).strip("\n")
        return path.removeprefix(os.getcwd() + os.sep) or None
    except (Trouble, OSError):
        return None


def set_current(path: str) -> None:
    """Make a file the current session; raises Trouble."""
    name = current_file()
    beside = f"{name}.{random_id()[:8]}"
    try:
        os.makedirs(os.path.dirname(name), exist_ok=True)
        _create(beside, os.fsencode(os.path.abspath(path)) + b"\n")
        os.replace(beside, name)
    except OSError as error:
        raise _refusal(error, name) from None


def current_file() -> str:
    """In the user's state folder; on Linux without platformdirs, a quarter of a command's start."""
    if sys.platform == "linux":
        state = os.environ.get("XDG_STATE_HOME", "").strip()
        return os.path.join(state or os.path.expanduser("~/.local/state"), "pollctl", "current")
    from platformdirs import user_state_dir

    return os.path.join(user_state_dir("pollctl", appauthor=False), "current")


def exists(path: str) -> bool:
    """Whether something has this name, a dangling link included."""
    return os.path.lexists(path)


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


def hold_signals() -> None:
    """Make Ctrl-C, SIGTERM and SIGHUP wait."""
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def _open(path: str, flags: int) -> int:
    """Open a regular file and nothing else."""
    try:
        fd = os.open(path, flags)
    except ValueError:
        raise Trouble(2, f"{shown(path)} can't be the name of a file") from None
    except OSError as error:
        raise _refusal(error, path) from None
    if fault := _irregular(os.fstat(fd)):
        os.close(fd)
        raise Trouble(2, f"{shown(path)} {fault}, not a session file")
    return fd


def _irregular(status: os.stat_result) -> str:
    """What a file is, if it is none that can be read; empty otherwise."""
    if stat.S_ISDIR(status.st_mode):
        return "is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "is a device or a pipe"
    if status.st_size > LARGEST_FILE:
        return f"has {status.st_size:,} bytes, more than {LARGEST_FILE:,}"
    return ""


def _all(fd: int, path: str) -> bytes:
    try:
        size = os.fstat(fd).st_size
        parts = [os.pread(fd, size + 1, 0)]
        while parts[-1] and len(parts[0]) < size:
            parts.append(os.pread(fd, size, sum(map(len, parts))))
    except OSError as error:
        raise _refusal(error, path) from None
    return b"".join(parts)


def _locked(path: str) -> int:
    """Open and lock the file this path names, also when it is replaced meanwhile."""
    end = monotonic() + LOCK_SECONDS
    while True:
        fd = _open(path, _APPEND)
        try:
            _lock(fd, path, end)
            if _names(path, fd):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)


def _lock(fd: int, path: str, end: float) -> None:
    from fcntl import LOCK_EX, LOCK_NB, flock

    while True:
        try:
            return flock(fd, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if monotonic() > end:
                text = (
                    f"another pollctl is writing to {shown(path)}: nothing was written; try again"
                )
                raise Trouble(6, text) from None
        except OSError as error:
            raise _refusal(error, path) from None
        sleep(0.02)


def _names(path: str, fd: int) -> bool:
    """Whether the path still names the open file."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(fd))
    except OSError:
        return False


def _write(fd: int, path: str, text: bytes, size: int) -> None:
    """Write once, sync, read back; cut back what falls short."""
    try:
        written = os.write(fd, text)
        failure = None if written == len(text) else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        failure = error
    if failure is not None:
        _cut(fd, path, size)
        raise _refusal(failure, path)
    try:
        _sync(fd)
        same = os.pread(fd, len(text) + 1, size) == text
    except OSError as error:
        raise _unknown(path, f"the disk failed ({error.strerror})") from None
    if not same or not _names(path, fd):
        raise _unknown(path, "the file was replaced or changed meanwhile")


def _cut(fd: int, path: str, size: int) -> None:
    try:
        os.ftruncate(fd, size)
        _sync(fd)
    except OSError as error:
        raise _unknown(path, f"a part could not be taken back ({error.strerror})") from None


def _sync(fd: int) -> None:
    """Wait until the bytes are on the disk itself."""
    import fcntl

    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is None:
        os.fsync(fd)
    else:  # pragma: no cover - macOS, where fsync stops at the drive's cache
        fcntl.fcntl(fd, full)


def _create(path: str, text: bytes) -> None:
    fd = os.open(path, _CREATE, 0o666)
    try:
        whole = os.write(fd, text) == len(text)
        _sync(fd)
    except OSError:
        os.unlink(path)
        raise
    finally:
        os.close(fd)
    if not whole:
        os.unlink(path)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _link(beside: str, path: str, text: bytes) -> None:
    """Give the file its name; where there are no hard links, write it there."""
    try:
        os.link(beside, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        _create(path, text)


def _sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # some file systems can't sync a folder, and need not
            os.fsync(fd)
    finally:
        os.close(fd)


def _refusal(error: OSError, path: str) -> Trouble:
    name = shown(path)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Trouble(2, f"there is no file {name}")
    if error.errno == errno.ELOOP:
        return Trouble(2, f"{name} is a symbolic link: give the session file itself")
    if error.errno == errno.EISDIR:
        return Trouble(2, f"{name} is a folder, not a session file")
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return Trouble(2, f"{name} is a device or a pipe, not a session file")
    return Trouble(6, f"{name}: {error.strerror or error}: nothing was written")


def _unknown(path: str, text: str) -> Trouble:
    return Trouble(4, f"{shown(path)}: {text}, so the entry may be lost: run pollctl audit")
