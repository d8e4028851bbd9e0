"""The manual can't lie: its pages are what the program makes of itself now."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from commands import describe, page_name, summary, tree
from pollctl.codec import REQUIRED, parse
from pollctl.game import Game
from pollctl.games import catalogue
from pollctl.log import read
from pollctl.session import load
from reference import example
from roff import page
from tests.commands import SCENES, done
from tests.conftest import Pollctl
from tests.house.source import TREES

ROOT = Path(__file__).parents[2]
MAN = ROOT / "man"
PAGES = {path.name: path.read_text(encoding="ascii") for path in sorted(MAN.glob("man[0-9]/*"))}
COMMANDS = {f"{page_name(ctx)}.1": ctx for ctx in tree()}
EDITION = ("2026-11-30", "pollctl")

ESCAPES = {
    r"\-": "-",
    r"\(aq": "'",
    r"\(dq": '"',
    r"\(ga": "`",
    r"\(ha": "^",
    r"\(ti": "~",
    r"\e": "\\",
}
"""What stands for a character that roff would take for something else."""

KEYS = [(game, key) for game in catalogue().values() for key in game.keys]
CLAUSES = [(game, clause) for game in catalogue().values() for clause in game.guide().clauses]


def plain(name: str) -> str:
    """The words of a page, without its fonts and escapes, in one line."""
    text = re.sub(r"\\f[BIR]|\\%|\\&", "", PAGES[name])
    for escape, char in ESCAPES.items():
        text = text.replace(escape, char)
    text = re.sub(r"\\\[u([0-9A-F]+)\]", lambda match: chr(int(match[1], 16)), text)
    return " ".join(text.split())


def section(game: Game, rule: str) -> str:
    """What pollctl-rules(7) says of a clause."""
    chapter = plain("pollctl-rules.7").split(f".SH {game.title.upper()} ")[1].split(" .SH ")[0]
    return chapter.split(f".SS {rule} ")[1].split(" .SS ")[0]


def build(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the generator."""
    return subprocess.run(
        [sys.executable, MAN / "build.py", *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_pages_are_what_the_program_makes_now() -> None:
    """No page differs from what the generator makes, and none is there that it does not make."""
    answer = build("--check")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "variables",
    [
        {"COLUMNS": "20", "LC_ALL": "C"},
        {"COLUMNS": "300", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "0"},
        {"TERM": "dumb", "NO_COLOR": "1", "POLLCTL_SESSION": "x.toml", "PYTHONHASHSEED": "7"},
    ],
)
def test_the_pages_are_the_same_everywhere(variables: dict[str, str]) -> None:
    """Width, locale, zone and environment of whoever runs the generator leave no trace."""
    assert build("--check", **variables).returncode == 0


def test_a_stale_page_is_named(tmp_path: Path) -> None:
    """The check names a page that differs, one too many and one missing; the build mends all."""
    shutil.copytree(MAN, tmp_path / "man", ignore=shutil.ignore_patterns("__pycache__"))
    names = ("pollctl-undo.1", "pollctl-gone.1", "pollctl-redo.1")
    stale, gone, missing = (tmp_path / "man" / "man1" / name for name in names)
    stale.write_text(stale.read_text() + "more\n")
    gone.write_text("old\n")
    missing.unlink()
    command = [sys.executable, str(tmp_path / "man" / "build.py")]
    check = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert (check.returncode, len(check.stdout.splitlines())) == (1, 3)
    assert subprocess.run(command, capture_output=True, check=True).returncode == 0
    assert (stale.read_text(), gone.exists(), missing.exists()) == (
        PAGES["pollctl-undo.1"],
        False,
        True,
    )


def test_every_command_has_a_page_and_every_page_a_command() -> None:
    """The pages of section 1 are those of the commands, and two more describe file and rules."""
    assert PAGES.keys() == {*COMMANDS, "pollctl-session.5", "pollctl-rules.7"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_everything_the_help_has(name: str) -> None:
    """Every paragraph, argument, option, choice and example of the help stands in the page."""
    ctx, text = COMMANDS[name], plain(name)
    for paragraph in re.split(r"\n\s*\n", ctx.command.help or ""):
        assert " ".join(re.sub(r"[`\b\f]", "", paragraph).split()) in text
    terms = text.split(".SH OPTIONS")[1].split(".SH")[0].split(".TP ")[1:]
    for param in ctx.command.get_params(ctx):
        assert any(is_about(term, param, ctx) for term in terms), param.name
    for line in getattr(ctx.command, "examples", ()):
        assert f".EX {line} .EE" in text.replace(" \\ ", " ")


def is_about(term: str, param: click.Parameter, ctx: click.Context) -> bool:
    """Whether this part of a page describes an option, with all its names, or an argument."""
    named = isinstance(param, click.Option) and {*param.opts} <= {*re.split(r"[ ,]+", term)}
    return named or term.startswith(f"{param.make_metavar(ctx)} ")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_points_only_to_pages_that_are(name: str) -> None:
    """Every page of the manual that a page mentions is there."""
    named = re.findall(r"\b(pollctl[\w-]*)\(([0-9])\)", plain(name))
    assert {f"{page}.{number}" for page, number in named} <= PAGES.keys()


@pytest.mark.parametrize(("game", "clause"), CLAUSES)
def test_every_clause_stands_in_the_rules(game: Game, clause: Any) -> None:
    """The page of the rules has each clause with its title, what is printed and the reading."""
    text = section(game, clause.id).casefold()
    for part in (clause.title, clause.printed or "nothing", clause.reading):
        assert part.replace("`", "").casefold() in text


@pytest.mark.parametrize(("game", "key"), KEYS)
def test_every_key_stands_with_its_clause(game: Game, key: Any) -> None:
    """The page of the rules has each key under its clause, with its default and its range."""
    text = section(game, key.rule)
    assert f".TP {key.name} = {key.default} {key.text[0].upper()}" in text
    assert key.range in text


@pytest.mark.parametrize("kind", REQUIRED)
def test_every_kind_of_event_is_described(kind: str) -> None:
    """The page of the session has each kind of event with the fields it must have."""
    text = plain("pollctl-session.5").split(".SH KINDS")[1].split(".SH ROUNDS")[0]
    described = text.split(f".TP {kind} ")[1].split(" .TP ")[0]
    assert all(re.search(rf"\b{field}\b", described) for field in REQUIRED[kind])


@pytest.mark.parametrize("game", catalogue().values(), ids=list(catalogue()))
def test_every_field_of_a_round_is_described(game: Game) -> None:
    """The page of the session has each field of a round of each game, and the keys of a ballot."""
    text = plain("pollctl-session.5").split(f".SS {game.title} ")[1].split(".S")[0]
    assert all(f".TP {field.name} " in text for field in game.fields)
    assert all(f"{name} = " in text for name in game.ballot.read(game.ballot.example))


def test_every_exit_status_is_described() -> None:
    """The page of the program has every status that its source can end with, and no other."""
    text = plain("pollctl.1").split(".SH EXIT STATUS")[1].split(".SH")[0]
    assert {int(number) for number in re.findall(r"\.TP (\d+) ", text)} == {0, *_statuses()}


def _statuses() -> Iterator[int]:
    """The numbers that the source gives to a status, or to what ends a command with one."""
    for node in (node for source in TREES.values() for node in ast.walk(source)):
        if isinstance(node, ast.Assign):
            yield from _numbers(node.value, ast.unparse(node.targets[0]).strip("()").split(", "))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ENDINGS:
            yield from _numbers(node.args[0], ["status"])


def _numbers(value: ast.expr, names: list[str]) -> list[int]:
    """The number assigned to a name `status` among these, if one is."""
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    pairs = zip(names, values, strict=False)
    found = [getattr(each, "value", None) for name, each in pairs if name == "status"]
    return [number for number in found if type(number) is int]


def answers(pollctl: Pollctl) -> Iterator[Any]:
    """What every reading command and a writing one answer with --json."""
    for scene in ("tie", "won", "cast"):
        Path("game.toml").unlink(missing_ok=True)
        yield done(pollctl, *SCENES[scene][:-1], f"{SCENES[scene][-1]} --json").json
        for command in (
            "standings",
            "board",
            "next",
            "explain",
            "round list",
            "round show 1",
            "log",
            "receipt",
        ):
            yield done(pollctl, f"{command} --json").json
    for line in ("round export -o all.csv", "help undo", "completion fish"):
        yield done(pollctl, f"{line} --json").json
    yield pollctl("audit", "game.toml", "--json").json
    yield pollctl("undo", "--force", "--json").json
    yield pollctl("ruling", "ann=+1", "--reason", "late", "--json").json
    disputed = ("redo", "dispute add ann=+1 --reason late")
    yield done(pollctl, *disputed, "standings --what-if start=2 --json").json
    yield pollctl("check", "ann=9", "--json").json


def names(value: Any) -> Iterator[str]:
    """All keys of a document but those that are players, rules or fields of a round."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield key
        if key not in ("fields", "rules", "scores", "verdicts"):
            yield from names(inner)
    for inner in value if isinstance(value, list) else ():
        yield from names(inner)


def test_every_key_of_an_answer_is_described(pollctl: Pollctl) -> None:
    """The page of the program names every key that an answer with --json has, and its schema."""
    text = plain("pollctl.1").split(".SH JSON")[1].split(".SH")[0]
    for answer in answers(pollctl):
        assert answer["schema"] in text
        assert not [name for name in names(answer) if not re.search(rf"\b{name}\b", text)]


def test_the_session_shown_is_one() -> None:
    """The example of pollctl-session(5) is an intact session of what it says."""
    log = read(example())
    assert (log.chain, len(log.events)) == ("intact", 2)
    assert example().decode() in as_typed(PAGES["pollctl-session.5"])
    assert log.receipt in plain("pollctl-session.5")
    assert load(example()).game.state.scores == {"Ann": 1, "Ben": 0, "Cai": 1}


def as_typed(block: str) -> str:
    """A block of an example as it comes out."""
    for escape, char in {r"\&": "", **ESCAPES}.items():
        block = block.replace(escape, char)
    return block


def test_its_seal_is_checked_by_hand_as_shown(room: Path) -> None:
    """The commands of pollctl-session(5) print what it says when they are run on its example."""
    (room / "friday.toml").write_bytes(example())
    block = re.findall(
        r"^\.EX\n(\$ .*?)^\.EE", PAGES["pollctl-session.5"], re.DOTALL | re.MULTILINE
    )
    lines = as_typed(block[0]).splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("$ "):
            printed = subprocess.run(
                ["/bin/sh", "-c", line[2:]], capture_output=True, text=True, check=True
            )
            assert following in printed.stdout.splitlines()


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_mandoc_finds_no_fault(name: str) -> None:
    """A page has nothing that mandoc warns about."""
    path = str(MAN / f"man{name[-1]}" / name)
    lint = ["mandoc", "-T", "lint", "-W", "warning", path]
    assert subprocess.run(lint, capture_output=True, text=True, check=False).stdout == ""


HOSTILE = (
    ".SH OWNED",
    "'br",
    "text\n.so /etc/passwd",
    r"\fBbold\fR and \n[x] and \*(xx",
    r"ends in a backslash \ ",
    '"quoted" and ~ and ^',
    '.\\" a comment',
    "\x08overstruck\x1b[1m",
    "\u2028.SH after a line separator",
    "One sentence. .SH Another sentence. 'br",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_of_help_acts_as_a_macro(text: str) -> None:
    """Help that looks like a macro, a request, an escape or a control comes out as text."""

    class Odd(click.Command):
        examples = (text.replace("\n", " "),)

    option = click.Option(["--odd"], help=text, metavar=text)
    ctx = click.Context(Odd("odd", params=[option], help=f"First.\n\n{text}"), info_name="odd")
    prose = {"name": text.replace("\n", " ")}
    shared: Any = {"exit": {"every": {}}, "environment": {}, "options": {}, "pages": {}}
    made = page("odd", 1, EDITION, summary(ctx, prose), describe(ctx, prose, shared))
    lines = made.splitlines()
    macros = {line.split()[0] for line in lines if line.startswith((".", "'"))}
    assert macros <= {r".\"", ".TH", ".ad", ".SH", ".SY", ".YS", ".PP", ".TP", *EXAMPLE}
    assert {line for line in lines if line.startswith(".SH")} == {f".SH {s}" for s in SECTIONS}
    assert made.isascii()
    assert set(re.findall(r"\\(.)", made.split("\n", 1)[1])) <= set("-&efR%(BI[ ")
    assert set(re.findall(r"\\\((..)", made)) <= {"aq", "dq", "ga", "ha", "ti"}


ENDINGS = ("Ended", "Trouble", "store.Trouble")
"""What ends a command, its status first."""

EXAMPLE = (".in", ".RS", ".EX", ".EE", ".RE")
SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO")


def test_prose_about_nothing_is_refused() -> None:
    """Prose about an option or an example that is gone stops the build."""
    shared: Any = {"exit": {"other": {}}, "environment": {}, "options": {}, "pages": {}}
    ctx = COMMANDS["pollctl-help.1"]
    for prose in ({"options": {"--gone": "x"}}, {"examples": {"pollctl gone": "x"}}):
        with pytest.raises(ValueError, match="gone"):
            describe(ctx, prose, shared)


def test_the_wheel_takes_every_folder_of_pages() -> None:
    """Each section of the manual is installed where man looks beside the program."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    for folder in {path.parent.name for path in MAN.glob("man[0-9]/*")}:
        assert shared[f"man/{folder}"] == f"share/man/{folder}"


def test_its_example_parses_block_by_block() -> None:
    """Each block of the example is an event by itself, as pollctl-session(5) says."""
    blocks = example().decode().split("[[event]]\n")[1:]
    assert [parse(f"[[event]]\n{block}").seq for block in blocks] == [1, 2]
