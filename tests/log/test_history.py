"""The laws of corrections: what stands is a function of the log, and every step can be undone."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.history import History, next_number, redoable, resolve, undoable
from pollctl.model import Event
from tests.log import QUICK, ballots, event, opening, round_event

Change = tuple[str, dict[str, Any]]

NAMES = ("Ann", "Ben", "Cai")
LISTS = ("penalties", "rulings")

players = st.sampled_from(NAMES)
numbers = st.integers(1, 4)
some_ballots = st.lists(
    st.fixed_dictionaries({"player": players, "card": st.integers(0, 3), "chip": st.just("no")}),
    min_size=1,
    max_size=3,
    unique_by=lambda ballot: str(ballot["player"]),
)
moves = st.fixed_dictionaries({"player": players, "kind": st.just("chip")})
amended = st.fixed_dictionaries(
    {},
    optional={
        "question": st.sampled_from(["Why?", "When?"]),
        "ballots": some_ballots,
        "penalties": st.lists(moves, min_size=1, max_size=2),
    },
)
cleared = st.lists(st.sampled_from(["question", "penalties", "rulings", "nothing"]), max_size=2)

corrections: st.SearchStrategy[Change] = st.one_of(
    st.tuples(
        st.just("penalty"),
        st.fixed_dictionaries({"round": numbers, "player": players, "penalty": st.just("chip")}),
    ),
    st.tuples(
        st.just("ruling"),
        st.fixed_dictionaries(
            {
                "round": numbers,
                "player": players,
                "change": st.integers(-3, 3),
                "reason": st.just("as agreed"),
            }
        ),
    ),
    st.tuples(
        st.just("amend"),
        st.fixed_dictionaries({"round": numbers}, optional={"set": amended, "clear": cleared}),
    ),
)
voids: st.SearchStrategy[Change] = st.tuples(
    st.just("void"),
    st.fixed_dictionaries(
        {"target": st.integers(-1, 20), "by": st.sampled_from(["void", "undo", "redo"])}
    ),
)
rounds: st.SearchStrategy[Change] = st.just(("round", {}))
ends: st.SearchStrategy[Change] = st.just(("end", {}))


def numbered(changes: list[Change]) -> list[Event]:
    """The log of these changes after an opening; rounds get the next number."""
    told = [opening()]
    for kind, fields in changes:
        seq = len(told) + 1
        if kind == "round":
            told.append(round_event(seq, next_number(told), question="Who?"))
        else:
            told.append(event(seq, kind, **fields))
    return told


logs = st.lists(rounds | corrections | voids | ends, max_size=12).map(numbered)
"""Any log, with corrections of rounds that are not there and voids of anything."""


def same(one: History, other: History) -> bool:
    """Whether the same rounds stand and fall, with the same fields, and the evening goes on."""
    return one._replace(fallen=frozenset()) == other._replace(fallen=frozenset())


def stands(told: list[Event], seq: int) -> bool:
    """Whether nothing that stands itself takes this entry back, asked the long way."""
    return not any(
        later.kind == "void" and later.fields["target"] == seq and stands(told, later.seq)
        for later in told[seq:]
    )


def corrected(told: list[Event], first: Event) -> dict[str, Any]:
    """The fields of a round after everything that stands and speaks of it, one by one."""
    fields = dict(copy.deepcopy(first.fields))
    for each in told:
        said = each.fields
        if said.get("round") != first.fields["number"] or not stands(told, each.seq):
            continue
        if each.kind == "penalty":
            fields.setdefault("penalties", [])
            fields["penalties"] += [{"player": said["player"], "kind": said["penalty"]}]
        elif each.kind == "ruling":
            fields.setdefault("rulings", [])
            fields["rulings"] += [{k: said[k] for k in ("player", "change", "reason")}]
        else:
            _amend(fields, copy.deepcopy(said))
    return fields


def _amend(fields: dict[str, Any], said: Any) -> None:
    for name in said.get("clear", []):
        fields.pop(name, None)
    for name, value in said.get("set", {}).items():
        if name == "ballots":
            for i, ballot in enumerate(fields["ballots"]):
                for new in value:
                    if new["player"] == ballot["player"]:
                        fields["ballots"][i] = new
        else:
            fields[name] = value


@given(told=logs)
@settings(max_examples=60, deadline=None)
def test_what_stands(told: list[Event]) -> None:
    """An entry falls if, and only if, a later void that stands itself names it."""
    history = resolve(told)
    assert history.fallen >= {e.seq for e in told if not stands(told, e.seq)}
    assert {seq for seq in history.fallen if 1 <= seq <= len(told)} == {
        each.seq for each in told if not stands(told, each.seq)
    }
    standing = [e for e in told if stands(told, e.seq)]
    assert [each.seq for each in history.rounds] == [e.seq for e in standing if e.kind == "round"]
    assert history.ended == any(e.kind == "end" for e in standing)
    assert sorted(each.seq for each in (*history.rounds, *history.voided)) == [
        e.seq for e in told if e.kind == "round"
    ]


@given(told=logs)
@settings(max_examples=60, deadline=None)
def test_corrections_apply_in_order(told: list[Event]) -> None:
    """A round is what was recorded, with all corrections that stand in order of recording."""
    history = resolve(told)
    for each in (*history.rounds, *history.voided):
        assert dict(each.fields) == corrected(told, told[each.seq - 1])


@given(told=logs)
@QUICK
def test_a_function_of_the_events(told: list[Event]) -> None:
    """The same events give the same history, and are not touched by it."""
    before = copy.deepcopy(told)
    first = resolve(told)
    assert told == before
    assert resolve(tuple(copy.deepcopy(told))) == first


@given(told=logs, target=st.integers(1, 13), by=st.sampled_from(["void", "undo"]))
@QUICK
def test_voiding_a_void_restores(told: list[Event], target: int, by: str) -> None:
    """To void something and then that void, leaves everything as it was."""
    size = len(told)
    target = min(target, size)
    more = [
        event(size + 1, "void", target=target, by=by),
        event(size + 2, "void", target=size + 1, by=by),
    ]
    assert same(resolve([*told, *more]), resolve(told))


@given(told=logs, ahead=st.integers(0, 5))
@QUICK
def test_a_void_only_reaches_back(told: list[Event], ahead: int) -> None:
    """A void of itself or of something to come changes nothing, also when that comes."""
    at = len(told) + 1
    later = [
        round_event(at + 1, next_number(told)),
        *(event(at + i, "end") for i in range(2, 7)),
    ]
    forward = event(at, "void", target=at + ahead, by="void")
    none = event(at, "void", target=0, by="void")
    assert same(resolve([*told, forward]), resolve(told))
    assert same(resolve([*told, forward, *later]), resolve([*told, none, *later]))


@given(told=logs)
@QUICK
def test_numbers_are_never_reused(told: list[Event]) -> None:
    """The next round gets a number that no round ever had, voided or not."""
    given_out = [e.fields["number"] for e in told if e.kind == "round"]
    assert next_number(told) == len(given_out) + 1
    assert given_out == list(range(1, len(given_out) + 1))


class Command(NamedTuple):
    """Something somebody did at the table, as one command recorded it."""

    kind: str
    events: tuple[Event, ...]


class Naive:
    """Undo and redo as everyone knows them: two stacks of commands, and a log beside them."""

    def __init__(self) -> None:
        """Begin an evening."""
        self.log = [opening()]
        self.done: list[Command] = []
        self.undone: list[Command] = []

    def do(self, kind: str, size: int = 1, **fields: Any) -> None:
        """Record something; nothing can be redone after it."""
        made = []
        for place in range(size):
            seq = len(self.log) + 1
            batch = {"batch": f"{place + 1}/{size}"} if size > 1 else {}
            if kind == "round":
                self.log.append(round_event(seq, next_number(self.log), **batch))
            else:
                self.log.append(event(seq, kind, **fields))
            made.append(self.log[-1])
        self.done.append(Command(kind, tuple(made)))
        self.undone = []

    def undo(self) -> None:
        """Take back what was done last, by what history says is undoable."""
        found = undoable(self.log, resolve(self.log).fallen)
        last = self.done.pop() if self.done else Command("nothing", ())
        assert found == last.events
        self._take_back(found, "undo")
        if found:
            self.undone.append(last)

    def redo(self) -> None:
        """Take back the latest undo, by what history says is redoable."""
        found = redoable(self.log, resolve(self.log).fallen)
        last = self.undone.pop() if self.undone else Command("nothing", ())
        assert tuple(e.fields["target"] for e in found) == tuple(e.seq for e in last.events)
        self._take_back(found, "redo")
        if found:
            self.done.append(last)

    def standing(self) -> list[int]:
        """The entries that stand, by what was done alone, without the undos and redos."""
        entries = [each for command in self.done for each in command.events]
        taken: set[int] = set()
        for each in reversed(entries):
            if each.kind == "void" and each.seq not in taken:
                taken.add(each.fields["target"])
        return [each.seq for each in entries if each.seq not in taken]

    def _take_back(self, targets: tuple[Event, ...], by: str) -> None:
        size, first = len(targets), len(self.log) + 1
        for i, target in enumerate(targets):
            batch = {"batch": f"{i + 1}/{size}"} if size > 1 else {}
            self.log.append(event(first + i, "void", target=target.seq, by=by, **batch))


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["undo", "redo", "undo", "redo", "round", "import", "amend", "void", "end"]
        ),
        st.integers(0, 10**6),
    ),
    max_size=25,
)


@given(plan=steps)
@settings(max_examples=100, deadline=None)
def test_undo_and_redo(plan: list[tuple[str, int]]) -> None:
    """Undo and redo find what two stacks find, imports as a whole, and the same entries stand."""
    naive = Naive()
    for what, choice in plan:
        standing = naive.standing()
        if what in ("undo", "redo"):
            getattr(naive, what)()
        elif what == "import":
            naive.do("round", size=2 + choice % 2)
        elif what == "amend":
            naive.do("amend", round=1, set={"ballots": ballots("yes", "yes")})
        elif what == "void" and standing:
            naive.do("void", target=standing[choice % len(standing)], by="void")
        elif what in ("round", "end"):
            naive.do(what)
        fallen = resolve(naive.log).fallen
        told = {e.seq for e in naive.log if e.kind != "open" and e.fields.get("by") not in _MARKS}
        assert sorted(told - fallen) == naive.standing()


_MARKS = ("undo", "redo")
