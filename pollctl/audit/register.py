"""The checks of an audit: each a code, what a finding means, and what to do."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pollctl.audit import checks, entries, turns
from pollctl.audit.checks import Evidence, Finding


class Check(NamedTuple):
    """One question put to every file."""

    code: str
    level: str
    """`problem` or `warning`."""
    meaning: str
    """For a host: what it means, and what to do."""
    find: Callable[[Evidence], Iterator[Finding]]


CHECKS = (
    Check(
        "unreadable", "problem",
        "Not one entry of this file can be used. Look for another copy of it. Where the first was "
        "only altered, the players may decide: run pollctl accept.",
        checks.unreadable,
    ),
    Check(
        "damage", "problem",
        "A mail program, an editor or a disk changed the file's form: once that is undone, it says "
        "what it said, but for what else is found here. Run pollctl repair.",
        checks.disguised,
    ),
    Check(
        "torn", "problem",
        "The last entry was not written to its end, as when a computer stops in the middle. Run "
        "pollctl repair, and record that entry again.",
        checks.torn,
    ),
    Check(
        "broken", "problem",
        "Somebody or something changed the file after it was sealed; what is before that place is "
        "as it was. Look for another copy, or let the players decide and run pollctl accept.",
        checks.broken,
    ),
    Check(
        "accepted", "warning",
        "The owner of the file vouched for entries that do not match their seals. Ask the "
        "players whether they agree.",
        checks.vouched,
    ),
    Check(
        "repaired", "warning",
        "A part of the file was moved aside, into the file that is named. If anyone holds a "
        "receipt of a later entry, something was altered, and not torn.",
        checks.mended,
    ),
    Check(
        "newer", "problem",
        "This file is from a newer pollctl, which knows what this one does not. Use that one.",
        checks.newer,
    ),
    Check(
        "misformed", "problem",
        "A sealed entry is not of the form of its kind, so another program or hand wrote it. The "
        "session can't be scored with it.",
        checks.misformed,
    ),
    Check(
        "opening", "problem",
        "The first entry does not say which game this is, who plays, or by which rules. The "
        "session can't be scored.",
        checks.unopened,
    ),
    Check(
        "identity", "problem",
        "The session's own number is not one that pollctl gives, so its receipts may be those of "
        "another session. Find out who made the file.",
        checks.identity,
    ),
    Check(
        "numbers", "problem",
        "Rounds are numbered as they are recorded, and these are not. Another program or hand "
        "wrote the file.",
        checks.numbering,
    ),
    Check(
        "clock", "warning",
        "The clock was set back between two entries, or a time was given by hand. The order of "
        "the entries counts, not their times.",
        checks.clock,
    ),
    Check(
        "name", "problem",
        "A player's name is not one that pollctl takes, or two names are one player's. Another "
        "program or hand wrote the file.",
        checks.names,
    ),
    Check(
        "look-alike", "warning",
        "Two players have names that look the same on paper. Make sure that each ballot went to "
        "the right one.",
        checks.resembling,
    ),
    Check(
        "agreement", "problem",
        "The players, the rules and the scores to start with can't go together. Another program "
        "or hand wrote the file.",
        checks.agreement,
    ),
    Check(
        "rules", "warning",
        "The session does not state every rule, or states one that nobody knows. The defaults of "
        "this version are taken, and those of another may differ.",
        checks.rule_keys,
    ),
    Check(
        "field", "warning",
        "An entry says something that this version does not understand; it is kept and not used. "
        "A newer version may score it otherwise.",
        checks.strange_fields,
    ),
    Check(
        "unlawful", "problem",
        "This round can't have been played where it stands, so it was passed over. Amend or void "
        "it, or the entry that made it impossible.",
        checks.unlawful,
    ),
    Check(
        "seat", "problem",
        "Somebody left who was not seated, or sat down where that can't be, so the entry was "
        "passed over. Void it, or the entry that made it impossible.",
        entries.strayed,
    ),
    Check(
        "after-end", "problem",
        "Something stands after the entry that ended the evening, and it counts. Void that entry "
        "if the evening went on, or what is after it if it never was.",
        checks.after_end,
    ),
    Check(
        "in-vain", "problem",
        "A correction is about something that was not there, so it changes nothing. "
        "Void it, or correct what was meant.",
        entries.in_vain,
    ),
    Check(
        "table", "problem",
        "The board or the piles were not as the log has it, neither when they were compared nor "
        "after all corrections. Find the round that is wrong and amend it, or put the table right "
        "and compare again.",
        entries.off_the_table,
    ),
    Check(
        "card", "problem",
        "What was drawn is no card of this game, or says something else than when it was drawn. "
        "Another program or hand wrote the file.",
        entries.strange_cards,
    ),
    Check(
        "card-again", "warning",
        "A card was drawn that had been played or thrown out. Ask whether it was the same one.",
        entries.drawn_again,
    ),
    Check(
        "card-open", "warning",
        "A card was drawn while another one was open, which was neither played nor thrown out. "
        "Ask which of them the round was about.",
        entries.drawn_beside,
    ),
    Check(
        "open-dispute", "warning",
        "Nobody has decided this dispute, so it does not count. Run pollctl dispute uphold, or "
        "pollctl dispute reject.",
        entries.undecided,
    ),
    Check(
        "turn", "warning",
        "Somebody took a turn that was another's. That is allowed; ask whether it was meant.",
        turns.out_of_turn,
    ),
    Check(
        "slip", "warning",
        "This is allowed and rarely meant. Ask the players, and amend the round if it was a slip.",
        checks.doubtful,
    ),
    Check(
        "unfinished", "warning",
        "The game has no winner yet. Play on, or leave it.",
        checks.unfinished,
    ),
)  # fmt: skip
"""In the order in which findings are told."""
