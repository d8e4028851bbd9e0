"""The program, as the installed script and `python -m pollctl` run it."""

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Run pollctl with the arguments of this process; interrupted before it began, end with 130."""
    gc.disable()  # a process this short frees nothing by it, and a long log costs half its time
    try:
        from pollctl.cli import main as begin
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    begin()


if __name__ == "__main__":
    main()
