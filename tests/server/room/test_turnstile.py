"""The turnstile of a table: one at a time, in order, whoever gives up on the way."""

from __future__ import annotations

import asyncio

import pytest

from tercet.server.room.turnstile import Turnstile
from tests.server.serving import run


def test_callbacks_and_tasks_go_in_by_turns_in_the_order_in_which_they_came() -> None:
    async def scenario() -> None:
        turnstile, seen = Turnstile(), []

        async def go_in(name: str) -> None:
            async with turnstile:
                seen.append(name)
                await asyncio.sleep(0)
                seen.append(name)

        def look_in(name: str) -> None:
            seen.append(name)
            turnstile.leave()

        tasks = [asyncio.create_task(go_in("a")), asyncio.create_task(go_in("b"))]
        await asyncio.sleep(0)
        for number in range(2000):  # more than a stack would hold
            turnstile.enter(look_in, str(number))
        tasks.append(asyncio.create_task(go_in("c")))
        await asyncio.gather(*tasks)
        assert seen == ["a", "a", "b", "b", *map(str, range(2000)), "c", "c"]

    run(scenario())


@pytest.mark.parametrize("is_let_in", [False, True])
def test_who_gives_up_lets_the_next_one_in(is_let_in: bool) -> None:
    async def scenario() -> None:
        turnstile, seen = Turnstile(), []

        async def go_in(name: str) -> None:
            async with turnstile:
                seen.append(name)

        turnstile.enter(seen.append, "first")
        gives_up = asyncio.create_task(go_in("never"))
        waits = asyncio.create_task(go_in("last"))
        await asyncio.sleep(0)
        if is_let_in:  # but has not noticed yet
            turnstile.leave()
            gives_up.cancel()
        else:
            gives_up.cancel()
            turnstile.leave()
        await waits
        assert seen == ["first", "last"]
        assert gives_up.cancelled()
        turnstile.enter(seen.append, "again")
        assert seen[-1] == "again"

    run(scenario())
