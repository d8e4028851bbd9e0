"""What is offered, whichever shell asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import CompletionItem, ShellComplete

from pollctl.cli import COMMANDS, cli
from pollctl.cli import complete as offers
from pollctl.cli.completion import respond, split
from pollctl.session import Session, load
from tests.commands import snapshot
from tests.conftest import Pollctl
from tests.house.source import ROOT
from tests.house.test_third_game import GAME

PLAYERS = ["Mary Ann", "José", "O'Neil", "李雷"]
BALLOTS = [f"{player}:" for player in PLAYERS]
MOVES = [f"{player}=" for player in PLAYERS]
DICE = "-s 'dice night.toml'"

POLL_KEYS = ["spaces", "paths", "advance", "sole_advance", "penalty"]
POLL_KEYS += ["chip_penalty", "answer_penalty", "tiebreak"]

OFFERS = {
    "pen": ["penalty"],
    "r": ["round", "ruling", "redo", "receipt", "repair"],
    "round v": ["void"],
    "completion ": ["bash", "zsh", "fish"],
    "standings --ro": ["--round"],
    # games and what a new session agrees on
    "new ": ["dice-democracy", "poll-game"],
    "new p": ["poll-game"],
    "new poll A": [],
    "new poll --rule ": [f"{key}=" for key in POLL_KEYS],
    "new poll A B --rule t": ["tiebreak="],
    "new poll A B --rule spaces=3 --rule s": ["sole_advance="],
    "new poll A B --rule spaces=": [],
    "new poll A B --rule tiebreak=": ["tiebreak=sole-correct", "tiebreak=knockout"],
    "new poll A B --rule=tiebreak=k": ["tiebreak=knockout"],
    "new nosuch --rule ": [],
    "new --rule both": ["both_at_need_one="],
    "new --like 'dice night.toml' --rule maj": ["majority=", "majority_objector="],
    "new poll Ben Bea Cai --first b": ["Ben", "Bea"],
    "new poll Ben Bea --first ": ["Ben", "Bea", "random"],
    "new --like 'dice night.toml' --first x": ["Xu"],
    "new --like nosuch.toml --first ": ["random"],
    # players
    "explain --player ": PLAYERS,
    "explain --player MA": ["Mary Ann"],
    "explain --player=jo": ["José"],
    "explain --player b": [],
    f"explain {DICE} --player ": ["Zoé", "Yan", "Xu"],
    "explain --session='dice night.toml' --player ": ["Zoé", "Yan", "Xu"],
    "round add --pollster o": ["O'Neil"],
    f"round add {DICE} -L ": ["Zoé", "Yan", "Xu"],
    # ballots
    "round add ": BALLOTS,
    "round add o:1y ": ["Mary Ann:", "José:", "李雷:"],
    "round add ma": ["Mary Ann:"],
    "round add 3y ": [],
    "round add ma:": [],
    "round amend 2 'mary ann:3y' ": BALLOTS[1:],
    # moves and rulings
    "penalty ": MOVES,
    "penalty o=": ["o=chip", "o=answer"],
    "penalty b=": [],
    f"penalty {DICE} ": [],
    "round add -p ": MOVES,
    "round add 1y -p 'mary ann=c": ["mary ann=chip"],
    "ruling ": MOVES,
    "ruling 李雷=": ["李雷=+", "李雷=-"],
    "round amend 2 --ruling j": ["José="],
    # words, and rules for one round
    "round add --source ": ["card", "off-board", "choice"],
    "round add --category F": ["Food & Drink"],
    f"round add {DICE} --override d": ["dice="],
    f"round add {DICE} --override start": [],
    f"round add {DICE} --override b": ["both_at_need_one="],
    f"round add {DICE} --override both_at_need_one=": [
        "both_at_need_one=large-only",
        "both_at_need_one=invalid",
    ],
    # nothing for the fields of another game
    "round add --override ": [],
    "round add -L ": [],
    f"round add {DICE} --source ": [],
    f"round add {DICE} -p ": [],
    "round add --pe": ["--penalty"],
    "round add --di": [],
    f"round add {DICE} --di": ["--dice"],
    f"round amend 1 {DICE} --pe": [],
    # rounds and entries
    "round show ": ["3", "2", "1"],
    "round amend ": ["3", "2"],
    "round void ": ["3", "2"],
    "penalty o=chip --round ": ["3", "2"],
    "ruling o=+1 --round=": ["3", "2"],
    "standings --round ": ["3", "2"],
    "board --round ": ["3", "2"],
    "standings --what-if ": [f"{key}=" for key in POLL_KEYS],
    "standings --what-if spaces=3 --what-if s": ["sole_advance="],
    "standings --what-if tiebreak=": ["tiebreak=sole-correct", "tiebreak=knockout"],
    f"standings {DICE} --what-if maj": ["majority=", "majority_objector="],
    "explain --round 2": ["2"],
    "void ": ["8", "5", "4", "3"],
    # what can be cleared, formats
    "round amend 2 --clear ": ["penalties"],
    "round amend 3 --clear ": [],
    "round amend 9 --clear ": [],
    f"round amend {DICE} 1 --clear ": ["overrides", "note"],
    f"round amend {DICE} 1 --clear note --clear ": ["overrides"],
    "standings --format gi": ["github"],
    "round list --format or": ["orgtbl"],
}
"""What is typed, and what is offered for its last word."""

FILES = ("use ", "new --like ", "new poll A B -o ", "standings -s ", "undo --session=")

FREE = {"players", "title", "at", "reason", "expected", "receipts", "warning", "to"}
FREE |= {"skip"}
FREE |= {f"field_{name}" for name in ("question", "note", "rule_card", "dice", "recasts")}
"""Parameters that may be anything, or are other people's to name."""


