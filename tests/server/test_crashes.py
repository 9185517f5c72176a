"""The server is killed, again and again, and nothing that anybody was told is lost."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tercet import cards, cubed
from tests.server.players import OPTIONS, Player, check, until_extra_roll
from tests.server.processes import ServerProcess
from tests.server.serving import run, seated


async def kill_under_load(path: Path, rounds: int) -> tuple[int, int]:
    server = ServerProcess(path / "t.db")
    await server.start()
    async with AsyncExitStack() as stack:
        groups = [
            await stack.enter_async_context(seated([server.url], "set", ["Ann", "Bo", "Cy"], options=OPTIONS))
            for _ in range(4)
        ]
        players = [[Player(table) for table in tables] for tables in groups]
        tasks = [asyncio.create_task(player.play()) for group in players for player in group]
        for _ in range(rounds):
            await asyncio.sleep(0.2 + random.random() / 2)
            server.kill()
            await server.start()
        await asyncio.sleep(1)
        for task in tasks:
            assert not task.done(), task
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for tables, group in zip(groups, players, strict=True):
            await check(tables, group)
            assert all(table.reconnections for table in tables)
    assert server.stop()
    acknowledged = sum(len(player.acknowledged) for group in players for player in group)
    return acknowledged, sum(tables[0].seq for tables in groups)


def test_no_acknowledged_event_is_lost_or_doubled_by_kill_9(tmp_path: Path) -> None:
    acknowledged, _ = run(kill_under_load(tmp_path, rounds=2))
    assert acknowledged > 10


@pytest.mark.long
def test_kill_9_fifty_times(tmp_path: Path) -> None:
    acknowledged, events = run(kill_under_load(tmp_path, rounds=50), seconds=900)
    print(f"50 kills: {acknowledged} commands acknowledged, {events} events, none lost, none doubled")


def test_a_call_runs_out_while_the_server_is_down(tmp_path: Path) -> None:
    """The clock goes on: the time to show is over when the server comes back."""

    async def scenario() -> None:
        server = ServerProcess(tmp_path / "t.db")
        await server.start()
        async with AsyncExitStack() as stack:
            ann, bo = await stack.enter_async_context(
                seated([server.url], "set", ["Ann", "Bo"], options={"show_seconds": 3, "rounds": 1})
            )
            await ann.play(cards.Call(0))
            await bo.until(lambda: bo.state.call is not None)
            until = bo.state.call.until
            server.kill()
            await asyncio.sleep(2)
            await server.start()
            await bo.until(lambda: bo.state.locked == {0}, 15)
            assert bo.log[-1].event == cards.Missed(0, ())
            assert bo.log[-1].at == until
            await bo.play(cards.Call(1))
        server.stop()

    run(scenario(), seconds=90)


def test_slow_play_over_a_restart(tmp_path: Path) -> None:
    """A turn may take days; whoever comes back finds the game where it was, and the clock as it was."""

    async def scenario() -> None:
        server = ServerProcess(tmp_path / "t.db")
        await server.start()
        options = {"turn_seconds": 3 * 24 * 3600, "extra_seconds": 24 * 3600}
        async with AsyncExitStack() as stack:
            ann, bo = await stack.enter_async_context(
                seated([server.url], "cubed", ["Ann", "Bo"], options=options)
            )
            await asyncio.gather(until_extra_roll(ann), until_extra_roll(bo))
            until = ann.state.until
            assert until is not None
            assert 23 * 3600_000 < until - ann.log[-1].at <= 24 * 3600_000
            (mine,) = await ann._client.my_games()
            assert mine.your_turn
            assert server.stop()
            await server.start()
            await ann.play(cubed.Choose(0))
            assert ann.state.until == until
            (mine,) = await ann._client.my_games()
            assert not mine.your_turn
            await bo.play(cubed.Choose(1))
            await ann.until(lambda: ann.state.phase == "turn")
        server.stop()

    run(scenario(), seconds=90)
