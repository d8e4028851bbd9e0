"""Receipts: what a player's code says of a file, and the latest one, shown to be photographed."""

from __future__ import annotations

import builtins
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pollctl.log import read
from pollctl.render.banner import GLYPHS, banner
from pollctl.seal import receipt
from tests.audit import EVENING, POLL, flat, opening, sealed
from tests.conftest import Answer, Pollctl

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

LOG = read(EVENING)
CODES = [LOG.receipt_of(each) for each in LOG.events]
"""The receipts of the evening, entry by entry."""

STRANGER = read(sealed([opening(session="0" * 32), *POLL[1:]])).receipt
REWRITTEN = [*POLL[:3], POLL[3]._replace(fields={**POLL[3].fields, "change": 3}), POLL[4]]

CUT = EVENING[: LOG.ends[2]]
FORGED = sealed(REWRITTEN)
ALTERED = EVENING.replace(b"change = 1\n", b"change = 3\n")
MISREAD = CODES[4].replace(CODES[4][9], "Z" if CODES[4][9] != "Z" else "Y", 1)

ANSWERS: dict[str, tuple[bytes, str, bool, str]] = {
    "the last": (EVENING, CODES[4], True, "{} fixes entries 1 to 5 as they stand"),
    "an earlier one": (
        EVENING,
        CODES[1],
        True,
        "{} fixes entries 1 to 2 as they stand; 3 came after",
    ),
    "small letters": (EVENING, f" {CODES[4].lower()} ", True, "{} fixes entries 1 to 5"),
    "misread": (EVENING, MISREAD, False, "{} is misread: a character of it is another"),
    "of another session": (EVENING, STRANGER, False, "{} is of another session"),
    "of a longer file": (
        CUT,
        CODES[4],
        False,
        "{} is of entry 5, and the file ends with entry 3: the rest was cut off",
    ),
    "of a different history": (
        FORGED,
        CODES[4],
        False,
        "{} fixes another history: entry 5 or one before it was changed",
    ),
    "from before the change": (FORGED, CODES[2], True, "{} fixes entries 1 to 3"),
    "of altered entries": (
        ALTERED,
        CODES[4],
        False,
        "{} is of entry 5, and the file was altered after entry 3",
    ),
    "of entry 0": (
        EVENING,
        receipt(LOG.events[0].fields["session"], 0, "0" * 64),
        False,
        "another",
    ),
    "none": (EVENING, "the one on the fridge", False, "'the one on the fridge' is no receipt"),
    "empty": (EVENING, "", False, "'' is no receipt: one is written like"),
    "steering": (EVENING, "\x1b[2J", False, r"'\x1b[2J' is no receipt"),
    "endless": (EVENING, "7" * 5000, False, "is no receipt"),
    "of what can't be read": (EVENING[:200], CODES[4], False, "{} can't be looked for"),
}
"""The file, the code, whether it fits, and the answer."""


def told(answer: Answer) -> list[str]:
    """What an audit says of the receipts it was asked for."""
    (session,) = answer.json["sessions"]
    misfits = [each["text"] for each in session["problems"] if each["code"] == "receipt"]
    return [*session["receipts"], *misfits]


@pytest.mark.parametrize("case", ANSWERS)
def test_each_answer_is_its_own(case: str, file: Path, pollctl: Pollctl) -> None:
    """A receipt that fits, and each way in which one does not, has an answer of its own."""
    data, code, fits, said = ANSWERS[case]
    file.write_bytes(data)
    answer = pollctl("audit", str(file), "--receipt", code, "--json")
    (text,) = told(answer)
    assert said.format(code.strip().upper()) in text
    assert bool(answer.json["sessions"][0]["receipts"]) == fits
    whole = data in (EVENING, FORGED, CUT)
    assert (answer.status == 0) == (fits and whole)
    assert flat(text) in flat(pollctl("audit", str(file), "--receipt", code).out)


def test_several_receipts_are_answered_each(file: Path, pollctl: Pollctl) -> None:
    """Every receipt asked for is answered, and one that does not fit is enough for status 1."""
    asked = [part for code in (CODES[1], STRANGER, CODES[4]) for part in ("--receipt", code)]
    answer = pollctl("audit", str(file), *asked, "--json")
    assert [text.split()[0] for text in told(answer)] == [CODES[1], CODES[4], STRANGER]
    assert answer.status == 1


def test_every_single_misreading_is_told_so(file: Path, pollctl: Pollctl) -> None:
    """Whichever character of a receipt is read as whichever other, it is told as misread."""
    code = CODES[4]
    wrong = [
        code[:place] + char + code[place + 1 :]
        for place, right in enumerate(code)
        for char in ALPHABET
        if char != right
    ]
    asked = [part for each in wrong for part in ("--receipt", each)]
    answers = told(pollctl("audit", str(file), *asked, "--json"))
    assert answers == [f"{each} is misread: a character of it is another" for each in wrong]


