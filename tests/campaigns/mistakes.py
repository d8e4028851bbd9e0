"""Mistakes that happen while a round is written down, each with the command that puts it right."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tests.rules import Table


class Mistake(NamedTuple):
    """What was recorded in place of a round, or after it, and what puts it right."""

    rounds: Sequence[Table]
    command: str
    """`{seq}` stands for the number of the entry that comes after the round."""
    late: Table | None = None
    """That entry, its kind among its fields."""


Make = Callable[[random.Random, Table, int], Mistake | None]
"""Makes a mistake in a round of this number; None where there is nothing to mistake."""


def typed(*words: str) -> str:
    """A command line as a host types it."""
    return f"pollctl {shlex.join(words)}"


def vote(ballot: Table) -> str:
    """A ballot as it is typed, with its player."""
    if "chip" in ballot:
        return f"{ballot['player']}:{ballot.get('card', '')}{ballot['chip'][0]}"
    return f"{ballot['player']}:{ballot['large']}{ballot['small']}"


def misvoted(given: Table, number: int, *ballots: Table) -> Mistake:
    """Other ballots of some players were written down."""
    other = {ballot["player"]: ballot for ballot in ballots}
    true = [ballot for ballot in given["ballots"] if ballot["player"] in other]
    seen = [other.get(ballot["player"], ballot) for ballot in given["ballots"]]
    command = typed("round", "amend", str(number), *map(vote, true))
    return Mistake([{**given, "ballots": seen}], command)


def amended(number: int, flag: str, texts: Iterable[str], field: str) -> str:
    """The command that gives a list its entries, or takes it away."""
    words = [word for text in texts for word in (flag, text)]
    return typed("round", "amend", str(number), *(words or ["--clear", field]))


def chip(rng: random.Random, given: Table, number: int) -> Mistake:
    """A chip taken for the other colour."""
    ballot = rng.choice(given["ballots"])
    other = "no" if ballot["chip"] == "yes" else "yes"
    return misvoted(given, number, {**ballot, "chip": other})


def card(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A card taken for another, mostly for its neighbour."""
    ballot = rng.choice(given["ballots"])
    if "card" not in ballot:
        return None
    other = ballot["card"] + rng.choice([-1, 1, -1, 1, -1, 1, -2, 2, -3, 3, 4, -4])
    return misvoted(given, number, {**ballot, "card": other}) if 0 <= other <= 8 else None


def dial(rng: random.Random, given: Table, number: int) -> Mistake:
    """A dial taken for another face."""
    ballot, which = rng.choice(given["ballots"]), rng.choice(["large", "small"])
    others = [face for face in range(1, 7) if face != ballot[which]]
    return misvoted(given, number, {**ballot, which: rng.choice(others)})


def dials(rng: random.Random, given: Table, number: int) -> Mistake:
    """The small dial written down first."""
    ballot = rng.choice(given["ballots"])
    other = {**ballot, "large": ballot["small"], "small": ballot["large"]}
    return misvoted(given, number, other)


def neighbours(rng: random.Random, given: Table, number: int) -> Mistake:
    """Two ballots, each written down for the player beside."""
    ballots = given["ballots"]
    place = rng.randrange(len(ballots))
    one, two = ballots[place], ballots[(place + 1) % len(ballots)]
    seen = ({**two, "player": one["player"]}, {**one, "player": two["player"]})
    return misvoted(given, number, *seen)


