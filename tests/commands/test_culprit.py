"""The culprit finder: which single entry would explain the table, and what puts it right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shlex import join, split
from typing import Any

import pytest

from tests.commands import DICE, POLL, TIE, done, snapshot
from tests.conftest import Pollctl
from tests.log import opening, round_event, sealed

ONCE = (POLL, "round add 2y 2y 3n")
"""Two said Yes: Ann 1, Ben 1, Cai 0."""
AGAIN = (*ONCE, "round add 2y 2y 4n")
"""Ann 2, Ben 2, Cai 0."""
OBJECTED = (DICE, "round add 64 61 52 -L cai -d 1x2,2x2,3x2,4x4,5x3,6x1")
"""The Large majority, 6, was wrong: Ann 3, Ben 4, Cai 4."""
REFUTED = (DICE, "round add 64 61 52 -L cai -d 1x2,2x2,3x1,4x4,5x1,6x4")
"""It was right: Ann 4, Ben 5, Cai 0."""

FIRST = {
    "a chip": (ONCE, "ann=0 ben=0 cai=2", "round amend 1 Cai:3y"),
    "a card": (ONCE, "ann=0 ben=2 cai=0", "round amend 1 Ann:1y"),
    "neighbours": (
        (POLL, "round add 1y 0n 0n"),
        "ann=0 ben=2 cai=0",
        "round amend 1 Ann:0n Ben:1y",
    ),
    "the last and the first": (
        (POLL, "round add 1y 0n 0n"),
        "ann=0 ben=0 cai=2",
        "round amend 1 Ann:0n Cai:1y",
    ),
    "a penalty forgotten": (AGAIN, "ann=1 ben=2 cai=0", "penalty Ann=chip --round 2"),
    "a penalty that was none": (
        (*ONCE, "round add 2y 2y 4n -p ann=chip"),
        "ann=2 ben=2 cai=0",
        "round amend 2 --clear penalties",
    ),
    "one penalty of two": (
        (*ONCE, "round add 2y 2y 4n -p ann=chip -p ben=answer"),
        "ann=2 ben=1 cai=0",
        "round amend 2 -p Ben=answer",
    ),
    "a penalty of another": (
        (POLL, "round add 2y 2y 2n -p ann=answer"),
        "ann=1 ben=0 cai=1",
        "round amend 1 -p Ben=answer",
    ),
    "a late penalty": ((*ONCE, "penalty ann=answer"), "ann=1 ben=1 cai=0", "void 3"),
    "a late amendment": ((*ONCE, "round amend 1 cai:3y"), "ann=1 ben=1 cai=0", "void 3"),
    "a round taken back": ((*AGAIN, "round void 1"), "ann=2 ben=2 cai=0", "void 4"),
    "a round recorded twice": (
        (*ONCE, "round add 2y 2y 3n"),
        "ann=1 ben=1 cai=0",
        "round void 2",
    ),
    "a dispute upheld": (
        (*ONCE, "dispute add ann=answer"),
        "ann=0 ben=1 cai=0",
        "dispute uphold 3",
    ),
    "a dispute rejected": (
        (*ONCE, "dispute add ann=answer", "dispute uphold"),
        "ann=1 ben=1 cai=0",
        "void 4",
    ),
    "a ruling the other way": (
        (*AGAIN, "ruling ann=-1 --reason 'so it is'"),
        "ann=3 ben=2 cai=0",
        "round amend 2 --ruling 'Ann=+1:so it is'",
    ),
    "a ruling of another": (
        (POLL, "round add 2y 2y 3n --ruling ann=+2:why"),
        "ann=1 ben=3 cai=0",
        "round amend 1 --ruling Ben=+2:why",
    ),
    "a dial": ((DICE, "round add 64 61 52"), "ann=3 ben=5 cai=4", "round amend 1 Ben:51"),
    "a stick of nobody's": (OBJECTED, "ann=4 ben=5 cai=3", "round amend 1 --clear large_stick"),
    "a stick of another": (OBJECTED, "ann=0 ben=5 cai=3", "round amend 1 -L Ann"),
    "a stick forgotten": (
        (DICE, "round add 64 61 52 -d 1x2,2x2,3x2,4x4,5x3,6x1"),
        "ann=3 ben=4 cai=4",
        "round amend 1 -L Cai",
    ),
    "a rule of the round": (
        (DICE, "round add 64 61 52 --override majority=2"),
        "ann=4 ben=5 cai=3",
        "round amend 1 --clear overrides",
    ),
    "one rule of two": (
        (DICE, "round add 64 61 52 --override majority=2 --override need_one=1"),
        "ann=4 ben=5 cai=3",
        "round amend 1 --clear overrides",
    ),
}
"""Games, the table beside them, and the first command that is suggested."""


def check(pollctl: Pollctl, lines: tuple[str, ...], table: str, *more: str) -> Any:
    """The culprits of a check after these lines, as JSON."""
    Path("game.toml").unlink(missing_ok=True)
    done(pollctl, *lines)
    answer = pollctl("check", *split(table), "--json", *more)
    assert (answer.status, answer.err) == (1, "")
    return answer.json["culprits"]


@pytest.mark.parametrize("case", FIRST)
def test_the_likeliest_comes_first(case: str, pollctl: Pollctl) -> None:
    """Each kind of mistake is named by the command that puts it right."""
    lines, table, command = FIRST[case]
    found = check(pollctl, lines, table)
    assert found[0]["command"] == f"pollctl {command}", [each["command"] for each in found]


@pytest.mark.parametrize("case", FIRST)
def test_every_suggestion_makes_the_check_agree(case: str, pollctl: Pollctl) -> None:
    """Whatever is suggested, alternatives included, is recorded and explains the whole table."""
    lines, table, _ = FIRST[case]
    found = check(pollctl, lines, table)
    data = Path("game.toml").read_bytes()
    for command in [line for each in found for line in (each["command"], *each["alternatives"])]:
        done(pollctl, command.removeprefix("pollctl "))
        assert pollctl("check", *split(table)).status == 0, command
        Path("game.toml").write_bytes(data)


def test_alternatives_are_told_together(pollctl: Pollctl) -> None:
    """What only differs in a value that makes no difference is one suggestion."""
    (card,) = check(pollctl, ONCE, "ann=0 ben=2 cai=0")
    commands = {card["command"], *card["alternatives"]}
    assert commands == {f"pollctl round amend 1 Ann:{each}y" for each in (0, 1, 3, 4, 5, 6, 7, 8)}
    assert card["text"] == "round 1: Ann's card was 1 (or 3, 0, 4, 5, 6, 7, …), not 2"
    assert (card["round"], card["event"]) == (1, 2)


def test_every_explanation_is_there_and_none_other(pollctl: Pollctl) -> None:
    """A player one space short may have been fined in either round, or moved by a ruling."""
    found = check(pollctl, AGAIN, "ann=1 ben=2 cai=0")
    assert [(each["command"], each["text"]) for each in found] == [
        (
            "pollctl penalty Ann=chip --round 2",
            "round 2: a penalty of Ann's was forgotten: chip (or answer)",
        ),
        (
            "pollctl penalty Ann=answer --round 1",
            "round 1: a penalty of Ann's was forgotten: answer",
        ),
        (
            "pollctl ruling Ann=-1 --reason 'as it stands on the table' --round 2",
            "round 2: a ruling of -1 for Ann was forgotten",
        ),
    ]


def test_unknown_players_explain_nothing_and_forbid_nothing(pollctl: Pollctl) -> None:
    """Who is not named in the check may stand anywhere."""
    found = check(pollctl, ONCE, "cai=2")
    assert [each["command"] for each in found] == [
        "pollctl round amend 1 Cai:3y",
        "pollctl ruling Cai=+2 --reason 'as it stands on the table' --round 1",
    ]


def test_recent_mistakes_come_first(pollctl: Pollctl) -> None:
    """Of the same mistake in several rounds the latest comes first, whatever else there is."""
    lines = (POLL, *["round add 1y 0n 0n"] * 3)
    found = check(pollctl, lines, "ann=4 ben=0 cai=0")
    assert [each["round"] for each in found if " Ann:0y" in each["command"]] == [3, 2, 1]


@pytest.mark.parametrize(("held", "first"), [("ben=1", 1), ("ann=1", 2), ("ann=1 ben=1", 2)])
def test_what_a_check_has_cleared_is_unlikely(held: str, first: int, pollctl: Pollctl) -> None:
    """What was recorded before a check that held, of whoever differs now, comes late."""
    lines = (POLL, "round add 2y 2y 2n", f"check {held}", "round add 4y 4y 4n")
    found = check(pollctl, lines, "ann=0 ben=1 cai=1")
    assert [each["round"] for each in found][:2] == [first, 3 - first]


LONG = (POLL, *["round add 1y 0n 0n"] * 4)
"""Ann alone was right four times: 8."""

WORDS = """
  Ann: 0 on the table, 1 in the log: 1 less.
  Ben: 2 on the table, 1 in the log: 1 more.

