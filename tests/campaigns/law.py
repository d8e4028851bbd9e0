"""The law for all campaigns.

What was acknowledged is never lost, doubled or changed; what was not is absent, whole, or a torn
tail; the exit status is the one the page promises, and no message is untrue.
"""

from __future__ import annotations

import tomllib
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tests.campaigns.campaign import demand
from tests.campaigns.witness import RECEIPT, Seen, witness
from tests.conftest import Answer
from tests.log.processes import forked

ADD = ("round", "add", "3n3n3n")
"""A round in which nobody moves, so that a game goes on for ever."""

UNWRITTEN = (1, 2, 3, 6, 130)
"""The statuses that say that nothing was written."""

STATUSES = (0, 4, 5, *UNWRITTEN)


class State(NamedTuple):
    """A session file in its folder."""

    path: Path
    asides: tuple[bytes, ...]
    """What lies in the files that repairs put beside it."""
    data: bytes
    """Empty where there is no file."""

    @property
    def seen(self) -> Seen:
        """What is sealed of it."""
        return witness(self.data)


def look(path: Path) -> State:
    """How a session file is now."""
    asides = sorted(path.parent.glob(f"{path.name}.aside-*"))
    data = path.read_bytes() if path.exists() else b""
    return State(path, tuple(each.read_bytes() for each in asides), data)


def hold_answer(answer: Answer) -> None:
    """Hold an answer to what every answer has to be: a status of the page, and no traceback."""
    demand("Traceback" not in answer.err, f"a traceback: {answer.err[-600:]}")
    known = answer.status in STATUSES or answer.status < 0
    demand(known, f"status {answer.status} is not on the page: {answer.err}")


def told(answer: Answer) -> str:
    """The receipt an answer tells; empty where it tells none."""
    found = RECEIPT.search(answer.out)
    return found[0] if found else ""


def hold_append(before: bytes, after: bytes, answer: Answer, adds: int = 1) -> str:
    """Hold what a command that adds so many events left behind to its answer; what came of it."""
    hold_answer(answer)
    demand(after.startswith(before), "a byte that stood before was lost or changed")
    old, new = witness(before), witness(after)
    added = len(new.events) - len(old.events)
    whole = new.whole and added == adds
    demand(added <= adds, f"{added} events where {adds} were recorded")
    said = told(answer)
    demand(not said or (whole and said == new.receipt), f"receipt {said} was told for nothing")
    demand(answer.status != 0 or (said and whole), "status 0, and it is not there whole")
    demand(answer.status != 5 or whole, "status 5, and it is not there whole")
    hold_untouched(answer, same=after == before)
    if whole:
        return "recorded"
    return "absent" if after == before else "torn tail"


def hold_untouched(answer: Answer, *, same: bool) -> None:
    """Hold an answer that says that nothing was written to it."""
    says = answer.status in UNWRITTEN or "nothing" in answer.err.lower()
    demand(same or not says, f"status {answer.status}, and something was written: {answer.err}")


def hold_repair(before: State, tail: bytes, after: State, answer: Answer) -> str:
    """Hold what a repair left behind to its answer: the events stay, and so does the tail."""
    hold_answer(answer)
    kept = after.data == before.data or tail in after.asides
    demand(kept, "the bytes moved aside are nowhere")
    base = before.data[: -len(tail)] if before.data.endswith(tail) else b""
    demand(after.data.startswith(base), "a byte that is kept was lost or changed")
    hold_untouched(answer, same=after == before)
    if answer.status in (0, 5):
        seen = after.seen
        demand(seen.whole and tail in after.asides, "repaired, and it is not whole")
        demand(seen.events[-1]["kind"] == "repair", "repaired, and no entry tells of it")
    if answer.status == 0:
        demand(told(answer) == after.seen.receipt, "repaired, and another receipt is told")
    if after.seen.whole:
        return "repaired" if after.seen.events[-1]["kind"] == "repair" else "tail moved"
    return "untouched" if after == before else "tail copied"


def hold_recovery(path: Path, known: Seen) -> None:
    """Hold a file after a mishap to this: the program makes it whole, and goes on with it.

    No event that was known before may be missing then, and each is there once.
    """
    state = look(path)
    audit = forked("audit", str(path), "--json")
    hold_answer(audit)
    demand((audit.status == 0) <= state.seen.whole, "audit finds nothing wrong")
    if not state.seen.whole or forgotten(state):
        answer = forked("repair", "-y", "-s", str(path))
        hold_answer(answer)
        demand(answer.status == 0, f"it can't be repaired: {answer.err}")
    answer = forked(*ADD, "-s", str(path))
    demand(answer.status == 0, f"nothing can be added any more: {answer.err}")
    hold_known(path.read_bytes(), known)


def forgotten(state: State) -> bool:
    """Whether bytes were moved aside of which no entry tells."""
    repairs = [event for event in state.seen.events if event["kind"] == "repair"]
    return len(repairs) < len(state.asides)


def hold_known(data: bytes, known: Seen) -> None:
    """Hold a file to the events that were acknowledged: there, once, unchanged."""
    seen = witness(data)
    demand(seen.whole, "the file is not whole")
    first = seen.events[: len(known.events)]
    demand(first == known.events, "an acknowledged event is lost or changed")
    repairs = [event["sha256"] for event in seen.events if event["kind"] == "repair"]
    demand(len(set(repairs)) == len(repairs), "a repair is told of twice")


def hold_altered(path: Path, data: bytes, tail: bytes) -> str:
    """Hold an altered file with a torn tail, after a mishap, to becoming whole with every byte.

    Repair tells once of what it moved; then accept vouches for the rest.
    """
    state = look(path)
    demand(state.data.startswith(data), "a byte that is kept was lost or changed")
    moved = tail in state.asides
    demand(moved or not tail or state.data == data + tail, "the bytes moved aside are nowhere")
    for words in (*[("repair", "-y")] * 3, ("accept", "-y", "--reason", "why")):
        answer = forked(*words, "-s", str(path))
        hold_answer(answer)
        demand(answer.status in (0, 1), f"{words[0]} fails: {answer.err}")
    found = forked("audit", str(path), "--json").json["sessions"][0]
    demand(found["chain"] == "accepted" and not found["problems"], f"not whole: {found}")
    events = tomllib.loads(path.read_text("utf-8"))["event"]
    told = [event["sha256"] for event in events if event["kind"] == "repair"]
    once = told.count(sha256(tail).hexdigest()) == bool(tail)
    demand(once and len(set(told)) == len(told), "a repair is told of twice, or not at all")
    return "altered, and accepted in the end"
