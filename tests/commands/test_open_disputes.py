"""What the standings say while disputes are open: what hangs on them, and how it would stand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from wcwidth import wcswidth

from pollctl.log import seal_all
from tests.commands import DICE, POLL, TIE, done, snapshot
from tests.rules import log
from tests.rules.random_games import random_game

if TYPE_CHECKING:
    from tests.conftest import Pollctl

ROUNDS = (POLL, "round add 2y2y3n", "round add 1y3n3n", "round add 3y1n1n")
"""Ann, Ben, Cai: 1 1 0, then 3 1 0, then 3 2 1."""
RACE = (f"{POLL} --rule spaces=3", "round add 2y2y3n", "round add 2y2y3n", "round add 1y3n3n")
"""1 1 0, then 2 2 0; then Ann wins with 3 2 0."""
DIALS = (f"{DICE} --rule rounds=2", "round add 64 61 52", "round add 11 22 33")
"""Ann 4, Ben 5, Cai 3; then 5, 5, 4: Ann and Ben share the win."""

TOLD: list[tuple[Sequence[str], str]] = [
    (
        (*ROUNDS, "dispute add ben=answer"),
        """\
1 dispute is open: entry 5, answer penalty of Ben in round 3.
It can change the order, not who leads.
  rejected   1. Ann 3   2. Ben 2   3. Cai 1
  upheld     1. Ann 3   2. Ben 1   2. Cai 1
""",
    ),
    (
        (*ROUNDS, "dispute add ann=-2 --reason 'moved twice' --round 2"),
        """\
1 dispute is open: entry 5, ruling Ann -2 (moved twice) in round 2.
It can change the order, and who leads.
  rejected   1. Ann 3   2. Ben 2   3. Cai 1
  upheld     1. Ben 2   2. Ann 1   2. Cai 1
""",
    ),
    (
        (*ROUNDS, "dispute add ann=chip --round 1"),
        """\
1 dispute is open: entry 5, chip penalty of Ann in round 1.
However it is decided, nothing changes.
""",
    ),
    (
        (*ROUNDS, "dispute add cai=-1 --reason late", "dispute add ann=+1 --reason late"),
        """\
2 disputes are open:
  entry 5, round 3: ruling Cai -1 (late)
  entry 6, round 3: ruling Ann +1 (late)
They can't change the order. With these upheld:
  none   1. Ann 3   2. Ben 2   3. Cai 1
  5      1. Ann 3   2. Ben 2   3. Cai 0
  6      1. Ann 4   2. Ben 2   3. Cai 1
  5+6    1. Ann 4   2. Ben 2   3. Cai 0
""",
    ),
    (
        (*ROUNDS, "dispute add ben=answer --round 2", "dispute add ben=answer"),
        """\
2 disputes are open:
  entry 5, round 2: answer penalty of Ben
  entry 6, round 3: answer penalty of Ben
They can change the order, not who leads. With these upheld:
  none     1. Ann 3   2. Ben 2   3. Cai 1
  5 or 6   1. Ann 3   2. Ben 1   2. Cai 1
  5+6      1. Ann 3   2. Cai 1   3. Ben 0
""",
    ),
    (
        (*RACE, "dispute add ben=answer"),
        """\
1 dispute is open: entry 5, answer penalty of Ben in round 3.
It can't change the order or the winner.
  rejected   1. Ann 3   2. Ben 2   3. Cai 0
  upheld     1. Ann 3   2. Ben 1   3. Cai 0
""",
    ),
    (
        (*RACE, "dispute add ann=answer"),
        """\
1 dispute is open: entry 5, answer penalty of Ann in round 3.
It decides whether Ann has won.
  rejected   1. Ann 3   2. Ben 2   3. Cai 0   Ann wins
  upheld     1. Ann 2   1. Ben 2   3. Cai 0   no winner yet
""",
    ),
    (
        (*RACE, "dispute add ben=+1 --reason fair --round 2"),
        """\
