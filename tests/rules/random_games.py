"""Lawful random games, crowded with the rarer branches of the rules, and the same ones altered."""

from __future__ import annotations

import random

from tests.rules.independent import (
    DEFAULTS,
    KEYS,
    SEATS,
    Moves,
    Table,
    Unlawful,
    after_round,
    dice_round,
    in_force,
    majority,
    opening,
    seated,
)

NAMES = ["Ann", "Ben", "Cai", "Dee", "Eli", "Fay", "Gus", "Hal"]


def random_game(rng: random.Random, game: str, *, seats: bool = False) -> Table:
    """Return a lawful random game, played to its end or for 25 rounds.

    With `seats`, players leave and join between rounds, and some do not begin at the start.
    """
    poll = game == "poll-game"
    players = rng.sample(NAMES, rng.choice([2, 3, 4, 5, 5, 6, 7, 8] if poll else [3, 4, 5, 6]))
    rules = random_rules(rng, game, len(players))
    first = rng.choice(players)
    start = random_start(rng, game, players, rules) if seats else {}
    told = {"game": game, "players": players, "first": first, "rules": rules, "start": start}
    state = opening(game, players, first, rules, start)
    rounds: list[Table] = []
    while len(rounds) < 25:
        changes = random_changes(rng, game, state) if seats else []
        state, _ = seated(game, rules, state, changes)
        if state["status"] == "finished" or len(state["seats"]) < 2:
            return {**told, "round": rounds, "finally": changes}
        given = (random_poll if poll else random_dice)(rng, rules, state)
        if rng.random() < 0.15:
            given["pollster" if poll else "chairperson"] = rng.choice(state["seats"])
        state = after_round(game, rules, state, given)
        rounds.append({**given, "before": changes} if seats else given)
    return {**told, "round": rounds}


def random_start(rng: random.Random, game: str, players: list[str], rules: Table) -> Table:
    """Return scores to begin with for some, none or all: in the centre several, or nobody."""
    top = rules.get("spaces", 11) if game == "poll-game" else 9
    some = rng.sample(players, rng.choice([0, 0, 1, len(players)]))
    start = {player: rng.choice([rng.randint(0, top), top]) for player in some}
    there = [player for player in some if start[player] == top]
    return start if game != "poll-game" or len(there) != 1 else {}


def random_changes(rng: random.Random, game: str, state: Table) -> list[Table]:
    """Return who leaves and joins before a round; often those who are breaking a tie."""
    changes: list[Table] = []
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3])):
        state, _ = seated(game, {}, state, changes[-1:])
        gone = [player for player in state["chairs"] if player not in state["seats"]]
        new = [player for player in NAMES if player not in state["chairs"]]
        room = len(state["seats"]) < SEATS[game][-1]
        coming = state["lapsed"] * 3 + gone + new[:1] if room else []
        if coming and rng.random() < (0.8 if state["lapsed"] else 0.5):
            joiner = rng.choice(coming)
            others = [player for player in state["chairs"] if player != joiner]
            beside = {"after": rng.choice(others)} if rng.random() < 0.5 else {}
            changes.append({"join": joiner, **beside})
        elif len(state["seats"]) > rng.choice([1, 2, 2, 2, 2, 2]):
            changes.append({"leave": rng.choice(state["contenders"] * 2 + state["seats"])})
    return changes


def altered(rng: random.Random, game: Table) -> Table:
    """Return the game with an early round changed or gone: later ones may be impossible now."""
    rounds = list(game["round"])
    if not rounds:
        return game
    place = rng.randrange(len(rounds))
    if changes := [*rounds[place].get("before", [])]:
        changes.pop(rng.randrange(len(changes)))
        rounds[place] = {**rounds[place], "before": changes}
        return {**game, "round": rounds}
    votes = [dict(vote) for vote in rounds[place]["ballots"]]
    if len(rounds) > 1 and rng.random() < 0.2:
        del rounds[place]
    elif game["game"] == "poll-game":
        vote = rng.choice(votes)
        vote["chip"] = "no" if vote["chip"] == "yes" else "yes"
        rounds[place] = {**rounds[place], "ballots": votes}
    else:
        rng.choice(votes)[rng.choice(["large", "small"])] = rng.randint(1, 6)
        rounds[place] = {**rounds[place], "ballots": votes}
    return {**game, "round": rounds}


def random_rules(rng: random.Random, game: str, seats: int) -> Table:
    """Return house rules, none of them at its default: often a short game."""
    chance = rng.choice([0.0, 0.2, 0.4, 0.7])
    rules = random_keys(rng, game, [k for k in KEYS[game] if rng.random() < chance])
    if game == "dice-democracy":
        rules |= random_keys(rng, game, ["start"])
        if rng.random() < 0.4:
            rules |= {"objection_lost": 7, "both_at_need_one": "invalid"}
        rules = affordable({}, rules)
    else:
        rules["spaces"] = rng.choice([1, 1, 1, 2, 2, 3, 4, rules.get("spaces", 11)])
        rules["tiebreak"] = rng.choice(["sole-correct", "knockout", "knockout"])
        if seats > 2 * rules.get("paths", 4):
            del rules["paths"]
    return {k: v for k, v in rules.items() if v != DEFAULTS[game][k]}


