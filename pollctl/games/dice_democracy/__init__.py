"""Dice Democracy: 14 dice seen for three seconds; vote with the majority, object if you dare."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pollctl.game import (
    NOTE,
    BallotForm,
    Field,
    Game,
    Guide,
    Key,
    Tally,
    check_settings,
    rulings,
)
from pollctl.model import Fault, Fields, Outcome, Refused, Rules, State
from pollctl.text import brief, listing

BOTH = ("large-only", "invalid")

KEYS = (
    Key("start", 3, "D2", "Popularity at the start", overridable=False),
    Key("rounds", 0, "D3", "rounds of the game, 0 as printed", overridable=False),
    Key("dice", 14, "D5", "dice in the box", 1),
    Key("majority", 1, "D8", "for each voter of a majority"),
    Key("majority_objector", 4, "D11", "lost by an objector of the majority"),
    Key("need_one", 3, "D12", "needed to hold one stick"),
    Key("need_two", 6, "D12", "needed to hold both"),
    Key("both_at_need_one", BOTH[0], "D12", "both sticks with exactly `need_one`", words=BOTH),
    Key("objection_won", 1, "D14", "for an objector who was right"),
    Key("false_majority", 1, "D14", "lost by each voter of a wrong majority"),
    Key("objection_lost", 3, "D15", "lost by an objector who was refuted"),
)

FIELDS = (
    Field("chairperson", "player", "who casts, if out of turn", "D4"),
    Field("ballots", "ballots", "the faces on both dials", "D6"),
    Field("large_stick", "player", "who took the Large Stick", "D9", short="L", ask="Green stick"),
    Field("small_stick", "player", "who took the Small Stick", "D9", short="S", ask="Pink stick"),
    Field("dice", "dice", "the faces, or counts as in 1x2,3x4", "D5", short="d", ask="Dice"),
    Field("recasts", "number", "casts thrown again", "D5"),
    Field("rule_card", "text", "the rule card's name", "D16"),
    Field("overrides", "settings", "a rule of this round", "D16", option="override"),
    rulings("D17"),
    NOTE,
)

FACES = range(1, 7)
TWICE = {3: 6}
"""The number of rounds where it is not the number of players (D3)."""
BALLOT = "[0-9]/?[0-9]"


def read_ballot(text: str) -> Fields:
    """Read `5/1` or `51`, the Large face first; raises Refused (D6)."""
    faces = [int(face) for face in text.replace("/", "") if face in "123456"]
    if not re.fullmatch(BALLOT, text) or len(faces) != len(DIALS):
        raise Refused("D6", f"{brief(text)} is not two faces 1 to 6, Large then Small, as in 5/1")
    return dict(zip(DIALS, faces, strict=True))


def show_ballot(ballot: Fields) -> str:
    """Write a ballot as `51`, which no spreadsheet takes for a date."""
    return f"{ballot.get('large', '?')}{ballot.get('small', '?')}"


def begin(rules: Rules, players: tuple[str, ...], start: Mapping[str, int]) -> State:
    """Give everyone the first tokens (D2), or those of a game taken over."""
    tokens = {player: start.get(player, rules["start"]) for player in players}
    rounds = int(rules["rounds"]) or TWICE.get(len(players), len(players))
    return State(players, tokens, total=rounds)


def oppose(rules: Rules, state: State) -> Iterator[Fault]:
    """A need for two sticks below the need for one (D12), less than nothing to begin with (D2)."""
    yield from _oppose_needs(rules)
    for player, tokens in state.scores.items():
        if tokens < 0:
            yield Fault("D2", f"{player} can't start with {tokens} Popularity")


def _oppose_needs(rules: Rules) -> Iterator[Fault]:
    if rules["need_two"] < rules["need_one"]:
        need = f"{rules['need_two']} is below need_one, {rules['need_one']}"
        yield Fault("D12", f"need_two can't be less than need_one: {need}")


def settle(fields: Fields) -> Fields:
    """Nothing follows from anything here."""
    return fields


def forbid(state: State, rules: Rules, fields: Fields) -> Iterator[Fault]:
    """Faces that can't be (D6), overrides of nothing (D16), dice missing or wrong (D13)."""
    for ballot in fields["ballots"]:
        if not all(type(ballot.get(dial)) is int and ballot[dial] in FACES for dial in DIALS):
            yield Fault("D6", f"{ballot['player']}'s dials don't show two faces 1 to 6")
            return
    overrides = fields.get("overrides", {})
    faults = [*check_settings(GAME, overrides, "D16"), *_oppose_card(rules, overrides)]
    yield from faults
    if not faults:
        yield from _forbid_dice(state, {**rules, **overrides}, fields)


