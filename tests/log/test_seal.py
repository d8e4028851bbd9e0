"""Seals and receipts, held to hashing and check characters that share no code with pollctl."""

from __future__ import annotations

import hashlib
import re
import subprocess
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.log import read, seal_all
from pollctl.seal import blocks, check_character, receipt
from tests.log import EVENING, QUICK, SESSION, cut, hand_seal, sealed
from tests.log.strategies import evenings

if TYPE_CHECKING:
    from pathlib import Path

    from pollctl.model import Event

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RECEIPT = re.compile(r"[0-9A-F]{4}-[1-9][0-9]*((?:-[0-9A-HJKMNP-TV-Z]{5}){4})-[0-9A-Z]")
SEAL_LINE = b"\n[event.seal]\n"

FEW = settings(QUICK, max_examples=15)

seals = st.text("0123456789abcdef", min_size=64, max_size=64)
sessions = st.text("0123456789abcdef", min_size=32, max_size=32)
places = st.integers(1, 10**6)


def offsets(data: bytes) -> list[int]:
    """Where the lines `[event.seal]` begin in a file that pollctl wrote."""
    return [found.start() + 1 for found in re.finditer(re.escape(SEAL_LINE), data)]


def in_order(text: str) -> bool:
    """Whether the last character checks all before it: ISO 7064, the hybrid system 37, 36."""
    rest = 36
    for char in text[:-1]:
        rest += ALPHABET.index(char)
        rest = (rest % 36 or 36) * 2 % 37
    return (rest + ALPHABET.index(text[-1])) % 36 == 1


def good(code: str) -> bool:
    """Whether a receipt as read out has its form and its check character."""
    return bool(RECEIPT.fullmatch(code)) and in_order(code.replace("-", ""))


@given(told=evenings())
@FEW
def test_a_seal_is_the_hash_of_all_before_it(told: list[Event]) -> None:
    """The seal of every event is the SHA-256 of every byte before its line `[event.seal]`."""
    data, written = seal_all(b"", told)
    places = offsets(data)
    digests = [hashlib.sha256(data[:place]).hexdigest() for place in places]
    assert [each.seal for each in written] == digests
    assert [data[place:].split(b"\n")[1].decode() for place in places] == [
        f'sha256 = "{digest}"' for digest in digests
    ]


def test_a_seal_is_checked_by_hand(room: Path) -> None:
    """`head -c OFFSET FILE | sha256sum` gives the seal of each event."""
    file, data = room / "evening.toml", sealed()
    file.write_bytes(data)
    for place, told in zip(offsets(data), read(data).events, strict=True):
        script = f"head -c {place} {file.name} | sha256sum"
        said = subprocess.run(["/bin/sh", "-c", script], capture_output=True, check=True)
        assert said.stdout.split()[0].decode() == told.seal


@given(data=st.lists(st.sampled_from([*cut(sealed()), b"\n", b"x", b"[event.seal]\n", b"\0"])))
@QUICK
def test_blocks_follow_each_other(data: list[bytes]) -> None:
    """Whatever the bytes, blocks begin where the one before ends, and only true seals hold."""
    text = b"".join(data)
    found = list(blocks(text))
    assert [block.start for block in found] == [0, *(block.end for block in found)][: len(found)]
    for block in found:
        whole = text[: block.end]
        assert block.sealed == (hand_seal(whole[: whole.rindex(b"[event.seal]\n")]) == whole)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("A12425GABC1234002", "M"),
        ("0000000189470000", "8"),
        ("000000018947000000000000", "D"),
        ("188166C734206541", "Y"),
        ("188166C7342065419F3A0245", "O"),
    ],
)
def test_known_check_characters(text: str, check: str) -> None:
    """The check character is that of published GRids and ISANs, by both implementations."""
    assert check_character(text) == check
    assert in_order(text + check)


@given(text=st.text(ALPHABET, max_size=40))
@QUICK
def test_check_characters_agree(text: str) -> None:
    """Of all characters, exactly the one pollctl gives is right by the standard."""
    assert [char for char in ALPHABET if in_order(text + char)] == [check_character(text)]


@given(session=sessions, seq=places, seal=seals)
@QUICK
def test_a_receipt_says_what_it_fixes(session: str, seq: int, seal: str) -> None:
    """A receipt has its form, and holds the session, the seq and the first 100 bits of the seal."""
    code = receipt(session, seq, seal)
    assert good(code)
    head, place, *groups, _ = code.split("-")
    bits = 0
    for char in "".join(groups):
        bits = bits * 32 + CROCKFORD.index(char)
    assert (head, place, f"{bits:025x}") == (session[:4].upper(), str(seq), seal[:25])


@given(session=sessions, seq=places, seal=seals)
@FEW
def test_a_misread_character_is_found(session: str, seq: int, seal: str) -> None:
    """No receipt with one character read wrong, whichever and as whatever, is taken for one."""
    code = receipt(session, seq, seal)
    misread = [
        code[:place] + char + code[place + 1 :]
        for place, right in enumerate(code)
        for char in f"{ALPHABET}-"
        if char != right
    ]
    assert [each for each in misread if good(each)] == []


@given(text=st.text(ALPHABET, min_size=1, max_size=30))
@QUICK
def test_a_check_character_depends_on_all(text: str) -> None:
    """The check character changes with every single character it stands for."""
    check = check_character(text)
    for place, right in enumerate(text):
        others = [char for char in ALPHABET if char != right]
        assert check not in [check_character(text[:place] + c + text[place + 1 :]) for c in others]


def test_receipts_of_an_evening() -> None:
    """Each event has a receipt of its own; they share the session and count up."""
    log = read(sealed())
    codes = [log.receipt_of(each) for each in log.events]
    assert [code.split("-")[:2] for code in codes] == [
        [SESSION[:4].upper(), str(each.seq)] for each in EVENING
    ]
    assert log.receipt == codes[-1]
    assert all(first.split("-")[2:6] != second.split("-")[2:6] for first, second in pairwise(codes))
