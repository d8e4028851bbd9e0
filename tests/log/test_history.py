"""The laws of corrections: what stands is a function of the log, and every step can be undone."""

from __future__ import annotations

import copy
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pollctl.history import (
    Growth,
    History,
    next_number,
    redoable,
    resolve,
    undoable,
)
from pollctl.model import Event
from pollctl.naming import changed_names, renamed
from tests.log import AT, QUICK, ballots, event, opening, round_event

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
seats: st.SearchStrategy[Change] = st.tuples(
    st.sampled_from(["join", "leave"]), st.fixed_dictionaries({"player": players})
)
disputes: st.SearchStrategy[Change] = corrections.filter(lambda change: change[0] != "amend").map(
    lambda change: ("dispute", change[1])
)
decisions: st.SearchStrategy[Change] = st.tuples(
    st.just("resolve"),
    st.fixed_dictionaries(
        {"target": st.integers(-1, 12), "outcome": st.sampled_from(["upheld", "rejected"])}
    ),
)


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


logs = st.lists(
    rounds | corrections | voids | ends | seats | disputes | decisions, max_size=12
).map(numbered)
"""Any log, with corrections of rounds that are not there, voids and decisions of anything."""


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
        said = upheld(told, each) if each.kind == "resolve" else each.fields
        skip = each.kind == "dispute" or not stands(told, each.seq)
        if skip or said.get("round") != first.fields["number"]:
            continue
        if "penalty" in said:
            fields.setdefault("penalties", [])
            fields["penalties"] += [{"player": said["player"], "kind": said["penalty"]}]
        elif "change" in said:
            fields.setdefault("rulings", [])
            fields["rulings"] += [{k: said[k] for k in ("player", "change", "reason")}]
        else:
            _amend(fields, copy.deepcopy(said))
    return fields


def upheld(told: list[Event], decision: Event) -> dict[str, Any]:
    """What a decision lets count: the dispute before it that stands, if it is the first on it."""
    target = decision.fields["target"]
    about = {e.seq: e for e in told[: decision.seq] if e.kind == "dispute" and stands(told, e.seq)}
    decisions = [
        each.seq
        for each in told[max(target, 0) :]
        if each.kind == "resolve" and each.fields["target"] == target and stands(told, each.seq)
    ]
    counts = decisions[:1] == [decision.seq] and decision.fields["outcome"] == "upheld"
    return dict(about[target].fields) if counts and target in about else {}


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
    assert list(history.seats) == [e for e in standing if e.kind in ("join", "leave")]
    decided = {
        e.fields["target"] for e in standing if e.kind == "resolve" and e.fields["target"] < e.seq
    }
    assert [each.seq for each in history.disputes] == [
        e.seq for e in standing if e.kind == "dispute" and e.seq not in decided
    ]
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


@given(told=logs)
@example(told=numbered([("end", {}), ("void", {"target": 3, "by": "void"})]))
@settings(max_examples=60, deadline=None)
def test_what_stands_while_a_log_grows(told: list[Event]) -> None:
    """After every entry those stand that would if it were the last, and what turned is told."""
    growth = Growth()
    for size, each in enumerate(told, 1):
        before = [stands(told[: size - 1], seq) for seq in range(1, size)]
        turned = growth.read(each)
        now = [stands(told[:size], seq) for seq in range(1, size)]
        assert [growth.stands(seq) for seq in range(1, size)] == now
        changed = [seq for seq in range(1, size) if before[seq - 1] != now[seq - 1]]
        assert sorted(turned) == changed


NEW = ("Ann", "Ben", "Cai", "Dee", "Eve")


