"""The program's own source, read as syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pollctl

ROOT = Path(pollctl.__file__).parent
FILES = {path.relative_to(ROOT).as_posix(): path for path in sorted(ROOT.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[tuple[str, Function]]:
    """Every function and method, under the name of its file."""
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield name, node


def imported(name: str) -> set[str]:
    """The files of the program that a file imports, also inside its functions."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {_file(module) for module in found} & FILES.keys()


def _file(module: str) -> str:
    place = module.removeprefix("pollctl.").replace(".", "/") if module != "pollctl" else ""
    package = f"{place}/__init__.py".lstrip("/")
    return package if package in FILES else f"{place}.py"
