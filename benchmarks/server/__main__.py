"""The table server against a bare one, on one core each for server and load; see `--help`.

Ratios within one run count: both servers live through the same load of the machine, turn by turn.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.server import moves
from benchmarks.server.cores import measure, serving
from benchmarks.server.turns import Ratio, loading, take_turns


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20, help="how often both servers are measured in turn")
    parser.add_argument("--seconds", type=float, default=1.5, help="of a turn")
    parser.add_argument("--rate", type=float, default=1000, help="claims a second for the answer times")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=3, help="at the tables of dice")
    parser.add_argument("--idle-tables", type=int, default=1000)
    parser.add_argument("--idle-sockets", type=int, default=5000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with (
            serving("bare") as bare_port,
            serving("serve", str(Path(folder) / "a.db")) as port,
            loading("load", "bare", bare_port, given.tables) as bare,
            loading("load", "claims", port, given.tables) as claims,
            serving("serve", str(Path(folder) / "d.db"), moves.write(given.players).seed) as dice_port,
            loading("moves", dice_port, given.tables, given.players) as laid,
        ):
            loads = {"bare": bare, "claims": claims, "moves": laid}
            take_turns(loads, given.turns, given.seconds, warm_up=given.seconds)
            print("bare echo to five     ", bare.total(), flush=True)
            print("claims, as many as go ", claims.total(), flush=True)
            print(f"dice moves, {given.players} players ", laid.total(), flush=True)
            ratio, of_moves = Ratio(claims, bare), Ratio(laid, bare)
        with (
            serving("serve", str(Path(folder) / "b.db")) as port,
            loading("load", "claims", port, given.tables, given.rate) as paced,
        ):
            paced.warm_up(given.seconds)
            for _ in range(3):
                paced.take_turn(5)
            print(f"claims, {given.rate:.0f} a second  ", paced.total(), flush=True)
        with serving("serve", str(Path(folder) / "c.db")) as port:
            idle = measure("idle", port, given.idle_tables, given.idle_sockets)
            print("idle                  ", idle, flush=True)
    print(f"claims to the bare server, which sends a claim's two messages to all five: {ratio}")
    print(f"dice moves to the bare server: {of_moves}")


if __name__ == "__main__":
    main()