1 dispute is open: entry 5, ruling Ben +1 (fair) in round 2.
It decides between Ann and Ben.
  rejected   1. Ann 3   2. Ben 2   3. Cai 0   Ann wins
  upheld     1. Ben 3   2. Ann 2   3. Cai 0   Ben wins
             Round 3 could not have been played: the game was over (P17).
""",
    ),
    (
        (*RACE, "dispute add ann=answer", "dispute add ben=+1 --reason fair"),
        """\
2 disputes are open:
  entry 5, round 3: answer penalty of Ann
  entry 6, round 3: ruling Ben +1 (fair)
They decide who has won: Ann, or nobody yet, or Ben. With these upheld:
  none   1. Ann 3   2. Ben 2   3. Cai 0   Ann wins
  5      1. Ann 2   1. Ben 2   3. Cai 0   no winner yet
  6      1. Ann 3   1. Ben 3   3. Cai 0   tie of Ann and Ben
  5+6    1. Ben 3   2. Ann 2   3. Cai 0   Ben wins
""",
    ),
    (
        (*TIE, "round add 2y1yn", "dispute add ben=chip --round 2"),
        """\
1 dispute is open: entry 5, chip penalty of Ben in round 2.
It can't change the order or the winner.
  rejected   1. Ann 2   2. Ben 2   3. Cai 0
  upheld     1. Ann 2   2. Ben 1   3. Cai 0
             Round 3 could not have been played: the game was over (P17).
""",
    ),
    (
        (
            *TIE,
            "round add 2y1yn",
            "dispute add ann=answer --round 2",
            "dispute add ben=answer --round 2",
        ),
        """\
2 disputes are open:
  entry 5, round 2: answer penalty of Ann
  entry 6, round 2: answer penalty of Ben
They decide who has won: Ann, or Ben, or nobody yet. With these upheld:
  none   1. Ann 2   2. Ben 2   3. Cai 0   Ann wins
  5      1. Ben 2   2. Ann 1   3. Cai 0   Ben wins
         Round 3 could not have been played: the game was over (P17).
  6      1. Ann 2   2. Ben 1   3. Cai 0   Ann wins
         Round 3 could not have been played: the game was over (P17).
  5+6    1. Ann 1   1. Ben 1   3. Cai 0   no winner yet
         Round 3 could not have been played: Cai owes a Voting Card: 0 to 8
           before the chip, as in 3y (P6).
""",
    ),
    (
        (*ROUNDS, "dispute add ben=answer", "penalty ben=answer"),
        """\
1 dispute is open: entry 5, answer penalty of Ben in round 3.
It can't change the order.
  rejected   1. Ann 3   2. Ben 1   2. Cai 1
  upheld     can't be: Ben has the answer penalty of this round already (P18).
""",
    ),
    (
        (*ROUNDS, *["dispute add ben=answer"] * 2, "dispute add ben=chip --round 1"),
        """\
3 disputes are open:
  entry 5, round 3: answer penalty of Ben
  entry 6, round 3: answer penalty of Ben
  entry 7, round 1: chip penalty of Ben
They can change the order, not who leads. With these upheld:
  none     1. Ann 3   2. Ben 2   3. Cai 1
  5 or 6   1. Ann 3   2. Ben 1   2. Cai 1
  5+6      can't be: Ben has the answer penalty of this round already (P18).
  Entry 7: upheld or not, it is the same.
""",
    ),
    (
        (*ROUNDS, *[f"dispute add ben=+{n} --reason late" for n in range(1, 6)]),
        """\
5 disputes are open:
  entry 5, round 3: ruling Ben +1 (late)
  entry 6, round 3: ruling Ben +2 (late)
  entry 7, round 3: ruling Ben +3 (late)
  entry 8, round 3: ruling Ben +4 (late)
  entry 9, round 3: ruling Ben +5 (late)
Too many to say what every combination brings: decide some of them first.
""",
    ),
    (
        (*DIALS, "dispute add ben=+1 --reason fair"),
        """\
