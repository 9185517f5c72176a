"""Writes the rows of tables and games that have changed, many in one transaction."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from time import monotonic
from typing import NamedTuple

from sqlalchemy import Table, bindparam, delete, func, insert, or_, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server import table
from tercet.server.ids import now_ms
from tercet.server.logged.game import LoggedGame
from tercet.server.projections import boards
from tercet.server.projections.rows import (
    SUMMED,
    GameRows,
    Played,
    Row,
    game_row,
    player_rows,
    run_rows,
    summed,
    table_row,
    write_seats,
)
from tercet.server.store import Store, Unavailable, many, schema
from tercet.server.store.many import batched, insert_new, insert_or
from tercet.server.table import Finished

#: How long changes are gathered before they are written; and those of nothing but whom games wait for.
GATHER_SECONDS = 0.3
WAITS_SECONDS = 2.0
#: So many keys go into one question.
MANY = 500

logger = logging.getLogger("tercet.projections")


class Projector:
    """Writes the rows of tables and games that have changed, many in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: Tables and running games whose rows are made when they are written: much may happen until then.
        self._tables: dict[str, tuple[table.State, int]] = {}
        self._running: dict[str, tuple[table.State, LoggedGame]] = {}
        self._games: dict[str, GameRows] = {}
        self._waits: dict[str, tuple[int, ...]] = {}
        #: Running games of which nothing has changed but whom they wait for, and their tables.
        self._new_waits: dict[str, tuple[str, tuple[int, ...]]] = {}
        self._waits_time = 0.0
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, state: table.State, version: int, game: LoggedGame | None) -> None:
        """A table has changed, by the event of this number."""
        self._tables[state.code] = (state, version)
        if game is not None and state.started is not None and game.id == state.started.id:
            self._waits[game.id] = game.rules.waits_for(game.state)
            self._running[game.id] = (state, game)
        self._wake()

    def note_waits(self, state: table.State, game: LoggedGame) -> None:
        """Something happened in a game; it is written down if it now waits for somebody else."""
        waits = game.rules.waits_for(game.state)
        if self._waits.get(game.id) != waits:
            self._waits[game.id] = waits
            self._new_waits[game.id] = (state.code, waits)
            self._wake()

    def note_end(self, state: table.State, game: LoggedGame, finished: Finished) -> None:
        """A game is over."""
        self._waits.pop(game.id, None)
        self._running.pop(game.id, None)
        self._new_waits.pop(game.id, None)
        played = Played.of(state, game.log)
        self._games[game.id] = GameRows(
            game_row(state, (), finished),
            player_rows(state, finished, played),
            run_rows(state, finished, played),
        )
        self._wake()

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_later())

    async def _write_later(self) -> None:
        while self._tables or self._games or self._running or self._new_waits:
            await asyncio.sleep(GATHER_SECONDS)
            async with self._writing:
                await self._flush(with_waits=monotonic() > self._waits_time + WAITS_SECONDS)

    async def flush(self) -> None:
        """Write all that has changed. What cannot be written now is tried again later."""
        async with self._writing:
            await self._flush(with_waits=True)

    async def _flush(self, *, with_waits: bool) -> None:
        running, self._running = self._running, {}
        for state, game in running.values():
            self._games[game.id] = GameRows(
                game_row(state, game.rules.waits_for(game.state), None),
                player_rows(state, None, None),
            )
        tables, self._tables = self._tables, {}
        found, self._games = self._games, {}
        waits = {}
        if with_waits:
            waits, self._new_waits, self._waits_time = self._new_waits, {}, monotonic()
        if not tables and not found and not waits:
            return
        try:
            now = int(now_ms())
            new = [table_row(state, version, now) for state, version in tables.values()]
            async with self._store.writing(exclusive=True) as connection:
                await write_rows(connection, new, list(found.values()))
                if waits:
                    await _write_waits(connection, waits, now)
        except (Unavailable, SQLAlchemyError) as error:
            logger.warning("projections were not written", extra={"reason": type(error).__name__})
            self._tables = tables | self._tables
            self._games = found | self._games
            self._new_waits = waits | self._new_waits
            await asyncio.sleep(1)

    async def close(self) -> None:
        await self.flush()  # waits for a write that is under way, so that nothing is cut off in the middle
        if self._task is not None:
            self._task.cancel()


