"""The tables of the database. Only ``log``, ``people``, ``sessions``, ``secrets`` and ``clock`` hold what cannot be rebuilt; in
SQLite also ``fresh``, which is `tercet.server.store.tail`'s own."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    true,
)

metadata = MetaData()

log = Table(
    "log",
    metadata,
    Column("stream", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("cause", String(80)),
    sqlite_with_rowid=False,
)

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("account", String(80)),
    Column("account_key", String(80), unique=True),
    Column("password", String(200)),
    Column("merged_into", String(32)),
    Column("created_time", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("made_by", String(32), index=True),
    Column("label", String(80)),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("created_time", BigInteger, nullable=False),
    Column("used_time", BigInteger),
    Column("ended_time", BigInteger),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

# What the server's clock was (`tercet.server.clock`), and a row that is written to see whether that is possible.
clock = Table(
    "clock",
    metadata,
    Column("since", BigInteger, primary_key=True, autoincrement=False),
    Column("ahead", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)

trial = Table(
    "trial",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("time", BigInteger, nullable=False),
)

# --- projections ---

tables = Table(
    "tables",
    metadata,
    Column("code", String(12), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("host", String(32), nullable=False),
    Column("host_name", String(80), nullable=False),
    Column("phase", String(12), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("options", Text, nullable=False),
    Column("people", SmallInteger, nullable=False),
    Column("bots", SmallInteger, nullable=False),
    Column("open_seats", SmallInteger, nullable=False),
    Column("created_time", BigInteger, nullable=False),
    Column("changed_time", BigInteger, nullable=False),
    Index("tables_in_lobby", "public", "phase", "created_time"),
    Index("tables_of_host", "host", "phase"),
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(12), nullable=False, index=True),
    Column("game", String(20), nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("start_time", BigInteger, nullable=False),
    Column("end_time", BigInteger),
    Column("waits_for", String(20), nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("person", String(32), index=True),
    Column("name", String(80), nullable=False),
    Column("bot", String(40)),
    Column("points", Integer),
    Column("won", Boolean, nullable=False),
    Column("sets", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("played_ms", BigInteger, nullable=False),
    Column("counts", Boolean, nullable=False, server_default=true()),
)
