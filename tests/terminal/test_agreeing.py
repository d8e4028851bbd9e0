"""What a person agrees to is what is done, in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Pollctl
from tests.terminal.screen import Terminal

DAMAGE = {
    ("repair",): lambda data: data + b"\n[[event]]\nseq",
    ("accept", "--reason", "a slip"): lambda data: data.replace(b"card = 1", b"card = 2"),
}


def damaged(command: tuple[str, ...], room: Path, pollctl: Pollctl) -> Path:
    """A session that this command mends."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    pollctl("round", "add", "1y0n")
    file = room / "s.toml"
    file.write_bytes(DAMAGE[command](file.read_bytes()))
    return file


@pytest.mark.parametrize("command", DAMAGE, ids=lambda command: command[0])
def test_a_file_that_changed_meanwhile_is_left(
    command: tuple[str, ...], room: Path, pollctl: Pollctl
) -> None:
    """Between question and answer the file changed: nothing is done, and it is asked for anew."""
    file = damaged(command, room, pollctl)
    terminal = Terminal(room, *command)
    terminal.wait("Go on? [y/N]: ")
    changed = file.read_bytes().replace(b"card = 0", b"card = 5") + b"#"
    file.write_bytes(changed)
    terminal.child.sendline("y")
    assert terminal.end() == 1
    assert "the file changed meanwhile" in " ".join(terminal.lines)
    assert file.read_bytes() == changed


@pytest.mark.parametrize("command", DAMAGE, ids=lambda command: command[0])
def test_no_leaves_everything_as_it_is(
    command: tuple[str, ...], room: Path, pollctl: Pollctl
) -> None:
    """Who does not agree changes nothing."""
    file = damaged(command, room, pollctl)
    before = file.read_bytes()
    terminal = Terminal(room, *command)
    terminal.type("n", after="Go on? [y/N]: ")
    assert terminal.end() == 1
    assert terminal.lines[-1] == "pollctl: nothing was written."
    assert {path.name for path in room.iterdir()} == {"s.toml", "state"}
    assert file.read_bytes() == before
