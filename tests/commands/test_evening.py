"""Seats, table checks, disputes, an early end, a game taken over: recorded, refused, taken back."""

from __future__ import annotations

from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.commands import DICE, POLL, SCENES, begin, done, scores, snapshot

if TYPE_CHECKING:
    from tests.conftest import Pollctl

TRIO = (f"{POLL} --rule spaces=2", "round add 3y 3y 3y", "round add 3y 3y 3y")
"""Ann, Ben and Cai break a tie."""
LEFT = (*SCENES["round"], "player leave cai")
JOINED = (*SCENES["round"], "player join Dee --after ann", "round add 0n0n0n0n")
"""After round 2: Ann 2, Dee 1, Ben 2, Cai 1."""
FREED = (*SCENES["round"], "player rename ann Annie", "player rename ben Ann")
OPEN = (*SCENES["round"], "dispute add ann=answer", "dispute add ben=+1:why --round 1")
"""Entries 3 and 4 are open."""


def rows(pollctl: Pollctl) -> list[tuple[int | None, str, int]]:
    """Everybody's rank, name and score, as the standings list them."""
    table = done(pollctl, "standings --json").json["standings"]
    return [(row["rank"], row["player"], row["score"]) for row in table]


def standing(pollctl: Pollctl) -> dict[str, Any]:
    """All that can be read of a session, but for its receipts."""
    readers = ("standings", "round list", "explain", "dispute list", "next")
    told = {line: done(pollctl, f"{line} --json").json for line in readers}
    told["standings"]["receipt"] = ""
    return told


class Yes(NamedTuple):
    """One command that records something: what it says, and how everybody stands then."""

    before: tuple[str, ...]
    line: str
    said: str
    """Its first line."""
    turn: str | None
    """Whose turn comes then; None where the game is over."""
    rows: str
    """Rank, name and score of everybody."""


YES = [
    Yes(
        SCENES["round"],
        "player leave cai",
        "Recorded: Cai leaves.",
        "Ben",
        "1 Ann 1, 1 Ben 1, - Cai 0",
    ),
    Yes(LEFT, "player leave a", "Recorded: Ann leaves.", "Ben", "1 Ben 1, - Ann 1, - Cai 0"),
    Yes(
        LEFT,
        "player join CAI",
        "Recorded: Cai joins again, with 0 spaces.",
        "Cai",
        "1 Ann 1, 1 Ben 1, 3 Cai 0",
    ),
    Yes(
        LEFT,
        "player join cai --after ann",
        "Recorded: Cai joins again after Ann, with 0 spaces.",
        "Ben",
        "1 Ann 1, 1 Ben 1, 3 Cai 0",
    ),
    Yes(
        LEFT,
        "player join ca",
        "Recorded: ca joins as a new player, with 0 spaces (not Cai, who left).",
        "ca",
        "1 Ann 1, 1 Ben 1, 3 ca 0, - Cai 0",
    ),
    Yes(
        LEFT,
        "player join 李雷 --after cai",
        "Recorded: 李雷 joins as a new player after Cai, with 0 spaces.",
        "李雷",
        "1 Ann 1, 1 Ben 1, 3 李雷 0, - Cai 0",
    ),
    Yes(
        SCENES["cast"],
        "player join Dee",
        "Recorded: Dee joins as a new player, with 3 Popularity.",
        "Ben",
        "1 Ben 5, 2 Ann 4, 3 Cai 3, 3 Dee 3",
    ),
    Yes(
        SCENES["cast"],
        "player leave ben",
        "Recorded: Ben leaves.",
        "Cai",
        "1 Ann 4, 2 Cai 3, - Ben 5",
    ),
    Yes(
        SCENES["tie"],
        "player leave ben",
        "Recorded: Ben leaves: Ann is the only contender left and wins (P19).",
        None,
        "1 Ann 2, 2 Cai 0, - Ben 2",
    ),
    Yes(TRIO, "player leave ben", "Recorded: Ben leaves.", "Ann", "1 Ann 2, 1 Cai 2, - Ben 2"),
    Yes(
        LEFT,
        "player rename cai Caitlin",
        "Recorded: Cai is called Caitlin from here on.",
        "Ben",
        "1 Ann 1, 1 Ben 1, - Caitlin 0",
    ),
    Yes(
        SCENES["won"],
        "player rename ann ANN",
        "Recorded: Ann is called ANN from here on.",
        None,
        "1 ANN 2, 2 Ben 2, 3 Cai 0",
    ),
    Yes(
        FREED,
        "player rename annie Ben",
        "Recorded: Annie is called Ben from here on.",
        "Cai",
        "1 Ben 1, 1 Ann 1, 3 Cai 0",
    ),
    Yes(
        SCENES["round"],
        "end --reason 'the last bus'",
        "Recorded: the evening ends: the last bus.",
        None,
        "1 Ann 1, 1 Ben 1, 3 Cai 0",
    ),
    Yes(
        SCENES["round"],
        "dispute add ann=answer --reason 'she said so'",
        "Recorded a dispute: answer penalty of Ann in round 1.",
        "Cai",
        "1 Ann 1, 1 Ben 1, 3 Cai 0",
    ),
    Yes(
        SCENES["won"],
        "dispute add cai=+1 --reason 'a good joke' --round 1",
        "Recorded a dispute: ruling Cai +1 (a good joke) in round 1.",
        None,
        "1 Ann 2, 2 Ben 2, 3 Cai 0",
    ),
    Yes(
        OPEN,
        "dispute uphold 3 --reason seen",
        "Upheld: answer penalty of Ann in round 1.",
        "Cai",
        "1 Ben 1, 2 Ann 0, 2 Cai 0",
    ),
    Yes(
        OPEN,
        "dispute reject 3 --reason 'nobody saw it'",
        "Rejected: answer penalty of Ann in round 1.",
        "Cai",
        "1 Ann 1, 1 Ben 1, 3 Cai 0",
    ),
    Yes(
        (*OPEN, "dispute reject 3 --reason no"),
        "dispute uphold",
        "Upheld: ruling Ben +1 (why) in round 1.",
        "Cai",
        "1 Ben 2, 2 Ann 1, 3 Cai 0",
    ),
]