This would explain it:
  round 1: Ann's card was 1 (or 3, 0, 4, 5, 6, 7, …), not 2
    pollctl round amend 1 Ann:1y

1. Ann 1   1. Ben 1   3. Cai 0
"""


def test_a_host_reads_the_mistake_and_types_the_command(pollctl: Pollctl) -> None:
    """In words each explanation is a sentence and, on a line of its own, the command."""
    done(pollctl, *ONCE)
    answer = pollctl("check", "ann=0", "ben=2", "cai=0")
    assert (answer.status, answer.err) == (1, "")
    assert WORDS in answer.out


def test_a_noisy_table_is_told_the_likeliest(pollctl: Pollctl) -> None:
    """Five explanations are told, the others counted; --all tells every one."""
    found = check(pollctl, LONG, "ann=7")
    brief, every = pollctl("check", "ann=7"), pollctl("check", "ann=7", "--all")
    commands = [each["command"] for each in found]
    assert [command in brief.out for command in commands] == [
        place < 5 for place in range(len(commands))
    ]
    assert f"… and {len(found) - 5} more, less likely: check again with -n --all." in brief.out
    assert all(command in every.out for command in commands)


def test_nothing_may_explain_it(pollctl: Pollctl) -> None:
    """Where several entries would have to be wrong, it is said so; where all agrees, nothing is."""
    assert check(pollctl, ONCE, "ann=9 ben=7") == []
    assert "No single entry explains it." in pollctl("check", "ann=9", "ben=7").out
    assert pollctl("check", "ann=1", "--json").json["culprits"] == []
    assert "explain" not in pollctl("check", "ann=1").out


def test_a_very_long_game_is_searched_for_what_it_costs_little_to_find(
    pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond some effort only mistakes are followed that did at once what the table shows."""
    found = check(pollctl, LONG, "ann=7")
    monkeypatch.setattr("pollctl.culprit.EFFORT", -1)
    assert check(pollctl, LONG, "ann=7") == found


