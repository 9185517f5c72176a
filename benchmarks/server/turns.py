"""Servers measured in turn, a second or two each, so that a noisy machine is as noisy for the one as for the other.

Every server has a load of its own: a process that keeps its tables, and plays when it is told for how many seconds.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.server.cores import cpu_seconds, pinned, python_of

#: Seconds after a turn in which a server may finish what it does later; they count as its processor time.
REST = 0.25


class Table(ABC):
    """Plays one thing after the other while it is its turn."""

    def __init__(self) -> None:
        self.done = 0
        self.latencies: list[float] = []
        self.is_resting = True
        self._is_on = False

    def play(self) -> None:
        """Go on, until told to `rest`."""
        self._is_on, self.is_resting = True, False
        self.go()

    def rest(self) -> None:
        """Finish what is begun, and begin nothing more."""
        self._is_on = False

    def has_done(self) -> None:
        """One thing is finished."""
        self.done += 1
        if self._is_on:
            self.go()
        else:
            self.is_resting = True

    @abstractmethod
    def go(self) -> None:
        """Begin the next thing."""


async def play_when_told(tables: Sequence[Table], server: Path | None) -> None:
    """Read from standard input how many seconds to play, write what came of it, and so on to the end of the input."""
    loop = asyncio.get_running_loop()
    failed: asyncio.Future[None] = loop.create_future()

    def fail(_loop: asyncio.AbstractEventLoop, said: dict[str, Any]) -> None:
        """What a table finds wrong comes up in the middle of reading from a socket."""
        if not failed.done():
            failed.set_exception(said.get("exception") or OSError(said["message"]))

    async def wait(seconds: float) -> None:
        await asyncio.wait((failed,), timeout=seconds)
        if failed.done():
            raise SystemExit(f"the load has failed: {failed.exception()!r}")

    loop.set_exception_handler(fail)
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        before = sum(table.done for table in tables)
        begun, cpu, server_cpu = time.perf_counter(), time.process_time(), cpu_seconds(server)
        for table in tables:
            table.latencies.clear()
            table.play()
        await wait(float(line))
        for table in tables:
            table.rest()
        while not all(table.is_resting for table in tables):
            await wait(0.001)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        await wait(REST)
        latencies = sorted(latency for table in tables for latency in table.latencies)
        turn = {
            "done": sum(table.done for table in tables) - before,
            "seconds": took,
            "server_cpu": cpu_seconds(server) - server_cpu,
            "load_cpu": cpu,
            "p50_ms": 1000 * latencies[len(latencies) // 2],
            "p99_ms": 1000 * latencies[int(len(latencies) * 0.99)],
        }
        print(json.dumps(turn), flush=True)


class Load:
    """The load of one server, and what its turns have come to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._turns: list[dict[str, float]] = []
        self._read()

    def warm_up(self, seconds: float) -> None:
        """A turn that does not count."""
        self._play(seconds)

    def take_turn(self, seconds: float) -> None:
        self._turns.append(self._play(seconds))

    @property
    def speeds(self) -> list[float]:
        """How much was done in a second of each turn."""
        return [turn["done"] / turn["seconds"] for turn in self._turns]

    def total(self) -> dict[str, float]:
        done, seconds, server_cpu, load_cpu = (
            sum(turn[what] for turn in self._turns) for what in ("done", "seconds", "server_cpu", "load_cpu")
        )
        return {
            "per_second": round(done / seconds, 1),
            "server_cpu_us": round(1e6 * server_cpu / done, 1),
            "server_cpu": round(server_cpu / seconds, 2),
            "load_cpu": round(load_cpu / seconds, 2),
            "p50_ms": round(median(turn["p50_ms"] for turn in self._turns), 2),
            "p99_ms": round(median(turn["p99_ms"] for turn in self._turns), 2),
        }

    def _play(self, seconds: float) -> dict[str, float]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        turn: dict[str, float] = json.loads(self._read())
        return turn

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the load has ended; above it says why")
        return line


@contextmanager
def loading(module: str, *arguments: object, folder: Path | None = None) -> Iterator[Load]:
    """A load of this folder, or of another checkout, on core 1, its tables ready to play."""
    command = [*pinned(1), python_of(folder), "-m", f"benchmarks.server.{module}", *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder
    ) as process:
        try:
            yield Load(process)
        finally:
            process.terminate()


def take_turns(loads: Mapping[str, Load], turns: int, seconds: float, warm_up: float) -> None:
    """Let each play so often, one after the other."""
    for load in loads.values():
        load.warm_up(warm_up)
    for turn in range(turns):
        for load in loads.values():
            load.take_turn(seconds)
        speeds = ", ".join(f"{who} {load.speeds[-1]:,.0f}" for who, load in loads.items())
        print(f"turn {turn + 1:2}, a second: {speeds}", flush=True)


class Ratio:
    """How much more one load does than another, over all turns."""

    def __init__(self, ours: Load, theirs: Load) -> None:
        mine, other = ours.total(), theirs.total()
        self.speed = round(mine["per_second"] / other["per_second"], 2)
        self.cpu = round(other["server_cpu_us"] / mine["server_cpu_us"], 2)
        self.turns = [round(a / b, 2) for a, b in zip(ours.speeds, theirs.speeds, strict=True)]

    def __str__(self) -> str:
        low, middle, high = quantiles(self.turns, n=4) if len(self.turns) > 1 else self.turns * 3
        return (
            f"{self.speed:.2f} a second, {self.cpu:.2f} for the same processor time"
            f" (by turns {middle:.2f}, half of them from {low:.2f} to {high:.2f})"
        )
