"""A power cut at any moment of a command, with what a disk may make of unsynced writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.disk import TRACED, Disk
from tests.campaigns.law import ADD, hold_altered, hold_known, hold_recovery, look
from tests.campaigns.sessions import altered, small
from tests.campaigns.tracing import Call, recorded
from tests.campaigns.witness import Seen, witness

FOLDER = Path("power")
PATH = FOLDER / "power.toml"
TORN = b"\n[[event]]\nseq = 5\nat = 2026-11-30 20:06:07+01:00\n" + b"#" * 1500
CREATE = "O_CREAT"
LONG = "Would you rather " + "really " * 100 + "sing?"


class Scene(NamedTuple):
    """A command, the file it is given, and what of it a repair moves aside."""

    words: Sequence[str]
    data: bytes
    tail: bytes = b""
    altered: bool = False
    """Whether it is whole only when accepted."""


class Film(NamedTuple):
    """What a command asked of the system, and what it left behind."""

    scene: Scene
    calls: Sequence[Call]
    after: bytes


def scenes() -> dict[str, Scene]:
    """Every way in which a session file is written."""
    data, file, other = small(), ("-s", str(PATH)), altered()
    crlf = data.replace(b"\n", b"\r\n")
    return {
        "append": Scene((*ADD, *file), data),
        "long append": Scene((*ADD, "-q", LONG, *file), data),
        "import": Scene(("round", "import", "rounds.csv", *file), data),
        "new": Scene(("new", "poll", "Ann", "Ben", "Cai", "-o", str(PATH)), b""),
        "repair": Scene(("repair", "-y", *file), data + TORN, TORN),
        "repair of line endings": Scene(("repair", "-y", *file), crlf, crlf),
        "repair of altered bytes": Scene(("repair", "-y", *file), other + TORN, TORN, altered=True),
        "accept": Scene(("accept", "-y", "--reason", "why", *file), other, altered=True),
    }


def cases(plan: Plan) -> Iterator[Case]:
    """Power cuts at random moments, each with a random remainder."""
    Path("rounds.csv").write_text("Ann,Ben,Cai\n" + "3n,3n,3n\n" * 12, "utf-8")
    films = {name: film(scene) for name, scene in scenes().items()}
    names = list(films)
    for number in range(plan.pick(200, 5_000)):
        name = names[number % len(names)]
        moment = plan.rng("power", number).choice(moments(films[name].calls))
        text = f"{name}, cut after {moment} of {len(films[name].calls)} calls"
        yield Case(text, partial(hold, plan, number, films[name], moment))


def moments(calls: Sequence[Call]) -> list[int]:
    """The moments before, between and after the calls that change something."""
    idle = ("openat", "close")
    changing = [n for n, call in enumerate(calls, 1) if call.name not in idle or CREATE in call[2]]
    return [0, *changing]


def lay(files: dict[str, bytes]) -> None:
    """Let the folder hold these files and no others."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, data in files.items():
        (FOLDER / name).write_bytes(data)


def film(scene: Scene) -> Film:
    """Record a command: its calls about the folder, and its answer."""
    before = {PATH.name: scene.data} if scene.data else {}
    lay(before)
    options = ("-xx", "-s", "1000000", "-e", f"trace={TRACED}")
    calls = recorded(scene.words, *options)
    mark = os.fsencode(FOLDER).hex("/").replace("/", "\\x")
    first = next(n for n, call in enumerate(calls) if f'"\\x{mark}\\x2f' in call.arguments)
    whole = Disk(FOLDER, before)
    for call in calls[first:]:
        whole.apply(call)
    found = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    rebuilt = {name: inode.versions[-1] for name, inode in whole.names.items() if name in found}
    if rebuilt != found or not whole.answered:
        raise AssertionError("what was recorded is not what was done")
    return Film(scene, calls[first:], found[PATH.name])


def hold(plan: Plan, number: int, film: Film, moment: int) -> str:
    """Hold what a power cut leaves to the law, and to becoming whole again."""
    disk = Disk(FOLDER, {PATH.name: film.scene.data} if film.scene.data else {})
    for call in film.calls[:moment]:
        disk.apply(call)
    files = disk.after(plan.rng("power", number, "disk"))
    lay(files)
    state = look(PATH)
    known = hold_left(film, state.data, acknowledged=disk.answered)
    if film.scene.tail and state.data != film.scene.data:
        demand(film.scene.tail in state.asides, "the bytes moved aside are nowhere")
    if film.scene.altered:
        scene = film.scene
        return hold_altered(PATH, scene.data.removesuffix(scene.tail), scene.tail)
    if state.data:
        hold_recovery(PATH, known)
        if film.scene.tail:
            demand(film.scene.tail in look(PATH).asides, "the bytes moved aside are nowhere")
    if disk.answered:
        hold_known(state.data, witness(film.after))
        return "acknowledged and there"
    return outcome(film, state.data)


def hold_left(film: Film, data: bytes, *, acknowledged: bool) -> Seen:
    """The events that have to stay, whatever comes."""
    if acknowledged:
        demand(data == film.after, "what was acknowledged is lost or changed")
        return witness(film.after)
    scene = film.scene
    if not scene.data:
        demand(data in (b"", film.after), "a new session is neither absent nor whole")
        return witness(data)
    base = scene.data.removesuffix(scene.tail) if scene.tail else scene.data
    demand(data.startswith(base), "a byte that stood before is lost or changed")
    return witness(base or scene.data.replace(b"\r\n", b"\n"))


def outcome(film: Film, data: bytes) -> str:
    """What came of an entry that was not acknowledged."""
    if data == film.after:
        return "not acknowledged and there"
    whole = data == film.scene.data or witness(data).whole
    return "absent" if whole else "torn or garbled tail"


CAMPAIGN = Campaign(
    "power",
    "After a power cut at any moment an acknowledged event is there, and the file becomes whole.",
    cases,
)
