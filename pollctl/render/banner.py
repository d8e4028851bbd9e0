"""A receipt in letters large enough for a camera."""

_DIGITS = "75557262277174771717557117471774757711227575775717"
_LETTERS = (
    "257556565634443655567464774644345535575572227111525565544447577556555525552"
    "6564425573656553421672222555575555255775552555522271247"
)
GLYPHS = {
    char: (_DIGITS + _LETTERS)[5 * place : 5 * place + 5]
    for place, char in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
"""Five rows of three dots for each character, a row an octal digit, the topmost first."""

HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def banner(receipt: str) -> str:
    """The receipt in rows of two groups, three lines of half blocks each."""
    groups = receipt.split("-")
    pairs = ["-".join(groups[place : place + 2]) for place in range(0, len(groups), 2)]
    return "\n\n".join("\n".join(_lines(pair)) for pair in pairs)


def _lines(text: str) -> list[str]:
    """Three lines, each of two rows of dots."""
    rows = [_row(text, row) for row in range(5)] + [[False] * len(_row(text, 0))]
    return [
        "".join(HALVES[dots] for dots in zip(rows[top], rows[top + 1], strict=True)).rstrip()
        for top in range(0, 6, 2)
    ]


def _row(text: str, row: int) -> list[bool]:
    """The dots of one row, each two wide, with half of one between characters: 11 in 76 columns."""
    dots: list[bool] = []
    for char in text:
        bits = int(GLYPHS[char][row]) if char in GLYPHS else 7 * (row == 2)  # noqa: PLR2004
        for bit in (4, 2, 1):
            dots += [bool(bits & bit)] * 2
        dots.append(False)
    return dots