class Projection(NamedTuple):
    """The tables that hold the rows: those that everybody sees, or those that a rebuild makes."""

    tables: Table
    games: Table
    players: Table
    sums: Table
    runs: Table
    bests: Table


LIVE = Projection(schema.tables, schema.games, schema.players, schema.sums, schema.runs, schema.bests)


async def is_rebuilding(connection: AsyncConnection) -> bool:
    """Whether a rebuild is under way, or was and is to go on."""
    return (await connection.execute(select(schema.rebuilding.c.run))).first() is not None


async def note_changed(connection: AsyncConnection, codes: Collection[str]) -> None:
    """Let a rebuild, if one is under way, read these tables once more."""
    if codes and await is_rebuilding(connection):
        noting = insert_or(connection, schema.changed).on_conflict_do_nothing()
        await connection.execute(noting, [{"code": code} for code in codes])


async def write_rows(
    connection: AsyncConnection,
    tables: Sequence[Row],
    found: Sequence[GameRows],
    into: Projection = LIVE,
    *,
    are_new: bool = False,
) -> None:
    """Put these rows in the place of those that are there, in a transaction that must be exclusive.

    The sums change by as much as the rows do, so that nothing is ever counted twice. ``are_new``: it is known that there
    are none yet.
    """
    players = [player for rows in found for player in rows.players]
    achieved = [run for rows in found for run in rows.runs]
    await _find_owners(connection, [*players, *achieved])
    runs = [run for run in achieved if run["person"] is not None]  # as `boards.forget` leaves them
    await boards.value_days(connection, runs)
    games = [rows.game for rows in found]
    sums: dict[tuple[str, str], list[int]] = {}
    if not are_new:
        for ids in batched([game["id"] for game in games], MANY):
            for kind, row in await _counted_rows(connection, into, ids):
                _add(sums, row, kind, -1)
    by_id = {game["id"]: game for game in games}
    for player in players:
        game = by_id[player["game"]]
        is_kept = player["person"] is not None and player["counts"]
        if is_kept and game["end_time"] is not None and not game["practice"]:
            _add(sums, player, game["game"], 1)
    for where, column, new in (
        (into.tables, "code", tables),
        (into.games, "id", games),
        (into.players, "game", players),
        (into.runs, "game", runs),
    ):
        if new:
            if not are_new:
                for keys in batched(list({row[column] for row in new}), MANY):
                    await connection.execute(delete(where).where(where.c[column].in_(keys)))
            await insert_new(connection, where, new)
    if into is LIVE:
        await note_changed(connection, {row["code"] for row in (*tables, *games)})
    if not are_new:  # nobody is waited for any more at tables that are closed
        for codes in batched([row["code"] for row in tables if row["phase"] == "closed"], MANY):
            unfinished = into.games.c.code.in_(codes), into.games.c.end_time.is_(None)
            await connection.execute(update(into.games).where(*unfinished).values(waits_for=""))
    await add_sums(connection, into.sums, sums)
    await boards.settle_days(connection, into, tables, runs)
    await boards.enter(connection, into.bests, runs)


async def _find_owners(connection: AsyncConnection, players: Sequence[Row]) -> None:
    """What a guest played belongs to the account that the guest became, and what a deleted person played to nobody."""
    ids = {player["person"] for player in players} - {None}
    query = "SELECT id, coalesce(merged_into, id) FROM people WHERE id IN (SELECT value FROM <keys>)"
    known: dict[str, str] = dict(await many.ask(connection, query, ids))
    for player in players:
        player["person"] = known.get(player["person"])


async def _counted_rows(
    connection: AsyncConnection, kept: Projection, ids: Sequence[str]
) -> list[tuple[str, Row]]:
    """The rows of these games that are in the sums now, each with the kind of game."""
    games, players = kept.games, kept.players
    query = (
        select(games.c.game.label("kind"), players)
        .join_from(players, games, players.c.game == games.c.id)
        .where(players.c.game.in_(ids), players.c.person.is_not(None), players.c.counts)
        .where(games.c.end_time.is_not(None), ~games.c.practice)
    )
    return [(row.kind, row._asdict()) for row in await connection.execute(query)]


def _add(sums: dict[tuple[str, str], list[int]], player: Row, game: str, times: int) -> None:
    line = sums.setdefault((player["person"], game), [0] * len(SUMMED))
    for number, value in enumerate(summed(player)):
        line[number] += times * value


