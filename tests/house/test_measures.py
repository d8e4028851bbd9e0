"""The house's measures, held: short files, short functions, no maze."""

from __future__ import annotations

import ast
import statistics

import pytest

from tests.house.source import FILES, TREES, Function, functions

BRANCHES = (
    ast.If,
    ast.For,
    ast.While,
    ast.IfExp,
    ast.ExceptHandler,
    ast.comprehension,
    ast.Assert,
    ast.match_case,
)

LENGTHS = sorted((node.end_lineno or 0) - node.lineno + 1 for _, node in functions())


def complexity(node: Function) -> int:
    """McCabe's number of paths: one, and one more for every branch and every further condition."""
    inner = list(ast.walk(node))
    further = sum(len(each.values) - 1 for each in inner if isinstance(each, ast.BoolOp))
    return 1 + further + sum(isinstance(each, BRANCHES) for each in inner)


@pytest.mark.parametrize("name", FILES)
def test_no_file_is_long(name: str) -> None:
    """A file has at most 400 lines."""
    assert len(FILES[name].read_text(encoding="utf-8").splitlines()) <= 400


def test_functions_are_short() -> None:
    """Half of the functions have at most 7 lines, nine in ten at most 20, none more than 50."""
    ninetieth = statistics.quantiles(LENGTHS, n=10)[-1]
    assert (statistics.median(LENGTHS) <= 7, ninetieth <= 20, LENGTHS[-1] <= 50) == (True,) * 3


def test_no_function_is_a_maze() -> None:
    """No function has a complexity above 10, comprehensions and conditions counted."""
    assert [(node.name, complexity(node)) for _, node in functions() if complexity(node) > 10] == []


@pytest.mark.parametrize("name", FILES)
def test_everything_public_is_described(name: str) -> None:
    """Every module, public class, function and method has a docstring."""
    nodes = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.ClassDef | Function)]
    bare = [node.name for node in nodes if not ast.get_docstring(node)]
    inner = {
        node.name
        for outer in ast.walk(TREES[name])
        if isinstance(outer, Function)
        for node in ast.walk(outer)
        if isinstance(node, Function) and node is not outer
    }
    assert ast.get_docstring(TREES[name])
    assert not [each for each in bare if not each.startswith("_") and each not in inner]
