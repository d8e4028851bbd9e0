"""The machine-readable answers: their keys and values for a known game of each kind."""

from __future__ import annotations

import json
import os
from shlex import split
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import DICE, POLL, SCENES, TIE, done

if TYPE_CHECKING:
    from tests.conftest import Pollctl

AT = [f"2026-11-30T20:0{minute}:00+01:00" for minute in range(4)]
FRIDAY = (
    f"{POLL} --title Friday --rule spaces=4 --first ben",
    f"round add 2y1n2y -q 'Do you sing?' --at {AT[0]}",
    f"round add 3y3y3n -p ann=chip --at {AT[1]}",
    f"round add 1y2n3n --ruling cai=+1:fair --at {AT[2]}",
)
"""Ann 1, 0, 2; Ben 0; Cai 1, 1, 2; pollsters Ben, Ann, Cai, and Ben again."""
LEAGUE = (
    f"{DICE} --rule rounds=2",
    f"round add 64 61 52 -L cai -d 1x1,2x2,3x3,4x4,5x3,6x1 --at {AT[0]}",
    f"round add 11 22 22 -L ann -S ann -d 1x3,2x2,3x3,4x2,5x2,6x2 --at {AT[1]}",
)
"""Ann, Ben and Cai 3, 4, 4; then 3 + 1, 6 - 1, 6 - 1: shared by Ben and Cai."""

STANDINGS = {"schema", "session", "chain", "round", "played", "rounds_total", "status", "winners"}
STANDINGS |= {"contenders", "next", "standings", "problems", "receipt"}
RECORDED = {"schema", "recorded", "event", "round", "receipt", "entries", "status", "winners"}
RECORDED |= {"standings", "warnings"}
MORE = {"contenders", "next", "said", "session"}
"""Keys that the answer to a writing command has beside those that are promised."""
ROUND = {"number", "stands", "at", "turn", "scores", "status", "winners", "contenders"}
ENTRY = {"round", "player", "rule", "change", "before", "after", "text"}


def ask(pollctl: Pollctl, *lines: str) -> Any:
    """The JSON answer to the last of these lines, which is one document and one line."""
    answer = done(pollctl, *lines[:-1], f"{lines[-1]} --json")
    assert answer.out.count("\n") == 1
    return answer.json


def rows(*lines: str) -> list[dict[str, Any]]:
    """Rows of the standings from rank, player, score and change."""
    keys = ("rank", "player", "score", "change")
    cells = [line.split() for line in lines]
    return [
        dict(zip(keys, (int(r), player, int(s), int(c)), strict=True)) for r, player, s, c in cells
    ]


def test_standings(pollctl: Pollctl) -> None:
    """The standings of The Poll Game have the keys and values of the manual, no more."""
    told = ask(pollctl, *FRIDAY, "standings -s game.toml")
    assert told.keys() == STANDINGS
    assert told.pop("receipt") == ask(pollctl, "log")["events"][-1]["receipt"]
    assert told == {
        "schema": "pollctl.standings/1",
        "session": {"file": "game.toml", "title": "Friday", "game": "poll-game"},
        "chain": "intact",
        "round": 3,
        "played": 3,
        "rounds_total": None,
        "status": "playing",
        "winners": [],
        "contenders": [],
        "next": {"round": 4, "role": "pollster", "player": "Ben"},
        "standings": rows("1 Ann 2 2", "1 Cai 2 1", "3 Ben 0 0"),
        "problems": [],
    }


def test_standings_of_a_finished_game(pollctl: Pollctl) -> None:
    """A finished game has winners and no next; Dice Democracy knows how many rounds it has."""
    told = ask(pollctl, *LEAGUE, "standings")
    assert told.keys() == STANDINGS
    assert told["session"]["title"] is None
    assert (told["round"], told["played"], told["rounds_total"]) == (2, 2, 2)
    assert (told["status"], told["winners"], told["next"]) == ("finished", ["Ben", "Cai"], None)
    assert told["standings"] == rows("1 Ben 5 1", "1 Cai 5 1", "3 Ann 4 1")


