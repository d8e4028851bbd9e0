"""Drawing: a card once a session, played by the round that comes, chosen from, thrown out."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.decks import Card, Deck
from pollctl.drawing import draw_card, pick_question, throw_out, unused
from pollctl.games import find
from pollctl.hand import hand
from pollctl.log import read, seal_all
from pollctl.model import Event, Refused
from pollctl.recording import Draft, add_round
from pollctl.session import Session, load
from pollctl.undoing import redo, undo
from tests.commands import begin, done, snapshot
from tests.conftest import Pollctl
from tests.decks import CHOICE, ONE, RULE, TWO, deal
from tests.rules import AT, log


def last(pollctl: Pollctl) -> dict[str, Any]:
    """The fields of the last round."""
    number = done(pollctl, "round list --json").json["rounds"][-1]["number"]
    fields: dict[str, Any] = done(pollctl, f"round show {number} --json").json["fields"]
    return fields


DEALT = {
    (ONE, "3y3y3y"): {"source": "card", "question": ONE},
    (CHOICE, "3y3y3y"): {"source": "choice", "category": "Money"},
    (CHOICE, "3y3y3y -q Rich?"): {"source": "choice", "category": "Money", "question": "Rich?"},
    (CHOICE, "3y3y3y --category Rel"): {"source": "choice", "category": "Relationships"},
    (ONE, "3y3y3y -q Else?"): {"question": "Else?"},
    (ONE, "3y3y3y --source off"): {"source": "off-board"},
    (ONE, "3y3y3y --category Mon"): {"source": "choice", "category": "Money"},
    (TWO, "3y3y3y -q Else?"): {"question": "Else?"},
    (RULE, "64 61 52"): {
        "rule_card": "Landslide",
        "overrides": {"majority": 2, "false_majority": 2},
    },
    (RULE, "64 61 52 --rule-card Other"): {"rule_card": "Other"},
    (RULE, "64 61 52 --override majority=3"): {"overrides": {"majority": 3}},
    ("Hush | green | Nobody speaks.", "64 61 52"): {"rule_card": "Hush"},
}
"""The card that is open, the round that is added, and what it has beside ballots and a turn."""


@pytest.mark.parametrize(("card", "line"), DEALT)
def test_the_next_round_takes_from_the_card(card: str, line: str, pollctl: Pollctl) -> None:
    """What is not typed comes from the open card, unless the round is about something else."""
    deal(pollctl, "dice" if "|" in card and card != TWO else "poll", card)
    done(pollctl, "draw", f"round add {line}")
    beside = ("number", "ballots", "pollster", "chairperson")
    assert {k: v for k, v in last(pollctl).items() if k not in beside} == DEALT[card, line]
    assert "no card is open" in pollctl("draw", "--skip", "why").err


def test_a_round_after_that_takes_nothing(pollctl: Pollctl) -> None:
    """A card is played by one round, and again by the next one once that is taken back."""
    deal(pollctl, "poll", ONE)
    done(pollctl, "draw", "round add 3y3y3y", "round add 1n1n1y")
    assert "question" not in last(pollctl)
    done(pollctl, "undo", "undo", "round add 2y2y2y")
    assert last(pollctl)["question"] == ONE


def test_one_of_several_questions_is_chosen(pollctl: Pollctl) -> None:
    """A card with two questions is not played before one is chosen; the last choice counts."""
    deal(pollctl, "poll", TWO)
    done(pollctl, "draw")
    refused = pollctl("round", "add", "3y3y3y")
    assert refused.status == 1
    assert "has 2 questions: choose one with pollctl draw --pick N, or give" in refused.err
    assert refused.err.splitlines()[0].endswith("with -q (P5).")
    done(pollctl, "draw --pick 1")
    assert "Choose one" not in done(pollctl, "draw --pick 2").out
    assert "questions 1 to 2, and no 3" in pollctl("draw", "--pick", "3").err
    done(pollctl, "round add 3y3y3y")
    assert last(pollctl)["question"] == "Do you dance?"


def test_a_card_is_drawn_with_its_question(pollctl: Pollctl) -> None:
    """With no card open --pick draws one with so many questions, and undo takes both back."""
    deal(pollctl, "poll", ONE, CHOICE, TWO)
    answer = done(pollctl, "draw --pick 2 --json").json
    assert answer["card"] == {
        "deck": "deck",
        "card": "3",
        "skipped": None,
        "questions": ["Do you dance?"],
    }
    assert answer["event"] == 3
    done(pollctl, "draw --pick 1", "undo", "round add 3y3y3y")
    assert last(pollctl)["question"] == "Do you dance?"
    done(pollctl, "undo", "undo")
    assert len(hand(load(Path("game.toml").read_bytes()))) == 0
    assert "no unused card of deck has a question 3" in pollctl("draw", "--pick", "3").err


REFUSED = {
    ("draw",): "card 1 of deck is open, “Do you sing?”: round add plays it, draw --skip REASON",
    ("draw", "--deck", "deck.txt"): "card 1 of deck is open",
    ("draw", "--deck", "deck.txt", "--pick", "1"): "card 1 of deck is open",
    ("draw", "--pick", "2"): "card 1 of deck has questions 1 to 1, and no 2",
    ("draw", "--skip", " "): "the reason is empty",
    ("draw", "--skip", "a\x1b"): "the reason can't hold",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_while_a_card_is_open(arguments: tuple[str, ...], pollctl: Pollctl) -> None:
    """No second card is drawn; the refusal shows the card and says how to go on."""
    deal(pollctl, "poll", ONE)
    done(pollctl, "draw")
    before = Path("game.toml").read_bytes()
    answer = pollctl(*arguments)
    assert (answer.status, Path("game.toml").read_bytes()) == (1, before)
    assert REFUSED[arguments] in answer.err
    assert len(answer.err.splitlines()) == 2


def test_where_there_is_nothing_to_choose(pollctl: Pollctl) -> None:
    """A question that is alone on its card is drawn in one entry, with --pick or without."""
    deal(pollctl, "poll", ONE)
    assert done(pollctl, "draw --pick 1 --json").json["event"] == 2
    deal(pollctl, "poll", CHOICE)
    done(pollctl, "draw")
    assert "card 1 of deck has nothing to choose from" in pollctl("draw", "--pick", "1").err
    deal(pollctl, "dice", RULE)
    assert "no unused card of deck has a choice 1" in pollctl("draw", "--pick", "1").err


def test_a_long_card_is_shown_in_brief(pollctl: Pollctl) -> None:
    """A refusal stays short however much stands on the card."""
    deal(pollctl, "poll", f"{'Do you sing or ' * 50}not?")
    done(pollctl, "draw")
    assert "is open, “Do you sing or Do you sing or" in pollctl("draw").err
    assert len(pollctl("draw").err) < 240


NO_DRAW = {
    "won": "the game is over: Ann won; undo can reopen it (P17)",
    "nothing": "no current session",
}


@pytest.mark.parametrize("scene", NO_DRAW)
def test_nothing_is_drawn_where_nothing_is_played(scene: str, pollctl: Pollctl) -> None:
    """After the end, or without a session, no card is drawn."""
    begin(pollctl, scene)
    assert NO_DRAW[scene] in pollctl("draw").err


USAGE = (
    ("draw", "--pick", "0"),
    ("draw", "--pick", "1", "--skip", "x"),
    ("draw", "--deck", "deck.txt", "--skip", "x"),
    ("draw", "--deck", "nowhere.txt"),
    ("deck", "use"),
    ("deck", "use", "deck.txt", "--example"),
    ("deck", "show", "nowhere.txt"),
    ("deck", "show", "."),
)


@pytest.mark.parametrize("arguments", USAGE)
def test_a_slip_in_the_command_line(arguments: tuple[str, ...], pollctl: Pollctl) -> None:
    """Options that don't go together, and files that are not there, are mistakes of the line."""
    deal(pollctl, "poll", ONE)
    before = snapshot(Path())
    answer = pollctl(*arguments)
    assert (answer.status, answer.out, snapshot(Path())) == (2, "", before)
    assert len(answer.err.splitlines()) <= 2


