"""Deck files: each form says the same, and what is wrong is named with its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pollctl.decks import Card, Deck, read_deck
from pollctl.games import find
from pollctl.model import Refused
from tests.decks.strategies import WRITERS, chosen, decks, expected, plain

POLL, DICE = find("poll"), find("dice")


def read(name: str, text: str, game: str = "poll") -> Deck:
    """The deck in a file, of this game unless the file names one."""
    return read_deck(name, text, chosen(find(game)))


@pytest.mark.parametrize("form", WRITERS)
@given(deck=decks())
@settings(max_examples=40, deadline=None)
def test_a_deck_survives_each_form(form: str, deck: Deck) -> None:
    """Any deck that is written in a form is read from it as it was."""
    deck = expected(deck, form)
    text = WRITERS[form](deck).text
    assert read_deck(f"party.{form}", text, chosen(deck.game)) == deck


@pytest.mark.parametrize("form", WRITERS)
@given(deck=decks(), at=st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_a_bad_card_is_named_by_its_line(form: str, deck: Deck, at: int) -> None:
    """Whichever card of a deck is bad, the refusal names the line on which that card begins."""
    deck = plain(deck)
    place = at % len(deck.cards)
    bad = {"category": "Nothing"} if deck.game is POLL else {"name": "A", "colour": "blue"}
    cards = [*deck.cards]
    cards[place] = Card(str(place + 1), {"text": "B", **bad} if deck.game is DICE else bad)
    text, lines = WRITERS[form](deck._replace(cards=tuple(cards)))
    with pytest.raises(Refused) as refused:
        read_deck(f"party.{form}", text, chosen(deck.game))
    assert refused.value.text.startswith(f"party.{form}, line {lines[place]}: ")


SAME = {
    "a.toml": """\
title = "Mixed"
[[card]]
questions = ["Do you sing?", "Do you dance?"]

  [[ "card" ]] # the second
id = 7
category = "money"
""",
    "b.json": """\
{"title": "Mixed", "cards": [
  {"questions": ["Do you sing?", " Do you dance? "]}, {"id": 7, "category": "Money"}]}
""",
    "Mixed.json": '[{"questions": ["Do you sing?", "Do you dance?"]}, {"id":"7","category":"Mon"}]',
    "Mixed.csv": "\ufeffCategory;ID;questions\r\n;;Do you sing?|Do you dance?\r\n\r\nMoney;7;\r\n",
    "evening/Mixed.CSV": 'questions,id,category\n"Do you sing?|Do you dance?",,\n,7,Money\n',
}
"""One deck, in the ways in which people and programs write it."""


@pytest.mark.parametrize("name", SAME)
def test_a_deck_can_be_written_in_many_ways(name: str) -> None:
    """Spellings, separators, blanks and byte order marks make no difference."""
    first = Card("1", {"questions": ["Do you sing?", "Do you dance?"]})
    assert read(name, SAME[name]) == Deck("Mixed", POLL, (first, Card("7", {"category": "Money"})))


def test_plain_text_is_a_card_a_line() -> None:
    """Comments and empty lines are no cards; a doubled bar stands for one."""
    text = "# sing\n\n  Do you sing?\nYes || no? | Why?\r\nCHOICE: food\n"
    assert [card.fields for card in read("p.txt", text).cards] == [
        {"questions": ["Do you sing?"]},
        {"questions": ["Yes | no?", "Why?"]},
        {"category": "Food & Drink"},
    ]
    text = "Landslide | or | Twice. | majority=2; false_majority=2"
    (card,) = read("d.txt", text, "dice").cards
    assert card.fields == {
        "name": "Landslide",
        "colour": "orange",
        "text": "Twice.",
        "overrides": {"majority": 2, "false_majority": 2},
    }


HEADER = '[[card]]\nquestions = ["A?"]\n'
RULE = 'name = "A"\ncolour = "green"\ntext = "B"\n'

FAULTS = {
    # the form
    "p.toml": ("title = \n", "p.toml, line 1: this is no TOML: "),
    "q.toml": (f"{HEADER}[[card]\n", "q.toml, line 3: this is no TOML: "),
    "r.toml": (f"{HEADER}{'a.' * 300}b = 1\n", "r.toml, line 1: this is no TOML: recursion"),
    "s.toml": ('card = [{category = "Money"}]', "line 1: each card is a table of its own"),
    "t.toml": ('\n[card]\ncategory = "Money"', "line 2: each card is a table of its own"),
    "u.toml": (
        f'{HEADER}[more]\nx = "[[card]]"\n',
        "line 3: a deck has title and game, not 'more'",
    ),
    "v.toml": (f"cards = []\n{HEADER}", "line 1: a deck has title and game, not 'cards'"),
    "p.json": ('[{"questions": ["A?"]},\n}', "p.json, line 2: this is no JSON: Expecting value"),
    "q.json": ("[" * 10**5, "q.json, line 1: this is no JSON: "),
    "r.json": ("9" * 5000, "r.json, line 1: this is no JSON: "),
    "s.json": ('{"title": "A",\n"cards": {}}', "line 2: a deck is a list of cards, or an object"),
    "t.json": ("{}", "line 1: a deck is a list of cards"),
    "u.json": ('[{"category": "Money"},\n7]', "line 2: a card has keys and values, unlike '7'"),
    "v.json": ('{"cards": [],\n "of": 1}', "line 2: a deck has title and game, not 'of'"),
    "p.csv": ("a,b\n1,2\n", "line 1: the first row names the columns: id, questions, category"),
    "q.csv": ("questions,colour\n", "line 1: there is no column 'colour'"),
    "r.csv": ("questions\nA?,B?\n", "r.csv, line 2: 'B?' stands in a column without a name"),
    "s.csv": (
        'questions\n"A?\nB?\n',
        "s.csv, line 2: the question can't hold the control character",
    ),
    "t.csv": ('questions\n"\nA?"\n\nB\u200b?\n', "t.csv, line 5: the question can't hold zero"),
    "p.doc": ("A?", "the name of a deck's file ends in .toml, .txt, .csv or .json"),
    # the deck
    "p.txt": ("# nothing\n", "p.txt, line 1: there is no card in it"),
    "w.toml": ("title = 5\n", "w.toml, line 1: the title is a text, not '5'"),
    "x.toml": ('title = "A"\ngame = "chess"\n', "line 2: there is no game 'chess'"),
    "x.json": ('{"title": "\\u001b",\n"cards": []}', "x.json, line 1: the title can't hold"),
    # a card
    "y.toml": ('[[card]]\ncategory = "Money"\nid = 1.5', "line 1: the id is a text, not '1.5'"),
    "z.toml": (
        f"{HEADER}[[card]]\nquestion = 5",
        "line 3: what stands on a card is id, questions or",
    ),
    "a.toml": ('[[card]]\nquestions = "A?"\n', "line 1: questions are a list of 1 to 3 texts"),
    "q.txt": ("A?|B?|C?|D?\n", "q.txt, line 1: questions are a list of 1 to 3 texts"),
    "r.txt": (f"A?\n{'A' * 1001}\n", "line 2: the question is longer than 1,000 characters"),
    "s.txt": ("A\u200bB?\n", "s.txt, line 1: the question can't hold zero width space"),
    "t.txt": (
        "A?\nchoice: Sports\n",
        "line 2: the category is Current Events, Food & Drink, Money",
    ),
    "b.toml": ("[[card]]\n", "line 1: a card has questions, or as a Pollster's Choice card"),
    "c.toml": (f'{HEADER}category = "Money"\n', "line 1: a card has questions, or"),
    # ids
    "d.toml": (f'{HEADER}id = "2"\n{HEADER}', "line 4: the id '2' is that of the card on line 1"),
    "e.toml": (f'{HEADER}id = "{"A" * 33}"', "e.toml, line 1: the id 'AAAA"),
    # several
    "u.txt": ("A\u200b?\nB?\nC\u200b?\n", "zero width space; look at line 3 too"),
    "v.txt": ("A|B|C|D\n" * 9, "; look at line 2, line 3, line 4, line 5, line 6 and 3 more too"),
}
"""A file of The Poll Game that can't be read, and what is said of it."""