class People:
    """Who is called what, as everyone at the table knows it, and a log beside them."""

    def __init__(self) -> None:
        """Begin with three players."""
        self.log = [opening()]
        self.given: list[list[tuple[int, str]]] = [[(0, name)] for name in NAMES]
        """For each player every name, with the entry that gave it."""
        self.said: dict[int, int] = {}
        """The entries that name a player, each with whom."""

    def called(self, who: int, told: list[Event]) -> str:
        """What somebody is called by the end of a log."""
        given = [(seq, name) for seq, name in self.given[who] if seq <= len(told)]
        return [name for seq, name in given if stands(told, seq)][-1]

    def names(self, told: list[Event]) -> list[str]:
        """What everybody is called by the end of a log."""
        return [self.called(who, told) for who in range(len(self.given))]

    def do(self, what: str, one: int, other: int) -> None:
        """Let somebody get a name, or join with one, or lose one; nobody two players share."""
        told, names, seq = self.log, self.names(self.log), len(self.log) + 1
        who, name, target = one % len(names), NEW[other % len(NEW)], 2 + one % seq
        added = {
            "rename": event(seq, "rename", player=names[who], to=name),
            "join": event(seq, "join", player=name),
            "void": event(seq, "void", target=target, by="void"),
            "say": event(seq, "penalty", round=1, player=names[who], penalty="chip"),
        }[what]
        if what == "join" and name not in names:
            self.given.append([(0, name)])
            who = len(names)
        elif what in ("rename", "join") and name in names:
            return
        elif what == "rename":
            self.given[who].append((seq, name))
        elif target >= seq or len(set(self.names([*told, added]))) < len(names):
            return
        if what != "void":
            self.said[seq] = who
        self.log.append(added)


deeds = st.lists(
    st.tuples(
        st.sampled_from(["rename", "rename", "rename", "join", "void", "void", "say"]),
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    max_size=14,
)


@given(plan=deeds)
@example(plan=[("rename", 0, 3), ("rename", 0, 4), ("join", 0, 3), ("rename", 3, 0)])
@settings(max_examples=150, deadline=None)
def test_names_are_those_of_the_end(plan: list[tuple[str, int, int]]) -> None:
    """Whatever names were given, freed, taken and taken back, each entry keeps its player."""
    people = People()
    for deed in plan:
        people.do(*deed)
    told, names = people.log, people.names(people.log)
    events = renamed(told, ())
    assert events[0].fields["players"] == names[:3]
    for seq, who in people.said.items():
        assert events[seq - 1].fields["player"] == names[who]
    before = people.names(told[:-1])
    changes = {(old, new) for old, new in changed_names(told, len(told)).items() if old != new}
    assert changes == {pair for pair in zip(before, names, strict=True) if pair[0] != pair[1]}


@pytest.mark.parametrize(
    "odd",
    [
        {"pollster": ["Ann"]},
        {"pollster": {"Ann": 1}, "first": 3, "players": "Ann"},
        {"set": "Ann", "table": ["Ann"], "start": 1},
        {"set": {"pollster": ["Ann"], "ballots": "Ann", "set": 5}},
        {"ballots": [{"chip": "Ann", "after": ["Ann"], "table": 4, "set": 1}]},
        {"players": [["Ann"], 5]},
    ],
)
def test_what_has_not_its_form_is_renamed_nowhere(odd: dict[str, Any]) -> None:
    """A field of another form than its kind's is kept as it is when its player is renamed."""
    told = [
        opening(),
        event(2, "amend", round=1, **odd),
        event(3, "rename", player="Ann", to="Zoe"),
    ]
    kept = copy.deepcopy(odd)
    events = renamed(told, {"pollster"})
    assert events[0].fields["players"] == ["Zoe", "Ben", "Cai"]
    assert events[1].fields == {"round": 1, **kept}


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


ALONE: dict[str, dict[str, Any]] = {
    "end": {},
    "leave": {"player": "Cai"},
    "join": {"player": "Cai"},
    "rename": {"player": "Cai", "to": "Zoe"},
    "dispute": {"round": 1, "player": "Ann", "penalty": "chip"},
    "resolve": {"target": 2, "outcome": "upheld"},
    "draw": {"deck": "Box", "card": "1", "questions": ["Who?"]},
}
"""Kinds that are recorded one at a time, with what they say here."""

steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["undo", "redo", "undo", "redo", "round", "import", "amend", "void", *ALONE]
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
        elif what == "round" or what in ALONE:
            naive.do(what, **ALONE.get(what, {}))
        fallen = resolve(naive.log).fallen
        told = {e.seq for e in naive.log if e.kind != "open" and e.fields.get("by") not in _MARKS}
        assert sorted(told - fallen) == naive.standing()


_MARKS = ("undo", "redo")


def test_an_amended_time_is_the_rounds_and_no_field_of_it() -> None:
    """A round amended to another time has that time, and its fields stay as they were."""
    at = AT + timedelta(hours=1)
    amend = event(3, "amend", round=1, set={"at": at, "question": "Why?"})
    (each,) = resolve([opening(), round_event(2, 1), amend]).rounds
    assert each.at == at
    assert each.fields == {**round_event(2, 1).fields, "question": "Why?"}
