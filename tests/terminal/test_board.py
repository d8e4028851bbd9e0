"""`board`: the picture of the board, or of the piles."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from pollctl.model import Event, State
from pollctl.render.board import picture
from pollctl.replay import Replay, replay
from pollctl.text import fold
from tests.commands import DICE, begin, done
from tests.conftest import Pollctl
from tests.log import QUICK
from tests.log.strategies import names, sentences
from tests.terminal.screen import Terminal

LONG = "Wolfgang Amadeus Theophilus Gottlieb Mozart von und zu Salzburg"
HARD = (
    ["Ann", "Ben", "Cai", "Dee", "Eli", "Fay", "Gus", "Hal"],
    [LONG, LONG[:50], f"{LONG[:17]}…", f"{LONG[:23]}…", "Ann"],
    [f"{LONG[:30]}{letter}{LONG[31:]}" for letter in "abc"],
    ["李雷" * 16, "李雷", "e\u0301" * 64, "\U0001f600" * 30],
)


def session(game: str, state: State, title: str | None = None, **rules: int) -> Replay:
    """A session in which this state stands on the table."""
    fields: dict[str, Any] = {"format": 1, "session": "0" * 32, "game": game, "rules": rules}
    fields |= {"players": list(state.scores)} | ({"title": title} if title else {})
    opened = replay([Event(1, datetime(2026, 11, 30, tzinfo=UTC), "open", fields)])
    return opened._replace(state=state)


def lines(game: Replay) -> list[str]:
    """The picture without its colours."""
    return click.unstyle(picture(game)).split("\n")


tables = st.sampled_from(HARD) | st.lists(
    names.map(str.strip), min_size=2, max_size=12, unique_by=fold
)
"""Who ever played; some are hard to tell apart."""


@st.composite
def states(draw: st.DrawFn, scores: st.SearchStrategy[int], goal: int = 0) -> State:
    """Anybody with any score; some have left; of those in the centre some contend or win."""
    players = draw(tables)
    stands = {player: draw(scores) for player in players}
    gone = draw(st.sets(st.sampled_from(players), max_size=3))
    seats = tuple(player for player in players if player not in gone)
    there = tuple(player for player in seats if stands[player] >= goal)
    status = draw(st.sampled_from(["playing", "tie-break", "finished"])) if there else "playing"
    winners = there[:2] if status == "finished" else ()
    return State(seats, stands, status, winners, there[:3] if status == "tie-break" else ())


@st.composite
def races(draw: st.DrawFn) -> Replay:
    """A board of any size with markers on it."""
    goal = draw(st.integers(1, 100) | st.sampled_from([1, 11, 16, 25, 50, 51, 100]))
    state = draw(states(st.integers(0, goal) | st.sampled_from([0, goal - 1, goal]), goal))
    title, paths = draw(st.none() | sentences), draw(st.integers(1, 8))
    return session("poll-game", state, title, spaces=goal, paths=paths)


@st.composite
def piles(draw: st.DrawFn) -> Replay:
    """Piles of any height."""
    most = draw(st.sampled_from([5, 12, 30, 60, 400, 10**9]))
    return session(
        "dice-democracy", draw(states(st.integers(0, most))), draw(st.none() | sentences)
    )


class Seen(NamedTuple):
    """A row as it is seen."""

    label: str
    score: int
    drawn: str


def seen(line: str) -> Seen:
    """A row, with what is drawn in it."""
    row = re.fullmatch(r"(.*?) +([0-9]+)(?: {1,2}([│█░].*|wins|tie))?", line)
    assert row, line
    return Seen(row[1], int(row[2]), row[3] or "")


def bands(rows: list[str]) -> list[list[Seen]]:
    """The rows of every path."""
    top = next(at for at, row in enumerate(rows) if row.endswith("╔══ Centre ══╗"))
    left = " " * (len(rows[top]) - len(rows[top].lstrip()))
    found: list[list[Seen]] = [[]]
    for row in rows[top + 1 :]:
        if row.startswith(f"{left}└"):
            break
        if row.startswith(f"{left}├"):
            found.append([])
        elif not row.startswith(left):
            found[-1].append(seen(row))
    return found


def heap(rows: list[str], players: int) -> list[Seen]:
    """The rows of so many piles."""
    return [seen(row) for row in rows[4 : 4 + 2 * players : 2]]


def said(state: State, player: str) -> str:
    """The word for a player."""
    return "wins" if player in state.winners else "tie" if player in state.contenders else ""


def spaces(lane: str, marker: str, goal: int) -> range:
    """The spaces of the cell in which the marker stands."""
    path, centre, _ = lane.split("║")
    if centre.startswith(f"  {marker}"):
        return range(goal, goal + 1)
    cells = list(path[1 :: 1 + (" " in path)]) if "·" in path else path[1:].split("│")
    (at,) = [number for number, cell in enumerate(cells) if cell == marker]
    per = -(-goal // len(cells))
    assert per == 1 if goal <= 50 else per <= 2
    return range(at * per, (at + 1) * per)


@QUICK
@given(races())
def test_every_marker_stands_in_its_place(game: Replay) -> None:
    """Each player has one row, on the right path, with one marker, on the right space."""
    rules, state, seats = game.opening.rules, game.state, list(game.state.scores.items())
    found = bands(lines(game))
    assert [[row.score for row in band] for band in found] == [
        [
            score
            for seat, (_, score) in enumerate(seats)
            if seat * rules["paths"] // len(seats) == at
        ]
        for at in range(rules["paths"])
    ]
    for (player, score), row in zip(seats, (row for band in found for row in band), strict=True):
        (marker,) = re.findall("[▐█▌░]+", row.drawn)
        assert score in spaces(row.drawn, marker, rules["spaces"])
        assert ("░" in marker) == (player not in state.seats)
        assert row.drawn.split("║")[1].replace(marker, "").strip() == said(state, player)


@QUICK
@given(piles())
def test_every_pile_is_as_high_as_its_score(game: Replay) -> None:
    """The tokens of a pile add up to its score; bars instead of them stand in order."""
    state, rows = game.state, heap(lines(game), len(game.state.scores))
    assert [row.score for row in rows] == list(state.scores.values())
    drawn = []
    for player, row in zip(state.scores, rows, strict=True):
        assert row.drawn.endswith(said(state, player))
        drawn.append(row.drawn.removesuffix(said(state, player)).strip())
        assert set(drawn[-1]) <= {" ", "█" if player in state.seats else "░"}
        assert bool(drawn[-1]) == bool(row.score)
    in_order = sorted(zip(rows, drawn, strict=True), key=lambda pair: pair[0].score)
    assert [len(pile) for _, pile in in_order] == sorted(map(len, drawn))
    if any(" " in pile for pile in drawn):
        unit = min(UNITS, key=lambda unit: total(drawn, unit) != [row.score for row in rows])
        assert total(drawn, unit) == [row.score for row in rows]


UNITS = (2, 3, 4)
"""The columns of a token that counts 1, with the gap behind it."""


def total(drawn: list[str], unit: int) -> list[int]:
    """What the tokens of each pile count: 1 or 5."""
    worth = {unit - 1: 1, 5 * unit - 1: 5}
    return [sum(worth.get(len(token), -99) for token in pile.split()) for pile in drawn]


@QUICK
@given(races() | piles())
def test_the_picture_is_narrow_and_plain(game: Replay) -> None:
    """No line is wider than 80 columns, and no two players have the same label."""
    rows, players = lines(game), len(game.state.scores)
    assert [row for row in rows if wcswidth(row) > 80] == []
    race = game.opening.game.guide().board(game.opening.rules).goal
    found = [row for band in bands(rows) for row in band] if race else heap(rows, players)
    assert len({row.label for row in found}) == players


PICTURES = Path(__file__).with_name("pictures.txt")
"""What is typed, with the pictures that come of it."""


def transcript(pollctl: Pollctl) -> str:
    """The transcript as it comes out now."""
    rows = []
    for row in PICTURES.read_text(encoding="utf-8").splitlines():
        if row.startswith("# "):
            rows += ["", row, ""]
        elif row.startswith("$ "):
            answer = done(pollctl, row.removeprefix("$ pollctl "))
            rows += [row, *(["", answer.out] if row.startswith("$ pollctl board") else [])]
    return "\n".join(rows).strip() + "\n"


def test_the_pictures_are_as_kept(pollctl: Pollctl) -> None:
    """Both games, ties, wide names, long boards and who has left are drawn to the character."""
    text = transcript(pollctl)
    if "POLLCTL_REWRITE" in os.environ:
        PICTURES.write_text(text, encoding="utf-8")
    assert text == PICTURES.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "typed",
    [
        ("new poll Ann Ben Cai Dee Eli Fay 李雷 José -o s.toml", "round add 4y4n3y1n4y4n3y2n"),
        ("new dice Ann Ben Cai Dee Eli 李雷 -o s.toml",),
    ],
)
def test_a_terminal_shows_all_of_it(
    room: Path, pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...]
) -> None:
    """A full table fits 80 columns and 24 lines, the same with colours as without."""
    drawn = done(pollctl, *typed, "board").out.rstrip().split("\n")
    for no_colour, colours in (("", {"default", "cyan"}), ("1", {"default"})):
        monkeypatch.setenv("NO_COLOR", no_colour)
        terminal = Terminal(room, "board")
        assert terminal.end() == 0
        assert [row.rstrip() for row in terminal.screen.display[: len(drawn)]] == drawn
        cells = [cell for row in terminal.screen.buffer.values() for cell in row.values()]
        assert {cell.fg for cell in cells} == colours


@pytest.mark.parametrize(
    ("line", "goal", "players"),
    [
        ("board", 2, [("Ann", 1, 2, True), ("Ben", 2, 2, True), ("Cai", 3, 0, False)]),
        ("board --round 1", 2, [("Ann", 1, 1, False), ("Ben", 2, 1, False), ("Cai", 3, 0, False)]),
        ("board --round 0", 2, [("Ann", 1, 0, False), ("Ben", 2, 0, False), ("Cai", 3, 0, False)]),
    ],
)
def test_it_answers_in_json(
    pollctl: Pollctl, line: str, goal: int, players: list[tuple[str, int, int, bool]]
) -> None:
    """With --json a script is told where everybody stands, now or after a round."""
    begin(pollctl, "tie")
    told = done(pollctl, f"{line} --json").json
    assert (told["schema"], told["goal"], told["paths"]) == ("pollctl.board/1", goal, 4)
    assert [
        (row["player"], row["path"], row["score"], row["contender"]) for row in told["players"]
    ] == players
    assert all(row["seated"] and not row["winner"] for row in told["players"])


def test_piles_have_no_paths(pollctl: Pollctl) -> None:
    """In JSON a pile has no path and no goal; who won, and who has left, is said."""
    done(pollctl, f"{DICE} --rule rounds=1", "player leave cai", "round add 11 21")
    told = done(pollctl, "board --json").json
    assert (told["goal"], told["paths"], told["status"]) == (None, None, "finished")
    assert [
        (row["path"], row["score"], row["seated"], row["winner"]) for row in told["players"]
    ] == [
        (None, 4, True, False),
        (None, 5, True, True),
        (None, 3, False, False),
    ]


def test_as_of_a_round_that_is_not_there(pollctl: Pollctl) -> None:
    """A round that was not played is refused, with those that were."""
    begin(pollctl, "tie")
    answer = pollctl("board", "--round", "7")
    assert (answer.status, answer.out) == (1, "")
    assert "rounds 1 to 2 are there" in answer.err
