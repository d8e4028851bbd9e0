"""What an audit asks of what is recorded beside the rounds and after them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pollctl.audit.checks import Evidence, Finding
from pollctl.game import Field, Game, card_fields, check_settings
from pollctl.hand import choice_of, closes, name_of
from pollctl.history import CORRECTIONS, Growth
from pollctl.model import Event, Fault
from pollctl.naming import renamings
from pollctl.replay import Replay, extend, last_names, replay
from pollctl.session import Session
from pollctl.wording import card_face, card_name, late_words


def in_vain(seen: Evidence) -> Iterator[Finding]:
    """A correction hit nothing that stood when it was recorded."""
    if seen.session:
        log = _Recorded(seen.session)
        for event in seen.session.log.events:
            if event.seq not in seen.session.game.history.fallen and (text := log.misses(event)):
                number = event.fields.get("round")
                yield Finding(event.seq, number, "", text)
            log.read(event)


class _Recorded:
    """A log as far as it was recorded at a moment, for what can be hit then."""

    def __init__(self, session: Session) -> None:
        """Begin before the first entry."""
        self._events = session.log.events
        self._fines = any(field.kind == "moves" for field in session.game.opening.game.fields)
        self._called = set(self._events[0].fields["players"])
        self._renamings = renamings(self._events)
        self._renaming = next(self._renamings, None)
        self._growth = Growth()
        self._rounds: dict[int, int] = {}
        self._decisions: dict[int, list[int]] = {}

    def read(self, event: Event) -> None:
        """Go on by one entry."""
        if event.kind == "round":
            self._rounds[event.fields["number"]] = event.seq
        elif event.kind == "resolve":
            self._decisions.setdefault(event.fields["target"], []).append(event.seq)
        elif event.kind == "join":
            self._called.add(event.fields["player"])
        while self._renaming and self._renaming.seq == event.seq:
            self._called = (self._called - {self._renaming.old}) | {self._renaming.new}
            self._renaming = next(self._renamings, None)
        self._growth.read(event)

    def misses(self, event: Event) -> str:
        """Why the next entry hits nothing; empty where it does."""
        if event.kind in (*CORRECTIONS, "dispute"):
            return self._misses_round(event)
        target = event.fields.get("target", 0)
        if event.kind == "resolve" and not self._open(target):
            return f"the decision is about entry {target}, which is no open dispute"
        if event.kind == "void" and not (1 < target < event.seq and self._growth.stands(target)):
            return f"the void of entry {target} hits nothing"
        if event.kind == "rename" and event.fields["player"] not in self._called:
            return f"nobody is called {event.fields['player']}, so nobody is renamed"
        return ""

    def _misses_round(self, event: Event) -> str:
        number = event.fields["round"]
        if number not in self._rounds or not self._growth.stands(self._rounds[number]):
            return f"the {event.kind} is about round {number}, which did not stand"
        fined = "penalty" in event.fields and not self._fines
        return "there are no penalties in this game" if fined else ""

    def _open(self, target: int) -> bool:
        """Whether an entry is a dispute that stands and is not decided."""
        known = 0 < target <= len(self._events) and self._events[target - 1].kind == "dispute"
        decided = any(map(self._growth.stands, self._decisions.get(target, ())))
        return known and self._growth.stands(target) and not decided


def strayed(seen: Evidence) -> Iterator[Finding]:
    """Somebody left or joined who could not."""
    for problem in seen.session.game.strays if seen.session else ():
        yield Finding(problem.event, None, problem.rule, problem.text)


def undecided(seen: Evidence) -> Iterator[Finding]:
    """A dispute about a round that stands is open."""
    if seen.session:
        history = seen.session.game.history
        rounds = {each.number for each in history.rounds}
        for event in history.disputes:
            if event.fields["round"] in rounds:
                text = f"{late_words(event.fields)} is disputed"
                yield Finding(event.seq, event.fields["round"], "", text)


def off_the_table(seen: Evidence) -> Iterator[Finding]:
    """A player stood elsewhere on the table than in the log, as it was then and as it is now.

    A later check of that player that holds settles it.
    """
    if not seen.session:
        return
    game, past = seen.session.game, _Past(seen.session.log.events)
    off: dict[str, Finding] = {}
    for event in last_names(game.opening.game, seen.session.log.events):
        if event.kind == "check" and event.seq not in game.history.fallen:
            for player in event.fields["table"]:
                off.pop(player, None)
            off |= _differing(game, past, event)
    yield from off.values()


class _Past:
    """A game as it stood at moments of its log, one after the other."""

    def __init__(self, events: Sequence[Event]) -> None:
        """Begin with the first of these events."""
        self.events = events
        self._read = 1
        self._game = replay(events[:1])

    def before(self, seq: int) -> Replay:
        """The game as the entries before this one had it; later than what was asked before."""
        new, self._read = self.events[self._read : seq - 1], seq - 1
        if all(event.kind in ("round", "check") for event in new):
            rounds = [event for event in new if event.kind == "round"]
            self._game = extend(self._game, rounds) if rounds else self._game
        else:
            self._game = replay(self.events[: seq - 1])
        return self._game


def _differing(game: Replay, past: _Past, check: Event) -> dict[str, Finding]:
    """Who stood elsewhere in one check, whose names are those of the end."""
    found, table, now = {}, check.fields["table"], _scores_by(game, check.seq)
    if any(now.get(player) != count for player, count in table.items()):
        then = past.before(check.seq).state.scores
        named = dict(zip(table, past.events[check.seq - 1].fields["table"], strict=False))
        for player, count in table.items():
            said = then.get(named[player]), now.get(player)
            if count not in said:
                text = f"{player} had {count} on the table, and {_told(said[0])} in the log"
                text += f" then and {_told(said[1])} now" if said[0] != said[1] else ""
                found[player] = Finding(check.seq, None, "", text)
    return found


def _told(score: int | None) -> str:
    return "nothing" if score is None else str(score)


def _scores_by(game: Replay, seq: int) -> Mapping[str, int]:
    """The scores by an entry, as the rounds before it are corrected by now."""
    scores: Mapping[str, int] = {}
    for step in game.steps:
        if step.round.seq > seq:
            return {**step.before.scores, **scores}
        scores = step.after.scores
    return {**game.state.scores, **scores}


def strange_cards(seen: Evidence) -> Iterator[Finding]:
    """What was drawn is no card of this game, or another than it was when it was drawn."""
    if seen.session:
        game = seen.session.game.opening.game
        for event, first, _ in _drawn(seen.session):
            faults = (
                [] if "skipped" in event.fields else list(_unlike(game, card_face(event.fields)))
            )
            for rule, text in faults:
                yield Finding(event.seq, None, rule, f"{card_name(event.fields)}: {text}")
            if first and not set(_choices(game, event)) <= set(_choices(game, first)):
                text = f"{card_name(event.fields)} did not say that when it was drawn"
                yield Finding(event.seq, None, "", text)


def _choices(game: Game, draw: Event) -> Sequence[str]:
    """What could be chosen from on a card, as far as a draw says it."""
    field = choice_of(game)
    value = draw.fields.get(field.name)
    return value if isinstance(value, list) and _fits(field, value) else ()


def drawn_again(seen: Evidence) -> Iterator[Finding]:
    """A card was drawn that was played or thrown out before."""
    known = set()
    for event, first, _ in _drawn(seen.session) if seen.session else ():
        if first is None and name_of(event) in known:
            yield Finding(event.seq, None, "", f"{card_name(event.fields)} was drawn before")
        known.add(name_of(event))


def drawn_beside(seen: Evidence) -> Iterator[Finding]:
    """A card was drawn while another was open."""
    for event, first, other in _drawn(seen.session) if seen.session else ():
        if first is None and other:
            text = f"{card_name(other.fields)} was open when {card_name(event.fields)} was drawn"
            yield Finding(event.seq, None, "", text)


def _drawn(session: Session) -> Iterator[tuple[Event, Event | None, Event | None]]:
    """Every draw that stands; the first one of that card, where it is open; the card open then."""
    table = _Open()
    for event in session.log.events:
        if event.kind == "draw" and event.seq not in session.game.history.fallen:
            card = table.card()
            same = card if card and name_of(card) == name_of(event) else None
            yield event, same, card
            table.told.append((event, same or event))
        elif event.kind == "round":
            table.told.append((event, event))
        table.growth.read(event)


class _Open:
    """Which card is open while a log grows; a round plays it, whatever becomes of it later."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.growth = Growth()
        self.told: list[tuple[Event, Event]] = []
        """Draws and rounds, each draw with the first one of its card."""

    def card(self) -> Event | None:
        """The first draw of the card that is open; None where none is."""
        standing = (each for each in reversed(self.told) if self.growth.stands(each[0].seq))
        last, first = next(standing, (None, None))
        return None if last is None or closes(last) else first


def _unlike(game: Game, card: Mapping[str, Any]) -> Iterator[Fault]:
    """Why these fields can't be those of a card."""
    fields = [field for name, field in card_fields(game).items() if name in card]
    odd = [field for field in fields if not _fits(field, card[field.name])]
    for field in odd:
        yield Fault(field.rule, f"{field.name} can't be {card[field.name]!r}")
    if not odd:
        yield from game.guide().cards.check(card)
        for field in fields:
            if field.kind == "settings":
                yield from check_settings(game, card[field.name], field.rule)


def _fits(field: Field, value: object) -> bool:
    """Whether a value has the form of a card's field."""
    if field.kind == "settings":
        return isinstance(value, dict)
    if field.kind == "texts":
        texts = value if isinstance(value, list) else []
        return 0 < len(texts) <= field.high and all(isinstance(text, str) for text in texts)
    return value in field.words if field.words else isinstance(value, str)