def test_standings_of_a_new_game(pollctl: Pollctl) -> None:
    """Before the first round its number is 0 and the next is 1."""
    told = ask(pollctl, DICE, "standings")
    assert (told["round"], told["played"], told["rounds_total"]) == (0, 0, 6)
    assert told["next"] == {"round": 1, "role": "chairperson", "player": "Ann"}
    assert told["standings"] == rows("1 Ann 3 0", "1 Ben 3 0", "1 Cai 3 0")


def test_standings_of_a_tie_break(pollctl: Pollctl) -> None:
    """In a tie-break the contenders are named, in seating order, and nobody has won."""
    told = ask(pollctl, *TIE, "standings")
    assert told["status"] == "tie-break"
    assert (told["contenders"], told["winners"]) == (["Ann", "Ben"], [])
    won = ask(pollctl, "round add 1y2yn", "standings")
    assert (won["status"], won["contenders"], won["winners"]) == ("finished", [], ["Ben"])
    assert won["standings"] == rows("1 Ben 2 0", "2 Ann 2 0", "3 Cai 0 0")


def test_standings_of_problems(pollctl: Pollctl) -> None:
    """A round that is passed over is a problem with its number, clause and sentence."""
    ask(pollctl, *TIE, "round add 2y1yn", "round void 1 --force")
    told = ask(pollctl, "standings")
    (problem,) = told["problems"]
    assert problem.keys() == {"round", "rule", "text", "event"}
    assert (problem["round"], problem["rule"]) == (3, "P6")
    assert "Cai" in problem["text"]
    assert (told["status"], told["played"]) == ("playing", 1)


def test_rounds(pollctl: Pollctl) -> None:
    """The rounds of The Poll Game have count and scores; a voided one has four keys alone."""
    told = ask(pollctl, *FRIDAY, "round void 2", "round list")
    state = {"status": "playing", "winners": [], "contenders": []}
    first = {"Ann": 1, "Ben": 0, "Cai": 1}
    third = {"Ann": 3, "Ben": 0, "Cai": 2}
    assert told == {
        "schema": "pollctl.rounds/1",
        "rounds": [
            {"number": 1, "stands": True, "at": AT[0], "turn": "Ben", "count": 2, "scores": first}
            | state,
            {"number": 2, "stands": False, "at": AT[1], "turn": "Ann"},
            {"number": 3, "stands": True, "at": AT[2], "turn": "Cai", "count": 1, "scores": third}
            | state,
        ],
    }


def test_rounds_of_dice_democracy(pollctl: Pollctl) -> None:
    """The rounds of Dice Democracy have a verdict for each stick that was taken, and no count."""
    first, second = ask(pollctl, *LEAGUE, "round list")["rounds"]
    assert first.keys() - {"large_majority", "small_majority"} == ROUND | {"verdicts"}
    assert first["verdicts"] == {"large": "right"}
    assert second["verdicts"] == {"large": "right", "small": "returned"}
    assert (first["scores"], first["status"]) == ({"Ann": 3, "Ben": 4, "Cai": 4}, "playing")
    assert (second["status"], second["winners"]) == ("finished", ["Ben", "Cai"])
    assert (first["turn"], second["turn"]) == ("Ann", "Ben")


VERDICTS = [
    ("round add 11 11 22", {}),
    ("round add 11 11 22 -L ann", {"large": "majority"}),
    ("round add 11 11 22 -S ann", {"small": "majority"}),
    ("round add 11 11 22 -L cai -d 1x14", {"large": "refuted"}),
    ("round add 11 11 22 -S cai -d 2x14", {"small": "right"}),
    ("round add 11 11 22 -L cai -S cai -d 2x14", {"large": "right", "small": "returned"}),
    ("round add 11 11 22 --override need_one=4 -L cai", {"large": "invalid"}),
    ("round add 11 12 22 -L cai -S ann -d 1x1,2x13", {"large": "right", "small": "right"}),
]


