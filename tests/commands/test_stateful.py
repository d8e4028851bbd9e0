"""Any commands in any order: the log only grows, and what stands is what a plain model says."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from pollctl.audit import audit
from pollctl.cli import run

PLAYERS = ("Ann", "Ben", "Cai")
SEAL = re.compile(rb'^\[event\.seal\]\nsha256 = "([0-9a-f]{64})"\n', re.MULTILINE)
MOVES = (
    "round",
    "penalty",
    "ruling",
    "amend",
    "join",
    "leave",
    "rename",
    "dispute",
    "resolve",
    "end",
)
"""What undo takes back, beside what the void commands took back."""
MOST = 8
"""Who can be seated at once."""

fines = st.sampled_from(["chip", "answer"])
ballots = st.sampled_from(["0n", "1y", "2y", "2n", "3y"])
places = st.integers(0, 30)


class Entry(NamedTuple):
    """One recorded entry: what it is, and what it is about."""

    kind: str
    """A kind of the session format, or of a void: `void`, `undo`, `redo`."""
    about: int = 0
    """The place of the entry that it takes back or decides, or the number of its round."""
    what: str = ""
    """A penalty, a new name, a seat, how a dispute was decided."""
    who: tuple[str, ...] = ()
    """Whom it is about, under their first names; those seated in a round."""


class Model:
    """What stands and who is seated, by a list of entries alone."""

    def __init__(self, entries: list[Entry]) -> None:
        """Work out which entries stand, and who is seated by them."""
        self.entries = entries
        self.up = [True] * len(entries)
        for place in reversed(range(len(entries))):
            if self.up[place] and entries[place].kind in ("void", "undo", "redo"):
                self.up[entries[place].about] = False
        self.ring, self.away = list(PLAYERS), set[str]()
        held = [self.seat(entry) for entry in self.those("join", "leave", "round")]
        self.seats_hold = all(held)

    def standing(self, *kinds: str) -> list[int]:
        """The places of the entries of these kinds that stand."""
        places = range(len(self.entries))
        return [place for place in places if self.up[place] and self.entries[place].kind in kinds]

    def those(self, *kinds: str) -> list[Entry]:
        """The entries of these kinds that stand."""
        return [self.entries[place] for place in self.standing(*kinds)]

    @property
    def seats(self) -> tuple[str, ...]:
        """Who is seated, clockwise."""
        return tuple(each for each in self.ring if each not in self.away)

    def seat(self, entry: Entry) -> bool:
        """Let somebody leave or join, or a round be played; whether that can be (P19)."""
        (who, *_), seats = entry.who, self.seats
        if entry.kind == "round":
            return entry.who == seats
        if entry.kind == "leave":
            self.away.add(who)
            return who in seats and len(seats) > 1
        others = [each for each in self.ring if each != who]
        beside = entry.what or others[-1]
        if who in seats or beside not in others:
            return False
        self.ring = [*others]
        self.ring.insert(others.index(beside) + 1, who)
        self.away.discard(who)
        return len(seats) < MOST

    @property
    def names(self) -> dict[str, str]:
        """What everybody is called, by the first name."""
        given = {entry.who[0]: entry.what for entry in self.those("rename")}
        return {each: given.get(each, each) for each in self.ring}

    @property
    def decided(self) -> dict[int, str]:
        """How each dispute was first decided, by its place."""
        found: dict[int, str] = {}
        for entry in self.those("resolve"):
            found.setdefault(entry.about, entry.what)
        return found

    @property
    def doubled(self) -> bool:
        """Whether a round that stands has a penalty twice (P18)."""
        upheld = [place for place, how in self.decided.items() if how == "upheld"]
        fines = self.those("penalty") + [self.entries[place] for place in upheld if self.up[place]]
        numbers = [entry.about for entry in self.those("round")]
        counted = [(fine.about, fine.what, fine.who) for fine in fines if fine.about in numbers]
        return len(set(counted)) < len(counted)

    @property
    def lawful(self) -> bool:
        """Whether nothing that stands is impossible, or after the end of the evening."""
        ends, later = self.standing("end"), self.standing("round", "join", "leave")
        late = bool(ends and later) and later[-1] > ends[0]
        return self.seats_hold and not self.doubled and not late


class Evening(RuleBasedStateMachine):
    """A session file that is written to by commands, beside a plain list of its entries."""

    def __init__(self) -> None:
        """Make room for the file."""
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "game.toml"
        self.entries: list[Entry] = []
        self.bytes = b""
        self.seen: dict[tuple[int, ...], Any] = {}

    def teardown(self) -> None:
        """Hold an audit, which finds nothing but tables that differ, and remove the file."""
        if self.entries:
            report = audit("game.toml", self.path.read_bytes())
            assert {told.code for told in report.problems} <= {"table"}
        self.folder.cleanup()

    @property
    def model(self) -> Model:
        """What stands by now."""
        return Model(self.entries)

    def type(self, *words: str) -> tuple[int, str]:
        """Run a command on the file; its status and its answer."""
        out = io.BytesIO()
        with redirect_stdout(io.TextIOWrapper(out)), redirect_stderr(io.StringIO()):
            status = run([*words, "-s", str(self.path)])
            return status, out.getvalue().decode()

    def ask(self, *words: str) -> Any:
        """The JSON answer of a reading command."""
        status, out = self.type(*words, "--json")
        assert status == 0
        return json.loads(out)

    def expect(self, entry: Entry | None, *words: str, status: int = 0) -> None:
        """Run a command that has to record this entry, or to be refused."""
        entries = self.entries if entry is None else [*self.entries, entry]
        lawful = entry is not None and Model(entries).lawful
        before = self.path.read_bytes()
        assert self.type(*words)[0] == (status if lawful else 1), words
        if lawful:
            self.entries = entries
        else:
            assert self.path.read_bytes() == before

    def round(self, place: int) -> tuple[int, tuple[str, ...]]:
        """The number of some round that stands, and who was seated; else of none, and who is."""
        rounds = self.model.those("round")
        if not rounds:
            return 0, self.model.seats
        return rounds[place % len(rounds)].about, rounds[place % len(rounds)].who

    def some(self, place: int, players: Sequence[str]) -> tuple[str, str]:
        """One of these players: the first name, and what to type."""
        who = players[place % len(players)]
        return who, self.model.names[who]

    @initialize()
    def open(self) -> None:
        """Open a session whose end nobody will reach."""
        with redirect_stdout(io.StringIO()):
            line = ["new", "poll", *PLAYERS, "--rule", "spaces=100", "-o", str(self.path)]
            assert run(line) == 0
        self.entries = [Entry("open")]
        self.add(["1y"] * MOST)
        self.add(["0n"] * MOST)

    @rule(ballots=st.lists(ballots, min_size=MOST, max_size=MOST))
    def add(self, ballots: list[str]) -> None:
        """Record a round."""
        model = self.model
        number = 1 + sum(entry.kind == "round" for entry in self.entries)
        entry = Entry("round", number, who=model.seats) if len(model.seats) > 1 else None
        self.expect(entry, "round", "add", *ballots[: len(model.seats)])

    @rule(place=places, player=places, kind=fines)
    def penalty(self, place: int, player: int, kind: str) -> None:
        """Call a late penalty, which may be one too many."""
        number, seats = self.round(place)
        who, name = self.some(player, seats)
        entry = Entry("penalty", number, kind, (who,)) if number else None
        self.expect(entry, "penalty", f"{name}={kind}", "--round", str(number or 1))

    @rule(place=places, player=places, kind=fines)
    def dispute(self, place: int, player: int, kind: str) -> None:
        """Dispute a penalty, unless it counts already."""
        number, seats = self.round(place)
        who, name = self.some(player, seats)
        entry = Entry("dispute", number, kind, (who,)) if number else None
        if entry and Model([*self.entries, entry._replace(kind="penalty")]).doubled:
            entry = None
        self.expect(entry, "dispute", "add", f"{name}={kind}", "--round", str(number or 1))

    @precondition(lambda self: self.model.standing("dispute"))
    @rule(place=places, outcome=st.sampled_from(["upheld", "rejected"]))
    def decide(self, place: int, outcome: str) -> None:
        """Decide a dispute that is open, or another entry."""
        model = self.model
        place = [*model.standing("dispute"), 0][place % (len(model.standing("dispute")) + 1)]
        about, rounds = self.entries[place], [each.about for each in model.those("round")]
        known = about.kind == "dispute" and place not in model.decided
        lawful = known and (outcome == "rejected" or about.about in rounds)
        entry = Entry("resolve", place, outcome, ("",)) if lawful else None
        command = {"upheld": "uphold", "rejected": "reject"}[outcome]
        self.expect(entry, "dispute", command, str(place + 1), "--reason", "so")

    @rule(place=places, player=places, change=st.sampled_from(["+1", "+2", "-1", "-3"]))
    def ruling(self, place: int, player: int, change: str) -> None:
        """Make a late ruling."""
        number, seats = self.round(place)
        _, name = self.some(player, seats)
        words = ("ruling", f"{name}={change}:why", "--round", str(number or 1))
        self.expect(Entry("ruling", number) if number else None, *words)

    @rule(place=places, player=places, ballot=ballots)
    def amend(self, place: int, player: int, ballot: str) -> None:
        """Correct a ballot."""
        number, seats = self.round(place)
        _, name = self.some(player, seats)
        words = ("round", "amend", str(number or 1), f"{name}:{ballot}")
        self.expect(Entry("amend", number) if number else None, *words)

    @rule(player=places)
    def leave(self, player: int) -> None:
        """Let somebody leave, who may have left already."""
        who, name = self.some(player, self.model.ring)
        self.expect(Entry("leave", who=(who,)), "player", "leave", name)

    @rule(player=places, beside=places, last=st.booleans())
    def join(self, player: int, beside: int, *, last: bool) -> None:
        """Let somebody new sit down, or somebody known, who may be seated."""
        model = self.model
        new = f"N{len(self.entries)}"
        who = [*model.ring, new, new][player % (len(model.ring) + 2)]
        after, name = self.some(beside, model.ring)
        entry = Entry("join", what="" if last else after, who=(who,))
        option = () if last else ("--after", name)
        self.expect(entry, "player", "join", model.names.get(who, who), *option)

    @rule(player=places, to=places)
    def rename(self, player: int, to: int) -> None:
        """Give somebody a new name, the first one again, or one that is taken."""
        model = self.model
        who, name = self.some(player, model.ring)
        choice = [f"R{len(self.entries)}"] * 3 + [who, *model.names.values()]
        new = choice[to % len(choice)]
        entry = None if new in model.names.values() else Entry("rename", what=new, who=(who,))
        self.expect(entry, "player", "rename", name, new)

    @precondition(lambda self: len(self.entries) % 5 == 0)
    @rule()
    def end(self) -> None:
        """Stop the evening, unless it has ended."""
        entry = Entry("end") if not self.model.standing("end") else None
        self.expect(entry, "end")

    @rule(player=places, off=st.sampled_from([0, 0, 1]))
    def check(self, player: int, off: int) -> None:
        """Compare somebody's score with the table."""
        rows = self.ask("standings")["standings"]
        row = rows[player % len(rows)]
        self.expect(Entry("check"), "check", f"{row['player']}={row['score'] + off}", status=off)

    @rule(place=places)
    def void_round(self, place: int) -> None:
        """Void a round by its number."""
        number, _ = self.round(place)
        entries = enumerate(self.entries)
        found = [at for at, each in entries if each.kind == "round" and each.about == number]
        self.expect(Entry("void", found[0]) if found else None, "round", "void", str(number or 1))

    @rule(place=places)
    def void(self, place: int) -> None:
        """Void an entry by its number in the log, whatever it is and whether it stands."""
        place %= len(self.entries) + 1
        known = place in self.model.standing(*MOVES, "check", "void")
        self.expect(Entry("void", place) if known else None, "void", str(place + 1))

    @rule()
    def undo(self) -> None:
        """Take back the latest entry that stands."""
        found = self.model.standing(*MOVES, "void")
        self.expect(Entry("undo", found[-1]) if found else None, "undo")

    @rule()
    def redo(self) -> None:
        """Take back the latest undo that stands, while only undos and redos came after it."""
        tail = len(self.entries)
        while self.entries[tail - 1].kind in ("undo", "redo"):
            tail -= 1
        found = [place for place in self.model.standing("undo") if place >= tail]
        self.expect(Entry("redo", found[-1]) if found else None, "redo")

    @rule()
    def undo_and_redo(self) -> None:
        """An undo and a redo after it leave everything as it was."""
        found = self.model.standing(*MOVES, "void")
        if not found:
            return
        before = self.ask("standings"), self.ask("round", "list")
        self.expect(Entry("undo", found[-1]), "undo")
        self.expect(Entry("redo", len(self.entries) - 1), "redo")
        after = self.ask("standings"), self.ask("round", "list")
        assert ({**after[0], "receipt": ""}, after[1]) == ({**before[0], "receipt": ""}, before[1])

    @invariant()
    def grows(self) -> None:
        """The file keeps every byte it had, and every seal is that of the bytes before it."""
        data = self.path.read_bytes() if self.entries else b""
        assert data.startswith(self.bytes)
        self.bytes = data
        seals = [*SEAL.finditer(data)]
        assert len(seals) == len(self.entries)
        for seal in seals:
            assert sha256(data[: seal.start()]).hexdigest() == seal[1].decode()

    @invariant()
    def agrees(self) -> None:
        """What stands is what the model says, and the same entries always bring the same scores."""
        if not self.entries:
            return
        model = self.model
        events, standings = self.ask("log")["events"], self.ask("standings")
        assert [each["stands"] for each in events] == model.up
        rounds = model.those("round")
        assert standings["played"] == len(rounds)
        assert standings["round"] == max((entry.about for entry in rounds), default=0)
        assert standings["status"] == ("abandoned" if model.standing("end") else "playing")
        rows = [(row["rank"], row["player"], row["score"]) for row in standings["standings"]]
        assert {name for _, name, _ in rows} == set(model.names.values())
        left = [model.names[each] for each in model.ring if each in model.away]
        assert [name for rank, name, _ in rows if rank is None] == left
        disputes = self.ask("dispute", "list")["disputes"]
        told = {each["event"] - 1: each["outcome"] for each in disputes}
        assert told == {place: model.decided.get(place) for place in model.standing("dispute")}
        kept = tuple(model.standing(*MOVES))
        assert self.seen.setdefault(kept, rows) == rows


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=15, stateful_step_count=15, derandomize=True, deadline=None
)