@pytest.mark.parametrize("case", YES, ids=[f"{case.line} {case.turn}" for case in YES])
def test_what_is_recorded(case: Yes, pollctl: Pollctl) -> None:
    """A command says in its first line what it recorded, and everybody stands as they should."""
    done(pollctl, *case.before)
    dry, before = pollctl(*split(case.line), "--dry-run"), standing(pollctl)
    answer = done(pollctl, case.line)
    assert answer.out.splitlines()[0] == case.said
    assert answer.out.split("Entry")[0] == dry.out.split("Dry run")[0]
    told = done(pollctl, "standings --json").json
    assert (told["next"] or {}).get("player") == case.turn
    listed = ", ".join(f"{rank or '-'} {player} {score}" for rank, player, score in rows(pollctl))
    assert listed == case.rows
    after = standing(pollctl)
    for _ in range(2):
        assert "Took back" in done(pollctl, "undo").out
        assert standing(pollctl) == before
        assert "Put back" in done(pollctl, "redo").out
        assert standing(pollctl) == after


@pytest.mark.parametrize("case", YES, ids=[f"{case.line} {case.turn}" for case in YES])
def test_what_is_answered_in_json(case: Yes, pollctl: Pollctl, room: Path) -> None:
    """In JSON a command answers what it says, and a dry run the same without writing."""
    done(pollctl, *case.before)
    files = snapshot(room)
    dry = done(pollctl, f"{case.line} --json --dry-run").json
    assert snapshot(room) == files
    told = done(pollctl, f"{case.line} --json").json
    assert f"{told['said'][0].upper()}{told['said'][1:]}." == case.said
    assert (dry["recorded"], told["recorded"]) == (False, True)
    assert {**dry, "recorded": True, "receipt": told["receipt"]} == told
    assert told["round"] == (1 if case.line.startswith("dispute") else None)
    changed = [(entry["player"], entry["change"]) for entry in told["entries"]]
    assert changed == {
        "dispute uphold 3 --reason seen": [("Ann", -1)],
        "dispute uphold": [("Ben", 1)],
    }.get(case.line, [])


class No(NamedTuple):
    """One refusal: after what, what is typed, under which clause, and what the message says."""

    before: tuple[str, ...]
    line: str
    rule: str | None
    text: str


