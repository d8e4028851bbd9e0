"""What can be typed next: the values a shell offers, from the games and the session at hand.

Each function is asked for by its name when somebody presses Tab (`offers` in `desk`). None writes
or warns, and a session that can't be read offers nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from pollctl import store
from pollctl.game import Game, Key
from pollctl.games import catalogue, find
from pollctl.hand import choices, hand
from pollctl.model import Event, Refused, Round
from pollctl.notation import find_player
from pollctl.replay import Opening
from pollctl.session import Session, load
from pollctl.text import fold, shown
from pollctl.wording import event_words, round_name

Items = list[CompletionItem[str]]

UNFINISHED = "open"
"""The type of an item that something is typed onto: no blank follows it."""


class Asked(NamedTuple):
    """What is asked: a word begun, where it stands on the line, and the session."""

    ctx: click.Context
    """The command, with what was given to it so far."""
    word: str
    param: str
    """Name of the parameter whose value it begins."""
    field: str
    """Name of the round's field it is for; empty where it is for none."""
    session: Callable[[], Session | None]
    """The session, as far as its last good seal; None where there is none to read."""

    @property
    def line(self) -> Mapping[str, Any]:
        """The parameters given so far; click leaves arguments unread if an option is unfinished."""
        line, rest = dict(self.ctx.params), list(self.ctx.args)
        for param in self.ctx.command.params:
            if isinstance(param, click.Argument) and rest:
                line[str(param.name)] = rest if param.nargs == -1 else rest.pop(0)
        return line

    @property
    def before(self) -> Sequence[str]:
        """What was given for the same parameter already, if it repeats."""
        return self.line.get(self.param) or ()

    @property
    def games(self) -> Sequence[Game]:
        """The session's game; all of them where there is no session to ask."""
        session = self.session()
        return [session.game.opening.game] if session else list(catalogue().values())

    @property
    def seats(self) -> tuple[str, ...]:
        """Who is seated, or was in the round that the line is about."""
        session = self.session()
        if session is None:
            return ()
        about, line = session.game.steps[-1:], self.line
        if line.get("number") is not None:
            number = str(line["number"])
            about = tuple(s for s in session.game.steps if str(s.round.number) == number)
        return about[0].before.seats if about and "number" in line else session.game.state.seats


def ask(ctx: click.Context, param: str, field: str, word: str, place: Callable[[], str]) -> Asked:
    """What click asks; `place` gives the path of the session, or raises UsageError."""
    return Asked(ctx, word, param, field, cache(lambda: _load(place)))


def files(asked: Asked) -> Items:
    """Files, which the shell knows best."""
    return [CompletionItem(asked.word, "file")]


def formats(asked: Asked) -> Items:
    """The formats of a table."""
    from pollctl.render.tables import FORMATS

    return _offer(asked, dict.fromkeys(FORMATS, ""))


def games(asked: Asked) -> Items:
    """The games there are."""
    return _offer(asked, {game.id: game.title for game in catalogue().values()})


def players(asked: Asked) -> Items:
    """Everyone seated."""
    return _offer(asked, dict.fromkeys(asked.seats, ""))


def everybody(asked: Asked) -> Items:
    """Everyone who played, seated or not."""
    session = asked.session()
    return _offer(asked, dict.fromkeys(session.game.players, "")) if session else []


def absent(asked: Asked) -> Items:
    """Everyone who played and left."""
    session = asked.session()
    if session is None:
        return []
    seats = session.game.state.seats
    return _offer(asked, dict.fromkeys((p for p in session.game.players if p not in seats), ""))


def scores(asked: Asked) -> Items:
    """The players whose score is not given yet, with an equals sign."""
    session = asked.session()
    given = {_player(text.partition("=")[0], asked.seats) for text in asked.before}
    left = [p for p in session.game.players if p not in given] if session else []
    return _offer(asked, {f"{player}=": "" for player in left}, UNFINISHED)


