"""Forgeries with fresh seals: what the chain alone shows, and what a receipt shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pollctl.codec import body
from pollctl.log import read
from pollctl.model import Event
from tests.audit import EVENING, POLL, event, extended, findings, poll_round, sealed
from tests.conftest import Pollctl
from tests.log import hand_seal, hand_sealed

ENDS = read(EVENING).ends
LOG = read(EVENING)
CODES = [LOG.receipt_of(each) for each in LOG.events]
BLOCKS = [EVENING[start:end] for start, end in zip((0, *ENDS), ENDS, strict=False)]

STRANGER = sealed([POLL[0]._replace(fields={**POLL[0].fields, "session": "0" * 32}), *POLL[1:]])
PIECES = [STRANGER[start:end] for start, end in zip((0, *ENDS), read(STRANGER).ends, strict=False)]


def changed(place: int, **fields: object) -> list[Event]:
    """The evening with some fields of one entry changed."""
    told = list(POLL)
    told[place] = told[place]._replace(fields={**told[place].fields, **fields})
    return told


def renumbered(events: list[Event]) -> list[Event]:
    """Events in this order, numbered anew."""
    return [each._replace(seq=seq) for seq, each in enumerate(events, 1)]


FRESH: dict[str, tuple[bytes, int]] = {
    "the winner's ballots": (sealed(changed(2, ballots=[*POLL[2].fields["ballots"]][::-1])), 3),
    "a ruling": (sealed(changed(3, change=3)), 4),
    "a question": (sealed(changed(1, question="Do you sing in the garden?")), 2),
    "a time": (sealed([*POLL[:4], POLL[4]._replace(at=POLL[3].at)]), 5),
    "a rule": (sealed(changed(0, rules={**POLL[0].fields["rules"], "penalty": 0})), 1),
    "an entry left out": (sealed(renumbered([*POLL[:3], POLL[4]])), 4),
    "an entry put in": (
        sealed(
            renumbered(
                [
                    *POLL[:3],
                    event(4, "ruling", round=1, player="Cai", change=1, reason="x"),
                    *POLL[3:],
                ]
            )
        ),
        4,
    ),
    "two entries swapped": (sealed(renumbered([*POLL[:3], POLL[4], POLL[3]])), 4),
    "a remark in the header": (
        hand_sealed(*map(body, POLL), head="# Ann cheated\n\n"),
        1,
    ),
    "cut at an earlier seal": (EVENING[: ENDS[3]], 5),
    "cut to its opening": (EVENING[: ENDS[0]], 2),
    "cut and played on": (
        extended(EVENING[: ENDS[1]], [poll_round(3, 2, "Cai", "0n 1y 0n"), *POLL[3:]]),
        3,
    ),
}
"""A rewritten file whose seals are all right, and the first entry whose receipt shows it."""


@pytest.mark.parametrize("case", FRESH)
def test_fresh_seals_pass_until_a_receipt_is_asked(case: str, file: Path, pollctl: Pollctl) -> None:
    """A rewritten chain is intact by itself; every receipt from the change on shows it."""
    data, first = FRESH[case]
    file.write_bytes(data)
    assert data != EVENING
    (told,) = pollctl("audit", str(file), "--json").json["sessions"]
    assert told["chain"] == "intact"
    fits = [pollctl("audit", str(file), "--receipt", code, "--json") for code in CODES]
    answers = [bool(each.json["sessions"][0]["receipts"]) for each in fits]
    assert answers == [seq < first for seq in range(1, 6)]
    assert all(("problems", "receipt") in findings(each) for each in fits[first - 1 :])


STALE: dict[str, tuple[bytes, int]] = {
    "reordered": (b"".join([*BLOCKS[:2], BLOCKS[3], BLOCKS[2], BLOCKS[4]]), 3),
    "left out": (b"".join([*BLOCKS[:2], *BLOCKS[3:]]), 3),
    "doubled": (b"".join([*BLOCKS[:3], *BLOCKS[2:]]), 4),
    "spliced from another session": (b"".join([*BLOCKS[:3], PIECES[3], BLOCKS[4]]), 4),
    "another session's to its end": (b"".join([*BLOCKS[:3], *PIECES[3:]]), 4),
    "all under another opening": (b"".join([PIECES[0], *BLOCKS[1:]]), 2),
    "the seal of another entry": (
        b"".join([*BLOCKS[:3], BLOCKS[3][:-66] + BLOCKS[4][-66:], BLOCKS[4]]),
        4,
    ),
    "one resealed, the rest not": (
        extended(b"".join(BLOCKS[:3]), changed(3, change=3)[3:4]) + BLOCKS[4],
        5,
    ),
}
"""Blocks moved about with their seals as they were, and the first entry that is bad."""


@pytest.mark.parametrize("case", STALE)
def test_moved_blocks_show_by_themselves(case: str, file: Path, pollctl: Pollctl) -> None:
    """Blocks moved, doubled, left out or taken from elsewhere break the chain where they stand."""
    data, first = STALE[case]
    file.write_bytes(data)
    answer = pollctl("audit", str(file), "--json")
    (told,) = answer.json["sessions"]
    assert (answer.status, told["chain"], told["events"]) == (1, "broken", first - 1)
    (broken,) = [each for each in told["problems"] if each["code"] == "broken"]
    assert broken["event"] == first


HEAD = "# pollctl session\n\n"
OPEN, ROUND = map(body, POLL[:2])
HIDDEN = '[[event]]\nseq = 3\nat = 2024-11-30 20:03:00+01:00\nkind = "end"\n'


def _sealed_inside(text: str) -> bytes:
    """The first two entries, the second with a sealed event inside a string of it."""
    start = hand_sealed(OPEN, head=HEAD) + f"\n{ROUND}note = '''\n".encode()
    return hand_seal(hand_seal(start + text.encode()) + b"'''\n")


Maker = Callable[[], bytes]
HIDING: dict[str, Maker] = {
    "an event in a string": lambda: hand_sealed(
        OPEN, f"{ROUND}note = '''\n{HIDDEN}'''\n", head=HEAD
    ),
    "a seal in a string": lambda: hand_sealed(
        OPEN,
        f"{ROUND}note = '''\n[event.seal]\nsha256 = \"{'0' * 64}\"\n'''\n",
        head=HEAD,
    ),
    "a true seal in a string": lambda: _sealed_inside(""),
    "a sealed event in a string": lambda: _sealed_inside(HIDDEN),
    "an event in the header": lambda: hand_sealed(OPEN, ROUND, head=f"{HIDDEN}\n"),
    "a table in the header": lambda: hand_sealed(OPEN, ROUND, head="[rules]\nspaces = 1\n\n"),
    "a key in the header": lambda: hand_sealed(OPEN, ROUND, head="x = '''\n# '''\n\n"),
    "two events in a block": lambda: hand_sealed(OPEN, f"{ROUND}\n{HIDDEN}", head=HEAD),
    "an event after a carriage return": lambda: hand_sealed(
        OPEN, f"{ROUND}# \r{HIDDEN}", head=HEAD
    ),
    "a table beside the event": lambda: hand_sealed(OPEN, f"{ROUND}[other]\nx = 1\n", head=HEAD),
    "an inline array of events": lambda: hand_sealed(
        OPEN, "event = [{ seq = 2, kind = 'end' }]\n", head=HEAD
    ),
}


@pytest.mark.parametrize("case", HIDING)
def test_nothing_hides(case: str, file: Path, pollctl: Pollctl) -> None:
    """Properly sealed, an event or a seal hidden in a string or a header is no intact file."""
    data = HIDING[case]()
    file.write_bytes(data)
    answer = pollctl("audit", str(file), "--json")
    (told,) = answer.json["sessions"]
    assert (answer.status, told["chain"]) == (1, "broken")
    assert told["events"] <= 1
    assert file.read_bytes() == data


@pytest.mark.parametrize("head", [HEAD, "# [[event]] 1\n\n", "# [event.seal]\n# sha256 = 0\n\n"])
def test_a_header_of_remarks_hides_nothing(head: str, file: Path, pollctl: Pollctl) -> None:
    """Remarks above the first entry are sealed with it, whatever they look like."""
    data = hand_sealed(OPEN, f"{ROUND}note = 'x'\n", head=head)
    file.write_bytes(data)
    assert pollctl("audit", str(file), "--json").json["sessions"][0]["chain"] == "intact"
    file.write_bytes(data.replace(b"# ", b"#  ", 1))
    assert pollctl("audit", str(file), "--json").json["sessions"][0]["chain"] == "broken"


FORK = {
    place: extended(EVENING[: ENDS[place - 1]], [event(place + 1, "end")]) for place in (1, 2, 3, 4)
}
"""The evening up to an entry, and then another end."""


@pytest.mark.parametrize(("place", "number"), [(1, 0), (2, 1), (3, 2), (4, 2)])
def test_a_fork_is_told_with_its_round(
    place: int, number: int, room: Path, pollctl: Pollctl
) -> None:
    """Of two files that fork, the round after which they differ is named, whichever comes first."""
    (room / "a.toml").write_bytes(EVENING)
    (room / "b.toml").write_bytes(FORK[place])
    for one, two in (("a.toml", "b.toml"), ("b.toml", "a.toml")):
        answer = pollctl("audit", one, two, "--json")
        (fork,) = [
            told
            for session in answer.json["sessions"]
            for told in session["problems"]
            if told["code"] == "fork"
        ]
        assert answer.status == 1
        assert (fork["round"], fork["event"]) == (number, place + 1)
        assert f"{one} are one session and differ after round {number}," in fork["text"]


def test_receipts_tell_which_fork_is_true(room: Path, pollctl: Pollctl) -> None:
    """Of two files that fork, only the one the players saw fits a receipt from after the fork."""
    (room / "a.toml").write_bytes(EVENING)
    (room / "b.toml").write_bytes(FORK[3])
    fits = [pollctl("audit", name, "--receipt", CODES[3]).status for name in ("a.toml", "b.toml")]
    assert fits == [0, 1]


def test_three_files_of_one_session(room: Path, pollctl: Pollctl) -> None:
    """Of more than two files each is held to the first one named."""
    for name, data in {"a": EVENING, "b": EVENING[: ENDS[2]], "c": FORK[2]}.items():
        (room / f"{name}.toml").write_bytes(data)
    sessions = pollctl("audit", "a.toml", "b.toml", "c.toml", "--json").json["sessions"]
    between = [
        [told["code"] for told in each["problems"] + each["warnings"] if told["code"] in PAIR]
        for each in sessions
    ]
    assert between == [[], ["copy"], ["fork"]]


PAIR = ("copy", "fork")
