"""In SQLite, lines that are not sorted into their streams yet."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_table(
            "fresh",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("lines", sa.LargeBinary, nullable=False),
            sqlite_autoincrement=True,
        )
