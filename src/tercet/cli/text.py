"""Files and standard input as text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import TextIO

from tercet.sets import TercetError


class InputError(TercetError):
    """Something that the command was given and cannot use."""


@contextmanager
def open_text(name: str) -> Iterator[TextIO]:
    """A text file to read; ``-`` is standard input. Whatever goes wrong while reading names the file.

    A byte order mark, which some editors put before the text, is passed over.
    """
    shown = "standard input" if name == "-" else name
    try:
        if name == "-":
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")  # type: ignore[union-attr]
            yield sys.stdin
        else:
            with open(name, encoding="utf-8-sig") as file:
                yield file
    except UnicodeDecodeError:
        raise InputError(f"{shown}: not UTF-8 text") from None
    except TercetError as error:
        raise InputError(f"{shown}: {error}") from None


def read_text(name: str) -> str:
    """The whole text of a file; ``-`` is standard input."""
    with open_text(name) as file:
        return file.read()


def read_day(text: str) -> date:
    """A day as people write it for a computer."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text[:20]!r} is not a day: write it as in 2026-11-18") from None


def claim_file(name: str) -> None:
    """Make sure before a game, or before games are written, that a record can be kept there, and that no other is lost."""
    if os.path.isfile(name) and os.path.getsize(name):
        raise InputError(f"{name}: there is something in it already; keep the record in another file")
    with open(name, "a", encoding="utf-8"):
        pass
