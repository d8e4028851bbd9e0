"""Hostile input: one clear line, the right exit status, and the file byte for byte as it was."""

from __future__ import annotations

import csv
import io
import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from pollctl.log import read
from tests.audit import POLL, event, findings, opening, poll_round, sealed
from tests.conftest import Answer, Pollctl
from tests.log.test_damaged import READERS

SEALED_QUESTION = '[[event]]\nseq = 3\nkind = "end"\n\n[event.seal]\nsha256 = "' + "0" * 64 + '"'

STEERING = {
    "an escape sequence": "\x1b[31mred",
    "a title": "\x1b]0;pwned\x07",
    "the clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "an eight-bit sequence": "\x9b2J",
    "a carriage return": "Ann\rBob",
    "a newline": "Ann\nBob",
    "a backspace": "Ann\b\b\bBob",
    "right to left": "\u202egnp.exe",
    "an isolate": "\u2066Ann\u2069",
    "zero width": "An\u200bn",
    "a joiner": "An\u200dn",
    "a mark of order": "\ufeffAnn",
    "a line separator": "Ann\u2028Bob",
    "a paragraph separator": "Ann\u2029Bob",
    "a tag": "Ann\U000e0041",
    "NUL": "Ann\x00",
    "delete": "Ann\x7f",
}
"""Texts that would steer a terminal, or hide in it."""

BIDI_IN_SENTENCES = ("right to left", "an isolate")
TYPED = {name: text for name, text in STEERING.items() if name != "NUL"}
"""No argument of a process can hold a NUL."""


def steers(text: str) -> list[str]:
    """The characters of an answer that would steer a terminal, the ends of its lines excepted."""
    categories = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return [c for c in text.replace("\n", "") if unicodedata.category(c) in categories]


def is_clear(answer: Answer, *, lines: int = 3) -> bool:
    """Whether an answer says something, in a few lines, and without a traceback."""
    text = answer.out + answer.err
    return bool(text) and "Traceback" not in text and len(answer.err.splitlines()) <= lines


@pytest.mark.parametrize("what", STEERING)
@pytest.mark.parametrize("place", ["alone", "in a name"])
def test_a_name_that_steers_is_refused(what: str, place: str, room: Path, pollctl: Pollctl) -> None:
    """A name that would steer a terminal is refused, shown escaped, and no file is made."""
    name = STEERING[what] if place == "alone" else f"x{STEERING[what]}x"
    answer = pollctl("new", "poll", "Zoe", name, "-o", "new.toml")
    assert (answer.status, answer.out) == (1, "")
    assert is_clear(answer)
    assert steers(answer.err) == []
    assert not (room / "new.toml").exists()


@pytest.mark.parametrize("what", STEERING)
@pytest.mark.parametrize("option", ["-q", "--note"])
def test_a_sentence_that_steers_is_refused(
    what: str, option: str, file: Path, pollctl: Pollctl
) -> None:
    """A question or note that would steer a terminal is refused, bidi marks excepted."""
    file.write_bytes(sealed(POLL[:2]))
    before = file.read_bytes()
    answer = pollctl("round", "add", "0n0n1y", option, f"x{STEERING[what]}x", "-s", str(file))
    kept = what in BIDI_IN_SENTENCES
    assert answer.status == (0 if kept else 1)
    assert (file.read_bytes() == before) != kept
    assert is_clear(answer)
    assert steers(answer.out + answer.err) == []


ANSWERS = [*READERS, ("audit",), ("receipt",)]


def asked(pollctl: Pollctl, command: tuple[str, ...], file: Path) -> Answer:
    """A reading command or the audit, about this file."""
    if command[0] == "audit":
        return pollctl(*command, str(file))
    return pollctl(*command, "-s", str(file))


@pytest.mark.parametrize("what", STEERING)
def test_what_steers_in_a_sealed_file_is_shown_escaped(
    what: str, file: Path, pollctl: Pollctl
) -> None:
    """Whatever a sealed file says, no answer about it steers the terminal."""
    text = f"x{STEERING[what]}x"
    names = [text, "Ben", "Cai"]
    told = [
        opening(players=names, first=text, title=text),
        poll_round(2, 1, text, players=names, question=text, note=text),
        poll_round(3, 2, text, players=names, category=text, source=text),
        event(4, "ruling", round=1, player=text, change=1, reason=text),
        event(5, "acknowledge", warning="name", reason=text),
        event(6, "repair", removed=1, sha256="0" * 64, kept_in=text),
        event(7, "end", reason=text),
        event(8, "accept", first_bad=1, sha256="", reason=text),
    ]
    data = sealed(told)
    file.write_bytes(data)
    for command in ANSWERS:
        answer = asked(pollctl, command, file)
        assert answer.status in (0, 1)
        assert (command, steers(answer.out + answer.err)) == (command, [])
        assert is_clear(answer)
    assert file.read_bytes() == data


