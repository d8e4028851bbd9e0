"""What can be typed next: the values a shell offers, from the games and the session at hand.

Each function is asked for by its name once somebody presses Tab (`offers` in `desk`). None writes
or warns; a session that can't be read offers nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from pollctl import store
from pollctl.game import Game, Key
from pollctl.games import catalogue, find
from pollctl.model import Refused, Round
from pollctl.notation import find_player
from pollctl.replay import Opening
from pollctl.session import Session, load
from pollctl.text import fold, shown
from pollctl.wording import event_words

Items = list[CompletionItem[str]]

UNFINISHED = "open"
"""The type of an item that something is typed onto: no blank follows it."""


class Asked(NamedTuple):
    """What is asked: a word begun, what stands on the line, and where the session is."""

    word: str
    param: str
    """Name of the parameter whose value it begins."""
    field: str
    """Name of the round's field it belongs to; empty where it belongs to none."""
    line: Mapping[str, Any]
    """The parameters given before it, by name."""
    place: Callable[[], str]
    """The path of the session; raises UsageError where there is none."""

    @property
    def before(self) -> Sequence[str]:
        """What was given for the same parameter before, if it repeats."""
        return self.line.get(self.param) or ()


def line_of(ctx: click.Context) -> dict[str, Any]:
    """The parameters given so far; click leaves arguments before an unfinished option unread."""
    line, rest = dict(ctx.params), list(ctx.args)
    for param in ctx.command.params:
        if isinstance(param, click.Argument) and rest:
            line[str(param.name)] = rest if param.nargs == -1 else rest.pop(0)
    return line


def files(asked: Asked) -> Items:
    """Files, which the shell knows best."""
    return [CompletionItem(asked.word, "file")]


def formats(asked: Asked) -> Items:
    """The formats of a table."""
    from pollctl.render.tables import FORMATS

    return _offer(asked, {style: "" for style in FORMATS})


def games(asked: Asked) -> Items:
    """The games there are."""
    return _offer(asked, {game.id: game.title for game in catalogue().values()})


def players(asked: Asked) -> Items:
    """Everyone seated."""
    return _offer(asked, dict.fromkeys(_seats(asked), ""))


def everybody(asked: Asked) -> Items:
    """Everyone who played, seated or not."""
    session = _session(asked)
    return _offer(asked, dict.fromkeys(session.game.opening.players, "") if session else {})


def first(asked: Asked) -> Items:
    """Who may begin a new session."""
    earlier = _earlier(asked)
    named = asked.line.get("players") or (earlier.players if earlier else ())
    return _offer(asked, {**dict.fromkeys(named, ""), "random": "let chance choose"})


def ballots(asked: Asked) -> Items:
    """The players without a ballot, where ballots stand with names."""
    if ":" in asked.word or not all(":" in ballot for ballot in asked.before):
        return []
    voted = [ballot.partition(":")[0].strip() for ballot in asked.before]
    seats = _seats(asked)
    missing = set(seats) - {_player(name, seats) for name in voted}
    return _offer(asked, {f"{name}:": "" for name in seats if name in missing}, UNFINISHED)


def moves(asked: Asked) -> Items:
    """A player, then what a move of the game is for."""
    words = [word for game in _games(asked) for f in game.fields if f.kind == "moves" for word in f.words]
    return _moved(asked, words, "plain")


def rulings(asked: Asked) -> Items:
    """A player, then the sign of the change."""
    return _moved(asked, "+-", UNFINISHED)


def words(asked: Asked) -> Items:
    """The words a field may be."""
    fields = [f for game in _games(asked) for f in game.fields if f.name == asked.field]
    return _offer(asked, {word: "" for field in fields for word in field.words})


def rules(asked: Asked) -> Items:
    """The house rules of a new session, then the words of one that is no number."""
    earlier, typed = _earlier(asked), asked.line.get("game")
    try:
        known = find(typed) if typed else earlier and earlier.game
    except Refused:
        return []
    fitting = [known] if known else catalogue().values()
    return _settings(asked, [key for game in fitting for key in game.keys])


def overrides(asked: Asked) -> Items:
    """The rules that a card may set for a round."""
    every = [key for game in _games(asked) for key in game.keys]
    return _settings(asked, [key for key in every if key.overridable])


def rounds(asked: Asked) -> Items:
    """The rounds that stand, the latest first."""
    session = _session(asked)
    return _numbered(asked, session, session.game.history.rounds if session else ())


