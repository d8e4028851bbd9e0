"""Cards: their decks, drawing them, and the rounds that play them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.commands import begin, done

if TYPE_CHECKING:
    from tests.conftest import Pollctl

ONE = "Do you sing?"
TWO = "Do you sing? | Do you dance?"
CHOICE = "choice: Money"
RULE = "Landslide | orange | Twice. | majority=2; false_majority=2"


def deal(pollctl: Pollctl, scene: str, *lines: str) -> None:
    """Begin a session, and a deck of these lines, which is drawn from."""
    begin(pollctl, scene)
    Path("deck.txt").write_text("\n".join(lines), encoding="utf-8")
    done(pollctl, "deck use deck.txt")
