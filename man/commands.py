"""The pages of section 1: what click knows of each command, and the prose written about it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from pollctl.cli import cli
from pollctl.games import catalogue

Prose = Mapping[str, Any]

HERE = Path(__file__).parent
FILES = ("prose.toml", "commands.toml")

FITS = 67
"""Columns of an example's row."""

SHORT = 8
"""Options a synopsis lists; beyond that it says [OPTION]...."""

LISTS = ("moves", "rulings", "settings")
"""Kinds of fields that are given once for each entry."""


def load() -> Prose:
    """The prose: what all pages share, and under `pages` what there is for each command."""
    shared, pages = (tomllib.loads((HERE / name).read_text(encoding="utf-8")) for name in FILES)
    return {**shared, "pages": {"pollctl": shared["program"], **pages}}


def tree(ctx: click.Context | None = None) -> Iterator[click.Context]:
    """The program and all its commands, groups before what is in them."""
    ctx = ctx or click.Context(cli, info_name="pollctl", **cli.context_settings)
    yield ctx
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            command = ctx.command.get_command(ctx, name)
            if command and not command.hidden:
                settings = command.context_settings
                yield from tree(click.Context(command, ctx, name, **settings))


def page_name(ctx: click.Context) -> str:
    """`pollctl-round-add`."""
    return ctx.command_path.replace(" ", "-")


def summary(ctx: click.Context, prose: Prose) -> str:
    """What the command does, as a line of `apropos`: the first sentence of its help."""
    first = re.split(r"(?<=\.)\s", _paragraphs(ctx)[0])[0].rstrip(".")
    return prose.get("name") or f"{first[0].lower()}{first[1:]}"


def describe(ctx: click.Context, prose: Prose, shared: Prose) -> str:
    """The markup of a command's page, below its name."""
    parts = [
        "# SYNOPSIS",
        *_synopsis(ctx),
        "# DESCRIPTION",
        *_paragraphs(ctx),
        prose.get("text", ""),
        *_subcommands(ctx, shared),
        *_options(ctx, prose.get("options", {}), shared["options"]),
        prose.get("after", ""),
        *_environment(ctx, shared),
        prose.get("files", ""),
        *_statuses(ctx, shared["exit"], prose.get("exit", "")),
        *_examples(ctx, prose.get("examples", {})),
        *_see(ctx, prose.get("see", ())),
    ]
    return _variables(ctx, "\n\n".join(part.strip("\n") for part in parts if part))


def examples(command: click.Command, captions: Mapping[str, str]) -> Sequence[str]:
    """The command's examples; of a group, which has none of its own, those of the prose.

    Raises ValueError for prose about an example that is gone.
    """
    own = getattr(command, "examples", ()) or tuple(captions)
    if gone := captions.keys() - set(own):
        raise ValueError(f"{command.name} has no example {gone.pop()!r}")
    return own


def _paragraphs(ctx: click.Context) -> list[str]:
    """The command's help, each paragraph in one line; one that click does not wrap, as it is."""
    text = cleandoc(ctx.command.help or "").split("\f")[0]
    return [_paragraph(each.strip("\n")) for each in re.split(r"\n\s*\n", text)]


def _paragraph(text: str) -> str:
    if text.startswith("\b\n"):
        return "\n".join(f"    {line}" for line in text.split("\n")[1:])
    return " ".join(text.split())


def _synopsis(ctx: click.Context) -> Iterator[str]:
    params = ctx.command.get_params(ctx)
    options = [p for p in params if isinstance(p, click.Option) and "--help" not in p.opts]
    listed = [_usage(each, ctx) for each in options]
    pieces = listed if len(listed) <= SHORT else ["[*OPTION*]..."]
    pieces += [_metavar(p.make_metavar(ctx)) for p in params if isinstance(p, click.Argument)]
    if isinstance(ctx.command, click.Group):
        pieces += ["*COMMAND*", "[*ARGUMENT*]..."]
    yield "\n> ".join([f"> {ctx.command_path}", *pieces])


def _usage(option: click.Option, ctx: click.Context) -> str:
    """The option in a synopsis, in brackets unless it has to be given."""
    text = " ".join([_flags(option)[0], *_value(option, ctx)])
    return text if option.required else f"[{text}]"


def _flags(option: click.Option) -> list[str]:
    """The option's names, the short one first."""
    return [f"`{flag}`" for flag in sorted((*option.opts, *option.secondary_opts), key=len)]


def _value(option: click.Option, ctx: click.Context) -> list[str]:
    """What the option takes; nothing for a switch."""
    if option.is_flag or option.count:
        return []
    return [_metavar(option.make_metavar(ctx).removeprefix("[").removesuffix("]"))]


def _metavar(text: str) -> str:
    """What is to be replaced in italics, what is literal in bold, what is neither as it is."""
    parts = re.split(r"([|=:\[\]{}]|\.\.\.)", text)
    return "".join(_fonts(part) if i % 2 == 0 else part for i, part in enumerate(parts))


def _fonts(part: str) -> str:
    if not part.strip():
        return part
    return f"*{part}*" if part.isupper() else f"`{part}`"