LOADED = """
import sys
from pollctl.cli import run
for table in (["ann=1"], ["ann=0"]):
    run(["check", *table, "-n", "-s", "game.toml"])
    print("pollctl.culprit" in sys.modules)
"""


def test_only_a_difference_costs_the_search(pollctl: Pollctl) -> None:
    """While table and log agree the finder is not even loaded."""
    done(pollctl, *ONCE)
    answer = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=True)
    flags = [line for line in answer.stdout.decode().splitlines() if line in ("True", "False")]
    assert flags == ["False", "True"]


def test_before_the_first_round_nothing_is_wrong(pollctl: Pollctl) -> None:
    """With no entry there is none that explains anything."""
    assert check(pollctl, (POLL,), "ann=3") == []


def test_a_dry_run_explains_too(pollctl: Pollctl, room: Path) -> None:
    """With -n the explanations are the same, and nothing is written."""
    done(pollctl, *ONCE)
    before = snapshot(room)
    dry = pollctl("check", "cai=2", "-n", "--json").json["culprits"]
    assert snapshot(room) == before
    assert dry == pollctl("check", "cai=2", "--json").json["culprits"]


def test_the_session_that_was_named_is_named_again(pollctl: Pollctl) -> None:
    """Where the check names its session, so do the commands that it suggests."""
    lines = ("use 'my game.toml'", "round add 2y 2y 3n", "new poll Ann Ben Cai -o other.toml")
    done(pollctl, "new poll Ann Ben Cai -o 'my game.toml'", *lines)
    found = pollctl("check", "cai=2", "-s", "my game.toml", "--json").json["culprits"]
    assert found[0]["command"] == "pollctl round amend -s 'my game.toml' 1 Cai:3y"
    done(pollctl, found[0]["command"].removeprefix("pollctl "))
    assert pollctl("check", "cai=2", "-s", "my game.toml").status == 0


