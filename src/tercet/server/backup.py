"""Backups: all that cannot be rebuilt, as one compressed file that fits either database."""

from __future__ import annotations

import gzip
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Table, insert

from tercet.server.projections.rebuild import rebuild
from tercet.server.store import Store, Unavailable, schema
from tercet.sets import TercetError

VERSION = 2
_KEPT = (schema.log, schema.people, schema.sessions, schema.secrets, schema.clock, schema.days)
_AT_ONCE = 500


class BackupError(TercetError):
    """A file that is no backup, or a database that must not be overwritten."""


async def backup(store: Store, path: Path, *, force: bool = False) -> int:
    """Write a backup while the server runs; the number of rows. The file appears when it is complete, and takes the
    place of another only by ``force``."""
    check_place(path, force=force)
    # Another backup that is being written at the same time has a name of its own.
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        rows = await _write(store, unfinished)
        if force:
            unfinished.replace(path)
        else:
            _take_place(unfinished, path)
    except OSError as error:
        raise BackupError(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return rows


def check_place(path: Path, *, force: bool) -> None:
    """`BackupError` if a backup cannot be put there."""
    if path.is_dir():
        raise BackupError(f"{path} is a folder: say which file in it")
    if not force and path.exists():
        raise BackupError(
            f"there is a file {path} already: choose another name, or overwrite it with --force"
        )
    if not path.parent.is_dir():
        raise BackupError(f"there is no folder {path.parent}")


def _take_place(unfinished: Path, path: Path) -> None:
    """Give a file its name, unless something has got that name meanwhile."""
    try:
        path.hardlink_to(unfinished)
    except FileExistsError:
        check_place(path, force=False)
    except OSError:  # a disk without links
        check_place(path, force=False)
        unfinished.replace(path)


async def _write(store: Store, path: Path) -> int:
    rows = 0
    with gzip.open(path, "wb") as file:
        os.chmod(path, 0o600)  # it holds the seeds of running games and the key of the cookies
        file.write(msgspec.json.encode({"tercet_backup": VERSION}) + b"\n")
        async with aclosing(store.rows(_KEPT)) as found:
            async for kept, row in found:
                plain = {name: _to_plain(value) for name, value in row.items()}
                file.write(msgspec.json.encode([kept, plain]) + b"\n")
                rows += 1
    return rows


async def restore(store: Store, path: Path) -> int:
    """Fill an empty database from a backup, and make the projections again; the number of rows."""
    if not await store.is_empty():
        raise BackupError("this database is not empty; restore into a new one")
    count = 0
    async with store.writing(takes_long=True) as connection:
        for kept in _KEPT:
            await connection.execute(kept.delete())
        for kept, rows in _read(path):
            await connection.execute(insert(kept), rows)
            count += len(rows)
    try:
        await rebuild(store)
    except Unavailable:
        raise BackupError(
            "all is restored, but the database went away: run tercet rebuild when it is back"
        ) from None
    return count


def _read(path: Path) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """The rows of a backup, some at a time."""
    kept = {table.name: table for table in _KEPT}
    try:
        with gzip.open(path, "rb") as file:
            version = msgspec.json.decode(file.readline(), type=dict[str, int]).get("tercet_backup")
            if version not in (1, VERSION):
                raise BackupError(f"{path} is not a backup of this version")
            rows: list[dict[str, Any]] = []
            table: Table | None = None
            for line in file:
                name, plain = msgspec.json.decode(line, type=tuple[str, dict[str, Any]])
                if version == 1:
                    name, plain = _from_first(name, plain)
                if table is not None and (name != table.name or len(rows) >= _AT_ONCE):
                    yield table, rows
                    rows = []
                table = kept[name]
                rows.append({key: _from_plain(value) for key, value in plain.items()})
            if table is not None and rows:
                yield table, rows
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, KeyError, UnicodeDecodeError) as error:
        raise BackupError(f"{path} is not a backup: {error}") from None


def _from_first(name: str, plain: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A row of a backup from before there were sessions: tokens come along, cookies stood nowhere."""
    if name == "tokens":
        return "sessions", {**plain, "kind": "token"}
    return name, {key: value for key, value in plain.items() if (name, key) != ("people", "sessions")}


def _to_plain(value: Any) -> Any:
    return {"bytes": b64encode(value).decode()} if isinstance(value, bytes) else value


def _from_plain(value: Any) -> Any:
    return b64decode(value["bytes"]) if isinstance(value, dict) else value