def _variables(ctx: click.Context, markup: str) -> str:
    """The markup with the command's own metavars in italics, examples excepted."""
    every = " ".join(p.make_metavar(ctx) for p in ctx.command.get_params(ctx))
    words = {word for word in re.findall(r"\w+", every) if word.isupper()}
    pattern = re.compile(rf"(?<![*\w])(?:{'|'.join(sorted(words))})(?![*\w])")
    lines = markup.split("\n")
    if not words:
        return markup
    return "\n".join(line if line[:1] in " #" else pattern.sub(r"*\g<0>*", line) for line in lines)


def _subcommands(ctx: click.Context, shared: Prose) -> Iterator[str]:
    children = [each for each in tree(ctx) if each.parent is ctx]
    if children:
        yield "# COMMANDS"
    for child in children:
        text = summary(child, shared["pages"].get(child.command_path, {}))
        yield f"{page_name(child)}(1)\n: {text[0].upper()}{text[1:]}."


def _options(
    ctx: click.Context, further: Mapping[str, str], everywhere: Mapping[str, str]
) -> Iterator[str]:
    """Arguments, options, and below them those that only one game knows."""
    yield "# OPTIONS"
    grouped: dict[str, list[str]] = {"": [], **{game.title: [] for game in catalogue().values()}}
    params = {_key(param, ctx): param for param in ctx.command.get_params(ctx)}
    if gone := further.keys() - params.keys():
        raise ValueError(f"{ctx.command_path} has no {', '.join(gone)}")
    for key, param in params.items():
        if text := everywhere.get(key) or _help(param, further.get(key, "")):
            title = _game(text)
            grouped[title].append(f"{_term(param, ctx)}\n: {text.replace(f' [{title}]', '')}")
    yield from grouped.pop("")
    for title, items in grouped.items():
        yield from [f"## {title}", *items] if items else ()


def _game(text: str) -> str:
    """The title of the only game that knows an option, by its help; empty where all do."""
    titles = [game.title for game in catalogue().values()]
    return next((title for title in titles if f" [{title}]" in text), "")


def _key(param: click.Parameter, ctx: click.Context) -> str:
    """How the prose names an option or an argument."""
    return max(param.opts, key=len) if isinstance(param, click.Option) else param.make_metavar(ctx)


def _term(param: click.Parameter, ctx: click.Context) -> str:
    if isinstance(param, click.Option):
        return " ".join([", ".join(_flags(param)), *_value(param, ctx)])
    return _metavar(param.make_metavar(ctx))


def _help(param: click.Parameter, further: str) -> str:
    """The help of a parameter, its clause, whether it repeats, and the prose."""
    text = " ".join((getattr(param, "help", None) or "").split())
    kind, rule = _field(param)
    if rule:
        text = re.sub(r"\.(?= \[|$)", f" ({rule}).", text, count=1)
    repeats = kind in LISTS or (not kind and getattr(param, "multiple", False))
    more = ["Repeats."] if repeats and "repeats" not in text else []
    return " ".join(filter(None, [text, *more, further]))


def _field(param: click.Parameter) -> tuple[str, str]:
    """Kind and clause of the field of a round that an option fills in, if it does.

    No clause where every game has the field, under one of its own.
    """
    fields = [field for game in catalogue().values() for field in game.fields]
    found = [field for field in fields if param.name == f"field_{field.name}"]
    return (found[0].kind, found[0].rule if len(found) == 1 else "") if found else ("", "")


def _environment(ctx: click.Context, shared: Prose) -> Iterator[str]:
    """The variables a command heeds: on the page of the program, all of them."""
    options = [flag for param in ctx.command.get_params(ctx) for flag in param.opts]
    known = () if ctx.parent and "--session" not in options else shared["environment"]
    names = [name for name in known if not ctx.parent or name == "POLLCTL_SESSION"]
    yield from (["# ENVIRONMENT"] if names else [])
    yield from (f"`{name}`\n: {known[name]}" for name in names)


def _statuses(
    ctx: click.Context, exits: Mapping[str, Mapping[str, str]], kind: str
) -> Iterator[str]:
    """What the statuses of this command mean: on the page of the program, all of them."""
    reads = any(param.name == "path" for param in ctx.command.params)
    usual = "reading" if reads else "other"
    usual = "writing" if getattr(ctx.command, "writes", False) else usual
    yield "# EXIT STATUS"
    for status, text in exits["every" if ctx.parent is None else kind or usual].items():
        yield f"`{status}`\n: {text}"


def _examples(ctx: click.Context, captions: Mapping[str, str]) -> Iterator[str]:
    lines = examples(ctx.command, captions)
    if lines:
        yield "# EXAMPLES"
    for line in lines:
        yield captions.get(line, "")
        yield "\n".join(f"    {row}" for row in _folded(line))


def _folded(line: str) -> list[str]:
    """A command line in rows that fit, broken before options as a shell allows it."""
    rows = [""]
    for piece in re.split(r"(?= -{1,2}[A-Za-z])", line):
        if len(rows[-1]) + len(piece) > FITS:
            rows[-1] += " \\"
            rows.append("   ")
        rows[-1] += piece
    return rows


def _see(ctx: click.Context, further: Sequence[str]) -> Iterator[str]:
    """Other pages, by section and name."""
    above = [f"{page_name(each)}(1)" for each in _ancestors(ctx)]
    every = sorted({*above, *further}, key=lambda each: (each[-2], each))
    yield f"# SEE ALSO\n\n{', '.join(every)}"


def _ancestors(ctx: click.Context) -> Iterator[click.Context]:
    while ctx.parent:
        ctx = ctx.parent
        yield ctx
