"""The guided game: from opening a session to its winner, prompt by prompt."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, NoReturn

import click

from pollctl import store
from pollctl.cli import ask
from pollctl.cli.desk import Command, answer, offers, open_session, reads, session_path
from pollctl.cli.ended import Ended
from pollctl.cli.rounds import compose_round, typed_line
from pollctl.game import Game, Moment
from pollctl.games import catalogue, find
from pollctl.model import Refused
from pollctl.notation import Typed
from pollctl.render.answers import dumps
from pollctl.render.saying import head_lines, moments_of, next_answer
from pollctl.render.words import joined
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.text import listing, shown

Run = Callable[[Sequence[str]], int]
"""Runs a command of pollctl in this process; its exit status."""

NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
LEAVE = Moment(())
"""The moment after the last round."""


class _Changed(Exception):
    """A command changed what the round that is asked for would be."""


class Table(NamedTuple):
    """Where a game is played."""

    file: str
    run: Run
    commands: Sequence[str]
    """What can be run at a prompt."""
    counts: bool
    """Whether seconds are counted aloud."""


@click.command(
    "play",
    cls=Command,
    writes=True,
    examples=("pollctl play", "pollctl play poll Ann Ben Cai", "pollctl play --json"),
)
@click.argument("game", required=False, shell_complete=offers("games"))
@click.argument("players", nargs=-1, metavar="[PLAYER]...")
@click.option("--no-count", is_flag=True, help="Do not count to three; somebody else does.")
@reads
@click.pass_context
def play_command(
    ctx: click.Context,
    path: str | None,
    game: str | None,
    players: Sequence[str],
    *,
    no_count: bool,
    as_json: bool,
) -> None:
    """Play a whole game, guided from the first question to the winner.

    Goes on with the session at hand from where its log ends; with GAME, opens a new one. At every
    prompt `help` says what can be typed. With --json it only says what happens now.
    """
    if as_json:
        answer(dumps(next_answer(open_session(session_path(path)))))
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError("play talks to a host at a terminal; scripts use round add")
    run: Run = ctx.obj
    commands = ctx.find_root().command
    known = commands.list_commands(ctx) if isinstance(commands, click.Group) else []
    file = _begin(run, path, [game, *players] if game else [])
    os.environ["POLLCTL_SESSION"] = file
    _play(Table(file, run, [name for name in known if name != "play"], not no_count))


def _begin(run: Run, path: str | None, opening: Sequence[str]) -> str:
    """The session to play: a new one, or the one at hand unless it is over."""
    given = path or os.environ.get("POLLCTL_SESSION") or store.current()
    if opening:
        return _new(run, opening)
    if given:
        session = open_session(given)
        if not session.game.over or not click.confirm(_over(given, session), err=True):
            return given
    while True:
        try:
            return _new(run, list(_ask_opening()))
        except Ended as error:
            if error.status != 1:
                raise


def _over(file: str, session: Session) -> str:
    won = listing(session.game.state.winners)
    how = f"{won} won" if won else "it was ended"
    return shown(f"{file} is over: {how}. A new game?")


def _new(run: Run, opening: Sequence[str]) -> str:
    """Open a session as `new` does; its file. Raises Ended where it is refused."""
    if status := run(["new", *opening]):
        raise Ended(status, "")
    return store.current() or ""


def _ask_opening() -> Iterator[str]:
    """What `new` has to be told, asked for."""
    game = _ask_game()
    yield game.id
    players = _names(_prompt("Players, clockwise"))
    yield from players
    for key in game.keys:
        if key.aloud:
            said = f"{key.text[0].upper()}{key.text[1:]}"
            yield from ("--rule", f"{key.name}={_prompt(said, str(key.default))}")
    first = _prompt(f"Who begins, or random [{players[0]}]", players[0], hide=True)
    yield from ("--first", first)


def _ask_game() -> Game:
    while True:
        try:
            return find(_prompt(f"Which game, {listing(list(catalogue()), 'or')}"))
        except Refused as error:
            ask.tell(f"  {shown(error.text)}.")


def _names(line: str) -> list[str]:
    """Names with commas between them, or blanks."""
    parts = line.split(",") if "," in line else line.split()
    return [part.strip() for part in parts if part.strip()] or _names(_prompt("Players, clockwise"))


def _prompt(text: str, default: str | None = None, *, hide: bool = False) -> str:
    said: str = click.prompt(shown(text), default=default, show_default=not hide, err=True)
    return said.strip()


def _play(table: Table) -> None:
    """Ask for round after round, until the host leaves; raises Ended where one can't go on."""
    _line_editing()
    ask.tell("help says what can be typed at every prompt.")
    try:
        while _goes_on(table):
            pass
    except click.Abort:
        _left(table, 130, "\n")


