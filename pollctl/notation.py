"""What people type: players, ballots, dice, moves, numbers, times. Texts in, values out.

Every function raises Refused, with the clause where there is one and what to type instead.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pollctl.game import Field, Game, Key
from pollctl.model import Fields, Refused
from pollctl.text import brief, check_sentence, fold, listing, normal

_NAMED = r"\s*([^:]*?)\s*:\s*(\S+)\s*"
_NUMBER = "[0-9]{1,9}"
_CHANGE = "[+-][0-9]{1,9}"
_COUNTED = "([0-9])x([0-9]{1,3})"
_CLOCK = "([01]?[0-9]|2[0-3]):([0-5][0-9])"
_ISO = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)


class Unknown(Refused):
    """A name that none of those bears who can be meant."""

    def __init__(self, rule: str, name: str, players: Sequence[str]) -> None:
        """Keep what was typed, and who can be meant."""
        text = f"there is no player {brief(name)}: the players are {listing(players)}"
        super().__init__(rule, text)
        self.name = name
        self.players = players


def find_player(text: str, players: Sequence[str], rule: str) -> str:
    """The player of this name, or the only one whose name begins so, in any case.

    `rule` is the clause a refusal cites; raises Unknown where nobody is called so.
    """
    name = normal(text.strip())
    if name in players:
        return name
    folded = fold(name)
    same = [player for player in players if fold(player) == folded]
    found = same or [player for player in players if folded and fold(player).startswith(folded)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(rule, f"{brief(text)} may be {listing(found, 'or')}: type more of the name")
    raise Unknown(rule, text, players)


def read_number(text: str, what: str, low: int = 0, high: int = 999_999_999) -> int:
    """A whole number from `low` to `high` in plain ASCII digits."""
    if not re.fullmatch(_NUMBER, text) or not low <= int(text) <= high:
        raise Refused("", f"{what} is a plain number, {low} to {high}, not {brief(text)}")
    return int(text)


def read_change(text: str) -> int:
    """`+1` or `-2`, always with its sign."""
    if not re.fullmatch(_CHANGE, text):
        raise Refused("", f"a ruling moves by a number with its sign, +1 or -2, not {brief(text)}")
    return int(text)


def read_scores(texts: Iterable[str], players: Sequence[str], rule: str) -> dict[str, int]:
    """`PLAYER=N` for some of the players, in their order; `rule` is their clause."""
    found: dict[str, int] = {}
    for text in texts:
        name, equals, count = text.partition("=")
        if not equals:
            raise Refused("", f"a score is written PLAYER=N, not {brief(text)}")
        player = find_player(name, players, rule)
        if player in found:
            raise Refused("", f"{player} is given twice")
        found[player] = read_number(count.strip(), f"the score of {player}")
    return {player: found[player] for player in players if player in found}


def read_word(text: str, words: Sequence[str], what: str, rule: str = "") -> str:
    """One of the words, or the only one that begins so, in any case."""
    folded = fold(normal(text.strip()))
    found = [word for word in words if fold(word).startswith(folded)]
    exact = [word for word in words if fold(word) == folded]
    if len(exact or found) != 1:
        raise Refused(rule, f"the {what} is {listing(words, 'or')}, not {brief(text)}")
    return (exact or found)[0]


def read_dice(text: str, rule: str = "") -> str:
    """Faces as they lie, `4445 5531`, or counted, `1x2,3x4`; sorted."""
    text = text.casefold()
    parts = text.replace(",", " ").split()
    faces = "".join(_counted(part, rule) for part in parts) if "x" in text else "".join(parts)
    if not faces or any(face not in "123456" for face in faces):
        wanted = "faces 1 to 6, as in 44455531 or 1x2,3x4"
        raise Refused(rule, f"dice show {wanted}: not {brief(text)}")
    return "".join(sorted(faces))


def _counted(part: str, rule: str) -> str:
    match = re.fullmatch(_COUNTED, part)
    if not match:
        raise Refused(rule, f"counted dice are written FACExCOUNT, as in 1x2: not {brief(part)}")
    return match[1] * int(match[2])


def read_time(text: str, now: datetime) -> datetime:
    """ISO 8601, or HH:MM of today; local time where no offset is given, cut to whole seconds."""
    if match := re.fullmatch(_CLOCK, text):
        return now.replace(hour=int(match[1]), minute=int(match[2]), second=0)
    at = _iso(text) if re.fullmatch(_ISO, text) else None
    if at is None or _offset(at) % 60:
        wanted = "2026-11-30T20:04 or 20:04"
        raise Refused("", f"a time is written {wanted}, not {brief(text)}")
    return at


def _iso(text: str) -> datetime | None:
    """The time, or None for one that no calendar has."""
    try:
        at = datetime.fromisoformat(text).replace(microsecond=0)
        at = at if at.tzinfo else _whole_minutes(at.astimezone())
        at.astimezone(UTC)  # the edge of the calendar lies beyond it
    except (ValueError, OverflowError):
        return None
    return at


def _whole_minutes(at: datetime) -> datetime:
    """The same moment with an offset that the log has room for."""
    return at.astimezone(timezone(timedelta(minutes=round(_offset(at) / 60))))


def _offset(at: datetime) -> float:
    """Seconds east of Greenwich; the log has room for whole minutes."""
    return (at.utcoffset() or timedelta()).total_seconds()


def read_settings(
    texts: Iterable[str], keys: Sequence[Key], rule: str = ""
) -> dict[str, int | str]:
    """`KEY=VALUE` for rule keys, each within its bounds."""
    known = {key.name: key for key in keys}
    settings: dict[str, int | str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or name not in known:
            raise Refused(rule, f"there is no rule {brief(text)}: the keys are {', '.join(known)}")
        if name in settings:
            raise Refused(known[name].rule, f"the rule {name} is given twice")
        settings[name] = _setting(known[name], value)
    return settings


def _setting(key: Key, text: str) -> int | str:
    value = int(text) if re.fullmatch(_NUMBER, text) and not key.words else text
    if not key.allows(value):
        raise Refused(key.rule, f"the rule {key.name} is {key.range}, not {brief(text)}")
    return value


def read_ballots(texts: Sequence[str], game: Game, seats: Sequence[str]) -> list[Fields]:
    """The ballots, in seating order: all with names, `ann:3y`, or one for every seat, `3y4n`.

    With names, some players may be left out.
    """
    rule = ballots_rule(game)
    named = [":" in text for text in texts]
    if any(named) and not all(named):
        raise Refused(rule, "ballots stand all with names, ann:…, or all without, in seating order")
    if any(named):
        return _named_ballots(" ".join(texts), game, seats)
    tokens = list(_tokens(" ".join(texts), game))
    if len(tokens) != len(seats):
        count = f"{len(tokens)} {'ballot is' if len(tokens) == 1 else 'ballots are'} given"
        raise Refused(rule, f"{count} for {len(seats)} players: {', '.join(seats)}, in this order")
    return [
        {"player": player, **game.ballot.read(token)}
        for player, token in zip(seats, tokens, strict=True)
    ]


def share_ballots(
    texts: Sequence[str], game: Game, seats: Sequence[str], owing: Sequence[str]
) -> dict[str, Fields]:
    """Some ballots, by player: those named, `ann:3y`, else of the first who owe one, in order."""
    if any(":" in text for text in texts):
        return {ballot["player"]: ballot for ballot in read_ballots(texts, game, seats)}
    tokens = list(_tokens(" ".join(texts), game))
    if len(tokens) > len(owing):
        few = (
            f"{len(owing)} {'player owes a ballot' if len(owing) == 1 else 'players owe a ballot'}"
        )
        raise Refused(ballots_rule(game), f"{few}, and {len(tokens)} are given")
    return {
        player: {"player": player, **game.ballot.read(token)}
        for player, token in zip(owing, tokens, strict=False)
    }


def ballots_rule(game: Game) -> str:
    """The clause about the game's ballots."""
    return next(field.rule for field in game.fields if field.kind == "ballots")


