"""Files and folders for the tests of the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.log import sealed


@pytest.fixture
def file(room: Path) -> Path:
    """An intact session, alone in its folder."""
    folder = room / "folder"
    folder.mkdir()
    path = folder / "evening.toml"
    path.write_bytes(sealed())
    return path


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no writer before a file is called torn."""
    monkeypatch.setattr("pollctl.store.SETTLE_SECONDS", 0)
