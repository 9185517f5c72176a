"""A server full of bots that think long: those of other tables have their turns all the same."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

from tercet import cubed
from tercet.client import Client, RemoteTable
from tercet.server.protocol import BotsWaiting, Ready
from tests.server.processes import ServerProcess
from tests.server.serving import run

TABLES = 20


async def started(stack: AsyncExitStack, url: str, name: str, bots: list[str]) -> RemoteTable:
    """A table in play where somebody lets the time of every turn of theirs run out."""
    client = Client(url)
    await client.sign_in(name)
    options = {"turn_seconds": 5, "extra_seconds": 5}
    code = await client.create_table("cubed", people=1, bots=bots, options=options, quick_bots=True)
    table = await stack.enter_async_context(client.join(code))
    await table.manage(Ready())
    await table.until(lambda: table.game is not None, 120)
    return table


def bots_waiting(url: str) -> int:
    with build_opener(ProxyHandler({})).open(f"{url}/metrics", timeout=30) as answer:
        found = re.search(r"^tercet_bots_waiting (\d+)", answer.read().decode(), re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.long
def test_a_greedy_bot_takes_its_turns_beside_sixty_masters(tmp_path: Path) -> None:
    async def scenario() -> None:
        server = ServerProcess(tmp_path / "t.db")
        await server.start()
        try:
            async with AsyncExitStack() as stack:
                ahead: list[int] = []

                def hear(said: object) -> None:
                    if isinstance(said, BotsWaiting) and said.ahead is not None:
                        ahead.append(said.ahead)

                for number in range(TABLES):
                    busy = await started(stack, server.url, f"Host {number}", ["master"] * 3)
                    busy.listeners.append(hear)
                while await asyncio.to_thread(bots_waiting, server.url) < TABLES // 2:
                    await asyncio.sleep(0.1)
                table = await started(stack, server.url, "Ann", ["greedy"])

                def turns() -> int:
                    """How often it was the bot's turn, and it is no more."""
                    return sum(
                        isinstance(entry.event, cubed.Opened | cubed.Laid | cubed.Passed)
                        and entry.event.seat != table.seat
                        for entry in table.log
                    )

                def has_had(number: int) -> bool:
                    return turns() > number

                for number in range(3):  # before each is a turn of Ann's, which takes five seconds
                    try:
                        await table.until(partial(has_had, number), 60)
                    except TimeoutError:
                        happened = [(entry.at, type(entry.event).__name__) for entry in table.log]
                        raise AssertionError(f"{number} turns, then none in a minute: {happened}") from None
                assert await asyncio.to_thread(bots_waiting, server.url) > 0
                while not ahead:  # people at those tables are told how many are before them
                    await asyncio.sleep(0.1)
        finally:
            server.kill()

    run(scenario(), seconds=290)
