"""Descriptors: open, lock, write once, sync. Every failure is a Trouble with its exit status."""

import errno
import os
import stat
from contextlib import suppress
from time import monotonic, sleep

from pollctl.text import shown

LARGEST_FILE = 64 << 20
"""Bytes; a session of ten thousand rounds has six million."""
LOCK_SECONDS = 5.0
NOT_PERMITTED = 6
"""The status of what the operating system refused, so that nothing was written."""

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Trouble(Exception):
    """The disk's answer, with the exit status it means."""

    def __init__(self, status: int, text: str) -> None:
        """Keep status 2 (no such file), 4 (fate unknown) or 6 (not permitted) and the sentence."""
        super().__init__(text)
        self.status = status
        self.text = text


def read_bytes(path: str) -> bytes:
    """The bytes of a regular file of at most 64 MiB; raises Trouble."""
    return _read(path, READ, "session file")


def read_other(path: str, what: str) -> bytes:
    """The bytes of a file that is no session, `what` in words, also through a link; raises Trouble.

    Of at most 64 MiB.
    """
    return _read(path, READ & ~os.O_NOFOLLOW, what)


def _read(path: str, flags: int, what: str) -> bytes:
    fd = open_file(path, flags, what)
    try:
        return read_all(fd, path)
    finally:
        close(fd)


def open_file(path: str, flags: int, what: str = "session file") -> int:
    """Open a regular file and nothing else."""
    try:
        fd = os.open(path, flags)
    except ValueError:
        raise Trouble(2, f"{shown(path)} can't be the name of a file") from None
    except OSError as error:
        raise refusal(error, path) from None
    try:
        fault = _irregular(os.fstat(fd))
    except OSError as error:
        close(fd)
        raise refusal(error, path) from None
    if fault:
        close(fd)
        raise Trouble(2, f"{shown(path)} {fault}, not a {what}")
    return fd


def close(fd: int) -> None:
    """Close a file: what was to be kept is synced by then, so that a failure means nothing."""
    with suppress(OSError):
        os.close(fd)


def _irregular(status: os.stat_result) -> str:
    """What a file is, if it is none that can be read; empty otherwise."""
    if stat.S_ISDIR(status.st_mode):
        return "is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "is a device or a pipe"
    if status.st_size > LARGEST_FILE:
        return f"has {status.st_size:,} bytes, more than {LARGEST_FILE:,}"
    return ""


def read_all(fd: int, path: str) -> bytes:
    """Everything an open file holds."""
    try:
        size = os.fstat(fd).st_size
        parts = [os.pread(fd, size + 1, 0)]
        while parts[-1] and len(parts[0]) < size:
            parts.append(os.pread(fd, size, sum(map(len, parts))))
    except OSError as error:
        raise refusal(error, path) from None
    return b"".join(parts)


def open_locked(path: str) -> int:
    """Open and lock the file this path names, also when it is replaced meanwhile."""
    end = monotonic() + LOCK_SECONDS
    while True:
        fd = open_file(path, _APPEND)
        try:
            _lock(fd, path, end)
            if _names(path, fd):
                return fd
        except BaseException:
            close(fd)
            raise
        close(fd)
        if monotonic() > end:
            raise Trouble(6, f"{shown(path)} is being replaced without end: nothing was written")
        sleep(0.02)


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
                raise Trouble(NOT_PERMITTED, text) from None
        except OSError as error:
            raise refusal(error, path) from None
        sleep(0.02)


