"""python -m benchmarks.growth.rebuild PLACE: makes all rows again, and says what it cost."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time

from tercet.server.projections.rebuild import rebuild
from tercet.server.store import open_store


async def main(place: str) -> None:
    store = await open_store(place)
    begun, cpu = time.perf_counter(), time.process_time()
    tables, games = await rebuild(store)
    found = {
        "tables": tables,
        "games": games,
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    await store.close()
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
