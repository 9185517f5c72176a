"""Bots of a game with turns take a moment that people can follow, unless the table wants them quick."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from tercet import cubed
from tercet.client import RemoteTable
from tercet.server.protocol import Change, Ready
from tercet.server.room.live_game import MOMENT_MS
from tests.server.players import play_cubed
from tests.server.serving import run, serving

TURN = cubed.Laid | cubed.Passed


def moments(table: RemoteTable) -> list[int]:
    """How long the bot on the second seat took for its turns since they were its own, in the game's time."""
    told = [entry for entry in table.log if not isinstance(entry.event, cubed.Replaced)]  # told with the turn
    return [
        entry.at - last.at
        for last, entry in pairwise(told)
        if isinstance(entry.event, TURN) and entry.event.seat == 1
    ]


async def until_the_bot_had(table: RemoteTable, turns: int) -> list[int]:
    playing = asyncio.create_task(play_cubed(table))
    await table.until(lambda: len(moments(table)) >= turns, 120)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    return moments(table)


def test_a_bot_takes_a_moment_and_none_at_a_table_that_wants_it_quick(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            async with ann.join(await ann.create_table("cubed", bots=["random"])) as table:
                assert table.table.quick_bots is False
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                slow = await until_the_bot_had(table, 2)
                assert min(slow) >= MOMENT_MS[0], slow
                await table.manage(Change(quick_bots=True))
                await table.until(lambda: table.table.quick_bots)
                quick = (await until_the_bot_had(table, 6))[len(slow) + 1 :]
                assert min(quick) < MOMENT_MS[0], quick

    run(scenario(), seconds=300)
