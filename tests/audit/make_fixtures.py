"""A session file for each code an audit knows, which that code alone fails.

python -m tests.audit.make_fixtures

writes them anew; what is written depends on nothing but this file and the format.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pollctl.log import read
from pollctl.mending import Place, plan_accept, plan_repair
from tests.audit import AT, DICE, PLAYERS, POLL, dice_round, event, opening, poll_round, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pollctl.model import Event

FOLDER = Path(__file__).with_name("fixtures")

LATER = AT + timedelta(hours=3)
HALF = b'\n[[event]]\nseq = 6\nat = 2024-11-30 20:06:00+01:00\nkind = "rul'


def void(seq: int, target: int, **fields: object) -> Event:
    """An entry that takes another back."""
    return event(seq, "void", target=target, by="void", **fields)


def among(*players: str) -> tuple[Event, ...]:
    """A whole evening of The Poll Game among these three."""
    names = list(players)
    rounds = [(2, names[0]), (3, names[-1])]
    return (
        opening(players=names),
        *(poll_round(seq, seq - 1, who, players=names) for seq, who in rounds),
    )


def agreed(game: str, **fields: object) -> tuple[Event, ...]:
    """A whole evening of either game with another opening."""
    return (opening(game, **fields), *(POLL if game == "poll-game" else DICE)[1:])


def unstated(rule: str) -> tuple[Event, ...]:
    """A whole evening whose opening does not state one of the rules."""
    rules = {key: value for key, value in POLL[0].fields["rules"].items() if key != rule}
    return (POLL[0]._replace(fields={**POLL[0].fields, "rules": rules}), *POLL[1:])


def later(events: Iterable[Event], by: int) -> list[Event]:
    """The same entries, so many places later."""
    return [event(each.seq + by, each.kind, **each.fields) for each in events]


def drawn(seq: int, **fields: object) -> Event:
    """A card that is drawn: with a question, unless it has a name."""
    face = {} if "name" in fields else {"questions": ["Why?"]}
    return event(seq, "draw", **{"deck": "Box", "card": "1", **face, **fields})


def disputed(seq: int, **fields: object) -> Event:
    """A penalty that is not decided."""
    return event(seq, "dispute", **{"round": 1, "player": "Ben", "penalty": "chip", **fields})


CYRILLIC = "\u0410nn"

EVENTS: dict[str, Sequence[Event]] = {
    "newer": agreed("dice-democracy", format=2),
    "newer-kind": [*DICE, event(4, "poem", lines=["Roses are red"])],
    "misformed": [*POLL[:3], event(4, "ruling", round=2, player="Ben", change=1)],
    "opening": [POLL[0]._replace(fields={**POLL[0].fields, "game": "poker"}), *POLL[1:]],
    "identity": agreed("dice-democracy", session="friday"),
    "numbers": [*DICE[:2], dice_round(3, 3, "Ben")],
    "clock": [*POLL[:2], POLL[2]._replace(at=AT - timedelta(hours=1))],
    "name": among("Ann", "B:n", "Cai"),
    "name-twins": among("Ann", "ANN", "Cai"),
    "name-joined": [*POLL[:3], event(4, "join", player="B:n")],
    "name-renamed": [*POLL, event(6, "rename", player="Cai", to="ANN")],
    "look-alike": among("Ann", CYRILLIC, "Cai"),
    "look-alike-joined": [
        *POLL[:2],
        event(3, "join", player=CYRILLIC),
        poll_round(4, 2, CYRILLIC, "1y 0n 0n 0n", players=[*PLAYERS, CYRILLIC]),
    ],
    "agreement": agreed("dice-democracy", rules={"need_two": 2}),
    "agreement-start": [opening(start={"Ben": 9}), *POLL[1:3]],
    "agreement-start-tokens": agreed("dice-democracy", start={"Cai": -1}),
    "agreement-start-nobody": agreed("poll-game", start={"Zoe": 1}),
    "rules": unstated("paths"),
    "rules-unknown": agreed("dice-democracy", rules={"stakes": 5}),
    "field": [*DICE[:2], dice_round(3, 2, "Ben", weather="rain")],
    "field-card": [POLL[0], drawn(2, weather="rain"), *later(POLL[1:3], 1)],
    "field-amended": [*POLL, event(6, "amend", round=1, set={"weather": "rain"})],
    "unlawful": [*DICE, dice_round(4, 3, "Cai")],
    "unlawful-card": [
        *POLL[:2],
        poll_round(3, 2, "Cai", "1y 9n 0n"),
        poll_round(4, 3, "Ben"),
    ],
    "seat": [
        *POLL[:2],
        event(3, "leave", player="Cai"),
        event(4, "leave", player="Cai"),
        poll_round(5, 2, "Ben", "1y 0n", players=["Ann", "Ben"]),
    ],
    "seat-joined": [DICE[0], event(2, "join", player="Ben"), *later(DICE[1:], 1)],
    "after-end": [*POLL[:2], event(3, "end"), poll_round(4, 2, "Cai")],
    "after-end-joined": [*POLL[:3], event(4, "end"), event(5, "join", player="Dee")],
    "in-vain": [*POLL[:3], event(4, "penalty", round=7, player="Ben", penalty="chip")],
    "in-vain-voided": [
        *POLL[:3],
        void(4, 3),
        event(5, "penalty", round=2, player="Ben", penalty="chip"),
        poll_round(6, 3, "Cai"),
    ],
    "in-vain-void": [*POLL, void(6, 5), void(7, 5)],
    "in-vain-penalty": [*DICE, event(4, "penalty", round=2, player="Ben", penalty="chip")],
    "in-vain-rename": [*POLL, event(6, "rename", player="Zoe", to="Zed")],
    "in-vain-dispute": [*POLL[:3], disputed(4, round=7)],
    "in-vain-decision": [*POLL[:3], event(4, "resolve", target=3, outcome="upheld")],
    "in-vain-decision-again": [
        *POLL[:3],
        disputed(4),
        event(5, "resolve", target=4, outcome="rejected", reason="nobody saw it"),
        event(6, "resolve", target=4, outcome="upheld"),
    ],
    "table": [*POLL[:3], event(4, "check", table={"Ann": 4, "Ben": 1})],
    "card": [POLL[0], drawn(2, questions=list("ABCD")), *later(POLL[1:3], 1)],
    "card-rule": [DICE[0], drawn(2, name="Landslide", text="Twice."), *later(DICE[1:], 1)],
    "card-other": [POLL[0], drawn(2), drawn(3, questions=["Who?"]), *later(POLL[1:3], 2)],
    "card-again": [POLL[0], drawn(2), *later(POLL[1:2], 1), drawn(4), *later(POLL[2:3], 2)],
    "card-open": [POLL[0], drawn(2), drawn(3, card="2"), *later(POLL[1:3], 2)],
    "open-dispute": [*POLL[:3], disputed(4)],
    "turn": [*DICE[:2], dice_round(3, 2, "Cai")],
    "turn-pollster": [*POLL[:2], poll_round(3, 2, "Ben")],
    "slip": [*POLL[:2], poll_round(3, 2, "Cai", "1y 8n 0n")],
    "slip-penalties": [*POLL, event(6, "penalty", round=2, player="Ben", penalty="chip")],
    "unfinished": DICE[:2],
    "unfinished-abandoned": [*POLL[:2], event(3, "end", reason="the cat ate a die")],
    "copy-1": POLL,
    "copy-2": POLL[:4],
    "fork-1": POLL,
    "fork-2": [*POLL[:3], POLL[3]._replace(fields={**POLL[3].fields, "player": "Cai"})],
}
"""What is recorded in a file that is intact, under its name: a code, and what it shows of it."""

IMPORT = [opening(), poll_round(2, 1, "Ann", batch="1/2"), poll_round(3, 2, "Cai", batch="2/2")]


def altered(data: bytes) -> bytes:
    """Two spaces more in a ruling."""
    return data.replace(b"change = 1\n", b"change = 3\n")


def accepted(data: bytes) -> bytes:
    """Altered and vouched for."""
    return altered(data) + plan_accept(altered(data), "all agree on three spaces", LATER)[0]


def repaired(data: bytes) -> bytes:
    """Torn and repaired."""
    plan = plan_repair(data + HALF, Place("repaired.toml", {}, LATER))
    return plan.base + plan.text


def doubled(data: bytes) -> bytes:
    """The fourth entry stands there twice."""
    ends = read(data).ends
    return data[: ends[3]] + data[ends[2] :]


def shortened(data: bytes) -> bytes:
    """The last entry is cut off at the seal before it."""
    return data[: read(data).ends[-2]]


CHANGED: dict[str, tuple[Sequence[Event], Callable[[bytes], bytes]]] = {
    "unreadable": (POLL, lambda data: data[:300]),
    "damage": (POLL, lambda data: data.replace(b"\n", b"\r\n")),
    "damage-bom": (POLL, lambda data: b"\xef\xbb\xbf" + data),
    "damage-utf-16": (DICE, lambda data: data.decode().encode("utf-16-le")),
    "damage-nul-tail": (DICE, lambda data: data + bytes(512)),
    "damage-no-final-newline": (POLL, lambda data: data[:-1]),
    "torn": (POLL, lambda data: data + HALF),
    "torn-undo": ([*IMPORT, void(4, 3, batch="1/2"), void(5, 2, batch="2/2")], shortened),
    "broken": (POLL, altered),
    "broken-doubled": (POLL, doubled),
    "accepted": (POLL, accepted),
    "repaired": (POLL, repaired),
    "receipt": (POLL, shortened),
}
"""What was recorded in a file, and what happened to its bytes afterwards."""


def own(name: str, events: Sequence[Event]) -> bytes:
    """The file of a session with a number of its own, which the files of a pair share."""
    pair = name.removesuffix("-1").removesuffix("-2")
    number = hashlib.sha256(pair.encode()).hexdigest()[:32]
    fields = dict(events[0].fields)
    if name != "identity":
        fields["session"] = number
    return sealed([events[0]._replace(fields=fields), *events[1:]])


RECEIPT = read(own("receipt", POLL)).receipt
"""Of the entry that was cut off `receipt.toml`; it lies beside it, in `receipt.txt`."""


def files() -> dict[str, bytes]:
    """Every file of the folder."""
    made = {name: own(name, events) for name, events in EVENTS.items()}
    made |= {name: change(own(name, events)) for name, (events, change) in CHANGED.items()}
    named = {f"{name}.toml": data for name, data in made.items()}
    return {**named, "receipt.txt": f"{RECEIPT}\n".encode()}


def main() -> None:
    """Write them."""
    FOLDER.mkdir(exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