def disputes(asked: Asked) -> Items:
    """The entries of the disputes that are open, the latest first."""
    session = asked.session()
    if session is None:
        return []
    open_ = reversed(session.game.history.disputes)
    return _offer(asked, {str(event.seq): _told(session, event) for event in open_})


def picks(asked: Asked) -> Items:
    """What can be chosen from on the card that is open, by number."""
    session = asked.session()
    draws = hand(session)[:1] if session else ()
    texts = [text for draw in draws for text in choices(asked.games[0], draw.fields)]
    return _offer(asked, {str(number): text for number, text in enumerate(texts, 1)})


def disputed(asked: Asked) -> Items:
    """A player, then what may be disputed: a move of the game, or the sign of a ruling."""
    return [*moves(asked), *rulings(asked)] if "=" in asked.word else rulings(asked)


def first(asked: Asked) -> Items:
    """Who may begin a new session."""
    return _offer(asked, {**dict.fromkeys(_seated(asked), ""), "random": "let chance choose"})


def starts(asked: Asked) -> Items:
    """The players of a new session, with an equals sign."""
    return _offer(asked, {f"{player}=": "" for player in _seated(asked)}, UNFINISHED)


def ballots(asked: Asked) -> Items:
    """The players without a ballot, as long as ballots stand with names."""
    if ":" in asked.word or not all(":" in ballot for ballot in asked.before):
        return []
    voted = {_player(ballot.partition(":")[0], asked.seats) for ballot in asked.before}
    missing = [player for player in asked.seats if player not in voted]
    return _offer(asked, {f"{player}:": "" for player in missing}, UNFINISHED)


def moves(asked: Asked) -> Items:
    """A player, then what a move of the game may be."""
    fields = [field for game in asked.games for field in game.fields if field.kind == "moves"]
    return _moved(asked, [word for field in fields for word in field.words])


def rulings(asked: Asked) -> Items:
    """A player, then the sign of the change."""
    return _moved(asked, "+-", UNFINISHED)


def words(asked: Asked) -> Items:
    """The words the round's field may be."""
    fields = [f for game in asked.games for f in game.fields if f.name == asked.field]
    return _offer(asked, {word: "" for field in fields for word in field.words})


def overrides(asked: Asked) -> Items:
    """The rules that may be set for one round."""
    return _settings(asked, [key for game in asked.games for key in game.keys if key.overridable])


def value(asked: Asked) -> Items:
    """What the round's field may be, by its kind; nothing where no game at hand has it."""
    kinds = [f.kind for game in asked.games for f in game.fields if f.name == asked.field]
    offered = _KINDS.get(kinds[0]) if kinds else None
    return offered(asked) if offered else []


_KINDS: Mapping[str, Callable[[Asked], Items]] = {
    "player": players,
    "word": words,
    "moves": moves,
    "rulings": rulings,
    "settings": overrides,
}


def rules(asked: Asked) -> Items:
    """The house rules of a new session, of its game once that is known."""
    typed, earlier = asked.line.get("game"), _earlier(asked)
    try:
        known = find(typed) if typed else earlier and earlier.game
    except Refused:
        return []
    return _settings(
        asked, [k for g in ([known] if known else catalogue().values()) for k in g.keys]
    )


def house_rules(asked: Asked) -> Items:
    """The house rules of the session's game."""
    return _settings(asked, [key for game in asked.games for key in game.keys])


def rounds(asked: Asked) -> Items:
    """The rounds that stand, the latest first."""
    session = asked.session()
    return _numbers(asked, session, session.game.history.rounds) if session else []


def recorded(asked: Asked) -> Items:
    """The rounds that were ever recorded, the latest first."""
    session = asked.session()
    if session is None:
        return []
    every = (*session.game.history.rounds, *session.game.history.voided)
    return _numbers(asked, session, sorted(every, key=lambda each: each.number))


