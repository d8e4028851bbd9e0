"""A second scorer of both games, written from the clauses alone, to hold the program to.

It shares no code with the program and can be checked against the clauses (P1 to P19, D1 to D20)
with a finger on the page. A game is a list of rounds, each with who left and joined before it.
Scores are plain tables in the order of the chairs, empty ones included; whatever happens in a round
is a list of moves, each a player and a change, and the scores are those moves made one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

Table = dict[str, Any]
Scores = dict[str, int]
Moves = list[tuple[str, int]]

SEATS = {"poll-game": range(2, 9), "dice-democracy": range(3, 7)}  # P1, D1
MOMENTS = ("before-count", "after-count")
NUMBER = range(101)
NO_TOP = 10**9

# Every key: the clause that names it, its default, and the values it may have.
KEYS: dict[str, dict[str, tuple[str, int | str, Sequence[Any]]]] = {
    "poll-game": {
        "spaces": ("P2", 11, range(1, 101)),
        "paths": ("P3", 4, range(1, 9)),
        "advance": ("P8", 1, range(11)),
        "sole_advance": ("P9", 2, range(11)),
        "penalty": ("P10", 1, range(11)),
        "chip_penalty": ("P10", "before-count", MOMENTS),
        "answer_penalty": ("P11", "after-count", MOMENTS),
        "tiebreak": ("P16", "sole-correct", ("sole-correct", "knockout")),
    },
    "dice-democracy": {
        "start": ("D2", 3, NUMBER),
        "rounds": ("D3", 0, NUMBER),
        "dice": ("D5", 14, range(1, 101)),
        "majority": ("D8", 1, NUMBER),
        "majority_objector": ("D11", 4, NUMBER),
        "need_one": ("D12", 3, NUMBER),
        "need_two": ("D12", 6, NUMBER),
        "both_at_need_one": ("D12", "large-only", ("large-only", "invalid")),
        "objection_won": ("D14", 1, NUMBER),
        "false_majority": ("D14", 1, NUMBER),
        "objection_lost": ("D15", 3, NUMBER),
    },
}
DEFAULTS: dict[str, dict[str, int | str]] = {
    game: {key: about[1] for key, about in keys.items()} for game, keys in KEYS.items()
}


class Unlawful(Exception):
    """A game or a round that a clause forbids: its one argument is the clause's id."""


def demand(lawful: object, clause: str) -> None:
    """Refuse what the clause does not allow."""
    if not lawful:
        raise Unlawful(clause)


def play(  # noqa: PLR0913, PLR0917 - a game is so many things
    game: str,
    players: list[str],
    first: str,
    rules: Table,
    rounds: list[Table],
    start: Table | None = None,
) -> list[Table]:
    """Score the rounds and tell what holds after each; one that is unlawful is passed over.

    One without ballots is none: only those leave and join who do so before it. The clauses of those
    who could not are the `strays`.
    """
    state = opening(game, players, first, rules, start or {})
    told = []
    for given in rounds:
        problem = ""
        state, strays = seated(game, rules, state, given.get("before", []))
        try:
            if "ballots" in given:
                state = after_round(game, rules, state, given)
        except Unlawful as error:
            problem = str(error)
        told.append({**state, "next": due(game, state), "problem": problem, "strays": strays})
    return told


# ---------------------------------------------------------------- in both games


def opening(game: str, players: list[str], first: str, rules: Table, start: Table) -> Table:
    """Return what holds before the first round (P1, P3, P4, D1, D2, D4)."""
    poll = game == "poll-game"
    demand(len(players) in SEATS[game], "P1" if poll else "D1")
    demand(len(set(players)) == len(players), "P1" if poll else "D1")
    demand(first in players, "P4" if poll else "D4")
    now = in_force(game, rules)
    demand(not poll or len(players) <= 2 * now["paths"], "P3")
    at: Scores = dict.fromkeys(players, 0 if poll else now["start"]) | start
    top: int = now["spaces"] if poll else NO_TOP
    demand(all(0 <= score <= top for score in at.values()), "P12" if poll else "D2")
    there = [p for p in players if at[p] == top]
    demand(len(there) != 1, "P14")
    told = {"status": "tie-break" if there else "playing", "winners": [], "contenders": there}
    seats = {"seats": players, "chairs": players, "lapsed": []}
    total = now.get("rounds") or (6 if len(players) == 3 else len(players))  # D3, D20
    played = {"turn": "", "first": first, "played": 0, "total": total}
    return {**told, **seats, **played, "at": at, "scores": list(at.values())}


