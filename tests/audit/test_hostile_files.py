"""Monstrous files, strange ones, and a hostile surrounding: an answer at once, nothing touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from pollctl import store
from pollctl.log import read
from tests.audit import EVENING, OTHER, POLL, findings, flat, opening, sealed
from tests.audit.test_hostile import ANSWERS, asked, is_clear, steers
from tests.conftest import Pollctl
from tests.log import entry_text, hand_sealed

SOON = 0.5
"""Seconds of work in which every answer has to be there."""

OPEN = entry_text(1, "open", "").removesuffix("\n")
MONSTERS: dict[str, Callable[[], bytes]] = {
    "nested brackets": lambda: hand_sealed(f"{OPEN}x = {'[' * 10**5}{']' * 10**5}\n"),
    "nested brackets, spaced": lambda: hand_sealed(f"{OPEN}x = {'[ ' * 10**5}\n"),
    "nested brackets on lines": lambda: hand_sealed(OPEN + "x = [\n" + "[\n" * 10**5),
    "nested braces": lambda: hand_sealed(f"{OPEN}x = {'{a=' * 10**5}\n"),
    "a dotted key of 80 kB": lambda: hand_sealed(f"{OPEN}{'.'.join('a' * 40000)} = 1\n"),
    "a dotted key, spaced": lambda: hand_sealed(f"{OPEN}{' . '.join('a' * 20000)} = 1\n"),
    "a dotted table": lambda: hand_sealed(f"{OPEN}[event.{'.'.join('a' * 40000)}]\n"),
    "a dotted key in braces": lambda: hand_sealed(f"{OPEN}x = {{ {'.'.join('a' * 40000)} = 1 }}\n"),
    "a number of 10^5 digits": lambda: hand_sealed(f"{OPEN}x = {'9' * 10**5}\n"),
    "a line of 10 MB": lambda: hand_sealed(f"{OPEN}x = '{'a' * 10**7}'\n"),
    "a line of 10 MB without an end": lambda: EVENING + b"\n[[event]]\nx = '" + b"a" * 10**7,
    "10 MB of newlines": lambda: EVENING + b"\n" * 10**7,
    "10^5 trailers": lambda: EVENING + (b'\n[event.seal]\nsha256 = "' + b"0" * 64 + b'"\n') * 10**5,
    "10^5 beginnings": lambda: EVENING + b"\n[[event]]\n" * 10**5,
    "10 MB of NULs": lambda: bytes(10**7),
    "10 MB of BOMs": lambda: b"\xef\xbb\xbf" * (10**7 // 3),
    "10 MB of noise": lambda: bytes(range(256)) * (10**7 // 256),
}


@pytest.mark.parametrize("what", MONSTERS)
def test_a_monstrous_file_is_answered_soon(what: str, file: Path, pollctl: Pollctl) -> None:
    """However a file is made, each command has an answer in half a second, and leaves it alone."""
    data = MONSTERS[what]()
    file.write_bytes(data)
    before = file.stat().st_mtime_ns
    commands = [
        ("audit",),
        ("round", "add", "0n0n1y"),
        ("accept", "--reason", "x", "--yes"),
    ]
    pollctl("--version")
    for command in commands:
        begin = process_time()
        answer = asked(pollctl, command, file)
        assert (command, process_time() - begin < SOON) == (command, True)
        assert answer.status in (0, 1, 2, 3)
        assert is_clear(answer)
        assert len(answer.err) < 2000
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (len(data), before)


WRITERS = [
    ("round", "add", "0n0n1y"),
    ("undo",),
    ("repair", "--yes"),
    ("accept", "--yes", "--reason", "x"),
]


@pytest.fixture
def strange(file: Path) -> dict[str, Path]:
    """Things that are no session files."""
    paths = {name: file.with_name(name) for name in ("pipe", "sparse", "link", "gap", "folder")}
    os.mkfifo(paths["pipe"])
    paths["sparse"].touch()
    os.truncate(paths["sparse"], 1 << 30)
    paths["link"].symlink_to(file)
    paths["gap"].symlink_to("nowhere")
    paths["folder"].mkdir()
    return {**paths, "zero": Path("/dev/zero"), "full": Path("/dev/full"), "none": Path("none")}


@pytest.mark.parametrize(
    "what", ["pipe", "sparse", "link", "gap", "folder", "zero", "full", "none"]
)
def test_what_is_no_file_is_answered_soon(
    what: str, strange: dict[str, Path], file: Path, pollctl: Pollctl
) -> None:
    """A pipe, a device, a link, a folder, a sparse gigabyte: one line, status 2, at once."""
    for command in [*ANSWERS, *WRITERS]:
        if (what, command) == ("folder", ("audit",)):
            continue
        begin = process_time()
        answer = asked(pollctl, command, strange[what])
        assert process_time() - begin < SOON
        assert (command, answer.status, answer.out) == (command, 2, "")
        assert len(answer.err.splitlines()) == 1
    assert file.read_bytes() == EVENING


@pytest.mark.parametrize("command", ["new", "use", "repair"])
def test_a_planted_link_is_not_followed(
    command: str, file: Path, pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link planted at the name of a temporary file is not followed, and its target untouched."""
    treasure = file.with_name("treasure")
    treasure.write_bytes(b"gold")
    monkeypatch.setattr(os, "urandom", bytes)
    torn = EVENING + b"\n[[event]]\n"
    file.write_bytes(torn)
    state = Path(store.current_file())
    state.parent.mkdir(parents=True, exist_ok=True)
    names = {
        "new": [file.with_name(".pollctl-00000000")],
        "use": [state.with_name(f"current.{os.getpid()}")],
        "repair": [file.with_name("evening.toml.aside-1"), file.with_name(".pollctl-00000000")],
    }
    for name in names[command]:
        name.symlink_to(treasure)
    arguments = {
        "new": ("new", "poll", "Ann", "Ben", "-o", str(file.with_name("new.toml"))),
        "use": ("use", str(file)),
        "repair": ("repair", "-s", str(file), "--yes"),
    }
    answer = pollctl(*arguments[command])
    assert treasure.read_bytes() == b"gold"
    assert file.read_bytes() == torn or answer.status == 0
    assert is_clear(answer)


