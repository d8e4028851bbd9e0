"""What is shown: standings, rounds, explanations, the log, and what comes next."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest
from tabulate import tabulate_formats
from wcwidth import wcswidth

from tests.commands import DICE, POLL, SCENES, TIE, begin, done, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Pollctl

THREE = (
    f"{POLL} --title Friday",
    "round add 2y2y3n -q 'Do you sing?'",
    "round add 1y2n3n -p cai=chip --ruling cai=+2:fair --note 'a dog barked'",
    "round add 2y2y3n",
)
"""Ann 1, 3, 4; Ben 1, 1, 2; Cai 0, 2, 2."""
SHARED = (f"{DICE} --rule rounds=1", "round add 11 11 22")


def ranks(pollctl: Pollctl, line: str = "standings") -> list[tuple[int, str, int]]:
    """Rank, player and score of everybody, as listed."""
    rows = done(pollctl, f"{line} --json").json["standings"]
    return [(row["rank"], row["player"], row["score"]) for row in rows]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ((POLL,), [(1, "Ann", 0), (1, "Ben", 0), (1, "Cai", 0)]),
        ((POLL, "round add 2y2y3n"), [(1, "Ann", 1), (1, "Ben", 1), (3, "Cai", 0)]),
        ((POLL, "round add 3n1y1n"), [(1, "Ben", 1), (1, "Cai", 1), (3, "Ann", 0)]),
        ((POLL, "round add 3n3y1n"), [(1, "Cai", 2), (2, "Ann", 0), (2, "Ben", 0)]),
        (TIE, [(1, "Ann", 2), (1, "Ben", 2), (3, "Cai", 0)]),
        ((*TIE, "round add 1y2yn"), [(1, "Ben", 2), (2, "Ann", 2), (3, "Cai", 0)]),
        (SHARED, [(1, "Ann", 5), (1, "Ben", 5), (3, "Cai", 3)]),
    ],
)
def test_ranks(
    pollctl: Pollctl, game: tuple[str, ...], expected: list[tuple[int, str, int]]
) -> None:
    """Equal scores share a rank and the next is left out; who wins a tie is alone at rank 1."""
    done(pollctl, *game)
    assert ranks(pollctl) == expected
    body = done(pollctl, "standings").out.split("\n\n")[1].splitlines()[2:]
    assert [tuple(row.split()[:3]) for row in body] == [
        (str(rank), player, str(score)) for rank, player, score in expected
    ]


def test_standings_say_who_leads_what_changed_and_who_is_next(pollctl: Pollctl) -> None:
    """Title, game, rounds, every score with its last change, and the turn are shown."""
    out = done(pollctl, *THREE, "standings").out
    assert all(word in out for word in ("Friday", "The Poll Game", "3 rounds", "round 4, Ann"))
    rows = [row.split() for row in out.split("\n\n")[1].splitlines()[2:]]
    assert rows == [["1", "Ann", "4", "+1"], ["2", "Ben", "2", "+1"], ["2", "Cai", "2"]]
    assert (
        "1 of 6" in done(pollctl, "new dice A B C -o d.toml", "round add 11 22 33", "standings").out
    )


@pytest.mark.parametrize(
    ("number", "expected", "change"),
    [
        (0, [(1, "Ann", 0), (1, "Ben", 0), (1, "Cai", 0)], [0, 0, 0]),
        (1, [(1, "Ann", 1), (1, "Ben", 1), (3, "Cai", 0)], [1, 1, 0]),
        (2, [(1, "Ann", 3), (2, "Cai", 2), (3, "Ben", 1)], [2, 2, 0]),
        (3, [(1, "Ann", 4), (2, "Ben", 2), (2, "Cai", 2)], [1, 1, 0]),
    ],
)
def test_standings_as_of_a_round(
    pollctl: Pollctl, number: int, expected: list[tuple[int, str, int]], change: list[int]
) -> None:
    """With --round the standings are those after that round, with what it changed."""
    done(pollctl, *THREE)
    receipt = done(pollctl, "standings --json").json["receipt"]
    line = f"standings --round {number}"
    assert ranks(pollctl, line) == expected
    told = done(pollctl, f"{line} --json").json
    assert [row["change"] for row in told["standings"]] == change
    assert (told["round"], told["played"], told["receipt"]) == (number, number, receipt)
    turn = ["Ann", "Cai", "Ben", "Ann"][number]
    assert told["next"] == {"round": number + 1, "role": "pollster", "player": turn}
    assert f"round {number + 1}, {turn}" in done(pollctl, line).out


def test_standings_before_the_end(pollctl: Pollctl) -> None:
    """As of a round before the end nobody has won yet."""
    done(pollctl, *SCENES["won"])
    told = [done(pollctl, f"standings --round {n} --json").json for n in range(4)]
    assert [each["status"] for each in told] == ["playing", "playing", "tie-break", "finished"]
    assert [each["contenders"] for each in told] == [[], [], ["Ann", "Ben"], []]
    assert [each["next"] is None for each in told] == [False, False, False, True]


@pytest.mark.parametrize(("played", "where"), [(0, "before the first round"), (2, "after round 2")])
def test_who_could_not_join_is_no_round(pollctl: Pollctl, played: int, where: str) -> None:
    """That somebody could not sit down is told by when it was, and lays no blame on a round."""
    done(pollctl, POLL, *["round add 0n0n1n"] * played, "player leave cai", "player join cai")
    done(pollctl, f"void {played + 2} --force")
    out = done(pollctl, "standings").out
    assert f"\n  Passed over {where}: Cai is seated already (P19).\n" in out
    assert "Round" not in out


NAMES = ("1e5", "007", "nan", "1.10", "a|b", "O'Neil", "李雷", "x\u0323\u0302")
MARKDOWN = ("github", "pipe")
MARKUPS = ("asciidoc", "textile", "mediawiki", "youtrack", "moinmoin", "orgtbl", "jira")
"""Formats in which a bar in a name may have to be written in another way."""


def test_every_table_format(pollctl: Pollctl) -> None:
    """Every format of tabulate works, and names that look like numbers stand as they are."""
    assert pollctl("new", "poll", *NAMES, "-o", "game.toml").status == 0
    assert pollctl("round", "add", *["8y"] * 8).status == 0
    missing = []
    for style in tabulate_formats:
        assert "nan" in done(pollctl, f"round list --format {style}").out
        out = html.unescape(done(pollctl, f"standings --format {style}").out)
        table = out.replace("\\|", "|" if style in MARKDOWN else "\\|")
        names = [name for name in NAMES if style not in MARKUPS or "|" not in name]
        missing += [(style, name) for name in names if name not in table]
    assert missing == []


def test_names_are_no_numbers(pollctl: Pollctl) -> None:
    """Where all names look like numbers, none is rounded, padded or moved to the right."""
    names = ["1e5", "007", "nan", "1.10"]
    done(pollctl, f"new poll {' '.join(names)} -o game.toml")
    for style in ("plain", "pipe", "html"):
        out = done(pollctl, f"standings --format {style}").out
        assert [name for name in names if name not in out] == []
    rows = done(pollctl, "standings --format plain").out.splitlines()[1:]
    assert len({row.index(name) for row, name in zip(rows, names, strict=True)}) == 1


def test_a_bar_does_not_end_a_cell(pollctl: Pollctl) -> None:
    """In Markdown a name with a bar stays in one cell: all rows have as many as the head."""
    assert pollctl("new", "poll", "a|b", "c", "-o", "game.toml").status == 0
    for style in MARKDOWN:
        out = done(pollctl, f"standings --format {style}").out
        rows = [row for row in out.splitlines() if row.startswith("|")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}


@pytest.mark.parametrize("line", ["standings", "round list"])
def test_an_unknown_table_format(pollctl: Pollctl, line: str) -> None:
    """A format that tabulate does not have is a usage error that names those it has."""
    done(pollctl, *THREE)
    answer = pollctl(*line.split(), "--format", "papyrus")
    assert (answer.status, answer.out) == (2, "")
    assert "github" in answer.err


WIDE = ("李雷", "Jos\u00e9", "x\u0302\u0323", "नि", "Ann", "\U0001f600", "e\u0301\u0323\u0323")


@pytest.mark.parametrize(
    "style", ["grid", "fancy_grid", "outline", "psql", "github", "rounded_grid"]
)
def test_borders_are_straight(pollctl: Pollctl, style: str) -> None:
    """With wide and combining characters all lines of a table with borders are equally wide."""
    assert pollctl("new", "poll", *WIDE, "-o", "game.toml").status == 0
    assert pollctl("round", "add", *["7y"] * 7).status == 0
    table = done(pollctl, f"standings --format {style}").out
    assert len({wcswidth(row) for row in table.splitlines()}) == 1


def cut(row: str, columns: list[int]) -> list[str]:
    """The cells of a row that begin at these columns of a terminal."""
    places = [max(0, wcswidth(row[:end])) for end in range(len(row) + 1)]
    starts = [places.index(column) if column in places else len(row) for column in columns]
    ends = [*starts[1:], len(row)]
    return [row[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def test_columns_are_straight(pollctl: Pollctl) -> None:
    """With wide and combining characters every cell begins in the column of its head."""
    assert pollctl("new", "poll", *WIDE, "-o", "game.toml").status == 0
    assert pollctl("round", "add", *["7y"] * 7).status == 0
    table = done(pollctl, "standings").out.split("\n\n")[1].splitlines()
    columns = [match.start() for match in re.finditer("-+", table[1])]
    rows = done(pollctl, "standings --json").json["standings"]
    assert [cut(row, columns) for row in table[2:]] == [
        [str(row["rank"]), row["player"], str(row["score"]), "+1"] for row in rows
    ]


@pytest.mark.parametrize("line", ["round add 7y7y7y7y7y7y7y", "explain", "round show 1"])
def test_awards_are_straight(pollctl: Pollctl, line: str) -> None:
    """With wide and combining characters change, score and clause of every award align."""
    assert pollctl("new", "poll", *WIDE, "-o", "game.toml").status == 0
    assert pollctl("round", "add", *["7y"] * 7).status == 0
    rows = [row for row in done(pollctl, line).out.splitlines() if "P8" in row]
    assert len(rows) == 7
    for mark in ("+1", "→", "P8"):
        assert len({wcswidth(row.partition(mark)[0]) for row in rows}) == 1


@pytest.mark.parametrize("scene", ["won", "cast", "counted"])
def test_the_answers_fit_a_terminal(pollctl: Pollctl, scene: str) -> None:
    """With short names and no long texts nothing that is shown is wider than 80 columns."""
    seen = [done(pollctl, line).out for line in SCENES[scene]]
    seen += [done(pollctl, line).out for line in ("standings", "explain", "log", "round list")]
    seen += [done(pollctl, line).out for line in ("next", "round show 1", "undo", "next")]
    wide = [row for out in seen for row in out.splitlines() if wcswidth(row) > 80]
    assert wide == []


@pytest.mark.parametrize("scene", ["round", "tie", "won", "cast", "counted"])
def test_explanations_add_up(pollctl: Pollctl, scene: str) -> None:
    """For each player the changes explained add up to the score, each from the one before."""
    begin(pollctl, scene)
    start = {"round": 0, "tie": 0, "won": 0, "cast": 3, "counted": 3}[scene]
    score = dict.fromkeys(("Ann", "Ben", "Cai"), start)
    for entry in done(pollctl, "explain --json").json["entries"]:
        assert entry["before"] == score[entry["player"]]
        assert entry["after"] == entry["before"] + entry["change"]
        score[entry["player"]] = entry["after"]
    assert score == {player: points for _, player, points in ranks(pollctl)}


def test_explain_says_why(pollctl: Pollctl) -> None:
    """Every point is shown with its round, clause and sentence, and the sum for each player."""
    out = done(pollctl, *THREE, "explain").out
    first, second, third, total = out.strip().split("\n\n")
    assert "Do you sing?" in first
    assert re.search(r"Ann +\+1 +0 → 1 +P8 +predicted 2 Yes", first)
    assert re.search(r"Cai +0 +0 → 0 +P10 +chip wrong side up, still on Start", second)
    assert re.search(r"Ann +\+2 +1 → 3 +P9 +the only one to predict 1 Yes", second)
    assert re.search(r"Cai +\+2 +0 → 2 +P13 +ruling: fair", second)
    assert "Round 3" in third
    assert total.splitlines() == ["Ann: 0 + 4 = 4", "Ben: 0 + 2 = 2", "Cai: 0 + 2 = 2"]


def test_explain_one_round_or_player(pollctl: Pollctl) -> None:
    """With --round and --player only theirs is explained."""
    done(pollctl, *THREE)
    entries = done(pollctl, "explain --round 2 --json").json["entries"]
    assert [(each["round"], each["player"]) for each in entries] == [
        (2, "Cai"),
        (2, "Ann"),
        (2, "Cai"),
    ]
    entries = done(pollctl, "explain --player BEN --json").json["entries"]
    assert [(each["round"], each["player"]) for each in entries] == [(1, "Ben"), (3, "Ben")]
    assert done(pollctl, "explain --player b --round 2 --json").json["entries"] == []
    assert "Cai" not in done(pollctl, "explain --player ben").out.replace("Cai, pollster", "")


def test_explain_does_not_say_that_nobody_moved(pollctl: Pollctl) -> None:
    """Of one player in a round that moved others it is not said that nobody moves."""
    done(pollctl, *THREE)
    assert "Nobody" not in done(pollctl, "explain --player ben --round 2").out


def test_round_list(pollctl: Pollctl) -> None:
    """Every round is listed with its turn and what it scored; voided ones are marked."""
    rows = done(pollctl, *THREE, "round void 1", "round list").out.splitlines()[2:]
    cells = [re.split(r" {2,}", row.strip()) for row in rows]
    assert [[row[0], *row[2:]] for row in cells] == [
        ["1", "Ann", "voided"],
        ["2", "Cai", "Ann +2, Cai +2"],
        ["3", "Ben", "Ann +1, Ben +1"],
    ]


def test_round_list_of_an_empty_session(pollctl: Pollctl) -> None:
    """Before the first round there is a list without rounds, in every format."""
    done(pollctl, POLL)
    assert done(pollctl, "round list --json").json["rounds"] == []
    for style in ("simple", "html", "pretty", "pipe"):
        done(pollctl, f"round list --format {style}")


def test_round_show(pollctl: Pollctl) -> None:
    """A round is shown with all that was recorded, corrections included, and its points."""
    out = done(pollctl, *THREE, "penalty ann=answer --round 2", "round show 2").out
    words = ("Ann 1y, Ben 2n, Cai 3n", "Cai=chip", "Ann=answer", "fair", "a dog barked")
    assert all(word in out for word in words)
    assert re.search(r"Ann +-1 +3 → 2 +P11", out)


def test_log(pollctl: Pollctl) -> None:
    """The log tells every entry, marks what is taken back, and ends in the receipt."""
    out = done(pollctl, *THREE, "round void 1", "undo", "penalty ann=answer", "undo", "log").out
    _, *parts = re.split(r"^ *(\d+) ([x ]) \d\d:\d\d  ", out, flags=re.MULTILINE)
    assert [int(seq) for seq in parts[::3]] == [*range(1, 9)]
    assert [int(seq) for seq, mark in zip(parts[::3], parts[1::3], strict=True) if mark == "x"] == [
        5,
        7,
    ]
    texts = [" ".join(text.split()) for text in parts[2::3]]
    events = done(pollctl, "log --json").json["events"]
    assert all(text.startswith(each["text"]) for text, each in zip(texts, events, strict=True))
    assert all(word in texts[0] for word in ("Friday", "Ann", "Ben", "Cai"))
    assert all(word in texts[2] for word in ("round 2", "Ann 1y", "Cai=chip", "fair"))
    assert done(pollctl, "standings --json").json["receipt"] in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ("poll", ["Round 1", "Ann", "pollster", "Voting Card", "chip"]),
        ("tie", ["Round 3", "Ben", "Tie-break", "Only Ann and Ben"]),
        ("won", ["Ann wins", "over"]),
        ("cast", ["Round 2", "Ben", "chairperson", "14 dice", "Large Dial", "stick"]),
        ("counted", ["share the win", "over"]),
    ],
)
def test_next(pollctl: Pollctl, scene: str, words: list[str]) -> None:
    """The host is told what to say now: whose turn it is, who votes how, or who has won."""
    out = done(pollctl, *SCENES[scene], "next").out
    assert all(word in out for word in words)


def test_nothing_is_written_by_reading(pollctl: Pollctl, room: Path) -> None:
    """No reading command changes a byte, or leaves a file behind."""
    done(pollctl, *THREE, "undo")
    before = snapshot(room)
    for line in ("standings", "explain", "log", "next", "round list", "round show 1"):
        done(pollctl, line, f"{line} --json")
    assert snapshot(room) == before


def test_a_name_can_not_steer_a_terminal(pollctl: Pollctl) -> None:
    """No answer, of whatever session, holds a character that would steer a terminal."""
    done(pollctl, POLL)
    assert pollctl("round", "add", "2y2y3n", "-q", "\u05d0\u200f\u202eb").status == 0
    for line in ("standings", "explain", "log", "next", "round show 1", "undo"):
        assert done(pollctl, line).out.replace("\n", "").isprintable()
