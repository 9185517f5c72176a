"""The ``tercet`` command."""

from __future__ import annotations

import sys
from typing import NoReturn

from tercet.extras import MissingExtra, needs


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code: 0 done, 1 the answer is no, 2 bad input."""
    try:
        with needs("cli"):
            from tercet.cli.app import run  # noqa: PLC0415
    except MissingExtra as error:
        print("tercet:", error, file=sys.stderr)
        sys.exit(2)
    run(args)


__all__ = ["main"]