async def add_sums(
    connection: AsyncConnection, where: Table, sums: Mapping[tuple[str, str], Sequence[int]]
) -> None:
    """Add these to what is there, by person and game."""
    new = [
        {"person": person, "game": game, **dict(zip(SUMMED, line, strict=True))}
        for (person, game), line in sums.items()
        if any(line)
    ]
    if new:
        adding = insert_or(connection, where)
        more = {name: where.c[name] + adding.excluded[name] for name in SUMMED}
        await connection.execute(
            adding.on_conflict_do_update(index_elements=["person", "game"], set_=more), new
        )


async def hand_over(
    connection: AsyncConnection, kept: Projection, people: Collection[str], account: str
) -> None:
    """What these people have played is the account's now."""
    players, sums = kept.players, kept.sums
    await connection.execute(update(players).where(players.c.person.in_(people)).values(person=account))
    await boards.hand_over(connection, kept, people, account)
    theirs = (await connection.execute(select(sums).where(sums.c.person.in_(people)))).all()
    await connection.execute(delete(sums).where(sums.c.person.in_(people)))
    for row in theirs:
        line = row._asdict()
        await add_sums(connection, sums, {(account, row.game): [line[name] for name in SUMMED]})


async def forget(connection: AsyncConnection, kept: Projection, people: Collection[str]) -> bool:
    """Some of what these people have played is nobody's now; whether there may be more."""
    players, sums = kept.players, kept.sums
    await boards.forget(connection, kept.runs, kept.bests, people)
    some = select(players.c.game).where(players.c.person.in_(people)).limit(MANY)
    ids = list(dict.fromkeys((await connection.execute(some)).scalars()))
    less: dict[tuple[str, str], list[int]] = {}
    for kind, row in await _counted_rows(connection, kept, ids):
        if row["person"] in people:
            _add(less, row, kind, -1)
    await add_sums(connection, sums, less)
    theirs = players.c.game.in_(ids), players.c.person.in_(people)
    await connection.execute(update(players).where(*theirs).values(person=None))
    if not ids:
        await connection.execute(delete(sums).where(sums.c.person.in_(people)))
    return bool(ids)


async def _write_waits(
    connection: AsyncConnection, waits: Mapping[str, tuple[str, tuple[int, ...]]], now: int
) -> None:
    seats_now = [{"of": game, "now": write_seats(seats)} for game, (_, seats) in waits.items()]
    changed = [{"of": code, "now": now} for code in {code for code, _ in waits.values()}]
    await connection.execute(_WAITS, seats_now)
    await connection.execute(_CHANGED, changed)


_WAITS = update(schema.games).where(schema.games.c.id == bindparam("of")).values(waits_for=bindparam("now"))
_CHANGED = (
    update(schema.tables).where(schema.tables.c.code == bindparam("of")).values(changed_time=bindparam("now"))
)


class AnotherRun(Exception):
    """The host has a table for this very run already."""


async def reserve(
    store: Store, row: Row, hosts: Collection[str], limit: int, *, is_only: bool = False
) -> int | None:
    """Write the row of a new table, unless these people, who are its host, have too many; how many they had before. Tables for runs
    are counted by themselves. ``is_only``: `AnotherRun` if they have one for the same run, or had one and played there.

    None, if another table has this code. One at a time, on all nodes: else many at once would all be allowed.
    """
    tables, games = schema.tables, schema.games
    of_run = tables.c.run.is_(None) if row["run"] is None else tables.c.run.is_not(None)
    query = select(func.count()).where(tables.c.host.in_(hosts), text(schema.IS_OPEN), of_run)
    same = (
        select(tables.c.code)
        .outerjoin(games, games.c.code == tables.c.code)
        .where(tables.c.host.in_(hosts), text(schema.IS_OF_RUN))
        .where(tables.c.run == row["run"], tables.c.day == row["day"])
        .where(or_(text(schema.IS_OPEN), games.c.id.is_not(None)))
    )
    async with store.writing(exclusive=True) as connection:
        if (await connection.execute(select(tables.c.code).where(tables.c.code == row["code"]))).first():
            return None
        if is_only and (await connection.execute(same)).first():
            raise AnotherRun
        hosted = int((await connection.execute(query)).scalar_one())
        if hosted < limit:
            await connection.execute(insert(tables).values(row))
        return hosted


async def release(store: Store, code: str) -> None:
    """There is no such table after all."""
    async with store.writing(exclusive=True) as connection:
        await connection.execute(delete(schema.tables).where(schema.tables.c.code == code))
