"""What a database says no to: that it is away is everybody's trouble, everything else that of whoever asked."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from tercet import cards
from tercet.client import Client, ClientError, Refusal
from tercet.server.store import (
    Conflict,
    Line,
    Outcome,
    Rejected,
    Store,
    Unavailable,
    open_store,
    postgres,
    sqlite,
)
from tests.server.conftest import new_database
from tests.server.serving import run, seated, serving

BAD = {"sqlite": "\ud800", "postgres": "\0"}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_append_that_cannot_be_written_fails_alone(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With 40 others in its group, at once; and the log goes on."""
    place = str(tmp_path / "t.db")
    if kind == "postgres":
        place = new_database(request.getfixturevalue("postgres"), f"away_{tmp_path.name}")

    async def scenario() -> None:
        store = await open_store(place)
        try:
            began = time.monotonic()
            outcomes = await append_all(store, 40, bad=(17, 23), text=BAD[kind])
            assert time.monotonic() - began < 5
            assert [number for number, one in enumerate(outcomes) if isinstance(one, Rejected)] == [17, 23]
            assert all(one is None for number, one in enumerate(outcomes) if number not in (17, 23))
            with pytest.raises(Conflict):
                await store.append("stream 3", 0, [Line(1, 1, "{}")])
            await store.append("stream 17", 0, [Line(1, 1, "{}")])
            assert [len(await store.read(f"stream {number}")) for number in (3, 17, 23)] == [1, 1, 0]
        finally:
            await store.close()

    run(scenario())


async def append_all(store: Store, count: int, bad: tuple[int, ...], text: str) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}
    done = asyncio.Event()

    def answer(number: int, outcome: Outcome) -> None:
        outcomes[number] = outcome
        if len(outcomes) == count:
            done.set()

    for number in range(count):
        line = Line(1, 1, "{}", f"cause{text}" if number in bad else "cause")
        store.submit(f"stream {number}", 0, [line], partial(answer, number))
    await asyncio.wait_for(done.wait(), 20)
    return [outcomes[number] for number in range(count)]


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (asyncpg.ConnectionDoesNotExistError(), True),
        (asyncpg.CannotConnectNowError(), True),
        (asyncpg.AdminShutdownError(), True),
        (asyncpg.CrashShutdownError(), True),
        (asyncpg.TooManyConnectionsError(), True),
        (asyncpg.DiskFullError(), True),
        (asyncpg.InterfaceError("connection is closed"), True),
        (ConnectionRefusedError(), True),
        (TimeoutError(), True),
        (asyncpg.CharacterNotInRepertoireError(), False),
        (asyncpg.StringDataRightTruncationError(), False),
        (asyncpg.UniqueViolationError(), False),
        (asyncpg.UndefinedTableError(), False),
        (asyncpg.DataError("invalid input for query argument"), False),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates"), False),
        (ZeroDivisionError(), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_what_means_that_postgres_is_away(error: Exception, away: bool) -> None:
    assert postgres.is_away(error) is away


def test_what_means_that_sqlite_is_away() -> None:
    def error(code: int) -> sqlite3.Error:
        made = sqlite3.OperationalError()
        made.sqlite_errorcode = code
        return made

    away = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR | 3 << 8, sqlite3.SQLITE_CANTOPEN)
    assert all(sqlite.is_away(error(code)) for code in away)
    others = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH)
    assert not any(sqlite.is_away(error(code)) for code in others)


class Doorway:
    """Stands before a PostgreSQL and lets everything through; or says that it starts up; or nothing at all."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
        self._name = parts.path
        self.mode = "up"
        self._writers: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}{self._name}"
        finally:
            self.become("starting")
            server.close()

    def become(self, mode: str) -> None:
        """``starting`` ends all connections, as a restart does; ``hanging`` keeps them."""
        self.mode = mode
        if mode == "starting":
            for writer in self._writers:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if self.mode == "starting":
                await self._refuse(reader, writer)
                return
            there, back = await asyncio.open_unix_connection(self._socket)
            try:
                await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
            finally:
                back.transport.abort()
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            while self.mode == "hanging":
                await asyncio.sleep(0.05)
            writer.write(data)
        writer.transport.abort()

    @staticmethod
    async def _refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(65536)
        if first[4:8] == (80877103).to_bytes(4, "big"):  # it asks for TLS
            writer.write(b"N")
            await reader.read(65536)
        fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
        writer.write(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)
        await writer.drain()


def _status(error: BaseException | Any) -> str:
    return error.code if isinstance(error, ClientError | Refusal) else str(error)


@pytest.mark.parametrize("mode", ["starting", pytest.param("hanging", marks=pytest.mark.slow)])
def test_while_postgres_starts_up_or_hangs_all_is_refused_in_time(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Commands of the game and about the table, and requests: never without an answer, and never 500."""
    monkeypatch.setattr("tercet.server.store.postgres.PATIENCE_SECONDS", 2.0)
    monkeypatch.setattr("tercet.server.store.postgres.TRY_SECONDS", 1.0)
    database = new_database(postgres, f"door_{tmp_path.name}")
    doorway = Doorway(database)

    async def scenario() -> None:
        async with (
            doorway.open() as address,
            serving(address) as server,
            seated(server, "set", ["Ann", "Bo"], options={"auto_deal": True}) as [ann, bo],
        ):
            doorway.become(mode)
            began = time.monotonic()
            asked = await asyncio.gather(
                ann.play(cards.Call(0)),
                bo._ask({"type": "manage", "command": {"do": "hand_over", "person": ann.you.id}}),
                ann._ask({"type": "manage", "command": {"do": "change", "public": True}}),
                Client(server.url).sign_in("Cy"),
                Client(server.url).lobby(),
                ann._client.my_games(),
                return_exceptions=True,
            )
            assert time.monotonic() - began < 12
            codes = [_status(one) for one in asked]
            assert codes == ["store_unavailable", "not_the_host", *["store_unavailable"] * 4], codes
            with pytest.raises(Refusal, match="store_unavailable"):
                await ann.play(cards.Call(0))
            doorway.become("up")
            for _ in range(40):
                try:
                    await bo.play(cards.Call(1))
                    break
                except Refusal:
                    await asyncio.sleep(0.25)
            await ann.until(lambda: ann.state.call is not None)

    run(scenario(), seconds=90)


def test_a_mistake_of_ours_is_no_outage(database: str) -> None:
    """A query that is wrong says so; it does not count as a database that is away."""

    async def scenario() -> None:
        store = await open_store(database)
        try:
            with pytest.raises(Exception, match="nonsense") as caught:
                async with store.reading() as connection:
                    await connection.exec_driver_sql("SELECT nonsense FROM log")
            assert not isinstance(caught.value, Unavailable)
        finally:
            await store.close()

    run(scenario())
