"""The table server against a bare one, on one core each for server and load; see `--help`.

Ratios within one run count: both servers live through the same load of the machine.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.server.cores import measure, serving


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3, help="how often both servers are measured in turn")
    parser.add_argument("--rate", type=float, default=1000, help="claims a second for the answer times")
    parser.add_argument("--idle-tables", type=int, default=1000)
    parser.add_argument("--idle-sockets", type=int, default=5000)
    given = parser.parse_args()
    bare: list[dict[str, Any]] = []
    claims: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        with serving("bare") as bare_port, serving("serve", str(Path(folder) / "a.db")) as port:
            for _ in range(given.rounds):
                bare.append(measure("load", "bare", bare_port, given.tables, given.seconds))
                print("bare echo to five     ", bare[-1], flush=True)
                claims.append(measure("load", "claims", port, given.tables, given.seconds))
                print("claims, as many as go ", claims[-1], flush=True)
        with serving("serve", str(Path(folder) / "b.db")) as port:
            paced = measure("load", "claims", port, given.tables, given.seconds, given.rate)
            print(f"claims, {given.rate:.0f} a second  ", paced, flush=True)
        with serving("serve", str(Path(folder) / "c.db")) as port:
            idle = measure("idle", port, given.idle_tables, given.idle_sockets)
            print("idle                  ", idle, flush=True)
    pairs = list(zip(bare, claims, strict=True))
    ratios = {
        "claims a second": [ours["per_second"] / theirs["per_second"] for theirs, ours in pairs],
        "claims for the same processor time": [
            theirs["server_cpu_us"] / ours["server_cpu_us"] for theirs, ours in pairs
        ],
    }
    for what, found in ratios.items():
        print(
            f"{what}: {median(found):.2f} of the bare server, which sends a claim's two messages to all five"
        )


if __name__ == "__main__":
    main()