def test_every_card_comes_once(pollctl: Pollctl) -> None:
    """Drawn to its end, a deck gives each of its cards once, thrown out or played; then no more."""
    deal(pollctl, "poll", *[f"Question {number}?" for number in range(1, 7)])
    seen = []
    for number in range(6):
        answer = done(pollctl, "draw --json").json
        seen.append(answer["card"]["card"])
        assert answer["said"].endswith(f"; {5 - number} of 6 left")
        done(pollctl, "draw --skip no" if number % 2 else "round add 0n0n0n")
    assert sorted(seen) == list("123456")
    answer = pollctl("draw")
    assert (answer.status, answer.out) == (1, "")
    assert "every card of deck was drawn: draw --deck FILE goes on with another" in answer.err
    Path("more.txt").write_text(ONE)
    assert "card 1 of more; 0 of 1 left" in done(pollctl, "draw --deck more.txt").out


FIVE = Deck(
    "Five",
    find("poll"),
    tuple(Card(str(n), {"questions": ["A?", "B?"][: 1 + n % 2]}) for n in range(5)),
)
MOVES = ("draw", "draw", "pick", "skip", "round", "round", "undo", "undo", "redo")


def move(what: str, session: Session, chance: Callable[[int], int]) -> Draft:
    """What somebody at the table does."""
    if what == "draw":
        return draw_card(session, FIVE, None, chance, AT)
    if what == "pick":
        return pick_question(session, 1, AT) if hand(session) else undo(session, AT)
    if what == "skip":
        return throw_out(session, "no", AT)
    if what == "round":
        return add_round(session, {"ballots": ["0n0n"], "note": ["x"]}, AT)
    return undo(session, AT) if what == "undo" else redo(session, AT)


