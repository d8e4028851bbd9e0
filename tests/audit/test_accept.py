"""Accept: altered entries that still parse count as they stand, once somebody vouches for them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from pollctl.log import read
from tests.audit import EVENING, POLL, event, extended, findings, flat, poll_round, sealed
from tests.audit.make_fixtures import FOLDER
from tests.audit.test_mending import HALF, beside
from tests.conftest import Answer, Pollctl
from tests.terminal.screen import Terminal

REASON = "all agree on three spaces"

PLAYED = sealed([*POLL[:2], poll_round(3, 2, "Cai", "0n 2n 0y")])
"""An evening that goes on: Ann is on 2; in the second round nobody was right."""

ENDS = read(PLAYED).ends


def accept(pollctl: Pollctl, file: Path, *more: str) -> Answer:
    """Accept what was altered in a file."""
    return pollctl("accept", "-s", str(file), "--reason", REASON, "--yes", *more)


def scores(pollctl: Pollctl, file: Path) -> dict[str, int]:
    """Everybody's score."""
    rows = pollctl("standings", "-s", str(file), "--json").json["standings"]
    return {row["player"]: row["score"] for row in rows}


TWO = {"Ann": 2, "Ben": 0, "Cai": 0}
AHEAD = {**TWO, "Ann": 1}

ALTERED: dict[str, tuple[bytes, int, dict[str, int]]] = {
    "a card": (
        PLAYED.replace(b'card = 0, chip = "yes"', b'card = 1, chip = "yes"'),
        3,
        {"Ann": 2, "Ben": 0, "Cai": 2},
    ),
    "a round in the middle": (
        PLAYED.replace(b'"Ann", card = 1, chip = "yes"', b'"Ann", card = 2, chip = "yes"'),
        2,
        {"Ann": 0, "Ben": 0, "Cai": 0},
    ),
    "the opening": (PLAYED.replace(b"sole_advance = 2", b"sole_advance = 1"), 1, AHEAD),
    "a seal": (PLAYED[: ENDS[1] - 10] + b"0" + PLAYED[ENDS[1] - 9 :], 2, TWO),
    "a name": (PLAYED.replace(b'"Ben"', b'"Bea"'), 1, {"Ann": 2, "Bea": 0, "Cai": 0}),
    "a question": (PLAYED.replace(b"shower", b"garden"), 2, TWO),
}
"""The altered bytes, the first entry that doesn't match its seal, and the scores then."""


@pytest.mark.parametrize("case", ALTERED)
def test_altered_entries_count_once_accepted(case: str, file: Path, pollctl: Pollctl) -> None:
    """Accepted, a file says so, is scored as altered, and holds every byte it held before."""
    data, first, expected = ALTERED[case]
    file.write_bytes(data)
    answer = accept(pollctl, file, "--json")
    assert (answer.status, answer.json["event"]) == (0, 4)
    assert file.read_bytes().startswith(data)
    log = read(file.read_bytes())
    assert (log.chain, log.events[-1].kind) == ("accepted", "accept")
    assert log.events[-1].fields == {
        "first_bad": first,
        "sha256": hashlib.sha256(data + b"\n").hexdigest(),
        "reason": REASON,
    }
    assert pollctl("standings", "-s", str(file), "--json").json["chain"] == "accepted"
    assert scores(pollctl, file) == expected
    assert beside(file) == {}


def test_audit_goes_on_saying_so(file: Path, pollctl: Pollctl) -> None:
    """An accepted file has no problem, and a warning with the entries and the reason for ever."""
    file.write_bytes(ALTERED["a card"][0])
    assert pollctl("audit", str(file)).status == 1
    accept(pollctl, file)
    pollctl("round", "add", "1n2n2n", "-s", str(file))
    answer = pollctl("audit", str(file), "--json")
    assert (answer.status, answer.json["sessions"][0]["chain"]) == (0, "accepted")
    warning = answer.json["sessions"][0]["warnings"][0]
    assert (warning["code"], warning["event"]) == ("accepted", 4)
    assert warning["text"] == f"entries 3 to 3 were accepted as they stand: {REASON}"
    assert pollctl("audit", str(file), "--strict").status == 1


