"""What is asked of the rows: the lobby, my games, statistics, and which tables need looking after."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, func, or_, select

from tercet.codec import from_json
from tercet.server.projections.rows import Row, shorten
from tercet.server.protocol import GameSummary, Player, Sitting, Statistics, TableSummary
from tercet.server.store import Store, schema


async def lobby(store: Store, limit: int = 100) -> list[TableSummary]:
    """Public tables that are open or running, the newest first."""
    tables = schema.tables
    query = (
        select(tables)
        .where(tables.c.public, tables.c.phase.in_(["gathering", "playing"]), tables.c.people > 0)
        .order_by(tables.c.created_time.desc())
        .limit(limit)
    )
    async with store.reading() as connection:
        return [summary(row._asdict(), []) for row in await connection.execute(query)]


def summary(row: Row, sitting: list[Sitting]) -> TableSummary:
    """A line of the lobby from a row of the table of tables."""
    return TableSummary(
        code=row["code"],
        game=row["game"],
        host=row["host_name"],
        sitting=sitting,
        phase=row["phase"],
        seats=row["people"] + row["bots"] + row["open_seats"],
        people=row["people"],
        bots=row["bots"],
        open_seats=row["open_seats"],
        options=shorten(from_json(row["options"], dict[str, Any])),
        created_time=row["created_time"],
    )


async def open_tables(store: Store) -> list[str]:
    """The codes of all tables that are not closed."""
    tables = schema.tables
    async with store.reading() as connection:
        found = await connection.execute(select(tables.c.code).where(tables.c.phase != "closed"))
        return list(found.scalars())


async def running_games(store: Store) -> list[tuple[str, str]]:
    """The code of each table with a game, and the id of that game, as far as it has been written down."""
    tables, games = schema.tables, schema.games
    query = (
        select(games.c.code, games.c.id)
        .join(tables, tables.c.code == games.c.code)
        .where(tables.c.phase == "playing", games.c.end_time.is_(None))
    )
    async with store.reading() as connection:
        return [(code, game) for code, game in await connection.execute(query)]


async def stale_tables(store: Store, gathering: int, playing: int) -> list[str]:
    """The codes of tables that have not changed since then: of those without a game, and of those with one."""
    tables = schema.tables
    query = select(tables.c.code).where(
        or_(
            and_(tables.c.phase == "gathering", tables.c.changed_time < gathering),
            and_(tables.c.phase == "playing", tables.c.changed_time < playing),
        )
    )
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def games_of(store: Store, person: str, limit: int = 200) -> list[GameSummary]:
    """The games of a person, the latest first."""
    found, players = schema.games, schema.players
    mine = select(players.c.game).where(players.c.person == person)
    query = select(found).where(found.c.id.in_(mine)).order_by(found.c.start_time.desc()).limit(limit)
    async with store.reading() as connection:
        rows = list(await connection.execute(query))
        seats: dict[str, list[Any]] = {row.id: [] for row in rows}
        everybody = select(players).where(players.c.game.in_(list(seats))).order_by(players.c.seat)
        for player in await connection.execute(everybody):
            seats[player.game].append(player)
    return [
        GameSummary(
            id=row.id,
            table=row.code,
            game=row.game,
            players=[
                Player(player.name, player.person == person, player.bot, player.points, player.won)
                for player in seats[row.id]
            ],
            practice=row.practice,
            start_time=row.start_time,
            end_time=row.end_time,
            your_turn=row.end_time is None
            and any(
                player.person == person and str(player.seat) in row.waits_for.split(",")
                for player in seats[row.id]
            ),
        )
        for row in rows
    ]


async def statistics_of(store: Store, person: str) -> list[Statistics]:
    """A line for each game that the person has finished; practice does not count."""
    found, players = schema.games, schema.players
    query = (
        select(
            found.c.game,
            func.count().label("games"),
            func.sum(players.c.points).label("points"),
            func.sum(players.c.sets).label("sets"),
            func.sum(players.c.turns).label("turns"),
            func.sum(players.c.played_ms).label("played_ms"),
            func.count().filter(players.c.won).label("wins"),
        )
        .join_from(players, found, players.c.game == found.c.id)
        .where(
            and_(
                players.c.person == person, players.c.counts, found.c.end_time.is_not(None), ~found.c.practice
            )
        )
        .group_by(found.c.game)
        .order_by(found.c.game)
    )
    async with store.reading() as connection:
        return [
            Statistics(
                game=row.game,
                games=row.games,
                wins=row.wins,
                points=int(row.points),
                sets=int(row.sets),
                turns=int(row.turns),
                pace=float(row.sets) * 60_000 / float(row.played_ms) if row.sets and row.played_ms else None,
                points_per_turn=float(row.points) / float(row.turns) if row.turns else None,
            )
            for row in await connection.execute(query)
        ]


async def game_place(store: Store, game: str) -> str | None:
    """The code of the table where a game was played."""
    async with store.reading() as connection:
        query = select(schema.games.c.code).where(schema.games.c.id == game)
        return (await connection.execute(query)).scalar()
