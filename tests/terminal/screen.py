"""The program in a real pseudo-terminal, usually 80 by 24, and the screen as a person sees it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import sleep

import pexpect
import pyte


class Terminal:
    """One run of the program in a terminal."""

    def __init__(self, folder: Path, *arguments: str, height: int = 24, width: int = 80) -> None:
        """Start it in this folder; what scrolls away is kept where the screen is higher."""
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "pollctl", *arguments],
            cwd=str(folder),
            env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"},
            encoding="utf-8",
            dimensions=(24, width),
            timeout=20,
        )
        self.child.delaybeforesend = None

    def type(self, text: str, after: str) -> None:
        """Wait for a text on the screen's last lines, then type a line."""
        self.wait(after)
        self.child.sendline(text)

    def press(self, keys: str, after: str) -> None:
        """Wait for a text, then press keys, a moment later: too early they are lost."""
        self.wait(after)
        sleep(0.05)
        self.child.send(keys)

    def wait(self, text: str) -> None:
        """Read until a text comes."""
        self.child.expect_exact(text)
        self._stream.feed((self.child.before or "") + text)

    def end(self) -> int:
        """Read to the end; the exit status."""
        self.child.expect(pexpect.EOF)
        self._stream.feed(self.child.before or "")
        self.child.close()
        status = self.child.exitstatus
        return status if status is not None else -(self.child.signalstatus or 0)

    @property
    def lines(self) -> list[str]:
        """The lines that are not empty, without blanks at their ends."""
        return [line.rstrip() for line in self.screen.display if line.strip()]