def test_play_goes_on_after_it(file: Path, pollctl: Pollctl) -> None:
    """Once accepted a file is written to again, and its receipts fix what was accepted."""
    file.write_bytes(ALTERED["a card"][0])
    assert pollctl("round", "add", "1n2n2n", "-s", str(file)).status == 3
    accept(pollctl, file)
    answer = pollctl("round", "add", "1y0n2n", "-s", str(file), "--json")
    assert (answer.status, answer.json["winners"]) == (0, ["Ann"])
    log = read(file.read_bytes())
    assert (log.chain, len(log.events)) == ("accepted", 5)
    assert pollctl("audit", str(file), "--receipt", answer.json["receipt"]).status == 0


@pytest.mark.parametrize("place", ["accepted part", "after it", "the accept", "before it"])
def test_altered_again_it_is_broken_again(place: str, file: Path, pollctl: Pollctl) -> None:
    """An accept vouches for the bytes it saw and no others: any later change breaks the file."""
    file.write_bytes(ALTERED["a card"][0])
    accept(pollctl, file)
    pollctl("round", "add", "1n2n2n", "-s", str(file), "-q", "Why not?")
    data = file.read_bytes()
    old, new = {
        "before it": (b"shower", b"garden"),
        "accepted part": (b'card = 1, chip = "yes" },\n]', b'card = 2, chip = "yes" },\n]'),
        "the accept": (REASON.encode(), REASON.upper().encode()),
        "after it": (b"Why not?", b"Why me??"),
    }[place]
    assert data.count(old) == 1
    file.write_bytes(data.replace(old, new))
    assert read(file.read_bytes()).chain == "broken"
    assert pollctl("audit", str(file)).status == 1
    assert pollctl("round", "add", "1n2n2n", "-s", str(file)).status == 3


def test_a_second_accept_vouches_for_the_second_change(file: Path, pollctl: Pollctl) -> None:
    """A file altered again after an accept can be accepted again, with a second entry."""
    file.write_bytes(ALTERED["a card"][0])
    accept(pollctl, file)
    file.write_bytes(file.read_bytes().replace(b"shower", b"garden"))
    assert accept(pollctl, file).status == 0
    log = read(file.read_bytes())
    assert (log.chain, [e.kind for e in log.events[-2:]]) == ("accepted", ["accept"] * 2)
    assert findings(pollctl("audit", str(file), "--json"))[:2] == [("warnings", "accepted")] * 2


HALF_IMPORT = sealed([*POLL[:2], poll_round(3, 2, "Cai", batch="1/2")])

