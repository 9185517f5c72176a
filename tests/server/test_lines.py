"""The client's lines: how long a message may be, and what happens when one line after the other ends at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tercet.client import Client, ClientError, SyncClient, lines
from tercet.sets import KindError
from tests.server.serving import run


@asynccontextmanager
async def answering(answer: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that does only this with every line; its address."""
    async with serve(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def test_a_first_message_may_be_as_long_as_a_long_game() -> None:
    async def scenario() -> None:
        async def tell(line: ServerConnection) -> None:
            await line.send("x" * 3_000_000)

        async with answering(tell) as url, lines.open_line(Client(url), "/") as line:
            assert len(await line.recv()) == 3_000_000

    run(scenario())


def test_lines_that_end_at_once_come_less_and_less_often_and_then_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def watch(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    async def end(line: ServerConnection) -> None:
        await line.close(1011, "broken")

    def join(url: str) -> None:
        with SyncClient(url) as client, client.join("BBBBBB"):
            pass

    async def scenario() -> None:
        async with answering(end) as url:
            for work, where in (
                (asyncio.to_thread(join, url), "table BBBBBB"),
                (anext(Client(url).events()), "cannot listen"),
            ):
                waits.clear()
                with pytest.raises(ClientError) as raised:
                    await work
                assert str(raised.value).startswith(
                    f"{where}: 8 times the line ended before a message came, at last with code 1011 broken;"
                )
                assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]

    monkeypatch.setattr(lines, "random", lambda: 0.5)
    monkeypatch.setattr(lines, "sleep", watch)
    run(scenario())


def test_a_server_that_will_be_back_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines_opened = 0

    async def end(line: ServerConnection) -> None:
        nonlocal lines_opened
        lines_opened += 1
        await (line.close(1012, "restart") if lines_opened < 20 else line.close(4404, "no_such_table"))

    async def scenario() -> None:
        async with answering(end) as url:
            with pytest.raises(ClientError, match="no_such_table"):
                async with Client(url).join("BBBBBB"):
                    pass

    monkeypatch.setattr(lines, "LONGEST_WAIT", 0.01)
    run(scenario())
    assert lines_opened == 20


def test_a_line_that_is_turned_away_says_so_at_once() -> None:
    async def scenario(status: HTTPStatus) -> None:
        server = await serve(_never, "127.0.0.1", 0, process_request=lambda line, _: line.respond(status, ""))
        async with server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            for work in (Client(url).join("BBBBBB").__aenter__(), anext(Client(url).events())):
                with pytest.raises(ClientError, match="the line was turned away with status 403") as raised:
                    await work
                assert (raised.value.code, raised.value.status) == ("http", 403)

    run(scenario(HTTPStatus.FORBIDDEN))


def test_where_nobody_is_and_never_was_nobody_is_waited_for() -> None:
    async def scenario() -> None:
        async with answering(_never) as url:
            pass
        for work in (Client(url).join("BBBBBB").__aenter__(), anext(Client(url).events())):
            with pytest.raises(ClientError, match="cannot reach the server") as raised:
                await work
            assert raised.value.code == "unreachable"

    run(scenario())


async def _never(_line: ServerConnection) -> None:
    raise AssertionError("no line is opened here")


@pytest.mark.parametrize("code", ["", " ", "--", "a/b", "é", 5])
def test_what_cannot_be_the_code_of_a_table_is_none(code: Any) -> None:
    with pytest.raises((ClientError, KindError), match=r"no_such_table|give the code of a table"):
        Client("http://localhost").join(code)
