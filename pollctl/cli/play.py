"""The guided game: from opening a session to its winner, prompt by prompt."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, NoReturn

import click

from pollctl import store
from pollctl.cli import ask
from pollctl.cli.beginning import ask_opening
from pollctl.cli.desk import Command, answer, offers, open_session, reads, session_path
from pollctl.cli.ended import Ended
from pollctl.cli.rounds import compose_round, typed_line
from pollctl.cli.session import free_name
from pollctl.game import NOTE, Field, Game, Moment
from pollctl.games import find
from pollctl.model import Refused
from pollctl.notation import Typed
from pollctl.render.answers import dumps
from pollctl.render.saying import head_lines, next_answer, setup_lines
from pollctl.render.words import joined, standings_lines
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.text import listing, shown

Run = Callable[[Sequence[str]], int]
"""Runs a command of pollctl in this process, typed at a prompt; its exit status."""

NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
ELSEWHERE = ("play", "new", "use")
"""Commands that are about another session than the one that is played."""
LEAVE = ("quit", "exit")
AFTER = Moment(())
"""What is no moment of a round."""
OVER = "Enter leaves, new plays another game, undo reopens this one"
NAME_WORDS = 2
"""The most words in the name of a command."""
REFUSED, USAGE, DAMAGED, DISK, STOPPED = 1, 2, 3, 6, 130
"""Exit statuses."""


class _Changed(Exception):
    """A command changed which round is asked for, or who plays it: its number and turn by now."""


class Table(NamedTuple):
    """Where a game is played."""

    file: str
    again: str
    """The command that goes on with it, once left."""
    run: Run
    commands: Sequence[str]
    """What can be run at a prompt."""
    counts: bool
    """Whether seconds are counted aloud."""
    bound: bool
    """Whether the host's shell says which session is at hand, whatever is opened here."""


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
    commands = ctx.find_root().command
    known = commands.list_commands(ctx) if isinstance(commands, click.Group) else []
    run: Run = partial(ctx.obj.run, guided=True)
    words = [name for name in known if name not in ELSEWHERE]
    bound = "POLLCTL_SESSION" in os.environ
    table = Table("", "pollctl play", run, words, counts=not no_count, bound=bound)
    _play(_begin(table, path, [game, *players] if game else []))


def _begin(table: Table, path: str | None, opening: Sequence[str]) -> Table:
    """The table with the session to play: a new one, or the one at hand unless it is over."""
    if len(opening) > 1:
        return _open(table, ["--", *opening])
    if opening:
        return _open(table, ask_opening(find(opening[0]).id, ()))
    given = path or os.environ.get("POLLCTL_SESSION") or _current()
    if not given:
        return _open(table, ask_opening("", ()))
    return _go_on(table, given, path)


def _go_on(table: Table, given: str, path: str | None) -> Table:
    """The table with a session that is there, and may be over; `path` if it was named."""
    session = open_session(given)
    if session.log.fault and session.log.chain != "accepted":
        raise Ended(DAMAGED, "nothing can be added to it; pollctl audit says what to do.")
    if session.game.over and click.confirm(_ended(given, session), default=True, err=True):
        return _open(table, ask_opening("", session.game.state.seats))
    os.environ["POLLCTL_SESSION"] = given
    again = f"pollctl play -s {shlex.quote(path)}" if path else table.again
    return table._replace(file=given, again=again)


def _current() -> str | None:
    """The current session, unless its file is gone."""
    file = store.current()
    if file and not store.exists(file):
        ask.tell(shown(f"{file}, the current session, is gone."))
        return None
    return file


def _ended(file: str, session: Session) -> str:
    won = listing(session.game.state.winners)
    return shown(f"{file} is over: {f'{won} won' if won else 'it was ended'}. A new game?")


def _open(table: Table, words: Sequence[str]) -> Table:
    """Open a session as `new` does, and play it; raises Ended where it is refused."""
    game = find(words[words.index("--") + 1])
    file = free_name(store.now(), game.id)
    if status := table.run(["new", f"--output={file}", *words]):
        raise Ended(status, "")
    kept = store.current() == file and not table.bound
    os.environ["POLLCTL_SESSION"] = file
    again = "pollctl play" if kept else f"pollctl play -s {shlex.quote(file)}"
    return table._replace(file=file, again=again)


