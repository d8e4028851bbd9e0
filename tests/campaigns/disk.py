"""What a disk holds after a power cut, rebuilt from what a process wrote and synced.

A sector is written whole or not at all. Of what was written since the last sync of a file any
sectors may be there and others not; beyond its synced end a sector may also hold zeros or what
was there before. Names made, moved or removed since the last sync of their folder may be there or
not, each for itself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.campaigns.tracing import Call

SECTOR = 512
TRACED = (
    "openat,write,pwrite64,writev,pwritev,ftruncate,truncate,fsync,fdatasync,close,dup,dup2,dup3,"
    "link,linkat,unlink,unlinkat,rename,renameat,renameat2"
)
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class Inode:
    """A file: its content when it was last synced, and every content since."""

    versions: list[bytes] = field(default_factory=lambda: [b""])

    def write(self, text: bytes) -> None:
        """Append; every writer of sessions does."""
        self.versions.append(self.versions[-1] + text)

    def cut(self, size: int) -> None:
        """Cut to a size."""
        self.versions.append(self.versions[-1][:size])

    def sync(self) -> None:
        """Keep what is there now for good."""
        self.versions = self.versions[-1:]

    def after(self, rng: random.Random) -> bytes:
        """A content that a power cut may leave behind."""
        how = rng.choice(["lost", "kept", "partly", "partly", "garbled"])
        if len(self.versions) == 1 or how == "lost":
            return self.versions[0]
        return self.versions[-1] if how == "kept" else self.torn(rng, garbled=how == "garbled")

    def torn(self, rng: random.Random, *, garbled: bool) -> bytes:
        """A content of which only some sectors reached the disk."""
        sizes = [len(version) for version in self.versions]
        size = rng.choice([rng.randint(min(sizes), max(sizes)), *sizes])
        parts = []
        for start in range(0, size, SECTOR):
            each = rng.choice(self.versions)[start : start + SECTOR]
            if start >= sizes[0] and garbled and rng.random() < 0.5:
                each = rng.choice([b"", rng.randbytes(SECTOR), self.versions[-1][:SECTOR]])
            parts.append(each.ljust(SECTOR, b"\0"))
        return b"".join(parts)[:size]


Names = dict[str, Inode]


class Disk:
    """One folder: what names what, synced and now."""

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        """Begin with files that are safely there."""
        self.folder = folder
        self.synced: Names = {name: Inode([data]) for name, data in files.items()}
        self.names = dict(self.synced)
        self.pending: list[tuple[str, Inode | None]] = []
        self.open: dict[int, Inode] = {}
        self.folders: set[int] = set()
        self.answered = False
        """Whether anything was written to standard output."""

    def name(self, name: str, inode: Inode | None) -> None:
        """Let a name mean a file, or nothing."""
        self.pending.append((name, inode))
        self.names[name] = inode or Inode()
        if inode is None:
            del self.names[name]

    def sync_folder(self) -> None:
        """Keep what the names mean now for good."""
        self.synced, self.pending = dict(self.names), []

    def after(self, rng: random.Random) -> dict[str, bytes]:
        """The files that a power cut may leave behind."""
        names, how = dict(self.synced), rng.choice(["lost", "kept", "some"])
        for name, inode in self.pending:
            if how == "kept" or (how == "some" and rng.random() < 0.5):
                names.pop(name, None)
                names |= {name: inode} if inode else {}
        contents: dict[int, bytes] = {}
        for inode in names.values():
            contents.setdefault(id(inode), inode.after(rng))
        return {name: contents[id(inode)] for name, inode in names.items()}

    def apply(self, call: Call) -> None:
        """Do what a system call did, as far as it concerns the folder."""
        if call.result < 0:
            return
        if call.arguments[:1].isdigit():
            self._done(call, int(call.arguments.split(",")[0]))
            return
        paths = [Path(text.decode("utf-8", "surrogateescape")) for text in strings_of(call)]
        if call.name == "openat" and paths[0] == self.folder:
            self.folders.add(call.result)
        elif all(path.parent == self.folder for path in paths):
            names = [path.name for path in paths]
            if call.name == "openat":
                self._opened(call, names[0])
            else:
                self._named(call.name, names)

    def _done(self, call: Call, fd: int) -> None:
        """Do what a system call did to a descriptor."""
        if call.name == "close":
            self.open.pop(fd, None)
            self.folders.discard(fd)
        elif call.name == "write":
            self._written(fd, next(strings_of(call))[: call.result])
        elif call.name == "ftruncate" and fd in self.open:
            self.open[fd].cut(int(call.arguments.split(",")[1]))
        elif call.name in ("fsync", "fdatasync"):
            self._synced(fd)

    def _opened(self, call: Call, name: str) -> None:
        if "O_CREAT" in call.arguments and name not in self.names:
            self.name(name, Inode())
        self.open[call.result] = self.names[name]

    def _written(self, fd: int, text: bytes) -> None:
        if fd in self.open:
            self.open[fd].write(text)
        self.answered = self.answered or fd == 1

    def _synced(self, fd: int) -> None:
        if fd in self.open:
            self.open[fd].sync()
        elif fd in self.folders:
            self.sync_folder()

    def _named(self, what: str, names: Sequence[str]) -> None:
        if what.startswith(("link", "rename")):
            self.name(names[1], self.names[names[0]])
        if what.startswith(("unlink", "rename")) and names[0] in self.names:
            self.name(names[0], None)


def strings_of(call: Call) -> Iterator[bytes]:
    """The strings among the arguments of a call."""
    for match in _STRING.finditer(call.arguments):
        yield bytes.fromhex(match[1].replace("\\x", ""))
