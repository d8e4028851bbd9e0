"""A page of the manual from light markup: text as man(7), in which nothing can act as a macro.

Blocks stand apart by an empty line:

    # HEADING, ## Subheading      a section, a section within it
    term, and below it ": text"   a term with its description; text may go on below
    four blanks before each line  an example, shown as it stands (its empty lines are four blanks)
    "> command", "> [piece]", …   a synopsis; a piece is not broken
    anything else                 a paragraph

In a line, `x` is literal (bold), *X* stands for something else (italic); options such as --round
and pages such as pollctl(1) are found without a mark.
"""

import re
from collections.abc import Iterator
from textwrap import TextWrapper

_MARK = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*"
    r"|(?<![\w-])(?P<option>--?[A-Za-z][\w-]*)"
    r"|\b(?P<page>[a-z][\w-]*)(?=\([1-8]\))"
    r"|(?P<dash>(?<!\S)-(?!\S))"
)
_EVERYWHERE = {"\\": r"\e", '"': r"\(dq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_LITERAL = {**_EVERYWHERE, "-": r"\-", "'": r"\(aq"}
WIDEST = 73
"""Columns of an example with its four blanks that still fit with a page's own indentation."""

_WRAP = TextWrapper(78, break_long_words=False, break_on_hyphens=False).wrap
_SPACED = re.compile(r"^(\.S[HS] .*)\n\.PP\n", re.MULTILINE)


def page(name: str, section: int, edition: tuple[str, str], summary: str, markup: str) -> str:
    """A whole page; the edition is its date and the version it describes."""
    date, version = edition
    head = [
        rf".\" {name}({section}): made by man/build.py; change what it is made from.",
        f'.TH {literal(name.upper())} {section} {date} "{_plain(version)}" "pollctl manual"',
        ".ad l",
        ".SH NAME",
        rf"{literal(name)} \- {inline(summary)}",
    ]
    text = "\n".join([*head, *_blocks(markup)]) + "\n"
    return _SPACED.sub(r"\1\n", text)


def literal(text: str) -> str:
    """Text that has to come out as it is typed."""
    return _escape(text, _LITERAL)


def inline(text: str) -> str:
    """Text with its marks as fonts."""
    parts, place = [], 0
    for match in _MARK.finditer(text):
        parts += [_plain(text[place : match.start()]), _marked(match)]
        place = match.end()
    return "".join([*parts, _plain(text[place:])])


def _marked(match: re.Match[str]) -> str:
    if match["italic"]:
        return rf"\fI{_whole(match['italic'])}\fR"
    if match["dash"]:
        return r"\-"
    if match["code"]:
        bold = re.split(r"\*(\w+)\*", match["code"])
        fonts = [rf"\f{'BI'[i % 2]}{_whole(part)}" for i, part in enumerate(bold) if part]
        return "".join([*fonts, r"\fR"])
    return rf"\fB{_whole(match['option'] or match['page'])}\fR"


def _whole(text: str) -> str:
    """Literal text, none of its words hyphenated."""
    return re.sub(r"(?<!\S)(?=\S{5})", r"\\%", literal(text))


def _plain(text: str) -> str:
    return _escape(text, _EVERYWHERE)


def _escape(text: str, names: dict[str, str]) -> str:
    return "".join(names.get(char) or _ascii(char) for char in text)


def _ascii(char: str) -> str:
    """A character that every reader of pages knows, whatever the locale; no control passes."""
    if " " <= char <= "\x7e":
        return char
    return rf"\[u{ord(char):04X}]" if char.isprintable() else " "


def _blocks(markup: str) -> Iterator[str]:
    """The lines of all blocks."""
    for block in re.split(r"\n\n+", markup.strip("\n")):
        lines = block.split("\n")
        if lines[0].startswith("## "):
            yield f".SS {inline(block[3:])}"
        elif lines[0].startswith("# "):
            yield f".SH {inline(block[2:])}"
        elif all(line.startswith("    ") for line in lines):
            yield from _example(lines)
        elif lines[0].startswith("> "):
            yield from _synopsis(lines)
        elif len(lines) > 1 and lines[1].startswith(": "):
            yield from (".TP", _guarded(inline(lines[0])), *_text(block.split("\n: ", 1)[1]))
        else:
            yield from (".PP", *_text(block))


def _example(lines: list[str]) -> Iterator[str]:
    """Indented, or from the left edge where it is too wide for 80 columns otherwise."""
    shown = [_guarded(literal(line[4:])) for line in lines]
    wide = max(map(len, lines)) > WIDEST
    begin, end = (".in 0", ".in") if wide else (".RS 4", ".RE")
    yield from (".PP", begin, ".EX", *shown, ".EE", end)


def _synopsis(lines: list[str]) -> Iterator[str]:
    pieces = [_guarded(inline(line[2:]).replace(" ", r"\ ")) + r"\&" for line in lines[1:]]
    yield from (f'.SY "{literal(lines[0][2:])}"', *pieces, ".YS")


def _text(text: str) -> list[str]:
    """Filled text, each sentence from a new line on."""
    sentences = re.split(r"(?<=[.?!]) ", inline(" ".join(text.split())))
    rows = [row for each in sentences for row in _WRAP(each)]
    return [_guarded(row) for row in rows]


def _guarded(line: str) -> str:
    """The line with what would make it a request, or end the page's text, disarmed."""
    return rf"\&{line}" if line.startswith((".", "'")) or not line else line