@pytest.mark.parametrize(("line", "verdicts"), VERDICTS)
def test_verdicts(pollctl: Pollctl, line: str, verdicts: dict[str, str]) -> None:
    """A verdict is one of five words, and there is one where a stick was taken only."""
    (told,) = ask(pollctl, DICE, line, "round list")["rounds"]
    assert told["verdicts"] == verdicts


def test_explain(pollctl: Pollctl) -> None:
    """Every entry has round, player, clause, change, before, after and a sentence."""
    told = ask(pollctl, *FRIDAY, "explain")
    assert told["schema"] == "pollctl.explain/1"
    assert all(entry.keys() == ENTRY for entry in told["entries"])
    cells = [tuple(entry[key] for key in ENTRY - {"text"}) for entry in told["entries"]]
    wanted = [(1, "Ann", "P8", 1, 0, 1), (1, "Cai", "P8", 1, 0, 1), (2, "Ann", "P10", -1, 1, 0)]
    wanted += [(3, "Ann", "P9", 2, 0, 2), (3, "Cai", "P13", 1, 1, 2)]
    keys = ("round", "player", "rule", "change", "before", "after")
    assert cells == [
        tuple(dict(zip(keys, row, strict=True))[key] for key in ENTRY - {"text"}) for row in wanted
    ]
    assert told["entries"][3]["text"] == "the only one to predict 1 Yes"


def test_a_clause_that_moved_nothing(pollctl: Pollctl) -> None:
    """A chip mistake on Start is listed with a change of 0."""
    (entry,) = ask(pollctl, POLL, "round add 0y0n0n -p ann=chip", "explain")["entries"]
    assert (entry["rule"], entry["change"], entry["before"], entry["after"]) == ("P10", 0, 0, 0)


def test_log(pollctl: Pollctl) -> None:
    """Every entry of the log has number, time, kind, whether it stands, a text and a receipt."""
    told = ask(pollctl, *FRIDAY, "penalty cai=answer", "undo", "log")
    assert told["schema"] == "pollctl.log/1"
    keys = {"seq", "at", "kind", "stands", "text", "receipt"}
    assert all(event.keys() == keys for event in told["events"])
    assert [(event["seq"], event["kind"], event["stands"]) for event in told["events"]] == [
        (1, "open", True),
        (2, "round", True),
        (3, "round", True),
        (4, "round", True),
        (5, "penalty", False),
        (6, "void", True),
    ]
    assert [event["at"] for event in told["events"][1:4]] == AT[:3]
    assert len({event["receipt"] for event in told["events"]}) == 6


def test_next(pollctl: Pollctl) -> None:
    """What comes next is as in the standings, with the lines the host says."""
    told = ask(pollctl, *FRIDAY, "next")
    said = told.pop("say")
    assert told == {"schema": "pollctl.next/1", "round": 4, "role": "pollster", "player": "Ben"}
    assert said
    assert all(isinstance(line, str) and line for line in said)
    assert "Ben" in said[0]


def test_next_of_a_finished_game(pollctl: Pollctl) -> None:
    """After the end no round comes."""
    told = ask(pollctl, *LEAGUE, "next")
    assert (told["schema"], told["round"], told["player"]) == ("pollctl.next/1", None, None)


def test_recorded(pollctl: Pollctl) -> None:
    """The answer to a round has the keys of the manual: what it brought and how things stand."""
    done(pollctl, *FRIDAY)
    told = ask(pollctl, "round add 1y1n5n")
    assert told.keys() == RECORDED | MORE
    standings = ask(pollctl, "standings")
    assert {key: told[key] for key in RECORDED - {"entries", "warnings"}} == {
        "schema": "pollctl.recorded/1",
        "recorded": True,
        "event": 5,
        "round": 4,
        "receipt": standings["receipt"],
        "status": "playing",
        "winners": [],
        "standings": standings["standings"],
    }
    assert told["entries"] == ask(pollctl, "explain --round 4")["entries"]
    (warning,) = told["warnings"]
    assert (warning["round"], warning["rule"]) == (4, "P6")
    assert {"round", "rule", "text"} <= warning.keys()


