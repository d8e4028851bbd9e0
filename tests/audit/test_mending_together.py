"""Several kinds of damage at once: after repair and then accept every byte stands."""

from __future__ import annotations

import hashlib
from itertools import product
from pathlib import Path

import pytest

from pollctl.log import read
from pollctl.mending import Place, plan_accept, plan_repair
from pollctl.model import Refused
from tests.audit import AT, EVENING, POLL, findings, poll_round, sealed
from tests.audit.test_accept import accept
from tests.audit.test_mending import (
    ALTERED,
    BOM,
    DISGUISES,
    ENDS,
    HALF,
    LAST_ALTERED,
    beside,
    crlf,
    note,
    noted,
    repair,
)
from tests.conftest import Pollctl

ASIDE = "evening.toml.aside-1"
OPENING_ALTERED = EVENING.replace(b"paths = 4", b"paths = 3")

CONTENTS = {
    "whole": (EVENING, 0),
    "altered": (ALTERED, 4),
    "the opening altered": (OPENING_ALTERED, 1),
    "the last one altered": (LAST_ALTERED, 5),
}
"""What stood in a file before its form was changed, and its first entry that was altered."""

TAILS = {"": b"", "torn": HALF, "torn, with other line ends": b"\r\n[[event]]\r\nseq = 6\r\n"}

FORMS = ("", "bom", "line-endings", "nul-tail", "no-final-newline", "utf-16", "all but utf-16")

TOGETHER = [
    (content, tail, form)
    for content, tail, form in product(CONTENTS, TAILS, FORMS)
    if (content != "whole") + bool(tail) + bool(form) > 1
]


def disguised(form: str, data: bytes) -> bytes:
    """A file in one of the forms that mail and editors give it, or in its own."""
    return DISGUISES[form][0](data) if form else data


def codes(pollctl: Pollctl, file: Path) -> list[str]:
    """The problems that audit finds, by their codes."""
    told = findings(pollctl("audit", str(file), "--json"))
    return [code for level, code in told if level == "problems"]


@pytest.mark.parametrize(("content", "tail", "form"), TOGETHER)
def test_damage_upon_damage(
    content: str, tail: str, form: str, file: Path, pollctl: Pollctl
) -> None:
    """Each kind of damage is named, accept says repair first, and after both every entry stands."""
    data, first = CONTENTS[content]
    damaged = disguised(form, data + TAILS[tail])
    file.write_bytes(damaged)
    found = set(codes(pollctl, file))
    assert found - {"damage"} == {
        *(["torn"] if tail else []),
        *({1: ["unreadable"], 0: []}.get(first, ["broken"])),
    }
    assert ("damage" in found) or not form or form.startswith(("nul", "no-final"))
    refused = accept(pollctl, file)
    assert (refused.status, "run pollctl repair first" in refused.err) == (1, True)
    assert (file.read_bytes(), beside(file)) == (damaged, {})

    answer = repair(pollctl, file)
    assert (answer.status, "run pollctl accept next" in answer.json["said"]) == (0, bool(first))
    mended = file.read_bytes()
    assert mended.startswith(data)
    aside = damaged.removeprefix(data)
    assert beside(file) == {ASIDE: aside}
    assert codes(pollctl, file) == {1: ["unreadable"], 0: []}.get(first, ["broken"])

    assert accept(pollctl, file).status == (0 if first else 1)
    log = read(file.read_bytes())
    assert log.chain == ("accepted" if first else "intact")
    assert file.read_bytes().startswith(mended)
    assert noted(log) == [note(ASIDE, aside)]
    assert codes(pollctl, file) == []
    assert pollctl("round", "add", "0n0n1y", "-s", str(file)).status == 1  # the game is over


IMPORT = sealed(
    [
        *POLL[:2],
        *(poll_round(seq, seq - 1, "Cai", "1n 1n 2n", batch=f"{seq - 2}/3") for seq in (3, 4, 5)),
    ]
)
IMPORT_ENDS = read(IMPORT).ends


@pytest.mark.parametrize("size", [IMPORT_ENDS[2], IMPORT_ENDS[3], IMPORT_ENDS[3] + 40])
@pytest.mark.parametrize("form", ["", "bom", "line-endings", "utf-16"])
def test_an_import_counts_as_a_whole_or_not_at_all(
    size: int, form: str, file: Path, pollctl: Pollctl
) -> None:
    """Of an import that was cut short nothing is accepted, whatever else happened to the file."""
    data = IMPORT.replace(b"shower", b"garden")[:size]
    file.write_bytes(disguised(form, data))
    assert "torn" in codes(pollctl, file)
    assert accept(pollctl, file).status == 1
    assert repair(pollctl, file).status == 0
    assert accept(pollctl, file).status == 0
    log = read(file.read_bytes())
    kinds = ["open", "round", "repair", "accept"]
    assert (log.chain, [each.kind for each in log.events]) == ("accepted", kinds)
    assert file.read_bytes().startswith(data[: IMPORT_ENDS[1]])


def test_what_cant_be_read_at_the_end_is_moved_aside(file: Path, pollctl: Pollctl) -> None:
    """A last entry that can't be read moves aside, with a warning, though an earlier is altered."""
    data = ALTERED.replace(b'penalty = "answer"', b"penalty = answer")
    kept = len(ALTERED[: ENDS[3]])
    file.write_bytes(data)
    assert accept(pollctl, file).status == 1
    answer = repair(pollctl, file)
    assert "it was altered, and not torn. Entry 4 does not match" in answer.json["said"]
    assert beside(file) == {ASIDE: data[kept:]}
    assert accept(pollctl, file).status == 0
    assert file.read_bytes().startswith(data[:kept])


