"""Reviews of finished games: those that are kept, those that are to be made, and who asked for them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("engine", sa.String(20), nullable=False),
        sa.Column("games", sa.Integer),
        sa.Column("problem", sa.String(20)),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("made_time", sa.BigInteger, nullable=False),
        sa.Index("reviews_by_engine", "kind", "engine"),
    )
    op.create_table(
        "review_queue",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("games", sa.Integer),
        sa.Column("person", sa.String(32), index=True),
        sa.Column("asked_time", sa.BigInteger, nullable=False),
        sa.Column("node", sa.String(32)),
        sa.Column("seen_time", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("tries", sa.SmallInteger, nullable=False, server_default="0"),
        sa.Column("done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("total", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "reviews_asked",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("asked_time", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Index("reviews_asked_time", "asked_time"),
    )
