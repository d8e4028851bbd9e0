"""`python -m pollctl`: the same program without the installed script."""

from pollctl.cli import main

if __name__ == "__main__":
    main()
