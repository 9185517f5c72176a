"""Many idle sockets at many running tables: what they cost, and whether the server still answers.

python -m benchmarks.server.idle PORT TABLES SOCKETS
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from benchmarks.server.load import find_set, server_process
from benchmarks.server.wire import Wire
from tercet import cards
from tercet.client import Client
from tercet.server.protocol import Ready
from tercet.sets import Card


def resident_kb(process: Path) -> int:
    line = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


async def main() -> None:
    port, tables, sockets = (int(text) for text in sys.argv[1:4])
    process = server_process(port)
    assert process is not None
    client = Client(f"http://127.0.0.1:{port}")
    await client.sign_in("Ann")
    cookie = client.headers()["Cookie"]
    paths = []
    for _ in range(tables):
        code = await client.create_table("set", options={"rounds": 100, "auto_deal": True})
        paths.append(f"/api/tables/{code}/socket")
        wire = await Wire.connect(port, paths[-1], cookie)
        started = asyncio.Event()
        wire.on_text = lambda text, started=started: (  # type: ignore[misc]
            started.set() if text.startswith(b'{"type":"game_started"') else None
        )
        wire.send(b'{"type":"manage","id":"ready","command":{"do":"ready"}}')
        async with asyncio.timeout(30):
            await started.wait()
        wire.close()
    await asyncio.sleep(1)
    before = resident_kb(process)
    wires = [await Wire.connect(port, paths[number % tables], cookie) for number in range(sockets)]
    await asyncio.sleep(2)
    after = resident_kb(process)
    latencies = []
    code = await client.create_table("set", options={"rounds": 100, "auto_deal": True})
    async with client.join(code) as table:
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        for _ in range(26):
            begun = time.perf_counter()
            await table.play(cards.Call(0))
            latencies.append(time.perf_counter() - begun)
            shown = find_set(table.state.table)
            begun = time.perf_counter()
            await table.play(cards.Show(0, tuple(map(Card, shown))))
            latencies.append(time.perf_counter() - begun)
            if table.state.phase != "play":
                break
    latencies.sort()
    result = {
        "tables": tables,
        "sockets": sum(not wire.closed for wire in wires),
        "kb_per_socket": round((after - before) / sockets, 1),
        "server_mb": round(after / 1024),
        "p50_ms": round(1000 * latencies[len(latencies) // 2], 2),
        "max_ms": round(1000 * latencies[-1], 2),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main())
