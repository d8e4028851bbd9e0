"""In bash, zsh and fish themselves: what stands on the line after Tab, and what it would run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import split

import pytest

from tests.completion.shells import SHELLS, Shell, Typed, installed, write_program

ODD = "explain -s odd.toml --player"

LINES = {
    "round add ma→3y jo→4n o→1n 李→0y": "round add Mary\\ Ann:3y José:4n O\\'Neil:1n 李雷:0y",
    "round add --penalty=o→answer": "round add --penalty=O\\'Neil=answer",
    "round add --cat→f→": "round add --category Food\\ \\&\\ Drink",
    "new poll A B --rule tiebreak=k→": "new poll A B --rule tiebreak=knockout",
    "explain -s dice\\ n→ --player z→": "explain -s dice\\ night.toml --player Zoé",
    "standings --session=odd→": "standings --session=odd.toml",
    f"{ODD} \\$→": f"{ODD} \\$\\(touch\\ x\\)\\ \\`y\\`",
    f'{ODD} "b→': f'{ODD} "b\\\\a\\"c"',
    f"{ODD} 'p→": f"{ODD} 'p|i & e'",
}
"""Keys, where an arrow is the Tab key, with the line they make."""

SEATED = ("Mary", "José", "Neil", "李雷")


@pytest.fixture(scope="module")
def shells(home: Path) -> Iterator[Mapping[str, Shell]]:
    """Every shell that is installed, running."""
    write_program(home)
    running = {name: Shell(name, home) for name in installed()}
    yield running
    for shell in running.values():
        shell.child.close(force=True)


@pytest.fixture(scope="module")
def typed(shells: Mapping[str, Shell]) -> Mapping[tuple[str, str], Typed | None]:
    """What every line became in every shell; they work side by side."""
    found = {}
    for keys in LINES:
        for shell in shells.values():
            shell.type(f"pollctl {keys}\r")
        found.update({(name, keys): shell.read() for name, shell in shells.items()})
    return found


@pytest.mark.parametrize("keys", LINES)
@pytest.mark.parametrize("name", SHELLS)
def test_tab_makes_a_line_that_means_what_was_meant(
    name: str, keys: str, typed: Mapping[tuple[str, str], Typed | None]
) -> None:
    """Tab completes to the line expected, and the shell takes it apart into the words meant."""
    if name not in installed():
        pytest.skip(f"{name} is not installed")
    found = typed[name, keys]
    assert found
    assert found.arguments == split(LINES[keys])
    if name == "fish":
        assert split(found.line) == ["pollctl", *split(LINES[keys])]  # it quotes as it likes
    else:
        assert found.line == f"pollctl {LINES[keys]}"


@pytest.mark.parametrize("name", SHELLS)
def test_what_may_follow_is_listed(name: str, shells: Mapping[str, Shell]) -> None:
    """Tab twice where several values fit lists them, in their own order."""
    if name not in installed():
        pytest.skip(f"{name} is not installed")
    shells[name].type("pollctl explain --player →→")
    assert shells[name].sees(*SEATED)


@pytest.mark.usefixtures("typed")
def test_a_name_is_never_run(home: Path) -> None:
    """A player's name that looks like a command is completed, and not run."""
    assert not (home / "x").exists()
