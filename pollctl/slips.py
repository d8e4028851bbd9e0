"""What may have gone wrong while a round was recorded: every slip in one of the game's fields."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.game import Field, Game, misfits
from pollctl.model import Fields, Refused, Round, Step
from pollctl.wording import as_typed, field_words


class Line(NamedTuple):
    """A command line: `round amend`, and what is typed after it."""

    command: str
    rest: tuple[str, ...]


class Said(NamedTuple):
    """A sentence in three parts: `Ann's card was`, `2`, `, not 4`."""

    head: str
    value: str
    """What it is said to have been; the only part that differs between slips told together."""
    tail: str = ""


class Slip(NamedTuple):
    """A field of a round as it should have been recorded."""

    field: Field
    value: Any
    """What it should hold; None, or empty, where it should not be there."""
    whose: tuple[str, ...]
    """What in it was misread, and whose: slips of a round with the same are one mistake."""
    rate: float
    """How often it happens, beside other slips that can happen to the same round."""
    said: Said


CARELESS = 2.0
"""The rate of what is likeliest to be misread in a ballot; of the next things less and less."""
SWAPPED = 0.3
"""Of two neighbours' ballots, each written down for the other."""
UNHEARD, RARE = 6.0, 0.03
"""Of a penalty of some kind that was not written down, for each that this table has a player and
round; of those, at least so many."""
MISHEARD = 1.5
"""Of a penalty that was written down and should not be."""
MISTAKEN = 2.0
"""Of what is said of one player to be true of another, whichever, or of nobody."""
MISSED = 1.5
"""Of something that somebody took, whoever, and that was not written down."""
BLURRED = 0.3
"""Of a die of a certain face read as another."""
REVERSED, MISRULED = 1.0, 0.5
"""Of a ruling the other way; of one that is wrong in some other way, and of a rule of the round."""


class _Case(NamedTuple):
    """A field of a round, in which a slip may have been made."""

    game: Game
    step: Step
    field: Field
    common: float
    """How many entries the field has in this session, for each player and round."""

    @property
    def given(self) -> Any:
        """What was recorded; None where nothing was."""
        return self.step.round.fields.get(self.field.name)

    @property
    def seats(self) -> tuple[str, ...]:
        """Who was seated."""
        return self.step.before.seats

    def slip(self, value: Any, whose: Sequence[str], rate: float, said: Said) -> Slip:
        """The slip of which this is the truth."""
        return Slip(self.field, value, (self.field.name, *whose), rate, said)


def slips(game: Game, steps: Sequence[Step]) -> Iterator[tuple[Round, Slip]]:
    """Every slip that may have been made in these rounds; not all of them are lawful.

    A round that is passed over is one of them where its fields can be read.
    """
    fields = [field for field in game.fields if field.kind in _KINDS]
    common = {field.name: _common(field, steps) for field in fields}
    for step in (step for step in steps if step.outcome or _legible(game, step)):
        for field in fields:
            case = _Case(game, step, field, common[field.name])
            for slip in _KINDS[field.kind](case):
                yield step.round, slip


def _legible(game: Game, step: Step) -> bool:
    """Whether the fields of a round have the form that the game can be asked about."""
    fields, (read, show) = step.round.fields, (game.ballot.read, game.ballot.show)
    if any(True for _ in misfits(game, step.before.seats, fields)):
        return False
    try:
        return all({**each, **read(show(each))} == each for each in fields["ballots"])
    except Refused:
        return False


def _common(field: Field, steps: Sequence[Step]) -> float:
    entries = sum(len(step.round.fields.get(field.name, ())) for step in steps if step.outcome)
    return entries / max(1, sum(len(step.before.seats) for step in steps))


def mended(each: Round, slip: Slip) -> Round:
    """The round without this slip."""
    fields = {name: value for name, value in each.fields.items() if name != slip.field.name}
    if slip.value:
        fields[slip.field.name] = slip.value
    return each._replace(fields=fields)


def mending(game: Game, each: Round, slip: Slip) -> Line:
    """The command that takes a slip back."""
    field, number = slip.field, str(each.number)
    if not slip.value:
        return line("round amend", number, options=("--clear", field.name))
    now, texts = each.fields.get(field.name, ()), as_typed(game, field, slip.value)
    if field.kind == "ballots":
        changed = [text for text in texts if text not in as_typed(game, field, now)]
        return line("round amend", number, *changed)
    if field.name == "penalties" and list(slip.value[:-1]) == list(now):
        return line("penalty", texts[-1], options=("--round", number))
    flag = f"-{field.short}" if field.short else field.flag
    return line("round amend", number, options=[word for text in texts for word in (flag, text)])


def line(command: str, *arguments: str, options: Sequence[str] = ()) -> Line:
    """A command line, in which no player is taken for an option."""
    if any(argument.startswith("-") for argument in arguments):
        return Line(command, (*options, "--", *arguments))
    return Line(command, (*arguments, *options))


def _ballots(case: _Case) -> Iterator[Slip]:
    """One ballot misread, or those of two neighbours exchanged."""
    ballots = case.given
    for place, ballot in enumerate(ballots):
        for other, changed, rate in _misread(case.game, ballot):
            value = [*ballots[:place], other, *ballots[place + 1 :]]
            said = _said(case.game, ballot, other, changed)
            yield case.slip(value, (ballot["player"], *changed), rate, said)
    yield from _exchanged(case)


