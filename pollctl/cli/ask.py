"""A round asked for, moment by moment, where none was typed."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from signal import SIGCONT, signal
from typing import NamedTuple, NoReturn

import click

from pollctl.game import Field, Game, Moment
from pollctl.hand import choices, dealt, open_card
from pollctl.model import Fields, Refused
from pollctl.notation import Typed, read_fields, share_ballots
from pollctl.recording import Draft
from pollctl.render.saying import moments_of
from pollctl.render.words import COLUMNS, joined, with_clause
from pollctl.session import Session
from pollctl.text import listing, several, shown, width, wrapped
from pollctl.wording import field_words

BACK = ("<", "back")
AGAIN = "again"
OPTION = ".* -|-"
OPTION_IN_TEXT = "--[a-z]|-[A-Za-z] "
"""How a line looks that holds options of `round add`; where any text is an answer, it begins so."""
NAMELESS = ("text", "word", "number", "settings")
"""The kinds of fields that name no player and count nobody's vote."""
WIDEST = 48
"""Columns that the names of a prompt may take."""


class Voice(NamedTuple):
    """How the host is spoken to, and heard."""

    say: Callable[[Moment], None]
    hear: Callable[[str, Moment], str | None]
    """The line typed after a prompt; None where something else was done meanwhile.

    Raises Abort where the host leaves.
    """
    tell: Callable[[str], None]
    cue: Callable[[int], None]
    """Count aloud so many seconds."""


class Means(NamedTuple):
    """What becomes of what is typed."""

    compose: Callable[[Session, Typed], Draft]
    """The round of the texts for its fields; raises Refused."""
    parse: Callable[[Session, Sequence[str]], Typed]
    """The texts in the words of a line, as `round add` reads it; raises Refused."""
    suits: Callable[[Moment], Moment | None] = lambda moment: moment
    """A moment as it is asked for here; None where it is not."""


class Taken(NamedTuple):
    """What a line was good for."""

    over: bool
    """Whether the moment is over."""
    beside: str
    """What it told about something beside the moment, in words; empty for nothing."""


class Asked:
    """A round that grows while it is asked for."""

    def __init__(self, session: Session, typed: Typed, means: Means) -> None:
        """Begin with what was typed already."""
        self.session = session
        """As the log stands; it may grow meanwhile, as long as the round stays the same one."""
        self._means = means
        self._typed = {name: list(texts) for name, texts in typed.items() if texts}
        self._ballots: dict[str, Fields] = {}

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game.opening.game

    @property
    def texts(self) -> Typed:
        """The texts for each field, ballots with names."""
        show = self.game.ballot.show
        ballots = [f"{player}:{show(ballot)}" for player, ballot in self._ballots.items()]
        return {**self._typed, "ballots": ballots}

    @property
    def lasting(self) -> Typed:
        """The texts that name no player, and so still hold where others play the same round."""
        kinds = {field.name: field.kind for field in self.game.fields}
        return {name: texts for name, texts in self._typed.items() if kinds[name] in NAMELESS}

    @property
    def owing(self) -> Sequence[str]:
        """Who has not voted, in seating order."""
        return [player for player in self.session.game.state.seats if player not in self._ballots]

    @property
    def moments(self) -> Sequence[Moment]:
        """The moments of the round, as it is known by now."""
        found = map(self._means.suits, moments_of(self.session, self._fields()))
        return [moment for moment in found if moment]

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
        if field.kind == "ballots":
            return self._whose(moment)
        if moment.needed:
            return field.ask
        found = self.offered(moment)
        if len(found) > 1:
            numbers = [str(number) for number, _ in enumerate(found, 1)]
            return f"{field.ask}, or {listing(numbers, 'or')} of the card"
        return f"{field.ask}, or Enter for the card's" if found else f"{field.ask}, or Enter"

    def offered(self, moment: Moment) -> Sequence[str]:
        """What stands on the open card for a moment: the texts to choose from, or the only one."""
        card = open_card(self.session)
        brings = self.game.guide().cards.deal(card.fields, self._fields()) if card else {}
        if card is None or moment.field not in brings:
            return ()
        found = choices(self.game, card.fields)
        return found if brings[moment.field] in found else [brings[moment.field]]

    def take(self, moment: Moment, line: str) -> Taken:
        """Take what was typed in a moment; raises Refused."""
        before = dict(self._typed)
        try:
            told = self._read(moment, line)
            if self.owing:
                dealt(self.session, self._fields())
            elif not self._lacks():
                self._means.compose(self.session, self.texts)
        except Refused:
            self._typed = before
            raise
        over = not self.owing if moment.field == "ballots" else told
        return Taken(over, self._beside(moment, before))

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
        outcome = self._means.compose(self.session, self.texts).after.steps[-1].outcome
        return outcome.notes[0].text if outcome and outcome.notes else ""

    def _whose(self, moment: Moment) -> str:
        """Whose ballots are asked for, and how they are typed."""
        owing, seats = self.owing, self.session.game.state.seats
        if not owing:
            return f"All again, or {seats[0]}:…"
        many = f"{len(owing)} ballots from {owing[0]} on"
        if len(owing) == len(seats):
            names = ", ".join(owing)
            hint = moment.hint or self.game.ballot.example
            return f"{names if width(names) <= WIDEST else many}, as {hint}"
        names = f"{listing(owing)} still {'owes' if len(owing) == 1 else 'owe'}"
        return names if width(names) <= WIDEST else many

    def _field(self, moment: Moment) -> Field | None:
        return next((field for field in self.game.fields if field.name == moment.field), None)

    def _lacks(self) -> str:
        """The field without which the round, with every ballot in, can't be scored."""
        if self.owing:
            return ""
        game, given = self.session.game, self._fields()
        fields = self.game.settle({**dealt(self.session, given), **given})
        return self.game.lacks(game.state, game.opening.rules, fields)

    def _fields(self) -> Fields:
        """The fields of what was typed."""
        return read_fields(self.game, self.session.game.state.seats, self.texts)

    def _read(self, moment: Moment, line: str) -> bool:
        """Read a line; whether it was about the moment, and not only about something beside it."""
        field = self._field(moment)
        free = field is not None and field.kind == "text"
        if re.match(OPTION_IN_TEXT if free else OPTION, line):
            self._merge(self._means.parse(self.session, words_of(line)))
            return moment.field in self._typed
        if field is None:
            return self._done(moment, line)
        if field.kind == "ballots":
            self._vote(line.split())
        elif line:
            lists = field.kind in ("moves", "rulings", "settings")
            texts = {field.name: several(line) if lists else [line]}
            self._merge(texts)
        return True

    def _beside(self, moment: Moment, before: Typed) -> str:
        """What is typed by now and was not before, the answer to the moment left out."""
        fields = self._fields()
        return "; ".join(
            f"{field.name.replace('_', ' ')} {field_words(self.game, field, fields[field.name])}"
            for field in self.game.fields
            if field.name != moment.field and self._typed.get(field.name) != before.get(field.name)
        )

    def _merge(self, typed: Typed) -> None:
        """Take options, and ballots that stand before them."""
        given = {name: list(texts) for name, texts in typed.items() if texts}
        self._vote(given.pop("ballots", []))
        self._typed.update(given)
        self._fields()

    def _vote(self, texts: Sequence[str]) -> None:
        """Take ballots: of those named, or else of those who owe one, in seating order."""
        if texts:
            seats = self.session.game.state.seats
            new = share_ballots(texts, self.game, seats, self.owing or seats)
            ballots: Mapping[str, Fields] = {**self._ballots, **new}
            self._ballots = {player: ballots[player] for player in seats if player in ballots}

    def _done(self, moment: Moment, line: str) -> bool:
        """Whether what is to be done is done, or had to be done again, where that is counted."""
        if line == AGAIN and moment.again:
            count = int(self._typed.get(moment.again, ["0"])[0]) + 1
            self._typed[moment.again] = [str(count)]
        elif line:
            raise Refused("", "nothing is asked here: Enter goes on, help says what can be typed")
        return not line


