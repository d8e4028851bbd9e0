"""Rounds go out and come in without loss, and what spreadsheets write is read."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.history import resolve
from pollctl.log import seal_all
from pollctl.model import Event
from pollctl.replay import Replay
from pollctl.session import load
from pollctl.standings import standings
from pollctl.transfer import import_rounds, read_csv, read_ndjson, write_csv, write_ndjson
from tests.conftest import Pollctl
from tests.rules import AT, log
from tests.rules.random_games import random_game

FORMS = {"csv": (write_csv, read_csv), "ndjson": (write_ndjson, read_ndjson)}
GAMES = ["poll-game", "dice-democracy"]

SENTENCES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]),
    min_size=1,
    max_size=30,
).filter(str.strip)


def played(events: list[Event]) -> Replay:
    """A game with these events."""
    return load(seal_all(b"", events)[0]).game


def returned(game: Replay, opening: Event, form: str) -> Replay:
    """The game whose rounds went out of this one and into a new session."""
    write, read = FORMS[form]
    empty = load(seal_all(b"", [opening])[0])
    return import_rounds(empty, read(write(game), empty.game, AT)).after


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_what_goes_out_comes_in(game: str, form: str, seed: int) -> None:
    """Any game exported and imported has the same rounds, turns and standings."""
    events = log(random_game(random.Random(seed), game))
    before = played(events)
    after = returned(before, events[0], form)
    assert standings(after) == standings(before)
    assert [step.turn for step in after.steps] == [step.turn for step in before.steps]
    assert [step.outcome for step in after.steps] == [step.outcome for step in before.steps]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_rounds_of_one_seating_come_in(game: str, form: str, seed: int) -> None:
    """The rounds since seats last changed come into a session that stands where they began."""
    events = log(random_game(random.Random(seed), game, seats=True))
    while events[-1].kind not in ("round", "open"):
        events.pop()
    begun = max(event.seq for event in events if event.kind != "round")
    whole, start = played(events), played(events[:begun])
    write, read = FORMS[form]
    head, rows = ("", write(whole)) if form == "ndjson" else write(whole).split("\n", 1)
    late = rows.splitlines()[len(start.steps) :]
    if late:
        told = read("\n".join([head, *late]).strip(), start, AT)
        session = load(seal_all(b"", events[:begun])[0])
        assert standings(import_rounds(session, told).after) == standings(whole)


SEATED = [
    ("at,Ann,Ben,Cai\n,1y,0n,\n", None),
    ("Ann,Ben\n1y,0n\n", None),
    ("Ann,Ben,Cai\n1y,0n,1n\n", "row 2: Cai is not seated: seated are Ann and Ben"),
    ("Ann,Ben,pollster\n1y,0n,cai\n", "row 2: Cai is not seated: seated are Ann and Ben"),
    ("Ann,Ben,rulings\n1y,0n,cai=+1:so\n", "row 2: Cai is not seated: seated are Ann and Ben"),
    ("Ann,Ben,Zoe\n1y,0n,1y\n", "there is no column 'Zoe'"),
    ('{"ballots": [{"player": "Ben", "card": 1, "chip": "no"}]}', "line 1: no ballot of Ann"),
    (
        json.dumps(
            {"ballots": [{"player": p, "card": 1, "chip": "no"} for p in ("Ann", "Ben", "Cai")]}
        ),
        "line 1: Cai can't vote: not seated in this round",
    ),
]


@pytest.mark.parametrize(("text", "fault"), SEATED)
def test_who_has_left_has_no_ballot(
    text: str, fault: str | None, room: Path, pollctl: Pollctl
) -> None:
    """The column of a player who has left may stand there empty; a ballot in it is refused."""
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "evening.toml")
    pollctl("player", "leave", "cai")
    name = "rounds.ndjson" if text.startswith("{") else "rounds.csv"
    (room / name).write_text(text, "utf-8")
    answer = pollctl("round", "import", name)
    assert (answer.status, (fault or "") in answer.err) == (1 if fault else 0, True)


@pytest.mark.parametrize("form", FORMS)
@given(question=SENTENCES, reason=SENTENCES)
@settings(max_examples=50, deadline=None)
def test_sentences_come_in_as_they_went_out(form: str, question: str, reason: str) -> None:
    """Questions and reasons keep every character: separators, quotes, formulas, blanks inside."""
    ballots = [{"player": p, "card": 1, "chip": "no"} for p in ("Ann", "Ben")]
    rulings = [ruling(reason.strip()), ruling("why; not")]
    said: dict[str, Any] = {"question": question.strip(), "rulings": rulings}
    table = {"game": "poll-game", "players": ["Ann", "Ben"], "first": "Ann", "rules": {}}
    events = log({**table, "round": [{"pollster": "Ann", **said, "ballots": ballots}]})
    after = returned(played(events), events[0], form)
    fields = after.history.rounds[0].fields
    assert fields["question"] == normalize("NFC", said["question"])
    assert fields["rulings"] == [ruling(normalize("NFC", each["reason"])) for each in rulings]


def ruling(reason: str) -> dict[str, Any]:
    """A ruling with this reason."""
    return {"player": "Ann", "change": 1, "reason": reason}


SHEETS = {
    "plain": "Ann,Ben,Cai\n2y,1n,2y\n1n,0n,0n\n",
    "a byte-order mark, CRLF": "\ufeffAnn,Ben,Cai\r\n2y,1n,2y\r\n1n,0n,0n\r\n",
    "semicolons": "Ann;Ben;Cai\n2y;1n;2y\n1n;0n;0n\n",
    "tabs": "Ann\tBen\tCai\n2y\t1n\t2y\n1n\t0n\t0n\n",
    "quotes": '"Ann","Ben","Cai"\n"2y","1n","2y"\n"1n","0n","0n"\n',
    "empty rows and columns at the end": "Ann,Ben,Cai,,\n2y,1n,2y,,\n1n,0n,0n,,\n,,,,\n,,,,\n",
    "another order, other cases": "cai,ANN,ben\n2Y,2yes,1N\n0n,1no,0r\n",
    "a pollster's column": "pollster,Ann,Ben,Cai\nAnn,2y,1n,2y\nCai,1n,0n,0n\n",
    "no newline at the end": "Ann,Ben,Cai\n2y,1n,2y\n1n,0n,0n",
}


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_spreadsheets_write_is_read(sheet: str, pollctl: Pollctl, room: Path) -> None:
    """The same two rounds are read from every kind of sheet, as one batch in one write."""
    (room / "past.csv").write_text(SHEETS[sheet], encoding="utf-8", newline="")
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "s.toml")
    assert pollctl("round", "import", "past.csv").status == 0
    rows = pollctl("round", "list", "--json").json["rounds"]
    assert [(row["turn"], row["scores"]) for row in rows] == [
        ("Ann", {"Ann": 1, "Ben": 0, "Cai": 1}),
        ("Cai", {"Ann": 1, "Ben": 1, "Cai": 2}),
    ]
    text = (room / "s.toml").read_text(encoding="utf-8")
    assert [f'batch = "{place}/2"' in text for place in (1, 2)] == [True, True]


FAULTS = {
    "a card that is none": ("Ann,Ben\n1y,1y\n9y,1y\n", "row 3", "P6"),
    "a missing ballot": ("Ann,Ben\n1y,\n", "row 2", "P7"),
    "a column of nothing known": ("Ann,Ben,Dan\n1y,1y,1y\n", "there is no column 'Dan'", None),
    "the same column twice": ("Ann,Ben,Ann\n1y,1y,1y\n", "stands there twice", None),
    "no player in the head": ("1y,1y\n1y,1y\n", "the first row names no player", None),
    "a cell beyond the columns": ("Ann,Ben\n1y,1y,1y\n", "row 2", None),
    "a field of the other game": ("Ann,Ben,dice\n1y,1y,1\n", "there is no column 'dice'", None),
    "a penalty of nobody": ("Ann,Ben,penalties\n1y,1y,dan=chip\n", "row 2", "P1"),
    "a penalty twice": ("Ann,Ben,penalties\n1y,1y,ann=chip;ann=chip\n", "row 2", "P18"),
    "a ruling without a reason": ("Ann,Ben,rulings\n1y,1y,ann=+1\n", "row 2", None),
    "a time that is none": ("Ann,Ben,at\n1y,1y,noon\n", "row 2", None),
    "no round at all": ("Ann,Ben\n,\n", "the file holds no round", None),
    "nothing at all": ("", "the first row names no player", None),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_row_and_nothing_is_written(fault: str, pollctl: Pollctl, room: Path) -> None:
    """A sheet with a fault is refused naming the row and the clause, and no byte is written."""
    sheet, words, rule = FAULTS[fault]
    (room / "past.csv").write_text(sheet, encoding="utf-8")
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    before = (room / "s.toml").read_bytes()
    answer = pollctl("round", "import", "past.csv", "--json")
    assert (answer.status, answer.json["rule"]) == (1, rule)
    assert words in answer.json["text"]
    assert (room / "s.toml").read_bytes() == before


LINES = {
    "not JSON": ("{", "line 1", None),
    "no table": ("[1]", "line 1", None),
    "another event": ('{"kind": "void", "target": 1}', "line 1", None),
    "an unknown field": ('{"dice": "1", "ballots": []}', "line 1", None),
    "no ballots": ("{}", "line 1", None),
    "ballots of a wrong type": ('{"ballots": 3}', "line 1", None),
    "a ballot of nobody": ('{"ballots": [{"player": "Dan", "card": 1, "chip": "no"}]}', "", "P7"),
    "a card of a wrong type": (
        '{"ballots": [{"player": "Ann", "card": 1.0, "chip": "no"}, {"player": "Ben"}]}',
        "line 1",
        "P6",
    ),
    "a source that is none": ('{"source": "air", "ballots": []}', "line 1", "P7"),
    "a nested depth": ('{"note": ' + "[" * 5000 + "]" * 5000 + ', "ballots": []}', "line 1", None),
    "a huge number": ('{"number": ' + "9" * 5000 + ', "ballots": []}', "line 1", None),
}


@pytest.mark.parametrize("fault", LINES)
def test_one_bad_line_and_nothing_is_written(fault: str, pollctl: Pollctl, room: Path) -> None:
    """A line of NDJSON with a fault is refused, named, and no byte is written."""
    line, words, rule = LINES[fault]
    (room / "past.ndjson").write_text(f"{line}\n", encoding="utf-8")
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    before = (room / "s.toml").read_bytes()
    answer = pollctl("round", "import", "past.ndjson", "--json")
    assert (answer.status, answer.json["rule"]) == (1, rule)
    assert words in answer.json["text"]
    assert (room / "s.toml").read_bytes() == before


def test_an_import_is_undone_as_a_whole(pollctl: Pollctl, room: Path) -> None:
    """One undo takes back every round of an import, and one redo puts them all back."""
    (room / "past.csv").write_text(SHEETS["plain"], encoding="utf-8")
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "s.toml")
    pollctl("round", "import", "past.csv")
    imported = pollctl("standings", "--json").json["standings"]
    pollctl("undo")
    assert pollctl("standings", "--json").json["played"] == 0
    pollctl("redo")
    assert pollctl("standings", "--json").json["standings"] == imported


def test_a_round_after_the_end_is_named(pollctl: Pollctl, room: Path) -> None:
    """Rows after the winning one are refused with their row and clause."""
    (room / "past.csv").write_text("Ann,Ben\n1y,0n\n1y,0n\n1y,0n\n", encoding="utf-8")
    pollctl("new", "poll", "Ann", "Ben", "--rule", "spaces=4", "-o", "s.toml")
    answer = pollctl("round", "import", "past.csv", "--json")
    assert answer.json["rule"] == "P17"
    assert answer.json["text"].startswith("row 4: ")


def test_a_player_named_like_a_column_needs_ndjson(pollctl: Pollctl, room: Path) -> None:
    """CSV is refused both ways where a player is called `note`, and NDJSON takes it."""
    pollctl("new", "poll", "note", "Ben", "-o", "s.toml")
    pollctl("round", "add", "1y0n")
    assert "use NDJSON" in pollctl("round", "export").err
    (room / "past.csv").write_text("note,Ben\n1y,0n\n", encoding="utf-8")
    assert "use NDJSON" in pollctl("round", "import", "past.csv").err
    assert pollctl("round", "export", "-o", "past.ndjson").status == 0
    assert pollctl("round", "import", "past.ndjson").status == 0


def test_standard_input_is_ndjson(pollctl: Pollctl, process: Pollctl, room: Path) -> None:
    """`-` reads NDJSON from standard input."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    ballots = [
        {"player": "Ben", "card": 1, "chip": "no"},
        {"player": "Ann", "card": 1, "chip": "yes"},
    ]
    (room / "line").write_text(json.dumps({"number": 9, "ballots": ballots}), encoding="utf-8")
    with (room / "line").open("rb") as line:
        assert process("round", "import", "-", stdin=line).status == 0
    assert pollctl("standings", "--json").json["standings"][0]["player"] == "Ann"


