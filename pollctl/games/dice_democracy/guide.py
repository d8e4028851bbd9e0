"""Dice Democracy at the table: its clauses, what the host says, its piles."""

from collections.abc import Iterator

from pollctl.game import Board, Guide, Moment, read_clauses
from pollctl.games.dice_democracy.cards import CARDS
from pollctl.model import Fields, Rules, State

CLAUSES = read_clauses("""
D1 players | dials for six; three is the smallest number named
Three to six.

D2 start | three Popularity each
As printed.

D3 rounds | as many as players; with three players, six
Rounds are counted, whoever chaired them. With `rounds` = 0 their number is the printed one, from
the players at the opening.

D4 chairperson | chosen at random; then the player to the left
The next player in seating order, counted from the last round that stands. Another chairperson is
lawful and a warning.

D5 survey | 14 dice, counted to three, covered; cast again when a die leaves the box
Faces 1 to 6, the irregular die's too. Casts thrown again are counted as recasts.

D6 votes | Large Dial: the most frequent face; Small Dial: the least frequent
Each player turns one of each, 1 to 6.

D7 majority | the number with the most votes; in a tie the higher on Large, the lower on Small
As printed.

D8 reward | each player who showed the majority number receives 1
Once a dial: Large, then Small, both before any objection, so that both count towards the need of
D12. The bank never runs out.

D9 sticks | the quickest takes Large, Small, or both
At most one holder each.

D10 order | Large, then Small
The Small objection sees the Popularity the Large one left.

D11 majority objector | one in that dial's majority loses 4, or what there is; the rest is skipped
The stick is then spent. Verdict `majority`.

D12 need | 3 for one stick, 6 for two; between, the Small one goes back; without it, invalid
Judged at each stick's turn, after D11. For Large in the hand that holds both: from `need_two` on,
both stand; from `need_one` on, Large stands and Small is `returned`, as if never taken; with
less, `invalid`. Any other stick: `invalid` below `need_one`. Who holds both and falls under D11
or the need on Large has Small judged by itself. Exactly 3 is enough; with `both_at_need_one` =
`invalid` it is too little for both, and both are invalid, but for D11 on Small.

D13 opinion | uncover: was the majority's number the true one?
Large: the face on most dice, ties to the higher. Small: the face on fewest dice, at least one,
ties to the lower. The dice are needed only when an objection gets this far, then all of them.
Dice given though nobody looked are checked, recorded, not used.

D14 right | majority wrong: holder +1, its voters -1 each, voters of the true face as many as dice
Verdict `right`. Losses stop at 0. The holder is paid as a voter too.

D15 refuted | the majority was right: the holder loses 3
Verdict `refuted`. Stops at 0.

D16 rule cards | advanced: one card is turned over each round, for that round only
A card may override keys of this table for its round, `start` and `rounds` excepted. Anything else
it does is entered as a ruling. A card that raises `majority` raises `false_majority` with it by
naming both.

D17 ruling
Moves one player's Popularity, with a reason, at the end of its round; not below 0.

D18 winner | after the last round most Popularity wins; a tie is shared
The game is over when the number of rounds of D3 stands.

D19 over
After the last round no round is accepted. Correcting the history can reopen the game.

D20 seats
A player may leave between rounds: no votes, no stick, no turn, no win. The tokens stay, and whoever
joins again goes on with them; a newcomer starts with those of D2. One sits down last, or after a
named player. The turn counts on from the last one's seat, passing over empty ones. The number of
rounds stays what it was at the opening; a round needs two players.
""")


def setup(state: State, rules: Rules) -> tuple[str, ...]:
    """Tray, sticks, dials and tokens; votes, objections, the way to win (D2, D7, D14 to D18)."""
    tokens = f"{rules['start']} Popularity"
    if any(score != rules["start"] for score in state.scores.values()):
        tokens = "the Popularity you had"
    paid, off = rules["majority"], rules["false_majority"]
    won, lost = rules["objection_won"], rules["objection_lost"]
    return (
        "Put the empty box tray and both sticks where everybody can reach them.",
        f"Take a Large and a Small Dial each, and {tokens}.",
        f"Vote which face lies there most, and which least. A majority is paid {paid} each,",
        "right or wrong; in a tie it is the higher face on Large, the lower on Small.",
        f"Others may object with a stick. Right: {won} for that, the majority pays {off} each,",
        f"and who voted the true face gets as many as lie there. Wrong: {lost} off.",
        f"After {state.total} rounds the most Popularity wins; a tie is shared.",
        "Rule cards wait until you know the game: then turn one over before each cast.",
    )


def moments(state: State, rules: Rules, turn: str) -> tuple[Moment, ...]:
    """Cast and count, turn the dials, reveal, object, uncover; before the next cast, shake."""
    shake = f"Shake the box under the cloth, unseen, and hand both to {turn}."
    cast = (
        *([shake] if state.played else []),
        f"{turn}, cast all {rules['dice']} dice into the box. One fell out? Cast all again.",
        "Everybody looks, while we count to three aloud.",
    )
    vote = (
        "Cover the box!",
        "Large Dial: the face you saw most. Small Dial: the one you saw least, but saw.",
        "Dials face down. When all lie, reveal. Tell me Large and Small, clockwise.",
    )
    need = f"It takes {rules['need_one']} Popularity, {rules['need_two']} for both sticks"
    large = (
        "Is the Large majority wrong? The quickest to object takes the green stick.",
        f"{need}. Being in the majority costs {rules['majority_objector']}.",
    )
    small = ("Is the Small majority wrong? The quickest to object takes the pink stick.",)
    dice = ("Objection! Lift the cloth and read me all the dice.",)
    return (
        Moment(cast, seconds=3, again="recasts"),
        Moment(vote, "ballots", hint="64 51"),
        Moment(large, "large_stick"),
        Moment(small, "small_stick"),
        Moment(dice, "dice", needed=True),
    )


def board(_rules: Rules) -> Board:
    """Piles of tokens, which are of two kinds."""
    return Board(tokens=(5, 1))


def slips(ballot: Fields) -> Iterator[Fields]:
    """Another face on one dial, the nearest first, then the two dials swapped."""
    for dial in ("large", "small"):
        for face in sorted(range(1, 7), key=lambda each: abs(each - ballot[dial])):
            if face != ballot[dial]:
                yield {**ballot, dial: face}
    if ballot["large"] != ballot["small"]:
        yield {**ballot, "large": ballot["small"], "small": ballot["large"]}


GUIDE = Guide(CLAUSES, setup, moments, board, slips, CARDS)
