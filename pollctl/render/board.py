"""The board, or the piles, as a picture of at most 80 columns, in box characters and blocks."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from click import style

from pollctl.game import Board
from pollctl.model import State
from pollctl.render.words import COLUMNS, joined, standings_foot, standings_head
from pollctl.replay import Replay
from pollctl.text import cut, listing, pad, shown, width

TITLE = 40
"""The most columns of a session's title."""
NAMES = (10, 24)
"""The columns there are for a name beside long paths, and the most it takes."""
CELL = 4
"""The most columns of a space, and of a token that counts 1 with the gap behind it."""
CENTRE = "══ Centre ══"
INTO = 2
"""The columns between the edge of the centre and the markers there."""
WORDS = {"wins": "green", "tie": "magenta", "": "cyan"}
"""What is said of a player, and the colour that goes with it."""
BEHIND = len(" wins")
"""The columns kept for a word behind a pile."""


class Row(NamedTuple):
    """What is shown of one player."""

    head: str
    """Name and score, in as many columns as everybody's."""
    score: int
    block: str
    """What a marker or a token is made of: `█`, or `░` of who has left."""
    word: str
    """What is said of who has won or breaks the tie; empty for all others."""

    def line(self, *drawn: str) -> str:
        """The head, then what is drawn."""
        bold, dim = bool(self.word) or None, self.block == "░" or None
        return "".join([style(self.head, bold=bold, dim=dim), *drawn])

    def accent(self, text: str) -> str:
        """The text in the player's colour."""
        return style(text, fg=WORDS[self.word], bold=bool(self.word) or None) if text else ""