def _goes_on(table: Table) -> bool:
    """Play a round, or hear what is said after the last one; whether the game goes on."""
    session = open_session(table.file)
    hear = partial(_hear, table, session)
    if session.game.over:
        try:
            return bool(hear("The game is over. Enter leaves, undo reopens it", LEAVE))
        except _Changed:
            return True
    try:
        typed = _ask(table, session, hear)
    except _Changed:
        return True
    ask.tell("")
    status = table.run(_arguments(session.game, typed))
    if status > 1:
        raise Ended(status, "")
    return True


def _ask(table: Table, session: Session, hear: Callable[[str, Moment], str]) -> Typed:
    """Ask for the next round in the words of the game."""
    ask.tell(joined(["", *head_lines(session)]))
    asked = ask.Asked(
        session,
        {},
        lambda typed: compose_round(session, typed),
        lambda words: typed_line(session, words),
    )
    moments = moments_of(session)
    if not table.counts:
        moments = [moment._replace(seconds=0) for moment in moments]
    return ask.ask_round(asked, moments, ask.Voice(_say, hear, ask.tell, _count))


def _say(moment: Moment) -> None:
    ask.tell(joined(["", *moment.say]))


def _count(seconds: int) -> None:
    """Count aloud, a number a second."""
    for number in NUMBERS[:seconds]:
        ask.tell(f"  {number} …")
        store.wait(1)


def _arguments(game: Replay, typed: Typed) -> list[str]:
    """The round as `round add` is given it."""
    flags: Mapping[str, str] = {field.name: field.flag for field in game.opening.game.fields}
    options = [
        f"{flags[name]}={text}"
        for name, texts in typed.items()
        if name != "ballots"
        for text in texts
    ]
    number = str(game.next_number)
    return ["round", "add", "--yes", "--expect-round", number, *options, "--", *typed["ballots"]]


def _hear(table: Table, session: Session, prompt: str, moment: Moment) -> str:
    """The line typed at a prompt, once every command typed there has been run.

    Raises _Changed where a command changed what is asked for.
    """
    while True:
        line = ask.hear(prompt, moment).strip()
        words = _command(table, session, line, moment)
        if not words:
            return line
        if words[0] == "quit":
            _left(table, 0, "")
        if words[0] == "help":
            _help(table, session.game.opening.game, words[1:])
        elif table.run(words) == 130:  # noqa: PLR2004 - interrupted
            raise click.Abort
        elif _position(open_session(table.file).game) != _position(session.game):
            raise _Changed


def _command(table: Table, session: Session, line: str, moment: Moment) -> list[str]:
    """The words of a command; empty for an answer.

    A question that begins like a command ends in a question mark.
    """
    fields = session.game.opening.game.fields
    free = any(field.name == moment.field and field.kind == "text" for field in fields)
    first = line.partition(" ")[0]
    if first not in (*table.commands, "quit") or (free and line.endswith("?")):
        return []
    try:
        return shlex.split(line)
    except ValueError:
        ask.tell("  a quotation mark has no other half.")
        return ["help", first]


def _position(game: Replay) -> tuple[object, ...]:
    """What a round that is asked for depends on."""
    state = game.state
    return game.next_number, game.turn, state.seats, state.contenders, state.scores, game.status


def _help(table: Table, game: Game, words: Sequence[str]) -> None:
    """Say what can be typed, or the help of a command."""
    if words:
        table.run([*words, "--help"])
        return
    moves = [word for field in game.fields if field.kind == "moves" for word in field.words]
    fined = [f"penalty ben={moves[0]}", "a penalty called late"] if moves else []
    told = [
        ("<", "back to the question before"),
        ("undo, redo", "take the last entry back, put it back"),
        ("ruling ann=+1:why", "move somebody's score"),
        *([(fined[0], fined[1])] if fined else []),
        ("dispute add ben=-1:why", "keep it open; dispute uphold, dispute reject"),
        ("check ann=3 ben=2", "compare the log with the table"),
        ("standings, board", "where everybody stands; explain says why"),
        ("round amend 3 ben:…", "and every other command of pollctl, as on its command line"),
        ("--note '…'", "an option of round add, for this round"),
        ("quit, Ctrl-C", "leave; pollctl play goes on from here"),
    ]
    ask.tell("\n".join(f"  {typed:<24}{does}" for typed, does in told))


def _left(table: Table, status: int, gap: str) -> NoReturn:
    """End, saying what is recorded and how to go on."""
    game = open_session(table.file).game
    upto = f"up to round {game.next_number - 1}" if game.next_number > 1 else "from its opening on"
    text = f"{shown(table.file)} holds everything {upto}; pollctl play goes on from there."
    ask.tell(f"{gap}{text}")
    raise Ended(status, "")


def _line_editing() -> None:
    """Let the host use arrow keys, where the library for them is there."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
