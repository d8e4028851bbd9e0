"""What is the user's and no session's: which is current, which deck is used, which lie there."""

import os
import sys

from pollctl.store.disk import Trouble, create_file, read_bytes, refusal

SESSION = "current"
"""What is remembered of the session; of the deck of a game, `deck-GAME`."""


def current(what: str = SESSION) -> str | None:
    """The path that is remembered, short if it is in this folder; None where there is none."""
    try:
        path = os.fsdecode(read_bytes(current_file(what))).strip("\n")
        return path.removeprefix(os.getcwd() + os.sep) or None
    except (Trouble, OSError):
        return None


def set_current(path: str, what: str = SESSION) -> None:
    """Remember a file as the current session, or as something else; raises Trouble."""
    name = current_file(what)
    beside = f"{name}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(name), exist_ok=True)
        create_file(beside, os.fsencode(os.path.abspath(path)) + b"\n")
        os.replace(beside, name)
    except OSError as error:
        raise refusal(error, name) from None


def forget_current(what: str) -> None:
    """Remember no file any more; raises Trouble."""
    try:
        os.unlink(current_file(what))
    except FileNotFoundError:
        return
    except OSError as error:
        raise refusal(error, current_file(what)) from None


def current_file(what: str = SESSION) -> str:
    """In the user's state folder; on Linux without platformdirs, a quarter of a command's start."""
    if sys.platform == "linux":
        state = os.environ.get("XDG_STATE_HOME", "").strip()
        return os.path.join(state or os.path.expanduser("~/.local/state"), "pollctl", what)
    from platformdirs import user_state_dir

    return os.path.join(user_state_dir("pollctl", appauthor=False), what)


def sessions_under(name: str) -> list[str]:
    """The file of this name, or the session files in the folder of this name and below it."""
    if not os.path.isdir(name):
        return [name]
    found = []
    for folder, _, files in sorted(os.walk(name)):
        paths = [os.path.join(folder, file) for file in sorted(files) if file.endswith(".toml")]
        found += [path for path in paths if _looks_like_one(path)]
    return found


def _looks_like_one(path: str) -> bool:
    """Whether a file says that it is a session, in whatever form its bytes came to be."""
    try:
        head = read_bytes(path)[:400].replace(b"\0", b"")
    except Trouble:
        return False
    return b"pollctl session" in head or b"[[event]]" in head
