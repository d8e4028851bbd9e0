"""The catalogue: every module of this folder is a game, found and not listed."""

from functools import cache
from importlib import import_module
from pathlib import Path

from pollctl.game import Game
from pollctl.model import Refused


def catalogue() -> dict[str, Game]:
    """All games by id; raises TypeError for a module of this folder that holds none."""
    return {name: _load(name) for name in _names()}


def find(prefix: str) -> Game:
    """The game whose id begins so, in any case; raises Refused unless it is exactly one."""
    names = _names()
    found = [name for name in names if prefix and name.startswith(prefix.casefold())]
    if len(found) != 1:
        raise Refused("", f"there is no game {prefix[:40]!r}: the games are {', '.join(names)}")
    return _load(found[0])


@cache
def _names() -> tuple[str, ...]:
    """The ids of all games: a game is called as its module is.

    Found without pkgutil, whose import is a hundredth of a command's start.
    """
    places = [place for folder in __path__ for place in Path(folder).iterdir()]
    modules = [at for at in places if at.suffix == ".py" or (at / "__init__.py").exists()]
    names = [at.stem.replace("_", "-") for at in modules if not at.name.startswith("_")]
    return tuple(sorted(names))


@cache
def _load(name: str) -> Game:
    module = f"{__name__}.{name.replace('-', '_')}"
    game = getattr(import_module(module), "GAME", None)
    if not isinstance(game, Game) or game.id != name:
        raise TypeError(f"{module} has no GAME of the id {name}")
    return game
