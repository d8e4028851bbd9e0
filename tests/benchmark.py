"""What commands cost, beside Python itself and two accounting programs: medians of ratios only.

    python tests/benchmark.py [RUNS]

Measure an installed wheel (`pip install .`): the interpreter of this environment is called
directly. Data come from a seed; fsync is left out by a dry run. hledger and ledger are measured
where they are installed, over a journal with a transaction a round and a posting a player.
"""

from __future__ import annotations

import os
import pty
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tabulate import tabulate

from pollctl.games import find
from pollctl.log import seal_all
from pollctl.model import Event, State
from pollctl.opening import Plan, new_opening
from pollctl.replay import read_opening
from pollctl.session import load

PLAYERS = ("Ann", "Ben", "Cai", "Dee", "Eli")
AT = datetime(2026, 11, 27, 20, tzinfo=UTC)
POLLCTL = str(Path(sys.executable).with_name("pollctl"))


class Row(NamedTuple):
    """A command beside another."""

    what: str
    beside: str
    ratio: float
    goal: str


def main(runs: int) -> None:
    """Measure everything and print one table."""
    with tempfile.TemporaryDirectory() as room:
        os.environ["XDG_STATE_HOME"] = room
        files = {count: write_session(Path(room), count) for count in (50, 1000, 10000)}
        rows = [*starts(files[50], runs), *growth(files, max(5, runs // 4))]
        rows.append(Row("play, ms from Enter to the next prompt", "fsync", *prompted(files[50])))
    sys.stdout.write(tabulate(rows, ["pollctl", "beside", "ratio", "goal"], "github", ".2f"))


def starts(fifty: Path, runs: int) -> Iterator[Row]:
    """Whole processes on a session of 50 rounds."""
    click = [sys.executable, "-c", "import click"]
    for goal, arguments in (
        ("1.15", ["--version"]),
        ("1.5", ["standings", "--json"]),
        ("1.5", ["explain", "--json"]),
        ("1.6", ["round", "add", "3y4n3y4n2y", "--dry-run"]),
    ):
        ours = pollctl(arguments, fifty)
        yield Row(" ".join(arguments), "import click", ratio(ours, click, runs), goal)
    tables = [sys.executable, "-c", "import click, tabulate"]
    ours = pollctl(["standings"], fifty)
    yield Row("standings", "import click, tabulate", ratio(ours, tables, runs), "1.35")


def growth(files: dict[int, Path], runs: int) -> Iterator[Row]:
    """Long sessions, beside shorter ones and beside accounting programs."""
    small, large = (pollctl(["standings", "--json"], files[count]) for count in (1000, 10000))
    what = "standings --json, 10,000 rounds"
    yield Row(what, "1,000 rounds", ratio(large, small, runs), "11")
    journal = write_journal(files[10000])
    for name, goal in (("hledger", "0.8"), ("ledger", "")):
        if program := shutil.which(name):
            other = [program, "-f", str(journal), "balance"]
            yield Row(what, f"{name} balance", ratio(large, other, runs), goal)
    yield Row(what, "MB at the peak", peak_megabytes(large), "80")
    add = pollctl(["round", "add", "3y4n3y4n2y", "--dry-run", "--json"], files[10000])
    yield Row("round add, 10,000 rounds", "standings --json", ratio(add, large, runs), "1")


def pollctl(arguments: Sequence[str], session: Path) -> list[str]:
    """The command line of a command on a session."""
    given = [] if arguments == ["--version"] else ["--session", str(session)]
    return [sys.executable, POLLCTL, *arguments, *given]


def ratio(ours: Sequence[str], other: Sequence[str], runs: int) -> float:
    """The median over pairs of runs, one after the other, so that both see the same machine."""
    return float(median([seconds(ours) / seconds(other) for _ in range(runs + 1)][1:]))


def seconds(command: Sequence[str]) -> float:
    """How long a whole process takes; raises CalledProcessError if it fails."""
    begin = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - begin


def prompted(session: Path, rounds: int = 9) -> tuple[float, str]:
    """Milliseconds from the last Enter of a round to the next question, the syncs left out."""
    pid, fd = pty.fork()
    if pid == 0:
        command = [sys.executable, POLLCTL, "play", "--session", str(session)]
        os.execv(command[0], command)  # noqa: S606 - the program itself, no shell
    waits = []
    await_text(fd, b"Question, or Enter: ")
    for _ in range(rounds):
        os.write(fd, b"\r")
        await_text(fd, b": ", b"Ann, Ben")
        os.write(fd, b"3y4n3y4n2y\r")
        await_text(fd, b": ", b"Penalties")
        begin = perf_counter()
        os.write(fd, b"\r")
        await_text(fd, b"Question, or Enter: ")
        waits.append(perf_counter() - begin)
    os.close(fd)
    os.waitpid(pid, 0)
    return 1000 * (median(waits) - synced(session, rounds)), "50"


def await_text(fd: int, end: bytes, after: bytes = b"") -> None:
    """Read from a terminal until a prompt stands there, after another text if one is named."""
    seen = b""
    while after not in seen or not seen.endswith(end):
        seen += os.read(fd, 4096)


def synced(session: Path, runs: int) -> float:
    """Seconds that one write and its sync take on the disk of a session."""
    waits = []
    with session.with_suffix(".sync").open("ab", buffering=0) as file:
        for _ in range(runs):
            begin = perf_counter()
            file.write(b"x" * 600)
            os.fsync(file.fileno())
            waits.append(perf_counter() - begin)
    return float(median(waits))


def peak_megabytes(command: Sequence[str]) -> float:
    """The most memory a process holds, seen by a small parent: a large one's own would count."""
    look = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, *command], capture_output=True, text=True, check=True
    )
    return int(done.stdout) * 1024 / 1e6


def write_session(room: Path, count: int) -> Path:
    """A session of so many rounds that nobody wins, from a seed."""
    chance = random.Random(count)
    plan = Plan(find("poll"), PLAYERS, {"spaces": 100}, None, "Benchmark")
    events = [new_opening(plan, f"{chance.getrandbits(128):032x}", AT)]
    opening = read_opening(events[0])
    state = opening.game.begin(opening.rules, PLAYERS, {})
    for number in range(1, count + 1):
        fields = round_fields(chance, number, state)
        state = opening.game.score(state, opening.rules, fields).state
        at = AT + timedelta(minutes=4 * number)
        events.append(Event(number + 1, at, "round", {"number": number, **fields}))
    path = room / f"{count}.toml"
    path.write_bytes(seal_all(b"", events)[0])
    return path


def round_fields(chance: random.Random, number: int, state: State) -> dict[str, Any]:
    """A plausible round; who has come far is ruled back."""
    far = [player for player, score in state.scores.items() if score > 60]
    return {
        "pollster": PLAYERS[-number % len(PLAYERS)],
        "source": "card",
        "question": "Do you sing in the shower?",
        "ballots": [
            {"player": player, "card": chance.randint(0, 5), "chip": chance.choice(["yes", "no"])}
            for player in PLAYERS
        ],
        "rulings": [{"player": p, "change": -50, "reason": "back to the start"} for p in far],
    }


def write_journal(session: Path) -> Path:
    """The same game as an accounting journal: a transaction a round, a posting a player."""
    game, lines = load(session.read_bytes()).game, []
    for step in game.steps:
        lines.append(f"{step.round.at:%Y-%m-%d} round {step.round.number}")
        moved = {p: step.after.scores[p] - step.before.scores[p] for p in PLAYERS}
        lines += [f"    {player}  {change}" for player, change in moved.items()]
        lines += [f"    table  {-sum(moved.values())}", ""]
    path = session.with_suffix(".journal")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 25)
