"""Files that somebody made anew to suit themselves, asked for by the receipts the players hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from pollctl.audit.receipts import ask_receipt
from pollctl.log import NotASession, read
from tests.campaigns.campaign import Campaign, Case, Plan, demand
from tests.campaigns.law import ADD, hold_answer
from tests.campaigns.sessions import batch, small, twenty
from tests.campaigns.witness import BASE_36, TRAILER, witness
from tests.log import DATA, hand_seal
from tests.log.processes import forked

PATH = Path("forged.toml")
Forge = Callable[[list[bytes], int, list[bytes]], bytes]
"""Makes a file of the entries of one, at the place of one of them; a second session lends its."""


def bodies(data: bytes) -> list[bytes]:
    """The entries of a file without their seals."""
    return TRAILER.split(data)[:-1:2]


def numbered(entries: list[bytes]) -> list[bytes]:
    """The entries with the numbers of their places."""
    return [
        re.sub(rb"(?m)^seq = \d+$", b"seq = %d" % seq, each, count=1)
        for seq, each in enumerate(entries, 1)
    ]


def resealed(entries: list[bytes]) -> bytes:
    """A file of these entries with fresh seals."""
    data = b""
    for each in entries:
        data = hand_seal(data + each)
    return data


def reseal(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Change an entry, and seal everything anew."""
    return resealed([*entries[:place], later(entries[place]), *entries[place + 1 :]])


def later(entry: bytes) -> bytes:
    """An entry that says something else: another time."""
    return re.sub(rb"(?m)^at = 2026-", b"at = 2025-", entry, count=1)


