"""A real server on a real port, for tests."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import uvicorn

from tercet.client import Client, RemoteTable
from tercet.server.protocol import Ready, Sit
from tercet.server.run import configure
from tercet.server.service import Service
from tercet.server.settings import load
from tercet.server.store import open_store
from tercet.server.web.app import App

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T], seconds: float = 300) -> T:
    """Run a test that waits for things; also on a busy machine they have come by then."""
    return asyncio.run(asyncio.wait_for(work, seconds))


class Serving:
    """A server in this very loop."""

    def __init__(self, app: App, url: str) -> None:
        self.url = url
        self.app = app

    @property
    def service(self) -> Service:
        assert self.app.service is not None
        return self.app.service

    async def client(self, name: str) -> Client:
        """Somebody who has come in as a guest."""
        client = Client(self.url)
        await client.sign_in(name)
        return client


_NEW_DATABASE: list[bytes] = []


async def _lay_database(file: Path) -> None:
    """Put a new database there, unless there is one: it is made once, and not by every migration for each server."""
    if not _NEW_DATABASE:
        with TemporaryDirectory() as folder:
            made = Path(folder) / "tercet.db"
            await (await open_store(str(made))).close()
            _NEW_DATABASE.append(made.read_bytes())
    if file.suffix == ".db" and not file.exists():
        file.write_bytes(_NEW_DATABASE[0])


@asynccontextmanager
async def serving(database: Path | str, **settings: Any) -> AsyncIterator[Serving]:
    """A server on a free port."""
    await _lay_database(Path(database))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    chosen = load(environment={}, database=str(database), workers=1, **settings)
    app = App(chosen)
    config = configure(app, chosen)
    config.timeout_graceful_shutdown = 2
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        assert not task.done(), "the server did not start"
        await asyncio.sleep(0.01)
    try:
        yield Serving(app, f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server.should_exit = True
        await task
        listening.close()


@asynccontextmanager
async def seated(
    server: Serving | Sequence[str], game: str, names: Sequence[str], **settings: Any
) -> AsyncIterator[list[RemoteTable]]:
    """People at a new table, each by a connection of their own; the game has begun. Of several servers, named by their addresses,
    each person goes to the next."""
    urls = [server.url] if isinstance(server, Serving) else server
    clients = [Client(urls[number % len(urls)]) for number in range(len(names))]
    for client, name in zip(clients, names, strict=True):
        await client.sign_in(name)
    code = await clients[0].create_table(game, people=len(names), **settings)
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(client.join(code)) for client in clients]
        for table in tables[1:]:
            await table.manage(Sit())
        for table in tables:
            await table.manage(Ready())
        for table in tables:
            await table.until(lambda table=table: table.game is not None and table.seq > 0)  # type: ignore[misc]
        yield tables