VOIDED = (*OPEN, "round void 1")
DECIDED = (*OPEN, "dispute uphold 3")
SEVERAL = "several disputes are open: entry 3 and entry 4"

NO = [
    No(LEFT, "player leave cai", "P19", "Cai is not seated: seated are Ann and Ben"),
    No(LEFT, "player leave zoe", "P19", "there is no player 'zoe': the players are Ann and Ben"),
    No((*LEFT, "player leave ben"), "player leave ann", "P19", "Ann is the last one seated"),
    No(SCENES["won"], "player leave ann", "P17", "the game is over: Ann won; undo can reopen it"),
    No(SCENES["round"], "player join ann", "P19", "Ann is seated already"),
    No(SCENES["round"], "player join \uff21nn", "P19", "Ann is seated already"),
    No(SCENES["round"], "player join D:e", "P1", "can't hold ':'"),
    No(SCENES["round"], "player join ' '", "P1", "a name can't be blank"),
    No(SCENES["round"], "player join Dee --after zoe", "P19", "there is no player 'zoe'"),
    No(LEFT, "player join cai --after cai", "P19", "nobody can sit down after Cai"),
    No(
        ("new dice A B C D E F -o game.toml",),
        "player join G",
        "D1",
        "Dice Democracy is for at most 6 players",
    ),
    No(SCENES["counted"], "player join Dee", "D19", "the game is over"),
    No(SCENES["round"], "player rename ann ben", "P1", "Ben is called so already"),
    No(LEFT, "player rename ann CAI", "P1", "Cai is called so already"),
    No(SCENES["round"], "player rename ann Ann", "P1", "Ann is called so already"),
    No(SCENES["round"], "player rename zoe Ann", "P1", "there is no player 'zoe'"),
    No(SCENES["round"], "player rename ann A=n", "P1", "can't hold '='"),
    No(FREED, "void 3", "P1", "another player is called Ann by now: rename that one first"),
    No(
        (*SCENES["round"], "player rename ann Annie", "player join Ann"),
        "void 3",
        "P1",
        "another player is called Ann by now: rename that one first",
    ),
    No(
        (*SCENES["round"], "player rename ann Annie", "player join ANN"),
        "void 3 --force",
        "P1",
        "another player is called Ann by now",
    ),
    No(LEFT, "round add ann:1y ben:1n cai:1n", "P19", "Cai is not seated: seated are Ann and Ben"),
    No(LEFT, "round add ann:1y ben:1n -p cai=chip", "P19", "Cai is not seated"),
    No(LEFT, "round add 1y1n --pollster c", "P19", "Cai is not seated"),
    No(LEFT, "round add 1y1n1n", "P7", "3 ballots are given for 2 players: Ann, Ben"),
    No(
        (*LEFT, "player leave ben"),
        "round add 1y",
        "P19",
        "a round needs two players seated: let somebody join",
    ),
    No(
        JOINED,
        "round amend 1 dee:1y",
        "P19",
        "Dee was not seated: seated were Ann, Ben and Cai",
    ),
    No(JOINED, "penalty dee=chip --round 1", "P19", "Dee was not seated"),
    No(JOINED, "ruling dee=+1:why --round 1", "P19", "Dee was not seated"),
    No(JOINED, "dispute add dee=chip --round 1", "P19", "Dee was not seated"),
    No(
        JOINED,
        "void 3",
        "P7",
        "this would make round 2 impossible: Dee can't vote: not seated in this round; --force",
    ),
    No(
        (*LEFT, "player join cai"),
        "void 3",
        "P19",
        "this would make entry 4 impossible: Cai is seated already; --force records it, and the "
        "entry is passed over",
    ),
    No((*SCENES["poll"], "end"), "end", None, "the evening has ended: undo can take that back"),
    No((*SCENES["poll"], "end"), "round add 1y1y1n", None, "the evening has ended"),
    No((*SCENES["poll"], "end"), "player join Dee", None, "the evening has ended"),
    No(SCENES["won"], "end", "P17", "the game is over: Ann won"),
    No(SCENES["poll"], "end --reason ''", None, "the reason is empty"),
    No(
        (*SCENES["poll"], "end", "void 2", "round add 1y1y1n"),
        "void 3",
        None,
        "entry 4 came after that end: void it first",
    ),
    No(
        (*SCENES["poll"], "end", "void 2", "player join Dee"),
        "void 3 --force",
        None,
        "entry 4 came after that end: void it first",
    ),
    No(SCENES["poll"], "check ann=one", None, "the score of Ann is a plain number"),
    No(SCENES["poll"], "check ann", None, "a score is written PLAYER=N"),
    No(SCENES["poll"], "check zoe=1", "P1", "there is no player 'zoe'"),
    No(SCENES["poll"], "check ann=1 A=2", None, "Ann is given twice"),
    No(SCENES["poll"], "dispute add ann=chip", None, "no round is recorded yet"),
    No(SCENES["round"], "dispute add ann=fish", "P18", "chip or answer"),
    No(SCENES["round"], "dispute add ann=1", "P18", "chip or answer"),
    No(SCENES["round"], "dispute add ann=+1", None, "a ruling needs a reason"),
    No(SCENES["round"], "dispute add ann=chip --round 2", None, "round 1 is there"),
    No(SCENES["cast"], "dispute add ann=chip", None, "Dice Democracy has no penalties"),
    No(
        (*SCENES["round"], "penalty ann=answer"),
        "dispute add ann=answer",
        "P18",
        "Ann has the answer penalty of this round already",
    ),
    No(
        (*OPEN, "penalty ann=answer"),
        "dispute uphold 3",
        "P18",
        "Ann has the answer penalty of this round already",
    ),
    No(OPEN, "dispute uphold", None, SEVERAL),
    No(OPEN, "dispute reject --reason no", None, SEVERAL),
    No(OPEN, "dispute uphold 2", None, "entry 2 is no dispute; open: entry 3 and entry 4"),
    No(OPEN, "dispute uphold 9", None, "there is no entry 9"),
    No(DECIDED, "dispute uphold 3", None, "the dispute of entry 3 is decided or taken back"),
    No((*OPEN, "void 3"), "dispute uphold 3", None, "is decided or taken back already"),
    No(SCENES["round"], "dispute uphold", None, "no dispute is open"),
    No(VOIDED, "dispute uphold 3", None, "round 1 is voided"),
    No(SCENES["nothing"], f"{POLL} --start ann=12", "P12", "Ann can't start on 12"),
    No(SCENES["nothing"], f"{POLL} --start ann=11", "P14", "Ann is in the centre alone"),
    No(SCENES["nothing"], f"{POLL} --start zoe=1", "P1", "there is no player 'zoe'"),
    No(SCENES["nothing"], f"{POLL} --start ann=1 --start A=2", None, "Ann is given twice"),
    No(SCENES["nothing"], f"{DICE} --start ann=-1", None, "a plain number"),
]


