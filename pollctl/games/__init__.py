"""The catalogue: every module of this folder is a game, found and not listed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from pollctl.game import Game
from pollctl.model import Refused


@cache
def catalogue() -> dict[str, Game]:
    """All games by id; raises TypeError for a module of this folder that holds none."""
    games = {}
    for module in iter_modules(__path__):
        game = getattr(import_module(f"{__name__}.{module.name}"), "GAME", None)
        if not isinstance(game, Game):
            raise TypeError(f"{__name__}.{module.name} has no GAME")
        games[game.id] = game
    return games


def find(prefix: str) -> Game:
    """The game whose id begins so, in any case; raises Refused unless it is exactly one."""
    games = catalogue()
    found = [game for name, game in games.items() if name.startswith(prefix.casefold())]
    if prefix not in games and (len(found) != 1 or not prefix):
        raise Refused("", f"there is no game {prefix[:40]!r}: the games are {', '.join(games)}")
    return games.get(prefix) or found[0]
