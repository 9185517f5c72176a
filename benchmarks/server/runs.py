"""Two hundred runs at once on one core: how long an answer takes.

`python -m benchmarks.server.runs [--people 200] [--seconds 20]` starts a server on one core and the people on another: half of them storm, half sprint,
each answers about once a second, which is faster than people do. Time is taken from when all are at it. Beside it stands how late a timer of
the people's own core woke them, and what part of both cores the machine's host kept for others: what no server can mend.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.server.cores import serving
from tercet import cards, find_sets, puzzles
from tercet.client import Client, Refusal
from tercet.puzzles.items import solutions
from tercet.server.protocol import RunCreated, Start

#: Of those who play, so many come in at the same time.
COMING = 20


async def play(
    url: str,
    number: int,
    seconds: float,
    gate: asyncio.Semaphore,
    all_here: asyncio.Barrier,
    took: list[float],
) -> None:
    """One person, with one run, until the time is up."""
    r = Random(number)
    async with Client(url, promises=None) as client:
        async with gate:
            await client.sign_in(f"Person {number}")
            wanted = {"kind": "storm" if number % 2 else "sprint"}
            created: RunCreated = await client.request("POST", "/api/runs", wanted, kind=RunCreated)
        async with client.join(created.code) as table:
            await table.manage(Start())
            await table.until(lambda: table.game is not None and table.state.phase == "play", 60)
            await all_here.wait()
            until = perf_counter() + seconds
            while perf_counter() < until and not table.is_over:
                await asyncio.sleep(r.uniform(0.5, 1.5))
                if number % 2:
                    runner = table.state.runners[0]
                    right = solutions(table.state.items[runner.number - 1])
                    command: puzzles.Answer | cards.Show = puzzles.Answer(0, runner.number, r.choice(right))
                else:
                    command = cards.Show(0, find_sets(table.state.table)[0])
                begun = perf_counter()
                try:
                    await table.play(command)
                except Refusal:
                    continue
                took.append(1000 * (perf_counter() - begun))


async def oversleep(late: list[float]) -> None:
    """How many milliseconds after its time a timer wakes."""
    while True:
        begun = perf_counter()
        await asyncio.sleep(0.01)
        late.append(1000 * (perf_counter() - begun) - 10)


async def measure(url: str, people: int, seconds: float) -> tuple[list[float], list[float]]:
    took: list[float] = []
    late: list[float] = []
    gate, all_here = asyncio.Semaphore(COMING), asyncio.Barrier(people + 1)
    playing = [
        asyncio.create_task(play(url, number, seconds, gate, all_here, took)) for number in range(people)
    ]
    await all_here.wait()
    sleeper = asyncio.create_task(oversleep(late))
    await asyncio.gather(*playing)
    sleeper.cancel()
    return took, late


def stolen() -> float:
    """The processor seconds that the host has kept from this machine so far; 0 where nobody tells."""
    stat = Path("/proc/stat")
    return int(stat.read_text().split()[8]) / os.sysconf("SC_CLK_TCK") if stat.exists() else 0.0


def parts(values: list[float]) -> str:
    values.sort()
    return ", ".join(
        f"p{round(100 * part)} {values[int(part * len(values))]:.1f} ms" for part in (0.5, 0.9, 0.99)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving("serve", str(Path(folder) / "t.db")) as port:
        if (os.cpu_count() or 1) > 1 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {1})
        before, begun = stolen(), perf_counter()
        took, late = asyncio.run(measure(f"http://127.0.0.1:{port}", given.people, given.seconds))
        kept = (stolen() - before) / (perf_counter() - begun)
    print(f"{len(took)} answers to {given.people} people: {parts(took)}")
    print(f"a timer was late: {parts(late)}; stolen by the host: {kept:.0%} of a core")


if __name__ == "__main__":
    main()