def _names(path: str, fd: int) -> bool:
    """Whether the path still names the open file."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(fd))
    except OSError:
        return False


def write_once(fd: int, path: str, text: bytes, size: int) -> None:
    """Write once, sync, read back; cut back what falls short."""
    try:
        written = os.write(fd, text)
        failure = None if written == len(text) else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        failure = error
    if failure is not None:
        cut_back(fd, path, size)
        raise refusal(failure, path)
    try:
        _sync(fd)
        same = os.pread(fd, len(text) + 1, size) == text
    except OSError as error:
        raise _unknown(path, f"the disk failed ({error.strerror})") from None
    if not same or not _names(path, fd):
        raise _unknown(path, "the file was replaced or changed meanwhile")


def cut_back(fd: int, path: str, size: int) -> None:
    """Cut an open file to so many bytes, and sync."""
    try:
        os.ftruncate(fd, size)
        _sync(fd)
    except OSError as error:
        raise _unknown(path, f"a part could not be taken back ({error.strerror})") from None


def _sync(fd: int) -> None:
    """Wait until the bytes are on the disk itself."""
    import fcntl

    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:  # pragma: no cover - macOS, where fsync stops at the drive's cache
        with suppress(OSError):  # some file systems have only fsync
            fcntl.fcntl(fd, full)
            return
    os.fsync(fd)


def create_file(path: str, text: bytes) -> None:
    """Create a file whole and synced under a name that is free; raises OSError."""
    fd = os.open(path, _CREATE, 0o666)
    try:
        whole = os.write(fd, text) == len(text)
        _sync(fd)
    except OSError:
        os.unlink(path)
        raise
    finally:
        close(fd)
    if not whole:
        os.unlink(path)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def create_whole(path: str, text: bytes) -> None:
    """Let a file appear under a free name with all its bytes, or not at all; raises OSError."""
    beside = _beside(path, text)
    try:
        _name(beside, path)
    finally:
        with suppress(OSError):  # it is renamed already where there are no hard links
            os.unlink(beside)
    _sync_folder(os.path.dirname(path) or ".")


def replace_file(fd: int, path: str, text: bytes) -> None:
    """Put a whole file of the same owner and mode in the place of an open one.

    Raises OSError, and Trouble where the owner can't be kept.
    """
    beside = _beside(path, text)
    try:
        _own(beside, os.fstat(fd), path)
        os.replace(beside, path)
    except (OSError, Trouble):
        os.unlink(beside)
        raise
    _sync_folder(os.path.dirname(path) or ".")


def _beside(path: str, text: bytes) -> str:
    """A new file in the folder of another, whole and synced, under a name that means nothing."""
    beside = os.path.join(os.path.dirname(path), f".pollctl-{os.urandom(4).hex()}")
    create_file(beside, text)
    return beside


def _name(beside: str, path: str) -> None:
    """Give a file a name that is free."""
    try:
        os.link(beside, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        create_file(path, b"")
        try:
            os.replace(beside, path)
        except OSError:
            os.unlink(path)
            raise


def _own(beside: str, old: os.stat_result, path: str) -> None:
    """Give a new file the owner and the mode of the one whose place it takes."""
    new = os.stat(beside)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.chown(beside, old.st_uid, old.st_gid)
        except PermissionError:
            text = f"{shown(path)} belongs to another user, who has to do it: nothing was written"
            raise Trouble(NOT_PERMITTED, text) from None
    os.chmod(beside, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Wait until the names in a folder are on the disk, where it can be opened and synced."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            close(fd)


def refusal(error: OSError, path: str) -> Trouble:
    """What the operating system said of a path, as the status and sentence it means."""
    name = shown(path)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Trouble(2, f"there is no file {name}")
    if error.errno == errno.ELOOP:
        return Trouble(2, f"{name} is a symbolic link: give the session file itself")
    if error.errno == errno.EISDIR:
        return Trouble(2, f"{name} is a folder, not a session file")
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return Trouble(2, f"{name} is a device or a pipe, not a session file")
    return Trouble(NOT_PERMITTED, f"{name}: {error.strerror or error}: nothing was written")


def _unknown(path: str, text: str) -> Trouble:
    return Trouble(4, f"{shown(path)}: {text}, so the entry may be lost: run pollctl audit")


def hold_signals() -> None:
    """Make Ctrl-C, SIGTERM and SIGHUP wait."""
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
