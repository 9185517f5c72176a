"""The log, people and their tokens, and the projections."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "log",
        sa.Column("stream", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("cause", sa.String(80)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("account", sa.String(80)),
        sa.Column("account_key", sa.String(80), unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("merged_into", sa.String(32)),
        sa.Column("created_time", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("created_time", sa.BigInteger, nullable=False),
        sa.Column("used_time", sa.BigInteger),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("code", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("host", sa.String(32), nullable=False),
        sa.Column("host_name", sa.String(80), nullable=False),
        sa.Column("phase", sa.String(12), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("people", sa.SmallInteger, nullable=False),
        sa.Column("bots", sa.SmallInteger, nullable=False),
        sa.Column("open_seats", sa.SmallInteger, nullable=False),
        sa.Column("created_time", sa.BigInteger, nullable=False),
        sa.Column("changed_time", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_in_lobby", "tables", ["public", "phase", "created_time"])
    op.create_index("tables_of_host", "tables", ["host", "phase"])
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, index=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("practice", sa.Boolean, nullable=False),
        sa.Column("start_time", sa.BigInteger, nullable=False),
        sa.Column("end_time", sa.BigInteger),
        sa.Column("waits_for", sa.String(20), nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(32), index=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("bot", sa.String(40)),
        sa.Column("points", sa.Integer),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("sets", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("played_ms", sa.BigInteger, nullable=False),
    )
