"""python -m benchmarks.growth.rebuild PLACE [again]: makes all rows again, and says what it cost; again and again."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from tercet.server.projections.rebuild import rebuild
from tercet.server.store import open_store


async def main(place: str) -> None:
    store = await open_store(place)
    begun, cpu = time.perf_counter(), time.process_time()
    done = await rebuild(store)
    found = {
        "tables": done.tables,
        "games": done.games,
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "megabytes": _most_megabytes(),
    }
    await store.close()
    print(json.dumps(found))


def _most_megabytes() -> float:
    """What this process has needed at most. (What `resource` says may be the need of whoever started it.)"""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) / 1024


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
    while len(sys.argv) > 2:
        asyncio.run(main(sys.argv[1]))