@pytest.mark.parametrize("case", NO, ids=[f"{case.line}: {case.text[:30]}" for case in NO])
def test_what_is_refused(case: No, pollctl: Pollctl, room: Path) -> None:
    """A refusal is one line with its clause, in JSON too, and nothing is written."""
    done(pollctl, *case.before, "--version")
    files = snapshot(room)
    answer = pollctl(*split(case.line), "--json")
    assert (answer.status, answer.json["rule"]) == (1, case.rule)
    assert case.text in answer.json["text"]
    clause = f" ({case.rule})" if case.rule else ""
    assert answer.err == f"pollctl: {answer.json['text']}{clause}.\nNothing was written.\n"
    assert snapshot(room) == files


CHECKS: list[tuple[str, str, list[tuple[str, int, int]], str]] = [
    ("round", "ann=1 ben=1 cai=0", [], "The table and the log agree."),
    ("round", "b=1", [], "The table and the log agree."),
    ("round", "ann=3", [("Ann", 3, 1)], "Ann: 3 on the table, 1 in the log: 2 more."),
    (
        "round",
        "cai=1 ann=0",
        [("Ann", 0, 1), ("Cai", 1, 0)],
        "Ann: 0 on the table, 1 in the log: 1 less.",
    ),
    ("cast", "ann=4 ben=3", [("Ben", 3, 5)], "Ben: 3 on the table, 5 in the log: 2 less."),
    ("won", "ann=2", [], "The table and the log agree."),
]


