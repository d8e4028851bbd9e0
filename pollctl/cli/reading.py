"""Commands that read a session: standings, board, explain, next."""

from collections.abc import Sequence

import click

from pollctl.cli.desk import (
    AS_OF,
    Command,
    answer,
    format_option,
    offers,
    open_session,
    reads,
    round_option,
    session_path,
)
from pollctl.render import answers
from pollctl.replay import Replay
from pollctl.session import Session


@click.command(
    "standings",
    cls=Command,
    examples=(
        "pollctl standings",
        "pollctl standings --round 3 --format github",
        "pollctl standings --what-if spaces=2 --what-if tiebreak=knockout",
    ),
)
@round_option("As they were after round N.", AS_OF)
@click.option(
    "--what-if",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="As they would be under another rule; repeats.",
    shell_complete=offers("house_rules"),
)
@format_option
@reads
def standings_command(
    path: str | None,
    style: str | None,
    number: int | None,
    settings: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Show who leads, what changed last, who is next, and what hangs on open disputes."""
    file = session_path(path)
    session = open_session(file)
    if settings or session.game.history.disputes:
        answer(_supposed(file, session, settings, number, style, as_json=as_json))
        return
    game = session.game.as_of(number)
    if as_json:
        answer(answers.dumps(answers.standings_answer(file, session, game)))
        return
    from pollctl.render import tables, words

    table = tables.standings_table(game, style or "simple")
    if style is None:
        table = f"{words.standings_head(game)}\n\n{table}\n\n{words.standings_foot(game)}"
    answer(table)


def _supposed(
    file: str,
    session: Session,
    settings: Sequence[str],
    number: int | None,
    style: str | None,
    *,
    as_json: bool,
) -> str | bytes:
    """The standings with what would be so: under other rules, or once disputes are decided."""
    from pollctl.render import supposed
    from pollctl.what_if import suppose

    supposition = suppose(session, settings, number)
    if as_json:
        told = answers.standings_answer(file, session, supposition.game)
        return answers.dumps({**told, **supposed.supposed_answer(supposition)})
    from pollctl.render import tables

    table = tables.standings_table(supposition.game, style or "simple")
    return table if style else supposed.supposed_words(supposition, table)


@click.command("board", cls=Command, examples=("pollctl board", "pollctl board --round 2"))
@round_option("As it was after round N.", AS_OF)
@reads
def board_command(path: str | None, number: int | None, *, as_json: bool) -> None:
    """Show the board with everybody's marker, or the piles."""
    game = open_session(session_path(path)).game.as_of(number)
    if as_json:
        answer(answers.dumps(answers.board_answer(game)))
        return
    from pollctl.render import board

    answer(board.picture(game))


@click.command(
    "explain",
    cls=Command,
    examples=("pollctl explain --round 2", "pollctl explain --player ann"),
)
@round_option("Only this round.", AS_OF)
@click.option(
    "--player", metavar="PLAYER", help="Only this player.", shell_complete=offers("everybody")
)
@reads
def explain_command(
    path: str | None, player: str | None, number: int | None, *, as_json: bool
) -> None:
    """Say where every point comes from, with the clause of the rules."""
    game = open_session(session_path(path)).game.as_of(number)
    name = player if player is None else _player(game, player)
    steps = game.steps if number is None else game.steps[-1:]
    if as_json:
        answer(answers.dumps(answers.explain_answer(steps, name)))
        return
    from pollctl.render import words

    answer(words.explained(game, steps, name))


def _player(game: Replay, text: str) -> str:
    from pollctl.notation import find_player

    return find_player(text, game.players, game.opening.game.seats_rule)


@click.command("next", cls=Command, examples=("pollctl next",))
@reads
def next_command(path: str | None, *, as_json: bool) -> None:
    """Say what happens now, in the words of the game master."""
    from pollctl.render import saying

    session = open_session(session_path(path))
    answer(answers.dumps(saying.next_answer(session)) if as_json else saying.said(session))