def _oppose_card(rules: Rules, overrides: Fields) -> Iterator[Fault]:
    if overrides and all(type(overrides.get(key, 0)) is int for key in ("need_one", "need_two")):
        yield from _oppose_needs({**rules, **overrides})


def lacks(state: State, rules: Rules, fields: Fields) -> str:
    """The dice, where an objection gets as far as looking at them (D13)."""
    count = _Count(state, {**rules, **fields.get("overrides", {})}, fields)
    return "dice" if count.unseen else ""


def _forbid_dice(state: State, rules: Rules, fields: Fields) -> Iterator[Fault]:
    dice = fields.get("dice")
    if dice is None:
        if dial := _Count(state, rules, fields).unseen:
            whose = f"{fields[f'{dial}_stick']}'s {DIALS[dial].title} objection"
            yield Fault("D13", f"{whose} needs the dice: uncover them and give them with -d")
    elif any(face not in "123456" for face in dice):
        yield Fault("D5", f"dice show faces 1 to 6, not {dice[:40]!r}")
    elif len(dice) != rules["dice"]:
        yield Fault("D13", f"{len(dice)} dice are given, and {rules['dice']} are in the box")


def doubt(_state: State, _rules: Rules, _fields: Fields) -> Iterator[Fault]:
    """Nothing lawful here looks like a slip."""
    return iter(())


class Dial(NamedTuple):
    """One of the two dials: which way its ties go, and what its dice must show."""

    title: str
    sign: int
    """+1: most frequent, ties to the higher face; -1: least frequent, ties to the lower."""


DIALS: Mapping[str, Dial] = {"large": Dial("Large", 1), "small": Dial("Small", -1)}


def majority(dial: str, faces: list[int]) -> int:
    """The face with the most votes on a dial (D7)."""
    votes = Counter(faces)
    return max(votes, key=lambda face: (votes[face], DIALS[dial].sign * face))


def opinion(dial: str, dice: str) -> tuple[int, int]:
    """The true face of a dial and how many dice show it (D13)."""
    sign = DIALS[dial].sign
    lying = Counter(dice)
    face = max(lying, key=lambda each: (sign * lying[each], sign * int(each)))
    return int(face), lying[face]


