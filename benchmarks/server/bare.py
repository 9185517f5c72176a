"""What the same uvicorn does with no game and no disk: whatever one of five sends goes to all five.

python -m benchmarks.server.bare PORT
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

import uvicorn

rooms: defaultdict[str, list[Any]] = defaultdict(list)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    room = rooms[scope["path"]]
    room.append(send)
    while (event := await receive())["type"] == "websocket.receive":
        message = {"type": "websocket.send", "text": event["text"]}
        for other in room:
            await other(message)
    room.remove(send)


if __name__ == "__main__":
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        lifespan="off",
        log_config=None,
    )
