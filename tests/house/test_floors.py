"""The house stands: every file on its floor, every import downwards."""

from __future__ import annotations

import ast

import pytest

from tests.house.source import FILES, TREES, imported

FLOORS = (
    {"__init__.py", "model.py", "cli/ended.py", "cli/lazy.py"},
    {"text.py", "codec.py", "seal.py", "game.py"},
    {
        "games/poll_game/cards.py",
        "games/dice_democracy/cards.py",
        "seating.py",
        "sheet.py",
        "log.py",
        "store/disk.py",
    },
    {"games/poll_game/guide.py", "games/dice_democracy/guide.py"},
    {"games/poll_game/__init__.py", "games/dice_democracy/__init__.py"},
    {"games/__init__.py", "store/user.py"},
    {"history.py", "damage.py", "store/__init__.py"},
    {"naming.py"},
    {"replay.py"},
    {"standings.py", "notation.py", "wording.py", "session.py"},
    {"hand.py", "deck_files.py"},
    {"decks.py"},
    {
        "opening.py",
        "recording.py",
        "mending.py",
        "slips.py",
        "audit/checks.py",
        "audit/receipts.py",
    },
    {"audit/turns.py", "audit/entries.py"},
    {"audit/register.py"},
    {"audit/__init__.py"},
    {"transfer.py", "evening.py", "drawing.py", "undoing.py", "what_if.py"},
    {"culprit.py"},
    {
        "render/__init__.py",
        "render/answers.py",
        "render/tables.py",
        "render/words.py",
        "render/banner.py",
    },
    {"render/cards.py", "render/decks.py"},
    {
        "render/recorded.py",
        "render/saying.py",
        "render/audited.py",
        "render/disputed.py",
        "render/supposed.py",
        "render/culprits.py",
        "render/board.py",
        "render/compared.py",
        "cli/complete.py",
    },
    {"cli/desk.py"},
    {"cli/recorder.py", "cli/ask.py"},
    {"cli/transfer.py"},
    {
        "cli/session.py",
        "cli/rounds.py",
        "cli/corrections.py",
        "cli/reading.py",
        "cli/decks.py",
        "cli/evening.py",
        "cli/help.py",
    },
    {"cli/audit.py", "cli/trust.py", "cli/beginning.py"},
    {"cli/play.py"},
    {"cli/completion.py"},
    {"cli/__init__.py"},
    {"__main__.py"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}

PACKAGES = {
    "audit/__init__.py",
    "store/__init__.py",
    "render/__init__.py",
    "cli/__init__.py",
    "games/__init__.py",
    "games/poll_game/__init__.py",
    "games/dice_democracy/__init__.py",
}
"""Importing a module imports its package first; that is no dependence on what the package does."""


def test_every_file_has_a_floor() -> None:
    """No file stands outside the house, and the plan names no file that is gone."""
    assert FLOOR.keys() == FILES.keys()


@pytest.mark.parametrize("name", FILES)
def test_imports_go_down(name: str) -> None:
    """A file imports only from the floors below its own."""
    own = {f"{name.rpartition('/')[0]}/__init__.py"} & PACKAGES
    too_high = {other for other in imported(name) - own if FLOOR[other] >= FLOOR[name]}
    assert not too_high - PACKAGES


@pytest.mark.parametrize("name", sorted(name for name in FILES if not name.startswith("store/")))
def test_only_the_store_opens_prints_or_reads_the_clock(name: str) -> None:
    """No file but the store touches the disk or the clock, and none prints."""
    forbidden = {"open", "print", "input", "now", "today", "urandom", "read_text", "write_text"}
    called = {_called(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)}
    assert not called & forbidden - _through_the_store(name)


def _called(call: ast.Call) -> str:
    function = call.func
    return getattr(function, "attr", getattr(function, "id", ""))


def _through_the_store(name: str) -> set[str]:
    """`store.now()` is the door itself."""
    calls = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)]
    return {
        call.func.attr
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "store"
    }


@pytest.mark.parametrize(
    "name", sorted(FILES.keys() - {f for f in FILES if f.startswith("games/")})
)
def test_no_file_but_its_own_knows_a_game(name: str) -> None:
    """Outside the games, no code names a game, its role, its ballots or its rules."""
    words = {"poll-game", "dice-democracy", "pollster", "chairperson", "chip", "large", "small"}
    docs = {
        id(node.body[0].value)
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = {
        node.value
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.Constant) and id(node) not in docs
    }
    assert not texts & words