@pytest.mark.parametrize(("scene", "table", "differ", "words"), CHECKS)
def test_check(
    scene: str, table: str, differ: list[tuple[str, int, int]], words: str, pollctl: Pollctl
) -> None:
    """A check is recorded, says who differs and by how much, and ends with 1 where anybody does."""
    begin(pollctl, scene)
    before = scores(pollctl)
    told = pollctl("check", *table.split())
    assert (told.status, words in told.out, told.err) == (bool(differ), True, "")
    answer = pollctl("check", *table.split(), "--json")
    assert (answer.status, answer.json["recorded"]) == (bool(differ), True)
    assert [tuple(each.values()) for each in answer.json["differences"]] == differ
    assert scores(pollctl) == before
    assert [each["kind"] for each in done(pollctl, "log --json").json["events"]][-2:] == [
        "check"
    ] * 2
    assert "check" not in pollctl("undo").out


def test_a_check_follows_corrections(pollctl: Pollctl) -> None:
    """What was off by one is found right once the round is amended, under a new name too."""
    begin(pollctl, "round")
    assert pollctl("check", "cai=1").status == 1
    done(pollctl, "round amend 1 cai:2n", "player rename cai Zoe")
    assert pollctl("check", "zoe=1").status == 0


def test_end(pollctl: Pollctl) -> None:
    """An evening that ended has no winner and no next round, and corrections may still be made."""
    done(pollctl, *SCENES["round"], "end --reason 'the last bus'")
    told = done(pollctl, "standings --json").json
    assert (told["status"], told["winners"], told["next"]) == ("abandoned", [], None)
    done(pollctl, "penalty ann=answer", "player rename ann Anna", "check anna=0")
    assert "ended before the game did" in done(pollctl, "standings").out
    done(pollctl, "void 3", "round add 3y 3y 3y")
    assert done(pollctl, "standings --json").json["status"] == "playing"


def test_a_forced_void_is_passed_over(pollctl: Pollctl) -> None:
    """A seat and a round that a forced void makes impossible are named, and count no more."""
    done(pollctl, *JOINED, "player leave dee")
    answer = done(pollctl, "void 3 --force --json").json
    assert [(each["event"], each["rule"]) for each in answer["warnings"]] == [(4, "P7"), (5, "P19")]
    told = done(pollctl, "standings").out
    assert "Round 2 is passed over" in told
    assert "Passed over after round 2: Dee is not seated and can't leave (P19)." in told
    assert rows(pollctl) == [(1, "Ann", 1), (1, "Ben", 1), (3, "Cai", 0)]
    done(pollctl, "void 6")
    assert rows(pollctl) == [(1, "Ann", 2), (1, "Ben", 2), (3, "Cai", 1), (None, "Dee", 1)]


def test_rounds_of_other_seats(pollctl: Pollctl) -> None:
    """A round is shown, explained and amended among those who were seated in it."""
    done(pollctl, *JOINED, "player leave ann", "round add 0n0y1n", "player rename dee Dora")
    assert "Ann 2y, Ben 2y, Cai 3n" in done(pollctl, "round show 1").out
    assert "Ann 0n, Dora 0n, Ben 0n, Cai 0n" in done(pollctl, "round show 2").out
    assert "Dora" not in done(pollctl, "explain --round 1").out
    assert "Dora: 0 + 1 = 1" in done(pollctl, "explain --player d").out
    assert pollctl("explain", "--round", "1", "--player", "dora").status == 1
    assert list(done(pollctl, "standings --round 1 --json").json["standings"][0]) == list(
        done(pollctl, "standings --json").json["standings"][0]
    )
    first = done(pollctl, "standings --round 1 --json").json
    assert [row["player"] for row in first["standings"]] == ["Ann", "Ben", "Cai"]
    assert first["next"]["player"] == "Cai"
    done(pollctl, "round amend 1 3y 3y 3n", "round amend 3 dora:1n", "penalty ann=answer --round 2")
    assert rows(pollctl) == [(1, "Dora", 2), (1, "Cai", 2), (3, "Ben", 1), (None, "Ann", 0)]
    done(pollctl, "round amend 3 1n 0y 1n", "undo", "undo")
    lists = done(pollctl, "round list --json").json["rounds"]
    assert [list(each["scores"]) for each in lists] == [
        ["Ann", "Ben", "Cai"],
        ["Ann", "Dora", "Ben", "Cai"],
        ["Ann", "Dora", "Ben", "Cai"],
    ]


