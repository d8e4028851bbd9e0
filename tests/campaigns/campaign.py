"""What a campaign is: cases, each held to a law, and what came of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Broken(Exception):
    """A promise that was not kept."""


class Skipped(Exception):
    """Why a campaign, or a case of it, can't be run here."""


class Case(NamedTuple):
    """One thing that is done to a session."""

    name: str
    """What is done, so that it can be found again."""
    run: Callable[[], str]
    """Do it, and say in a word or two what came of it; raises Broken, or Skipped."""
    size: int = 1
    """How many cases this counts for."""


class Plan(NamedTuple):
    """How much is done, and from which seed."""

    seed: int
    long: bool

    def pick(self, short: int, long: int) -> int:
        """A number for the form that runs."""
        return long if self.long else short

    def rng(self, *place: object) -> random.Random:
        """Random numbers of one place: the same with every run of a seed."""
        return random.Random(f"{self.seed}/{place}")


class Campaign(NamedTuple):
    """Cases of one kind, and what they prove."""

    name: str
    promise: str
    """In a sentence."""
    cases: Callable[[Plan], Iterator[Case]]
    shares: int = 2
    """How many processes divide the cases among them."""
    short: bool = True
    """Whether it has a short form."""


def demand(kept: object, text: str) -> None:
    """Raise Broken with this text unless the promise is kept."""
    if not kept:
        raise Broken(text)