def entries(asked: Asked) -> Items:
    """The entries of the log that can be voided, the latest first."""
    session = asked.session()
    if session is None:
        return []
    standing = [
        event
        for event in reversed(session.log.events[1:])
        if event.seq not in session.game.history.fallen
        and event.fields.get("by") not in ("undo", "redo")
    ]
    return _offer(asked, {str(event.seq): _told(session, event) for event in standing})


def clearable(asked: Asked) -> Items:
    """The fields that can be dropped from a round: given in it, and not needed by it."""
    session = asked.session()
    if session is None:
        return []
    game, number = session.game.opening.game, str(asked.line.get("number"))
    given = {n for r in session.game.history.rounds if str(r.number) == number for n in r.fields}
    names = given - {game.role, "ballots", *asked.before}
    return _offer(asked, {field.name: field.text for field in game.fields if field.name in names})


def fitting(asked: Asked, options: Items) -> Items:
    """The options without those for fields that only other games have."""
    foreign = _flags(catalogue().values()) - _flags(asked.games)
    return [option for option in options if option.value not in foreign]


def _offer(asked: Asked, values: Mapping[str, str], kind: str = "plain") -> Items:
    """The values that begin with the word, in any case, each with its help.

    None that would steer a terminal: names come from files that anybody may have written.
    """
    begun = fold(asked.word)
    return [
        CompletionItem(value, kind, shown(text) or None)
        for value, text in values.items()
        if fold(value).startswith(begun) and shown(value) == value
    ]


def _moved(asked: Asked, changes: Iterable[str], kind: str = "plain") -> Items:
    """Players, then what may follow the equals sign."""
    name, equals, _ = asked.word.partition("=")
    if equals:
        known = _player(name, asked.seats)
        return _offer(asked, {f"{name}={change}": "" for change in changes if known}, kind)
    return _offer(asked, {f"{p}=": "" for p in asked.seats if changes}, UNFINISHED)


def _settings(asked: Asked, keys: Iterable[Key]) -> Items:
    """Keys that are not given yet, then the words that may follow the equals sign."""
    name, equals, _ = asked.word.partition("=")
    if equals:
        words = [word for key in keys if key.name == name for word in key.words]
        return _offer(asked, {f"{name}={word}": "" for word in words})
    given = {text.partition("=")[0].strip() for text in asked.before}
    texts = {f"{key.name}=": f"{key.text}: {key.range}" for key in keys if key.name not in given}
    return _offer(asked, texts, UNFINISHED)


def _numbers(asked: Asked, session: Session, every: Sequence[Round]) -> Items:
    events = session.log.events
    told = {str(r.number): _told(session, events[r.seq - 1]) for r in reversed(every)}
    return _offer(asked, told)


def _told(session: Session, event: Event) -> str:
    """An entry in words; of a round whose turn it was and the question, not who said what."""
    game = session.game.opening.game
    if event.kind == "round":
        turn = event.fields.get(game.role, "")
        return f"{round_name(event.fields['number'], event.fields)}, {turn}"
    return event_words(game, event)


def _load(place: Callable[[], str]) -> Session | None:
    """Read a session, warning of nothing; the shell has not yet expanded a tilde."""
    try:
        return load(store.read_bytes(str(Path(place()).expanduser())))
    except (Refused, store.Trouble, click.UsageError, RuntimeError):
        return None


def _earlier(asked: Asked) -> Opening | None:
    """What the session that a new one is to be like agreed on, if one is named."""
    path = asked.line.get("like")
    session = _load(lambda: str(path)) if path else None
    return session.game.opening if session else None


def _seated(asked: Asked) -> Sequence[str]:
    """The players of a new session: as named, or those of the one it is to be like."""
    earlier = _earlier(asked)
    return asked.line.get("players") or (earlier.players if earlier else ())


def _player(text: str, seats: Sequence[str]) -> str | None:
    try:
        return find_player(text, seats, "")
    except Refused:
        return None


def _flags(every: Iterable[Game]) -> set[str]:
    """The options for the fields of these games, long and short."""
    fields = [field for game in every for field in game.fields]
    return {field.flag for field in fields} | {f"-{f.short}" for f in fields if f.short}
