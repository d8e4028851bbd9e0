"""High Card: everybody shows a card, the highest scores; a third game, to see that one fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pollctl.game import (
    NOTE,
    BallotForm,
    Board,
    Cards,
    Clause,
    Field,
    Game,
    Guide,
    Key,
    Moment,
    Tally,
    rulings,
)
from pollctl.model import Fault, Fields, Outcome, Refused, Rules, State

CLAUSES = (
    Clause("H1", "players", "two to four", "As printed."),
    Clause("H2", "dealer", "the deal goes round to the left", "As printed."),
    Clause("H3", "card", "one card each, 1 to 9", "As printed."),
    Clause("H4", "point", "the highest card scores; shared, nobody", "As printed."),
    Clause("H5", "winner", "the first to reach the goal wins", "Nothing is played after that."),
)


def read_ballot(text: str) -> Fields:
    """Read a card."""
    if text not in tuple("123456789"):
        raise Refused("H3", f"a card is 1 to 9, not {text!r}")
    return {"card": int(text)}


def begin(_rules: Rules, players: tuple[str, ...], start: Mapping[str, int]) -> State:
    """Nobody has a point."""
    return State(players, {player: start.get(player, 0) for player in players})


def forbid(_state: State, _rules: Rules, fields: Fields) -> Iterator[Fault]:
    """Cards that can't be."""
    for ballot in fields["ballots"]:
        if ballot.get("card") not in range(1, 10):
            yield Fault("H3", f"{ballot['player']} has no card 1 to 9")


def nothing(*_values: object) -> Iterator[Fault]:
    """Nothing to object to."""
    return iter(())


def score(state: State, rules: Rules, fields: Fields) -> Outcome:
    """A point for the only highest card."""
    tally = Tally(state.scores)
    cards = {ballot["player"]: ballot["card"] for ballot in fields["ballots"]}
    best = [player for player, card in cards.items() if card == max(cards.values())]
    if len(best) == 1:
        tally.move(best[0], 1, "H4", "the highest card")
    tally.rule(fields.get("rulings", ()), "H4")
    won = tuple(player for player in state.seats if tally.scores[player] >= rules["goal"])
    status = "finished" if won else "playing"
    played = state.played + 1
    after = state._replace(scores=tally.scores, status=status, winners=won, played=played)
    return Outcome(after, tuple(tally.awards), {"highest": max(cards.values())}, ())


GUIDE = Guide(
    clauses=CLAUSES,
    setup=lambda _state, rules: (f"The first with {rules['goal']} points wins.",),
    moments=lambda _state, _rules, turn: (Moment((f"{turn} deals.",), "ballots"),),
    board=lambda rules: Board(rules["goal"]),
    slips=lambda ballot: ({**ballot, "card": card} for card in range(1, 10)),
    cards=Cards(
        "suit cards",
        ("suit",),
        check=lambda card: iter([] if "suit" in card else [Fault("H3", "a card has a suit")]),
        read=lambda line: {"suit": [line]},
        deal=lambda card, given: {} if "suit" in given else {"suit": card["suit"]},
        show=lambda card: iter([f"The suit is {card['suit']}"]),
    ),
)

GAME = Game(
    id="high-card",
    title="High Card",
    seats=(2, 4),
    role="dealer",
    step=1,
    unit="points",
    keys=(Key("goal", 3, "H5", "points to win", 1, aloud=True),),
    fields=(
        Field("dealer", "player", "who deals, if out of turn", "H2"),
        Field("suit", "word", "the suit of the round", "H3", words=("hearts", "spades")),
        Field("ballots", "ballots", "the cards", "H3"),
        rulings("H4"),
        NOTE,
    ),
    ballot=BallotForm("[0-9]", read_ballot, lambda ballot: str(ballot["card"]), "a card", "7"),
    seats_rule="H1",
    leave_rule="H1",
    over_rule="H5",
    turn_rule="H2",
    guide=lambda: GUIDE,
    begin=begin,
    oppose=nothing,
    settle=lambda fields: fields,
    forbid=forbid,
    doubt=nothing,
    lacks=lambda _state, _rules, _fields: "",
    score=score,
)
