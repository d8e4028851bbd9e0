"""A receipt that a player holds, asked of a file."""

import re

from pollctl.log import Log
from pollctl.seal import check_character, receipt
from pollctl.text import brief

EXAMPLE = "7F0C-12-K7QFW-2M9DX-R4TB0-9XKQ3-H"
_SIZE = "[0-9A-Z]{25,35}"
"""Of a receipt without its dashes, one character more or less: what may have been misread."""
_FORM = "[0-9A-F]{4}-[0-9]{1,9}(-[0-9A-Z]{5}){4}-[0-9A-Z]"


def ask_receipt(code: str, log: Log | None) -> tuple[bool, str]:
    """Whether a receipt is this file's, and what it fixes or what is wrong, in a sentence.

    A misread character, another session, a shorter file and a different history are told apart.
    """
    typed, code = code, code.strip().upper()
    compact = code.replace("-", "")
    if not re.fullmatch(_SIZE, compact):
        return False, f"{brief(typed)} is no receipt: one is written like {EXAMPLE}"
    if check_character(compact[:-1]) != compact[-1] or not re.fullmatch(_FORM, code):
        return False, f"{code} is misread: a character of it is another"
    if log is None:
        return False, f"{code} can't be looked for: no entry of this file can be used"
    return _fixes(code, log)


def _fixes(code: str, log: Log) -> tuple[bool, str]:
    """What a receipt that was read right says of a file."""
    session = str(log.events[0].fields.get("session", ""))
    if session[:4].upper() != code[:4]:
        return False, f"{code} is of another session"
    seq, last = int(code.split("-")[1]), len(log.events)
    if seq > last:
        return False, _beyond(code, seq, log)
    if seq < 1 or receipt(session, seq, log.events[seq - 1].seal) != code:
        return False, f"{code} fixes another history: entry {seq} or one before it was changed"
    after = f"; {last - seq} came after" if seq < last else ""
    return True, f"{code} fixes entries 1 to {seq} as they stand{after}"


def _beyond(code: str, seq: int, log: Log) -> str:
    """What a receipt of an entry says that can't be read here."""
    last = len(log.events)
    if log.chain == "broken":
        return f"{code} is of entry {seq}, and the file was altered after entry {last}"
    return f"{code} is of entry {seq}, and the file ends with entry {last}: the rest was cut off"
