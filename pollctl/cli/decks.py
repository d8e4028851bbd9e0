"""Commands about cards: deck, draw."""

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

import click

from pollctl import store
from pollctl.cli.desk import (
    NUMBER,
    Command,
    answer,
    json_option,
    offers,
    open_session,
    reads,
    session_option,
    session_path,
)
from pollctl.cli.lazy import LazyGroup
from pollctl.cli.recorder import Recording, record, writes
from pollctl.decks import Deck, read_deck
from pollctl.drawing import draw_card, none_open, pick_question, throw_out
from pollctl.game import Game
from pollctl.games import find
from pollctl.hand import hand, used
from pollctl.model import Refused
from pollctl.recording import Draft
from pollctl.session import Session

Choose = Callable[[str | None], Game]
"""The game of a deck, from the one that its file names, if it does."""

GAMES = Path(__file__).parents[1] / "games"
"""The folders of the games, in which the decks lie that come with them."""

GAME = click.option(
    "--game",
    metavar="GAME",
    help="The deck's game; else the file's or the session's.",
    shell_complete=offers("games"),
)


@click.group("deck", cls=LazyGroup, modules={})
def deck_command() -> None:
    """Look at decks of cards, and choose the one to draw from."""


@deck_command.command(
    "show", cls=Command, examples=("pollctl deck show", "pollctl deck show party.txt")
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=offers("files"))
@GAME
@reads
def show_command(path: str | None, file: str | None, game: str | None, *, as_json: bool) -> None:
    """Check a deck and list its cards; without FILE, those of the deck that is drawn from.

    With a session, the cards that were drawn in it are marked.
    """
    from pollctl.render import decks

    session = _session(path)
    deck, source = _load(file, _choice(game, session))
    gone = used(session) if session and session.game.opening.game.id == deck.game.id else ()
    drawn = {card.id for card in deck.cards if (deck.title, card.id) in gone}
    answer(decks.deck_answer(deck, source, drawn) if as_json else decks.deck_words(deck, drawn))


@deck_command.command(
    "use", cls=Command, examples=("pollctl deck use party.txt", "pollctl deck use --example")
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=offers("files"))
@click.option("--example", is_flag=True, help="Draw from the deck that comes with pollctl again.")
@GAME
@session_option
@json_option
def use_command(
    path: str | None, file: str | None, game: str | None, *, example: bool, as_json: bool
) -> None:
    """Draw the cards of its game from the deck in FILE from now on, in every session."""
    from pollctl.render import decks

    if example == (file is not None):
        raise click.UsageError("give the FILE of a deck, or --example")
    choose = _choice(game, _session(path))
    deck, source = (_example(choose(None)), None) if file is None else _load(file, choose)
    if file is None:
        store.forget_current(_place(deck.game))
    else:
        store.set_current(file, _place(deck.game))
    answer(decks.deck_answer(deck, source, ()) if as_json else decks.deck_chosen(deck, source))


@click.command(
    "draw",
    cls=Command,
    writes=True,
    examples=(
        "pollctl draw",
        "pollctl draw --pick 1",
        "pollctl draw --skip 'we had that one'",
        "pollctl draw --deck party.txt",
    ),
)
@click.option(
    "--deck",
    "file",
    metavar="FILE",
    help="From this deck; else from the one in use.",
    shell_complete=offers("files"),
)
@click.option(
    "--pick",
    type=NUMBER,
    metavar="N",
    help="Choose the question N of the card.",
    shell_complete=offers("picks"),
)
@click.option("--skip", metavar="REASON", help="Throw the card out that is open, and say why.")
@writes
def draw_command(
    path: str | None,
    file: str | None,
    pick: int | None,
    skip: str | None,
    **how: Unpack[Recording],
) -> None:
    """Draw an unused card at random, for the next round.

    The round that is added next takes from it what is not typed. A card that was played or thrown
    out does not come again in this session.
    """
    if skip is not None and (pick is not None or file is not None):
        raise click.UsageError("--skip throws out the card that is open, and goes alone")

    def compose(session: Session) -> Draft:
        now = store.now()
        if skip is not None:
            return throw_out(session, skip, now)
        if pick is not None and file is None and hand(session):
            return pick_question(session, pick, now)
        none_open(session)
        deck, _ = _load(file, _choice(session.game.opening.game.id, session))
        return draw_card(session, deck, pick, store.random_index, now)

    record(session_path(path), compose, **how)


def _session(path: str | None) -> Session | None:
    """The session at hand; None where there is none, or none was named and it can't be read."""
    try:
        return open_session(session_path(path))
    except (click.UsageError, Refused, store.Trouble):
        if path is None:
            return None
        raise


def _choice(asked: str | None, session: Session | None) -> Choose:
    """How the game of a deck is known: as asked, or as its file says, else by the session."""

    def choose(named: str | None) -> Game:
        games = [find(each) for each in (asked, named) if each]
        if len(games) > 1 and games[0].id != games[1].id:
            raise Refused("", f"this is a deck of {games[1].title}, not of {games[0].title}")
        if games:
            return games[0]
        if session is None:
            raise click.UsageError("a deck of which game? Give --game GAME, or a session")
        return session.game.opening.game

    return choose


def _load(file: str | None, choose: Choose) -> tuple[Deck, str | None]:
    """The deck in a file, else the one in use, else the one that comes with the game.

    Beside it the file, None for the last.
    """
    if file is not None:
        return _read(file, choose), file
    game = choose(None)
    file = store.current(_place(game))
    if file is None:
        return _example(game), None
    try:
        return _read(file, choose), file
    except store.Trouble as error:
        text = f"{error.text}, the deck in use: pollctl deck use chooses another"
        raise store.Trouble(error.status, text) from None


def _example(game: Game) -> Deck:
    """The deck that comes with a game; raises UsageError where none does."""
    path = str(GAMES / game.id.replace("-", "_") / "deck.toml")
    if not store.exists(path):
        raise click.UsageError(f"no deck comes with {game.title}: give the FILE of one")
    return _read(path, lambda _named: game)


def _read(file: str, choose: Choose) -> Deck:
    data = store.read_other(file, "deck")
    try:
        return read_deck(file, data.decode(), choose)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused("", f"{file}, line {line}: this is not UTF-8: save it as UTF-8") from None


def _place(game: Game) -> str:
    """Under which name the deck in use of a game is remembered."""
    return f"deck-{game.id}"