REFUSED: dict[str, tuple[bytes, int, str]] = {
    "intact": (PLAYED, 1, "there is nothing to accept"),
    "torn": (PLAYED + HALF, 1, "bytes without a seal follow event 3: run pollctl repair first"),
    "accepted": ((FOLDER / "accepted.toml").read_bytes(), 1, "there is nothing to accept"),
    "no TOML": (PLAYED.replace(b"shower?", b'shower?"'), 1, "look for another copy"),
    "no TOML at the end": (PLAYED.replace(b"card = 0", b"card = ?"), 1, "run pollctl repair first"),
    "no TOML in the opening": (
        PLAYED.replace(b"paths = 4", b"paths : 4"),
        1,
        "look for another copy",
    ),
    "no text": (PLAYED.replace(b"shower", b"sho\xffer"), 1, "look for another copy"),
    "another seq": (PLAYED.replace(b"seq = 2", b"seq = 7"), 1, "look for another copy"),
    "an entry lost": (PLAYED[: ENDS[0]] + PLAYED[ENDS[1] :], 1, "run pollctl repair first"),
    "two events in one": (
        PLAYED.replace(b"question =", b"[[event]]\nquestion =", 1),
        1,
        "look for another copy",
    ),
    "altered and torn": (
        PLAYED.replace(b"shower", b"garden") + HALF,
        1,
        "bytes without a seal follow event 3: run pollctl repair first",
    ),
    "an import cut short and altered": (
        HALF_IMPORT.replace(b"shower", b"garden"),
        1,
        "the batch that begins with event 3 ends early: run pollctl repair first",
    ),
    "line endings": (
        PLAYED.replace(b"\n", b"\r\n"),
        1,
        "its form was changed (line-endings): run pollctl repair first",
    ),
    "newer": (PLAYED.replace(b"format = 1", b"format = 2"), 1, "use the pollctl it is from"),
    "no session": (b"milk, bread\n", 2, "is not a pollctl session"),
    "empty": (b"", 2, "is not a pollctl session"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cant_be_accepted_is_refused(case: str, file: Path, pollctl: Pollctl) -> None:
    """Where nothing is altered, or what is can't be read, accept says so and writes nothing."""
    data, status, said = REFUSED[case]
    file.write_bytes(data)
    answer = accept(pollctl, file)
    assert (answer.status, answer.out) == (status, "")
    assert said in answer.err
    assert (file.read_bytes(), beside(file)) == (data, {})


CHANGED = EVENING.replace(b"change = 1\n", b"change = 3\n")
TRUE: dict[str, Any] = {
    "first_bad": 4,
    "sha256": hashlib.sha256(CHANGED + b"\n").hexdigest(),
    "reason": REASON,
}

FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "true": ({}, "accepted"),
    "hash of something else": ({"sha256": hashlib.sha256(EVENING).hexdigest()}, "broken"),
    "hash of nothing": ({"sha256": ""}, "broken"),
    "hash without the gap": ({"sha256": hashlib.sha256(CHANGED).hexdigest()}, "broken"),
    "hash in capitals": ({"sha256": TRUE["sha256"].upper()}, "broken"),
    "first one too early": ({"first_bad": 3}, "broken"),
    "first one too late": ({"first_bad": 5}, "broken"),
    "first one of all": ({"first_bad": 1}, "broken"),
    "itself": ({"first_bad": 6}, "broken"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_accept_accepts_nothing(case: str, file: Path, pollctl: Pollctl) -> None:
    """An accept that names other bytes or another entry, properly sealed, leaves a file broken."""
    fields, chain = FORGED[case]
    file.write_bytes(extended(CHANGED, [event(6, "accept", **{**TRUE, **fields})]))
    (told,) = pollctl("audit", str(file), "--json").json["sessions"]
    assert (told["chain"], told["ok"]) == (chain, chain == "accepted")


def test_accept_asks_first(file: Path, pollctl: Pollctl) -> None:
    """Accept needs a reason, and without a terminal --yes; else nothing is written."""
    data = ALTERED["a card"][0]
    file.write_bytes(data)
    bare = pollctl("accept", "-s", str(file), "--yes")
    blank = pollctl("accept", "-s", str(file), "--yes", "--reason", " ")
    unasked = pollctl("accept", "-s", str(file), "--reason", REASON)
    assert (bare.status, blank.status, unasked.status) == (2, 1, 2)
    assert "--yes" in unasked.err
    assert file.read_bytes() == data


@pytest.mark.parametrize(("typed", "status"), [("n", 1), ("y", 0)])
def test_accept_asks_on_a_terminal(typed: str, status: int, file: Path) -> None:
    """On a terminal accept names the entries it vouches for, and does so only when told to."""
    data = ALTERED["a round in the middle"][0]
    file.write_bytes(data)
    terminal = Terminal(file.parent, "accept", "-s", file.name, "--reason", REASON)
    terminal.type(typed, after="Go on? [y/N]: ")
    assert terminal.end() == status
    shown = flat("".join(line.ljust(80) for line in terminal.lines))
    assert "Entries 2 to 3 don't match their seals and are accepted as they stand." in shown
    assert (file.read_bytes() == data) == bool(status)


def test_a_warning_is_acknowledged_by_a_command(pollctl: Pollctl) -> None:
    """`accept --warning` lets a warning stand: it stays listed, and --strict does not count it."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    pollctl("round", "add", "8y0n")
    assert pollctl("audit", "s.toml", "--strict").status == 1
    assert pollctl("accept", "--warning", "slip", "--round", "1", "--reason", "bold").status == 0
    assert pollctl("accept", "--warning", "unfinished", "--reason", "late").status == 0
    answer = pollctl("audit", "s.toml", "--strict", "--json")
    told = [(each["code"], each["acknowledged"]) for each in answer.json["sessions"][0]["warnings"]]
    assert (answer.status, told) == (0, [("slip", "bold"), ("unfinished", "late")])


@pytest.mark.parametrize("line", ["torn --reason x", "slip --round 9 --reason x"])
def test_what_can_not_be_acknowledged(line: str, pollctl: Pollctl, room: Path) -> None:
    """A problem, and a warning in a round that is not there, are refused."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    before = (room / "s.toml").read_bytes()
    assert pollctl("accept", "--warning", *line.split()).status == 1
    assert (room / "s.toml").read_bytes() == before