@given(moves=st.lists(st.sampled_from(MOVES), min_size=8, max_size=16), seed=st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_no_card_comes_twice(moves: list[str], seed: int) -> None:
    """Whatever is played, thrown out, undone and redone, no card that was drawn comes again."""
    chance = random.Random(seed).randrange
    opening = log(
        {"game": "poll-game", "players": ["Ann", "Ben"], "first": "Ann", "rules": {}, "round": []}
    )
    data = seal_all(b"", opening)[0]
    for what in moves:
        session = load(data)
        fallen = session.game.history.fallen
        stands = [e for e in session.log.events if e.kind == "draw" and e.seq not in fallen]
        gone = [event.fields["card"] for event in stands]
        left = [card.id for card in unused(session, FIVE)]
        assert sorted(left) == sorted({card.id for card in FIVE.cards} - set(gone))
        try:
            draft = move(what, session, chance)
        except Refused:
            continue
        if draft.said.startswith("drew"):
            assert draft.events[0].fields["card"] not in gone
            assert not hand(session)
        data += seal_all(data, draft.events)[0]
    assert read(data).chain == "intact"


def test_a_correction_may_put_a_played_card_back(pollctl: Pollctl) -> None:
    """A round that is put back before a choice it knew nothing of has played its card."""
    deal(pollctl, "poll", TWO)
    done(pollctl, "draw", "draw --pick 1", "round add 0n0n1y", "round void 1", "draw --pick 2")
    assert len(hand(load(Path("game.toml").read_bytes()))) == 3
    done(pollctl, "void 5")
    assert hand(load(Path("game.toml").read_bytes())) == ()
    assert "every card of deck was drawn" in pollctl("draw").err


FORGED: dict[tuple[str, str], tuple[dict[str, Any], ...]] = {
    ("poll", "3y3y3y"): (
        {},
        {"questions": []},
        {"questions": [""]},
        {"category": "Nothing"},
        {"category": "Money", "questions": ["A?", "B?"]},
    ),
    ("dice", "646152"): ({}, {"overrides": {"majority": [1]}}, {"name": "\x1b[2J", "colour": "?"}),
}
"""A session, a round, and what stands on cards that pollctl would not have drawn."""


@pytest.mark.parametrize(("scene", "line"), FORGED)
def test_a_card_from_elsewhere_is_met_calmly(scene: str, line: str, pollctl: Pollctl) -> None:
    """Whatever an entry of another program says of a card, it is told in words, or refused."""
    for face in FORGED[scene, line]:
        begin(pollctl, scene)
        data = Path("game.toml").read_bytes()
        drawn = Event(2, AT, "draw", {"deck": "A", "card": "1", **face})
        Path("game.toml").write_bytes(data + seal_all(data, [drawn])[0])
        for arguments in ("draw", f"round add {line} -n", "log", "audit game.toml", "next"):
            answer = pollctl(*arguments.split())
            assert answer.status in (0, 1)
            assert "\x1b[2J" not in answer.out + answer.err
        assert "card 1 of A is open, " in pollctl("draw").err
        done(pollctl, "draw --skip odd")


def test_a_dry_run_draws_nothing(pollctl: Pollctl) -> None:
    """With --dry-run a card is shown as it would be recorded, and the session left alone."""
    deal(pollctl, "poll", TWO)
    before = Path("game.toml").read_bytes()
    answer = done(pollctl, "draw --pick 1 -n -v")
    assert 'batch = "2/2"' in answer.out
    assert Path("game.toml").read_bytes() == before


def test_the_log_tells_the_cards(pollctl: Pollctl) -> None:
    """The log says what stood on each card, and why one was thrown out."""
    deal(pollctl, "poll", TWO)
    done(pollctl, "draw", "draw --pick 2", "draw --skip 'not tonight'")
    texts = [event["text"] for event in done(pollctl, "log --json").json["events"][1:]]
    assert texts == [
        "card 1 of deck: “Do you sing?” or “Do you dance?”",
        "card 1 of deck: “Do you dance?”",
        "card 1 of deck thrown out: not tonight",
    ]
    deal(pollctl, "dice", RULE)
    done(pollctl, "draw")
    told = done(pollctl, "log --json").json["events"][-1]["text"]
    assert told == "card 1 of deck: Landslide | orange | Twice. | majority=2, false_majority=2"
