"""Text that people type and read: what a session may hold, and how doubtful text is shown."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from pollctl.model import Refused

NAME_COLUMNS = 64
NAME_BYTES = 256
SENTENCE_CHARACTERS = 1000

BIDI_MARKS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Needed to write some sentences; never in a name."""


_NARROW = frozenset("“”…→")
"""One column wide, and common enough here not to load the table of all widths for them."""


def listing(names: Sequence[str], word: str = "and") -> str:
    """The names as one reads them aloud: `Ann, Ben and Cai`."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def spans(numbers: Iterable[int]) -> str:
    """Numbers of rounds, runs of them together: `rounds 1 to 3 and 5`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    return f"{'rounds' if len(runs) > 1 or len(runs[0]) > 1 else 'round'} {listing(said)}"


def fold(name: str) -> str:
    """What two spellings of one player's name have in common (NFKC, case folded)."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def normal(text: str) -> str:
    """The text in the log's form (NFC); raises Refused for bytes that are not UTF-8."""
    if text.isascii():
        return text
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Refused("", f"{shown(text)} is not UTF-8 text")
    return unicodedata.normalize("NFC", text)


def several(text: str, mark: str = ";") -> list[str]:
    """The moves in one line: a mark parts them, two stand for one in what they say."""
    parts = re.findall(rf"(?:[{mark}]{{2}}|[^{mark}])+", text)
    return [part.replace(mark * 2, mark).strip() for part in parts if part.strip()]


def steers(char: str) -> bool:
    """Whether a character would steer a terminal or hide: control, format, line separator."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def shown(text: str) -> str:
    """The text with every character that would steer a terminal written as an escape."""
    if text.isprintable():
        return text
    return "".join(_escape(char) if steers(char) else char for char in text)


def brief(text: str, length: int = 40) -> str:
    """What somebody typed, safe and short enough to stand in a message."""
    return f"'{shown(text if len(text) <= length else f'{text[:length]}…')}'"


def width(text: str) -> int:
    """The columns the text takes in a terminal."""
    if text.isascii() or all(char < "\u0300" or char in _NARROW for char in text):
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def pad(text: str, columns: int) -> str:
    """The text filled with blanks to so many columns."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int, end: int = 0) -> str:
    """The text in at most so many columns, an ellipsis in place of what is left out.

    Its beginning is kept and, where `end` is given, as much of its end as fits in those columns.
    """
    if width(text) <= columns:
        return text
    head = tail = ""
    for char in reversed(text):
        if width(char + tail) > end:
            break
        tail = char + tail
    while tail and not width(tail[0]):
        tail = tail[1:]
    for char in text:
        if width(f"{head}{char}…{tail}") > columns:
            break
        head += char
    return f"{head.rstrip()}…{tail}"


def wrapped(line: str, columns: int, indent: int) -> str:
    """The line cut between words to so many columns, all rows but the first indented."""
    rows, row = [], ""
    for word in re.findall(r"\s*\S+", line):
        if row and width(row) + width(word) > columns:
            rows.append(row)
            row = " " * indent + word.lstrip()
        else:
            row += word
    return "\n".join([*rows, row])


def check_name(name: str, rule: str) -> str:
    """A player's name in the log's form; raises Refused where the format does not allow it.

    `rule` is the game's clause about players.
    """
    name = normal(name).strip()
    for char in name:
        if char in ":=;" or steers(char):
            raise Refused(rule, f"the name {brief(name)} can't hold {_named(char)}")
    if width(name) < 1:
        raise Refused(rule, "a name can't be blank: it takes at least one column")
    if width(name) > NAME_COLUMNS:
        raise Refused(rule, f"the name {brief(name)} is wider than {NAME_COLUMNS} columns")
    if len(name.encode()) > NAME_BYTES:
        raise Refused(rule, f"the name {brief(name)} takes more than {NAME_BYTES} bytes")
    return name


def check_sentence(text: str, what: str) -> str:
    """A question, note or reason in the log's form; raises Refused as for names."""
    text = normal(text)
    if not text.strip():
        raise Refused("", f"the {what} is empty")
    if len(text) > SENTENCE_CHARACTERS:
        raise Refused("", f"the {what} is longer than {SENTENCE_CHARACTERS:,} characters")
    for char in text:
        if steers(char) and char not in BIDI_MARKS:
            raise Refused("", f"the {what} can't hold {_named(char)}")
    return text


def twins(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two of the names that are one player's, if any are."""
    seen: dict[str, str] = {}
    for name in names:
        if other := seen.get(fold(name)):
            return other, name
        seen[fold(name)] = name
    return None


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that look the same."""
    seen: dict[str, str] = {}
    pairs = []
    for name in names:
        other = seen.setdefault(_outline(name), name)
        if other is not name and fold(other) != fold(name):
            pairs.append((other, name))
    return pairs


def _outline(name: str) -> str:
    """What is left of a name's look: Latin shapes, no marks, blanks as one."""
    bare = "".join(char for char in unicodedata.normalize("NFD", name) if not _is_mark(char))
    return " ".join(fold(bare.translate(_SHAPES)).translate(_SHAPES).split())


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) == "Mn"


_SHAPES = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιορυν0158|l",  # noqa: RUF001 - they are the point
    "abekmhopctyxijsaeopcyxijsabezhikmnoptyxaiopuvoisbii",
)
"""Letters of other alphabets, digits and bars that look like a Latin letter."""


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _named(char: str) -> str:
    if not steers(char):
        return repr(char)
    return unicodedata.name(char, f"the control character {_escape(char)}").lower()
