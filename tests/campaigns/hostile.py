"""The reader fed random and hostile bytes: an answer, soon, and never a traceback."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from pollctl.audit import audit
from pollctl.model import Refused
from pollctl.render.answers import standings_answer
from pollctl.session import load
from tests.campaigns.campaign import Broken, Campaign, Case, Plan, demand
from tests.campaigns.law import hold_answer
from tests.campaigns.sessions import batch, small, twenty
from tests.log import hand_seal
from tests.log.processes import forked

SECONDS = 0.5
AT_ONCE = 500
"""So many inputs are one case."""

LED = 10_000
"""So many inputs, led by coverage, are one case."""

_TRAILER = re.compile(rb'\[event\.seal\]\nsha256 = "[0-9a-f]{64}"\n')

WORDS = (
    b"[[event]]\n",
    b"[event.seal]\n",
    b'sha256 = "' + b"0" * 64 + b'"\n',
    b"seq = 2\n",
    b"seq = 99999999999999999999\n",
    b'kind = "accept"\n',
    b'kind = "amend"\nround = 1\n',
    b'kind = "leave"\nplayer = "Ann"\n',
    b'kind = "join"\nplayer = "Ann"\nafter = "Ann"\n',
    b'kind = "rename"\nplayer = "Ann"\nto = "Ben"\n',
    b'kind = "dispute"\nround = 1\nplayer = "Ann"\npenalty = "chip"\n',
    b'kind = "resolve"\ntarget = 2\noutcome = "upheld"\n',
    b'kind = "check"\ntable = { Ann = 1 }\n',
    b'kind = "draw"\ndeck = "d"\ncard = "1"\nquestions = [1]\n',
    b"start = { Ann = -1, Zoe = 99999999999999999999 }\n",
    b"set = { ballots = [] }\n",
    b'clear = ["ballots"]\n',
    b'batch = "1/3"\n',
    b'batch = "0/0"\n',
    b"at = 0001-01-01 00:00:00+23:59\n",
    b"number = -1\n",
    b"x = nan\n",
    b"x = 1979-05-27\n",
    b"a" + b".a" * 2000 + b" = 1\n",
    b"x = " + b"[" * 5000,
    b"x = " + b"{a=" * 500,
    b"x = " + b"9" * 5000,
    b'"""',
    b"'''",
    b"\\u0000",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\0" * 512,
    b"\xe2\x80\xae",
    b"=",
    b"[",
    b"{",
    b"\n",
)
"""What means something in a session, in TOML, or to a terminal."""


def mutated(rng: random.Random, seeds: list[bytes]) -> bytes:
    """Random bytes, or a session with random changes, sealed again half of the time."""
    if rng.random() < 0.05:
        return rng.randbytes(rng.randrange(2_000))
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        place = rng.randrange(len(data) + 1)
        size = rng.choice([0, 0, 1, 4, rng.randrange(200)])
        other = rng.choice(seeds)
        start = rng.randrange(len(other))
        put = rng.choice([b"", rng.choice(WORDS), rng.randbytes(2), other[start : start + size]])
        data[place : place + size] = put
    return sealed_again(bytes(data)) if rng.random() < 0.5 else bytes(data)


def sealed_again(data: bytes) -> bytes:
    """The bytes with every seal made to match, so that what is in them is looked at."""
    out, start = b"", 0
    for match in _TRAILER.finditer(data):
        out = hand_seal(out + data[start : match.start()])
        start = match.end()
    return out + data[start:]


def feed(data: bytes) -> str:
    """Read, score and audit some bytes; raises Broken where that takes too long."""
    begin = time.process_time()
    try:
        session = load(data)
        standings_answer("x.toml", session, session.game)
        outcome = f"shown as {session.log.chain}"
    except Refused:
        outcome = "refused"
    spent = time.process_time() - begin
    audit("x.toml", data)
    demand(spent < SECONDS, f"an answer took {spent:.2f} s")
    return outcome


def seeds_of(plan: Plan) -> list[bytes]:
    """Sessions to begin with."""
    return [small(), batch().data, *(each.data for each in twenty(plan.seed))]


def hold_many(plan: Plan, number: int, seeds: list[bytes]) -> str:
    """Feed many inputs to the reader, and one of them to the whole program."""
    for place in range(AT_ONCE):
        data = mutated(plan.rng("hostile", number, place), seeds)
        try:
            feed(data)
        except Exception as fault:
            raise Broken(f"input {place}: {type(fault).__name__}: {fault}") from fault
    path = Path("hostile.toml")
    path.write_bytes(data)
    for words in (("standings",), ("log", "--json"), ("explain",), ("undo", "-n"), ("repair",)):
        answer = forked(*words, "-s", str(path))
        hold_answer(answer)
        demand(answer.status in (0, 1, 2, 3), f"{words[0]}: status {answer.status}")
        demand(path.read_bytes() == data, f"{words[0]} wrote")
    return "answered"


def cases(plan: Plan) -> Iterator[Case]:
    """Random inputs; in the long form half of them are led by what they reach in the program."""
    number, seeds = plan.pick(2_000, 1_000_000), seeds_of(plan)
    if not plan.long or not find_spec("atheris"):
        yield from at_random(plan, range(number // AT_ONCE), seeds)
        return
    several = LED // AT_ONCE
    for place in range(number // LED // 2):
        begun = partial(led, plan.seed * 1_000 + place + 1)
        yield Case(f"inputs led by coverage, {place}", begun, LED)
        yield from at_random(plan, range(place * several, (place + 1) * several), seeds)


def at_random(plan: Plan, places: range, seeds: list[bytes]) -> Iterator[Case]:
    """Random inputs, many to a case."""
    for place in places:
        yield Case(f"inputs of {place}", partial(hold_many, plan, place, seeds), AT_ONCE)


def led(seed: int) -> str:
    """Let inputs be led by coverage, in a process of its own; what they reached is kept."""
    room = Path("corpus")
    if not room.exists():
        room.mkdir()
        for place, data in enumerate(seeds_of(Plan(seed, long=True))):
            (room / str(place)).write_bytes(data)
    command = [sys.executable, "-m", "tests.campaigns.led", str(room)]
    options = [f"-runs={LED}", f"-seed={seed}", "-max_len=8000", "-timeout=5", "-verbosity=0"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([*command, *options], capture_output=True, check=False, env=env)
    demand(done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3000:])
    return "answered, led by coverage"


CAMPAIGN = Campaign(
    "hostile",
    "Whatever bytes a file holds, every command answers in words, in under half a second.",
    cases,
)