def test_names_are_typed_as_a_shell_takes_them(pollctl: Pollctl) -> None:
    """Names with blanks, quotes, wide characters, or that look like an option, can be copied."""
    names = ("-Ann", "Ben O'Hara", "李 雷")
    done(pollctl, f"new poll -o game.toml -- {join(names)}", "round add 2y 2y 2n")
    data = Path("game.toml").read_bytes()
    for name in names:
        table = [f"{each}={int(each != name)}" for each in names]
        found = pollctl("check", "--json", "--", *table).json["culprits"]
        commands = [
            command for each in found for command in (each["command"], *each["alternatives"])
        ]
        assert any("amend" in command for command in commands)
        assert any("penalty" in command for command in commands)
        assert any("ruling" in command for command in commands)
        for command in commands:
            done(pollctl, command.removeprefix("pollctl "))
            assert pollctl("check", "--", *table).status == 0, command
            Path("game.toml").write_bytes(data)


def test_what_would_be_refused_is_not_suggested(pollctl: Pollctl) -> None:
    """A mistake after which a later round can't have been played explains nothing."""
    (ruling,) = check(pollctl, TIE, "ann=0 ben=2 cai=0")
    assert ruling["command"].startswith("pollctl ruling Ann=-2 ")
    forced = pollctl("round", "amend", "1", "ann:1y", "--force")
    assert (forced.status, pollctl("check", "ann=0", "ben=2", "cai=0").status) == (0, 0)


def test_a_round_passed_over_may_be_the_mistake(pollctl: Pollctl) -> None:
    """What made a round impossible is suspected, and so is what would make it possible."""
    forced = (*TIE, "round amend 1 ann:1y --force")
    assert check(pollctl, forced, "ann=2 ben=2")[0]["command"] == "pollctl void 4"
    cast = (DICE, "round add 64 61 51", "round add 64 61 52 -L cai -d 11223344445556")
    over = (*cast, "round amend 2 cai:62", "round amend 2 --clear dice", "void 4 --force")
    found = check(pollctl, over, "ann=5 ben=7 cai=4")
    assert [each["command"] for each in found] == ["pollctl round amend 2 --clear large_stick"]


def test_seats_change_between_rounds(pollctl: Pollctl) -> None:
    """A mistake is followed through leaving and joining, also of whoever has left."""
    lines = (
        *ONCE,
        "player leave ben",
        "player join Dee --after ann",
        "round add ann:1y dee:3n cai:1n",
        "player join ben",
        "round add 3y 3n 3n 3n",
    )
    found = check(pollctl, lines, "ann=1 ben=0 cai=3 dee=0")
    assert [each["command"] for each in found] == ["pollctl round amend 1 Cai:3y"]


def test_a_round_that_makes_no_sense_is_left_alone(pollctl: Pollctl) -> None:
    """A file made by other hands may hold rounds that no slip can be seen in."""
    odd = [{"player": "Ann", "card": "x"}, {"player": "Ben", "chip": 7}, {"player": "Cai"}]
    events = (opening(), round_event(2, 1), round_event(3, 2, ballots=odd))
    Path("game.toml").write_bytes(sealed(events))
    found = pollctl("check", "ann=0", "ben=0", "cai=0", "--json", "-s", "game.toml").json[
        "culprits"
    ]
    assert {each["round"] for each in found} == {1}