@pytest.mark.parametrize("columns", ["0", "1", "abc", "-5", "", "9" * 30])
@pytest.mark.parametrize("command", [("standings",), ("audit",), ("log",), ("--help",)])
def test_any_width_will_do(
    columns: str,
    command: tuple[str, ...],
    file: Path,
    pollctl: Pollctl,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever COLUMNS says, a command answers."""
    monkeypatch.setenv("COLUMNS", columns)
    answer = pollctl("--help") if command == ("--help",) else asked(pollctl, command, file)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out


@pytest.mark.parametrize("locale", ["C", "xx_YY.ISO-8859-1"])
def test_any_locale_will_do(
    locale: str, file: Path, process: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any locale names come out as they are, in UTF-8."""
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.setenv(name, locale)
    file.write_bytes(sealed([opening(players=["José", "李雷"], first="José")]))
    answers = [process(command, "-s", str(file)) for command in ("standings", "receipt")]
    assert [(answer.status, answer.err) for answer in answers] == [(0, "")] * 2
    assert "José" in answers[0].out


ARGUMENTS: list[tuple[bytes, ...]] = [
    (b"new", b"poll", b"Ann", b"B\xffn", b"-o", b"new.toml"),
    (b"new", b"poll", b"Ann", b"Ben", b"--title", b"\xff", b"-o", b"new.toml"),
    (b"round", b"add", b"0n0n\xff"),
    (b"round", b"add", b"0n0n1y", b"-q", b"\xc3("),
    (b"ruling", b"Ann=+1:\xfe"),
    (b"audit", b"\xff.toml"),
    (b"audit", b"league", b"--receipt", b"\xff"),
    (b"\xff",),
    (b"help", b"\xff"),
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=ascii)
def test_arguments_that_are_no_text(
    arguments: tuple[bytes, ...], file: Path, process: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arguments that are not UTF-8 are refused in one clear line."""
    file.write_bytes(sealed(POLL[:2]))
    before = file.read_bytes()
    monkeypatch.setenv("POLLCTL_SESSION", str(file))
    answer = process(*arguments)
    assert answer.status in (1, 2)
    assert is_clear(answer)
    assert steers(answer.out + answer.err) == []
    assert file.read_bytes() == before


@pytest.mark.parametrize("clock", ["-1h", "9999-12-31", "1971-01-01"])
def test_any_clock_will_do(
    clock: str, file: Path, pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock set back or far ahead rounds are recorded in order, and audit warns of it."""
    last = POLL[1].at
    moments = {
        "-1h": last.replace(hour=last.hour - 1),
        "9999-12-31": last.replace(year=9999, month=12, day=31),
        "1971-01-01": last.replace(year=1971, month=1, day=1),
    }
    file.write_bytes(sealed(POLL[:2]))
    monkeypatch.setattr(store, "now", lambda: moments[clock])
    assert pollctl("round", "add", "0n0n1y", "-s", str(file)).status == 0
    monkeypatch.undo()
    log = read(file.read_bytes())
    assert (log.chain, len(log.events), log.events[2].at) == ("intact", 3, moments[clock])
    assert pollctl("round", "add", "0n0n1y", "-s", str(file)).status == 0
    warned = [
        each for each in findings(pollctl("audit", str(file), "--json")) if each[1] == "clock"
    ]
    assert warned == [("warnings", "clock")]
    assert "before the entry above it" in flat(pollctl("audit", str(file)).out)


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_the_ends_of_time(at: str, file: Path, pollctl: Pollctl) -> None:
    """The first and the last moment that a log can hold are read, shown and compared."""
    text = OTHER.decode().split("[event.seal]")[0].split("[[event]]")[1].strip("\n")
    head, _, rest = text.partition("at = ")
    first = f"[[event]]\n{head}at = {at}\n{rest.partition(chr(10))[2]}\n"
    data = hand_sealed(first, entry_text(2, "end", ""))
    file.write_bytes(data)
    for command in ANSWERS:
        if command[-1] != "1":
            assert asked(pollctl, command, file).status == 0, command
    assert file.read_bytes() == data
