"""The contract a game fills in: its keys, clauses, fields and pure functions, as one value."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.model import Award, Fault, Fields, Outcome, Rules, State


class Clause(NamedTuple):
    """A sentence of a rulebook and how it is read here; a page of pollctl-rules(7)."""

    id: str
    title: str
    printed: str
    """What the rulebook says, in other words; empty where it is silent."""
    reading: str
    """What the print leaves open, decided."""


class Key(NamedTuple):
    """A house rule: a name with the values it may take."""

    name: str
    default: int | str
    rule: str
    """Id of the clause it belongs to."""
    text: str
    low: int = 0
    high: int = 100
    words: tuple[str, ...] = ()
    """The values of a key that is no number; empty for a number from `low` to `high`."""
    aloud: bool = False
    """Whether `new` says its value, because a box may differ."""
    overridable: bool = True
    """Whether a rule card may set it for one round."""

    def allows(self, value: object) -> bool:
        """Whether the key may have this value."""
        if self.words:
            return value in self.words
        return type(value) is int and self.low <= value <= self.high

    @property
    def range(self) -> str:
        """Its values in words: `0 to 100`, `before-count or after-count`."""
        return " or ".join(self.words) if self.words else f"{self.low} to {self.high}"


class Field(NamedTuple):
    """A field of a round: how it is named in the log and typed on the command line."""

    name: str
    """In the event, `large_stick`; the option is `--large-stick` unless `option` says otherwise."""
    kind: str
    """`text`, `word`, `player`, `number`, `dice`, `ballots`, `moves`, `rulings` or `settings`.

    On a card also `texts`, of which the host chooses one.
    """
    text: str
    """Its help, in half a sentence."""
    rule: str
    """Id of the clause it belongs to."""
    option: str = ""
    short: str = ""
    words: tuple[str, ...] = ()
    """What a `word` or the kind of a `moves` entry may be."""
    high: int = 100
    """The largest `number`, the smallest is 0; the most `texts`, the fewest are 1."""
    ask: str = ""
    """The question for it where a round is asked for; empty for what no moment asks for."""

    @property
    def flag(self) -> str:
        """The long option."""
        return f"--{self.option or self.name.replace('_', '-')}"


class BallotForm(NamedTuple):
    """How one ballot is typed."""

    pattern: str
    """A regular expression for one ballot without its player, groups unnamed and not capturing."""
    read: Callable[[str], Fields]
    """The ballot's fields from its text; raises Refused."""
    show: Callable[[Fields], str]
    """The text `read` takes, from its fields."""
    text: str
    """What a ballot is, in half a sentence."""
    example: str


class Moment(NamedTuple):
    """A moment of a round: what the host says, and what the host is told then."""

    say: tuple[str, ...]
    field: str = ""
    """Name of the round's field that is told then; empty where none is."""
    needed: bool = False
    """Whether it is told only where the round can't be scored without it (`Game.lacks`)."""
    seconds: int = 0
    """What is counted aloud after that, a number a second."""
    again: str = ""
    """Name of the field that counts how often what is done here was done once more."""
    hint: str = ""
    """How it is typed, in a question: `3y 4n`."""


class Board(NamedTuple):
    """What stands on the table between rounds."""

    goal: int = 0
    """Spaces from Start to the centre of a race; 0 where scores are piles of tokens."""
    paths: int = 1
    """How many paths lead there; the seats are spread over them in seating order."""
    tokens: tuple[int, ...] = (1,)
    """What the tokens of a pile count, the largest first and 1 last."""

    def path(self, seat: int, seats: int) -> int:
        """The path, from 1, on which a seat (from 0) of so many stands."""
        return seat * self.paths // seats + 1


