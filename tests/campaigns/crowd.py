"""Many writers at once, and readers while they write."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple

from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import hold_answer
from tests.campaigns.witness import Seen, witness
from tests.log import opening, sealed
from tests.log.processes import forked

PATH = Path("crowd/crowd.toml")
STOP = Path("crowd/stop")
PLAYERS = ("Ann", "Ben", "Cai")
READS = 200
"""So many reads of one session; then comes a new one, since reading takes longer as it grows."""


class Told(NamedTuple):
    """What a writer was told: event, receipt and note of each acknowledged round."""

    event: int
    receipt: str
    note: str


def begin() -> None:
    """Lay a new session into an empty folder."""
    shutil.rmtree(PATH.parent, ignore_errors=True)
    PATH.parent.mkdir()
    PATH.write_bytes(sealed([opening(rules={"spaces": 100})]))


def spawn(work: Callable[[], object]) -> int:
    """Do something in a process of its own."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def gather(pids: Sequence[int]) -> None:
    """Wait for processes, of which each has to succeed."""
    ends = [os.waitpid(pid, 0)[1] for pid in pids]
    demand(not any(ends), f"{sum(map(bool, ends))} of {len(ends)} processes came upon something")


def write(writer: int, goes_on: Callable[[int], bool], pause: float = 0) -> None:
    """Record rounds while it goes on, each moving one player up or, every other time, down."""
    told: list[Told] = []
    refused = 0
    while goes_on(len(told)):
        change = "-1" if len(told) % 2 else "+1"
        note = f"{writer}.{len(told)}"
        ruling = f"{PLAYERS[writer % 3]}={change}:{note}"
        words = ("round", "add", "3n3n3n", "--note", note, "--ruling", ruling)
        answer = forked(*words, "-s", str(PATH), "--json")
        hold_answer(answer)
        demand(answer.status in (0, 6), f"status {answer.status}: {answer.err}")
        if answer.status == 0:
            told.append(Told(answer.json["event"], answer.json["receipt"], note))
        refused += answer.status == 6
        sleep(pause)
    text = json.dumps({"told": told, "refused": refused})
    PATH.with_name(f"writer-{writer}.json").write_text(text, "utf-8")


def read(reader: int, number: int) -> None:
    """Read so often, and keep what was shown."""
    shown = []
    for _ in range(number):
        answer = forked("standings", "-s", str(PATH), "--json")
        hold_answer(answer)
        demand((answer.status, answer.err) == (0, ""), f"{answer.status}: {answer.err}")
        told = answer.json
        scores = {row["player"]: row["score"] for row in told["standings"]}
        shown.append([told["receipt"], told["played"], scores])
    PATH.with_name(f"reader-{reader}.json").write_text(json.dumps(shown), "utf-8")


def kept(kind: str) -> list[Any]:
    """What the processes of a kind kept."""
    return [json.loads(path.read_text("utf-8")) for path in PATH.parent.glob(f"{kind}-*.json")]


def hold_written() -> tuple[Seen, int]:
    """Hold the file to what its writers were told; what is in it, and how many were refused."""
    seen = witness(PATH.read_bytes())
    demand(seen.whole, "the file is not whole")
    notes = [event.get("note") for event in seen.events]
    written = kept("writer")
    told = [Told(*each) for writer in written for each in writer["told"]]
    once = Counter(notes[1:])
    demand(once == Counter(each.note for each in told), "an entry is lost, doubled, or untold")
    for each in told:
        demand(notes[each.event - 1] == each.note, f"{each.note} stands elsewhere than was told")
        demand(seen.receipt_of(each.event) == each.receipt, f"{each.note} has another receipt")
    for writer in written:
        order = [each[0] for each in writer["told"]]
        demand(order == sorted(order), "the entries of a writer are not in order")
    numbers = [event["number"] for event in seen.events[1:]]
    demand(numbers == list(range(1, len(numbers) + 1)), "the rounds are not numbered in order")
    return seen, sum(writer["refused"] for writer in written)


def hold_writers(writers: int, rounds: int) -> str:
    """Let writers record at once, and hold the file to what they were told."""
    begin()
    gather([spawn(partial(write, each, lambda done: done < rounds)) for each in range(writers)])
    seen, refused = hold_written()
    demand(len(seen.events) == 1 + writers * rounds, "entries are missing")
    return f"acknowledged, there once and in order ({refused} refused while another wrote)"


def hold_readers(writers: int, readers: int) -> str:
    """Let readers read while writers record, and hold every answer to what was recorded then."""
    begin()
    writing = partial(write, goes_on=lambda _: not STOP.exists(), pause=0.05)
    pids = [spawn(partial(writing, each)) for each in range(writers)]
    try:
        gather([spawn(partial(read, each, READS // readers)) for each in range(readers)])
    finally:
        STOP.touch()
    gather(pids)
    seen, _ = hold_written()
    hold_shown(seen)
    return "reads right"


def hold_shown(seen: Seen) -> None:
    """Hold every reading to the file as it was then, by a plain sum."""
    scores = dict.fromkeys(PLAYERS, 0)
    true = {seen.receipt_of(1): [0, dict(scores)]}
    for place, event in enumerate(seen.events[1:], 2):
        for ruling in event["rulings"]:
            scores[ruling["player"]] += ruling["change"]
        true[seen.receipt_of(place)] = [place - 1, dict(scores)]
    for shown in kept("reader"):
        played = [reading[1] for reading in shown]
        demand(played == sorted(played), "a later reading shows less")
        for receipt, *rest in shown:
            demand(true.get(receipt) == rest, f"a wrong score was shown at {receipt}: {rest}")


def writers(plan: Plan) -> Iterator[Case]:
    """One crowd of writers."""
    many, rounds = plan.pick(4, 16), plan.pick(10, 200)
    name = f"{many} writers with {rounds} rounds each"
    yield Case(name, partial(hold_writers, many, rounds), many * rounds)


def readers(plan: Plan) -> Iterator[Case]:
    """Crowds of readers, each around a new session."""
    for number in range(plan.pick(200, 5_000) // READS):
        yield Case(f"session {number}", partial(hold_readers, 2, 2), READS)


WRITERS = Campaign(
    "writers",
    "Of many writers at once every acknowledged event is there once, in order, and sealed.",
    writers,
    shares=1,
)
READERS = Campaign(
    "readers",
    "Whoever reads while others write sees no wrong score, no warning, and nothing go back.",
    readers,
    shares=1,
)
