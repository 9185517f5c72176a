"""Bot accounts, what a token may do and until when, and challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("people", sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("sessions", sa.Column("expires_time", sa.BigInteger))
    op.add_column("sessions", sa.Column("scopes", sa.String(80)))
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("challenger", sa.String(32), nullable=False, index=True),
        sa.Column("challenged", sa.String(32), nullable=False, index=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("reason", sa.String(20)),
        sa.Column("code", sa.String(12)),
        sa.Column("created_time", sa.BigInteger, nullable=False),
        sa.Column("expires_time", sa.BigInteger, nullable=False, index=True),
    )