def session_of(name: str) -> Session:
    """A session of this folder."""
    return load(Path(name).read_bytes())


def completed(line: str) -> list[CompletionItem[str]]:
    """What is offered for the last word of a line."""
    words, _ = split(f"pollctl {line}")
    return ShellComplete(cli, {}, "pollctl", "_").get_completions(words[1:-1], words[-1])


def offered(line: str) -> list[str]:
    """The values offered for the last word of a line."""
    return [item.value for item in completed(line)]


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("line", OFFERS)
def test_only_what_fits_is_offered(line: str) -> None:
    """For every kind of value exactly those are offered that can stand there."""
    assert offered(line) == OFFERS[line]


def test_every_command_is_offered() -> None:
    """On an empty line, all commands."""
    assert offered("") == list(COMMANDS)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("line", FILES)
def test_files_are_left_to_the_shell(line: str) -> None:
    """For the name of a file the shell is told to complete it itself."""
    assert [(item.type, item.value) for item in completed(f"{line}fri")] == [("file", "fri")]


@pytest.mark.usefixtures("at_home")
def test_what_goes_on_is_marked() -> None:
    """A value that something has to be typed onto is marked, so that no blank follows it."""
    lines = ("round add ma", "penalty o", "ruling o=", "new poll --rule t", "explain --player o")
    assert [completed(line)[0].type for line in lines] == ["open"] * 4 + ["plain"]


@pytest.mark.usefixtures("at_home")
def test_rounds_are_told_apart() -> None:
    """A round is offered with whose turn it was and its question, and not with who said what."""
    assert [item.help for item in completed("round show ")] == [
        "round 3, O'Neil",
        "round 2, 李雷",
        "round 1 (“Do you sing?”), Mary Ann",
    ]
    assert completed("void ")[0].help == "void of entry 2"