def ask_round(asked: Asked, voice: Voice) -> Typed:
    """Ask for a round until it can be recorded; raises Abort when the host leaves.

    An answer of `<` goes back to the question before, or to the first ballot.
    """
    place, before = 0, list[int]()
    while place < len(asked.moments):
        if not asked.asks(asked.moments[place]):
            place += 1
        elif _heard(asked, place, voice):
            before.append(place)
            place += 1
        elif before:
            place = before.pop()
            asked.drop(asked.moments[place])
    return asked.texts


def _heard(asked: Asked, place: int, voice: Voice) -> bool:
    """Hear a moment out; False where the host goes back."""
    said: Sequence[str] | None = None
    while asked.asks(moment := asked.moments[place]):
        if moment.say != said:
            voice.say(moment)
        said = moment.say
        line = voice.hear(asked.prompt(moment), moment)
        if line in BACK:
            begun = asked.begun(moment)
            asked.drop(moment)
            if not begun:
                return False
        elif line is not None and _took(asked, moment, line, voice):
            break
    if moment.field == "ballots" and (counted := asked.counted()):
        voice.tell(remark(counted))
    voice.cue(moment.seconds)
    return True


def _took(asked: Asked, moment: Moment, line: str, voice: Voice) -> bool:
    """Take a line, or say what is wrong with it; whether the moment is over."""
    try:
        taken = asked.take(moment, line)
    except Refused as error:
        voice.tell(remark(with_clause(error.rule, error.text)))
        return False
    if taken.beside:
        voice.tell(remark(taken.beside))
    return taken.over


def remark(text: str) -> str:
    """A sentence below what was typed."""
    return joined([f"  {text}."])


def words_of(line: str) -> list[str]:
    """The words of a line, quoted as in a shell; raises Refused."""
    try:
        return shlex.split(line)
    except ValueError:
        raise Refused("", "a quotation mark has no other half") from None


class _Continued(Exception):
    """The process was stopped while it waited, and goes on."""


def hear(prompt: str) -> str:
    """A line from the terminal, with arrow keys where there is a library for them; raises Abort.

    The library needs the prompt on standard output; where that is no terminal, it does without.
    Several lines that are pasted at once are one.
    """
    with suppress(ImportError):
        import readline  # noqa: F401
    there = sys.stdout is not None and sys.stdout.isatty()
    while True:
        with suppress(_Continued), _prompting_again():
            line: str = click.prompt(shown(prompt), default="", show_default=False, err=not there)
            return " ".join(line.split("\n")).strip()


@contextmanager
def _prompting_again() -> Iterator[None]:
    """Let who stopped the process, and continues it, find a prompt and the terminal in order."""

    def go_on(*_: object) -> NoReturn:
        raise _Continued

    before = signal(SIGCONT, go_on)
    try:
        yield
    finally:
        signal(SIGCONT, before)


def tell(text: str) -> None:
    """Say something beside the answers, in rows no longer than those of a narrow terminal."""
    columns = get_terminal_size().columns
    if columns < COLUMNS:
        text = "\n".join(wrapped(line, columns, 2) for line in text.split("\n"))
    click.echo(text, err=True)
