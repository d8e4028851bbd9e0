"""Two evenings at a terminal, prompt by prompt, and the commands that record the same."""

from __future__ import annotations

from typing import NamedTuple

GAME = "Which game, dice-democracy or poll-game: "
ASK, PENALTIES = "Question, or Enter: ", "Penalties, as ben=chip;ann=answer, or Enter: "
VOTE, ALL_AGAIN = "Ann, Ben, Cai, as 3y 4n: ", "All again, or Ann:…: "
FOUR, TIE = "Ann, Ben, Cai, Dee, as 3y 4n: ", "Ann, Ben, Cai, Dee, as 3y n: "
COUNT, DIALS = "Enter goes on: ", "Ann, Ben, Cai, as 64 51: "
GREEN, PINK, DICE = "Green stick, or Enter: ", "Pink stick, or Enter: ", "Dice: "
OVER = "Enter leaves, new plays another game, undo reopens this one: "

CARDS = {
    "party.txt": "Do you sing in the shower? | Do you dance in the kitchen?\n",
    "wild.txt": "Rockfall | orange | Two dice fewer, twice the pay. | dice=12; majority=2\n",
}
"""Decks of one card each, so that it is the one that is drawn."""

POLL_EVENING = (
    (GAME, "chess"),
    (GAME, "poll"),
    ("Players, clockwise, as Ann, Ben, Cai: ", "Ann, Ben, Ann"),
    ("Players, clockwise, as Ann, Ben, Cai: ", "help"),
    ("Players, clockwise, as Ann, Ben, Cai: ", "Ann, Ben, Cai, Dee"),
    ("Spaces from Start to the centre [11]: ", "<"),
    ("Players, clockwise [Ann, Ben, Cai, Dee]: ", ""),
    ("Spaces from Start to the centre [11]: ", "4"),
    ("Who begins, or random [Ann]: ", "ben"),
    (ASK, "help"),
    (ASK, "Have you ever missed a plane?"),
    (FOUR, "2y 1y"),
    ("Cai and Dee still owe: ", "9n"),
    ("Cai and Dee still owe: ", "0n 0n"),
    (PENALTIES, "ben=chip"),
    (ASK, "draw --deck party.txt"),
    ("Question, or 1 or 2 of the card: ", ""),
    ("Question, or 1 or 2 of the card: ", "2"),
    (FOUR, "<"),
    ("Question, or Enter for the card's: ", ""),
    (FOUR, "3y3y1n1n"),
    (PENALTIES, "<"),
    (FOUR, "2y2y2n1n -p cai=answer"),
    (ASK, "check ann=3 ben=1 cai=0 dee=1"),
    (ASK, "pollctl round amend 2 Dee:2n"),
    (ASK, "check your phone in bed"),
    (ASK, "Check your phone in bed?"),
    (FOUR, "dispute add dee=answer"),
    (FOUR, "1n 2y 4n 0y"),
    (PENALTIES, ""),
    (ASK, "dispute reject --reason 'nobody is sure'"),
    (ASK, ""),
    (FOUR, "1n 1n 2y 3y"),
    (PENALTIES, "ruling cai=+1:'asked twice'"),
    (PENALTIES, ""),
    (ASK, "undo"),
    (ASK, ""),
    (FOUR, "1n 1n 2y 3y"),
    (PENALTIES, ""),
    (ASK, "standings"),
    (ASK, "Is this the last one?"),
    (FOUR, "3y 3y 3n 0y"),
    (PENALTIES, ""),
    (ASK, ""),
    (TIE, "2y 2n 2y 2n"),
    (ALL_AGAIN, "dee:n"),
    (PENALTIES, ""),
    (ASK, ""),
    (TIE, "1y 1n 2n n --ruling cai=-1:'out of it'"),
    (PENALTIES, ""),
    (ASK, ""),
    (TIE, "2y 3n y n"),
    (PENALTIES, ""),
    (OVER, "undo"),
    (ASK, "redo"),
    (OVER, "explain --round 9"),
    (OVER, ""),
)
"""What a prompt is answered with, from nothing to the winner of The Poll Game."""

