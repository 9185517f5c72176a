"""The table server against a bare one, on one core each for server and load; see `--help`.

Ratios within one run count: both servers live through the same load of the machine.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.server.cores import measure, serving


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rate", type=float, default=1000, help="claims a second for the answer times")
    parser.add_argument("--idle-tables", type=int, default=1000)
    parser.add_argument("--idle-sockets", type=int, default=5000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with serving("bare") as port:
            bare = measure("load", "bare", port, given.tables, given.seconds)
            print("bare echo to five     ", bare, flush=True)
        with serving("serve", str(Path(folder) / "a.db")) as port:
            claims = measure("load", "claims", port, given.tables, given.seconds)
            print("claims, as many as go ", claims, flush=True)
        with serving("serve", str(Path(folder) / "b.db")) as port:
            paced = measure("load", "claims", port, given.tables, given.seconds, given.rate)
            print(f"claims, {given.rate:.0f} a second  ", paced, flush=True)
        with serving("serve", str(Path(folder) / "c.db")) as port:
            idle = measure("idle", port, given.idle_tables, given.idle_sockets)
            print("idle                  ", idle, flush=True)
    for what, key in (("claims a second", "per_second"), ("processor time a claim", "server_cpu_us")):
        ratio = claims[key] / bare[key] if key == "per_second" else bare[key] / claims[key]
        print(
            f"{what}: {ratio:.2f} of the bare echo; {2 * ratio:.2f} by messages (a claim is a call and a show)"
        )


if __name__ == "__main__":
    main()
