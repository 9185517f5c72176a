"""All rows again from the logs, of one table or of all."""

from __future__ import annotations

from sqlalchemy import delete

from tercet.server import table
from tercet.server.logged.game import LoggedGame
from tercet.server.logged.table import read_table, table_codes
from tercet.server.projections.rows import GameRows, game_row, player_rows, table_row
from tercet.server.projections.writer import write_rows
from tercet.server.store import Store, schema
from tercet.server.table import Began, Finished


async def rebuild(store: Store, owners: dict[str, str]) -> tuple[int, int]:
    """Make all rows again from the logs; the numbers of tables and of games."""
    codes = await table_codes(store)
    async with store.writing() as connection:
        for projection in (schema.players, schema.games, schema.tables):
            await connection.execute(delete(projection))
    count = 0
    for code in codes:
        count += await rebuild_table(store, code, owners)
    return len(codes), count


async def rebuild_table(store: Store, code: str, owners: dict[str, str]) -> int:
    """Make the rows of a table and of all its games again; how many games that are."""
    found: dict[str, GameRows] = {}
    state: table.State | None = None
    game: LoggedGame | None = None
    async for event, before in read_table(store, code):
        state = before if isinstance(event, table.Opened) else table.evolve(before, event)
        if isinstance(event, Began):
            game = LoggedGame(state)
            await game.catch_up(store)
        if game is None:
            continue
        if isinstance(event, Finished):
            found[game.id] = GameRows(
                game_row(before, (), event), player_rows(before, game.log, event, owners)
            )
            game = None
        elif state.started is not None:
            found[game.id] = GameRows(
                game_row(state, game.rules.waits_for(game.state), None),
                player_rows(state, game.log, None, owners),
            )
    assert state is not None
    await write_rows(store, [table_row(state)], found.values())
    return len(found)
