"""Files and folders for the tests of the disk."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.log import sealed

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def file(room: Path) -> Path:
    """An intact session, alone in its folder."""
    folder = room / "folder"
    folder.mkdir()
    path = folder / "evening.toml"
    path.write_bytes(sealed())
    return path


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may reach and write to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
