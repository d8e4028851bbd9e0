"""Who is called what: players renamed, and every entry of the log read under the last names."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pollctl.history import Growth
from pollctl.model import Event, Fields


class Renaming(NamedTuple):
    """A player's name changed: one was given, or taken back."""

    seq: int
    """Of the entry that did it."""
    old: str
    new: str


def renamings(events: Sequence[Event]) -> Iterator[Renaming]:
    """Every change of a name as the log grew.

    A player bears the last name given that stands, so that a name freed may be another's by now.
    """
    growth, bearers, people = Growth(), dict[str, _Renamed](), dict[int, _Renamed]()
    for event in events:
        changed = [seq for seq in growth.read(event) if seq in people]
        if event.kind == "rename":
            player = bearers.get(event.fields["player"]) or _Renamed(event)
            player.given.append(event)
            people[event.seq] = player
            changed = [event.seq]
        for seq in changed:
            player = people[seq]
            old, player.name = player.name, player.last(growth)
            bearers.pop(old, None)
            bearers[player.name] = player
            yield Renaming(event.seq, old, player.name)


def changed_names(events: Sequence[Event], since: int) -> dict[str, str]:
    """The players whose names changed with this entry or later: the old names and the new ones."""
    if all(event.kind != "rename" for event in events):
        return {}
    return {each.old: each.new for each in renamings(events) if each.seq >= since}


class _Renamed:
    """Somebody who was given another name."""

    def __init__(self, first: Event) -> None:
        """Begin with the entry that gives the first one."""
        self.name = self._own = str(first.fields["player"])
        self.given: list[Event] = []

    def last(self, growth: Growth) -> str:
        """The last name given that stands, else the one of the beginning."""
        standing = (each for each in reversed(self.given) if growth.stands(each.seq))
        return next((str(each.fields["to"]) for each in standing), self._own)


def renamed(events: Sequence[Event], named: Collection[str]) -> Sequence[Event]:
    """The events with every player under the name borne at the end of the log.

    `named` are the fields of a round that hold a player. A name is read as it stood when the
    event was recorded.
    """
    changes = list(renamings(events))
    names: dict[str, str] = {}
    found = []
    for event in reversed(events):
        while changes and changes[-1].seq >= event.seq:
            _, old, new = changes.pop()
            names[old] = names.pop(new, new)
        found.append(event._replace(fields=_with_names(event.fields, names, named)))
    return found[::-1]


def _with_names(fields: Fields, names: Mapping[str, str], named: Collection[str]) -> Fields:
    """The fields of an event under other names."""
    return {field: _under(field, value, names, named) for field, value in fields.items()}


def _under(field: str, value: Any, names: Mapping[str, str], named: Collection[str]) -> Any:
    """What one field holds, under other names; what has not the form of its kind stays."""
    if type(value) is not _HOLDS.get(field, str):
        return value
    if type(value) is str:
        return names.get(value, value) if field in _PLAYER or field in named else value
    if type(value) is list:
        return [
            _with_names(each, names, named) if type(each) is dict else names.get(str(each), each)
            for each in value
        ]
    if field == "set":
        return _with_names(value, names, named)
    return {names.get(each, each): score for each, score in value.items()}


_PLAYER = ("player", "after", "first")
_HOLDS = {
    **dict.fromkeys(("players", "ballots", "penalties", "rulings"), list),
    **dict.fromkeys(("start", "table", "set"), dict),
}
"""The fields that hold players' names in lists and tables; those that hold one are texts."""