def recorded(asked: Asked) -> Items:
    """The rounds that were ever recorded, the latest first."""
    session = _session(asked)
    if session is None:
        return []
    history = session.game.history
    every = sorted((*history.rounds, *history.voided), key=lambda each: each.number)
    return _numbered(asked, session, every)


def entries(asked: Asked) -> Items:
    """The entries of the log that can be voided, the latest first."""
    session = _session(asked)
    if session is None:
        return []
    fallen, game = session.game.history.fallen, session.game.opening.game
    found = {
        str(event.seq): event_words(game, event)
        for event in reversed(session.log.events)
        if event.seq not in fallen
        and event.kind != "open"
        and event.fields.get("by") not in ("undo", "redo")
    }
    return _offer(asked, found)


def clearable(asked: Asked) -> Items:
    """The fields that can be dropped from a round: given in it, and not needed by it."""
    session = _session(asked)
    if session is None:
        return []
    game, number = session.game.opening.game, str(asked.line.get("number"))
    given = {name for each in session.game.history.rounds if str(each.number) == number for name in each.fields}
    names = {f.name: f.text for f in game.fields if f.name in given - {game.role, "ballots"}}
    return _offer(asked, {name: text for name, text in names.items() if name not in asked.before})


def fitting(asked: Asked, options: Items) -> Items:
    """The options without those of fields that only other games have."""
    every = _flags(catalogue().values())
    if not every & {option.value for option in options}:
        return options
    foreign = every - _flags(_games(asked))
    return [option for option in options if option.value not in foreign]


def _offer(asked: Asked, values: Mapping[str, str], kind: str = "plain") -> Items:
    """The values, each with its help, that begin with the word in any case.

    None that would steer a terminal: names come from files that anybody may have written.
    """
    begun = fold(asked.word)
    return [
        CompletionItem(value, kind, shown(text) or None)
        for value, text in values.items()
        if fold(value).startswith(begun) and shown(value) == value
    ]


def _moved(asked: Asked, changes: Iterable[str], kind: str) -> Items:
    """Players, each with what may follow the equals sign once it is typed."""
    seats = _seats(asked)
    name, equals, _ = asked.word.partition("=")
    if not equals:
        return _offer(asked, {f"{player}=": "" for player in seats}, UNFINISHED)
    known = _player(name, seats)
    return _offer(asked, {f"{name}={change}": "" for change in changes if known}, kind)


def _settings(asked: Asked, keys: Iterable[Key]) -> Items:
    """Keys that are not given yet, each with its words once the equals sign is typed."""
    name, equals, _ = asked.word.partition("=")
    if equals:
        return _offer(asked, {f"{name}={word}": "" for key in keys if key.name == name for word in key.words})
    given = {text.partition("=")[0].strip() for text in asked.before}
    texts = {f"{key.name}=": f"{key.text}: {key.range}" for key in keys if key.name not in given}
    return _offer(asked, texts, UNFINISHED)


def _numbered(asked: Asked, session: Session | None, every: Sequence[Round]) -> Items:
    if session is None:
        return []
    game, events = session.game.opening.game, session.log.events
    return _offer(asked, {str(r.number): event_words(game, events[r.seq - 1]) for r in reversed(every)})


def _session(asked: Asked) -> Session | None:
    """The session, as far as its last good seal; None where there is none to read."""
    return _load(asked.place)


def _load(place: Callable[[], str]) -> Session | None:
    from os.path import expanduser

    try:
        return load(store.read_bytes(expanduser(place())))
    except (Refused, store.Trouble, click.UsageError):
        return None


def _earlier(asked: Asked) -> Opening | None:
    """What the session agreed on that a new one is to be like, if one is named."""
    path = asked.line.get("like")
    session = _load(lambda: path) if path else None
    return session.game.opening if session else None


def _seats(asked: Asked) -> tuple[str, ...]:
    session = _session(asked)
    return session.game.state.seats if session else ()


def _games(asked: Asked) -> list[Game]:
    """The session's game; all of them where there is no session to ask."""
    session = _session(asked)
    return [session.game.opening.game] if session else list(catalogue().values())


def _player(text: str, seats: Sequence[str]) -> str | None:
    try:
        return find_player(text, seats)
    except Refused:
        return None


def _flags(every: Iterable[Game]) -> set[str]:
    """The options of the fields of these games, long and short."""
    fields = [field for game in every for field in game.fields]
    return {field.flag for field in fields} | {f"-{f.short}" for f in fields if f.short}
