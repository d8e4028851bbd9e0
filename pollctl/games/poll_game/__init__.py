"""The Poll Game: guess how many will say Yes, and reach the centre of the board first."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from pollctl.game import NOTE, BallotForm, Field, Game, Guide, Key, Tally, rulings
from pollctl.model import Fault, Fields, Outcome, Refused, Rules, State
from pollctl.text import brief, listing

MOMENTS = ("before-count", "after-count")

KEYS = (
    Key("spaces", 11, "P2", "spaces from Start to the centre", 1, aloud=True),
    Key("paths", 4, "P3", "paths on the board", 1, 8),
    Key("advance", 1, "P8", "spaces for everyone who is right", 0, 10),
    Key("sole_advance", 2, "P9", "spaces for the only one who is right", 0, 10),
    Key("penalty", 1, "P10", "spaces back for a penalty of either kind", 0, 10),
    Key("chip_penalty", MOMENTS[0], "P10", "when a chip mistake is taken", words=MOMENTS),
    Key("answer_penalty", MOMENTS[1], "P11", "when a wrong answer is taken", words=MOMENTS[::-1]),
    Key("tiebreak", "sole-correct", "P16", "who goes on", words=("sole-correct", "knockout")),
)

CATEGORIES = ("Current Events", "Food & Drink", "Money", "Relationships")
SOURCES = ("card", "off-board", "choice")

FIELDS = (
    Field("pollster", "player", "who asks, if out of turn", "P4"),
    Field("source", "word", "where the question is from", "P5", words=SOURCES),
    Field("category", "word", "of a Pollster's Choice card", "P5", words=CATEGORIES),
    Field("question", "text", "the question asked", "P5", short="q", ask="Question"),
    Field("ballots", "ballots", "a Voting Card and a chip", "P7"),
    Field(
        "penalties",
        "moves",
        "a chip mistake or a wrong answer",
        "P18",
        option="penalty",
        short="p",
        words=("chip", "answer"),
        ask="Penalties, as ben=chip;ann=answer",
    ),
    rulings("P13"),
    NOTE,
)

CARDS = range(9)

PENALTIES = {
    "chip": ("P10", "chip_penalty", "chip wrong side up"),
    "answer": ("P11", "answer_penalty", "wrong answer"),
}

CHIPS = dict.fromkeys(("y", "yes", "g", "green"), "yes") | dict.fromkeys(
    ("n", "no", "r", "red"), "no"
)


def read_ballot(text: str) -> Fields:
    """Read `3y`, `4no`, or `y` for a ballot without a card; raises Refused (P6, P7)."""
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    chip = CHIPS.get(text[len(digits) :].casefold())
    if chip is None:
        raise Refused("P7", f"{brief(text)} has no chip: y or n stands after the card, as in 3y")
    if len(digits) > 1 or digits == "9":
        raise Refused("P6", f"there is no Voting Card {digits[:20]}: cards are 0 to 8, as in 3y")
    return {"card": int(digits), "chip": chip} if digits else {"chip": chip}


def show_ballot(ballot: Fields) -> str:
    """Write a ballot as `3y`, or `y` without a card."""
    return f"{ballot.get('card', '')}{str(ballot.get('chip', '?'))[:1]}"


def begin(rules: Rules, players: tuple[str, ...], start: Mapping[str, int]) -> State:
    """Put everyone on Start (P2), or where a game is taken over, a tie in the centre included."""
    state = State(players, {player: start.get(player, 0) for player in players})
    verdict, _ = _arrive(_there(state, rules, state.scores))
    return State(players, state.scores, *verdict)


def oppose(rules: Rules, state: State) -> Iterator[Fault]:
    """More players than the paths hold (P3), a beginning off the board (P12) or at the end."""
    players, centre = len(state.seats), rules["spaces"]
    if players > 2 * rules["paths"]:
        yield Fault("P3", f"{players} players need more than {rules['paths']} paths: two share one")
    for player, place in state.scores.items():
        if not 0 <= place <= centre:
            yield Fault("P12", f"{player} can't start on {place}: the centre is on {centre}")
    if state.winners:
        yield Fault("P14", f"{state.winners[0]} is in the centre alone: nothing is left to play")


def settle(fields: Fields) -> Fields:
    """Take a category to mean a Pollster's Choice card (P5)."""
    if "category" in fields and "source" not in fields:
        return {**fields, "source": "choice"}
    return fields