1 dispute is open: entry 4, ruling Ben +1 (fair) in round 2.
It decides who has won: Ann and Ben, or Ben.
  rejected   1. Ann 5   1. Ben 5   3. Cai 4   Ann and Ben share the win
  upheld     1. Ben 6   2. Ann 5   3. Cai 4   Ben wins
""",
    ),
    (
        (*DIALS, "dispute add cai=-1 --reason fair", "dispute add cai=+1 --reason fair --round 1"),
        """\
2 disputes are open:
  entry 4, round 2: ruling Cai -1 (fair)
  entry 5, round 1: ruling Cai +1 (fair)
They decide who has won: Ann and Ben, or Ann, Ben and Cai. With these upheld:
  none or 4+5   1. Ann 5   1. Ben 5   3. Cai 4   Ann and Ben share the win
  4             1. Ann 5   1. Ben 5   3. Cai 3   Ann and Ben share the win
  5             1. Ann 5   1. Ben 5   1. Cai 5   Ann, Ben and Cai share the win
""",
    ),
    (
        (
            f"{DICE} --rule start=1",
            "round add 64 61 52",
            "round add 64 61 52 -L cai",
            "dispute add cai=+2 --reason fair --round 1",
        ),
        """\
1 dispute is open: entry 4, ruling Cai +2 (fair) in round 1.
It can change the order, and who leads.
  rejected   1. Ben 5   2. Ann 3   3. Cai 1
  upheld     1. Ben 3   1. Cai 3   3. Ann 2
             Round 2 could not have been played: Cai's Large objection needs the
               dice: uncover them and give them with -d (D13).
""",
    ),
]
"""An evening with what it disputes, and what is said of it below the table, worked out by hand."""


@pytest.mark.parametrize(("evening", "words"), TOLD, ids=[case[-1] for case, _ in TOLD])
def test_by_hand(pollctl: Pollctl, evening: Sequence[str], words: str) -> None:
    """The standings say what hangs on the disputes, and how it would stand, below the table."""
    out = done(pollctl, *evening, "standings").out
    assert out.split("\n\n", 2)[2] == f"{words}\n{out.splitlines()[-1]}\n"
    assert all(len(line) <= 80 for line in out.splitlines())


def test_the_answer_in_json(pollctl: Pollctl) -> None:
    """With --json: what is open, what it changes, each combination, and what can't be recorded."""
    lines = [*ROUNDS, *["dispute add ben=answer"] * 2]
    told = done(pollctl, *lines, "standings --json").json
    open_ = told["disputes"]
    assert list(open_) == ["open", "changes_order", "changes_winner", "combinations", "refused"]
    about = {"round": 3, "player": "Ben", "penalty": "answer"}
    assert open_["open"] == [{"event": 5, **about}, {"event": 6, **about}]
    assert (open_["changes_order"], open_["changes_winner"]) == (True, False)
    assert [each["upheld"] for each in open_["combinations"]] == [[], [5], [6]]
    none, fifth, _ = open_["combinations"]
    assert none.pop("upheld") == none.pop("impossible") == []
    assert none == {key: told[key] for key in none}
    assert fifth["standings"][1] == {"rank": 2, "player": "Ben", "score": 1, "change": 0}
    text = "Ben has the answer penalty of this round already"
    assert open_["refused"] == [{"upheld": [5, 6], "rule": "P18", "text": text}]


def test_more_than_four_are_only_listed(pollctl: Pollctl) -> None:
    """Of five open disputes the answer says no more than which they are."""
    lines = [f"dispute add ben=+{n} --reason late" for n in range(1, 5)]
    told = done(pollctl, *ROUNDS, *lines, "standings --json").json["disputes"]
    assert len(told["combinations"]) == 16
    told = done(pollctl, "dispute add cai=answer", "standings --json").json["disputes"]
    assert [each["event"] for each in told.pop("open")] == [5, 6, 7, 8, 9]
    assert told == dict.fromkeys(("changes_order", "changes_winner", "combinations", "refused"))


