"""All that is kept about somebody, however much it is: in pieces, at a pace that others do not notice."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from tercet.client import Client, ClientError
from tercet.server.projections.queries import games_of
from tercet.server.web.api import export, sending
from tests.server.history import give_history
from tests.server.serving import Serving, run, serving


async def with_history(server: Serving, database: str, count: int) -> tuple[Client, list[str]]:
    """Somebody who has played so many games; their ids, the latest first."""
    ann = await server.client("Ann")
    me = (await ann.request("GET", "/api/session"))["id"]
    return ann, await give_history(database, [me], count)


def test_an_export_has_every_game_once(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann, ids = await with_history(server, database, 1234)
            exported = await ann.request("GET", "/api/me/export")
            assert [game["id"] for game in exported["games"]] == ids
            page = await ann.request("GET", "/api/me/games?limit=200")
            assert exported["games"][:200] == page
            assert set(exported) == {
                "me",
                "created_time",
                "tokens",
                "games",
                "statistics",
                "reviews",
                "challenges",
                "runs",
            }

    run(scenario())


async def ask(server: Serving, ann: Client) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line on which an export comes that is hardly read."""
    token = (await ann.new_token("export")).secret
    here = socket.socket()
    here.setblocking(False)
    here.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await asyncio.get_running_loop().sock_connect(here, ("127.0.0.1", int(server.url.rpartition(":")[2])))
    reader, writer = await asyncio.open_connection(sock=here, limit=4096)
    writer.write(
        f"GET /api/me/export HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def pages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The pages that are asked of the store from now on."""
    found: list[Any] = []

    async def count(*args: Any, **kwargs: Any) -> Any:
        found.append(kwargs)
        return await games_of(*args, **kwargs)

    monkeypatch.setattr(export, "games_of", count)
    return found


def test_who_reads_slowly_has_only_so_much_made_and_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = pages(monkeypatch)

    async def scenario() -> None:
        database = str(tmp_path / "t.db")
        async with serving(database, limits={"records_at_once": 1}) as server:
            ann, _ = await with_history(server, database, 20_000)
            _, writer = await ask(server, ann)
            made = -1
            while made != len(asked):  # until no more is made, or the machine is busy elsewhere
                made = len(asked)
                await asyncio.sleep(0.5)
            assert 0 < made < 400  # so many there are; some wait in the system's buffers
            with pytest.raises(ClientError, match="still being sent"):
                await ann.request("GET", "/api/me/export")
            # Others are not behind it in the line.
            bo = await server.client("Bo")
            assert (await bo.request("GET", "/api/me/export"))["games"] == []
            # Gone, it makes nothing more, and the next may come.
            writer.transport.abort()
            while server.service.rates.exporting:
                await asyncio.sleep(0.05)
            assert len(asked) < 400

    run(scenario())


def test_a_revoked_token_gets_no_more_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = pages(monkeypatch)

    async def scenario() -> None:
        database = str(tmp_path / "t.db")
        async with serving(database) as server:
            ann, _ = await with_history(server, database, 20_000)
            reader, writer = await ask(server, ann)
            (token,) = await ann.request("GET", "/api/tokens")
            await ann.request("DELETE", f"/api/tokens/{token['id']}")
            made = len(asked)
            rest = await reader.read()
            writer.close()
            assert not rest.endswith(b"0\r\n\r\n")  # cut off
            assert len(asked) <= made + 2

    run(scenario())


def test_an_export_waits_until_its_address_may_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "PAUSE", 0.01)

    async def scenario() -> None:
        database = str(tmp_path / "t.db")
        async with serving(database, limits={"work_per_minute": 60}) as server:
            ann, ids = await with_history(server, database, 1100)

            async def costly(*args: Any, **kwargs: Any) -> Any:
                server.service.rates.work.of("127.0.0.1").spend(3100)
                return await games_of(*args, **kwargs)

            monkeypatch.setattr(export, "games_of", costly)
            loop = asyncio.get_running_loop()
            begun = loop.time()
            exported = await ann.request("GET", "/api/me/export")
            assert [game["id"] for game in exported["games"]] == ids
            assert loop.time() - begun > 1  # 21 pages cost 65 seconds, and one comes back in a second

    run(scenario())