def _misread(game: Game, ballot: Fields) -> Iterator[tuple[Fields, tuple[str, ...], float]]:
    """Every slip in a ballot, with the names of what is misread and how often that happens."""
    kinds: dict[tuple[str, ...], list[Fields]] = {}
    for other in game.guide().slips(ballot):
        changed = tuple(name for name in ballot if ballot[name] != other.get(name))
        if changed:
            kinds.setdefault(changed, []).append(other)
    for place, (changed, others) in enumerate(kinds.items()):
        shares = [1 / (rank + 2) for rank in range(len(others))]
        for other, share in zip(others, shares, strict=True):
            yield other, changed, CARELESS / (1 + place / 2) * share / sum(shares)


def _said(game: Game, ballot: Fields, other: Fields, changed: Sequence[str]) -> Said:
    """What differs between two ballots of a player."""
    player, show = ballot["player"], game.ballot.show
    name = changed[0]
    if len(changed) == 1 and name in other:
        return Said(f"{player}'s {name} was", str(other[name]), f", not {ballot[name]}")
    return Said(f"{player}'s ballot was", show(other), f", not {show(ballot)}")


def _exchanged(case: _Case) -> Iterator[Slip]:
    """The ballots of two who sit side by side, each written down for the other."""
    ballots = case.given
    for place in range(len(ballots) if len(ballots) > 2 else 1):  # noqa: PLR2004 - one pair
        after = (place + 1) % len(ballots)
        one, two = ballots[place]["player"], ballots[after]["player"]
        value = list(ballots)
        value[place] = {**ballots[after], "player": one}
        value[after] = {**ballots[place], "player": two}
        said = Said(f"{one}'s and {two}'s ballots were", "exchanged")
        yield case.slip(value, ("exchanged", one, two), SWAPPED, said)


def _moves(case: _Case) -> Iterator[Slip]:
    """A penalty forgotten, or one that was another's, for something else, or none."""
    given = list(case.given or ())
    for player in case.seats if case.step.outcome else ():
        for word in case.field.words:
            said = Said(f"a {case.field.option} of {player}'s was forgotten:", word)
            value = [*given, {"player": player, "kind": word}]
            rate = UNHEARD * max(case.common, RARE)
            yield case.slip(value, ("forgotten", player), rate, said)
    for place, move in enumerate(given):
        head = f"{move['player']}'s {move['kind']} {case.field.option} was"
        others = [({**move, "player": each}, f"{each}'s") for each in case.seats]
        others += [({**move, "kind": each}, f"for {each}") for each in case.field.words]
        rate = MISTAKEN / len(others)
        found = [([], MISHEARD, "none"), *(([each], rate, text) for each, text in others)]
        yield from _in_list(case, given, place, head, found)


def _in_list(
    case: _Case,
    given: Sequence[Fields],
    place: int,
    head: str,
    found: Sequence[tuple[Sequence[Fields], float, str]],
) -> Iterator[Slip]:
    """Something else, or nothing, in one place of a list."""
    for new, rate, text in found:
        if list(new) != [given[place]]:
            value = [*given[:place], *new, *given[place + 1 :]]
            yield case.slip(value, (str(place),), rate, Said(head, text))


def _holders(case: _Case) -> Iterator[Slip]:
    """Something somebody else took, or nobody; whose turn it is moves no score."""
    now, name = case.given, case.field.name
    if name != case.game.role:
        head, tail = f"the {name.replace('_', ' ')} was", f", not {now}'s" if now else ""
        for other in (None, *case.seats):
            if other != now:
                said = Said(head, f"{other}'s" if other else "nobody's", tail)
                rate = (MISTAKEN if now else MISSED) / len(case.seats)
                yield case.slip(other, (), rate, said)


def _dice(case: _Case) -> Iterator[Slip]:
    """One die misread."""
    dice = case.given or ""
    for old in sorted(set(dice)):
        for new in "123456":
            if new != old:
                value = "".join(sorted(dice.replace(old, new, 1)))
                said = Said("a die was misread:", f"{old} → {new}")
                yield case.slip(value, (), BLURRED, said)


def _rulings(case: _Case) -> Iterator[Slip]:
    """A ruling that was none, went the other way or to another player, or by one too far."""
    given = list(case.given or ())
    for place, ruling in enumerate(given):
        change = ruling["change"]
        sizes = [each for each in (change - 1, change + 1) if each]
        found = [
            ([], MISRULED, "none"),
            ([{**ruling, "change": -change}], REVERSED, f"{-change:+d}"),
            *(([{**ruling, "change": each}], MISRULED, f"{each:+d}") for each in sizes),
            *(([{**ruling, "player": each}], MISRULED, f"{each}'s") for each in case.seats),
        ]
        head = f"{ruling['player']}'s ruling of {change:+d} was"
        yield from _in_list(case, given, place, head, found)


def _settings(case: _Case) -> Iterator[Slip]:
    """Rules of this round that did not hold, one of them or all."""
    given = case.given or {}
    head = f"the {case.field.name} ({field_words(case.game, case.field, given)}) were"
    if given:
        yield case.slip(None, (), MISRULED, Said(head, "none"))
    for key in given if len(given) > 1 else ():
        value = {name: setting for name, setting in given.items() if name != key}
        yield case.slip(value, (), MISRULED, Said(head, f"without {key}"))


_KINDS: Mapping[str, Callable[[_Case], Iterator[Slip]]] = {
    "ballots": _ballots,
    "moves": _moves,
    "player": _holders,
    "dice": _dice,
    "rulings": _rulings,
    "settings": _settings,
}