def test_a_name_is_read_as_it_stood(pollctl: Pollctl) -> None:
    """What was said of a player goes with the player, though another bears the name by now."""
    done(pollctl, *SCENES["round"], "dispute add ann=answer", "player rename ann Annie")
    done(pollctl, "player rename ben Ann", "round amend 1 ann:3y", "dispute uphold")
    assert rows(pollctl) == [(1, "Annie", 1), (2, "Ann", 0), (2, "Cai", 0)]
    (dispute,) = done(pollctl, "dispute list --json").json["disputes"]
    assert (dispute["player"], dispute["outcome"]) == ("Annie", "upheld")
    done(
        pollctl,
        "player leave ann",
        "player rename ann Otto",
        "player join Ann",
        "round add 1y 0n 0n",
    )
    assert rows(pollctl) == [(1, "Annie", 3), (2, "Cai", 0), (2, "Ann", 0), (None, "Otto", 0)]


def test_disputes_are_listed(pollctl: Pollctl) -> None:
    """Every dispute that stands is listed with how it was decided, or as open."""
    assert done(pollctl, POLL, "dispute list").out == "There are no disputes.\n"
    done(
        pollctl,
        *OPEN[1:],
        "dispute add cai=chip",
        "dispute uphold 3",
        "dispute reject 4 --reason no",
    )
    done(pollctl, "dispute add ann=chip --reason why", "void 8")
    assert done(pollctl, "dispute list").out.splitlines()[:3] == [
        "Entry 3, round 1: answer penalty of Ann; upheld.",
        "Entry 4, round 1: ruling Ben +1 (why); rejected.",
        "Entry 5, round 1: chip penalty of Cai; open.",
    ]
    told = done(pollctl, "dispute list --json").json["disputes"]
    assert [(each["event"], each["outcome"]) for each in told] == [
        (3, "upheld"),
        (4, "rejected"),
        (5, None),
    ]
    log = [each["text"] for each in done(pollctl, "log --json").json["events"]]
    assert log[6:8] == [
        "dispute of entry 4 rejected: no",
        "disputed: chip penalty of Ann in round 1; note: why",
    ]


def test_a_decision_taken_back_is_open_again(pollctl: Pollctl) -> None:
    """Once a decision is voided the dispute can be decided anew; itself voided, it never scores."""
    done(pollctl, *OPEN, "dispute uphold 3", "dispute uphold 4")
    assert scores(pollctl) == {"Ann": 0, "Ben": 2, "Cai": 0}
    done(pollctl, "void 5", "dispute reject 3 --reason no", "void 4")
    assert scores(pollctl) == {"Ann": 1, "Ben": 1, "Cai": 0}
    assert "that it was rejected: answer penalty of Ann" in done(pollctl, "undo", "undo").out


def test_a_tie_begins_an_evening(pollctl: Pollctl) -> None:
    """A game taken over begins with its scores, and with its tie."""
    answer = done(pollctl, f"{POLL} --start ben=11 --start ann=11 --start cai=4")
    assert "It begins with Ann 11, Ben 11 and Cai 4 spaces." in answer.out
    assert "Tie-break: Ann and Ben." in answer.out
    assert "round add" not in answer.out
    assert "begun with Ann 11, Ben 11, Cai 4" in " ".join(done(pollctl, "log").out.split())
    done(pollctl, "round add 1y 0n n")
    assert rows(pollctl) == [(1, "Ann", 11), (2, "Ben", 11), (3, "Cai", 4)]
    assert "Cai: 4 + 0 = 4" in done(pollctl, "explain").out
    done(pollctl, "player rename cai Zoe")
    assert rows(pollctl)[2] == (3, "Zoe", 4)


def test_a_win_by_leaving_is_explained(pollctl: Pollctl) -> None:
    """Where a leaving decided the game, the explanation says so with its clause."""
    done(pollctl, *SCENES["tie"], "player leave ann")
    why = "Ben is the only contender left and wins (P19)."
    assert why in done(pollctl, "explain").out
    assert why not in done(pollctl, "explain --round 2").out
    assert done(pollctl, "standings --round 2 --json").json["status"] == "tie-break"
