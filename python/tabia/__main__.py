"""The command `tabia`: the same program as the one built from Rust."""

import sys

from ._tabia import command


def main() -> int:
    """Does what was typed, and returns the exit code."""
    return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
