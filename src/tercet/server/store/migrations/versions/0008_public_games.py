"""Which finished games were public, for exports. Those from before are found by ``tercet rebuild``."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

IS_SHARED = "public AND end_time IS NOT NULL"


def upgrade() -> None:
    op.add_column("games", sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index(
        "games_shared",
        "games",
        ["game", "end_time", "id"],
        sqlite_where=sa.text(IS_SHARED),
        postgresql_where=sa.text(IS_SHARED),
    )
