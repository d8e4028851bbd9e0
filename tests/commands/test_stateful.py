"""Any commands in any order: the log only grows, and what stands is what a list of flags says."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pollctl.cli import run

PLAYERS = ("Ann", "Ben", "Cai")
SEAL = re.compile(rb'^\[event\.seal\]\nsha256 = "([0-9a-f]{64})"\n', re.MULTILINE)
OWN = ("round", "penalty", "ruling", "amend")

players = st.sampled_from(PLAYERS)
ballots = st.tuples(*[st.sampled_from(["0n", "1y", "2y", "2n", "3y"])] * 3)
places = st.integers(0, 30)


class Entry(NamedTuple):
    """One recorded entry: what it is, and what it is about."""

    kind: str
    """A kind of the session format, or of a void: `void`, `undo`, `redo`."""
    about: int = 0
    """The place of the entry that it takes back, or the number of its round."""
    what: str = ""


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
        """Remove the file."""
        self.folder.cleanup()

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

    def stands(self, place: int, entries: list[Entry]) -> bool:
        """Whether nothing that stands itself takes the entry of this place back."""
        return not any(
            entry.kind in ("void", "undo", "redo")
            and entry.about == place
            and self.stands(later, entries)
            for later, entry in enumerate(entries[place + 1 :], place + 1)
        )

    def standing(self, entries: list[Entry], kinds: tuple[str, ...]) -> list[int]:
        """The places of the entries of these kinds that stand."""
        return [
            place
            for place, entry in enumerate(entries)
            if entry.kind in kinds and self.stands(place, entries)
        ]

    def doubled(self, entries: list[Entry]) -> bool:
        """Whether a round that stands has a penalty twice (P18)."""
        rounds = [entries[place].about for place in self.standing(entries, ("round",))]
        fines = [entries[place] for place in self.standing(entries, ("penalty",))]
        counted = [fine for fine in fines if fine.about in rounds]
        return len(set(counted)) < len(counted)

    def expect(self, entry: Entry | None, *words: str) -> None:
        """Run a command that has to record this entry, or to be refused."""
        entries = self.entries if entry is None else [*self.entries, entry]
        lawful = entry is not None and not self.doubled(entries)
        before = self.path.read_bytes()
        status, _ = self.type(*words)
        assert status == (0 if lawful else 1), words
        if lawful:
            self.entries = entries
        else:
            assert self.path.read_bytes() == before

    def round(self, place: int) -> int | None:
        """The number of some round that stands."""
        numbers = [self.entries[each].about for each in self.standing(self.entries, ("round",))]
        return numbers[place % len(numbers)] if numbers else None

    @initialize()
    def open(self) -> None:
        """Open a session whose end nobody will reach."""
        with redirect_stdout(io.StringIO()):
            line = ["new", "poll", *PLAYERS, "--rule", "spaces=100", "-o", str(self.path)]
            assert run(line) == 0
        self.entries = [Entry("open")]

    @rule(ballots=ballots)
    def add(self, ballots: tuple[str, ...]) -> None:
        """Record a round."""
        number = 1 + sum(entry.kind == "round" for entry in self.entries)
        self.expect(Entry("round", number), "round", "add", *ballots)

    @rule(place=places, player=players, kind=st.sampled_from(["chip", "answer"]))
    def penalty(self, place: int, player: str, kind: str) -> None:
        """Call a late penalty, which may be one too many."""
        number = self.round(place)
        entry = number and Entry("penalty", number, f"{player}={kind}")
        self.expect(entry or None, "penalty", f"{player}={kind}", "--round", str(number or 1))

    @rule(place=places, player=players, change=st.sampled_from(["+1", "+2", "-1", "-3"]))
    def ruling(self, place: int, player: str, change: str) -> None:
        """Make a late ruling."""
        number = self.round(place)
        words = ("ruling", f"{player}={change}:why", "--round", str(number or 1))
        self.expect(Entry("ruling", number) if number else None, *words)

    @rule(place=places, player=players, ballot=st.sampled_from(["0n", "1y", "2n", "3y"]))
    def amend(self, place: int, player: str, ballot: str) -> None:
        """Correct a ballot."""
        number = self.round(place)
        words = ("round", "amend", str(number or 1), f"{player}:{ballot}")
        self.expect(Entry("amend", number) if number else None, *words)

    @rule(place=places)
    def void_round(self, place: int) -> None:
        """Void a round by its number."""
        number = self.round(place)
        entries = enumerate(self.entries)
        found = [at for at, each in entries if each.kind == "round" and each.about == number]
        self.expect(Entry("void", found[0]) if found else None, "round", "void", str(number or 1))

    @rule(place=places)
    def void(self, place: int) -> None:
        """Void an entry by its number in the log, whatever it is and whether it stands."""
        place %= len(self.entries) + 1
        known = place < len(self.entries) and self.entries[place].kind in (*OWN, "void")
        lawful = known and self.stands(place, self.entries)
        self.expect(Entry("void", place) if lawful else None, "void", str(place + 1))

    @rule()
    def undo(self) -> None:
        """Take back the latest entry that stands."""
        found = self.standing(self.entries, (*OWN, "void"))
        self.expect(Entry("undo", found[-1]) if found else None, "undo")

    @rule()
    def redo(self) -> None:
        """Take back the latest undo that stands, while only undos and redos came after it."""
        tail = len(self.entries)
        while self.entries[tail - 1].kind in ("undo", "redo"):
            tail -= 1
        found = [place for place in self.standing(self.entries, ("undo",)) if place >= tail]
        self.expect(Entry("redo", found[-1]) if found else None, "redo")

    @rule()
    def undo_and_redo(self) -> None:
        """An undo and a redo after it leave everything as it was."""
        found = self.standing(self.entries, (*OWN, "void"))
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
        """What stands is what the list says, and the same entries always bring the same scores."""
        if not self.entries:
            return
        events, standings = self.ask("log")["events"], self.ask("standings")
        places = range(len(self.entries))
        assert [each["stands"] for each in events] == [self.stands(p, self.entries) for p in places]
        rounds = self.standing(self.entries, ("round",))
        assert standings["played"] == len(rounds)
        assert standings["round"] == max((self.entries[place].about for place in rounds), default=0)
        scores = [(row["rank"], row["player"], row["score"]) for row in standings["standings"]]
        kept = tuple(self.standing(self.entries, OWN))
        assert self.seen.setdefault(kept, scores) == scores


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=15, stateful_step_count=12, derandomize=True, deadline=None
)
