"""The scripts that the shells read, and the words they are answered with."""

from __future__ import annotations

import shutil
import subprocess
import tomllib

import click
import pytest
from click.shell_completion import CompletionItem

from pollctl.cli.completion import SHELLS, escaped, split
from tests.conftest import Pollctl
from tests.house.source import ROOT

PROJECT = ROOT.parent / "pyproject.toml"

PLACES = {
    "bash": "share/bash-completion/completions/pollctl",
    "zsh": "share/zsh/site-functions/_pollctl",
    "fish": "share/fish/vendor_completions.d/pollctl.fish",
}
"""Where each shell looks for the completions of programs that are installed."""

REPLIES = [
    ("pollctl explain --player ma", "ma", "Mary Ann", r"Mary\ Ann"),
    (r"pollctl explain --player mary\ a", r"mary\ a", "Mary Ann", r"Mary\ Ann"),
    ("pollctl explain --player=ma", "ma", "Mary Ann", r"Mary\ Ann"),
    ("pollctl explain --player 'ma", "ma", "Mary Ann", "Mary Ann"),
    ("pollctl explain --player 'o", "o", "O'Neil", r"O'\''Neil"),
    ('pollctl explain --player "o', "o", "O'Neil", "O'Neil"),
    ('pollctl explain --player "', "", '$"`\\', r"\$\"\`\\"),
    ("pollctl explain --player ", "", "a'b\"c$d`e\\f*g?", r"a\'b\"c\$d\`e\\f\*g\?"),
    ("pollctl explain --player a@b", "@b", "A@bc", "@bc"),
    ("pollctl round add -p ann=c", "c", "ann=chip", "chip"),
    ("pollctl round add -p ann=", "", "ann=chip", "chip"),
    (r"pollctl round add -p mary\ ann=", "", "mary ann=chip", "chip"),
    ("pollctl round add -p 'mary ann=", "mary ann=", "mary ann=chip", "mary ann=chip"),
    ("pollctl new --rule=tiebreak=k", "k", "tiebreak=knockout", "knockout"),
    ("pollctl round add --pen", "--pen", "--penalty", "--penalty"),
    ("pollctl explain --player 李", "李", "李雷", "李雷"),
]
"""A line, the part of it that bash replaces, the value offered, and what stands there then."""


@pytest.mark.parametrize("shell", SHELLS)
def test_the_scripts_kept_are_those_printed(shell: str, pollctl: Pollctl) -> None:
    """What the program prints is the file that is installed."""
    path = ROOT / "completions" / f"pollctl.{shell}"
    printed = pollctl("completion", shell)
    assert printed == (0, path.read_text(encoding="utf-8"), "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_scripts_are_installed_where_the_shells_look(shell: str) -> None:
    """The wheel carries each script to the folder of its shell."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared[f"pollctl/completions/pollctl.{shell}"] == PLACES[shell]


def test_the_script_as_json(pollctl: Pollctl) -> None:
    """With --json the script stands in one document."""
    answer = pollctl("completion", "fish", "--json").json
    assert (answer["schema"], answer["shell"]) == ("pollctl.completion/1", "fish")
    assert f"{answer['script']}" == pollctl("completion", "fish").out


def test_another_shell_is_refused(pollctl: Pollctl) -> None:
    """A shell without a script is a usage error that names those there are."""
    answer = pollctl("completion", "csh")
    assert (answer.status, answer.out) == (2, "")
    assert all(shell in answer.err for shell in SHELLS)


@pytest.mark.parametrize(("line", "part", "value", "reply"), REPLIES)
def test_bash_is_given_what_it_has_to_insert(
    line: str, part: str, value: str, reply: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bash gets the rest of the word from where it cut it, quoted as the word is."""
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", part)
    bash = SHELLS["bash"](click.Command("pollctl"), {}, "pollctl", "_")
    assert bash.format_completion(CompletionItem(value)) == f"plain,{reply}"


def test_zsh_takes_a_told_value_apart_at_a_colon(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a help text, colons and backslashes of the value are escaped; without, they are not."""
    monkeypatch.setenv("COMP_WORDS", "pollctl ")
    zsh = SHELLS["zsh"](click.Command("pollctl"), {}, "pollctl", "_")
    told = zsh.format_completion(CompletionItem("a\\b:", "open", "help"))
    bare = zsh.format_completion(CompletionItem("a\\b:", "open"))
    assert (told, bare) == ("open\na\\\\b\\:\nhelp", "open\na\\b:\n_")


@pytest.mark.parametrize(
    ("line", "words", "quote"),
    [
        ("", [""], ""),
        ("pollctl", ["pollctl"], ""),
        ("pollctl ", ["pollctl", ""], ""),
        ("pollctl 'a b' c", ["pollctl", "a b", "c"], ""),
        ("pollctl 'a b", ["pollctl", "a b"], "'"),
        ("pollctl \"it's", ["pollctl", "it's"], '"'),
        ("pollctl a\\", ["pollctl", "a"], ""),
        ("pollctl a\\ ", ["pollctl", "a "], ""),
        ("pollctl '", ["pollctl", ""], "'"),
    ],
)
def test_an_unfinished_line_has_words(line: str, words: list[str], quote: str) -> None:
    """A line is taken apart wherever the cursor stands in it, also in quotes."""
    assert split(line) == (words, quote)


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_what_is_quoted_reads_as_it_was() -> None:
    """A text quoted for bash, in whatever quotes it stands, is the same text to bash."""
    texts = ["Mary Ann", "a'b", 'a"b', "$(x)", "`x`", "a\\b", "~", "#", "é;&", "a{b,c}*", "李雷"]
    every = [(text, quote) for text in texts for quote in ("", "'", '"')]
    words = " ".join(f"{quote}{escaped(text, quote)}{quote}" for text, quote in every)
    command = ["bash", "-c", f"printf '%s\\n' {words}"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == [text for text, _ in every]
