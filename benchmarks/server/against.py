"""This table server against that of another checkout, in turns: has anything got slower?

The other folder must have been set up (`make play` does it). Each server is loaded by its own checkout, so the protocol may
have changed; the dice of the two may fall differently then.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks.server.cores import measure, python_of, serving
from benchmarks.server.turns import Ratio, loading, take_turns


def _seed(players: int, folder: Path | None) -> str:
    """The seed of the game of dice that this checkout's load plays."""
    code = f"from benchmarks.server.moves import write; print(write({players}).seed)"
    return subprocess.run(
        [python_of(folder), "-c", code], check=True, stdout=subprocess.PIPE, text=True, cwd=folder
    ).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.against", description=__doc__)
    parser.add_argument("folder", type=Path, help="the other checkout")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.5, help="of a turn")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=3, help="at the tables of dice")
    parser.add_argument("--idle-tables", type=int, default=200)
    parser.add_argument("--idle-sockets", type=int, default=1000)
    given = parser.parse_args()
    checkouts = {"this": None, "other": given.folder.resolve()}
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        claims, laid = {}, {}
        for who, folder in checkouts.items():
            port = stack.enter_context(serving("serve", str(data / f"{who}-c.db"), folder=folder))
            claims[who] = stack.enter_context(loading("load", "claims", port, given.tables, folder=folder))
            seed = _seed(given.players, folder)
            port = stack.enter_context(serving("serve", str(data / f"{who}-d.db"), seed, folder=folder))
            laid[who] = stack.enter_context(
                loading("moves", port, given.tables, given.players, folder=folder)
            )
        for what, loads in (("claims", claims), ("dice moves", laid)):
            take_turns(loads, given.turns, given.seconds, warm_up=given.seconds)
            for who, load in loads.items():
                print(f"{what}, {who}: {load.total()}", flush=True)
            print(f"{what}, this to other: {Ratio(loads['this'], loads['other'])}", flush=True)
    for who, folder in checkouts.items():
        with tempfile.TemporaryDirectory() as data_folder:
            database = str(Path(data_folder) / "idle.db")
            with serving("serve", database, folder=folder) as port:
                idle = measure("idle", port, given.idle_tables, given.idle_sockets, folder=folder)
            print(f"idle, {who}: {idle}", flush=True)
    starts: dict[str, list[float]] = {who: [] for who in checkouts}
    for number in range(8):
        for who, folder in checkouts.items():
            with tempfile.TemporaryDirectory() as data_folder:
                begun = time.perf_counter()
                with serving("serve", str(Path(data_folder) / f"{number}.db"), folder=folder):
                    starts[who].append(time.perf_counter() - begun)
    for who, took in starts.items():
        print(f"start-up, {who}: {median(took):.2f} s (median of {len(took)})")


if __name__ == "__main__":
    main()
