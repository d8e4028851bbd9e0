"""Commands about whole sessions: new, use, log."""

from collections.abc import Sequence
from datetime import datetime

import click

from pollctl import store
from pollctl.cli.desk import Command, answer, offers, open_session, reads, session_path
from pollctl.cli.ended import guided, tell
from pollctl.games import catalogue, find
from pollctl.log import read, seal_all
from pollctl.model import Event, Refused
from pollctl.notation import read_settings
from pollctl.opening import Plan, new_opening
from pollctl.render import answers
from pollctl.replay import Opening
from pollctl.session import Session, compute
from pollctl.text import listing


def games() -> str:
    """The ids of all games, as one reads them."""
    return listing(list(catalogue()), "or")


@click.command(
    "new",
    cls=Command,
    writes=True,
    help="Open a session of GAME for players, named clockwise, and make it the current one.\n\n"
    f"GAME is {games()}, or the beginning of it.",
    examples=(
        "pollctl new poll Ann Ben Cai",
        "pollctl new poll Ann Ben Cai --rule spaces=9 --title Friday -o friday.toml",
        "pollctl new dice Ann Ben Cai Dee --first random",
        "pollctl new poll Ann Ben Cai --start ann=4 --start cai=2",
        "pollctl new --like friday.toml",
    ),
)
@click.argument("game", required=False, shell_complete=offers("games"))
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    help="The new file, in place of DATE-GAME.",
    shell_complete=offers("files"),
)
@click.option("--title", metavar="TEXT", help="A title for the evening.")
@click.option(
    "--first",
    metavar="PLAYER",
    help="Who has the first turn, or random.",
    shell_complete=offers("first"),
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="A house rule; repeats.",
    shell_complete=offers("rules"),
)
@click.option(
    "--start",
    "starts",
    multiple=True,
    metavar="PLAYER=N",
    help="A score to begin with, in a game taken over; repeats.",
    shell_complete=offers("starts"),
)
@click.option(
    "--like",
    metavar="FILE",
    help="The players and rules of an earlier session.",
    shell_complete=offers("files"),
)
@click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
def new_command(
    game: str | None,
    players: Sequence[str],
    path: str | None,
    title: str | None,
    first: str | None,
    rules: Sequence[str],
    starts: Sequence[str],
    like: str | None,
    *,
    as_json: bool,
) -> None:
    """Open a session; its help names the games."""
    earlier = open_session(like).game.opening if like else None
    if game is None and earlier is None:
        raise click.UsageError(f"no GAME: {games()}, then the players clockwise")
    plan = _plan(game, players, rules, earlier)._replace(first=first, title=title, start=starts)
    opening = new_opening(_draw_first(plan), store.random_id(), store.now())
    text, (event,) = seal_all(b"", [opening])
    file = _create(path, text, event)
    session = compute(read(text))
    _make_current(file)
    _answer_opened(file, session, as_json=as_json)


def _plan(
    name: str | None, players: Sequence[str], rules: Sequence[str], earlier: Opening | None
) -> Plan:
    """What was typed, over what an earlier session agreed on."""
    game = earlier.game if name is None and earlier else find(name or "")
    if earlier and game.id != earlier.game.id:
        raise Refused("", f"--like names a session of {earlier.game.title}, not of {game.title}")
    agreed = {**(earlier.rules if earlier else {}), **read_settings(rules, game.keys)}
    return Plan(game, players or (earlier.players if earlier else ()), agreed, None, None)


def _draw_first(plan: Plan) -> Plan:
    """Let chance choose the first player, where it is asked to and nobody bears its name."""
    if plan.first != "random" or plan.first in plan.players or not plan.players:
        return plan
    return plan._replace(first=plan.players[store.random_index(len(plan.players))])


def _create(path: str | None, text: bytes, event: Event) -> str:
    """Create the file under the name asked for, or under the first free default name."""
    while True:
        name = path or free_name(event.at, str(event.fields["game"]))
        try:
            store.create(name, text)
        except FileExistsError:
            if path:
                fault = f"{path} exists, and is never overwritten: give another -o"
                raise Refused("", fault) from None
        else:
            return name


def free_name(at: datetime, game: str) -> str:
    """The first default name that no file has, for a game (by its id) opened at this time."""
    stem = f"{at:%Y-%m-%d}-{game}"
    name, count = f"{stem}.toml", 1
    while store.exists(name):
        count += 1
        name = f"{stem}-{count}.toml"
    return name


def _answer_opened(file: str, session: Session, *, as_json: bool) -> None:
    if as_json:
        answer(answers.dumps(answers.opened_answer(file, session)), recorded=True)
        return
    from pollctl.render import words

    answer(words.opened(file, session, guided=guided()), recorded=True)


def _make_current(file: str) -> None:
    """Make it the current session, or say that it is not."""
    try:
        store.set_current(file)
    except store.Trouble as error:
        reason = f"it is not the current session, {error.text}"
        tell(f"pollctl: {file} is open, but {reason}: use -s {file}")


@click.command("use", cls=Command, examples=("pollctl use friday.toml",))
@click.argument("path", metavar="FILE", shell_complete=offers("files"))
@click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
def use_command(path: str, *, as_json: bool) -> None:
    """Make FILE the current session."""
    session = open_session(path)
    store.set_current(path)
    if as_json:
        answer(answers.dumps(answers.standings_answer(path, session, session.game)))
        return
    from pollctl.render import words

    game = session.game
    answer(f"Now at {path}.\n{words.standings_head(game)}\n{words.standings_foot(game)}")


@click.command("log", cls=Command, examples=("pollctl log",))
@reads
def log_command(path: str | None, *, as_json: bool) -> None:
    """Show every entry as recorded, corrections included."""
    session = open_session(session_path(path))
    if as_json:
        answer(answers.dumps(answers.log_answer(session)))
        return
    from pollctl.render import words

    answer(words.log_lines(session))
