"""Repair: every kind of damage, alone and together, mended or refused with nothing lost."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pollctl.log import Log, read
from pollctl.mending import Place, plan_repair
from tests.audit import AT, EVENING, POLL, event, extended, findings, flat, poll_round, sealed
from tests.audit.make_fixtures import FOLDER
from tests.conftest import Answer, Pollctl
from tests.log.processes import NOBODY, as_nobody, forked
from tests.terminal.screen import Terminal

Change = Callable[[bytes], bytes]

ENDS = read(EVENING).ends
BOM = b"\xef\xbb\xbf"
HALF = b"\n[[event]]\nseq = 6\nat = 2024"
ALTERED = EVENING.replace(b"change = 1\n", b"change = 3\n")
LAST_ALTERED = EVENING.replace(b'penalty = "answer"', b'penalty = "chip"')

IMPORT = sealed(
    [
        POLL[0],
        poll_round(2, 1, "Ann", "1n 1n 2n"),
        *(poll_round(seq, seq - 1, "Cai", "1n 1n 2n", batch=f"{seq - 2}/3") for seq in (3, 4, 5)),
    ]
)


def crlf(data: bytes) -> bytes:
    """Every line ends as on another system."""
    return data.replace(b"\n", b"\r\n")


DISGUISES: dict[str, tuple[Change, list[str]]] = {
    "bom": (lambda data: BOM + data, ["bom"]),
    "line-endings": (crlf, ["line-endings"]),
    "nul-tail": (lambda data: data + bytes(700), ["nul-tail"]),
    "no-final-newline": (lambda data: data[:-1], ["no-final-newline"]),
    "utf-16": (lambda data: data.decode().encode("utf-16-le"), ["utf-16"]),
    "utf-16 big": (lambda data: data.decode().encode("utf-16-be"), ["utf-16"]),
    "utf-16 with its mark": (lambda data: data.decode().encode("utf-16"), ["utf-16"]),
    "bom, line-endings": (lambda data: BOM + crlf(data), ["bom", "line-endings"]),
    "bom, line-endings, nul-tail": (
        lambda data: BOM + crlf(data) + bytes(9),
        ["bom", "line-endings", "nul-tail"],
    ),
    "nul-tail for the newline": (
        lambda data: data[:-1] + bytes(9),
        ["nul-tail", "no-final-newline"],
    ),
    "all but utf-16": (
        lambda data: BOM + crlf(data[:-1]) + bytes(3),
        ["bom", "line-endings", "nul-tail", "no-final-newline"],
    ),
    "utf-16 and line-endings": (
        lambda data: crlf(data).decode().encode("utf-16"),
        ["utf-16", "line-endings"],
    ),
    "utf-16 and nul-tail": (
        lambda data: data.decode().encode("utf-16-le") + bytes(8),
        ["utf-16", "nul-tail"],
    ),
}


def repair(pollctl: Pollctl, file: Path) -> Answer:
    """Repair a file without being asked."""
    return pollctl("repair", "-s", str(file), "--yes", "--json")


def beside(file: Path) -> dict[str, bytes]:
    """Everything that lies beside a file, by name."""
    return {path.name: path.read_bytes() for path in file.parent.iterdir() if path != file}


def noted(log: Log) -> list[tuple[str, int, str]]:
    """What the entries of repairs say: the file, the bytes, their hash."""
    told = [each.fields for each in log.events if each.kind == "repair"]
    return [(each["kept_in"], each["removed"], each["sha256"]) for each in told]


def note(name: str, data: bytes) -> tuple[str, int, str]:
    """What an entry says of these bytes in a file of this name."""
    return name, len(data), hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("how", DISGUISES)
@pytest.mark.parametrize("data", [EVENING, sealed([POLL[0]])], ids=["evening", "opening"])
def test_a_disguise_is_named_and_undone(
    how: str, data: bytes, file: Path, pollctl: Pollctl
) -> None:
    """What mail and editors do is named by audit; repair undoes it and keeps what it takes away."""
    change, names = DISGUISES[how]
    damaged = change(data)
    file.write_bytes(damaged)
    (told,) = pollctl("audit", str(file), "--json").json["sessions"]
    assert (told["damage"], [each["code"] for each in told["problems"]]) == (names, ["damage"])
    assert repair(pollctl, file).status == 0
    mended, aside = file.read_bytes(), damaged.removeprefix(data)
    assert mended.startswith(data)
    assert read(mended).chain == "intact"
    assert noted(read(mended)) == [note("evening.toml.aside-1", aside)]
    assert beside(file) == {"evening.toml.aside-1": aside}


def test_the_mode_of_a_file_is_kept(file: Path, pollctl: Pollctl) -> None:
    """A file that is rebuilt keeps who may read it."""
    file.write_bytes(crlf(EVENING))
    file.chmod(0o600)
    assert repair(pollctl, file).status == 0
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_the_owner_of_a_file_is_kept(file: Path, pollctl: Pollctl) -> None:
    """A file that is rebuilt keeps its owner and group."""
    file.write_bytes(crlf(EVENING))
    os.chown(file, NOBODY, NOBODY)
    assert repair(pollctl, file).status == 0
    assert (file.stat().st_uid, file.stat().st_gid) == (NOBODY, NOBODY)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_another_users_file_is_not_taken_over(public: Path) -> None:
    """Who may write to a file but can't keep its owner is told whose turn it is; a tail may go."""
    file = public / "evening.toml"
    file.write_bytes(crlf(EVENING))
    file.chmod(0o666)
    answer = forked("repair", "-s", str(file), "--yes", before=as_nobody)
    assert (answer.status, answer.out) == (6, "")
    assert "belongs to another user, who has to do it: nothing was written" in answer.err
    assert (file.read_bytes(), beside(file)) == (crlf(EVENING), {})
    file.write_bytes(EVENING + HALF)
    assert forked("repair", "-s", str(file), "--yes", before=as_nobody).status == 0
    assert file.stat().st_uid == 0


