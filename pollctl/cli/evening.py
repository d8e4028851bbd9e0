"""Commands about the evening around the rounds: player, check, dispute, end."""

from collections.abc import Sequence
from typing import Unpack

import click

from pollctl import store
from pollctl.cli.desk import (
    NUMBER,
    Command,
    answer,
    offers,
    open_session,
    reads,
    round_option,
    session_path,
)
from pollctl.cli.ended import Ended
from pollctl.cli.lazy import LazyGroup
from pollctl.cli.recorder import Recording, forces, record, writes
from pollctl.evening import (
    check_table,
    differences,
    dispute,
    end_evening,
    leave_seat,
    rename,
    settle,
    take_seat,
)
from pollctl.recording import Draft
from pollctl.render.recorded import More
from pollctl.session import Session

AFTER_LAST = round_option("The round it belongs to, else the last.")
REASON = click.option("--reason", metavar="TEXT", help="Why; kept in the log.")


@click.group("player", cls=LazyGroup, modules={})
def player_command() -> None:
    """Let players leave, join and change their names."""


@player_command.command("leave", cls=Command, writes=True, examples=("pollctl player leave cai",))
@click.argument("player", metavar="PLAYER", shell_complete=offers("players"))
@writes
def leave_command(path: str | None, player: str, **how: Unpack[Recording]) -> None:
    """Let a player leave: no ballot, no turn, no win; the score is remembered."""
    record(session_path(path), lambda session: leave_seat(session, player, store.now()), **how)


@player_command.command(
    "join",
    cls=Command,
    writes=True,
    examples=("pollctl player join Dee", "pollctl player join Eve --after ann"),
)
@click.argument("player", metavar="PLAYER", shell_complete=offers("absent"))
@click.option(
    "--after",
    metavar="PLAYER",
    help="Sit down next to this player, clockwise; else last.",
    shell_complete=offers("everybody"),
)
@writes
def join_command(
    path: str | None, player: str, after: str | None, **how: Unpack[Recording]
) -> None:
    """Let somebody sit down: a new player, or one who left, with the score of then."""
    record(
        session_path(path), lambda session: take_seat(session, player, after, store.now()), **how
    )


@player_command.command(
    "rename", cls=Command, writes=True, examples=("pollctl player rename cai Caitlin",)
)
@click.argument("player", metavar="PLAYER", shell_complete=offers("everybody"))
@click.argument("to", metavar="NAME")
@writes
def rename_command(path: str | None, player: str, to: str, **how: Unpack[Recording]) -> None:
    """Give a player another name, in all earlier rounds too."""
    record(session_path(path), lambda session: rename(session, player, to, store.now()), **how)


@click.command(
    "check", cls=Command, writes=True, examples=("pollctl check ann=2 ben=0", "pollctl check cai=2")
)
@click.argument(
    "scores", nargs=-1, required=True, metavar="PLAYER=N...", shell_complete=offers("scores")
)
@click.option("-a", "--all", "every", is_flag=True, help="Every explanation, unlikely ones too.")
@writes
def check_command(
    path: str | None, scores: Sequence[str], *, every: bool, **how: Unpack[Recording]
) -> None:
    """Compare the log with what stands on the real table, for some players or all.

    Says who differs and by how much, and which single entry, had it been another, would explain
    it, with the command that puts it right. Ends with status 1 then.
    """

    def explain(session: Session, draft: Draft) -> More:
        from pollctl.render.compared import difference_answers, difference_lines

        table = draft.events[0].fields["table"]
        found = differences(draft.after, table)
        lines, answers = list(difference_lines(found)), {"differences": difference_answers(found)}
        if not found:
            return More(lines, {**answers, "culprits": []})
        from pollctl.culprit import culprits
        from pollctl.render.culprits import culprit_answers, culprit_lines

        suspects = culprits(session, table)
        lines += culprit_lines(suspects, path, every=every)
        return More(lines, {**answers, "culprits": culprit_answers(suspects, path)})

    def compose(session: Session) -> Draft:
        return check_table(session, scores, store.now())

    draft = record(session_path(path), compose, explain=explain, **how)
    if differences(draft.after, draft.events[0].fields["table"]):
        raise Ended(1, "")


@click.command("end", cls=Command, writes=True, examples=("pollctl end --reason 'the last bus'",))
@REASON
@writes
def end_command(path: str | None, reason: str | None, **how: Unpack[Recording]) -> None:
    """Stop the evening before the game is over: nobody wins."""
    record(session_path(path), lambda session: end_evening(session, reason, store.now()), **how)


@click.group("dispute", cls=LazyGroup, modules={})
def dispute_command() -> None:
    """Keep a penalty or ruling open until the table has decided it."""


@dispute_command.command(
    "add",
    cls=Command,
    writes=True,
    examples=(
        "pollctl dispute add ben=answer",
        "pollctl dispute add ann=+1 --reason 'the question was ambiguous' --round 2",
    ),
)
@click.argument("move", metavar="PLAYER=WORD|±N", shell_complete=offers("disputed"))
@REASON
@AFTER_LAST
@writes
def add_command(
    path: str | None,
    move: str,
    reason: str | None,
    number: int | None,
    **how: Unpack[Recording],
) -> None:
    """Record a penalty or ruling that is not decided yet: it scores once it is upheld."""
    record(
        session_path(path),
        lambda session: dispute(session, move, reason, number, store.now()),
        **how,
    )


@dispute_command.command("list", cls=Command, examples=("pollctl dispute list",))
@reads
def list_command(path: str | None, *, as_json: bool) -> None:
    """List the disputes, open and decided."""
    from pollctl.render import disputed

    session = open_session(session_path(path))
    answer(disputed.disputes_answer(session) if as_json else disputed.disputes_words(session))


SEQ = click.argument(
    "seq", type=NUMBER, required=False, metavar="[SEQ]", shell_complete=offers("disputes")
)


@dispute_command.command("uphold", cls=Command, writes=True, examples=("pollctl dispute uphold",))
@SEQ
@REASON
@forces
def uphold_command(
    path: str | None, seq: int | None, reason: str | None, **how: Unpack[Recording]
) -> None:
    """Decide that a dispute is right: it scores from now on."""
    record(
        session_path(path),
        lambda session: settle(session, seq, "upheld", reason, store.now()),
        **how,
    )


@dispute_command.command(
    "reject",
    cls=Command,
    writes=True,
    examples=("pollctl dispute reject --reason 'not so'",),
)
@SEQ
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the log.")
@writes
def reject_command(
    path: str | None, seq: int | None, reason: str, **how: Unpack[Recording]
) -> None:
    """Decide that a dispute is wrong: it never scores."""
    record(
        session_path(path),
        lambda session: settle(session, seq, "rejected", reason, store.now()),
        **how,
    )