class _Count:
    """One round, counted on construction: D8, then D10 to D15 for each dial."""

    def __init__(self, state: State, rules: Rules, fields: Fields) -> None:
        self.tally = Tally(state.scores)
        self.verdicts: dict[str, str] = {}
        self.majorities: dict[str, int] = {}
        self.unseen: str | None = None
        """The dial whose objection needs dice that were not given; nothing after it is judged."""
        self._rules = rules
        self._votes = {
            dial: {ballot["player"]: ballot[dial] for ballot in fields["ballots"]} for dial in DIALS
        }
        self._sticks = {dial: fields.get(f"{dial}_stick") for dial in DIALS}
        self._holds_both = self._sticks["large"] == self._sticks["small"]
        self._dice = fields.get("dice")
        for dial in DIALS:
            self._reward(dial)
        for dial, holder in self._sticks.items():
            if holder and dial not in self.verdicts and not self.unseen:
                self._object(dial, holder)

    def _voters(self, dial: str, face: int) -> list[str]:
        return [player for player, vote in self._votes[dial].items() if vote == face]

    def _reward(self, dial: str) -> None:
        """Pay the majority of a dial (D7, D8)."""
        face = self.majorities[dial] = majority(dial, list(self._votes[dial].values()))
        for player in self._voters(dial, face):
            text = f"with the {DIALS[dial].title} majority, {face}"
            self.tally.move(player, self._rules["majority"], "D8", text)

    def _object(self, dial: str, holder: str) -> None:
        """Judge one stick at its turn (D11, D12), and its objection if it stands."""
        title = DIALS[dial].title
        if self._votes[dial][holder] == self.majorities[dial]:
            self.verdicts[dial] = "majority"
            loss = -self._rules["majority_objector"]
            self.tally.move(holder, loss, "D11", f"objects to the {title} majority, being in it")
        elif self._in_need(dial, holder):
            self.verdicts[dial] = "invalid"
            self.tally.move(holder, 0, "D12", f"too little Popularity for the {title} objection")
        else:
            self._return(dial, holder)
            self._look(dial, holder)

    def _in_need(self, dial: str, holder: str) -> bool:
        """Whether the holder has too little for this stick (D12)."""
        has, need = self.tally.scores[holder], int(self._rules["need_one"])
        if not self._holds_both or has >= self._rules["need_two"]:
            return has < need
        if dial == "small":
            return has < need or self.verdicts["large"] == "invalid"
        strict = self._rules["both_at_need_one"] == "invalid"
        return has <= need if strict else has < need

    def _return(self, dial: str, holder: str) -> None:
        """Return the Small Stick to the table where the holder of both has too little (D12)."""
        short = self.tally.scores[holder] < self._rules["need_two"]
        if dial == "large" and self._holds_both and short:
            self.verdicts["small"] = "returned"
            self.tally.move(holder, 0, "D12", "too little Popularity for both: Small goes back")

    def _look(self, dial: str, holder: str) -> None:
        """Uncover the dice and settle an objection that stands (D13 to D15)."""
        if self._dice is None:
            self.unseen = dial
            return
        title, voted = DIALS[dial].title, self.majorities[dial]
        face, count = opinion(dial, self._dice)
        if face == voted:
            self.verdicts[dial] = "refuted"
            loss = -self._rules["objection_lost"]
            self.tally.move(holder, loss, "D15", f"{title} objection refuted: {face} it is")
            return
        self.verdicts[dial] = "right"
        gain, loss = self._rules["objection_won"], -self._rules["false_majority"]
        self.tally.move(holder, gain, "D14", f"{title} objection right: {face}, not {voted}")
        for player in self._voters(dial, voted):
            self.tally.move(player, loss, "D14", f"with the wrong {title} majority, {voted}")
        for player in self._voters(dial, face):
            show = "die shows" if count == 1 else "dice show"
            self.tally.move(player, count, "D14", f"voted {face} on {title}: {count} {show} it")


def score(state: State, rules: Rules, fields: Fields) -> Outcome:
    """Rewards, the Large and the Small objection, rulings; after the last round, the winners."""
    count = _Count(state, {**rules, **fields.get("overrides", {})}, fields)
    tally = count.tally
    tally.rule(fields.get("rulings", ()), "D17")
    facts = {f"{dial}_majority": face for dial, face in count.majorities.items()}
    after = state._replace(scores=tally.scores, played=state.played + 1)
    voted = ", ".join(f"{DIALS[dial].title} {face}" for dial, face in count.majorities.items())
    notes: tuple[Fault, ...] = (Fault("D7", f"Majorities: {voted}"),)
    if after.played == after.total:
        most = max(tally.scores[player] for player in state.seats)
        winners = tuple(player for player in state.seats if tally.scores[player] == most)
        after = after._replace(status="finished", winners=winners)
        share = "wins" if len(winners) == 1 else "share the win"
        notes += (Fault("D18", f"{listing(winners)} {share} with {most} Popularity"),)
    return Outcome(after, tuple(tally.awards), {**facts, "verdicts": count.verdicts}, notes)


def guide() -> Guide:
    """Load what is said and shown beside the score."""
    from pollctl.games.dice_democracy.guide import GUIDE

    return GUIDE


GAME = Game(
    id="dice-democracy",
    title="Dice Democracy",
    seats=(3, 6),
    role="chairperson",
    step=1,
    unit="Popularity",
    keys=KEYS,
    fields=FIELDS,
    ballot=BallotForm(BALLOT, read_ballot, show_ballot, "large and small face", "51"),
    seats_rule="D1",
    leave_rule="D20",
    over_rule="D19",
    turn_rule="D4",
    guide=guide,
    begin=begin,
    oppose=oppose,
    settle=settle,
    forbid=forbid,
    doubt=doubt,
    lacks=lacks,
    score=score,
)
