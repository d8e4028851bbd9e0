"""What an audit found: in words a host understands, and as JSON."""

from collections.abc import Iterator, Sequence

from pollctl.audit import FORMAT, MEANINGS, Report, Told
from pollctl.render.answers import Answer
from pollctl.render.words import Loud, joined
from pollctl.text import listing


def audit_answer(reports: Sequence[Report], *, strict: bool) -> Answer:
    """Every file with everything that was found in it."""
    return {
        "schema": "pollctl.audit/1",
        "sessions": [
            {
                "file": report.file,
                "ok": report.ok(strict=strict),
                "game": report.game,
                "events": report.events,
                "rounds": report.rounds,
                "chain": report.chain,
                "damage": list(report.damage),
                "problems": [_told(told) for told in report.problems],
                "warnings": [_told(told) for told in report.warnings],
                "status": report.status,
                "winners": list(report.winners),
                "receipt": report.receipt,
                "receipts": list(report.receipts),
            }
            for report in reports
        ],
    }


def audit_words(reports: Sequence[Report], *, strict: bool) -> str:
    """A line for each file, and below it what was found, each code explained once."""
    explained: set[str] = set()
    lines: list[str] = []
    for report in reports:
        lines.append(Loud(f"{report.file}: {_verdict(report, strict=strict)}"))
        for told in (*report.problems, *report.warnings):
            lines += _lines(told, explained, problem=told in report.problems)
        lines += [f"  {text}." for text in report.receipts]
    return joined(lines)


def _told(told: Told) -> Answer:
    finding = told.finding
    answer: Answer = {
        "code": told.code,
        "event": finding.event,
        "round": finding.round,
        "rule": finding.rule or None,
        "text": finding.text,
    }
    return {**answer, "acknowledged": told.acknowledged} if told.acknowledged else answer


def _verdict(report: Report, *, strict: bool) -> str:
    good = "in order" if report.ok(strict=strict) else "not in order"
    if report.game is None:
        return good
    rounds = f"{report.rounds} round{'' if report.rounds == 1 else 's'}"
    end = f"{listing(report.winners)} won" if report.winners else str(report.status)
    return f"{good}; {rounds}, {end}"


def _lines(told: Told, explained: set[str], *, problem: bool) -> Iterator[str]:
    finding = told.finding
    places = {"round": finding.round, "entry": finding.event}
    where = ", ".join(f"{what} {number}" for what, number in places.items() if number)
    text = f"{where}: {finding.text}" if where else finding.text
    clause = "" if finding.rule == FORMAT else f" ({finding.rule})"
    label = "problem" if problem else "warning"
    known = f" Acknowledged: {told.acknowledged}." if told.acknowledged else ""
    yield f"  {label} {told.code}: {text}{clause}.{known}"
    if told.code not in explained:
        explained.add(told.code)
        yield f"    {MEANINGS[told.code]}"