def fine_forgotten(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A penalty that nobody wrote down."""
    fines = given.get("penalties", [])
    if not fines:
        return None
    fine = rng.choice(fines)
    recorded = {**given, "penalties": [each for each in fines if each != fine]}
    move = f"{fine['player']}={fine['kind']}"
    return Mistake([recorded], typed("penalty", move, "--round", str(number)))


def fine_wrong(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A penalty written down for another player or another fault, or where there was none."""
    fines, players = given.get("penalties", []), [each["player"] for each in given["ballots"]]
    fine = {"player": rng.choice(players), "kind": rng.choice(["chip", "answer"])}
    if fine in fines:
        return None
    true = [f"{each['player']}={each['kind']}" for each in fines]
    command = amended(number, "-p", true, "penalties")
    if not fines or rng.random() < 0.4:
        return Mistake([{**given, "penalties": [*fines, fine]}], command)
    place = rng.randrange(len(fines))
    which = rng.choice(["player", "player", "kind"])
    seen = [*fines]
    seen[place] = {**fines[place], which: fine[which]}
    return Mistake([{**given, "penalties": seen}], command)


def fine_late(rng: random.Random, given: Table, number: int) -> Mistake:
    """A penalty called after the round that was none."""
    player = rng.choice(given["ballots"])["player"]
    fine = {"player": player, "penalty": rng.choice(["chip", "answer"])}
    return Mistake([given], TAKEN_BACK, {"kind": "penalty", "round": number, **fine})


def disputed(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A penalty that was disputed and upheld, which nobody wrote down."""
    fines = given.get("penalties", [])
    if not fines:
        return None
    fine = rng.choice(fines)
    recorded = {**given, "penalties": [each for each in fines if each != fine]}
    said = {"round": number, "player": fine["player"], "penalty": fine["kind"]}
    return Mistake([recorded], "pollctl dispute uphold {seq}", {"kind": "dispute", **said})


def amendment(rng: random.Random, given: Table, number: int) -> Mistake:
    """A ballot that was right and was amended."""
    ballot = rng.choice(given["ballots"])
    other = {**ballot, **rng.choice(given["ballots"]), "player": ballot["player"]}
    said = {"round": number, "set": {"ballots": [other]}}
    return Mistake([given], TAKEN_BACK, {"kind": "amend", **said})


def stick(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A stick that another player took, or nobody, or that was not written down."""
    name, flag = rng.choice([("large_stick", "-L"), ("small_stick", "-S")])
    true = given.get(name)
    players = [each["player"] for each in given["ballots"]]
    other = rng.choice([each for each in (None, *players, *players) if each != true])
    recorded = {key: value for key, value in given.items() if key != name}
    recorded |= {name: other} if other else {}
    words = [flag, true] if true else ["--clear", name]
    return Mistake([recorded], typed("round", "amend", str(number), *words))


def die(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A die taken for another face."""
    if "dice" not in given:
        return None
    dice, true = list(given["dice"]), "".join(sorted(given["dice"]))
    dice[rng.randrange(len(dice))] = str(rng.randint(1, 6))
    recorded = {**given, "dice": "".join(sorted(dice))}
    return Mistake([recorded], typed("round", "amend", str(number), "-d", true))


def rule_card(_rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A rule card that held in another round."""
    if "overrides" in given:
        return None
    recorded = {**given, "rule_card": "A card", "overrides": {"majority": 2}}
    return Mistake([recorded], typed("round", "amend", str(number), "--clear", "overrides"))


def ruling(rng: random.Random, given: Table, number: int) -> Mistake | None:
    """A ruling by one too far, the other way, of another player, or none."""
    true, players = given.get("rulings", []), [each["player"] for each in given["ballots"]]
    texts = [f"{each['player']}={each['change']:+d}:{each['reason']}" for each in true]
    command = amended(number, "--ruling", texts, "rulings")
    if not true or rng.random() < 0.3:
        more = {"player": rng.choice(players), "change": rng.choice([-1, 1]), "reason": "why not"}
        return Mistake([{**given, "rulings": [*true, more]}], command)
    place = rng.randrange(len(true))
    change = true[place]["change"]
    other = rng.choice([{"change": change + 1}, {"change": -change}, {"player": players[0]}])
    seen = [*true]
    seen[place] = {**seen[place], **other}
    return Mistake([{**given, "rulings": seen}], command)


def twice(_rng: random.Random, given: Table, number: int) -> Mistake:
    """A round written down once more."""
    again = {key: value for key, value in given.items() if key != "before"}
    return Mistake([given, again], typed("round", "void", str(number + 1)))


TAKEN_BACK = "pollctl void {seq}"

MISTAKES: dict[str, dict[Make, int]] = {
    "poll-game": {
        chip: 32,
        card: 26,
        neighbours: 5,
        fine_forgotten: 12,
        fine_wrong: 10,
        fine_late: 3,
        disputed: 1,
        amendment: 3,
        ruling: 4,
        twice: 4,
    },
    "dice-democracy": {
        dial: 48,
        dials: 5,
        neighbours: 5,
        stick: 18,
        die: 10,
        rule_card: 2,
        amendment: 4,
        ruling: 4,
        twice: 4,
    },
}
"""What happens in which game, of a hundred mistakes."""
