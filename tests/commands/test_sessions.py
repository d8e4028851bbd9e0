"""Sessions: how they are opened, and which one a command works on."""

from __future__ import annotations

import tomllib
from shlex import quote
from typing import TYPE_CHECKING, Any

import pytest

from pollctl import store
from pollctl.games import catalogue
from tests.commands import DICE, POLL, done, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from pollctl.game import Game
    from tests.conftest import Pollctl

GAMES = list(catalogue().values())
WHO = "Ann Ben Cai"


def opening(path: Path) -> dict[str, Any]:
    """The first event of a session file."""
    event: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))["event"][0]
    return event


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("poll-game", "poll-game"),
        ("poll", "poll-game"),
        ("P", "poll-game"),
        ("dice-democracy", "dice-democracy"),
        ("dice", "dice-democracy"),
        ("DICE", "dice-democracy"),
    ],
)
def test_the_game(pollctl: Pollctl, room: Path, typed: str, game: str) -> None:
    """GAME is its name or any unique beginning of it."""
    done(pollctl, f"new {typed} {WHO} -o game.toml")
    assert opening(room / "game.toml")["game"] == game


def test_everything_is_recorded(pollctl: Pollctl, room: Path) -> None:
    """The opening holds format, id, game, title, players clockwise, the first, and all rules."""
    done(pollctl, f"new poll {WHO} -o game.toml --title 'Friday night' --first c --rule spaces=7")
    event = opening(room / "game.toml")
    assert len(event["session"]) == 32
    assert int(event["session"], 16) >= 0
    got = {
        key: event[key] for key in ("seq", "kind", "format", "title", "players", "first", "rules")
    }
    assert got == {
        "seq": 1,
        "kind": "open",
        "format": 1,
        "title": "Friday night",
        "players": ["Ann", "Ben", "Cai"],
        "first": "Cai",
        "rules": {
            "spaces": 7,
            "paths": 4,
            "advance": 1,
            "sole_advance": 2,
            "penalty": 1,
            "chip_penalty": "before-count",
            "answer_penalty": "after-count",
            "tiebreak": "sole-correct",
        },
    }


def test_no_two_sessions_have_the_same_id(pollctl: Pollctl, room: Path) -> None:
    """Every session has an id of its own, also one that is like another."""
    done(pollctl, POLL, "new --like game.toml -o b.toml", f"new poll {WHO} -o c.toml")
    assert len({opening(path)["session"] for path in room.glob("*.toml")}) == 3


def test_the_answer_to_new(pollctl: Pollctl) -> None:
    """The answer names file, players, the track and how to set it, the turn, and what to type."""
    out = done(pollctl, POLL).out
    receipt = done(pollctl, "standings --json").json["receipt"]
    words = ("game.toml", "Ann, Ben and Cai", "11 spaces", "--rule spaces=", "Ann is the pollster")
    assert all(word in out for word in (*words, "pollctl round add", receipt))
    line = next(row for row in out.splitlines() if "pollctl round add" in row)
    done(pollctl, line.partition("pollctl ")[2])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_rule_of_every_game(pollctl: Pollctl, room: Path, game: Game) -> None:
    """Every key can be set to its last value, and what is set is recorded and played."""
    players = " ".join("ABCDEF"[: game.seats[0]])
    for key in game.keys:
        value = key.words[-1] if key.words else key.high
        more = " --rule need_two=100" if key.name == "need_one" else ""
        done(pollctl, f"new {game.id} {players} -o {key.name}.toml --rule {key.name}={value}{more}")
        rules = opening(room / f"{key.name}.toml")["rules"]
        assert rules[key.name] == value
        assert rules.keys() == {each.name for each in game.keys}


def test_default_names(pollctl: Pollctl, room: Path) -> None:
    """Without -o a session is named by date and game, and -2, -3 where the name is taken."""
    for _ in range(3):
        done(pollctl, f"new poll {WHO}")
    done(pollctl, f"new dice {WHO}")
    names = sorted(path.name for path in room.glob("*.toml"))
    date = opening(room / names[-1])["at"].date().isoformat()
    assert names == [
        f"{date}-dice-democracy.toml",
        f"{date}-poll-game-2.toml",
        f"{date}-poll-game-3.toml",
        f"{date}-poll-game.toml",
    ]