def lacks(_state: State, _rules: Rules, _fields: Fields) -> str:
    """Nothing: ballots are all that a round needs."""
    return ""


def forbid(state: State, _rules: Rules, fields: Fields) -> Iterator[Fault]:
    """Cards and chips that can't be (P6, P7, P15), penalties twice (P18), a category apart (P5)."""
    for ballot in fields["ballots"]:
        if ballot.get("chip") not in ("yes", "no"):
            yield Fault("P7", f"{ballot['player']}'s chip is neither yes nor no")
        card = ballot.get("card")
        if state.contenders or type(card) is not int or card not in CARDS:
            yield from _forbid_card(state, ballot["player"], card)
    if (fields.get("source") == "choice") != ("category" in fields):
        yield Fault("P5", "source choice goes with a category, and a category with no other source")
    if penalties := fields.get("penalties"):
        yield from _forbid_twice(penalties)


def _forbid_card(state: State, player: str, card: object) -> Iterator[Fault]:
    if state.contenders and player not in state.contenders:
        if card is not None:
            who = listing(state.contenders)
            text = f"{player} plays no card: only {who} break the tie; give the chip alone"
            yield Fault("P15", text)
    elif card is None:
        text = f"{player} owes a Voting Card: 0 to 8 before the chip, as in 3y"
        yield Fault("P15" if state.contenders else "P6", text)
    elif type(card) is not int or card not in CARDS:
        yield Fault("P6", f"{player} has no Voting Card {card}: cards are 0 to 8")


def _forbid_twice(penalties: Sequence[Fields]) -> Iterator[Fault]:
    taken = set()
    for penalty in penalties:
        each = (penalty["player"], penalty["kind"])
        if each in taken:
            yield Fault("P18", f"{each[0]} has the {each[1]} penalty of this round already")
        taken.add(each)


def doubt(state: State, _rules: Rules, fields: Fields) -> Iterator[Fault]:
    """Predictions that can't be right (P6), both penalties for one player (P18)."""
    seated = len(state.seats)
    for ballot in fields["ballots"]:
        if ballot.get("card", 0) > seated:
            text = f"{ballot['player']} predicts {ballot['card']} Yes among {seated} players"
            yield Fault("P6", text)
    fined = [penalty["player"] for penalty in fields.get("penalties", ())]
    for player in state.seats:
        if fined.count(player) > 1:
            yield Fault("P18", f"{player} has both penalties in one round: one fault, or two?")


def score(state: State, rules: Rules, fields: Fields) -> Outcome:
    """Penalties before the count, count, penalties after it, rulings, then P14 to P16."""
    tally = Tally(state.scores, rules["spaces"])
    _penalise(tally, state, rules, fields, "before-count")
    count = sum([ballot["chip"] == "yes" for ballot in fields["ballots"]])
    right = [ballot["player"] for ballot in fields["ballots"] if ballot.get("card") == count]
    counting = _there(state, rules, tally.scores)
    if not state.contenders:
        _advance(tally, rules, right, count)
    _penalise(tally, state, rules, fields, "after-count")
    tally.rule(fields.get("rulings", ()), "P13")
    there = _there(state, rules, tally.scores)
    if state.contenders:
        verdict, decided = _decide(state, rules, there, counting, right)
    else:
        verdict, decided = _arrive(there)
    status, winners, contenders = verdict
    after = state._replace(
        scores=tally.scores,
        status=status,
        winners=winners,
        contenders=contenders,
        played=state.played + 1,
        away=state.away if status == "tie-break" else (),
    )
    facts, counted = _counted(count)
    return Outcome(after, tuple(tally.awards), facts, (counted, *decided))


@cache
def _counted(count: int) -> tuple[Fields, Fault]:
    """What was counted, one value for all the rounds of a session that counted it."""
    return {"count": count}, Fault("P7", f"{count} said Yes")