class Cards(NamedTuple):
    """The cards of a game's decks: what stands on one, and what it brings to a round."""

    title: str
    """What a deck of them holds: `question cards`."""
    fields: tuple[Field | str, ...]
    """What may stand on one, in order: a field of the round by its name, or one of its own.

    Of the kinds `text`, `word` and `settings`, and at most one `texts`.
    """
    check: Callable[[Fields], Iterator[Fault]]
    """What a card lacks, or can't have together; each field for itself is in order."""
    read: Callable[[str], Mapping[str, Sequence[str]]]
    """The texts of the fields of a card that is written in one line."""
    deal: Callable[[Fields, Fields], Fields]
    """What a card brings to a round of which some fields are known, the first of several texts.

    Nothing, where those say that the round is about something else.
    """
    show: Callable[[Fields], Iterator[str]]
    """What stands on a card, line by line, as it is read out."""


class Guide(NamedTuple):
    """What a game says and shows beside its score; loaded only where it is asked for."""

    clauses: tuple[Clause, ...]
    setup: Callable[[State, Rules], tuple[str, ...]]
    """What the host says before the first round: what everybody takes, and how one wins."""
    moments: Callable[[State, Rules, str], tuple[Moment, ...]]
    """The moments of the next round, of the player whose turn it is, in order."""
    board: Callable[[Rules], Board]
    slips: Callable[[Fields], Iterator[Fields]]
    """The other ballots that one slip of hand or eye makes of a ballot, the likeliest first."""
    cards: Cards


class Game(NamedTuple):
    """A whole game: what else is needed is computed from this value."""

    id: str
    title: str
    seats: tuple[int, int]
    """The fewest and the most players."""
    role: str
    """The field that holds whose turn it is: `pollster`, `chairperson`."""
    step: int
    """How the role passes: +1 to the next clockwise, -1 to the previous."""
    unit: str
    """What a score counts: `spaces`, `Popularity`."""
    keys: tuple[Key, ...]
    fields: tuple[Field, ...]
    """In the order in which they are written."""
    ballot: BallotForm
    seats_rule: str
    leave_rule: str
    """Id of the clause about seats that change in the middle of a game."""
    over_rule: str
    turn_rule: str
    guide: Callable[[], Guide]
    begin: Callable[[Rules, tuple[str, ...], Mapping[str, int]], State]
    """The opening state, from the rules, the players and the scores some of them start with."""
    oppose: Callable[[Rules, State], Iterator[Fault]]
    """What keeps these rules from working together, or with this beginning."""
    settle: Callable[[Fields], Fields]
    """What the fields of a round mean: the ones that follow from others added."""
    forbid: Callable[[State, Rules, Fields], Iterator[Fault]]
    """What makes a well-formed round unlawful where it stands."""
    doubt: Callable[[State, Rules, Fields], Iterator[Fault]]
    """What is lawful in a round and probably a slip."""
    lacks: Callable[[State, Rules, Fields], str]
    """The name of a field without which the round can't be scored; empty where it can."""
    score: Callable[[State, Rules, Fields], Outcome]
    """What a lawful round brings."""


NOTE = Field("note", "text", "a remark, kept with the round", "")


def read_clauses(text: str) -> tuple[Clause, ...]:
    """Clauses from paragraphs: `ID title | what is printed`, and the reading below it."""
    clauses = []
    for paragraph in text.strip().split("\n\n"):
        head, _, reading = paragraph.partition("\n")
        name, _, printed = head.partition(" | ")
        number, _, title = name.partition(" ")
        clauses.append(Clause(number, title, printed, reading.replace("\n", " ")))
    return tuple(clauses)


def card_fields(game: Game) -> dict[str, Field]:
    """What may stand on a card of the game, by name."""
    known = {field.name: field for field in game.fields}
    fields = [known[each] if isinstance(each, str) else each for each in game.guide().cards.fields]
    return {field.name: field for field in fields}


def rulings(rule: str) -> Field:
    """The rulings of a round, under the game's clause for them."""
    return Field("rulings", "rulings", "a ruling, with its reason", rule, option="ruling")


def defaults(game: Game) -> dict[str, int | str]:
    """Every key of the game with its default."""
    return {key.name: key.default for key in game.keys}