@pytest.mark.parametrize("change", [b"a tail", bytes(700), b""], ids=["torn", "NULs", "newline"])
def test_a_file_keeps_its_other_names(change: bytes, file: Path, pollctl: Pollctl) -> None:
    """What loses its end, or gains a newline, is repaired in place, under every name it has."""
    other = file.with_name("other.toml")
    other.hardlink_to(file)
    file.write_bytes(EVENING + change if change else EVENING[:-1])
    assert repair(pollctl, file).status == 0
    assert other.samefile(file)
    assert read(other.read_bytes()).chain == "intact"


TAILS: dict[str, tuple[bytes, int]] = {
    "half an entry": (EVENING + HALF, len(EVENING)),
    "half an entry and NULs": (EVENING + HALF + bytes(512), len(EVENING)),
    "a newline": (EVENING + b"\n", len(EVENING)),
    "a remark": (EVENING + b"# see you on Friday\n", len(EVENING)),
    "bytes of something else": (EVENING + bytes(range(256)), len(EVENING)),
    "no entry but the first": (sealed([POLL[0]]) + HALF, len(sealed([POLL[0]]))),
    "the last one altered": (LAST_ALTERED, ENDS[3]),
    "the last one twice": (EVENING + EVENING[ENDS[3] :], len(EVENING)),
    "the last of an import altered": (
        IMPORT[:-9] + bytes([IMPORT[-9] ^ 1]) + IMPORT[-8:],
        read(IMPORT).ends[1],
    ),
}
"""A damaged file, and how many bytes of it are sealed."""


@pytest.mark.parametrize("case", TAILS)
def test_a_tail_is_moved_aside(case: str, file: Path, pollctl: Pollctl) -> None:
    """What follows the last good seal, or the import it belongs to, moves into a file beside."""
    data, kept = TAILS[case]
    file.write_bytes(data)
    assert repair(pollctl, file).status == 0
    log = read(file.read_bytes())
    assert (log.chain, file.read_bytes()[:kept]) == ("intact", data[:kept])
    assert [each.kind for each in read(data[:kept]).events] == [e.kind for e in log.events[:-1]]
    assert noted(log) == [note("evening.toml.aside-1", data[kept:])]
    assert beside(file) == {"evening.toml.aside-1": data[kept:]}
    assert ("warnings", "repaired") in findings(pollctl("audit", str(file), "--json"))


