"""pollctl in processes of its own: forked from this one where many are needed, traced, or whole."""

from __future__ import annotations

import gc
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import traceback
import warnings
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import pytest

import pollctl
from pollctl.cli import _run as run  # as the program does: signals are held to its end
from tests.conftest import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What waits while something is written."""

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and /dev/full")

NOBODY = 65534

CRASHED = 99
"""The status of a forked pollctl that ended in an exception."""

PROGRAM = (sys.executable, "-m", "pollctl")


class Child(NamedTuple):
    """A forked pollctl that may still be at work, with the pipes it answers into."""

    pid: int
    out: int
    err: int

    def kill(self, number: int) -> None:
        """Send it a signal; it is there until it was waited for."""
        os.kill(self.pid, number)

    def wait(self) -> Answer:
        """Its answer and how it ended: a status, or the negative of the signal that ended it."""
        texts = []
        for fd in (self.out, self.err):
            with os.fdopen(fd, encoding="utf-8") as pipe:
                texts.append(pipe.read())
        _, status = os.waitpid(self.pid, 0)
        return Answer(os.waitstatus_to_exitcode(status), *texts)


@cache
def _imported() -> bool:
    """Import whatever a command may, once and here, so that no child needs to."""
    for module in walk_packages(pollctl.__path__, "pollctl."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in ("platformdirs", "rtoml", "segno", "tabulate", "tomli_w", "wcwidth"):
        with suppress(ImportError):  # of an extra that is not installed
            import_module(name)
    return True


def _nothing() -> None:
    """No preparation."""


def branch() -> int:
    """Fork this process, also where something else in it runs in a thread that is left behind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def fork(*arguments: str, before: Callable[[], object] = _nothing) -> Child:
    """Start pollctl in a child of this process, after `before` has prepared the child.

    It is a process with descriptors, limits and signals of its own, and starts at once.
    """
    assert _imported()
    (out, child_out), (err, child_err) = os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    pid = branch()
    if not pid:
        _live(arguments, before, child_out, child_err)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    os.close(child_out)
    os.close(child_err)
    return Child(pid, out, err)


def _live(arguments: tuple[str, ...], before: Callable[[], object], out: int, err: int) -> NoReturn:
    status = CRASHED
    try:
        gc.disable()  # or it copies this whole process
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = (os.fdopen(fd, "w", encoding="utf-8") for fd in (1, 2))
        before()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
        status = run(arguments)
    except KeyboardInterrupt:
        status = 130
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - the child ends here, whatever it was
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def forked(*arguments: str, before: Callable[[], object] = _nothing) -> Answer:
    """What a forked pollctl answers."""
    return fork(*arguments, before=before).wait()


def moments(seed: int, number: int, run: Callable[[], object]) -> Iterator[float]:
    """So many moments, in seconds, spread at random over what a run takes and a little more."""
    begin = perf_counter()
    run()
    span = (perf_counter() - begin) * 1.15
    rng = random.Random(seed)
    return (span * (place + rng.random()) / number for place in range(number))


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as if the disk were full there."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def as_nobody() -> None:
    """Give up root, which no permission binds; others are bound already."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def start(*arguments: str | bytes, **options: Any) -> subprocess.Popen[bytes]:
    """Start the whole program; its standard input is empty."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process: subprocess.Popen[bytes] = subprocess.Popen(
        [*PROGRAM, *arguments], **{**pipes, **options}
    )
    return process


def through_shell(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start the whole program as the `"$@"` of a line of shell."""
    return subprocess.Popen(
        ["/bin/sh", "-c", script, "sh", *PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> Answer:
    """Wait for the whole program."""
    out, err = process.communicate(timeout=30)
    return Answer(process.returncode, (out or b"").decode(), err.decode())


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait for something another process does; fails after 20 seconds."""
    end = monotonic() + 20
    while not true():
        assert monotonic() < end, f"never {what}"
        sleep(0.005)


def has_open(pid: int, inode: int) -> bool:
    """Whether a process has the file of this inode open; Linux only."""
    with os.scandir(f"/proc/{pid}/fd") as fds:
        for fd in fds:
            with suppress(OSError):
                if fd.stat().st_ino == inode:
                    return True
    return False


@cache
def _strace() -> str | None:
    """The tracer, where there is one and it may trace."""
    path = shutil.which("strace")
    if path and not subprocess.run([path, "true"], capture_output=True, check=False).returncode:
        return path
    return None


class Traced(NamedTuple):
    """A traced pollctl: how it ended, and the system calls it made, in order."""

    answer: Answer
    calls: list[str]


def traced(log: Path, *arguments: str, calls: str, inject: str = "", closed: str = "") -> Traced:
    """Run the whole program under strace; skips the test where nothing can be traced.

    `inject` is what is to happen at one of the calls, in strace's words; `closed` closes a
    descriptor, in the shell's.
    """
    strace = _strace()
    if strace is None:
        pytest.skip("strace is not there, or may not trace")
    options = ["-f", "-y", "-s", "20", "-o", str(log), "-e", f"trace={calls}"]
    options += ["-e", f"inject={inject}"] if inject else []
    options += [] if "signal=" in inject else ["--seccomp-bpf"]  # quicker, but sends no signals
    shell = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh"] if closed else []
    done = subprocess.run(
        [strace, *options, *shell, *PROGRAM, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    lines = [re.sub(r"^\d+ +", "", line) for line in log.read_text("utf-8").splitlines()]
    return Traced(Answer(done.returncode, done.stdout.decode(), done.stderr.decode()), lines)
