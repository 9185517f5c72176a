"""Runs against the clock, their boards, and the puzzles of days."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

IS_OF_RUN = "run IS NOT NULL"
IS_OF_DAY = "day IS NOT NULL"
IS_LISTED = "listed"


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    op.create_table(
        "days",
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("turns", sa.Text, nullable=False),
    )
    op.add_column("tables", sa.Column("run", sa.String(40)))
    op.add_column("tables", sa.Column("day", sa.String(10)))
    _partial("tables_of_runs", "tables", ["host", "run", "day"], IS_OF_RUN)
    op.create_table(
        "runs",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("day", sa.String(10)),
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
        sa.Column("errors", sa.Integer, nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(40)),
        sa.Column("answer", sa.String(80)),
        sa.Column("start_time", sa.BigInteger, nullable=False),
        sa.Column("end_time", sa.BigInteger, nullable=False),
    )
    op.create_index("runs_of_person", "runs", ["person", "kind", "end_time"])
    _partial("runs_of_day", "runs", ["kind", "day", "reason", "time_ms", "answer"], IS_OF_DAY)
    op.create_table(
        "bests",
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("period", sa.String(10), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("end_time", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
        sa.Column("errors", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    _partial("bests_in_order", "bests", ["kind", "period", "value", "end_time", "person"], IS_LISTED)
    op.create_index("bests_of_person", "bests", ["person"])
