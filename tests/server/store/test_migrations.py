"""What was there before sessions had a table: tokens are still good, and old backups can be read."""

from __future__ import annotations

import gzip
import hashlib
from base64 import b64encode
from pathlib import Path

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

import tercet.server.store.store
from tercet.server.backup import restore
from tercet.server.people.people import People
from tercet.server.protocol import SCOPES
from tercet.server.store import open_store
from tests.server.serving import run

SECRET = "tercet_secret"
DIGEST = hashlib.sha256(SECRET.encode()).digest()


def test_tokens_outlive_the_migration_to_sessions(database: str) -> None:
    async def scenario() -> None:
        is_file = not database.startswith("postgres")
        address = (
            f"sqlite+aiosqlite:///{database}"
            if is_file
            else make_url(database).set(drivername="postgresql+asyncpg")
        )
        engine = create_async_engine(address)

        def upgrade(connection: Connection) -> None:
            config = Config()
            folder = Path(tercet.server.store.store.__file__).parent / "migrations"
            config.set_main_option("script_location", str(folder))
            config.attributes["connection"] = connection
            command.upgrade(config, "0002")

        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
            await connection.execute(
                text("INSERT INTO people (id, name, sessions, created_time) VALUES ('ann', 'Ann', 3, 1)")
            )
            await connection.execute(
                text("INSERT INTO tokens VALUES ('token', 'ann', 'robot', :digest, 1, NULL)"),
                {"digest": DIGEST},
            )
        await engine.dispose()
        store = await open_store(database)
        people = await People.open(store)
        robot = await people.by_token(SECRET)
        assert robot is not None
        assert (robot.id, robot.name, robot.by_token) == ("ann", "Ann", True)
        assert (robot.scopes, robot.program) == (SCOPES, False)  # nothing is taken from a token of before
        assert [token.label for token in await people.tokens(robot)] == ["robot"]
        await store.close()

    run(scenario())


def test_a_backup_from_before_is_restored(tmp_path: Path) -> None:
    async def scenario() -> None:
        people = {"id": "ann", "name": "Ann", "sessions": 3, "created_time": 1}
        token = {
            "id": "token",
            "person": "ann",
            "label": "robot",
            "digest": {"bytes": b64encode(DIGEST).decode()},
            "created_time": 1,
            "used_time": None,
        }
        lines = [{"tercet_backup": 1}, ["people", people], ["tokens", token]]
        file = tmp_path / "old.backup.gz"
        with gzip.open(file, "wb") as written:
            written.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
        store = await open_store(str(tmp_path / "t.db"))
        assert await restore(store, file) == 2
        found = await (await People.open(store)).by_token(SECRET)
        assert found is not None
        assert found.id == "ann"
        await store.close()

    run(scenario())