def seated(game: str, rules: Table, before: Table, changes: list[Table]) -> tuple[Table, list[str]]:
    """Return what holds once all have left and joined, and the clauses of those who can't."""
    state, strays = before, []
    for change in changes if before["status"] != "finished" else []:
        try:
            if state["status"] != "finished":
                state = (left if "leave" in change else joined)(game, rules, state, change)
        except Unlawful as error:
            strays.append(str(error))
    return {**state, "scores": list(state["at"].values())}, strays


def left(game: str, _rules: Table, before: Table, change: Table) -> Table:
    """P19, D20: no ballot, no turn, out of a tie-break; the marker stays where it is."""
    player, clause = change["leave"], "P19" if game == "poll-game" else "D20"
    demand(player in before["seats"], clause)
    demand(len(before["seats"]) > 1, clause)
    state = {**before, "seats": [p for p in before["seats"] if p != player]}
    if player not in before["contenders"]:
        return state
    rest = [p for p in before["contenders"] if p != player]
    if len(rest) == 1:  # "One contender left by a leaving: wins at once."
        return {**state, "status": "finished", "winners": rest, "contenders": []}
    return {**state, "contenders": rest, "lapsed": [*before["lapsed"], player]}


def joined(game: str, rules: Table, before: Table, change: Table) -> Table:
    """P19, D20: at the remembered place, else at the start, last or after a named player."""
    player, beside = change["join"], change.get("after")
    poll = game == "poll-game"
    demand(player not in before["seats"], "P19" if poll else "D20")
    demand(len(before["seats"]) < SEATS[game][-1], "P1" if poll else "D1")
    chairs = [p for p in before["chairs"] if p != player]
    demand(beside is None or beside in chairs, "P19" if poll else "D20")
    chairs.insert(len(chairs) if beside is None else chairs.index(beside) + 1, player)
    new = 0 if poll else in_force(game, rules)["start"]
    at = {p: before["at"].get(p, new) for p in chairs}
    seats = [p for p in chairs if p in before["seats"] or p == player]
    back = [player] if player in before["lapsed"] else []  # in the centre when it began
    contenders = [p for p in chairs if p in before["contenders"] + back]
    lapsed = [p for p in before["lapsed"] if p != player]
    held = {"contenders": contenders, "lapsed": lapsed}
    return {**before, **held, "chairs": chairs, "seats": seats, "at": at}


def due(game: str, state: Table) -> str:
    """Whose turn comes: on from the last one's chair, empty ones passed over (P4, D4, P19, D20)."""
    if state["status"] == "finished":
        return ""
    step = -1 if game == "poll-game" else +1  # P4: the previous player; D4: the next one
    chairs: list[str] = state["chairs"][::step]
    at = chairs.index(state["turn"]) + 1 if state["turn"] else chairs.index(state["first"])
    return next(p for p in chairs[at:] + chairs[:at] if p in state["seats"])


def in_force(game: str, rules: Table, overrides: Table | None = None) -> Table:
    """Return every key's value: default, then house rules, then the card's (D16)."""
    for key in overrides or {}:
        demand(key in KEYS[game] and key not in ("start", "rounds"), "D16")
    now: Table = {**DEFAULTS[game], **rules, **(overrides or {})}
    for key, value in now.items():
        clause, _, allowed = KEYS[game][key]
        demand(value in allowed, clause)
    demand(now.get("need_one", 0) <= now.get("need_two", 0), "D12")
    return now


def after_round(game: str, rules: Table, before: Table, given: Table) -> Table:
    """Return what holds after one more round."""
    poll = game == "poll-game"
    demand(before["status"] != "finished", "P17" if poll else "D19")
    players = before["seats"]
    demand(len(players) > 1, "P19" if poll else "D20")
    turn = given.get("pollster" if poll else "chairperson") or due(game, before)
    demand(turn in players, "P4" if poll else "D4")
    state = {**before, **(poll_round if poll else dice_round)(rules, before, given)}
    return {
        **state,
        "played": before["played"] + 1,
        "scores": list(state["at"].values()),
        "turn": turn,
        "lapsed": before["lapsed"] if state["status"] == "tie-break" else [],
    }


def moved(at: Scores, moves: Moves, top: int = NO_TOP) -> Scores:
    """Make the moves one after the other, each cut at 0 and at the top (P12)."""
    after = dict(at)
    for player, change in moves:
        after[player] = min(max(after[player] + change, 0), top)
    return after