def test_an_altered_last_entry_is_warned_about(file: Path, pollctl: Pollctl) -> None:
    """A last entry that doesn't match its seal moves aside with a warning; a torn one without."""
    said = {}
    for name, data in (("torn", EVENING + HALF), ("altered", LAST_ALTERED)):
        file.write_bytes(data)
        said[name] = flat(pollctl("repair", "-s", str(file), "--yes").out)
        file.with_name("evening.toml.aside-1").unlink()
    assert "it was altered, and not torn" in said["altered"]
    assert "not torn" not in said["torn"]


CUTS = [("last entry", EVENING, ENDS[3]), ("import", IMPORT, read(IMPORT).ends[1])]


CUT = pytest.mark.parametrize(
    ("data", "kept"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS]
)


def parts(data: bytes, size: int, kept: int) -> tuple[bytes, bytes]:
    """What has to stay of a file cut to this size, and what has to be put aside."""
    lost_newline = size == len(data) - 1
    return (data, data[:size]) if lost_newline else (data[:kept], data[kept:size])


@CUT
def test_cut_at_every_byte(data: bytes, kept: int) -> None:
    """Cut at any byte of its last command, a file is mended to what was sealed before it."""
    for size in range(kept + 1, len(data)):
        plan = plan_repair(data[:size], Place("evening.toml", {}, AT))
        assert (size, plan.base, plan.aside) == (size, *parts(data, size, kept))
        log = read(plan.base + plan.text)
        assert (size, log.chain) == (size, "intact")
        assert noted(log) == [note("evening.toml.aside-1", plan.aside)]


@CUT
def test_a_cut_file_is_repaired(data: bytes, kept: int, file: Path, pollctl: Pollctl) -> None:
    """The command does to a file cut anywhere what is planned for it, and to the file beside."""
    for size in [*range(kept + 1, len(data) - 1, 61), len(data) - 1]:
        file.write_bytes(data[:size])
        assert repair(pollctl, file).status == 0
        base, aside = parts(data, size, kept)
        log = read(file.read_bytes())
        assert (log.chain, file.read_bytes()[: log.ends[-2]]) == ("intact", base)
        assert beside(file) == {"evening.toml.aside-1": aside}
        file.with_name("evening.toml.aside-1").unlink()


