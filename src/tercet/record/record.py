"""A game, finished or not, with all that was agreed before it and all that happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tercet import games
from tercet.fairness import Terms
from tercet.games import Entry
from tercet.sets import TercetError, of_kind

VERSION = "2"
#: The name of a remark.
TAG = r"[A-Z][A-Za-z0-9]{0,30}"
_OWN_TAG = re.compile(
    r"Tercet|Game|Table|Number|CalledOff|Seat\d+|Options|Edition|Commitment\d*|Secret\d+|Seed|Result|Seal",
    re.ASCII,
)
#: What to give where a record is wanted.
RECORD = "a record (record.of makes one of a game, record.read of a text)"


class RecordError(TercetError):
    """A text that is not a record; the message says in which line."""


class Record(Struct, frozen=True, kw_only=True):
    """A game, finished or not: what was agreed before it, and all that happened.

    ``terms`` are what the commitments are bound to; ``called_off`` is how often its start was called off before.
    ``commitments`` and ``secrets`` are the seats', empty where nobody added a secret; the secrets are there once they
    have been shown. ``seed`` is there once it has been revealed, ``result`` (the final scores) once the game is over:
    a game with a seed and without a result was broken off. ``seal`` is made of all that and shows a change that the
    rules would allow. ``tags`` are further remarks, such as a date.
    """

    terms: Terms
    options: Any
    called_off: int = 0
    seats: tuple[str, ...]
    commitment: str
    commitments: tuple[str, ...]
    secrets: tuple[str, ...]
    seed: str | None
    result: tuple[int, ...] | None
    log: tuple[Entry[Any], ...]
    seal: str | None = None
    tags: dict[str, str] = {}

    @property
    def game(self) -> str:
        return self.terms.game

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.game).rules
        return rules

    def __str__(self) -> str:
        from tercet.record.writing import write  # noqa: PLC0415

        return write(self)


def replay(record: Record) -> Iterator[tuple[Entry[Any], Any]]:
    """Each line of the log with the state after it. Needs no seed: chance is in the events (F3)."""
    of_kind(record, Record, RECORD)
    rules = record.rules
    state = rules.start(record.options, len(record.seats))
    for entry in record.log:
        try:
            state = rules.evolve(state, entry.event, entry.at)
        except (ValueError, LookupError, AssertionError, TypeError):
            raise RecordError(f"line {entry.seq} cannot follow the lines before it") from None
        yield entry, state


def check_tags(tags: dict[str, str]) -> dict[str, str]:
    """Remarks that can be written in both forms of a record."""
    for name, text in tags.items():
        if not re.fullmatch(TAG, name) or _OWN_TAG.fullmatch(name):
            raise RecordError(f"{name[:40]!r} cannot be the name of a remark: a word such as Date or Place")
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise RecordError(f"the remark {name} is not readable text")
    return tags
