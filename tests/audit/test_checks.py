"""Every check finds its fixture and nothing else, and an audit answers as pollctl(1) says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pollctl.audit import MEANINGS, audit
from pollctl.audit.register import CHECKS
from pollctl.game import defaults
from pollctl.games import find
from tests.audit import event, findings, flat, sealed
from tests.audit.make_fixtures import CHANGED, EVENTS, FOLDER, RECEIPT, files
from tests.commands import done
from tests.conftest import Pollctl
from tests.rules import Table, log
from tests.rules.independent import play
from tests.rules.random_games import random_game

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))

PAIRS = ("copy", "fork")
"""Codes that take two files to be found."""

NAMES = sorted([*EVENTS, *CHANGED])
LEVELS = {check.code: f"{check.level}s" for check in CHECKS}
LEVELS |= {"receipt": "problems", "copy": "warnings", "fork": "problems"}


def code_of(name: str) -> str:
    """The code that a fixture is for."""
    return max((code for code in MEANINGS if name.startswith(code)), key=len)


def asked(name: str) -> list[str]:
    """What is typed after `audit` for a fixture."""
    code = code_of(name)
    receipts = ["--receipt", RECEIPT] if code == "receipt" else []
    names = [f"{code}-1", f"{code}-2"] if code in PAIRS else [name]
    return [*(str(FOLDER / f"{each}.toml") for each in names), *receipts]


def test_the_fixtures_are_those_that_are_made() -> None:
    """The folder holds exactly the files that make_fixtures writes, byte for byte."""
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == files()


def test_every_code_has_a_fixture_and_a_meaning() -> None:
    """No code is without a fixture, a meaning of two sentences, and a level."""
    assert {code_of(name) for name in NAMES} == set(MEANINGS) == set(LEVELS)
    for code, meaning in MEANINGS.items():
        assert meaning.count(". ") + meaning.endswith(".") >= 2, code


def test_both_games_have_fixtures() -> None:
    """Fixtures are of both games."""
    texts = [data for name, data in files().items() if name.endswith(".toml")]
    for game in (b"poll-game", b"dice-democracy"):
        assert sum(game in data for data in texts) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_fixture_fails_its_check_alone(name: str, pollctl: Pollctl) -> None:
    """In JSON a fixture has one finding, of its own code at the level of its check."""
    code = code_of(name)
    answer = pollctl("audit", *asked(name), "--json")
    assert findings(answer) == [(LEVELS[code], code)]
    assert answer.status == (LEVELS[code] == "problems")
    assert answer.err == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_fixture_is_told_in_words(name: str, pollctl: Pollctl) -> None:
    """In words a fixture has one finding, with the meaning of its code below it."""
    code = code_of(name)
    lines = pollctl("audit", *asked(name)).out.splitlines()
    told = [line for line in lines if line.startswith(("  problem ", "  warning "))]
    assert [line.split(":")[0].split() for line in told] == [[LEVELS[code][:-1], code]]
    assert MEANINGS[code] in flat(" ".join(lines[lines.index(told[0]) + 1 :]))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_in_order(path: Path, pollctl: Pollctl) -> None:
    """The sessions that come with the project have neither problems nor open warnings."""
    answer = pollctl("audit", str(path), "--json", "--strict")
    assert (answer.status, findings(answer)) == (0, [])


@pytest.mark.parametrize("game", ["poll-game", "dice-democracy"])
def test_lawful_games_have_no_problems(game: str) -> None:
    """Random lawful games have no problems, and are warned about for what is doubtful alone."""
    for seed in range(60):
        told = random_game(random.Random(seed), game, seats=seed % 2 == 1)
        told["rules"] = {**defaults(find(game)), **told["rules"]}
        report = audit("file", sealed(log(told)))
        assert (seed, report.problems, report.chain) == (seed, (), "intact")
        assert {each.code for each in report.warnings} <= {"turn", "slip", "unfinished"}
        assert report.rounds == len(told["round"])
        turns = [each.finding.round for each in report.warnings if each.code == "turn"]
        assert (seed, turns) == (seed, out_of_turn(told))


def out_of_turn(game: Table) -> list[int]:
    """The rounds of a game whose turn was not the one that the second scorer passes on."""
    name, players, first, rules = (game[key] for key in ("game", "players", "first", "rules"))
    role = find(name).role
    found = []
    for place, given in enumerate(game["round"]):
        before = [*game["round"][:place], {"before": given.get("before", [])}]
        due = play(name, players, first, rules, before, game.get("start"))[-1]["next"]
        if given.get(role, due) != due:
            found.append(place + 1)
    return found


COMMANDS = (
    ("round", "add", "1y1n0n"),
    ("round", "add", "1y0n0n"),
    ("round", "add", "2y2y1n", "--pollster", "ben"),
    ("round", "amend", "{}", "--pollster", "cai"),
    ("round", "amend", "{}", "ann:2y"),
    ("round", "void", "{}"),
    ("penalty", "ann=chip", "--round", "{}"),
    ("ruling", "ben=+1:as agreed", "--round", "{}"),
    ("void", "{}"),
    ("player", "leave", "cai"),
    ("player", "join", "cai"),
    ("player", "join", "Dee", "--after", "ann"),
    ("player", "rename", "cai", "Caitlin"),
    ("round", "add", "1y1n"),
    ("dispute", "add", "ben=answer", "--round", "{}"),
    ("dispute", "uphold", "{}"),
    ("dispute", "reject", "{}", "--reason", "no"),
    ("check", "ben=0"),
    ("end",),
    ("undo",),
    ("undo",),
    ("redo",),
)


@pytest.mark.parametrize("seed", range(8))
def test_what_commands_write_has_no_problems(seed: int, pollctl: Pollctl) -> None:
    """Whatever commands record, correct and take back is in order, unless the table differs."""
    rng = random.Random(seed)
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "evening.toml")
    for _ in range(50):
        pollctl(*(part.format(rng.randint(1, 9)) for part in rng.choice(COMMANDS)))
    answer = pollctl("audit", "evening.toml", "--json").json["sessions"][0]
    problems = [told["code"] for told in answer["problems"] if told["code"] != "table"]
    assert (problems, answer["chain"]) == ([], "intact")


Case = tuple[list[tuple[str, ...]], str, dict[int, str]]

TURNS: dict[str, Case] = {
    "in turn": ([], "", {}),
    "out of turn": ([], "ben", {2: "it was Cai's turn"}),
    "amended before": (
        [("round", "amend", "1", "--pollster", "ben")],
        "ann",
        {1: "it was Ann's turn"},
    ),
    "amended, and the old turn kept": (
        [("round", "amend", "1", "--pollster", "ben")],
        "cai",
        {1: "it was Ann's turn", 2: "it was Ann's turn"},
    ),
    "amended and back": ([("round", "amend", "1", "--pollster", "ben"), ("undo",)], "cai", {}),
    "voided before": ([("round", "void", "1")], "ann", {}),
    "voided and back": ([("round", "void", "1"), ("undo",)], "cai", {}),
    "voided, back and voided": ([("undo",), ("redo",), ("undo",)], "ann", {}),
    "an empty seat passed over": ([("player", "leave", "cai")], "ben", {}),
    "an empty seat not passed over": ([("player", "leave", "cai")], "ann", {2: "Ben's turn"}),
    "a new seat": ([("player", "join", "Dee")], "dee", {}),
    "back in the seat": ([("player", "leave", "cai"), ("undo",)], "cai", {}),
    "gone and back": ([("player", "leave", "cai"), ("player", "join", "cai")], "cai", {}),
    "another name": ([("player", "rename", "cai", "Zoe")], "zoe", {}),
    "another's name": (
        [("player", "rename", "cai", "Zoe"), ("player", "rename", "ben", "Cai")],
        "cai",
        {2: "it was Zoe's turn"},
    ),
}
"""What comes between two rounds, the pollster of the second, and the warnings by round."""


@pytest.mark.parametrize("case", TURNS)
def test_turns_are_judged_as_they_were(case: str, pollctl: Pollctl) -> None:
    """Who was out of turn is judged as the log stood when the round was recorded."""
    between, pollster, expected = TURNS[case]
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "evening.toml")
    pollctl("round", "add", "1y1n0n")
    for command in between:
        assert pollctl(*command).status == 0
    seated = done(pollctl, "standings --json").json["standings"]
    ballots = ["1y"] * sum(row["rank"] is not None for row in seated)
    turn = ["--pollster", pollster] if pollster else []
    assert pollctl("round", "add", *ballots, *turn).status == 0
    assert pollctl("round", "add", *ballots).status == 0
    told = pollctl("audit", "evening.toml", "--json").json["sessions"][0]["warnings"]
    found = {each["round"]: each["text"] for each in told if each["code"] == "turn"}
    assert found.keys() == expected.keys()
    assert all(expected[number] in text for number, text in found.items())


COMPARED: dict[str, tuple[list[str], list[str]]] = {
    "it held": (["check ann=1 ben=1"], []),
    "it held, and a correction came": (["check ann=1", "ruling ann=+2:why"], []),
    "it holds by now": (["check ann=3", "ruling ann=+2:why"], []),
    "each in one way": (["check ann=1 ben=2", "ruling ann=+2:why", "ruling ben=+1:why"], []),
    "it never held": (["check cai=2"], ["Cai had 2 on the table, and 0 in the log"]),
    "two never held": (["check cai=2 ann=0"], ["Ann had 0", "Cai had 2"]),
    "nor after a correction": (
        ["check ann=2", "ruling ann=+2:why"],
        ["Ann had 2 on the table, and 1 in the log then and 3 now"],
    ),
    "a round later": (["check ann=2", "round add 0n1n1n"], ["Ann had 2"]),
    "the table was put right": (["check ann=2", "check ann=1"], []),
    "another was put right": (["check ann=2", "check ben=1"], ["Ann had 2"]),
    "it was voided": (["check ann=2", "void 3"], []),
    "under another name": (
        ["check ann=1 ben=2", "player rename ann Zoe", "player rename ben Ann"],
        ["Ann had 2 on the table, and 1 in the log"],
    ),
    "who left": (["player leave ann", "check ann=1"], []),
    "who is new": (["player join Dee", "check dee=0", "round add 0n0n0n0n"], []),
    "who was taken back": (
        ["player join Dee", "check dee=1", "void 3"],
        ["Dee had 1 on the table, and 0 in the log then and nothing now"],
    ),
}
"""What is recorded after a round that brought Ann and Ben 1, and what does not agree with it."""


@pytest.mark.parametrize("case", COMPARED)
def test_the_table_is_compared(case: str, pollctl: Pollctl) -> None:
    """What stood on the table is in order if the log said so then, says so now, or did so later."""
    lines, expected = COMPARED[case]
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "evening.toml")
    pollctl("round", "add", "2y2y1n")
    for line in lines:
        assert pollctl(*line.split()).status == 0 or line.startswith("check")
    told = pollctl("audit", "evening.toml", "--json").json["sessions"][0]["problems"]
    assert [each["code"] for each in told] == ["table"] * len(expected)
    assert all(text in each["text"] for text, each in zip(expected, told, strict=True))


def test_a_later_void_makes_no_irregularity(pollctl: Pollctl) -> None:
    """Rounds recorded in turn stay so when an earlier one is voided afterwards."""
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "evening.toml")
    for _ in range(3):
        pollctl("round", "add", "1y1n0n")
    pollctl("round", "void", "1")
    assert findings(pollctl("audit", "evening.toml", "--json")) == [("warnings", "unfinished")]


def test_a_later_void_opens_no_card(pollctl: Pollctl) -> None:
    """A card that was played when the next one was drawn stays so though its round is voided."""
    done(pollctl, "new poll Ann Ben Cai -o s.toml", "draw", "round add 1y1n1n -q mine", "draw")
    done(pollctl, "void 3")
    assert findings(pollctl("audit", "s.toml", "--json")) == [("warnings", "unfinished")]


def test_a_voided_round_is_not_warned_about(file: Path, pollctl: Pollctl) -> None:
    """A round out of turn that was voided is as if never played, and no warning is left of it."""
    file.write_bytes((FOLDER / "turn.toml").read_bytes())
    assert findings(pollctl("audit", str(file), "--json")) == [("warnings", "turn")]
    pollctl("round", "void", "2", "-s", str(file))
    assert findings(pollctl("audit", str(file), "--json")) == [("warnings", "unfinished")]


def test_strict_lets_warnings_count(pollctl: Pollctl) -> None:
    """Warnings alone are in order, and not in order with --strict."""
    path = str(FOLDER / "slip.toml")
    for options, status in (((), 0), (("--strict",), 1)):
        answer = pollctl("audit", path, "--json", *options)
        assert (answer.status, answer.json["sessions"][0]["ok"]) == (status, not status)
        words = pollctl("audit", path, *options)
        assert words.status == status
        assert ("not in order" in words.out) == bool(status)


REASON = "Ben meant it"

ACKNOWLEDGED: list[tuple[str, dict[str, Any], str | None]] = [
    ("by its code", {"warning": "slip"}, REASON),
    ("by its round", {"warning": "slip", "round": 2}, REASON),
    ("by its entry", {"warning": "slip", "target": 3}, REASON),
    ("another code", {"warning": "turn"}, None),
    ("another round", {"warning": "slip", "round": 1}, None),
    ("another entry", {"warning": "slip", "target": 2}, None),
]


@pytest.mark.parametrize(
    ("fields", "reason"), [row[1:] for row in ACKNOWLEDGED], ids=[row[0] for row in ACKNOWLEDGED]
)
def test_an_acknowledged_warning_stays_listed(
    fields: dict[str, Any], reason: str | None, file: Path, pollctl: Pollctl
) -> None:
    """A warning acknowledged in the session is listed with its reason, and --strict passes it."""
    told = event(4, "acknowledge", **fields, reason=REASON)
    file.write_bytes(sealed([*EVENTS["slip"], told]))
    answer = pollctl("audit", str(file), "--json", "--strict")
    (warning,) = answer.json["sessions"][0]["warnings"]
    assert (warning.get("acknowledged"), answer.status) == (reason, 0 if reason else 1)
    words = flat(pollctl("audit", str(file)).out)
    assert ("Acknowledged: Ben meant it." in words) == bool(reason)


def test_an_acknowledgement_can_be_taken_back(file: Path, pollctl: Pollctl) -> None:
    """A voided acknowledgement acknowledges nothing."""
    told = event(4, "acknowledge", warning="slip", reason=REASON)
    back = event(5, "void", target=4, by="void")
    file.write_bytes(sealed([*EVENTS["slip"], told, back]))
    assert pollctl("audit", str(file), "--strict").status == 1


def test_problems_are_not_acknowledged(file: Path, pollctl: Pollctl) -> None:
    """An acknowledgement speaks for warnings, and makes no problem go away."""
    told = event(5, "acknowledge", warning="unlawful", reason="it was late")
    file.write_bytes(sealed([*EVENTS["unlawful"], told]))
    assert pollctl("audit", str(file)).status == 1
