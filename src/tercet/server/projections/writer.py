"""Writes the rows of tables and games that have changed, many in one transaction."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from time import monotonic
from types import MappingProxyType

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from tercet.server import table
from tercet.server.ids import now_ms
from tercet.server.logged.game import LoggedGame
from tercet.server.projections.rows import GameRows, Row, game_row, player_rows, table_row, write_seats
from tercet.server.store import Store, Unavailable, schema
from tercet.server.table import Finished

#: How long changes are gathered before they are written; and those of nothing but whom games wait for.
GATHER_SECONDS = 0.3
WAITS_SECONDS = 2.0

logger = logging.getLogger("tercet.projections")


class Projector:
    """Writes the rows of tables and games that have changed, many in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: Tables and running games whose rows are made when they are written: much may happen until then.
        self._tables: dict[str, table.State] = {}
        self._running: dict[str, tuple[table.State, LoggedGame]] = {}
        self._games: dict[str, GameRows] = {}
        self._waits: dict[str, tuple[int, ...]] = {}
        #: Running games of which nothing has changed but whom they wait for, and their tables.
        self._new_waits: dict[str, tuple[str, tuple[int, ...]]] = {}
        self._waits_time = 0.0
        #: The accounts of guests who logged in later.
        self.owners: dict[str, str] = {}
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, state: table.State, game: LoggedGame | None) -> None:
        """A table has changed."""
        self._tables[state.code] = state
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
        self._games[game.id] = GameRows(
            game_row(state, (), finished), player_rows(state, game.log, finished, self.owners)
        )
        self._wake()

    def merged(self, owners: dict[str, str]) -> None:
        """From now on, what these guests play belongs to the accounts."""
        self.owners |= owners
        for rows in self._games.values():
            for player in rows.players:
                player["person"] = owners.get(player["person"], player["person"])

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
                player_rows(state, game.log, None, self.owners),
            )
        tables, self._tables = self._tables, {}
        found, self._games = self._games, {}
        waits = {}
        if with_waits:
            waits, self._new_waits, self._waits_time = self._new_waits, {}, monotonic()
        if not tables and not found and not waits:
            return
        try:
            await write_rows(self._store, map(table_row, tables.values()), found.values(), waits)
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


async def write_rows(
    store: Store,
    tables: Iterable[Row],
    found: Iterable[GameRows],
    waits: Mapping[str, tuple[str, tuple[int, ...]]] = MappingProxyType({}),
) -> None:
    """Put these rows in the place of those that are there; and for some games, whom they wait for now."""
    tables, found = list(tables), list(found)
    async with store.writing(exclusive=True) as connection:
        for where, column, new in (
            (schema.tables, "code", tables),
            (schema.games, "id", [rows.game for rows in found]),
            (schema.players, "game", [player for rows in found for player in rows.players]),
        ):
            if new:
                keys = {row[column] for row in new}
                await connection.execute(delete(where).where(where.c[column].in_(keys)))
                await connection.execute(insert(where), new)
        if waits:
            now = int(now_ms())
            seats_now = [{"of": game, "now": write_seats(seats)} for game, (_, seats) in waits.items()]
            changed = [{"of": code, "now": now} for code in {code for code, _ in waits.values()}]
            await connection.execute(_WAITS, seats_now)
            await connection.execute(_CHANGED, changed)


_WAITS = update(schema.games).where(schema.games.c.id == bindparam("of")).values(waits_for=bindparam("now"))
_CHANGED = (
    update(schema.tables).where(schema.tables.c.code == bindparam("of")).values(changed_time=bindparam("now"))
)


async def reserve(store: Store, row: Row, hosts: Iterable[str], limit: int) -> int | None:
    """Write the row of a new table, unless these people, who are its host, have too many; how many they had before.

    None, if another table has this code. One at a time, on all nodes: else many at once would all be allowed.
    """
    tables = schema.tables
    query = select(func.count()).where(tables.c.host.in_(list(hosts)), tables.c.phase != "closed")
    async with store.writing(exclusive=True) as connection:
        if (await connection.execute(select(tables.c.code).where(tables.c.code == row["code"]))).first():
            return None
        hosted = int((await connection.execute(query)).scalar_one())
        if hosted < limit:
            await connection.execute(insert(tables).values(row))
        return hosted


async def release(store: Store, code: str) -> None:
    """There is no such table after all."""
    async with store.writing(exclusive=True) as connection:
        await connection.execute(delete(schema.tables).where(schema.tables.c.code == code))
