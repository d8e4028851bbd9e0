"""What a command says of itself: `pollctl help`, and examples that work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pexpect
import pytest

from commands import examples, load, tree
from pollctl.cli import cli
from tests.conftest import Pollctl
from tests.documents.transcript import RECEIPT

BIN = Path(sys.executable).parent
MAN = Path(__file__).parents[2] / "man"
LEAVES = {ctx.command_path: ctx for ctx in tree() if not isinstance(ctx.command, click.Group)}
PROSE = load()["pages"]

EVENING = (
    "pollctl new dice Ann Ben Cai -o dice.toml",
    "pollctl new poll Ann Ben Cai -o friday.toml",
    "pollctl round add 3y 4n 3y -q 'Do you sing?'",
    "pollctl round add 2y 1y 1n -p cai=chip",
    "pollctl round add 0n 2y 1n",
    "pollctl round export -o friday.csv",
    "pollctl round export -o friday.ndjson",
)
"""What lies in the folder before a command's examples are run in it, one after the other."""

DECK = r"printf 'Do you sing?\nDo you dance?\n' > party.txt"
"""Writes a deck of two cards."""

SCENES = {
    "pollctl": ("rm friday.*",),
    "pollctl new": ("rm friday.*",),
    "pollctl round export": ("rm friday.csv",),
    "pollctl repair": ("printf '\\n[[event]]\\nseq = 6' >> friday.toml",),
    "pollctl accept": ("sed -i.old 's/Do you sing/Do you swim/' friday.toml",),
    "pollctl deck show": (DECK,),
    "pollctl deck use": (DECK,),
    "pollctl draw": (DECK, "pollctl deck use party.txt"),
    "pollctl dispute uphold": ("pollctl dispute add ben=answer",),
    "pollctl dispute reject": ("pollctl dispute add ben=answer",),
    "pollctl audit": (
        "mkdir league",
        "pollctl new poll Ann Ben Cai --rule spaces=1 -o league/one.toml",
        "pollctl round add 1y 0n 0n",
        "pollctl use friday.toml",
    ),
}
"""What else has to happen before the examples of a command."""

DICE = {"pollctl round add 64 61 52 -L cai -d 11223344445556"}
"""Examples for a session of the other game."""


PLAYED = {"pollctl play", "pollctl play poll Ann Ben Cai"}
"""Examples that talk to somebody at a terminal."""