def _play(table: Table) -> None:
    """Ask for round after round, until the host leaves; raises Ended where one can't go on."""
    ask.tell("At every prompt: Enter goes on, < goes back, help says what else can be typed.")
    playing: Table | None = table
    try:
        while playing:
            table = playing
            session = open_session(table.file)
            ask.tell(joined(["", *(setup_lines(session) or standings_lines(session.game))]))
            playing = _rounds(table)
    except click.Abort:
        _left(table, STOPPED, "\n")


def _rounds(table: Table) -> Table | None:
    """Ask for the rounds of a game; the table for the next one, None where the host is done."""
    known: Typed = {}
    while True:
        session = open_session(table.file)
        asked = ask.Asked(session, known, ask.Means(compose_round, typed_line, _suits(table)))
        known = {}
        hear = partial(_hear, table, asked)
        try:
            if not session.game.over:
                _round(table, asked, hear)
            elif (line := hear(OVER, AFTER)) == "new":
                return _open(table, ask_opening("", session.game.state.seats))
            elif line == "":
                return None
            elif line is not None:
                ask.tell("  nothing is asked here; help says what can be typed.")
        except _Changed as error:
            if error.args == (session.game.next_number, session.game.turn):
                known = asked.lasting


def _suits(table: Table) -> Callable[[Moment], Moment]:
    """The moments as they are asked for at a table, where somebody else may count."""
    return lambda moment: moment if table.counts else moment._replace(seconds=0)


def _round(table: Table, asked: ask.Asked, hear: Callable[[str, Moment], str | None]) -> None:
    """Ask for a round in the words of the game, and record it as `round add` does."""
    ask.tell(joined(["", *head_lines(asked.session)]))
    typed = ask.ask_round(asked, ask.Voice(_say, hear, ask.tell, _count))
    ask.tell("")
    words = _arguments(asked.session.game, typed)
    while (status := table.run(words)) == DISK:
        while hear("Enter tries again", AFTER) is None:
            pass
        ask.tell("")
    if status > REFUSED:
        raise Ended(status, "")


def _say(moment: Moment) -> None:
    ask.tell(joined(["", *moment.say]))


def _count(seconds: int) -> None:
    """Count aloud, a number a second, and ring the terminal's bell when the time is over."""
    for number in NUMBERS[:seconds]:
        ask.tell(f"  {number} …")
        store.wait(1)
    if seconds:
        click.echo("\a", nl=False, err=True)


def _arguments(game: Replay, typed: Typed) -> list[str]:
    """The round as `round add` is given it."""
    flags = {field.name: field.flag for field in game.opening.game.fields}
    options = [
        f"{flags[name]}={text}"
        for name, texts in typed.items()
        if name != "ballots"
        for text in texts
    ]
    number = str(game.next_number)
    return ["round", "add", "--yes", "--expect-round", number, *options, "--", *typed["ballots"]]


def _hear(table: Table, asked: ask.Asked, prompt: str, moment: Moment) -> str | None:
    """The line typed at a prompt; None once a command that was typed there has been run.

    Raises _Changed where a command changed which round is asked for, or who plays it.
    """
    line = ask.hear(prompt)
    if line.isdecimal() and len(asked.offered(moment)) > 1:
        return "" if _ran(table, asked, ["draw", "--pick", line]) == 0 else None
    try:
        words = _command(table, asked, line, moment)
    except Refused as error:
        ask.tell(ask.remark(error.text))
        return None
    if not words:
        return line
    _do(table, asked, words, moment)
    return None


def _do(table: Table, asked: ask.Asked, words: Sequence[str], moment: Moment) -> None:
    """Do what was typed in place of an answer; raises _Changed."""
    if words[0] in LEAVE:
        _left(table, 0, "")
    elif words[0] in ELSEWHERE:
        ask.tell(f"  first leave this game with quit; then pollctl {words[0]}.")
    elif words[0] == "help":
        _help(table, asked, words[1:])
    elif _ran(table, asked, words) in (REFUSED, USAGE) and _like_a_sentence(words):
        for field in _free(asked.game, moment):
            ask.tell(f"  If that was the {field.name}, let it end in a question mark.")