def test_every_entry_has_its_receipt(file: Path, pollctl: Pollctl) -> None:
    """The receipt of every entry, as the log shows it, fixes all entries up to it."""
    codes = [each["receipt"] for each in pollctl("log", "-s", str(file), "--json").json["events"]]
    assert codes == CODES
    asked = [part for code in codes for part in ("--receipt", code)]
    answer = pollctl("audit", str(file), *asked, "--json")
    assert answer.status == 0
    fixed = [f"{code} fixes entries 1 to {seq}" for seq, code in enumerate(codes, 1)]
    assert [text.split(" as ")[0] for text in told(answer)] == fixed


def test_no_receipt_fits_another_history(file: Path, pollctl: Pollctl) -> None:
    """From the first rewritten entry on, no receipt of the one history fits the other."""
    file.write_bytes(FORGED)
    log = read(FORGED)
    new = [log.receipt_of(each) for each in log.events]
    assert [old == code for old, code in zip(CODES, new, strict=True)] == [True] * 3 + [False] * 2
    for seq, code in enumerate(CODES, 1):
        assert pollctl("audit", str(file), "--receipt", code).status == (seq > 3)


def test_a_receipt_outlives_what_comes_after(file: Path, pollctl: Pollctl) -> None:
    """A receipt fits the file however many entries come after it."""
    pollctl("ruling", "ben=+1:as agreed", "--round", "1", "-s", str(file))
    answer = pollctl("audit", str(file), "--receipt", CODES[4], "--json")
    assert told(answer) == [f"{CODES[4]} fixes entries 1 to 5 as they stand; 1 came after"]


def test_the_latest_receipt_as_json(file: Path, pollctl: Pollctl) -> None:
    """`receipt --json` gives the latest receipt with its entry."""
    answer = pollctl("receipt", "-s", str(file), "--json").json
    assert (answer["event"], answer["receipt"]) == (5, CODES[4])


def test_the_latest_receipt_of_a_damaged_file(file: Path, pollctl: Pollctl) -> None:
    """Of a damaged file the receipt of the last good seal is shown, with a warning."""
    file.write_bytes(ALTERED)
    answer = pollctl("receipt", "-s", str(file), "--json")
    assert (answer.status, answer.json["receipt"]) == (0, CODES[2])
    assert "broken" in answer.err


def _without_segno(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def hide(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "segno":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", hide)


def test_the_latest_receipt_in_words(
    file: Path, pollctl: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`receipt` shows the code large, then as text; without the extra there is no QR code."""
    _without_segno(monkeypatch)
    answer = pollctl("receipt", "-s", str(file))
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == f"{banner(CODES[4])}\n\n{CODES[4]}\n"


def test_the_latest_receipt_as_a_qr_code(file: Path, pollctl: Pollctl) -> None:
    """With the extra installed a QR code of the receipt stands between the two."""
    segno = pytest.importorskip("segno")
    head, _, rest = pollctl("receipt", "-s", str(file)).out.partition(banner(CODES[4]))
    assert head == ""
    code = rest.removesuffix(f"\n\n{CODES[4]}\n").strip("\n")
    assert len(code.splitlines()) >= segno.make(CODES[4]).symbol_size(border=2)[1] // 2
    assert max(map(len, code.splitlines())) <= 80


def test_all_glyphs_differ() -> None:
    """The 36 characters have glyphs of the same size, no two alike in fewer than two dots."""
    assert set(GLYPHS) == set(ALPHABET)
    assert {len(glyph) for glyph in GLYPHS.values()} == {5}
    alike = [
        (one, two)
        for one, two in combinations(GLYPHS, 2)
        if sum((int(a) ^ int(b)).bit_count() for a, b in zip(GLYPHS[one], GLYPHS[two], strict=True))
        < 1
    ]
    assert alike == []


@pytest.mark.parametrize("code", [*CODES, receipt("f" * 32, 999_999, "f" * 64)])
def test_the_banner_fits_a_screen(code: str) -> None:
    """The large receipt is at most 80 columns wide and 24 lines high, a line a row of dots."""
    lines = banner(code).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    assert set("".join(lines)) <= set(" ▀▄█")


def _dots(code: str) -> str:
    """A receipt as read back from its banner."""
    bits = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    glyphs = {glyph: char for char, glyph in GLYPHS.items()} | {"00700": "-"}
    groups = []
    for block in banner(code).split("\n\n"):
        lines = [line.ljust(84) for line in block.splitlines()]
        rows = [[bits[char][half] for char in line] for line in lines for half in (0, 1)][:5]
        found = ""
        for left in range(0, 77, 7):
            dots = [row[left : left + 6 : 2] for row in rows]
            glyph = "".join(str(4 * a + 2 * b + c) for a, b, c in dots)
            found += glyphs.get(glyph, "")
        groups.append(found)
    return "-".join(groups)


@pytest.mark.parametrize("code", [*CODES, STRANGER])
def test_the_banner_can_be_read(code: str) -> None:
    """Read back dot by dot, the large receipt is the receipt."""
    assert _dots(code) == code