DICE_EVENING = (
    (COUNT, "help"),
    (COUNT, "again"),
    (COUNT, ""),
    (DIALS, "64 61 52"),
    (GREEN, "ann"),
    (PINK, ""),
    (COUNT, ""),
    (DIALS, "64 61 52"),
    (GREEN, "cai"),
    (PINK, "cai"),
    (DICE, "3333333333331"),
    (DICE, "33333333333311"),
    (COUNT, "dispute add ben=-1:'moved a die'"),
    (COUNT, ""),
    (DIALS, "11 22 33"),
    (GREEN, ""),
    (PINK, ""),
    (COUNT, "dispute uphold"),
    (COUNT, "draw --deck wild.txt"),
    (COUNT, "--recasts 2"),
    (COUNT, ""),
    (DIALS, "ann:44 cai:62"),
    ("Ben still owes: ", "44"),
    (GREEN, "cai"),
    (PINK, ""),
    (DICE, "55566611112233"),
    (DICE, "555666111122"),
    (COUNT, "player leave cai"),
    (COUNT, ""),
    ("Ann, Ben, as 64 51: ", "12 21"),
    (GREEN, "ann"),
    (PINK, ""),
    (DICE, "1x7,2x7"),
    (COUNT, "player join cai"),
    (COUNT, ""),
    (DIALS, "55 55 66"),
    (GREEN, ""),
    (PINK, ""),
    (OVER, "board"),
    (OVER, ""),
)
"""What a prompt is answered with in the six rounds of Dice Democracy of three players."""

POLL_COMMANDS = (
    "new poll Ann Ben Cai Dee --first ben --rule spaces=4 -o same.toml",
    "round add 2y 1y 0n 0n -q 'Have you ever missed a plane?' -p ben=chip",
    "draw --deck party.txt",
    "draw --pick 2",
    "round add 2y 2y 2n 1n -p cai=answer",
    "check ann=3 ben=1 cai=0 dee=1",
    "round amend 2 dee:2n",
    "dispute add dee=answer",
    "round add 1n 2y 4n 0y -q 'Check your phone in bed?'",
    "dispute reject --reason 'nobody is sure'",
    "ruling cai=+1:'asked twice'",
    "round add 1n 1n 2y 3y",
    "undo",
    "round add -y 1n 1n 2y 3y",
    "round add 3y 3y 3n 0y -q 'Is this the last one?'",
    "round add 2y 2n 2y n",
    "round add 1y 1n 2n n --ruling cai=-1:'out of it'",
    "round add 2y 3n y n",
    "undo",
    "redo",
)
DICE_COMMANDS = (
    "new dice Ann Ben Cai -o same.toml",
    "round add 64 61 52 -L ann --recasts 1",
    "round add 64 61 52 -L cai -S cai -d 33333333333311",
    "dispute add ben=-1:'moved a die'",
    "round add 11 22 33",
    "dispute uphold",
    "draw --deck wild.txt",
    "round add 44 44 62 --recasts 2 -L cai -d 555666111122",
    "player leave cai",
    "round add 12 21 -L ann -d 1x7,2x7",
    "player join cai",
    "round add 55 55 66",
)
"""What records the same by other commands."""


class Evening(NamedTuple):
    """A game from nothing to the winner."""

    name: str
    arguments: tuple[str, ...]
    """What `play` is given."""
    script: tuple[tuple[str, str], ...]
    """What every prompt is answered with."""
    commands: tuple[str, ...]
    """What records the same."""


EVENINGS = (
    Evening("poll-game", (), POLL_EVENING, POLL_COMMANDS),
    Evening(
        "dice-democracy",
        ("dice", "Ann", "Ben", "Cai", "--no-count"),
        DICE_EVENING,
        DICE_COMMANDS,
    ),
)