DECIDED = ("undo", "dispute uphold", "dispute reject --reason no", "void 5")


@pytest.mark.parametrize("line", DECIDED)
def test_nothing_is_said_where_nothing_is_open(pollctl: Pollctl, line: str) -> None:
    """Once a dispute is decided or taken back the standings are plain again."""
    done(pollctl, *ROUNDS, "dispute add ben=answer", line)
    assert "dispute" not in done(pollctl, "standings").out
    assert "disputes" not in done(pollctl, "standings --json").json
    assert "dispute" not in done(pollctl, "round add 0n0n0n").out


def test_other_answers_point_to_the_standings(pollctl: Pollctl) -> None:
    """What is recorded while disputes are open, and their list, say where to look."""
    done(pollctl, *ROUNDS)
    assert "\n1 dispute is open: pollctl standings.\n" in done(pollctl, "dispute add ben=chip").out
    done(pollctl, "dispute add cai=chip")
    assert "\n2 disputes are open: pollctl standings.\n" in done(pollctl, "round add 0n0n0n").out
    pointer = "What the open ones can change: pollctl standings."
    assert done(pollctl, "dispute list").out.splitlines()[2:] == [pointer]
    done(pollctl, "dispute uphold 5", "dispute uphold 6")
    assert pointer not in done(pollctl, "dispute list").out


def test_as_of_a_round(pollctl: Pollctl) -> None:
    """As of a round only disputes about it and earlier ones are open, and the standings its own."""
    done(pollctl, *ROUNDS, "dispute add ben=answer", "dispute add ann=answer --round 2")
    assert "dispute" not in done(pollctl, "standings --round 1").out
    out = done(pollctl, "standings --round 2").out
    assert "open: entry 6, answer penalty of Ann in round 2.\n" in out
    assert "  upheld     1. Ann 2   2. Ben 1   3. Cai 0\n" in out


def test_under_another_rule(pollctl: Pollctl) -> None:
    """With --what-if the disputes are weighed under that rule, below what it changes."""
    done(pollctl, *ROUNDS, "dispute add ben=answer")
    out = done(pollctl, "standings --what-if penalty=2").out
    assert out.endswith("Ben 2   3. Cai 1\n  upheld     1. Ann 3   2. Cai 1   3. Ben 0\n")
    told = done(pollctl, "standings --what-if penalty=0 --json").json
    assert (told["disputes"]["changes_order"], told["what_if"]["impossible"]) == (False, [])


def test_a_format_is_a_table_alone(pollctl: Pollctl) -> None:
    """With --format nothing but the table is printed, open disputes or not."""
    line = "standings --format plain"
    assert done(pollctl, *ROUNDS, line).out == done(pollctl, "dispute add ben=answer", line).out


def test_wide_names_stand_in_columns(pollctl: Pollctl) -> None:
    """With wide and combining characters the lines of one outcome begin in one column."""
    names = ["李雷", "x\u0302\u0323", "Maximiliane-Aurora", "A" * 30, "O'Neil", "नि"]
    assert pollctl("new", "poll", *names, "-o", "game.toml").status == 0
    done(pollctl, "round add " + "6y" * 6)
    assert pollctl("dispute", "add", "李=answer").status == 0
    lines = done(pollctl, "standings").out.split("\n\n")[2].splitlines()[2:]
    assert all(wcswidth(line) <= 80 for line in lines)
    assert {line[:13] for line in lines} == {"  rejected   ", "  upheld     ", " " * 13}
    assert len(lines) == 5


def test_a_round_that_is_voided_meanwhile(pollctl: Pollctl) -> None:
    """What is about a round that no longer stands can't be upheld, and the round is told."""
    out = done(pollctl, *ROUNDS, "dispute add ben=answer", "round void 3", "standings").out
    assert "\nIt can't change the order.\n" in out
    assert "\n  upheld     can't be: round 3 is voided.\n" in out
    check(pollctl)


