"""A line between browser and server that can be cut: a small TCP proxy."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit


class Line:
    """Forwards connections until it is cut; then drops them all and takes none until it is mended."""

    def __init__(self, home: str) -> None:
        self._port = urlsplit(home).port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._server = self._do(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.home = f"http://localhost:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        self._do(self._cut(True))

    def mend(self) -> None:
        self._do(self._cut(False))

    def close(self) -> None:
        self.cut()
        self._server.close()
        self._do(self._finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _cut(self, is_cut: bool) -> None:
        self._is_cut = is_cut
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        back, forth = await asyncio.open_connection("127.0.0.1", self._port)
        self._open |= {writer, forth}
        await asyncio.gather(self._pour(reader, forth), self._pour(back, writer))

    async def _pour(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        except OSError:
            pass
        finally:
            target.close()
            self._open.discard(target)
