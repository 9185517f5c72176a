"""The tables of the database. Only ``log``, ``people``, ``sessions``, ``secrets``, ``clock`` and ``days`` hold what cannot be rebuilt; in
SQLite also ``fresh``, which is `tercet.server.store.tail`'s own.

A rebuild makes the projections beside the old ones, with the indexes, and then gives them their names. An index cannot
be given another name in SQLite, so those of the projections may end in ``_2``.
"""

from __future__ import annotations

from typing import Any

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
    false,
    literal_column,
    text,
    true,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

metadata = MetaData()


def _partial(name: str, *columns: Any, where: str) -> Index:
    """An index of these rows alone: it stays small, however many others there are."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


class Sitter(GenericFunction[str]):
    """The id of whoever sits down by an event."""

    type = String()
    inherit_cache = True


@compiles(Sitter, "sqlite")
def _sitter_in_sqlite(element: Sitter, compiler: Any, **how: Any) -> str:
    return f"json_extract({compiler.process(element.clauses, **how)}, '$.person')"


@compiles(Sitter, "postgresql")
def _sitter_in_postgres(element: Sitter, compiler: Any, **how: Any) -> str:
    return f'substring({compiler.process(element.clauses, **how)} from \'"person":"([^"]*)"\')'


#: What a query must say, word for word, so that the index of few rows is used.
IS_SITTING_DOWN = """substr(event, 1, 14) = '{"kind":"sat",'"""
IN_LOBBY = "public AND phase <> 'closed' AND people > 0"
IS_OPEN = "phase <> 'closed'"
IS_RUNNING = "end_time IS NULL"
IS_UNSCORED = "points IS NULL"
IS_SHARED = "public AND end_time IS NOT NULL"
IS_OF_RUN = "run IS NOT NULL"
IS_OF_DAY = "day IS NOT NULL"
IS_LISTED = "listed"

log = Table(
    "log",
    metadata,
    Column("stream", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("cause", String(80)),
    _partial("log_of_sitters", Sitter(literal_column("event")), "stream", where=IS_SITTING_DOWN),
    sqlite_with_rowid=False,
)

#: ``program``: the account is a bot's, for good.
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
    Column("program", Boolean, nullable=False, server_default=false()),
    Index("people_merged", "merged_into"),
)

#: ``scopes``: what a token may do, by a blank between them; none stands for all of it, and for a cookie.
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
    Column("expires_time", BigInteger),
    Column("scopes", String(80)),
    Index("sessions_used", "used_time", "created_time"),
    Index("sessions_ended", "ended_time"),
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

#: The puzzles of days, those to come too: ``turns`` is JSON, what the turns of a puzzle with dice are worth.
days = Table(
    "days",
    metadata,
    Column("kind", String(40), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("seed", String(64), nullable=False),
    Column("turns", Text, nullable=False),
)

#: Challenges, until some time after they are over. ``code`` is the table of one that was accepted.
challenges = Table(
    "challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("challenger", String(32), nullable=False, index=True),
    Column("challenged", String(32), nullable=False, index=True),
    Column("game", String(20), nullable=False),
    Column("options", Text, nullable=False),
    Column("status", String(12), nullable=False),
    Column("reason", String(20)),
    Column("code", String(12)),
    Column("created_time", BigInteger, nullable=False),
    Column("expires_time", BigInteger, nullable=False, index=True),
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
    Column("version", Integer, nullable=False, server_default="0"),
    Column("run", String(40)),
    Column("day", String(10)),
    _partial("tables_of_runs", "host", "run", "day", where=IS_OF_RUN),
    _partial("tables_in_lobby", "created_time", "code", where=IN_LOBBY),
    _partial("tables_open", "phase", "changed_time", where=IS_OPEN),
    _partial("tables_of_host", "host", where=IS_OPEN),
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(12), nullable=False),
    Column("game", String(20), nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("start_time", BigInteger, nullable=False),
    Column("end_time", BigInteger),
    Column("waits_for", String(20), nullable=False),
    Column("public", Boolean, nullable=False, server_default=false()),
    Index("games_of_table", "code"),
    _partial("games_shared", "game", "end_time", "id", where=IS_SHARED),
    _partial("games_running", "code", where=IS_RUNNING),
)

players = Table(
    "players",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("person", String(32)),
    Column("name", String(80), nullable=False),
    Column("bot", String(40)),
    Column("points", Integer),
    Column("won", Boolean, nullable=False),
    Column("sets", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("played_ms", BigInteger, nullable=False),
    Column("counts", Boolean, nullable=False, server_default=true()),
    Column("start_time", BigInteger, nullable=False, server_default="0"),
    Index("players_of_person", "person", "start_time", "game"),
    _partial("players_running", "person", where=IS_UNSCORED),
)

#: What a person has done in all finished games that count: always the sum of the person's rows in ``players``.
sums = Table(
    "sums",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("game", String(20), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("sets", BigInteger, nullable=False),
    Column("turns", BigInteger, nullable=False),
    Column("played_ms", BigInteger, nullable=False),
)

#: What people have achieved against the clock. ``value`` is what boards go by, the least first; ``reason`` says why a run is on none. ``day`` is
#: that of a daily puzzle, ``date`` the day for which the run counts, or when it ended if that was later, and ``answer`` the turn that was chosen of one with dice.
runs = Table(
    "runs",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("kind", String(40), nullable=False),
    Column("day", String(10)),
    Column("date", String(10), nullable=False),
    Column("person", String(32)),
    Column("points", Integer, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("value", BigInteger, nullable=False),
    Column("reason", String(40)),
    Column("answer", String(80)),
    Column("start_time", BigInteger, nullable=False),
    Column("end_time", BigInteger, nullable=False),
    Index("runs_of_person", "person", "kind", "end_time"),
    _partial("runs_of_day", "kind", "day", "reason", "value", "answer", where=IS_OF_DAY),
)

#: The boards: the best run of each person for each kind and period (a day, a week, a month, ``ever``). ``listed``: others see it.
bests = Table(
    "bests",
    metadata,
    Column("kind", String(40), primary_key=True),
    Column("period", String(10), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("value", BigInteger, nullable=False),
    Column("end_time", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("points", Integer, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    _partial("bests_in_order", "kind", "period", "value", "end_time", "person", where=IS_LISTED),
    Index("bests_of_person", "person"),
)

# --- reviews: they can be made again ---

#: The review of a game, without the names of its players, which stand in the log alone; or why there is none. ``kind`` is the
#: name of the game, ``games`` how many were played out for a decision.
reviews = Table(
    "reviews",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("engine", String(20), nullable=False),
    Column("games", Integer),
    Column("problem", String(20)),
    Column("content", LargeBinary, nullable=False),
    Column("made_time", BigInteger, nullable=False),
    Index("reviews_by_engine", "kind", "engine"),
)

#: Reviews that are to be made: for a person, or by itself. ``node`` makes it, and was ``seen`` at it then.
review_queue = Table(
    "review_queue",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("games", Integer),
    Column("person", String(32), index=True),
    Column("asked_time", BigInteger, nullable=False),
    Column("node", String(32)),
    Column("seen_time", BigInteger, nullable=False, server_default="0"),
    Column("tries", SmallInteger, nullable=False, server_default="0"),
    Column("done", Integer, nullable=False, server_default="0"),
    Column("total", Integer, nullable=False, server_default="0"),
)

#: Who asked for a review, for a day.
reviews_asked = Table(
    "reviews_asked",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("asked_time", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Index("reviews_asked_time", "asked_time"),
)

#: How far a rebuild has come, while one is under way; ``run`` is whoever goes on with it.
rebuilding = Table(
    "rebuilding",
    metadata,
    Column("version", String(40), primary_key=True),
    Column("run", String(32), nullable=False),
    Column("passed", String(40), nullable=False),
    Column("tables", Integer, nullable=False),
    Column("games", Integer, nullable=False),
)

#: Tables whose rows have been written while a rebuild is under way: it reads them once more.
changed = Table("changed", metadata, Column("code", String(12), primary_key=True))
