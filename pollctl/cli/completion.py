"""Completion in the shell: the script that asks, and the answer to it."""

import os
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress

import click
from click.shell_completion import CompletionItem, FishComplete, ShellComplete, ZshComplete

from pollctl.cli.desk import Command, answer, json_option

PROGRAM = "pollctl"
VARIABLE = "_POLLCTL_COMPLETE"
"""Set by the scripts, to `bash_complete` and so on."""

_CURSOR = "\0"
"""Stands where the cursor is, and can't stand on a command line."""

_BASH = """\
# Completion of %(prog_name)s for bash 4.4 or later.
%(complete_func)s() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            plain,*) COMPREPLY+=("${line#*,}") ;;
            open,*) COMPREPLY+=("${line#*,}") && compopt -o nospace ;;
            file,*) compopt -o default ;;
        esac
    done <<< "$(env %(complete_var)s=bash_complete COMP_WORDS="${COMP_LINE:0:COMP_POINT}" \\
        COMP_CWORD="$2" "${1/#\\~/"$HOME"}" 2> /dev/null)"
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s
# Completion of %(prog_name)s for zsh.

_%(prog_name)s() {
    local type key descr head=${(M)PREFIX#--*=}
    local -a response plain plain_told open open_told

    response=("${(@f)$(env %(complete_var)s=zsh_complete \\
        COMP_WORDS="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX" \\
        ${~words[1]} 2> /dev/null)}")

    for type key descr in $response; do
        case $type:$descr in
            plain:_) plain+=("$head$key") ;;
            plain:*) plain_told+=("$head$key:$descr") ;;
            open:_) open+=("$head$key") ;;
            open:*) open_told+=("$head$key:$descr") ;;
            file:*) [[ -n $head ]] && compset -P 1 '*='; _files ;;
        esac
    done

    (( $#plain_told )) && _describe -V plain plain_told -U
    (( $#open_told )) && _describe -V open open_told -U -S ''
    (( $#plain )) && compadd -U -V plain -a plain
    (( $#open )) && compadd -U -V open -S '' -a open
}

if [[ $funcstack[1] == _%(prog_name)s ]]; then
    _%(prog_name)s "$@"
else
    compdef _%(prog_name)s %(prog_name)s
fi
"""

_FISH = """\
# Completion of %(prog_name)s for fish.
function %(complete_func)s
    set -l token (commandline -ct)
    set -l head (string match -r -- '^--[^=]*=' $token)
    set -l begun (string replace -r -- '^--[^=]*=' '' $token)
    set -l line (commandline -cp | string collect)
    set -l program (string replace -r '^~' $HOME -- (commandline -opc)[1])
    for item in (env %(complete_var)s=fish_complete COMP_WORDS=$line $program 2> /dev/null)
        set -l parts (string split -m 1 , -- $item)
        switch $parts[1]
            case plain open
                echo "$head$parts[2]"
            case file
                for path in (complete -C "'' $begun")
                    echo "$head$path"
                end
        end
    end
end

complete -c %(prog_name)s -f -k -a '(%(complete_func)s)'
"""


class Line(ShellComplete):
    """What all three shells do here: send the line as it stands before the cursor."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words of the line after the program's name, and the one that is begun."""
        words, _ = split(os.environ["COMP_WORDS"])
        return words[1:-1], words[-1]


class Bash(Line):
    """Completion in bash, which quotes nothing by itself and cuts words at `:` and `=`."""

    name = "bash"
    source_template = _BASH

    def format_completion(self, item: CompletionItem[str]) -> str:
        """What replaces the part of the word that bash replaces, quoted as that part is."""
        words, quote = split(os.environ["COMP_WORDS"])
        part = os.environ["COMP_CWORD"]
        begun = re.sub("^--[^=]*=", "", words[-1])
        kept = len(begun) - len(split(quote + part)[0][-1])
        return f"{item.type},{escaped(item.value[kept:], quote)}"


class Zsh(Line, ZshComplete):
    """Completion in zsh."""

    source_template = _ZSH

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Three lines an item; zsh takes backslashes for quotes where a help text follows."""
        if item.help:
            item = CompletionItem(item.value.replace("\\", r"\\"), item.type, item.help)
        return super().format_completion(item)


class Fish(Line, FishComplete):
    """Completion in fish."""

    source_template = _FISH


SHELLS: Mapping[str, type[Line]] = {"bash": Bash, "zsh": Zsh, "fish": Fish}


def split(line: str) -> tuple[list[str], str]:
    """The words of an unfinished line, the last one perhaps empty, and the quote left open."""
    for quote in ("", "'"):
        with suppress(ValueError):
            return _words(line, quote), quote
    return _words(line, '"'), '"'


def _words(line: str, quote: str) -> list[str]:
    """The words of a line with this quote open; raises ValueError where another one is."""
    *words, last = shlex.split(line + _CURSOR + quote)
    return [*words, last.removesuffix(_CURSOR)]


def escaped(text: str, quote: str) -> str:
    """A text as it is typed in bash: after this quote, which bash closes, or after none."""
    if quote == "'":
        return text.replace("'", r"'\''")
    special = r'[\\"$`]' if quote else r"[^\w\x80-\U0010ffff@%+=:,./-]"
    return re.sub(f"({special})", r"\\\1", text, flags=re.ASCII)


def script(shell: str) -> str:
    """The script that a shell reads to complete pollctl."""
    return SHELLS[shell](click.Command(PROGRAM), {}, PROGRAM, VARIABLE).source()


def respond(program: click.Command, instruction: str) -> int:
    """Answer a script; whatever is wrong, nothing is offered and nothing said."""
    shell, _, what = instruction.partition("_")
    with suppress(Exception, KeyboardInterrupt):
        if what == "complete":
            click.echo(SHELLS[shell](program, {}, PROGRAM, VARIABLE).complete())
        elif what == "source":
            click.echo(script(shell), nl=False)
    return 0


@click.command(
    "completion",
    cls=Command,
    examples=("pollctl completion bash", "pollctl completion zsh", "pollctl completion fish"),
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@json_option
def completion_command(shell: str, *, as_json: bool) -> None:
    """Print the script that completes pollctl in a shell: bash, zsh or fish.

    Let the shell read it at its start. In ~/.bashrc, and in ~/.zshrc after compinit:
    eval "$(pollctl completion bash)", or zsh. In ~/.config/fish/config.fish:
    pollctl completion fish | source
    """
    text = script(shell)
    if as_json:
        from pollctl.render.answers import dumps

        text = dumps({"schema": "pollctl.completion/1", "shell": shell, "script": text})
    answer(text.removesuffix("\n"))
