"""The puzzles of days in the database: made ahead, the same on all nodes, their seeds secret until the day is over.

How a puzzle is made is the game's business (its module ``days``); it may take long, so it is made in a process of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tercet.codec import from_data, from_json, reason, to_json
from tercet.games import part
from tercet.games.runs import Run, find_run, runs
from tercet.server.bots.thinking import Thinkers
from tercet.server.ids import new_seed, today
from tercet.server.settings import SettingsError
from tercet.server.store import Store, Unavailable, schema
from tercet.server.store.many import insert_or

logger = logging.getLogger("tercet.days")

#: So many days ahead there are puzzles; how often it is looked whether there are, and how long after the start at first. One that has to be
#: searched for keeps a core busy for a quarter of a minute: not at the first look, and then one at a time.
AHEAD = 7
LOOK_SECONDS = 600
FIRST_LOOK_SECONDS = 3


def daily_runs() -> list[Run]:
    """The kinds of runs of which there is one for each day."""
    return [run for run in runs().values() if run.daily]


def _days_of(kind: str) -> Any:
    return part(find_run(kind).game, "days")


def days_from(first: str, count: int) -> list[str]:
    """So many days, this one first.

    >>> days_from("2026-12-31", 2)
    ['2026-12-31', '2027-01-01']
    """
    begun = date.fromisoformat(first)
    return [(begun + timedelta(number)).isoformat() for number in range(count)]


def read_file(file: str) -> list[Any]:
    """The puzzles that somebody has made beforehand (``tercet puzzles make``), those of days to come; `SettingsError` if one of them cannot
    be taken, and then none is."""
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"days: cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"days: {file}: this is not UTF-8") from None
    found: list[Any] = []
    last: dict[str, str] = {}
    seeds: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            puzzle = _read_line(line)
            before = last.get(puzzle.kind, "")
            if puzzle.day == before:
                raise ValueError(f"{puzzle.kind} has a puzzle for {puzzle.day} already")
            if puzzle.day < before:
                raise ValueError(f"{puzzle.day} comes after {before}: the days of a kind stand in order")
            if puzzle.seed in seeds:
                raise ValueError("an earlier line has this seed already")
        except ValueError as error:
            why = f"{reason(error)}; tercet puzzles make writes such a file"
            raise SettingsError(f"days: {file}: line {number}: {why}") from None
        last[puzzle.kind] = puzzle.day
        seeds.add(puzzle.seed)
        found.append(puzzle)
    return [puzzle for puzzle in found if puzzle.day > today()]


def _read_line(line: str) -> Any:
    """The puzzle that stands there; `ValueError` if none does."""
    kinds = {run.name: _days_of(run.name) for run in daily_runs()}
    said = from_json(line, Any)
    try:
        made = kinds[said["kind"]]
    except (LookupError, TypeError):
        raise ValueError("this is no puzzle of a day") from None
    puzzle = from_data(said, made.Puzzle)
    if (flaw := made.flaw(puzzle, said.get("commitment"))) is not None:
        raise ValueError(flaw)
    return puzzle


class Days:
    """Finds the puzzles of days, and sees to it that there are some."""

    def __init__(self, store: Store, thinkers: Thinkers, file: str | None = None) -> None:
        self._store = store
        self._file = file
        self._thinkers = thinkers
        self._known: dict[tuple[str, str], Any] = {}
        self._task: asyncio.Task[None] | None = None
        self._searches: dict[tuple[str, str], asyncio.Task[int]] = {}

    def start(self) -> None:
        self._task = asyncio.create_task(self._make_forever())

    async def stop(self) -> None:
        running = [*self._searches.values(), *([self._task] if self._task is not None else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def find(self, kind: str, day: str) -> Any | None:
        """The puzzle of this day, with its secret, if there is one; for today there is."""
        known = self._known.get((kind, day))
        if known is None:
            found = await self.between(kind, day, day)
            if not found and day == today():
                await self.make_missing(kind, [day], searches=1)
                found = await self.between(kind, day, day)
            known = found[0] if found else None
            if known is not None:
                self._known[kind, day] = known
                while len(self._known) > 200:
                    del self._known[next(iter(self._known))]
        return known

    async def between(self, kind: str, first: str, last: str) -> Sequence[Any]:
        """The puzzles from one day to another."""
        kept, made = schema.days, _days_of(kind)
        query = (
            select(kept)
            .where(kept.c.kind == kind, kept.c.day >= first, kept.c.day <= last)
            .order_by(kept.c.day)
        )
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            made.Puzzle(kind=kind, day=row.day, seed=row.seed, turns=from_json(row.turns, made.Turns))
            for row in rows
        ]

    async def keep(self, puzzles: Iterable[Any]) -> int:
        """Write these down, but for days that have one already: what was committed to stays. How many are new."""
        rows = [
            {"kind": one.kind, "day": one.day, "seed": one.seed, "turns": to_json(one.turns).decode()}
            for one in puzzles
        ]
        new = 0
        async with self._store.writing(exclusive=True) as connection:
            for row in rows:
                writing = insert_or(connection, schema.days).values(row).on_conflict_do_nothing()
                new += (await connection.execute(writing)).rowcount
        return new

    async def missing(self, kind: str, days: Sequence[str]) -> list[str]:
        """Those of these days that have no puzzle."""
        there = {one.day for one in await self.between(kind, days[0], days[-1])}
        return [day for day in days if day not in there]

    async def seeds(self, kind: str) -> set[str]:
        """All seeds of a kind: none is used twice."""
        kept = schema.days
        async with self._store.reading() as connection:
            return set((await connection.execute(select(kept.c.seed).where(kept.c.kind == kind))).scalars())

    async def make_missing(self, kind: str, days: Sequence[str], *, searches: int = 0) -> int:
        """Make a puzzle for each of these days that has none, the nearest first, of those that must be searched for only so many; how many
        there are now. A puzzle for today that is missing cannot be waited for: one that others may know has to do."""
        made = 0
        for day in await self.missing(kind, days):
            part_of_game = _days_of(kind)
            used = await self.seeds(kind)
            puzzle = part_of_game.ready_made(kind, day, new_seed(), used, secret=day != today())
            if puzzle is None:
                if not searches:
                    continue
                searches -= 1
                made += await self._search(kind, day)
            else:
                made += await self.keep([puzzle])
        return made

    async def _search(self, kind: str, day: str) -> int:
        """Look for a puzzle, once for all who wait for it; how many are new. Whoever goes away does not end it for the others."""
        searching = self._searches.get((kind, day))
        if searching is None:
            searching = self._searches[kind, day] = asyncio.create_task(self._make(kind, day))
            searching.add_done_callback(lambda _: self._searches.pop((kind, day)))
        return await asyncio.shield(searching)

    async def _make(self, kind: str, day: str) -> int:
        return await self.keep([await self._thinkers.work(make_day, _days_of(kind).__name__, kind, day)])

    async def _take_file(self, file: str) -> bool:
        """Keep the puzzles that somebody has made beforehand (``tercet puzzles make``), those of days to come. Whether that is done with."""
        try:
            new = await self.keep(await asyncio.to_thread(read_file, file))
            logger.info("puzzles taken from a file", extra={"file": file, "count": new})
        except Unavailable:
            logger.warning("the store cannot be reached")
            return False
        except SettingsError as error:
            logger.error("the file of puzzles cannot be read", extra={"reason": str(error)})
        return True

    async def _make_forever(self) -> None:
        await asyncio.sleep(FIRST_LOOK_SECONDS)
        file = self._file
        for searches in chain([0], repeat(1)):
            if file is not None and await self._take_file(file):
                file = None
            for run in daily_runs():
                try:
                    await self.make_missing(run.name, days_from(today(), AHEAD), searches=searches)
                except Unavailable:
                    logger.warning("the store cannot be reached")
                except Exception:
                    logger.exception("no puzzle could be made", extra={"kind": run.name})
            await asyncio.sleep(LOOK_SECONDS)


def make_day(module: str, kind: str, day: str) -> Any:
    """Make a puzzle, in a process of its own."""
    from importlib import import_module  # noqa: PLC0415

    return import_module(module).make_puzzle(kind, day, new_seed)