class Track(NamedTuple):
    """How a path is drawn, from Start to the centre and through it: one character a column."""

    goal: int
    per: int
    """How many spaces a cell stands for: 1, but on boards that are too long."""
    inner: int
    """The columns of a cell."""
    edge: str
    """What parts a cell from the next: `│`, or where there is no room a blank or nothing."""

    @property
    def lane(self) -> str:
        """A row of a path on which nobody stands."""
        empty = " " * self.inner if self.edge == "│" else "·"
        return self._along("│", empty, self.edge, f"║{' ' * len(CENTRE)}║")

    def rule(self, left: str, crossing: str, right: str) -> str:
        """A line above, between or below the paths."""
        edge = crossing if self.edge == "│" else "─" * len(self.edge)
        return self._along(left, "─" * self.inner, edge, right)

    def column(self, score: int) -> int:
        """Where in the lane a marker begins; who is past the centre stands in it."""
        if score < self.goal:
            return 1 + score // self.per * (self.inner + len(self.edge))
        return self.lane.index("║") + 1 + INTO

    def marker(self, row: Row) -> str:
        """A marker, as wide as a cell."""
        if self.inner > 1 and row.block == "█":
            return f"▐{row.block * (self.inner - 2)}▌"
        return row.block * self.inner

    def _along(self, left: str, cell: str, edge: str, right: str) -> str:
        return left + edge.join([cell] * -(-self.goal // self.per)) + right


class Scale(NamedTuple):
    """How a pile is drawn: in tokens, or where it is too high as a bar."""

    tokens: tuple[int, ...]
    pitch: int
    """The columns of a token that counts 1 with the gap behind it; 1 for a bar."""
    per: int
    """What a column of a bar stands for."""

    def columns(self, score: int) -> int:
        """The columns of a pile that counts so much, or of its bar."""
        return -(-score // self.per) * self.pitch - (self.pitch > 1)

    def pile(self, row: Row) -> str:
        """The tokens of a player, the large ones first."""
        if self.pitch == 1:
            return row.block * self.columns(row.score)
        drawn, rest = [], row.score
        for token in self.tokens:
            number, rest = divmod(rest, token)
            drawn += [row.block * self.columns(token)] * number
        return " ".join(drawn)


def picture(game: Replay) -> str:
    """The board with everybody's marker, or the piles, and a line above and below."""
    board = game.opening.game.guide().board(game.opening.rules)
    drawn = race(game.state, board) if board.goal else piles(game.state, board)
    return "\n".join([_head(game), "", *drawn, "", *_away(game), standings_foot(game)])


def race(state: State, board: Board) -> Iterator[str]:
    """The numbers of the spaces, then the paths, each with a row for everyone on it."""
    digits = len(str(max(board.goal, *state.scores.values())))
    room = COLUMNS - digits - len(CENTRE) - len(" │║║ ")
    rows = _rows(state, digits, min(NAMES[1], max(NAMES[0], room - CELL * board.goal)))
    left = width(rows[0].head) + 1
    track = _track(board.goal, COLUMNS - left - len(CENTRE) - len("│║║"))
    margin, inside = " " * left, " " * len(CENTRE)
    yield _dim(_spaces(track, left))
    yield margin + _dim(track.rule("┌", "┬", f"╔{CENTRE}╗"))
    for path in range(1, board.paths + 1):
        if path > 1:
            yield margin + _dim(track.rule("├", "┼", f"╢{inside}║"))
        here = [row for seat, row in enumerate(rows) if board.path(seat, len(rows)) == path]
        yield from (row.line(" ", _lane(track, row)) for row in here)
        if not here:
            yield margin + _dim(track.lane)
    yield margin + _dim(track.rule("└", "┴", f"╚{'═' * len(CENTRE)}╝"))


def piles(state: State, board: Board) -> Iterator[str]:
    """A scale, then a pile for everyone."""
    most = max(1, *state.scores.values())
    rows = _rows(state, len(str(most)), NAMES[1])
    left = width(rows[0].head) + 2
    room = COLUMNS - left - BEHIND
    pitch = min(CELL, room // most)
    scale = Scale(board.tokens, max(1, pitch), 1 if pitch else -(-most // room))
    yield _dim(_ruler(scale, most, left))
    for row in rows:
        words = (scale.pile(row), row.word)
        drawn = row.accent(" ".join(filter(None, words)))
        yield from ("", row.line("  " if drawn else "", drawn))


def _track(goal: int, room: int) -> Track:
    """The widest spaces for which there is room between the edges of a path."""
    pitch = min(CELL + 1, room // goal)
    if pitch > 2:  # noqa: PLR2004 - room for a number and an edge
        return Track(goal, 1, pitch - 1, "│")
    if pitch:
        return Track(goal, 1, 1, " " * (pitch - 1))
    return Track(goal, -(-goal // room), 1, "")


def _lane(track: Track, row: Row) -> str:
    """A path with one marker, and in the centre what is said of its player."""
    lane, marker, at = track.lane, track.marker(row), track.column(row.score)
    word = track.column(track.goal) + len(marker) + 1
    before, between, after = lane[:at], lane[at + len(marker) : word], lane[word + len(row.word) :]
    return f"{_dim(before)}{row.accent(marker)}{_dim(between)}{row.accent(row.word)}{_dim(after)}"


def _spaces(track: Track, left: int) -> str:
    """The numbers above the spaces, as many as there is room for, and above the centre."""
    text = " " * (left + 1 + track.inner - len("Start")) + "Start"
    step = next(n for n in _steps(1) if track.column(n) - track.column(0) > len(str(track.goal)))
    for number in (*range(step, track.goal, step), track.goal):
        place = left + track.column(number) + (track.inner - len(str(number)) + 1) // 2
        text = f"{text:<{place}}{number}"
    return text


def _ruler(scale: Scale, most: int, left: int) -> str:
    """The numbers above the ends of the piles, up to the first that is as high as all are."""
    text = ""
    step = next(n for n in _steps(5) if scale.columns(n) > len(str(most)) + 1)
    for number in range(step, most + step, step):
        end = left + scale.columns(number)
        if end <= COLUMNS:
            text = f"{text:<{end - len(str(number))}}{number}"
    return text


def _steps(first: int) -> Iterator[int]:
    """How far apart the numbers of a scale may be: 1, 5, 10, 50, and so on."""
    return (step for power in count() for step in (10**power, 5 * 10**power) if step >= first)


def _rows(state: State, digits: int, names: int) -> list[Row]:
    """A row for everybody who ever played, in seating order."""
    labels = _labels([*state.scores], names)
    columns = max(width(label) for label in labels)
    return [
        Row(
            f"{pad(label, columns)} {score:>{digits}}",
            score,
            "█" if player in state.seats else "░",
            _word(state, player),
        )
        for label, (player, score) in zip(labels, state.scores.items(), strict=True)
    ]


def _labels(names: Sequence[str], columns: int) -> list[str]:
    """The names, safe to show, and where they are wide cut so that no two are alike."""
    safe = [shown(name) for name in names]
    for end in (0, columns // 2):
        labels = [cut(name, columns, end) for name in safe]
        if len({*labels}) == len(labels):
            return labels
    return [cut(f"{seat} {name}", columns) for seat, name in enumerate(safe, 1)]


def _word(state: State, player: str) -> str:
    if player in state.winners:
        return "wins"
    return "tie" if player in state.contenders else ""


def _head(game: Replay) -> str:
    """The line above the standings, its title cut."""
    title = cut(shown(game.opening.title or ""), TITLE)
    return standings_head(game._replace(opening=game.opening._replace(title=title or None)))


def _away(game: Replay) -> Iterator[str]:
    """What the shadows mean."""
    away = [player for player in game.players if player not in game.state.seats]
    if away:
        yield joined([f"░ {listing(away)} {'has' if len(away) == 1 else 'have'} left."])


def _dim(text: str) -> str:
    return style(text, dim=True)
