"""A round asked for, moment by moment, where none was typed."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import click

from pollctl.game import Field, Moment
from pollctl.hand import dealt
from pollctl.model import Fields, Refused
from pollctl.notation import Typed, read_fields, share_ballots
from pollctl.recording import Draft
from pollctl.session import Session
from pollctl.text import several, shown, width

BACK = ("<", "back")
AGAIN = "again"
WIDEST = 48
"""Columns that the names of a prompt may take."""


class Voice(NamedTuple):
    """How the host is spoken to, and heard."""

    say: Callable[[Moment], None]
    hear: Callable[[str, Moment], str]
    """The line typed after a prompt; raises Abort where the host leaves."""
    tell: Callable[[str], None]
    cue: Callable[[int], None]
    """Count aloud so many seconds."""


class Asked:
    """A round that grows while it is asked for."""

    def __init__(
        self,
        session: Session,
        typed: Typed,
        compose: Callable[[Typed], Draft],
        parse: Callable[[Sequence[str]], Typed],
    ) -> None:
        """Begin with what was typed already.

        `compose` makes the round of what is known, `parse` reads a line as `round add` would; both
        raise Refused.
        """
        self._game, self._session = session.game.opening.game, session
        self._compose, self._parse = compose, parse
        self._typed = {name: list(texts) for name, texts in typed.items() if texts}
        self._ballots: dict[str, Fields] = {}

    @property
    def texts(self) -> Typed:
        """The texts for each field, ballots with names."""
        show = self._game.ballot.show
        ballots = [f"{player}:{show(ballot)}" for player, ballot in self._ballots.items()]
        return {**self._typed, "ballots": ballots}

    @property
    def owing(self) -> Sequence[str]:
        """Who has not voted, in seating order."""
        return [player for player in self._session.game.state.seats if player not in self._ballots]

    def asks(self, moment: Moment) -> bool:
        """Whether something is still to be told in a moment."""
        if moment.needed and self._lacks() != moment.field:
            return False
        return moment.field not in self._typed

    def prompt(self, moment: Moment) -> str:
        """What is asked for in a moment, in a few words."""
        field = self._field(moment)
        if field is None:
            return "Enter counts to three" if moment.seconds else "Enter goes on"
        if field.kind != "ballots":
            return field.ask
        owing, seats = self.owing, self._session.game.state.seats
        names = ", ".join(owing) if owing else f"All again, or {seats[0]}:…"
        names = names if width(names) <= WIDEST else f"{len(owing)} ballots from {owing[0]} on"
        still = 0 < len(owing) < len(seats)
        return f"Still owing: {names}" if still else names

    def take(self, moment: Moment, line: str) -> bool:
        """Take what was typed in a moment; whether the moment is over. Raises Refused."""
        before = dict(self._typed)
        try:
            told = self._read(moment, line)
            if self.owing:
                dealt(self._session, self._fields())
            elif not self._lacks():
                self._compose(self.texts)
        except Refused:
            self._typed = before
            raise
        return not self.owing if moment.field == "ballots" else told

    def begun(self, moment: Moment) -> bool:
        """Whether some ballots are in, and not all."""
        return moment.field == "ballots" and bool(self._ballots)

    def drop(self, moment: Moment) -> None:
        """Forget what was told in a moment."""
        self._typed.pop(moment.field, None)
        if moment.field == "ballots":
            self._ballots.clear()

    def counted(self) -> str:
        """What was counted, once all have voted; empty while the round can't be scored."""
        if self.owing or self._lacks():
            return ""
        outcome = self._compose(self.texts).after.steps[-1].outcome
        return outcome.notes[0].text if outcome and outcome.notes else ""

    def _field(self, moment: Moment) -> Field | None:
        return next((field for field in self._game.fields if field.name == moment.field), None)

    def _lacks(self) -> str:
        """The field without which the round, with every ballot in, can't be scored."""
        if self.owing:
            return ""
        game, given = self._session.game, self._fields()
        fields = self._game.settle({**dealt(self._session, given), **given})
        return self._game.lacks(game.state, game.opening.rules, fields)

    def _fields(self) -> Fields:
        """The fields of what was typed."""
        return read_fields(self._game, self._session.game.state.seats, self.texts)

    def _read(self, moment: Moment, line: str) -> bool:
        """Read a line; whether it was about the moment, and not only about something beside it."""
        field = self._field(moment)
        free = field is not None and field.kind == "text"
        if line.startswith("-") or (not free and " -" in line):
            self._merge(self._parse(_words(line)))
            return moment.field in self._typed
        if field is None:
            self._count(moment, line)
        elif field.kind == "ballots":
            self._vote(line.split())
        elif line:
            lists = field.kind in ("moves", "rulings", "settings")
            texts = {field.name: several(line) if lists else [line]}
            self._merge(texts)
        return True

    def _merge(self, typed: Typed) -> None:
        """Take options, and ballots that stand before them."""
        given = {name: list(texts) for name, texts in typed.items() if texts}
        self._vote(given.pop("ballots", []))
        self._typed.update(given)
        self._fields()

    def _vote(self, texts: Sequence[str]) -> None:
        """Take ballots: of those named, or else of those who owe one, in seating order."""
        if texts:
            seats = self._session.game.state.seats
            new = share_ballots(texts, self._game, seats, self.owing or seats)
            ballots: Mapping[str, Fields] = {**self._ballots, **new}
            self._ballots = {player: ballots[player] for player in seats if player in ballots}

    def _count(self, moment: Moment, line: str) -> None:
        """Take Enter, or that it was done again where that is counted."""
        if line == AGAIN and moment.again:
            count = int(self._typed.get(moment.again, ["0"])[0]) + 1
            self._typed[moment.again] = [str(count)]
            raise Refused("", f"once more, then; {count} counted")
        if line:
            raise Refused("", "nothing is asked here: Enter goes on, help says what can be typed")


def ask_round(asked: Asked, moments: Sequence[Moment], voice: Voice) -> Typed:
    """Ask for a round until it can be recorded; raises Abort when the host leaves.

    An answer of `<` goes back to the question before, or to the first ballot.
    """
    place, before = 0, list[int]()
    while place < len(moments):
        moment = moments[place]
        if not asked.asks(moment):
            place += 1
            continue
        voice.say(moment)
        if _heard(asked, moment, voice):
            before.append(place)
            place += 1
        elif before:
            place = before.pop()
            asked.drop(moments[place])
    return asked.texts


def _heard(asked: Asked, moment: Moment, voice: Voice) -> bool:
    """Hear a moment out; False where the host goes back."""
    over = False
    while not over:
        line = voice.hear(asked.prompt(moment), moment).strip()
        if line in BACK:
            begun = asked.begun(moment)
            asked.drop(moment)
            if begun:
                continue
            return False
        try:
            over = asked.take(moment, line)
        except Refused as error:
            clause = f" ({error.rule})" if error.rule else ""
            voice.tell(f"  {shown(error.text)}{clause}.")
    if moment.field == "ballots" and (counted := asked.counted()):
        voice.tell(f"  {counted}.")
    voice.cue(moment.seconds)
    return True


def _words(line: str) -> list[str]:
    """The words of a line, quoted as in a shell; raises Refused."""
    try:
        return shlex.split(line)
    except ValueError:
        raise Refused("", "a quotation mark has no other half") from None


def hear(prompt: str, _moment: Moment) -> str:
    """Ask on the terminal."""
    answer: str = click.prompt(shown(prompt), default="", show_default=False, err=True)
    return answer


def tell(text: str) -> None:
    """Say something beside the answers."""
    click.echo(text, err=True)
