"""Every cookie and every token is a row of one table. Tokens come along; cookies, which were signed and stood nowhere, end.

Also: whether a game counts for who sat there; what the clock was when the server was last seen; a row to try writing."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    sessions = op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("made_by", sa.String(32), index=True),
        sa.Column("label", sa.String(80)),
        sa.Column("digest", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("created_time", sa.BigInteger, nullable=False),
        sa.Column("used_time", sa.BigInteger),
        sa.Column("ended_time", sa.BigInteger),
    )
    tokens = sa.table(
        "tokens", *map(sa.column, ("id", "person", "label", "digest", "created_time", "used_time"))
    )
    kept = [sessions.c[name] for name in ("id", "person", "label", "digest", "created_time", "used_time")]
    op.execute(
        sessions.insert().from_select(
            [*kept, sessions.c.kind],
            sa.select(*(tokens.c[column.name] for column in kept), sa.literal("token")),
        )
    )
    op.drop_table("tokens")
    with op.batch_alter_table("people") as people:
        people.drop_column("sessions")
    with op.batch_alter_table("players") as players:
        players.add_column(sa.Column("counts", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "clock",
        sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("ahead", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "trial",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.BigInteger, nullable=False),
    )
