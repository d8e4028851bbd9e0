"""The Poll Game's cards: one to three questions, or a category to make one up in (P5)."""

from collections.abc import Iterator, Mapping, Sequence

from pollctl.game import Cards, Field
from pollctl.model import Fault, Fields
from pollctl.text import several

QUESTIONS = Field("questions", "texts", "what can be asked", "P5", option="question", high=3)
CHOICE = "choice:"


def check(card: Fields) -> Iterator[Fault]:
    """Questions or a category, one or the other."""
    if ("questions" in card) == ("category" in card):
        yield Fault("P5", "a card has questions, or as a Pollster's Choice card a category")


def read(line: str) -> Mapping[str, Sequence[str]]:
    """`Do you sing? | Do you dance?`, or `choice: Money`."""
    if line.casefold().startswith(CHOICE):
        return {"category": [line[len(CHOICE) :].strip()]}
    return {"questions": several(line, "|")}


def deal(card: Fields, given: Fields) -> Fields:
    """Source and question, or source and category, for which the pollster makes a question up."""
    brings = {"source": "card"}
    if "category" in card:
        brings = {"source": "choice", "category": card["category"]}
    elif questions := card.get("questions"):
        brings["question"] = questions[0]
    return {} if {"source", "category", *brings} & given.keys() else brings


def show(card: Fields) -> Iterator[str]:
    """The question, the questions with their numbers, or the category."""
    questions = card.get("questions", ())
    if "category" in card:
        yield f"Pollster's Choice: {card['category']}"
        yield "Make up a question about that, to be answered Yes or No."
    elif len(questions) == 1:
        yield f"“{questions[0]}”"
    else:
        yield from (f"{number}. “{each}”" for number, each in enumerate(questions, 1))


CARDS = Cards("question cards", (QUESTIONS, "category"), check, read, deal, show)
