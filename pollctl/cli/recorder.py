"""What all commands that record something share."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NotRequired, TypedDict, TypeVar

import click

from pollctl import store
from pollctl.cli.desk import answer, json_option, load_session, session_option
from pollctl.cli.ended import guided
from pollctl.log import Ruined, seal_all
from pollctl.model import Event, Refused
from pollctl.recording import Draft, weigh
from pollctl.render.answers import dumps
from pollctl.render.recorded import More, recorded_answer, recorded_words
from pollctl.seal import receipt
from pollctl.session import Session

Function = TypeVar("Function", bound=Callable[..., Any])


class Damaged(Refused):
    """The file's bytes are not as they were sealed, so nothing is added to them."""

    status = 3


class Recording(TypedDict):
    """How something is recorded: the options of every command that does."""

    force: NotRequired[bool]
    dry_run: bool
    verbose: bool
    as_json: bool


def writes(function: Function) -> Function:
    """Add the options of a command that records something in a session."""
    dry = click.option("-n", "--dry-run", is_flag=True, help="Say what it would do, write nothing.")
    verbose = click.option("-v", "--verbose", is_flag=True, help="With -n: the TOML too.")
    return session_option(json_option(dry(verbose(function))))


def forces(function: Function) -> Function:
    """Add the options of a command that corrects what is recorded."""
    text = "Record it even where a later round becomes impossible."
    return writes(click.option("--force", is_flag=True, help=text)(function))


def _nothing(_session: Session, _draft: Draft) -> More:
    return More()


def record(
    path: str,
    compose: Callable[[Session], Draft],
    *,
    explain: Callable[[Session, Draft], More] = _nothing,
    force: bool = False,
    dry_run: bool = False,
    verbose: bool = False,
    as_json: bool = False,
) -> Draft:
    """Record what `compose` makes of the session, and answer; it runs under the file's lock.

    `explain` adds to the answer, from the session as it was, once the draft is written.
    """

    def draft_of(data: bytes) -> tuple[bytes, tuple[Draft, str, Session]]:
        try:
            session = load_session(path, data)
        except Ruined as error:
            raise Damaged("", error.text) from None
        if session.log.chain not in ("intact", "accepted"):
            fault = f"{path} is {session.log.chain}: {session.log.fault}"
            raise Damaged("", f"{fault}; pollctl audit says what to do")
        draft = compose(session)
        weigh(draft, force=force)
        text, sealed = seal_all(data, _watched(draft.events))
        code = receipt(session.log.session, sealed[-1].seq, sealed[-1].seal)
        return text, (draft, code, session)

    if dry_run:
        text, (draft, _, session) = store.read(path, draft_of, lambda _: True)
        _answer_recorded(path, draft, None, explain(session, draft), as_json=as_json)
        if verbose and not as_json:
            answer(text.decode().strip("\n"))
        return draft
    draft, code, session = store.append(path, draft_of)
    _answer_recorded(path, draft, code, explain(session, draft), as_json=as_json)
    return draft


def _watched(events: Sequence[Event]) -> Iterator[Event]:
    """The events one by one, with a progress bar on a terminal from a second of work on."""
    begin = store.seconds()
    with ExitStack() as stack:
        bar = None
        for done, event in enumerate(events):
            if bar is None and store.seconds() - begin > 1 and sys.stderr.isatty():
                bar = click.progressbar(length=len(events), label="Sealing", file=sys.stderr)
                stack.enter_context(bar).update(done)
            elif bar is not None:
                bar.update(1)
            yield event


def _answer_recorded(
    path: str, draft: Draft, code: str | None, more: More, *, as_json: bool
) -> None:
    done = code is not None
    if as_json:
        answer(dumps(recorded_answer(path, draft, code, more.answer)), recorded=done)
    else:
        words = recorded_words(path, draft, code, more.lines, guided=guided())
        answer(words, recorded=done)