def in_order(game: Game, fields: Fields) -> dict[str, Any]:
    """The fields of a round in the order in which they are written."""
    return {field.name: fields[field.name] for field in game.fields if field.name in fields}


class Tally:
    """The scores while a round is counted: every move is cut at the bounds and kept as an award."""

    def __init__(self, scores: Mapping[str, int], top: int | None = None) -> None:
        """Begin with these scores; none falls below 0 or, where there is a top, passes it."""
        self.scores = dict(scores)
        self.awards: list[Award] = []
        self._top = top

    def move(self, player: str, change: int, rule: str, text: str) -> None:
        """Move one player under a clause."""
        before = self.scores[player]
        after = max(0, before + change)
        if self._top is not None and after > self._top:
            after = self._top
        self.scores[player] = after
        self.awards.append(Award(player, rule, after - before, before, after, text))

    def rule(self, rulings: Iterable[Fields], rule: str) -> None:
        """Apply rulings, one after the other as recorded."""
        for each in rulings:
            self.move(each["player"], each["change"], rule, f"ruling: {each['reason']}")


def misfits(game: Game, seats: tuple[str, ...], fields: Fields) -> Iterator[Fault]:
    """Fields that do not have the form of their kind, so that the game can't be asked about them.

    Lists are taken to be lists of tables, which the codec sees to. A field the game does not know
    is no misfit: it is kept and not used.
    """
    if [ballot.get("player") for ballot in fields["ballots"]] != list(seats):
        yield _ballots_fault(game, seats, fields)
    for field in game.fields:
        value = fields.get(field.name)
        if value is not None and not _FITS[field.kind](value, field, seats):
            yield Fault(field.rule, f"{field.name} can't be {value!r}")


def check_settings(game: Game, settings: Fields, rule: str) -> Iterator[Fault]:
    """Keys that a rule card can't override, under the clause for cards, or not so."""
    keys = {key.name: key for key in game.keys if key.overridable}
    for name, value in settings.items():
        key = keys.get(name)
        if key is None:
            yield Fault(rule, f"no rule {name!r} can be overridden; there are {', '.join(keys)}")
        elif not key.allows(value):
            yield Fault(key.rule, f"{name} can't be {value}; it is {key.range}")


def _ballots_fault(game: Game, seats: tuple[str, ...], fields: Fields) -> Fault:
    """Say who is missing from the ballots, doubled, or not seated."""
    names = [str(ballot.get("player")) for ballot in fields["ballots"]]
    missing = [name for name in seats if name not in names]
    strange = [name for name in names if name not in seats]
    rule = next(field.rule for field in game.fields if field.name == "ballots")
    if missing:
        return Fault(rule, f"no ballot of {', '.join(missing)}: every seated player gives one")
    if strange:
        return Fault(rule, f"{', '.join(strange)} can't vote: not seated in this round")
    return Fault(rule, "the ballots are not one for each player, in seating order")


def _fits_moves(value: Iterable[Fields], field: Field, seats: tuple[str, ...]) -> bool:
    return all(each.get("player") in seats and each.get("kind") in field.words for each in value)


def _fits_rulings(value: Iterable[Fields], _field: Field, seats: tuple[str, ...]) -> bool:
    return all(
        each.get("player") in seats
        and type(each.get("change")) is int
        and type(each.get("reason")) is str
        for each in value
    )


_FITS: Mapping[str, Callable[[Any, Field, tuple[str, ...]], bool]] = {
    "text": lambda value, _field, _seats: type(value) is str,
    "word": lambda value, field, _seats: value in field.words,
    "player": lambda value, _field, seats: value in seats,
    "number": lambda value, field, _seats: type(value) is int and 0 <= value <= field.high,
    "dice": lambda value, _field, _seats: type(value) is str and value.isascii(),
    "ballots": lambda _value, _field, _seats: True,
    "moves": _fits_moves,
    "rulings": _fits_rulings,
    "settings": lambda value, _field, _seats: type(value) is dict,
}