def cut(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Cut the file at an earlier seal."""
    return resealed(entries[: place + 1])


def reorder(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Let an entry and the one after it change places."""
    other = (place + 1) % len(entries)
    moved = list(entries)
    moved[place], moved[other] = moved[other], moved[place]
    return resealed(numbered(moved))


def drop(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Leave an entry out."""
    return resealed(numbered([*entries[:place], *entries[place + 1 :]]))


def double(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Record an entry twice."""
    return resealed(numbered([*entries[: place + 1], *entries[place:]]))


def splice(entries: list[bytes], place: int, lent: list[bytes]) -> bytes:
    """Take an entry from another session."""
    return resealed(numbered([*entries[:place], lent[-1], *entries[place + 1 :]]))


def graft(entries: list[bytes], place: int, lent: list[bytes]) -> bytes:
    """Begin with another session, and go on with this one."""
    return resealed(numbered([lent[0], *entries[place:]]))


def hide_in_string(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Hide an entry with its seal in a string of another."""
    hidden = b'note = """\n' + resealed(entries[:1]).replace(b'"', b'\\"') + b'"""\n'
    return resealed([*entries[:place], entries[place] + hidden, *entries[place + 1 :]])


def hide_in_block(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Hide a second entry in the block of one."""
    hidden = b"\n[[event]]\nseq = 99\n"
    return resealed([*entries[:place], entries[place] + hidden, *entries[place + 1 :]])


def hide_before(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Hide a line before a block."""
    return resealed([*entries[:place], b"\n# hidden\n" + entries[place], *entries[place + 1 :]])


def hide_in_header(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Hide a key in the head of the file."""
    return resealed([b"x%d = 1\n" % place + entries[0], *entries[1:]])


def unsealed(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Change an entry, and leave every seal as it was."""
    return resealed(entries).replace(entries[place], later(entries[place]))


def vouch(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Change an entry, leave every seal as it was, and accept that."""
    data = unsealed(entries, place, [])
    head = b'\n[[event]]\nseq = %d\nat = 2026-12-01 10:00:00+01:00\nkind = "accept"\n'
    fields = b'first_bad = %d\nsha256 = "%s"\nreason = "a typing error"\n'
    seal = sha256(data + b"\n").hexdigest().encode()
    return hand_seal(data + head % (len(entries) + 1) + fields % (place + 1, seal))


def another_id(entries: list[bytes], _: int, __: list[bytes]) -> bytes:
    """Give the session another id."""
    return resealed([re.sub(rb'session = "..', b'session = "5a', entries[0]), *entries[1:]])


def regrow(entries: list[bytes], place: int, _: list[bytes]) -> bytes:
    """Cut the file at an earlier seal, and play on with the program."""
    PATH.write_bytes(resealed(entries[: place + 1]))
    answer = forked(*ADD, "-s", str(PATH))
    return PATH.read_bytes() if answer.status == 0 else PATH.read_bytes() + b"\n"


KINDS: tuple[Forge, ...] = (
    reseal,
    cut,
    reorder,
    drop,
    double,
    splice,
    graft,
    hide_in_string,
    hide_in_block,
    hide_before,
    hide_in_header,
    unsealed,
    vouch,
    another_id,
    regrow,
)


def cases(plan: Plan) -> Iterator[Case]:
    """Every kind of forgery, at every entry of some sessions."""
    sessions = [DATA, small(), batch().data, *(each.data for each in twenty(plan.seed)[1:])]
    lent = bodies(sessions[-1])
    for number, data in enumerate(sessions[: plan.pick(4, len(sessions))]):
        entries = bodies(data)
        for place in range(len(entries)):
            for kind in KINDS:
                name = f"session {number}, {kind.__name__} at entry {place + 1}"
                yield Case(name, partial(hold, data, kind, place, lent))
        yield Case(f"session {number}, misread receipts", partial(hold_misread, data))


def hold(data: bytes, kind: Forge, place: int, lent: list[bytes]) -> str:
    """Hold receipts to this: one fits as long as not a byte up to its entry is another."""
    entries = bodies(data)
    demand(resealed(entries) == data, "the session is not made of its entries")
    forged = kind(entries, place, lent)
    if forged == data:
        return "nothing forged"
    seen = witness(data)
    receipts = {seen.receipt_of(seq): end for seq, end in enumerate(seen.ends, 1)}
    fits = {code: forged[:end] == data[:end] for code, end in receipts.items()}
    usable = {code for code in fits if int(code.split("-")[1]) <= len(witness(forged).events)}
    try:
        log = read(forged)
    except NotASession:
        log = None
    for code, true in fits.items():
        got = ask_receipt(code, log)[0]
        demand(got <= true, f"{code} is said to fit, and bytes before it are others")
        untrue = true and not got and code in usable
        demand(not untrue, f"{code} is said not to fit, and every byte before it is there")
    hold_program(forged, fits)
    return "told by a receipt" if not all(fits.values()) else "told by its seals"


def hold_program(forged: bytes, fits: dict[str, bool]) -> None:
    """Hold the program to the same: it names the receipts that do not fit."""
    PATH.write_bytes(forged)
    options = [word for code in fits for word in ("--receipt", code)]
    answer = forked("audit", str(PATH), "--json", *options)
    hold_answer(answer)
    session = answer.json["sessions"][0]
    told = " ".join(problem["text"] for problem in session["problems"])
    wrong = [code for code, true in fits.items() if not true]
    demand(all(code in told for code in wrong), "audit does not name a receipt that does not fit")
    clean = not wrong and session["chain"] == "intact"
    demand(answer.status == 1 or clean, "audit finds nothing wrong")


def hold_misread(data: bytes) -> str:
    """Hold receipts with a character misread, or two in a row swapped, to being told so."""
    log, seen = read(data), witness(data)
    code = seen.receipt
    for place, char in enumerate(code):
        others = [code[:place] + each + code[place + 1 :] for each in BASE_36 if char != "-"]
        swapped = code[:place] + code[place : place + 2][::-1] + code[place + 2 :]
        for wrong in {*others, swapped} - {code}:
            fits, text = ask_receipt(wrong, log)
            demand(not fits, f"{wrong} is said to fit")
            demand("-" in (char, *code[place + 1 : place + 2]) or "misread" in text, text)
    return "misread characters named"


CAMPAIGN = Campaign(
    "forgery",
    "Whoever holds a receipt sees every change, cut or swap of what came before it.",
    cases,
)
