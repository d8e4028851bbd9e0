"""Make the manual: `python man/build.py` writes its pages, with --check it compares them.

Run it in an environment in which pollctl is installed.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commands import HERE, describe, load, page_name, summary, tree
from pollctl import __version__
from reference import audit_parts, rules_parts, session_parts
from roff import page

VERSION = f"pollctl {__version__}"

PARTS = {"pollctl audit": audit_parts}
"""Commands whose page has parts that the program says, beside its help."""


def main(arguments: list[str]) -> int:
    """Write what differs, or with --check only name it; 1 if something differs then."""
    pages = make()
    differing = [path for path in {*pages, *_present()} if pages.get(path) != _text(path)]
    for path in sorted(differing):
        print(path.relative_to(HERE.parent))
        if "--check" not in arguments:
            _write(path, pages.get(path))
    if differing and "--check" in arguments:
        print("differ from the program: python man/build.py", file=sys.stderr)
        return 1
    return 0


def make() -> dict[Path, str]:
    """Every page of the manual as it has to be now; raises ValueError for prose about nothing."""
    shared = load()
    pages = dict(shared["pages"])
    made = [_command_page(ctx, pages.pop(ctx.command_path, {}), shared) for ctx in tree()]
    if pages:
        raise ValueError(f"there is prose for no command: {', '.join(pages)}")
    made += [
        _reference_page("pollctl-session", 5, session_parts(), shared),
        _reference_page("pollctl-rules", 7, rules_parts(), shared),
    ]
    return dict(made)


def _command_page(
    ctx: Any, prose: Mapping[str, Any], shared: Mapping[str, Any]
) -> tuple[Path, str]:
    name, parts = page_name(ctx), PARTS.get(ctx.command_path, dict)()
    markup = _filled(describe(ctx, prose, shared), parts)
    return _path(name, 1), page(name, 1, (shared["date"], VERSION), summary(ctx, prose), markup)


def _reference_page(
    name: str, section: int, parts: Mapping[str, str], shared: Mapping[str, Any]
) -> tuple[Path, str]:
    text = _filled((HERE / f"{name}.md").read_text(encoding="utf-8"), parts)
    head, _, markup = text.partition("\n\n")
    return _path(name, section), page(name, section, (shared["date"], VERSION), head, markup)


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """The text with what the program says in place of each `{part}`."""
    for part, markup in parts.items():
        if f"{{{part}}}" not in text:
            raise ValueError(f"there is no place for {part}")
        text = text.replace(f"{{{part}}}", markup)
    return text


def _path(name: str, section: int) -> Path:
    return HERE / f"man{section}" / f"{name}.{section}"


def _present() -> list[Path]:
    return sorted(HERE.glob("man[0-9]/*"))


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(path: Path, text: str | None) -> None:
    """Write a page, or remove one that is no more."""
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