def _named_ballots(text: str, game: Game, seats: Sequence[str]) -> list[Fields]:
    rule, named, place = ballots_rule(game), re.compile(_NAMED), 0
    ballots: dict[str, Fields] = {}
    while place < len(text):
        match = named.match(text, place)
        if not match:
            raise Refused(rule, f"{brief(text[place:])} is no ballot: PLAYER:{game.ballot.example}")
        player = find_player(match[1], seats, game.seats_rule)
        if ":" in match[2]:
            raise Refused(rule, f"no ballot stands after {player}:")
        if player in ballots:
            raise Refused(rule, f"{player} has two ballots")
        ballots[player] = {"player": player, **game.ballot.read(match[2])}
        place = match.end()
    return [ballots[player] for player in seats if player in ballots]


def _tokens(text: str, game: Game) -> Iterable[str]:
    """Ballots that stand close together or apart."""
    pattern = re.compile(game.ballot.pattern, re.IGNORECASE | re.ASCII)
    for chunk in text.replace(",", " ").split():
        place = 0
        while place < len(chunk):
            match = pattern.match(chunk, place)
            if not match:
                game.ballot.read(chunk[place:])
                raise Refused(ballots_rule(game), f"{brief(chunk[place:])} is no ballot")
            yield match[0]
            place = match.end()