def _there(state: State, rules: Rules, scores: Mapping[str, int]) -> tuple[str, ...]:
    """Who is in the centre, in seating order."""
    centre = rules["spaces"]
    if centre not in scores.values():
        return ()
    return tuple(player for player in state.seats if scores[player] == centre)


Verdict = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Status, winners and contenders after a round."""

PLAYING: Verdict = ("playing", (), ())


def _penalise(tally: Tally, state: State, rules: Rules, fields: Fields, moment: str) -> None:
    """Take the penalties of one moment in seating order (P10, P11, P18)."""
    penalties = fields.get("penalties")
    if not penalties:
        return
    for penalty in sorted(penalties, key=lambda each: state.seats.index(each["player"])):
        rule, key, text = PENALTIES[penalty["kind"]]
        if rules[key] == moment:
            start = ", still on Start: no penalty" if tally.scores[penalty["player"]] == 0 else ""
            tally.move(penalty["player"], -rules["penalty"], rule, text + start)


def _advance(tally: Tally, rules: Rules, right: Sequence[str], count: int) -> None:
    """Move those who predicted the count (P8), or the only one who did (P9)."""
    if len(right) == 1:
        tally.move(right[0], rules["sole_advance"], "P9", f"the only one to predict {count} Yes")
    else:
        for player in right:
            tally.move(player, rules["advance"], "P8", f"predicted {count} Yes")


def _arrive(there: tuple[str, ...]) -> tuple[Verdict, tuple[Fault, ...]]:
    """Judge who is in the centre after a round of normal play (P14, P15)."""
    if not there:
        return PLAYING, ()
    if len(there) == 1:
        return ("finished", there, ()), (Fault("P14", f"{there[0]} reaches the centre and wins"),)
    return ("tie-break", (), there), (Fault("P15", f"{listing(there)} tie in the centre"),)


def _decide(
    state: State,
    rules: Rules,
    there: tuple[str, ...],
    counting: Sequence[str],
    right: Sequence[str],
) -> tuple[Verdict, tuple[Fault, ...]]:
    """Judge a round of a tie-break (P16) by who is in the centre, whose cards counted and hit."""
    stay = _stayers(state, rules, there)
    hits = [player for player in stay if player in right and player in counting]
    if not stay:
        return PLAYING, (Fault("P16", "Nobody is left in the centre: play returns to normal"),)
    for alone, text in ((stay, "alone in the centre"), (hits, "the only contender to be right")):
        if len(alone) == 1:
            return ("finished", (alone[0],), ()), (Fault("P16", f"{alone[0]} wins: {text}"),)
    if rules["tiebreak"] == "knockout" and hits:
        stay = tuple(player for player in stay if player in hits or player not in counting)
    return ("tie-break", (), stay), (Fault("P16", f"{listing(stay)} still tie"),)


def _stayers(state: State, rules: Rules, there: tuple[str, ...]) -> tuple[str, ...]:
    """The contenders still in the centre and who has newly got there; if nobody, who is there."""
    centre = rules["spaces"]
    return tuple(p for p in there if p in state.contenders or state.scores[p] != centre) or there


def guide() -> Guide:
    """Load what is said and shown beside the score."""
    from pollctl.games.poll_game.guide import GUIDE

    return GUIDE


BALLOT = "card and chip; in a tie-break, who does not contend gives the chip alone"

GAME = Game(
    id="poll-game",
    title="The Poll Game",
    seats=(2, 8),
    role="pollster",
    step=-1,
    unit="spaces",
    keys=KEYS,
    fields=FIELDS,
    ballot=BallotForm(
        r"[0-9]*(?:yes|no|green|red|[yngr])",
        read_ballot,
        show_ballot,
        BALLOT,
        "3y",
    ),
    seats_rule="P1",
    leave_rule="P19",
    over_rule="P17",
    turn_rule="P4",
    guide=guide,
    begin=begin,
    oppose=oppose,
    settle=settle,
    forbid=forbid,
    doubt=doubt,
    lacks=lacks,
    score=score,
)