def test_an_export_never_overwrites(pollctl: Pollctl, room: Path) -> None:
    """A file that exists stays as it is."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    (room / "out.csv").write_text("mine", encoding="utf-8")
    assert pollctl("round", "export", "-o", "out.csv").status == 1
    assert (room / "out.csv").read_text(encoding="utf-8") == "mine"


def test_formulas_are_guarded(pollctl: Pollctl) -> None:
    """A question that a spreadsheet would run is exported as text."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    pollctl("round", "add", "1y0n", "-q", '=HYPERLINK("http://x","y")')
    assert '"\'=HYPERLINK(""http://x"",""y"")"' in pollctl("round", "export").out


def test_only_rounds_that_count_go_out(pollctl: Pollctl, room: Path) -> None:
    """Voided rounds stay behind, and corrected ones go out as corrected."""
    pollctl("new", "poll", "Ann", "Ben", "-o", "s.toml")
    for _ in range(2):
        pollctl("round", "add", "1y0n")
    pollctl("round", "void", "1")
    pollctl("round", "amend", "2", "ben:2y")
    rows = pollctl("round", "export", "--json").json["rounds"]
    assert [(row["number"], row["ballots"][1]["card"]) for row in rows] == [(2, 2)]
    assert len(resolve(load((room / "s.toml").read_bytes()).log.events).voided) == 1