WORSE = {
    "an opening that is no TOML": EVENING.replace(b"paths = 4", b"paths : 4"),
    "an entry that is no TOML": EVENING.replace(b"shower?", b'shower?"'),
    "an entry that is no text": EVENING.replace(b"shower", b"sho\xffer"),
    "an entry lost, and another altered": ALTERED[: ENDS[0]] + ALTERED[ENDS[1] :],
}


@pytest.mark.parametrize("tail", [b"", HALF])
@pytest.mark.parametrize("form", ["", "bom", "line-endings"])
@pytest.mark.parametrize("case", WORSE)
def test_what_cant_be_told_from_worse(
    case: str, form: str, tail: bytes, file: Path, pollctl: Pollctl
) -> None:
    """Where an entry in the middle can't be read, both commands say to look for another copy."""
    data = disguised(form, WORSE[case] + tail)
    file.write_bytes(data)
    for answer in (accept(pollctl, file), repair(pollctl, file)):
        assert answer.status == 1
        assert "look for another copy" in answer.err
    assert (file.read_bytes(), beside(file)) == (data, {})
    assert codes(pollctl, file)


def test_half_a_character_stays_aside(file: Path, pollctl: Pollctl) -> None:
    """UTF-16 with half a character in a sentence can't be text, so nobody can accept it."""
    wide = EVENING.decode().encode("utf-16-le")
    data = wide.replace("shower".encode("utf-16-le"), b"s\0h\0\x00\xd8w\0e\0r\0")
    file.write_bytes(data)
    for answer in (accept(pollctl, file), repair(pollctl, file)):
        assert "event 2 is not UTF-8 text" in answer.err
    assert file.read_bytes() == data


def test_answers_are_those_of_the_entry(file: Path, pollctl: Pollctl) -> None:
    """Repair of a file that stays altered answers with its own entry, and a receipt that lasts."""
    file.write_bytes(ALTERED + HALF)
    answer = repair(pollctl, file).json
    told = f"entry {answer['event']}"
    assert (answer["event"], answer["recorded"]) == (6, True)
    altered = pollctl("audit", str(file), "--receipt", answer["receipt"])
    assert f"is of {told}, and the file was altered after entry 3" in " ".join(altered.out.split())
    assert accept(pollctl, file).status == 0
    assert pollctl("audit", str(file), "--receipt", answer["receipt"]).status == 0


def test_what_was_copied_and_not_moved_is_not_noted(file: Path, pollctl: Pollctl) -> None:
    """After a repair that was stopped before it moved anything, and accept, nothing is left."""
    file.write_bytes(LAST_ALTERED)
    file.with_name(ASIDE).write_bytes(LAST_ALTERED[ENDS[3] :])
    assert accept(pollctl, file).status == 0
    answer = repair(pollctl, file)
    assert (answer.status, "there is nothing to repair" in answer.out) == (1, True)


def stopped(data: bytes) -> list[tuple[str, bytes, dict[str, bytes]]]:
    """How a file and those beside it lie after each step of its repair and its acceptance."""
    plan = plan_repair(data, Place("evening.toml", {}, AT))
    aside, mended = {plan.kept_in: plan.aside}, plan.base + plan.text
    steps = [("aside", data, aside), ("repaired", mended, aside)]
    if data.startswith(plan.base):
        steps.append(("cut", plan.base, aside))
        steps.append(("entry half written", plan.base + plan.text[:90], aside))
    try:
        accepted = plan_accept(mended, "x", AT)[0]
    except Refused:
        return steps
    return [*steps, ("accept half written", mended + accepted[:70], aside)]


CUT_SHORT = {
    "torn": (EVENING + HALF, "intact"),
    "NULs": (EVENING + bytes(700), "intact"),
    "the last one altered": (LAST_ALTERED, "intact"),
    "altered and torn": (ALTERED + HALF, "accepted"),
    "the last one altered, and torn": (LAST_ALTERED + HALF, "accepted"),
    "altered, with NULs": (ALTERED + bytes(700), "accepted"),
    "altered and line endings": (crlf(ALTERED), "accepted"),
    "altered, BOM and torn": (BOM + ALTERED + HALF, "accepted"),
    "altered, and no final newline": (ALTERED[:-1], "accepted"),
}
"""What is repaired, and the chain in the end."""

STOPPED = {
    f"{name}, {step}": (left, others, chain)
    for name, (data, chain) in CUT_SHORT.items()
    for step, left, others in stopped(data)
}


@pytest.mark.parametrize("case", STOPPED)
def test_each_step_can_be_taken_again(case: str, file: Path, pollctl: Pollctl) -> None:
    """From the state after any step, repair and accept end with every byte kept and noted once."""
    data, others, chain = STOPPED[case]
    file.write_bytes(data)
    for kept_in, content in others.items():
        file.with_name(kept_in).write_bytes(content)
    for _ in range(4):
        answer = repair(pollctl, file)
        if answer.status:
            break
    assert "there is nothing to repair" in answer.out or "run pollctl accept" in answer.out
    accept(pollctl, file)
    log = read(file.read_bytes())
    assert log.chain == chain
    kept = beside(file)
    assert {ASIDE: kept[ASIDE]} == others
    hashes = [sha for _, _, sha in noted(log)]
    assert sorted(hashes) == sorted(hashlib.sha256(each).hexdigest() for each in kept.values())