def _like_a_sentence(words: Sequence[str]) -> bool:
    """Whether a command that failed may have been meant as an answer."""
    return len(words) > NAME_WORDS and set("-=:").isdisjoint("".join(words))


def _ran(table: Table, asked: ask.Asked, words: Sequence[str]) -> int:
    """Run a command, and look at what it left of the round; its exit status."""
    if (status := table.run(words)) == STOPPED:
        raise click.Abort
    session = open_session(table.file)
    if _round_of(session.game) != _round_of(asked.session.game):
        raise _Changed(session.game.next_number, session.game.turn)
    asked.session = session
    return status


def _round_of(game: Replay) -> tuple[object, ...]:
    """Which round is asked for, and who plays it."""
    state = game.state
    return game.next_number, game.turn, state.seats, state.contenders, game.status


def _command(table: Table, asked: ask.Asked, line: str, moment: Moment) -> list[str]:
    """The words of a command; empty for an answer. Raises Refused.

    A question that begins like a command ends in a question mark.
    """
    line = line.removeprefix("pollctl ").strip()
    first = line.partition(" ")[0]
    known = (*table.commands, *LEAVE, *(ELSEWHERE if moment is not AFTER else ELSEWHERE[:1]))
    if first not in known or (_free(asked.game, moment) and line.endswith("?")):
        return []
    return ask.words_of(line)


def _free(game: Game, moment: Moment) -> list[Field]:
    """The field of a moment, where any text is an answer; nothing elsewhere."""
    return [each for each in game.fields if each.name == moment.field and each.kind == "text"]


def _help(table: Table, asked: ask.Asked, words: Sequence[str]) -> None:
    """Say what can be typed, or the help of a command."""
    if words:
        table.run([*words, "--help"])
        return
    game = asked.game
    example, fields = game.ballot.example, [field for field in game.fields if not field.ask]
    moves = [word for field in game.fields if field.kind == "moves" for word in field.words]
    others = [f.flag for f in fields if f.kind not in ("ballots", "rulings") and f != NOTE]
    told = [
        ("Enter", "goes on, and leaves out what may be left out"),
        (f"{example}, or ben:{example}", "a ballot: clockwise, close together or apart, or named"),
        *[(ask.AGAIN, "counts what had to be done again") for each in asked.moments if each.again],
        ("<", "back to the question before"),
        ("undo, redo", "take the last entry back, put it back"),
        (f"round amend 3 ben:{example}", "put an earlier round right"),
        *[
            (f"penalty ben={word}", "a penalty called late, in the last round")
            for word in moves[:1]
        ],
        ("ruling ann=+1:why", "move somebody's score, in the last round"),
        ("--ruling ann=+1:why", "the same in this round"),
        ("--note why", f"also {' '.join(others)}"),
        ("dispute add ben=-1:why", "keep it open; dispute uphold, dispute reject"),
        ("check ann=3 ben=2", "compare the log with the table"),
        ("standings, board", "where everybody stands; explain says why"),
        ("draw", "a card of a deck; draw --skip why throws it out"),
        ("player leave cai", "player join Dee; end stops the evening early"),
        ("help round add", "more of a command, and so of every other"),
        ("quit, Ctrl-C", f"leave; {table.again} goes on from here"),
    ]
    ask.tell("\n".join(f"  {typed:<24}{does}" for typed, does in told))


def _left(table: Table, status: int, gap: str) -> NoReturn:
    """End, saying what is recorded and how to go on."""
    game = open_session(table.file).game
    upto = f"up to round {game.next_number - 1}" if game.next_number > 1 else "from its opening on"
    text = joined([f"{table.file} holds everything {upto}; {table.again} goes on from there."])
    ask.tell(f"{gap}{text}")
    raise Ended(status, "")
