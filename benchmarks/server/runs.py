"""Two hundred runs at once on one core: how long an answer takes.

`python -m benchmarks.server.runs [--people 200] [--seconds 20]` starts a server on one core and the people on another: half of them storm, half sprint,
each answers about once a second, which is faster than people do.
"""

from __future__ import annotations

import argparse
import asyncio
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


async def play(url: str, number: int, until: float, gate: asyncio.Semaphore, took: list[float]) -> None:
    """One person, with one run after the other, until the time is up."""
    r = Random(number)
    async with Client(url, promises=None) as client:
        async with gate:
            await client.sign_in(f"Person {number}")
            wanted = {"kind": "storm" if number % 2 else "sprint"}
            created: RunCreated = await client.request("POST", "/api/runs", wanted, kind=RunCreated)
        async with client.join(created.code) as table:
            await table.manage(Start())
            await table.until(lambda: table.game is not None and table.state.phase == "play", 60)
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


async def measure(url: str, people: int, seconds: float) -> list[float]:
    took: list[float] = []
    gate = asyncio.Semaphore(COMING)
    until = perf_counter() + seconds
    await asyncio.gather(*(play(url, number, until, gate, took) for number in range(people)))
    return sorted(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving("serve", str(Path(folder) / "t.db")) as port:
        took = asyncio.run(measure(f"http://127.0.0.1:{port}", given.people, given.seconds))
    for part in (0.5, 0.9, 0.99):
        print(f"p{round(100 * part)} {took[int(part * len(took))]:.1f} ms")
    print(f"{len(took)} answers to {given.people} people")


if __name__ == "__main__":
    main()
