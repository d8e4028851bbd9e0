"""The Poll Game at the table: its clauses, what the host says, its board."""

from collections.abc import Iterator

from pollctl.game import Board, Guide, Moment, read_clauses
from pollctl.games.poll_game.cards import CARDS
from pollctl.model import Fields, Rules, State
from pollctl.text import listing

CLAUSES = read_clauses("""
P1 players | up to eight play
Two to eight. Names are unique.

P2 track | every Start is equally far from the centre
How far is not printed; sellers' descriptions of the board say 11.

P3 paths | up to two players may share a path
For display only. Seats are spread over the paths in seating order; more than two players a path
are refused at the opening.

P4 pollster | one player is elected first; then the role goes round counter-clockwise
The next pollster is the previous player in seating order, counted from the pollster of the last
round that stands. Another pollster is lawful and a warning.

P5 question | from either deck, off the board, or invented in a Pollster's Choice category
A card may carry several questions, of which the pollster picks one. A question of the source
`choice` has a category, and only such a question.

P6 prediction | a Voting Card from 0 to 8: how many will say Yes, oneself included
One a player. More than there are players is lawful, can't be right, and is a warning.

P7 chip | green for Yes, red for No, hidden until all have voted and binding then
One a player. It counts as it lies, whatever its owner meant.

P8 advance | whoever predicted the Yes chips advances one space
As printed.

P9 alone | if only one player is right, that player moves two spaces
Instead of the advance of P8.

P10 chip mistake | wrong side up: counted as it lies, and one space back; nothing from Start
The penalty `chip`. Found at the reveal, so it is taken before the count. Whether its owner is
still on Start is judged when it is taken.

P11 wrong answer | an untrue answer of which another player reminds its owner: one space back
The penalty `answer`, of the same size, taken after the count. The chip still counts. Called late,
it belongs to the round it is about.

P12 bounds
Nobody stands behind Start or past the centre: every move is cut there when it is made.

P13 ruling | the pollster is the final authority on scoring
A ruling moves one player, with a reason, after everything else in its round. Several apply one
after the other as recorded, those added later last, each cut at the bounds.

P14 winner | the first player to reach the centre wins
Judged at the end of the round, penalties and rulings included: exactly one player in the centre
wins. Inside a tie-break P16 decides instead.

P15 tie-break | those who land on the centre together go on with cards; all go on with chips
Those in the centre are the contenders and give card and chip; the others give a chip and no card.
All chips are counted. Contenders do not advance.

P16 deciding | until the winner is determined
A card counts if its contender is in the centre at the count. After the round the contenders are
those of them still there and anyone a ruling has newly put there; if that is nobody, whoever is
there. One alone wins; with nobody there play returns to normal; exactly one of them right with a
card that counts wins; otherwise the tie goes on. With `knockout`, those who were wrong drop out
when others were right.

P17 over
After a winner no round is accepted. Correcting the history can reopen the game.

P18 penalties
One penalty of each kind for a player and round. One of each kind for the same player is lawful
and a warning. Penalties apply to all, in tie-breaks too, in seating order.

P19 seats
A player may leave between rounds: no ballot, no turn, out of a tie-break, no win. The marker stays
where it is, and whoever joins again goes on from there; anybody new begins on Start. One sits down
last, or after a named player. In a tie-break whoever left it while contending contends again, and
nobody else who joins does; one contender left by a leaving wins at once. The turn counts on from
the last one's seat, passing over empty ones. A round needs two players.
""")


def setup(state: State, rules: Rules) -> tuple[str, ...]:
    """Markers, cards and chips; the way to win, and back (P2, P3, P8 to P11, P13, P14)."""
    right, alone = rules["advance"], rules["sole_advance"]
    markers = "a marker to the nearest Start; two may share a path."
    if any(state.scores.values()):
        markers = "your marker, and put it where it stood."
    return (
        f"Take {markers}",
        "Take the Voting Cards 0 to 8 and a chip, green for Yes and red for No.",
        "Shuffle the question cards into two piles, face down.",
        f"Guess how many will say Yes: right is {right} forward, alone right {alone}.",
        f"A chip wrong side up is {rules['penalty']} back, and so is an untrue answer.",
        "In doubt the pollster decides, about the question and about the score.",
        f"Who is in the centre first, {rules['spaces']} spaces from Start, wins.",
    )


def moments(state: State, rules: Rules, turn: str) -> tuple[Moment, ...]:
    """Ask, answer in secret, reveal and count, call what was wrong."""
    ask = (
        f"{turn}, read out a question from a card of either pile, or ask one of your own.",
        "A Pollster's Choice card? Make one up in a category that it lists.",
    )
    vote, hint = (_tie_break(state, rules), "3y n") if state.contenders else (_VOTE, "3y 4n")
    wrong = (
        f"A chip wrong side up? It counts as it lies, and is {rules['penalty']} back.",
        f"Does somebody know an answer to be untrue? That is {rules['penalty']} back, too.",
    )
    return (
        Moment(ask, "question"),
        Moment(vote, "ballots", hint=hint),
        Moment(wrong, "penalties"),
    )


_VOTE: tuple[str, ...] = (
    "How many of us will say Yes, you included? Lay that card face down.",
    "Hide a chip under your hand: green for Yes, red for No, as it is in general.",
    "All set? Turn everything over. Tell me card and chip, clockwise.",
)


def _tie_break(state: State, rules: Rules) -> tuple[str, ...]:
    """Who lays a card in a tie-break, and what decides it (P15, P16)."""
    out = ", and who is wrong when others are right is out"
    return (
        f"Tie-break! Only {listing(state.contenders)} lay a card: how many will say Yes?",
        f"The only one to be right wins{out if rules['tiebreak'] == 'knockout' else ''}.",
        "Everybody hides a chip under the hand: green for Yes, red for No.",
        "All set? Turn everything over. Tell me their cards, and every chip, clockwise.",
    )


def board(rules: Rules) -> Board:
    """A race to the centre, on several paths (P2, P3)."""
    return Board(rules["spaces"], rules["paths"])


def slips(ballot: Fields) -> Iterator[Fields]:
    """The chip turned over, then other cards, the nearest numbers first."""
    yield {**ballot, "chip": "no" if ballot["chip"] == "yes" else "yes"}
    card = ballot.get("card")
    if card is not None:
        for other in sorted(range(9), key=lambda each: abs(each - card)):
            if other != card:
                yield {**ballot, "card": other}


GUIDE = Guide(CLAUSES, setup, moments, board, slips, CARDS)
