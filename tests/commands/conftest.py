"""What the tests of the command line share: a disk that does not wait."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip waiting for the disk, of which nothing here is about."""
    monkeypatch.setattr("os.fsync", lambda _fd: None)