def parameters() -> Iterator[tuple[click.Context, click.Parameter]]:
    """Every parameter that takes a value, with its command."""
    contexts = [click.Context(cli, info_name="pollctl", resilient_parsing=True)]
    for ctx in contexts:
        if isinstance(ctx.command, click.Group):
            for name in ctx.command.list_commands(ctx):
                command = ctx.command.get_command(ctx, name)
                assert command
                contexts.append(click.Context(command, ctx, name, resilient_parsing=True))
        for param in ctx.command.params:
            if not (isinstance(param, click.Option) and param.is_flag):
                yield ctx, param


def test_no_value_is_forgotten(home: Path, room: Path, pollctl: Pollctl) -> None:
    """Every argument and option of every command offers something in one game or the other."""
    shutil.copytree(home, room, dirs_exist_ok=True)
    assert pollctl("use", "friday.toml").status == 0
    assert pollctl("dispute", "add", "o=answer").status == 0
    assert pollctl("player", "leave", "o").status == 0
    (room / "deck.txt").write_text("Do you sing? | Do you dance?\n")
    assert pollctl("draw", "--deck", "deck.txt").status == 0
    assert [item.help for item in completed("draw --pick ")] == ["Do you sing?", "Do you dance?"]
    assert offered("dispute uphold ") == [str(len(session_of("friday.toml").log.events) - 2)]
    assert offered("player join ") == ["O'Neil"]
    assert offered("dispute add j=a") == ["j=answer"]
    assert offered("check o=2 j") == ["José="]
    silent = set()
    for ctx, param in parameters():
        found = []
        for path in ("friday.toml", "dice night.toml"):
            ctx.params = {"path": path, "number": 2 if path == "friday.toml" else 1}
            ctx.params["like"] = path
            found += param.shell_complete(ctx, "")
        if not found:
            silent.add(param.name)
    assert silent <= FREE


def test_players_are_those_of_the_round(pollctl: Pollctl) -> None:
    """For a correction those are offered who were seated in its round, for a round who is now."""
    pollctl("new", "poll", "Ann", "Ben", "Cai", "-o", "s.toml")
    pollctl("round", "add", "1y0n0n")
    pollctl("player", "leave", "cai")
    pollctl("player", "join", "Dee")
    for line in ("penalty ", "ruling ", "dispute add "):
        assert offered(line) == ["Ann=", "Ben=", "Cai="]
    assert offered("round amend 1 ") == ["Ann:", "Ben:", "Cai:"]
    assert offered("round add ") == ["Ann:", "Ben:", "Dee:"]
    pollctl("round", "add", "1y0n0n")
    assert offered("penalty ") == ["Ann=", "Ben=", "Dee="]
    assert offered("penalty --round 1 ") == ["Ann=", "Ben=", "Cai="]
    assert offered("player leave ") == ["Ann", "Ben", "Dee"]
    assert offered("player join --after ") == ["Ann", "Ben", "Cai", "Dee"]


