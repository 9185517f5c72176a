"""Requests begin a few at a time, every address in its turn, and pay for the processor time that they take."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from tercet.client import ClientError
from tercet.server.budgets import Bucket
from tercet.server.web.sharing import FairQueue, metered
from tests.server.serving import run, serving


def test_one_of_each_address_begins_before_the_second_of_any() -> None:
    async def scenario() -> None:
        queue, begun = FairQueue(1), []

        async def ask(who: str) -> None:
            await queue.wait(who[0])
            begun.append(who)

        await asyncio.gather(*map(ask, ["a1", "a2", "a3", "b1", "a4", "b2", "c1"]))
        assert begun == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]

    run(scenario())


def test_a_few_begin_in_one_round_and_others_are_heard_in_between() -> None:
    async def scenario() -> None:
        queue, rounds = FairQueue(2), [0]
        loop = asyncio.get_running_loop()

        def next_round() -> None:
            rounds.append(0)
            loop.call_soon(next_round)

        async def ask() -> None:
            await queue.wait("a")
            rounds[-1] += 1

        loop.call_soon(next_round)
        await asyncio.gather(*(ask() for _ in range(40)))
        assert sum(rounds) == 40
        assert max(rounds) == 2

    run(scenario())


def test_whoever_no_longer_waits_keeps_nobody_waiting() -> None:
    async def scenario() -> None:
        queue = FairQueue(1)
        tasks = [asyncio.create_task(queue.wait("a")) for _ in range(10)]
        await asyncio.sleep(0)
        for task in tasks[3:8]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(task.cancelled() for task in tasks) == 5
        await asyncio.wait_for(queue.wait("b"), 5)

    run(scenario())


def burn(seconds: float) -> None:
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def test_work_is_measured_step_by_step_and_goes_on_as_ever() -> None:
    async def scenario() -> None:
        spent: list[float] = []

        async def work() -> None:
            burn(0.02)
            await asyncio.sleep(0.05)
            try:
                await asyncio.wait_for(asyncio.sleep(9), 0.01)
            except TimeoutError:
                burn(0.02)
            raise LookupError

        with pytest.raises(LookupError):
            await metered(work(), spent.append)
        assert 0.04 <= sum(spent) < 0.06

        async def wait() -> None:
            try:
                await asyncio.sleep(9)
            finally:
                spent.append(-1)

        task = asyncio.create_task(_await(wait(), spent))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert -1 in spent

    run(scenario())


async def _await(work: Coroutine[Any, Any, None], spent: list[float]) -> None:
    await metered(work, spent.append)


def test_a_bucket_may_owe_something() -> None:
    bucket = Bucket(0, 10)
    bucket.spend(25)
    assert bucket.is_empty
    assert not bucket.take()


def test_an_address_pays_for_its_work_and_it_is_counted_by_kind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"work_per_minute": 0.1}) as server:
            ann = await server.client("Ann")

            async def look_on() -> None:
                while True:
                    await ann.lobby()

            with pytest.raises(ClientError) as no:
                await look_on()
            assert no.value.code == "too_fast"
            server.service.rates.work.of("127.0.0.1").spend(-1000)
            text = (await ann._send("GET", "/metrics", None)).decode()
            assert 'tercet_request_work_seconds_total{method="GET",path="/api/tables"}' in text
            assert 'tercet_budgets_spent_total{budget="work_per_minute"}' in text

    run(scenario())