RULE_FAULTS = {
    "A | blue | B": "D16 d.txt, line 1: the colour is green or orange, not 'blue'",
    "A | green": "D16 d.txt, line 1: a rule card has a name, a colour and a text, and this no text",
    "A | green | B | majority=2 | C": "D16 d.txt, line 1: a rule card in a line is: name | colour",
    "A | green | B | rounds=2": "D16 d.txt, line 1: there is no rule 'rounds=2'",
    "A | green | B | majority=x": "D8 d.txt, line 1: the rule majority is 0 to 100, not 'x'",
    "A | green | B | need_one=7": "D12 d.txt, line 1: need_two can't be less than need_one",
}
RULE_TABLES = {
    "overrides = { start = 2 }": "D16 d.toml, line 1: no rule 'start' can be overridden",
    "overrides = { majority = true }": "D8 d.toml, line 1: majority can't be True",
    "overrides = { dice = 0 }": "D5 d.toml, line 1: dice can't be 0; it is 1 to 100",
    "overrides = {}": "D16 d.toml, line 1: overrides is a table of rules with their values",
    "[card.overrides]\nneed_one = 7": "D12 d.toml, line 1: need_two can't be less than need_one",
}
"""What stands on a rule card that can't be, in one line and in TOML."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_line(name: str) -> None:
    """What keeps a file from being a deck is named with the file, the line and what to mend."""
    text, said = FAULTS[name]
    with pytest.raises(Refused) as refused:
        read(name, text)
    assert said in refused.value.text


def test_a_rule_card_is_held_to_the_rules() -> None:
    """A rule card that can't be is refused with its line and the clause it offends."""
    cases = [("d.txt", text, said) for text, said in RULE_FAULTS.items()]
    cases += [("d.toml", f"[[card]]\n{RULE}{text}", said) for text, said in RULE_TABLES.items()]
    for name, text, said in cases:
        with pytest.raises(Refused) as refused:
            read(name, text, "dice")
        assert f"{refused.value.rule} {refused.value.text}".startswith(said)


@pytest.mark.parametrize("quote", ['"""', "'''"])
def test_a_header_in_a_string_begins_no_card(quote: str) -> None:
    """A line of a text that looks like the head of a card is not counted as one."""
    text = (
        f'[[card]]\nid = {quote}\n[[card]]{quote}\ncategory = "Money"\n{HEADER}{HEADER}id = 3.5\n'
    )
    with pytest.raises(Refused, match=r"^p\.toml, line 7: the id is a text"):
        read("p.toml", text)