def test_the_session_is_the_one_the_command_would_take(
    at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """-s before POLLCTL_SESSION before the current session, and a tilde means the home."""
    assert offered("explain --player ") == PLAYERS
    monkeypatch.setenv("POLLCTL_SESSION", "dice night.toml")
    assert offered("explain --player ") == ["Zoé", "Yan", "Xu"]
    assert offered("explain -s friday.toml --player ") == PLAYERS
    monkeypatch.setenv("HOME", str(at_home))
    assert offered("explain -s ~/friday.toml --player ") == PLAYERS


ASKED = ("round show ", "explain --player ", "round add ", "penalty ", "void ", "round add --")


@pytest.fixture(params=["nothing", "folder", "text", "newer", "altered", "unreadable"])
def ruin(request: pytest.FixtureRequest, home: Path, room: Path) -> Path:
    """A session file of which nothing can be used."""
    data = (home / "friday.toml").read_bytes()
    path = room / "ruin.toml"
    made = {
        "text": b"Ann 3\nBen 4\n",
        "newer": data.replace(b"format = 1", b"format = 9"),
        "altered": data.replace(b"Mary", b"Marx"),
        "unreadable": b"\xff\xfe[\0[\0",
    }
    if request.param == "folder":
        path.mkdir()
    elif request.param != "nothing":
        path.write_bytes(made[request.param])
    return path


@pytest.mark.parametrize("line", ASKED)
def test_a_session_that_cannot_be_read_offers_nothing(
    line: str, ruin: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """From a missing or ruined session nothing is offered, and nobody hears of it."""
    command, _, rest = line.rpartition(" ")
    found = offered(f"{command} -s {ruin} {rest}")
    assert found == [] if not rest else {"--dice", "--penalty"} <= set(found)
    assert capfd.readouterr() == ("", "")


def test_a_torn_session_offers_what_is_sealed(home: Path, room: Path) -> None:
    """A file with a torn end offers what the reading commands still show of it."""
    data = (home / "friday.toml").read_bytes()
    (room / "torn.toml").write_bytes(data[:-40])
    assert offered("round show -s torn.toml ") == ["3", "2", "1"]


def test_a_name_that_would_steer_the_terminal_is_not_offered(
    home: Path, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name with a line break or an escape, from a file made elsewhere, is left out."""
    session = load((home / "friday.toml").read_bytes())
    scores = dict.fromkeys(("Ann\nplain,rm", "\x1b[2J", "Ben"), 0)
    state = session.game.state._replace(scores=scores)
    forged = session._replace(game=session.game._replace(state=state))
    monkeypatch.setattr("pollctl.cli.complete.load", lambda _data: forged)
    (room / "s.toml").write_bytes(b"")
    assert offered("explain -s s.toml --player ") == ["Ben"]


@pytest.mark.parametrize("instruction", ["bash_complete", "csh_complete", "bash_nosuch", "", "_"])
def test_whatever_happens_nothing_is_said(
    instruction: str,
    at_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A fault of the program or of the script is no message on somebody's command line."""
    monkeypatch.setattr(offers, "value", lambda _asked: 1 / 0)
    monkeypatch.setenv("COMP_WORDS", "pollctl round add --pollster ")
    monkeypatch.setenv("COMP_CWORD", "")
    before = snapshot(at_home)
    assert respond(cli, instruction) == 0
    assert capfd.readouterr() == ("", "")
    assert snapshot(at_home) == before


def test_the_program_answers_a_script(
    at_home: Path, process: Pollctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is asked answers on standard output, silently, writing nothing."""
    before = snapshot(at_home)
    monkeypatch.setenv("_POLLCTL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "pollctl round add ma")
    monkeypatch.setenv("COMP_CWORD", "ma")
    answer = process(cwd=at_home)
    assert answer == (0, "open,Mary\\ Ann:\n", "")
    assert snapshot(at_home) == before


def test_a_third_game_is_completed(room: Path) -> None:
    """The words, options and rules of a game that was just added are offered like any other's."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT, room / "copy" / "pollctl", ignore=ignored)
    shutil.copy(GAME, room / "copy" / "pollctl" / "games" / "high_card.py")
    lines = ("round add --suit s", "round add --su", "round add --pe", "new high A B --rule ")
    ask = (
        "import sys; from pollctl.cli import run; from tests.completion.test_offers import offered;"
    )
    ask += "run(['new', 'high', 'Ann', 'Ben']); print([offered(line) for line in sys.argv[1:]])"
    done = subprocess.run(
        [sys.executable, "-c", ask, *lines],
        env={**os.environ, "PYTHONPATH": f"{room / 'copy'}{os.pathsep}{ROOT.parent}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == str([["spades"], ["--suit"], [], ["goal="]])


def test_completion_costs_a_command_nothing(at_home: Path) -> None:
    """A command imports nothing of completion, which is there only when somebody asks."""
    look = (
        "import sys; from pollctl.cli import run; run(['round', 'amend', '2', '-q', 'Why?', '-n'])"
    )
    look += "; print([name for name in sys.modules if 'complet' in name])"
    command = [sys.executable, "-c", look]
    done = subprocess.run(command, cwd=at_home, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
