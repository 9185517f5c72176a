"""Many keys in one question and many rows in one go, in each database's own words: the general ones cost several times as
much when there are thousands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Table, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")


def batched(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """
    >>> list(batched("tables", 4))
    ['tabl', 'es']
    """
    for first in range(0, len(values), size):
        yield values[first : first + size]


def is_postgres(connection: AsyncConnection) -> bool:
    return connection.dialect.name == "postgresql"


async def ask(connection: AsyncConnection, query: str, keys: Collection[str], **given: Any) -> Sequence[Any]:
    """The rows of a query that says ``<keys>`` where it means a table of these, each as ``value``."""
    if is_postgres(connection):
        table, given["keys"] = "unnest(CAST(:keys AS text[])) AS many(value)", list(keys)
    else:
        table, given["keys"] = "json_each(:keys) AS many", msgspec.json.encode(list(keys)).decode()
    found = await connection.execute(text(query.replace("<keys>", table)), given)
    return found.all()


def insert_or(connection: AsyncConnection, where: Table) -> Any:
    """An insert that can say what to do when the row is there already (``on_conflict_…``)."""
    return postgresql.insert(where) if is_postgres(connection) else sqlite.insert(where)


async def insert_new(connection: AsyncConnection, where: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, each of which has all columns, and of which it is known that none is there yet."""
    if not rows:
        return
    names = [column.name for column in where.columns]
    values = list(map(itemgetter(*names), rows))
    if is_postgres(connection):
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        await driver.copy_records_to_table(where.name, records=values, columns=names)
    else:
        marks = ", ".join("?" * len(names))
        await connection.exec_driver_sql(
            f"INSERT INTO {where.name} ({', '.join(names)}) VALUES ({marks})", values
        )