REFUSED: dict[str, tuple[bytes, int, str]] = {
    "whole": (EVENING, 1, "the file is whole: there is nothing to repair"),
    "accepted": ((FOLDER / "accepted.toml").read_bytes(), 1, "there is nothing to repair"),
    "repaired": ((FOLDER / "repaired.toml").read_bytes(), 1, "there is nothing to repair"),
    "altered": (ALTERED, 1, "take another copy, or run pollctl accept if all agree"),
    "the opening altered": (EVENING.replace(b'"Ann"', b'"Eve"', 1), 1, "run pollctl accept if all"),
    "an entry lost": (
        EVENING[: ENDS[1]] + EVENING[ENDS[2] :],
        1,
        "event 3 has the seq 4, and more follows: look for another copy",
    ),
    "newer": (
        sealed([POLL[0]._replace(fields={**POLL[0].fields, "format": 2})]) + HALF,
        1,
        "it holds format 2: use the pollctl it is from",
    ),
    "no session": (b"milk, bread\n", 2, "is not a pollctl session"),
    "UTF-16, and no session": ("milk, bread\n".encode("utf-16"), 2, "is not a pollctl session"),
    "empty": (b"", 2, "is not a pollctl session"),
    "cut in its opening": (EVENING[:300], 2, "is not a pollctl session"),
    "two bytes changed": (
        EVENING.replace(b"Mars", b"Moon").replace(b"shower", b"garden"),
        1,
        "event 2",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cant_be_mended_is_refused(case: str, file: Path, pollctl: Pollctl) -> None:
    """Where nothing is damaged, or more than may be mended, repair says so and writes nothing."""
    data, status, said = REFUSED[case]
    file.write_bytes(data)
    before = file.stat()
    answer = pollctl("repair", "-s", str(file), "--yes")
    assert (answer.status, answer.out) == (status, "")
    assert said in answer.err
    assert answer.err.endswith("\nNothing was written.\n")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (data, before.st_mtime_ns)
    assert beside(file) == {}


def test_repair_is_told_as_json(file: Path, pollctl: Pollctl) -> None:
    """With --json repair answers as every writing command does, and a refusal as every refusal."""
    file.write_bytes(EVENING + HALF)
    answer: dict[str, Any] = repair(pollctl, file).json
    assert (answer["schema"], answer["recorded"], answer["event"]) == (
        "pollctl.recorded/1",
        True,
        6,
    )
    assert answer["receipt"] == read(file.read_bytes()).receipt
    assert repair(pollctl, file).json == {
        "schema": "pollctl.refused/1",
        "rule": None,
        "text": "the file is whole: there is nothing to repair",
    }


def test_play_goes_on_after_a_repair(file: Path, pollctl: Pollctl) -> None:
    """A repaired file is written to again, and its later receipts fix the repair too."""
    file.write_bytes(sealed(POLL[:2]) + HALF)
    repair(pollctl, file)
    answer = pollctl("round", "add", "1y0n0n", "-s", str(file), "--json")
    assert (answer.status, answer.json["event"], answer.json["winners"]) == (0, 4, ["Ann"])
    checked = pollctl("audit", str(file), "--receipt", answer.json["receipt"], "--json")
    assert (checked.status, findings(checked)) == (0, [("warnings", "repaired")])


def test_a_second_repair_has_a_file_of_its_own(file: Path, pollctl: Pollctl) -> None:
    """What was put aside once is never overwritten: the next tail goes into the next file."""
    file.write_bytes(EVENING + HALF)
    repair(pollctl, file)
    again = extended(file.read_bytes(), [event(7, "end")])[:-5]
    file.write_bytes(again)
    repair(pollctl, file)
    kept = beside(file)
    assert kept["evening.toml.aside-1"] == HALF
    assert again.endswith(kept["evening.toml.aside-2"])
    assert [name for name, _, _ in noted(read(file.read_bytes()))] == sorted(kept)


def test_repair_asks_first(file: Path, pollctl: Pollctl) -> None:
    """Without a terminal nobody can be asked: repair needs --yes, and writes nothing before."""
    file.write_bytes(EVENING + HALF)
    answer = pollctl("repair", "-s", str(file))
    assert (answer.status, answer.out) == (2, "")
    assert "nobody can be asked here: give --yes" in answer.err
    assert (file.read_bytes(), beside(file)) == (EVENING + HALF, {})


@pytest.mark.parametrize(("typed", "status"), [("n", 1), ("", 1), ("y", 0)])
def test_repair_asks_on_a_terminal(typed: str, status: int, file: Path) -> None:
    """On a terminal repair shows what it will move where, and does it when told to."""
    file.write_bytes(EVENING + HALF)
    terminal = Terminal(file.parent, "repair", "-s", file.name)
    terminal.type(typed, after="Go on? [y/N]: ")
    assert terminal.end() == status
    shown = flat("".join(line.ljust(80) for line in terminal.lines))
    assert f"{len(HALF)} bytes after entry 5 are moved aside." in shown
    assert "evening.toml.aside-1 keeps the old bytes" in shown
    if status:
        assert (file.read_bytes(), beside(file)) == (EVENING + HALF, {})
    else:
        assert beside(file) == {"evening.toml.aside-1": HALF}


@pytest.mark.parametrize("way", ["\x03", "\x04"])
def test_one_can_leave_a_repair(way: str, file: Path) -> None:
    """Ctrl-C and Ctrl-D at the question leave with status 130, and nothing is written."""
    file.write_bytes(EVENING + HALF)
    terminal = Terminal(file.parent, "repair", "-s", file.name)
    terminal.wait("Go on? [y/N]: ")
    terminal.child.delaybeforesend = 0.05  # a signal before it reads is seen with the next key
    terminal.child.send(way)
    assert terminal.end() == 130
    assert (file.read_bytes(), beside(file)) == (EVENING + HALF, {})
