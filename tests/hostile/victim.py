"""People who play on while somebody attacks: claims at a steady rate, and how long each took to be answered.

They sit in a process of their own, so that what is measured is the server and not the attacker beside them.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from statistics import quantiles
from typing import NamedTuple, Self

from tercet import cards
from tercet.client import Client, Ready, Refusal, RemoteTable
from tercet.server.protocol import Sit
from tercet.sets import find_sets

#: Seconds between two claims: well within what a person may send.
PACE = 0.03
OPTIONS = {"rounds": 100, "auto_deal": True, "claim": "instant"}


class Times(NamedTuple):
    """Milliseconds that answers took."""

    claims: int
    median: float
    p99: float
    worst: float

    @classmethod
    def of(cls, took: list[float]) -> Self:
        if len(took) < 2:
            return cls(len(took), *(took * 3 or [float("inf")] * 3))
        cuts = quantiles(took, n=100, method="inclusive")
        return cls(len(took), cuts[49], cuts[98], max(took))


class Victim:
    """A table in a process of its own."""

    def __init__(self, *urls: str) -> None:
        arguments = [sys.executable, "-m", "tests.hostile.victim", *urls]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._said()

    def _said(self) -> list[float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the victim is gone"
        return [float(took) for took in json.loads(line)]

    def times(self) -> Times:
        """How long answers have taken since this was last asked for; a claim that still waits counts as well."""
        assert self._process.stdin is not None
        print(file=self._process.stdin, flush=True)
        return Times.of(self._said())

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()


class _Player:
    def __init__(self) -> None:
        self.took: list[float] = []
        self.began: float | None = None

    async def play(self, tables: list[RemoteTable]) -> None:
        count = 0
        while True:
            await asyncio.sleep(PACE)
            count += 1
            table = tables[count % len(tables)]
            if table.is_over:
                for one in tables:
                    await one.manage(Ready())
                await table.until(lambda: not table.is_over)  # noqa: B023
            assert table.seat is not None
            found = find_sets(table.state.table)
            self.began = time.perf_counter()
            try:
                await table.play(cards.Show(table.seat, found[0]) if found else cards.SeeNone(table.seat))
            except Refusal as refusal:
                if refusal.code in ("failed", "store_unavailable", "too_fast"):
                    raise
            self.took.append((time.perf_counter() - self.began) * 1000)
            self.began = None

    def taken(self) -> list[float]:
        took, self.took = self.took, []
        if self.began is not None and (time.perf_counter() - self.began) > 0.1:
            took.append((time.perf_counter() - self.began) * 1000)
        return took


async def _main(urls: list[str]) -> None:
    clients = [Client(urls[number % len(urls)]) for number in range(2)]
    for client, name in zip(clients, ("Vic", "Tim"), strict=True):
        await client.sign_in(name)
    code = await clients[0].create_table("set", people=2, options=OPTIONS)
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(client.join(code)) for client in clients]
        await tables[1].manage(Sit())
        for table in tables:
            await table.manage(Ready())
        for table in tables:
            await table.until(lambda table=table: table.game is not None and table.seq > 0)  # type: ignore[misc]
        player = _Player()
        playing = asyncio.create_task(player.play(tables))
        loop = asyncio.get_running_loop()
        print("[]", flush=True)
        while await loop.run_in_executor(None, sys.stdin.readline):
            if playing.done():
                playing.result()
            print(json.dumps(player.taken()), flush=True)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))
