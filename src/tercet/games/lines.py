"""A game's events as lines of a record: what the notations of all games are made of. Seats are counted from 1 there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from tercet.games.rules import E
from tercet.sets import NotationError

#: What a line looks like, and what makes an event of its parts.
Form = tuple[str, Callable[..., E]]


def read_line(text: str, forms: Iterable[Form[E]], game: str) -> E:
    """The event that a line tells, by the first form that it has."""
    for pattern, build in forms:
        if found := re.fullmatch(pattern, text, re.ASCII):
            return build(*found.groups())
    raise NotationError(f"{text[:60]!r} is not a line of {game}")


def join(things: Sequence[object]) -> str:
    return " ".join(map(str, things))


def read_seat(text: str) -> int:
    return int(text) - 1


def read_scores(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(" ")))
