"""Commands that read a session: standings, explain, next."""

import click

from pollctl.cli.desk import (
    AS_OF,
    Command,
    answer,
    format_option,
    offers,
    open_session,
    reads,
    session_path,
)
from pollctl.render import answers
from pollctl.replay import Replay


@click.command(
    "standings",
    cls=Command,
    examples=("pollctl standings", "pollctl standings --round 3 --format github"),
)
@click.option(
    "--round",
    "number",
    type=AS_OF,
    metavar="N",
    help="As they were after round N.",
    shell_complete=offers("rounds"),
)
@format_option
@reads
def standings_command(
    path: str | None, style: str | None, number: int | None, *, as_json: bool
) -> None:
    """Show who leads, what changed last, and who is next."""
    file = session_path(path)
    session = open_session(file)
    game = session.game if number is None else session.game.as_of(number)
    if as_json:
        answer(answers.dumps(answers.standings_answer(file, session, game)))
        return
    from pollctl.render import tables, words

    table = tables.standings_table(game, style or "simple")
    if style is None:
        table = f"{words.standings_head(game)}\n\n{table}\n\n{words.standings_foot(game)}"
    answer(table)


@click.command(
    "explain",
    cls=Command,
    examples=("pollctl explain --round 2", "pollctl explain --player ann"),
)
@click.option(
    "--round",
    "number",
    type=AS_OF,
    metavar="N",
    help="Only this round.",
    shell_complete=offers("rounds"),
)
@click.option(
    "--player", metavar="PLAYER", help="Only this player.", shell_complete=offers("everybody")
)
@reads
def explain_command(
    path: str | None, player: str | None, number: int | None, *, as_json: bool
) -> None:
    """Say where every point comes from, with the clause of the rules."""
    file = session_path(path)
    game = open_session(file).game
    name = player if player is None else _player(game, player)
    steps = game.steps if number is None else game.as_of(number).steps[-1:]
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
    game = open_session(session_path(path)).game
    if as_json:
        answer(answers.dumps(answers.next_answer(game)))
        return
    from pollctl.render import words

    answer(words.said(game))
