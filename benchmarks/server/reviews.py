"""How long calls take at busy tables, with and without four reviews running beside them, in turns within one run.

The server has two cores, as on any machine; with ``--cores 1`` the reviews share its only one, which is the worst that can be.
They are stopped for every other turn.

python -m benchmarks.server.reviews [--turns 12] [--cores 1]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import tempfile
from pathlib import Path

from benchmarks.server.cores import cpu_seconds, serving
from benchmarks.server.load import server_process
from benchmarks.server.turns import loading
from tercet.client import Client
from tercet.server.protocol import Ready, ReviewState
from tests.server.test_play import play_cubed

REVIEWS = 4


async def begin_review(port: int, number: int, all_played: asyncio.Barrier) -> None:
    """Play a dice game against a bot, and have it reviewed when the others have played theirs; returns when that has begun."""
    client = Client(f"http://127.0.0.1:{port}", promises=None)
    await client.sign_in(f"Player {number}")
    code = await client.create_table("cubed", bots=["greedy"], quick_bots=True)
    async with client.join(code) as table:
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        await play_cubed(table)
        await table.until(lambda: table.table.last is not None)
        path = f"/api/games/{table.game}/review"
    await all_played.wait()
    state = await client.request("POST", path, {}, kind=ReviewState)
    while state.making is None or not state.making.done:
        await asyncio.sleep(0.2)
        state = await client.request("GET", path, kind=ReviewState)


def reviewers(port: int) -> list[int]:
    """The processes of the server that run only when nothing else does."""
    server = server_process(port)
    assert server is not None
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == int(server.name) and os.sched_getscheduler(int(process.name)) == os.SCHED_IDLE:
                found.append(int(process.name))
        except (OSError, ProcessLookupError):
            continue
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.reviews", description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, default=200, help="claims a second, at all tables together")
    parser.add_argument("--turns", type=int, default=12, help="of each kind")
    parser.add_argument("--seconds", type=float, default=2.5, help="of a turn")
    parser.add_argument("--cores", type=int, choices=(1, 2), default=2, help="of the server and its reviews")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving("serve", str(Path(folder) / "a.db"), cores=range(given.cores)) as port,
        loading("load", "claims", port, given.tables, given.rate) as alone,
        loading("load", "claims", port, given.tables, given.rate) as beside,
    ):
        for load in (alone, beside):
            load.warm_up(given.seconds)

        async def begin_all() -> None:
            all_played = asyncio.Barrier(REVIEWS)
            await asyncio.gather(*(begin_review(port, number, all_played) for number in range(REVIEWS)))

        asyncio.run(begin_all())
        found = reviewers(port)
        assert len(found) == REVIEWS, f"{len(found)} processes review"
        before = sum(cpu_seconds(Path(f"/proc/{pid}")) for pid in found)
        for _ in range(given.turns):
            for pid in found:
                os.kill(pid, signal.SIGSTOP)
            alone.take_turn(given.seconds)
            for pid in found:
                os.kill(pid, signal.SIGCONT)
            beside.take_turn(given.seconds)
        spent = sum(cpu_seconds(Path(f"/proc/{pid}")) for pid in found) - before
        print("without reviews     ", alone.total())
        print(f"beside {REVIEWS} reviews    ", beside.total())
        print(f"the reviews had {spent:.1f} s of processor in {given.turns * given.seconds:.0f} s")
        a, b = alone.total(), beside.total()
        print(
            f"beside reviews to without: p50 {b['p50_ms'] / a['p50_ms']:.2f}, p99 {b['p99_ms'] / a['p99_ms']:.2f}"
        )


if __name__ == "__main__":
    main()