def ballots(players: list[str], given: Table, clause: str) -> dict[str, Table]:
    """Return the ballot of each player: one each in seating order, and nobody else's."""
    demand([ballot["player"] for ballot in given["ballots"]] == players, clause)
    return {ballot["player"]: ballot for ballot in given["ballots"]}


def rulings(players: list[str], given: Table, clause: str) -> Moves:
    """Return the rulings' moves, as recorded (P13, D17)."""
    made = [(ruling["player"], ruling["change"]) for ruling in given.get("rulings", [])]
    demand(all(player in players for player, _ in made), clause)
    return made


# ---------------------------------------------------------------- The Poll Game


def poll_round(rules: Table, before: Table, given: Table) -> Table:
    """Penalties, count and advances, penalties, rulings, then P14-P16."""
    now = in_force("poll-game", rules)
    players, centre, contenders = before["seats"], now["spaces"], before["contenders"]
    votes = ballots(players, given, "P7")
    check_votes(votes, contenders)
    check_question(given.get("source"), given.get("category"))
    yes = sum(vote["chip"] == "yes" for vote in votes.values())  # P7: as it lies
    right = [p for p in players if votes[p].get("card") == yes]
    early, late = (penalties(players, now, given, moment) for moment in MOMENTS)
    at_count = moved(before["at"], early, centre)
    pace = now["sole_advance"] if len(right) == 1 else now["advance"]  # P9, P8
    advances = [] if contenders else [(p, pace) for p in right]  # P15
    at = moved(at_count, advances + late + rulings(players, given, "P13"), centre)
    if contenders:
        winners, left = break_tie(now, before, at_count, at, right)
    else:
        there = [p for p in players if at[p] == centre]
        winners, left = (there, []) if len(there) == 1 else ([], there)  # P14, P15
    status = "finished" if winners else "tie-break" if left else "playing"
    told = {"status": status, "winners": winners, "contenders": left}
    return {"at": at, "yes": yes, **told}


def check_votes(votes: dict[str, Table], contenders: list[str]) -> None:
    """Demand a chip from all, a card from all or from all contenders (P6, P7, P15)."""
    for player, vote in votes.items():
        demand(vote.get("chip") in ("yes", "no"), "P7")
        card = vote.get("card")
        if contenders:
            demand((card is not None) == (player in contenders), "P15")
        else:
            demand(card is not None, "P6")
        demand(card is None or 0 <= card <= 8, "P6")


def check_question(source: str | None, category: str | None) -> None:
    """Demand a category with `choice`, and only there (P5)."""
    demand(source in (None, "card", "off-board", "choice"), "P5")
    if source == "choice":
        demand(category in ("Current Events", "Food & Drink", "Money", "Relationships"), "P5")
    else:
        demand(category is None, "P5")


def penalties(players: list[str], now: Table, given: Table, moment: str) -> Moves:
    """Return the moves of the penalties taken at this moment (P10, P11, P18)."""
    kinds = [(one["player"], one["kind"]) for one in given.get("penalties", [])]
    demand(len(set(kinds)) == len(kinds), "P18")
    demand(all(p in players and k in ("chip", "answer") for p, k in kinds), "P18")
    taken = [(p, k) for p, k in kinds if now[k + "_penalty"] == moment]
    taken.sort(key=lambda one: players.index(one[0]))
    return [(player, -now["penalty"]) for player, _ in taken]


def break_tie(
    now: Table, before: Table, at_count: Scores, at: Scores, right: list[str]
) -> tuple[list[str], list[str]]:
    """Return the winner, if there is one, and else who goes on (P16)."""
    centre, old = now["spaces"], before["contenders"]
    there = [p for p in before["seats"] if at[p] == centre]
    # "those of them still in the centre", "and anyone who was not there when the round
    # began" (in a tie-break only a ruling moves forward); "if that is nobody, then
    # whoever is in the centre", which is those whom a knockout left standing there.
    them = [p for p in there if p in old or before["at"][p] != centre] or there
    if len(them) < 2:
        return them, []  # one wins, right or wrong; nobody: back to normal
    counted = [p for p in them if p in old and at_count[p] == centre]
    hits = [p for p in counted if p in right]
    if len(hits) == 1:
        return hits, []
    if now["tiebreak"] == "knockout" and hits:
        them = [p for p in them if p in hits or p not in counted]
    return [], them


