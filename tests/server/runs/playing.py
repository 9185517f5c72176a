"""Runs played over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tercet import cards, find_sets, puzzles
from tercet.client import Client, RemoteTable
from tercet.puzzles.items import solutions
from tercet.server.protocol import RunCreated, Start

#: Longer than nobody's hand takes.
MOMENT = 0.16


async def begin(client: Client, kind: str, **wanted: Any) -> RunCreated:
    created: RunCreated = await client.request("POST", "/api/runs", {"kind": kind, **wanted}, kind=RunCreated)
    return created


@asynccontextmanager
async def playing(client: Client, kind: str, **wanted: Any) -> AsyncIterator[RemoteTable]:
    """A run that has begun."""
    created = await begin(client, kind, **wanted)
    async with client.join(created.code) as table:
        await table.manage(Start())
        await table.until(lambda: table.game is not None and table.state.phase == "play")
        yield table


async def take_sets(table: RemoteTable, moment: float = 0.6) -> None:
    """Take SETs until the deck is done."""
    while not table.is_over:
        await asyncio.sleep(moment)
        await table.play(cards.Show(0, find_sets(table.state.table)[0]))


def answer_to(table: RemoteTable) -> puzzles.Answer:
    """A right answer to the item that one sees."""
    runner = table.state.runners[table.seat]
    item = table.state.items[runner.number - 1]
    if item.position is not None:
        best = item.position.position(item.position.turn or 0).best()
        return puzzles.Answer(table.seat or 0, runner.number, placements=best.placements)
    picks = next(picks for picks in solutions(item) if picks not in runner.found)
    return puzzles.Answer(table.seat or 0, runner.number, picks)


async def solve(table: RemoteTable, count: int, moment: float = 0.6) -> None:
    """Answer so many items, or SETs of one, rightly."""
    for _ in range(count):
        await asyncio.sleep(moment)
        await table.play(answer_to(table))
