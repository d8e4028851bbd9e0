"""Feeds the reader inputs that are led by what they reach: `python -m tests.campaigns.led`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["pollctl"]):
    from tests.campaigns import hostile


def one_input(data: bytes) -> None:
    """Read an input as it is, or with its seals made to match."""
    hostile.feed(hostile.sealed_again(data) if len(data) % 2 else data)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