def test_a_default_name_takes_no_place(pollctl: Pollctl, room: Path) -> None:
    """Whatever has the default name, a folder or a dangling link, is left alone."""
    done(pollctl, f"new poll {WHO}")
    (first,) = room.glob("*.toml")
    first.with_stem(f"{first.stem}-2").mkdir()
    first.with_stem(f"{first.stem}-3").symlink_to("nowhere")
    before = first.read_bytes()
    done(pollctl, f"new poll {WHO}")
    assert first.with_stem(f"{first.stem}-4").is_file()
    assert first.read_bytes() == before


def test_first_at_random(pollctl: Pollctl, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --first random each player is as likely to begin as any other."""
    sizes: list[int] = []

    def chance(size: int) -> int:
        sizes.append(size)
        return len(sizes) - 1

    monkeypatch.setattr(store, "random_index", chance)
    for place in range(3):
        done(pollctl, f"new poll {WHO} --first random -o {place}.toml")
    firsts = [opening(room / f"{place}.toml")["first"] for place in range(3)]
    assert (firsts, sizes) == (["Ann", "Ben", "Cai"], [3, 3, 3])


def test_first_really_is_at_random(pollctl: Pollctl, room: Path) -> None:
    """Of forty evenings of two players neither begins all."""
    for count in range(40):
        done(pollctl, f"new poll A B --first random -o {count}.toml")
    assert {opening(path)["first"] for path in room.glob("*.toml")} == {"A", "B"}


def test_a_player_named_random(pollctl: Pollctl, room: Path) -> None:
    """Where somebody is called random, --first random means that player."""
    done(pollctl, "new poll Ann random Ben --first random -o game.toml")
    assert opening(room / "game.toml")["first"] == "random"


def test_like(pollctl: Pollctl, room: Path) -> None:
    """A session like another has its game, players and rules, and neither title nor rounds."""
    rules = "--rule spaces=7 --rule tiebreak=knockout"
    done(pollctl, f"{POLL} {rules} --title Friday --first ben", "round add 2y2y3n")
    done(pollctl, "new --like game.toml -o next.toml")
    old, new = opening(room / "game.toml"), opening(room / "next.toml")
    for key in ("game", "players", "rules"):
        assert new[key] == old[key]
    assert "title" not in new
    assert new["first"] == "Ann"
    assert done(pollctl, "standings --json").json["played"] == 0


def test_like_with_changes(pollctl: Pollctl, room: Path) -> None:
    """What is typed beside --like goes before it: players, title, first and single rules."""
    done(pollctl, f"{POLL} --rule spaces=7 --rule penalty=2")
    done(pollctl, "new poll Dee Eli --like game.toml --rule spaces=9 --first eli -o next.toml")
    new = opening(room / "next.toml")
    assert (new["players"], new["first"]) == (["Dee", "Eli"], "Eli")
    assert (new["rules"]["spaces"], new["rules"]["penalty"]) == (9, 2)


def test_names_of_all_kinds(pollctl: Pollctl, process: Pollctl, room: Path) -> None:
    """Names from the shell are taken as they are, --help after -- and either form of an accent."""
    names = ["Jose\u0301", "李雷", "O'Neil", "1e5", "nan", "Mary Ann", "--help"]
    assert process("new", "poll", "-o", "game.toml", "--", *names).status == 0
    assert opening(room / "game.toml")["players"] == ["Jos\u00e9", *names[1:]]
    ballots = ["--help:7y", "jos\u00e9:7y", "李:7y", "o'n:7y", "1E5:7y", "NAN:7y", "mary ann:7y"]
    assert process("round", "add", "--", *ballots).status == 0
    done(pollctl, "penalty -- --help=answer")
    rows = done(pollctl, "standings --json").json["standings"]
    assert [(row["player"], row["score"]) for row in rows][-1] == ("--help", 0)
    assert [row["score"] for row in rows] == [1] * 6 + [0]
    assert "--help" in done(pollctl, "explain --player=--help").out


def test_which_session(pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session is the option's, else that of POLLCTL_SESSION, else the current one."""
    done(pollctl, *(f"new poll {WHO} -o {name}.toml --title {name}" for name in "abc"))

    def title(line: str) -> str:
        found: str = done(pollctl, f"{line} --json").json["session"]["title"]
        return found

    assert title("standings") == "c"
    done(pollctl, "use a.toml")
    assert title("standings") == "a"
    monkeypatch.setenv("POLLCTL_SESSION", "b.toml")
    assert title("standings") == "b"
    assert title("standings -s c.toml") == "c"
    assert title("standings --session c.toml") == "c"
    monkeypatch.delenv("POLLCTL_SESSION")
    assert title("standings") == "a"


def test_the_current_session_is_not_of_a_folder(
    pollctl: Pollctl, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current session stays the same one in whatever folder one is."""
    done(pollctl, POLL)
    (room / "elsewhere").mkdir()
    monkeypatch.chdir(room / "elsewhere")
    done(pollctl, f"new poll {WHO} -o game.toml --title other", f"use {quote(str(room))}/game.toml")
    assert done(pollctl, "standings --json").json["session"]["title"] is None


@pytest.mark.parametrize("line", ["round add 2y2y3n", "undo", "penalty ann=chip", "standings"])
def test_another_session_does_not_become_the_current_one(pollctl: Pollctl, line: str) -> None:
    """A command with -s works on that file alone, and leaves the current session as it is."""
    for name in "ab":
        done(pollctl, f"new poll {WHO} -o {name}.toml --title {name}", "round add 2y2y3n")
    done(pollctl, f"{line} -s a.toml")
    assert done(pollctl, "standings --json").json["session"]["title"] == "b"
    assert len(done(pollctl, "log --json").json["events"]) == 2


def test_use(pollctl: Pollctl, room: Path) -> None:
    """Use names the file and how the game stands, and changes no session."""
    done(pollctl, POLL, "round add 2y2y3n", DICE.replace("game", "dice"))
    before = {path: path.read_bytes() for path in room.glob("*.toml")}
    out = done(pollctl, "use game.toml").out
    assert all(word in out for word in ("game.toml", "The Poll Game", "1 round", "Cai"))
    assert done(pollctl, "use dice.toml --json").json["session"]["game"] == "dice-democracy"
    assert {path: path.read_bytes() for path in room.glob("*.toml")} == before


def test_a_failed_use_keeps_the_current_session(pollctl: Pollctl, room: Path) -> None:
    """A file that is no session does not become the current one, nor does a refused opening."""
    done(pollctl, POLL)
    (room / "no.toml").write_text("a = 1\n")
    before = snapshot(room)
    assert pollctl("use", "no.toml").status == 2
    assert pollctl("use", "nowhere.toml").status == 2
    assert pollctl("new", "poll", "Ann").status == 1
    assert snapshot(room) == before


def test_an_empty_option_is_no_session(pollctl: Pollctl) -> None:
    """An empty -s, as from a variable that is not set, does not mean another session."""
    done(pollctl, POLL)
    assert pollctl("round", "add", "2y2y3n", "-s", "").status == 2


@pytest.mark.parametrize(
    "line", ["", "new", "round", "use", "round show", "round void", "void", "penalty", "ruling"]
)
def test_half_a_line(pollctl: Pollctl, line: str) -> None:
    """A line that lacks something is a usage error which says where help is."""
    done(pollctl, POLL)
    answer = pollctl(*line.split())
    assert (answer.status, answer.out) == (2, "")
    assert "--help" in answer.err


HELP = ["", "new", "use", "log", "round", "penalty", "ruling", "void", "undo", "redo", "standings"]


@pytest.mark.parametrize(
    "line", [*HELP, "explain", "next", "round add", "round amend", "round list"]
)
def test_help(pollctl: Pollctl, line: str) -> None:
    """Every command has a help text on standard output, with examples, by -h and --help."""
    long = done(pollctl, f"{line} --help")
    assert done(pollctl, f"{line} -h").out == long.out
    assert "Usage: pollctl" in long.out
    assert "Examples" in long.out or line in ("", "round")
