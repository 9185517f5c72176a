"""Nothing that is asked often grows with the number of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

IN_LOBBY = "public AND phase <> 'closed' AND people > 0"
IS_OPEN = "phase <> 'closed'"


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    op.create_index("people_merged", "people", ["merged_into"])
    op.create_index("sessions_used", "sessions", ["used_time", "created_time"])
    op.create_index("sessions_ended", "sessions", ["ended_time"])

    op.add_column("tables", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE tables SET version = coalesce((SELECT max(seq) FROM log WHERE stream = 'table ' || code), 0)"
    )
    op.drop_index("tables_in_lobby", "tables")
    op.drop_index("tables_of_host", "tables")
    _partial("tables_in_lobby", "tables", ["created_time"], IN_LOBBY)
    _partial("tables_open", "tables", ["phase", "changed_time"], IS_OPEN)
    _partial("tables_of_host", "tables", ["host"], IS_OPEN)

    op.drop_index("ix_games_code", "games")
    op.create_index("games_of_table", "games", ["code"])
    _partial("games_running", "games", ["code"], "end_time IS NULL")

    op.add_column("players", sa.Column("start_time", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(
        "UPDATE players SET start_time = coalesce((SELECT start_time FROM games WHERE id = players.game), 0)"
    )
    op.drop_index("ix_players_person", "players")
    op.create_index("players_of_person", "players", ["person", "start_time", "game"])
    _partial("players_running", "players", ["person"], "points IS NULL")

    op.create_table(
        "sums",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("sets", sa.BigInteger, nullable=False),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.Column("played_ms", sa.BigInteger, nullable=False),
    )
    op.execute(
        "INSERT INTO sums (person, game, games, wins, points, sets, turns, played_ms)"
        " SELECT players.person, games.game, count(*), sum(CASE WHEN players.won THEN 1 ELSE 0 END),"
        " sum(players.points), sum(players.sets), sum(players.turns), sum(players.played_ms)"
        " FROM players JOIN games ON games.id = players.game"
        " WHERE players.person IS NOT NULL AND players.counts AND games.end_time IS NOT NULL AND NOT games.practice"
        " GROUP BY players.person, games.game"
    )
    op.create_table(
        "rebuilding",
        sa.Column("version", sa.String(40), primary_key=True),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("passed", sa.String(40), nullable=False),
        sa.Column("tables", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table("changed", sa.Column("code", sa.String(12), primary_key=True))