@pytest.mark.parametrize(
    ("line", "number", "entries"),
    [
        ("penalty cai=answer", 3, [(3, "Cai", "P11", -1)]),
        ("penalty cai=answer --round 1", 1, [(1, "Cai", "P11", -1)]),
        ("ruling ben=+2:x", 3, [(3, "Ben", "P13", 2)]),
        ("round amend 1 ann:1y", 1, [(1, "Cai", "P9", 2)]),
        ("round amend 1 --note x", 1, []),
        ("undo", 3, []),
    ],
)
def test_recorded_corrections(
    pollctl: Pollctl, line: str, number: int | None, entries: list[tuple[int, str, str, int]]
) -> None:
    """The answer to a correction has its event, its round, and what it newly awards."""
    told = ask(pollctl, *FRIDAY, line)
    assert told.keys() == RECORDED | MORE
    assert (told["recorded"], told["event"], told["round"]) == (True, 5, number)
    first = [entry for entry in told["entries"] if entry["round"] == (number or 3)]
    assert [(e["round"], e["player"], e["rule"], e["change"]) for e in first] == entries


@pytest.mark.parametrize("scene", ["poll", "dice"])
def test_recorded_opening(pollctl: Pollctl, scene: str) -> None:
    """The answer to a new session is that of a writing command, about its first entry."""
    told = ask(pollctl, *SCENES[scene])
    assert told.keys() >= RECORDED
    assert (told["recorded"], told["event"], told["round"], told["entries"]) == (True, 1, None, [])
    assert told["receipt"] == ask(pollctl, "standings")["receipt"]


WRITES = ["round add 1y1n3n", "round amend 1 ann:1y", "round void 1", "void 2", "undo", "redo"]
WRITES += ["penalty cai=answer", "ruling ben=+2:x"]


@pytest.mark.parametrize("line", WRITES)
def test_recorded_by_a_dry_run(pollctl: Pollctl, line: str) -> None:
    """A dry run answers as the command would, with `recorded` false and no receipt."""
    done(pollctl, *FRIDAY, "round add 1y1n2n", "undo")
    dry, wet = ask(pollctl, f"{line} --dry-run"), ask(pollctl, line)
    assert (dry["recorded"], dry["receipt"], wet["recorded"]) == (False, None, True)
    assert {**dry, "recorded": True, "receipt": wet["receipt"]} == wet


def test_a_refusal(pollctl: Pollctl) -> None:
    """A refusal is one document with the clause, null where none speaks, and the sentence."""
    done(pollctl, POLL)
    for line, rule in (("round add 9y3y3y", "P6"), ("undo", None)):
        plain, answer = pollctl(*split(line)), pollctl(*split(line), "--json")
        assert (answer.status, plain.status, plain.out, plain.err) == (1, 1, "", answer.err)
        assert answer.json.keys() == {"schema", "rule", "text"}
        assert (answer.json["schema"], answer.json["rule"]) == ("pollctl.refused/1", rule)


@pytest.mark.parametrize("line", ["standings", "undo"])
def test_json_is_utf8(process: Pollctl, pollctl: Pollctl, line: str) -> None:
    """Names stand in JSON as they are, also where the locale knows ASCII alone."""
    done(pollctl, "new poll 李雷 Jose\u0301 -o game.toml", "round add 1y0n -q 'Ça va?'")
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    answer = process(*line.split(), "--json", env=os.environ | ascii_only)
    assert (answer.status, answer.err) == (0, "")
    assert "李雷" in answer.out
    assert json.loads(answer.out)