def random_keys(rng: random.Random, game: str, keys: list[str]) -> Table:
    """Return a value for each of the keys: small numbers, seldom an extreme one."""
    chosen: Table = {}
    for key in keys:
        allowed = KEYS[game][key][2]
        small = [n for n in (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9) if n in allowed]
        chosen[key] = rng.choice(small if small and rng.random() < 0.95 else allowed)
    return chosen


def affordable(under: Table, chosen: Table) -> Table:
    """Drop the chosen needs if they make two sticks cheaper than one (D12)."""
    now = {**DEFAULTS["dice-democracy"], **under, **chosen}
    lawful = now["need_one"] <= now["need_two"]
    return {k: v for k, v in chosen.items() if lawful or not k.startswith("need")}


def random_poll(rng: random.Random, rules: Table, state: Table) -> Table:
    """Return a lawful round of The Poll Game: many are right, many are fined."""
    players = state["seats"]
    leaning, insight = rng.choice([0.1, 0.5, 0.9]), rng.choice([0.1, 0.4, 0.6, 0.9])
    chips = {p: "yes" if rng.random() < leaning else "no" for p in players}
    votes: list[Table] = [{"player": p, "chip": chips[p]} for p in players]
    yes = list(chips.values()).count("yes")
    for vote in votes:
        if vote["player"] in (state["contenders"] or players):
            vote["card"] = yes if rng.random() < insight else rng.randint(0, 8)
    chance = rng.choice([0, 0, 0.2, 0.4, 0.9 if state["contenders"] else 0])
    both = [(p, kind) for p in players for kind in ("chip", "answer")]
    fined = [{"player": p, "kind": k} for p, k in both if rng.random() < chance]
    given: Table = {"ballots": votes, "penalties": rng.sample(fined, len(fined))}
    if rng.random() < (0.6 if state["contenders"] else 0.15):
        moves = random_moves(rng, players, fined, rules, state)
        given["rulings"] = [{"player": p, "change": n, "reason": "as agreed"} for p, n in moves]
    return given


def random_moves(
    rng: random.Random, players: list[str], fined: list[Table], rules: Table, state: Table
) -> Moves:
    """Carry some or all of a group out of the centre or into it, or forgive fines."""
    centre, old = rules.get("spaces", 11), state["contenders"] or players
    left = any(state["at"][p] == centre for p in players if p not in old)
    if left and rng.random() < 0.8:
        out = rng.sample(old, len(old) - rng.choice([0, 0, 1]))
        return [(player, -centre) for player in out]  # those knocked out remain
    if fined and rng.random() < 0.4:
        forgiven = rng.sample(fined, rng.choice([1, 1, len(fined)]))
        return [(one["player"], rules.get("penalty", 1)) for one in forgiven]
    group = rng.choice([players, old, old, [p for p in players if p not in old]])
    chance, flip = rng.choice([0.3, 0.6, 1]), rng.choice([0, 0, 0.5])
    moves = []
    for player in rng.sample(group, len(group)):
        there = state["at"][player] == centre
        change = rng.choice([1, centre, centre])
        if rng.random() < chance:
            moves.append((player, -change if there != (rng.random() < flip) else change))
    return moves


def random_dice(rng: random.Random, rules: Table, state: Table) -> Table:
    """Return a lawful round of Dice Democracy, mostly with objections."""
    players = state["seats"]
    faces = rng.sample(range(1, 7), rng.choice([2, 2, 3, 6]))
    votes = [{d: rng.choice(faces) for d in ("large", "small")} for _ in players]
    given: Table = {"ballots": [{"player": p, **v} for p, v in zip(players, votes, strict=True)]}
    given |= random_sticks(rng, players, votes)
    if rng.random() < 0.15:
        cards = [key for key in KEYS["dice-democracy"] if key not in ("start", "rounds")]
        some = random_keys(rng, "dice-democracy", rng.sample(cards, rng.randint(1, 3)))
        given |= {"rule_card": "A card", "overrides": affordable(rules, some)}
    if rng.random() < 0.15:
        change, player = rng.choice([-100, -3, -1, 1, 3, 6]), rng.choice(players)
        given["rulings"] = [{"player": player, "change": change, "reason": "as agreed"}]
    count = in_force("dice-democracy", rules, given.get("overrides"))["dice"]
    shape = rng.choice([faces, faces, range(1, 7)])
    dice = "".join(str(rng.choice(shape)) for _ in range(count))
    if rng.random() < 0.1:
        given["dice"] = dice
    try:
        dice_round(rules, state, given)
    except Unlawful:  # D13: they are needed
        given["dice"] = dice
    return given


def random_sticks(rng: random.Random, players: list[str], votes: list[dict[str, int]]) -> Table:
    """Let one player take both sticks, two players one each, or only one be taken."""
    face = {d: majority(d, [v[d] for v in votes]) for d in ("large", "small")}
    few = {d: [p for p, v in zip(players, votes, strict=True) if v[d] != face[d]] for d in face}
    few["both"] = [p for p in few["large"] if p in few["small"]]
    one, other, both = (
        rng.choice(few[who] if few[who] and rng.random() < 0.7 else players)
        for who in ("large", "small", "both")
    )
    taken = rng.choice([(both, both)] * 2 + [(one, other)] * 3 + [(one, ""), ("", other)])
    sticks = {"large_stick": taken[0], "small_stick": taken[1]}
    return {stick: who for stick, who in sticks.items() if who and rng.random() < 0.97}
