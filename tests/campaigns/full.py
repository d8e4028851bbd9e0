"""A disk that is full at every byte of what is to be written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit
from typing import NamedTuple

from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import ADD, hold_answer, hold_append, hold_recovery, hold_repair, look
from tests.campaigns.sessions import small
from tests.log.processes import forked

PATH = Path("full.toml")
IMPORT = ("round", "import", "rounds.csv")
TAIL = b'\n[[event]]\nseq = 5\nat = 2026-11-30 20:06:07+01:00\nkind = "round"\n' + b"#" * 300


class Scene(NamedTuple):
    """A command, and the file it is given."""

    words: Sequence[str]
    data: bytes
    adds: int
    every: bool
    """Whether the short form takes every byte too."""


def scenes() -> dict[str, Scene]:
    """What is done on a full disk."""
    data = small()
    return {
        "add": Scene((*ADD, "-q", "Do you sing?", "-s", str(PATH)), data, 1, every=True),
        "undo": Scene(("undo", "-s", str(PATH)), data, 1, every=True),
        "new": Scene(("new", "poll", "Ann", "Ben", "-o", str(PATH)), b"", 1, every=False),
        "import": Scene((*IMPORT, "-s", str(PATH)), data, 3, every=False),
        "repair": Scene(("repair", "-y", "-s", str(PATH)), data + TAIL, 1, every=False),
    }


def cases(plan: Plan) -> Iterator[Case]:
    """Every limit below the size at which the command succeeds, and that size."""
    Path("rounds.csv").write_text("Ann,Ben,Cai\n" + "3n,3n,3n\n" * 3, "utf-8")
    for name, scene in scenes().items():
        prepare(scene)
        usual = forked(*scene.words)
        demand(usual.status == 0, f"{name} fails without a limit: {usual.err}")
        low = 0 if scene.words[0] in ("new", "repair") else len(scene.data)
        for limit in range(low, PATH.stat().st_size + 1, plan.pick(1 if scene.every else 9, 1)):
            yield Case(f"{name}, full at byte {limit}", partial(hold, scene, limit))


def prepare(scene: Scene) -> None:
    """Lay the file where the command looks for it."""
    shutil.rmtree("state", ignore_errors=True)
    for old in (*Path().glob("full.toml*"), *scratch()):
        old.unlink()
    if scene.data:
        PATH.write_bytes(scene.data)


def hold(scene: Scene, limit: int) -> str:
    """Hold a command on a disk that is full at a byte to its answer."""
    prepare(scene)
    before = look(PATH)
    answer = forked(*scene.words, before=lambda: setrlimit(RLIMIT_FSIZE, (limit, RLIM_INFINITY)))
    after = look(PATH)
    if scene.words[0] == "repair":
        outcome = hold_repair(before, TAIL, after, answer)
        hold_recovery(PATH, before.seen)
    else:
        hold_answer(answer)
        outcome = hold_append(scene.data, after.data, answer, scene.adds)
        demand(answer.status in (0, 5, 6), f"status {answer.status}: {answer.err}")
        demand(outcome != "torn tail", "a part was left behind")
        demand(not scratch(), "a temporary file was left behind")
    return f"{scene.words[0]} {outcome}"


def scratch() -> list[Path]:
    """Files that should have been removed."""
    return list(Path().glob(".pollctl-*"))


CAMPAIGN = Campaign(
    "full",
    "On a disk that is full at any byte of an entry, the file is byte for byte as it was.",
    cases,
)