def test_the_names_of_now(pollctl: Pollctl) -> None:
    """Who is renamed while a dispute is open is told by the new name."""
    done(pollctl, *ROUNDS, "dispute add ben=answer", "player rename ben Benjamin")
    out = done(pollctl, "standings").out
    assert "entry 5, answer penalty of Benjamin in round 3." in out
    assert "  upheld     1. Ann 3   2. Benjamin 1   2. Cai 1" in out


STATE = ("status", "winners", "contenders", "standings", "problems")


def decided(pollctl: Pollctl, upheld: Sequence[int], rejected: Sequence[int]) -> Any:
    """The standings once disputes are upheld in this order and others rejected, or the refusal."""
    for seq in rejected:
        done(pollctl, f"dispute reject {seq} --reason no")
    for seq in upheld:
        answer = pollctl("dispute", "uphold", str(seq), "--force", "--json")
        if answer.status:
            return {key: answer.json[key] for key in ("rule", "text")}
    told = done(pollctl, "standings --json").json
    return {key: told[key] for key in STATE}


def check_combination(pollctl: Pollctl, told: Any, seqs: Sequence[int]) -> None:
    """It is what recording its decisions by force really brings, or in no order can be recorded."""
    path, upheld = Path("game.toml"), told["upheld"]
    before, found = path.read_bytes(), []
    for order in permutations(upheld):
        found.append(decided(pollctl, order, [seq for seq in seqs if seq not in upheld]))
        path.write_bytes(before)
        if "text" not in found[-1]:
            break
    refused = "text" in told
    keys = ("rule", "text") if refused else STATE
    assert found[0 if refused else -1] == {key: told[key] for key in keys}, upheld
    assert ("text" in found[-1]) == refused


def check(pollctl: Pollctl) -> None:
    """Every combination comes as it is told, and what hangs on them is told; nothing is written."""
    before = snapshot(Path())
    told = done(pollctl, "standings --json").json["disputes"]
    assert snapshot(Path()) == before
    seqs = [each["event"] for each in told["open"]]
    every = [*told["combinations"], *told["refused"]]
    assert len({tuple(each["upheld"]) for each in every}) == len(every) == 2 ** len(seqs)
    for each in every:
        check_combination(pollctl, each, seqs)
    ranks = [{r["player"]: r["rank"] for r in c["standings"]} for c in told["combinations"]]
    winners = [each["winners"] for each in told["combinations"]]
    assert told["changes_order"] == any(each != ranks[0] for each in ranks)
    assert told["changes_winner"] == any(each != winners[0] for each in winners)


FOUR = (
    *TIE,
    "round add 2y1yn",
    "dispute add ann=answer --round 2",
    "dispute add ben=answer --round 2",
    "dispute add cai=+2 --reason fair --round 1",
    "dispute add ben=answer --round 3",
)
"""Four disputes about a tie that may not have been, under three of which the game was over."""

RECORDED = [evening for evening, _ in TOLD if len(evening) < 9 and "twice" not in evening[-1]]


@pytest.mark.parametrize("evening", [*RECORDED, FOUR], ids=lambda evening: evening[-1])
def test_it_comes_as_it_is_told(pollctl: Pollctl, evening: Sequence[str]) -> None:
    """Recording the decisions of any combination brings exactly the standings that were told."""
    done(pollctl, *evening)
    check(pollctl)


@pytest.mark.parametrize("name", ["poll-game", "dice-democracy"])
def test_it_comes_as_it_is_told_in_random_games(pollctl: Pollctl, name: str) -> None:
    """So it does where the disputes are about any rounds of random games."""
    for seed in range(4):
        rng = random.Random(seed)
        game = random_game(rng, name)
        Path("game.toml").write_bytes(seal_all(b"", log(game))[0])
        done(pollctl, "use game.toml")
        for _ in range(2):
            number = rng.randint(1, len(game["round"]))
            move = f"{rng.choice(game['players'])}={rng.choice((-9, -3, -1, 1, 3)):+d}"
            done(pollctl, f"dispute add {move} --reason fair --round {number}")
        check(pollctl)
