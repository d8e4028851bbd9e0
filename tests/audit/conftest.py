"""What the tests of the audit share: a disk and a clock that do not wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit import EVENING


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait neither for the disk nor for a writer, of which nothing here is about."""
    monkeypatch.setattr("os.fsync", lambda _fd: None)
    monkeypatch.setattr("pollctl.store.SETTLE_SECONDS", 0)


@pytest.fixture
def file(room: Path) -> Path:
    """An evening that is over, alone in its folder."""
    folder = room / "league"
    folder.mkdir()
    path = folder / "evening.toml"
    path.write_bytes(EVENING)
    return path
