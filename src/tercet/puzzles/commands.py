"""`tercet puzzles`: make daily puzzles ahead of time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import partial
from secrets import token_hex
from typing import Annotated

import typer

from tercet.cli.app import new_app
from tercet.cli.text import InputError, read_day
from tercet.codec import to_json
from tercet.puzzles.days import KINDS, DailyKind, Puzzle, cards_of, make_puzzle

app = new_app(help="Daily puzzles: make them ahead of time, certified.")


class Kinds(StrEnum):
    """What can be made."""

    cards = "set"
    dice = "cubed"
    both = "both"


@app.callback()
def about() -> None:
    """Daily puzzles: make them ahead of time, certified."""


@app.command("make")
def make_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Where they go, a line each. It holds their seeds: keep it secret."
        ),
    ],
    kind: Annotated[Kinds, typer.Option(help="Which puzzles.")] = Kinds.cards,
    days: Annotated[int, typer.Option(min=1, max=3660, help="For how many days.")] = 365,
    first: Annotated[
        str | None,
        typer.Option("--from", metavar="DAY", help="The first day, as in 2026-11-18; tomorrow if left out."),
    ] = None,
) -> None:
    """Make puzzles for days to come, each with its seed, and print their commitments.

    Cards: twelve with exactly six SETs, of the day's level, none twice. Dice: a position whose best turn is clearly best in thousands of
    games played out, and is not the one with the most points; that takes about ten seconds each. A server takes the file with the setting
    `days`, or TERCET_DAYS.

    Example: tercet puzzles make year.jsonl --days 365
    """
    begun = time.monotonic()
    kinds: tuple[DailyKind, ...] = (
        KINDS if kind is Kinds.both else ("daily_set",) if kind is Kinds.cards else ("daily_cubed",)
    )
    count = 0
    beginning = datetime.now(UTC).date() + timedelta(1) if first is None else read_day(first)
    if days > (date.max - beginning).days:
        raise InputError(f"there are no {days} days after {beginning}")
    with open(file, "x", encoding="utf-8", opener=partial(os.open, mode=0o600)) as out:
        for puzzle in _make(kinds, beginning, days):
            out.write(to_json(puzzle).decode() + "\n")
            out.flush()
            count += 1
            typer.echo(f"{puzzle.day} {puzzle.kind} level {puzzle.level}: {puzzle.commitment}")
    typer.echo(
        f"{count} {'puzzle' if count == 1 else 'puzzles'} in {time.monotonic() - begun:.1f} seconds.",
        err=True,
    )


def _make(kinds: tuple[DailyKind, ...], first: date, days: int) -> Iterator[Puzzle]:
    taken: set[frozenset[str]] = set()
    for number in range(days):
        for kind in kinds:
            day = (first + timedelta(number)).isoformat()
            puzzle = make_puzzle(kind, day, lambda: token_hex(32), taken)
            taken.add(cards_of(puzzle))
            yield puzzle