def read_move(text: str, field: Field, game: Game, seats: Sequence[str]) -> Fields:
    """`PLAYER=chip`: a player and one of the field's words."""
    name, equals, word = text.partition("=")
    if not equals:
        wanted = f"PLAYER={field.words[0]}"
        raise Refused(field.rule, f"a {field.option} is written {wanted}, not {brief(text)}")
    player = find_player(name, seats, game.seats_rule)
    return {"player": player, "kind": read_word(word, field.words, field.option, field.rule)}


def read_ruling(text: str, game: Game, seats: Sequence[str], reason: str | None = None) -> Fields:
    """`PLAYER=+1:REASON`, or without the reason where it is given beside it."""
    name, equals, rest = text.partition("=")
    if not equals:
        raise Refused("", f"a ruling is written PLAYER=+1 or PLAYER=-2, not {brief(text)}")
    change, colon, said = rest.partition(":")
    if bool(colon) == (reason is not None):
        wanted = "one reason, not two" if colon else "a reason, as in PLAYER=+1:why"
        raise Refused("", f"a ruling needs {wanted}")
    player = find_player(name, seats, game.seats_rule)
    sentence = check_sentence((reason or said).strip(), "reason")
    return {"player": player, "change": read_change(change.strip()), "reason": sentence}


Typed = Mapping[str, Sequence[str]]
"""The texts given for each field; a field that may be given once has at most one."""

_Reader = Callable[[Sequence[str], Field, Game, Sequence[str]], Any]


def read_fields(game: Game, seats: Sequence[str], typed: Typed) -> dict[str, Any]:
    """The fields of a round, in the order in which they are written."""
    fields = {}
    for field in game.fields:
        texts = typed.get(field.name, ())
        if texts:
            if field.kind in _ONCE and len(texts) > 1:
                raise Refused(
                    field.rule, f"{field.flag} is given {len(texts)} times, and goes once"
                )
            fields[field.name] = _READERS[field.kind](texts, field, game, seats)
    return fields


_ONCE = ("text", "word", "player", "number", "dice")

_READERS: Mapping[str, _Reader] = {
    "text": lambda texts, field, _game, _seats: check_sentence(
        texts[0], field.name.replace("_", " ")
    ),
    "word": lambda texts, field, _game, _seats: read_word(
        texts[0], field.words, field.name, field.rule
    ),
    "player": lambda texts, field, _game, seats: find_player(texts[0], seats, field.rule),
    "number": lambda texts, field, _game, _seats: read_number(
        texts[0], field.flag, high=field.high
    ),
    "dice": lambda texts, field, _game, _seats: read_dice(texts[0], field.rule),
    "ballots": lambda texts, _field, game, seats: read_ballots(texts, game, seats),
    "moves": lambda texts, field, game, seats: [
        read_move(text, field, game, seats) for text in texts
    ],
    "rulings": lambda texts, _field, game, seats: [
        read_ruling(text, game, seats) for text in texts
    ],
    "settings": lambda texts, field, game, _seats: read_settings(
        texts, [key for key in game.keys if key.overridable], field.rule
    ),
}
