"""The middle of a day's times is that of the times which count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

IS_OF_DAY = sa.text("day IS NOT NULL")


def upgrade() -> None:
    op.drop_index("runs_of_day", "runs")
    columns = ["kind", "day", "reason", "value", "answer"]
    op.create_index("runs_of_day", "runs", columns, sqlite_where=IS_OF_DAY, postgresql_where=IS_OF_DAY)