def played(line: str) -> str:
    """What stands on the terminal of a host who leaves at the first question."""
    child = pexpect.spawn(str(BIN / line.split(maxsplit=1)[0]), line.split()[1:], encoding="utf-8")
    child.expect_exact("Question, or Enter: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return child.before or ""


def in_shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a folder, in a shell in which pollctl is found."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the evening was played, to be copied."""
    folder = tmp_path_factory.mktemp("evening")
    for line in EVENING:
        done = in_shell(line, folder, XDG_STATE_HOME=str(folder / "state"))
        assert done.returncode == 0, line
    return folder


@pytest.fixture
def shell(
    room: Path, evening: Path, pollctl: Pollctl
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A shell in a folder in which the evening was played."""
    shutil.copytree(evening, room, dirs_exist_ok=True, ignore=shutil.ignore_patterns("state"))
    assert pollctl("use", "friday.toml").status == 0
    return lambda line, **variables: in_shell(line, room, **variables)


Shell = Callable[..., subprocess.CompletedProcess[str]]


def prepare(shell: Shell, path: str) -> None:
    """Do what else the examples of a command need."""
    for line in SCENES.get(path, ()):
        assert shell(line).returncode == 0, line


def with_receipt(shell: Shell, line: str) -> str:
    """The command line with a receipt that a player could hold, if it has one."""
    held = json.loads(shell("pollctl log --json").stdout)["events"][2]["receipt"]
    return RECEIPT.sub(held, line)


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_has_examples(path: str) -> None:
    """The help of each command ends in a block of examples."""
    context = LEAVES[path]
    assert getattr(context.command, "examples", ())
    assert "\nExamples:\n  pollctl " in context.command.get_help(context)


@pytest.mark.parametrize("path", [ctx.command_path for ctx in tree()])
def test_its_examples_work(path: str, shell: Shell) -> None:
    """Run one after the other, the examples of each command, and those of its page, succeed."""
    command = next(ctx.command for ctx in tree() if ctx.command_path == path)
    prepare(shell, path)
    for example in examples(command, PROSE.get(path, {}).get("examples", {})):
        variables = {"POLLCTL_SESSION": "dice.toml"} if example in DICE else {}
        line = with_receipt(shell, example) if RECEIPT.search(example) else example
        if example in PLAYED:
            assert "holds everything" in played(example)
            continue
        done = shell(line, **variables)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert done.stdout


@pytest.mark.parametrize("names", [(), ("undo",), ("round",), ("round", "add"), ("help",)])
def test_help_prints_the_help_in_a_pipe(names: tuple[str, ...], pollctl: Pollctl) -> None:
    """Without a terminal `pollctl help round add` says what `pollctl round add --help` says."""
    answer = pollctl("help", *names)
    assert answer == pollctl(*names, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"Usage: {' '.join(['pollctl', *names])} ")


def test_help_answers_in_json(pollctl: Pollctl) -> None:
    """With --json a script is told where the page lies and what the help says."""
    answer = pollctl("help", "--json", "round", "add").json
    assert Path(answer["page"]).samefile(MAN / "man1" / "pollctl-round-add.1")
    assert answer["text"] == pollctl("help", "round", "add").out.removesuffix("\n")
    assert (answer["schema"], answer["command"]) == ("pollctl.help/1", "pollctl round add")


@pytest.mark.parametrize("names", [("gone",), ("round", "gone"), ("undo", "gone"), ("",)])
def test_help_knows_no_other_command(names: tuple[str, ...], pollctl: Pollctl) -> None:
    """A command that is none is a mistake in the command line."""
    answer = pollctl("help", *names)
    assert (answer.status, answer.out) == (2, "")
    assert names[-1] in answer.err


@pytest.fixture
def reader(room: Path) -> Path:
    """A `man` that says what it is asked to open, in a folder of its own."""
    folder = room / "reader"
    folder.mkdir()
    (folder / "man").write_text('#!/bin/sh\necho "opened $# $1"\n')
    (folder / "man").chmod(0o755)
    return folder


def on_a_terminal(arguments: list[str], path: str) -> str:
    """What `pollctl` shows on a terminal, with this search path."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "pollctl", *arguments],
        env={**os.environ, "PATH": path},
        encoding="utf-8",
        timeout=30,
    )
    return str(child.read())


def test_help_opens_the_page_on_a_terminal(reader: Path) -> None:
    """On a terminal man is asked for the very file of the command's page."""
    shown = on_a_terminal(["help", "round", "add"], str(reader))
    page = Path(shown.split("opened 1 ")[1].strip())
    assert page.read_text() == (MAN / "man1" / "pollctl-round-add.1").read_text()


def test_help_prints_the_help_where_man_is_missing(room: Path) -> None:
    """On a terminal without man the help is printed."""
    assert "Usage: pollctl round add" in on_a_terminal(["help", "round", "add"], str(room))


@pytest.mark.parametrize(
    ("begun", "names", "offered"),
    [("st", [], ["standings"]), ("a", ["round"], ["add", "amend"]), ("a", ["undo"], [])],
)
def test_help_completes_commands(begun: str, names: list[str], offered: list[str]) -> None:
    """What a shell offers after `pollctl help` are the commands of the group so far."""
    ctx = click.Context(cli, info_name="pollctl")
    command = cli.get_command(ctx, "help")
    assert command
    inner = click.Context(command, ctx, "help")
    inner.params["names"] = names
    assert [item.value for item in command.params[0].shell_complete(inner, begun)] == offered
