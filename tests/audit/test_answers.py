"""The answer of an audit: its keys, its exit status, its folders, and what can't be read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.audit import DICE, EVENING, OTHER, POLL, extended, findings, flat, opening, sealed
from tests.audit.make_fixtures import FOLDER
from tests.conftest import Answer, Pollctl

SESSION_KEYS = {
    *("file", "ok", "game", "events", "rounds", "chain", "damage"),
    *("problems", "warnings", "status", "winners", "receipt"),
}
FINDING_KEYS = {"event", "round", "rule", "text"}
CHAINS = {"intact", "torn", "broken", "accepted"}
DAMAGES = {"line-endings", "bom", "utf-16", "nul-tail", "no-final-newline"}
STATUSES = {"playing", "tie-break", "finished", "abandoned", None}

FIXTURES = sorted(str(path) for path in FOLDER.glob("*.toml"))


def alone(sessions: list[Any]) -> list[Any]:
    """The answers without what one file says about another."""
    return [
        {**each, "problems": kept(each["problems"]), "warnings": kept(each["warnings"]), "ok": None}
        for each in sessions
    ]


def kept(told: list[Any]) -> list[Any]:
    """The findings that one file shows by itself."""
    return [each for each in told if each["code"] not in ("copy", "fork")]


def test_the_keys_are_those_of_the_page(pollctl: Pollctl) -> None:
    """Every session and every finding has the keys and values that pollctl(1) fixes."""
    answer = pollctl("audit", *FIXTURES, "--json").json
    assert answer.keys() == {"schema", "sessions"}
    assert answer["schema"] == "pollctl.audit/1"
    assert [each["file"] for each in answer["sessions"]] == FIXTURES
    for each in answer["sessions"]:
        assert each.keys() >= SESSION_KEYS
        assert each["chain"] in CHAINS
        assert set(each["damage"]) <= DAMAGES
        assert each["status"] in STATUSES
        assert all(told.keys() >= FINDING_KEYS for told in each["problems"] + each["warnings"])
        assert each["ok"] == (not each["problems"])


def test_every_damage_is_named(pollctl: Pollctl) -> None:
    """The fixtures show each chain and each damage there is."""
    sessions = pollctl("audit", *FIXTURES, "--json").json["sessions"]
    assert {each["chain"] for each in sessions} == CHAINS
    assert {name for each in sessions for name in each["damage"]} == DAMAGES


def test_an_evening_is_told_whole(file: Path, pollctl: Pollctl) -> None:
    """A session in order is told with its game, entries, rounds, winner and receipt."""
    (told,) = pollctl("audit", str(file), "--json").json["sessions"]
    receipt = pollctl("receipt", "-s", str(file), "--json").json["receipt"]
    assert {key: told[key] for key in SESSION_KEYS} == {
        "file": str(file),
        "ok": True,
        "game": "poll-game",
        "events": 5,
        "rounds": 2,
        "chain": "intact",
        "damage": [],
        "problems": [],
        "warnings": [],
        "status": "finished",
        "winners": ["Ann"],
        "receipt": receipt,
    }
    assert flat(pollctl("audit", str(file)).out) == f"{file}: in order; 2 rounds, Ann won"


def test_many_files_are_told_as_one_by_one(pollctl: Pollctl) -> None:
    """On all cores the answers, their order and their exit status are those of file by file."""
    together = pollctl("audit", *FIXTURES, "--json")
    apart = [pollctl("audit", path, "--json") for path in FIXTURES]
    assert len(FIXTURES) > 8
    assert together.status == max(answer.status for answer in apart) == 1
    singly = [answer.json["sessions"][0] for answer in apart]
    assert alone(together.json["sessions"]) == alone(singly)


def test_folders_are_searched(room: Path, pollctl: Pollctl) -> None:
    """A folder stands for the sessions in it and below; what is no session is passed over."""
    deep = room / "league" / "2024" / "winter"
    deep.mkdir(parents=True)
    paths = [room / "league" / "b.toml", deep / "a.toml", deep / "crlf.toml", deep / "half.toml"]
    contents = [EVENING, OTHER, OTHER.replace(b"\n", b"\r\n"), EVENING[:300]]
    for path, data in zip(paths, contents, strict=True):
        path.write_bytes(data)
    (deep / "notes.txt").write_bytes(EVENING)
    (deep / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    (deep / "empty.toml").touch()
    (deep / "folder.toml").mkdir()
    (deep / "link.toml").symlink_to(paths[0])
    os.mkfifo(deep / "pipe.toml")
    answer = pollctl("audit", "league", "--json")
    found = sorted(each["file"] for each in answer.json["sessions"])
    assert found == sorted(str(path.relative_to(room)) for path in paths)
    assert (answer.status, answer.err) == (1, "")


def test_a_file_named_twice_is_told_once(file: Path, pollctl: Pollctl) -> None:
    """A file that is named, and lies in a folder that is named, is audited once."""
    answer = pollctl("audit", str(file), str(file.parent), str(file), "--json")
    assert [each["file"] for each in answer.json["sessions"]] == [str(file)]
    assert findings(answer) == []


STATUS = {
    0: [["good.toml"], ["good.toml", "good.toml"], ["slip.toml"]],
    1: [["torn.toml"], ["good.toml", "torn.toml"], ["slip.toml", "--strict"], ["folder"]],
    2: [
        *([], ["gone.toml"], ["good.toml", "gone.toml"], ["torn.toml", "gone.toml"], ["hollow"]),
        *(["good.toml", "hollow"], ["pipe"], ["good.toml", "--stric"], ["/dev/zero"], [""]),
        *(["good.toml", "--receipt"], ["a\0b"]),
    ],
}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [pytest.param(row, status, id=f"{row}") for status, rows in STATUS.items() for row in rows],
)
def test_the_exit_status(arguments: list[str], status: int, room: Path, pollctl: Pollctl) -> None:
    """0: nothing is wrong; 1: something is; 2: usage, or something that is no session file."""
    (room / "good.toml").write_bytes(EVENING)
    for name in ("slip.toml", "torn.toml"):
        shutil.copy(FOLDER / name, room / name)
    (room / "hollow").mkdir()
    (room / "folder").mkdir()
    shutil.copy(FOLDER / "broken.toml", room / "folder" / "b.toml")
    os.mkfifo(room / "pipe")
    answer = pollctl("audit", *arguments)
    assert answer.status == status
    assert bool(answer.err) == (status == 2)


UNREAD = {
    "a pipe": ("pipe", "pipe is a device or a pipe, not a session file."),
    "a missing file": ("gone.toml", "there is no file gone.toml."),
    "a folder without sessions": ("hollow", "there is no session file in hollow."),
    "a link": ("link.toml", "link.toml is a symbolic link: give the session file itself."),
    "a device": ("/dev/zero", "/dev/zero is a device or a pipe, not a session file."),
    "a huge file": (
        "huge.toml",
        "huge.toml has 1,073,741,824 bytes, more than 67,108,864, not a session file.",
    ),
}


@pytest.fixture
def strange(room: Path) -> Path:
    """A folder with things that are no session files, under the names of UNREAD."""
    os.mkfifo(room / "pipe")
    (room / "hollow").mkdir()
    (room / "good.toml").write_bytes(EVENING)
    (room / "link.toml").symlink_to(room / "good.toml")
    (room / "huge.toml").touch()
    os.truncate(room / "huge.toml", 1 << 30)
    return room


def told_of(answer: Answer) -> list[str]:
    """The files that an answer in JSON tells of."""
    return [each["file"] for each in answer.json["sessions"]]


@pytest.mark.parametrize("number", [1, 2, 12], ids=["alone", "beside one", "beside many"])
@pytest.mark.parametrize("what", UNREAD)
@pytest.mark.usefixtures("strange")
def test_what_cant_be_read_is_one_line(
    what: str, number: int, room: Path, pollctl: Pollctl
) -> None:
    """What is no session file is told in one line, and the others are audited all the same."""
    name, line = UNREAD[what]
    others = [f"{place}.toml" for place in range(1, number)]
    for other in others:
        (room / other).write_bytes(EVENING)
    answer = pollctl("audit", *others[:3], name, *others[3:], "--json")
    assert (answer.status, answer.err) == (2, f"pollctl: {line}\n")
    assert (told_of(answer) if others else []) == others
    assert bool(answer.out) == bool(others)


@pytest.mark.usefixtures("strange")
def test_several_that_cant_be_read(pollctl: Pollctl) -> None:
    """Several things that are no session files are told in a line each."""
    names = [name for name, _ in UNREAD.values()]
    answer = pollctl("audit", *names, "good.toml")
    assert answer.status == 2
    assert sorted(answer.err.splitlines()) == sorted(
        f"pollctl: {line}" for _, line in UNREAD.values()
    )


FORKS: dict[str, tuple[bytes, bytes, list[tuple[str, str]]]] = {
    "the same": (EVENING, EVENING, [("copy", "this file is the same as a.toml")]),
    "older": (EVENING, sealed(POLL[:4]), [("copy", "this file is an older copy of a.toml")]),
    "further": (sealed(POLL[:4]), EVENING, [("copy", "this file is further than a.toml")]),
    "forked": (
        EVENING,
        extended(sealed(POLL[:2]), [POLL[2]._replace(fields={**POLL[2].fields, "note": "x"})]),
        [
            (
                "fork",
                "this file and a.toml are one session and differ after round 1, from entry 3 on",
            )
        ],
    ),
    "another session": (EVENING, sealed([opening(session="0" * 32), *POLL[1:]]), []),
    "another game": (EVENING, sealed([opening("dice-democracy", session="0" * 32)]), []),
}


@pytest.mark.parametrize("case", FORKS)
def test_two_files_of_one_session(case: str, room: Path, pollctl: Pollctl) -> None:
    """Two files of one session are a copy, or fork after a round that is named."""
    one, two, expected = FORKS[case]
    (room / "a.toml").write_bytes(one)
    (room / "b.toml").write_bytes(two)
    sessions = pollctl("audit", "a.toml", "b.toml", "--json").json["sessions"]
    told = [each for session in sessions for each in session["problems"] + session["warnings"]]
    between = [(each["code"], each["text"]) for each in told if each["code"] in ("copy", "fork")]
    assert between == expected
    assert all(not each["warnings"] for each in sessions[:1])


def test_games_of_both_kinds_are_told_together(room: Path, pollctl: Pollctl) -> None:
    """One audit tells of both games, each with its own winner."""
    (room / "a.toml").write_bytes(EVENING)
    (room / "b.toml").write_bytes(OTHER)
    sessions = pollctl("audit", "a.toml", "b.toml", "--json").json["sessions"]
    assert [each["game"] for each in sessions] == ["poll-game", "dice-democracy"]
    assert [each["winners"] for each in sessions] == [["Ann"], ["Ben"]]
    assert len(DICE) == sessions[1]["events"]
