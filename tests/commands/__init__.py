"""The command line: what people type, and what they are told."""

from __future__ import annotations

from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING

from pollctl import store

if TYPE_CHECKING:
    from tests.conftest import Answer, Pollctl

POLL = "new poll Ann Ben Cai -o game.toml"
DICE = "new dice Ann Ben Cai -o game.toml"

TIE = (f"{POLL} --rule spaces=2", "round add 2y 2y 3n", "round add 2y 2y 3n")
"""Ann and Ben in the centre after two rounds."""

SCENES = {
    "nothing": (),
    "poll": (POLL,),
    "round": (POLL, "round add 2y 2y 3n"),
    "twins": ("new poll Ann Anna Ben -o game.toml",),
    "tie": TIE,
    "won": (*TIE, "round add 2y 1y n"),
    "dice": (DICE,),
    "cast": (DICE, "round add 64 61 52"),
    "counted": (f"{DICE} --rule rounds=1", "round add 11 22 33"),
}
"""Games to begin with, each as the lines that are typed for it."""


def done(pollctl: Pollctl, *lines: str) -> Answer:
    """Run these lines, of which each has to succeed; the answer of the last one."""
    answers = [pollctl(*split(line)) for line in lines]
    for line, answer in zip(lines, answers, strict=True):
        assert answer.status == 0, f"{line[:80]}: {answer.err}"
    return answers[-1]


_TYPED: dict[str, bytes] = {}


def begin(pollctl: Pollctl, scene: str) -> None:
    """Begin with a game of SCENES, which is typed once and from then on copied."""
    path = Path("game.toml")
    if scene in _TYPED:
        path.write_bytes(_TYPED[scene])
        store.set_current(str(path))
    elif SCENES[scene]:
        done(pollctl, *SCENES[scene])
        _TYPED[scene] = path.read_bytes()


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def scores(pollctl: Pollctl) -> dict[str, int]:
    """Everybody's score in the current session."""
    rows = done(pollctl, "standings --json").json["standings"]
    return {row["player"]: row["score"] for row in rows}


def status(pollctl: Pollctl) -> tuple[str, list[str]]:
    """How the current session stands, and who has won it."""
    answer = done(pollctl, "standings --json").json
    return answer["status"], answer["winners"]
