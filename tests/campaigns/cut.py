"""A file cut at every byte of its last command."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pollctl.log import NotASession, read
from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import hold_answer, look
from tests.campaigns.sessions import Session, batch, twenty
from tests.campaigns.witness import witness
from tests.log.processes import forked


def cases(plan: Plan) -> Iterator[Case]:
    """Every byte of the last command, and some of them with the whole program."""
    sessions = [*twenty(plan.seed), batch()]
    for number, session in enumerate(sessions):
        for size in range(session.last, len(session.data)):
            yield Case(f"session {number} cut at {size}", partial(hold_cut, session, size))
    for number, session in enumerate(sessions):
        rng = plan.rng("cut", number)
        for size in rng.sample(range(session.last, len(session.data)), plan.pick(3, 20)):
            name = f"session {number} cut at {size}, by the program"
            yield Case(name, partial(hold_program, session, size))


def hold_cut(session: Session, size: int) -> str:
    """Hold the reader to this: what stood before is there, the rest is not, and that is said."""
    data = session.data[:size]
    whole = read(session.data)
    try:
        log = read(data)
    except NotASession:
        demand(session.events == 0, "what is sealed is not read")
        return "no session"
    demand(log.events == whole.events[: session.events], "other events than those before")
    demand(log.chain == ("intact" if size == session.last else "torn"), f"called {log.chain}")
    demand(bool(log.fault) == (log.chain != "intact"), "what is wrong is not said")
    return "last event absent" if log.chain == "intact" else "torn tail"


def hold_program(session: Session, size: int) -> str:
    """Hold the commands to the same, and the file to becoming whole again."""
    path = Path("cut.toml")
    for old in Path().glob("cut.toml*"):
        old.unlink()
    data = session.data[:size]
    path.write_bytes(data)
    audit = forked("audit", str(path), "--json")
    hold_answer(audit)
    if not session.events:
        demand(audit.status == 1, "audit finds nothing wrong")
        return "no session"
    chain = audit.json["sessions"][0]["chain"]
    demand(chain == ("intact" if size == session.last else "torn"), f"audit calls it {chain}")
    undo = forked("undo", "-s", str(path))
    hold_answer(undo)
    demand(chain == "intact" or (undo.status == 3 and path.read_bytes() == data), "undo wrote")
    path.write_bytes(data)
    if chain == "torn":
        hold_repaired(path, session, data)
    return f"by the program: {chain}"


def hold_repaired(path: Path, session: Session, data: bytes) -> None:
    """Repair a torn file, and find beside it what was moved.

    Where only the last newline is cut off, every seal matches with it: nothing is lost then, and
    the file as it was is what is put aside.
    """
    lost_newline = data + b"\n" == session.data
    before = witness(session.data if lost_newline else session.data[: session.last])
    answer = forked("repair", "-y", "-s", str(path))
    demand(answer.status == 0, f"it can't be repaired: {answer.err}")
    state = look(path)
    moved = data if lost_newline else data[session.last :]
    demand(moved in state.asides, "what was moved aside is nowhere")
    demand(state.seen.whole, "repaired, and not whole")
    demand(state.seen.events[:-1] == before.events, "an event before was changed")


CAMPAIGN = Campaign(
    "cut",
    "A file cut at any byte shows every event before the cut, and says that it is torn.",
    cases,
)