# ---------------------------------------------------------------- Dice Democracy


def dice_round(rules: Table, before: Table, given: Table) -> Table:
    """D8 Large, D8 Small, Large objection, Small objection, rulings, D18."""
    now, players = in_force("dice-democracy", rules, given.get("overrides")), before["seats"]
    votes = ballots(players, given, "D6")
    face: dict[str, int] = {}
    at = before["at"]
    for dial in ("large", "small"):
        demand(all(vote.get(dial) in range(1, 7) for vote in votes.values()), "D6")
        face[dial] = majority(dial, [vote[dial] for vote in votes.values()])
        voters = [p for p in players if votes[p][dial] == face[dial]]
        at = moved(at, [(p, now["majority"]) for p in voters])  # D8
    at, verdicts = objections(now, given, votes, face, at)
    at = moved(at, rulings(players, given, "D17"))
    over = before["played"] + 1 >= before["total"]
    winners = [p for p in players if over and at[p] == max(at[q] for q in players)]  # D18
    told = {"status": "finished" if over else "playing", "winners": winners}
    majorities = {dial + "_majority": face[dial] for dial in face}
    return {"at": at, "contenders": [], "verdicts": verdicts, **told, **majorities}


def majority(dial: str, faces: list[int]) -> int:
    """D7: the face with most votes; a tie goes higher for Large, lower for Small."""
    votes, sign = Counter(faces), 1 if dial == "large" else -1
    return max(votes, key=lambda face: (votes[face], sign * face))


def objections(
    now: Table, given: Table, votes: dict[str, Table], face: dict[str, int], at: Scores
) -> tuple[Scores, dict[str, str]]:
    """D10-D15: the Large objection, then the Small one on what that left."""
    dice = shown(now, given)
    verdicts: dict[str, str] = {}
    large, small = given.get("large_stick"), given.get("small_stick")
    fate = ""  # what D12 on the Large Stick has decided for the Small one
    for dial, holder in (("large", large), ("small", small)):
        if not holder:
            continue
        demand(holder in votes, "D9")
        verdict = "returned" if fate == "returned" else ""
        if not verdict and votes[holder][dial] == face[dial]:
            verdict = "majority"
        if not verdict and dial == "large" and large == small:
            verdict, fate = need_of_both(now, at[holder])
        elif not verdict:
            verdict = fate or ("invalid" if at[holder] < now["need_one"] else "")
        demand(verdict or dice, "D13")  # it got this far: uncover
        true = true_face(dial, dice)
        verdict = verdict or ("refuted" if face[dial] == true else "right")
        wrong = [player for player, vote in votes.items() if vote[dial] == face[dial]]
        paid = [(p, dice.count(true)) for p, vote in votes.items() if vote[dial] == true]
        at = moved(at, settled(now, holder, verdict, wrong, paid))
        verdicts[dial] = verdict
    return at, verdicts


def shown(now: Table, given: Table) -> list[int]:
    """Return the dice, if given: as many as there are, of faces 1-6 (D5, D13)."""
    dice = str(given.get("dice") or "")
    demand(all(die in "123456" for die in dice), "D5")
    demand(len(dice) in (0, now["dice"]), "D13")
    return [int(die) for die in dice]


def need_of_both(now: Table, have: int) -> tuple[str, str]:
    """D12: the Large Stick's verdict and the Small one's fate, one holding both."""
    if have >= now["need_two"]:
        return "", ""
    if have == now["need_one"] and now["both_at_need_one"] == "invalid":
        return "invalid", "invalid"
    return ("", "returned") if have >= now["need_one"] else ("invalid", "")


def true_face(dial: str, dice: list[int]) -> int:
    """D13: most dice, ties higher; or fewest, at least one, ties lower."""
    lie, pick = Counter(dice), max if dial == "large" else min
    return pick(lie, key=lambda face: (lie[face], face), default=0)


def settled(now: Table, holder: str, verdict: str, wrong: list[str], paid: Moves) -> Moves:
    """Return the moves that a verdict brings (D11, D14, D15)."""
    if verdict == "majority":
        return [(holder, -now["majority_objector"])]
    if verdict == "refuted":
        return [(holder, -now["objection_lost"])]
    if verdict != "right":
        return []
    losses = [(player, -now["false_majority"]) for player in wrong]
    return [(holder, now["objection_won"]), *losses, *paid]