def test_a_question_like_the_log_itself(file: Path, pollctl: Pollctl) -> None:
    """A question holding an event and a seal, in one line, is recorded and read as a question."""
    file.write_bytes(sealed(POLL[:2]))
    question = SEALED_QUESTION.replace("\n", " ")
    answer = pollctl("round", "add", "0n0n1y", "-q", question, "-s", str(file))
    log = read(file.read_bytes())
    assert (answer.status, log.chain, len(log.events)) == (0, "intact", 3)
    assert log.events[2].fields["question"] == question
    assert findings(pollctl("audit", str(file), "--json")) == [("warnings", "unfinished")]


def test_a_question_of_lines_of_the_log(file: Path, pollctl: Pollctl) -> None:
    """A question holding the very lines of an event and its seal is refused."""
    before = file.read_bytes()
    answer = pollctl("round", "add", "0n0n1y", "-q", SEALED_QUESTION, "-s", str(file))
    assert (answer.status, file.read_bytes()) == (1, before)
    assert is_clear(answer)


def test_the_lines_of_the_log_in_a_sealed_question(file: Path, pollctl: Pollctl) -> None:
    """A sealed question written with such lines as escapes is one question, and hides nothing."""
    data = sealed([*POLL[:2], poll_round(3, 2, "Cai", question=SEALED_QUESTION)])
    file.write_bytes(data)
    (told,) = pollctl("audit", str(file), "--json").json["sessions"]
    assert (told["chain"], told["events"], told["status"]) == ("intact", 3, "finished")
    assert steers(pollctl("round", "show", "2", "-s", str(file)).out) == []


FORMULAS = ("=HYPERLINK(“http://x.example”)", "+1", "-1", "@SUM(A1)")


def test_formulas_are_text(file: Path, pollctl: Pollctl) -> None:
    """What a spreadsheet takes for a formula is no name where it holds `=`, and else only text."""
    assert pollctl("new", "poll", "=HYPERLINK(1)", "Ben", "-o", "n.toml").status == 1
    file.write_bytes(sealed(POLL[:1]))
    for question in FORMULAS:
        done = pollctl("round", "add", "0n0n2y", "-q", question, "-s", str(file))
        assert done.status == 0
    shown = [
        pollctl("round", "show", str(n), "-s", str(file), "--json").json["fields"]["question"]
        for n in range(1, len(FORMULAS) + 1)
    ]
    assert shown == list(FORMULAS)


def test_a_sealed_formula_is_exported_as_text(file: Path, pollctl: Pollctl) -> None:
    """No cell of an export begins a formula: an apostrophe stands before what would."""
    texts = ("=HYPERLINK(1)", "=1+1", "+1", "-1", "@SUM(A1)")
    rounds = [
        poll_round(number + 1, number, "Ann", "0n 0n 2y", question=text, note=text)
        for number, text in enumerate(texts, 1)
    ]
    file.write_bytes(sealed([POLL[0], *rounds]))
    sheet = pollctl("round", "export", "-s", str(file)).out
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["question"] for row in rows] == [f"'{text}" for text in texts]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(tuple("=+-@"))]


TWINS = [("Jos\u00e9", "Jose\u0301"), ("Ann", "ANN"), ("\ufb01n", "fin"), ("Straße", "STRASSE")]
LOOK_ALIKES = [("Ann", "\u0410nn"), ("Il", "ll"), ("O1", "01"), ("Zo\u00eb", "Zoe")]


@pytest.mark.parametrize(("one", "two"), TWINS)
def test_two_spellings_of_one_name_are_refused(
    one: str, two: str, room: Path, pollctl: Pollctl
) -> None:
    """Names equal under NFKC and case-folding are one player, who can't sit twice."""
    answer = pollctl("new", "poll", one, two, "-o", "new.toml")
    assert (answer.status, (room / "new.toml").exists()) == (1, False)
    assert is_clear(answer)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_found_in_either_form(
    form: Literal["NFC", "NFD"], file: Path, pollctl: Pollctl
) -> None:
    """A name is kept as NFC, and found however its accents were typed."""
    typed = unicodedata.normalize("NFD", "José")
    pollctl("new", "poll", typed, "Ben", "-o", str(file.with_name("new.toml")))
    asked_for = unicodedata.normalize(form, "José")
    answer = pollctl("ruling", f"{asked_for}=+1:x", "--round", "1")
    assert "no round" in answer.err
    (line,) = [line for line in pollctl("log").out.splitlines() if "opened" in line]
    assert "José and Ben" in line


@pytest.mark.parametrize(("one", "two"), LOOK_ALIKES)
def test_look_alike_names_are_warned_about(one: str, two: str, pollctl: Pollctl) -> None:
    """Two players whose names look the same may sit there, and audit says so."""
    answer = pollctl("new", "poll", one, two, "-o", "new.toml")
    assert answer.status == 0
    assert ("warnings", "look-alike") in findings(pollctl("audit", "new.toml", "--json"))
