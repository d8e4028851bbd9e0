#!/bin/sh
# A whole evening of The Poll Game and a few rounds of Dice Democracy, from nothing:
#
#     examples/evening.sh [FOLDER]
#
# plays into FOLDER (a new temporary one if none is given), so that nothing here is touched.
set -eu
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"

say() { printf '\n$ %s\n' "$*"; "$@"; }

# The board at this table is short: four spaces from Start to the centre.
say pollctl new poll Ann Ben Cai Dee -o friday.toml --title Friday --first dee --rule spaces=4
export POLLCTL_SESSION=friday.toml
say pollctl round add 2y 1n 2y 3n -q 'Do you sing in the shower?'
say pollctl round add 3y2n3y1y -q 'Have you ever missed a flight?' -p dee=chip

# Cai's card was a 1, not a 3; and then it was a 3 after all.
say pollctl round amend 2 cai:1y
say pollctl undo

say pollctl round add 1n 1n 1y 2n -q 'Would you move abroad for love?' --source off-board
say pollctl penalty ben=answer
say pollctl explain --round 3
say pollctl round add 0n 2y 0n 2y -q 'Do you talk to your plants?'
say pollctl ruling dee=+1 --reason 'the question was read out twice, differently' --round 4

# Eve sits down for one round, which is about a card of the deck that comes with pollctl.
say pollctl player join Eve
say pollctl draw --pick 1
say pollctl round add 2y 0n 2y 1n 4n
say pollctl player leave eve

# Was Ann's answer true? It decides the tie; and is the log right about the board?
say pollctl dispute add ann=answer
say pollctl standings
say pollctl dispute reject --reason 'Ben remembers it too'
say pollctl check ann=4 ben=1 cai=4 dee=2
say pollctl board

# Two in the centre: only they play cards, everybody answers.
say pollctl round add ann:4y ben:y cai:3y dee:n -q 'Would you go to Mars?'
say pollctl round list
say pollctl log

unset POLLCTL_SESSION
say pollctl new dice Ann Ben Cai Dee -o late.toml --title 'Later that night' --first ann
say pollctl round add 64 61 52 51
say pollctl round add 44 61 42 61 -L ben -d 11223344445556
say pollctl round add 33 33 64 33 -L cai -S cai -d 2x3,3x4,4x1,5x2,6x4
say pollctl explain --round 3
say pollctl round add 55 15 52 36 --rule-card Landslide --override majority=2
say pollctl standings
