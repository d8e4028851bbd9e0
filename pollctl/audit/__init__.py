"""Audit: everything that is wrong or doubtful with sessions, found at once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pollctl.audit.checks import Evidence, Finding
from pollctl.audit.receipts import ask_receipt
from pollctl.audit.register import CHECKS
from pollctl.damage import diagnose
from pollctl.log import Log, NotASession, read
from pollctl.model import Refused
from pollctl.replay import Replay
from pollctl.session import Session, compute

FORMAT = "pollctl-session(5)"
"""What a finding cites where no clause of a game speaks."""


class Told(NamedTuple):
    """A finding under its check."""

    code: str
    finding: Finding
    acknowledged: str = ""
    """Why the session's owner let a warning stand; empty for one that nobody acknowledged."""


class Trail(NamedTuple):
    """What two files of one session can be compared by."""

    session: str
    seals: tuple[str, ...]
    rounds: tuple[int, ...]
    """For each entry the number of the last round recorded up to it, 0 before the first."""


class Report(NamedTuple):
    """What an audit found in one file."""

    file: str
    game: str | None
    events: int
    rounds: int
    """How many rounds were scored."""
    chain: str
    damage: tuple[str, ...]
    problems: tuple[Told, ...]
    warnings: tuple[Told, ...]
    status: str | None
    winners: tuple[str, ...]
    receipt: str | None
    receipts: tuple[str, ...]
    """For each receipt that was asked for and is this file's, what it fixes."""
    trail: Trail

    def ok(self, *, strict: bool) -> bool:
        """Whether nothing is wrong; when strict, nothing doubtful and not acknowledged either."""
        open_ = [told for told in self.warnings if not told.acknowledged]
        return not self.problems and not (strict and open_)


def audit(file: str, data: bytes, receipts: Sequence[str] = ()) -> Report:
    """Put every check to the bytes of one file, and the receipts that players hold."""
    seen = gather(data)
    answers = [ask_receipt(code, seen.log) for code in receipts]
    misfits = [Finding(None, None, FORMAT, text) for fits, text in answers if not fits]
    found = {level: _found(seen, level) for level in ("problem", "warning")}
    report = Report(
        file=file,
        game=None,
        events=len(seen.log.events) if seen.log else 0,
        rounds=0,
        chain=_chain(data, seen),
        damage=seen.damage.names,
        problems=(*found["problem"], *(Told("receipt", misfit) for misfit in misfits)),
        warnings=found["warning"],
        status=None,
        winners=(),
        receipt=seen.log.receipt if seen.log else None,
        receipts=tuple(text for fits, text in answers if fits),
        trail=_trail(seen.log),
    )
    return _played(report, seen.session.game) if seen.session else report


def _played(report: Report, game: Replay) -> Report:
    """A report with what the game came to."""
    state = game.state
    name, status = game.opening.game.id, game.status
    return report._replace(game=name, rounds=state.played, status=status, winners=state.winners)


def _found(seen: Evidence, level: str) -> tuple[Told, ...]:
    """What the checks of one level find."""
    return tuple(
        _acknowledged(Told(check.code, _cited(finding)), seen.session)
        for check in CHECKS
        if check.level == level
        for finding in check.find(seen)
    )


def gather(data: bytes) -> Evidence:
    """Read a file as far as it can be read, with the damage that proves itself undone."""
    damage = diagnose(data)
    try:
        log = read(damage.mended)
    except NotASession as error:
        return Evidence(None, None, damage, error.text)
    session, fault = _scored(log)
    return Evidence(log, session, damage, fault)


def compared(reports: Iterable[Report]) -> list[Report]:
    """The reports, with what files of one session say about one another: a copy, or a fork."""
    first: dict[str, Report] = {}
    told = []
    for report in reports:
        other = first.setdefault(report.trail.session or report.file, report)
        told.append(report if other is report else _against(report, other))
    return _placed(told)


def _placed(reports: Sequence[Report]) -> list[Report]:
    """The reports, none troubled by a receipt that is another's among them."""
    fitting = {text.split()[0] for report in reports for text in report.receipts}
    strange = {f"{code} is of another session" for code in fitting}
    return [
        report._replace(
            problems=tuple(told for told in report.problems if told.finding.text not in strange)
        )
        for report in reports
    ]


def _chain(data: bytes, seen: Evidence) -> str:
    """The state of the seals as the bytes lie there, nothing undone."""
    try:
        log = read(data) if seen.damage.names else seen.log
    except NotASession:
        log = None
    return log.chain if log else "broken"


def _scored(log: Log) -> tuple[Session | None, str]:
    try:
        return compute(log), ""
    except Refused as error:
        return None, error.text


def _cited(finding: Finding) -> Finding:
    return finding._replace(rule=finding.rule or FORMAT)


def _acknowledged(told: Told, session: Session | None) -> Told:
    """The warning with the reason for which it was acknowledged, if it was."""
    for event in session.log.events if session else ():
        said = event.fields
        if (
            event.kind == "acknowledge"
            and session
            and event.seq not in session.game.history.fallen
            and said.get("warning") == told.code
            and said.get("round", told.finding.round) == told.finding.round
            and said.get("target", told.finding.event) == told.finding.event
        ):
            return told._replace(acknowledged=str(said.get("reason", "")) or "no reason given")
    return told


def _trail(log: Log | None) -> Trail:
    if log is None:
        return Trail("", (), ())
    rounds, last = [], 0
    for event in log.events:
        last = event.fields.get("number", last) if event.kind == "round" else last
        rounds.append(last)
    session = str(log.events[0].fields.get("session", ""))
    return Trail(session, tuple(event.seal for event in log.events), tuple(rounds))


def _against(report: Report, other: Report) -> Report:
    """A report with how its file stands to another of the same session."""
    mine, theirs = report.trail.seals, other.trail.seals
    same = sum(1 for _ in _common(mine, theirs))
    if same in (len(mine), len(theirs)):
        order = (len(mine) > len(theirs)) - (len(mine) < len(theirs))
        what = {0: "the same as", 1: "further than", -1: "an older copy of"}[order]
        copy = Told("copy", Finding(None, None, FORMAT, f"this file is {what} {other.file}"))
        return report._replace(warnings=(*report.warnings, copy))
    number = report.trail.rounds[same - 1] if same else 0
    text = f"this file and {other.file} are one session and differ after round {number}"
    fork = Told("fork", Finding(same + 1, number, FORMAT, f"{text}, from entry {same + 1} on"))
    return report._replace(problems=(*report.problems, fork))


def _common(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[str]:
    for one, two in zip(mine, theirs, strict=False):
        if one != two:
            return
        yield one


MEANINGS = {check.code: check.meaning for check in CHECKS} | {
    "receipt": "A player's receipt does not fit this file. Read it out again; if it stays so, the "
    "file is not the one that player saw.",
    "copy": "Two files hold the same session, one further than the other. Keep the longer one.",
    "fork": "Two files began as one session and went different ways. Ask which of them the players "
    "saw: their receipts tell.",
}
"""For each code, what it means and what to do."""
