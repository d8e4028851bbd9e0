"""What the tests of completion share: a home with sessions in it."""

from __future__ import annotations

from pathlib import Path
from shlex import split

import pytest

from pollctl.cli import run

EVENINGS = (
    "new dice Zoé Yan Xu -o 'dice night.toml'",
    "round add 64 61 52 --note quiet --override majority=2",
    """new poll '$(touch x) `y`' 'b\\a"c' '*{a,b}' 'p|i & e' 'co,mma' -o odd.toml""",
    """new poll 'Mary Ann' José "O'Neil" 李雷 -o friday.toml""",
    "round add 1y 1n 1n 1n -q 'Do you sing?'",
    "round add 2y 2n 2n 2n",
    "round add 3y 3y 3y 3n",
    "penalty o=chip --round 2",
    "round void 1",
    "undo",
    "round void 1",
)
"""Three sessions; the last is the current one, with rounds 2 and 3 standing."""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sessions, and the state that says which is the current one."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        for line in EVENINGS:
            assert run(split(line)) == 0
    return folder


@pytest.fixture
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in that folder, where Friday's is the current session."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    return home
