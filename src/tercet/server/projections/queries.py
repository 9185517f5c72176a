"""What is asked of the rows: the lobby, my games, statistics, and which tables need looking after."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from typing import Any

from sqlalchemy import and_, exists, func, or_, select, text, tuple_

from tercet.codec import from_json
from tercet.server.projections.rows import Row, shorten
from tercet.server.protocol import GameSummary, Player, Sitting, Statistics, TableSummary
from tercet.server.store import Store, schema
from tercet.server.store.many import batched

#: So many games are shown at a time.
PAGE = 50


async def lobby(store: Store, limit: int = 100) -> list[TableSummary]:
    """Public tables that are open or running, the newest first."""
    tables = schema.tables
    newest = tables.c.created_time.desc(), tables.c.code.desc()
    query = select(tables).where(text(schema.IN_LOBBY)).order_by(*newest).limit(limit)
    async with store.reading() as connection:
        return [summary(row._asdict(), []) for row in await connection.execute(query)]


async def waiting_tables(store: Store, hosts: Collection[str]) -> list[TableSummary]:
    """Tables of these people at which no game has begun, the newest first; without those for runs."""
    tables = schema.tables
    query = (
        select(tables)
        .where(tables.c.host.in_(hosts), text(schema.IS_OPEN))
        .where(tables.c.phase == "gathering", tables.c.run.is_(None))
        .where(~exists().where(schema.games.c.code == tables.c.code))
        .order_by(tables.c.created_time.desc(), tables.c.code)
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
        run=row["run"],
    )


async def playing_tables(store: Store) -> list[str]:
    """The codes of all tables with a game, as far as has been written down."""
    tables = schema.tables
    async with store.reading() as connection:
        query = select(tables.c.code).where(text(schema.IS_OPEN), tables.c.phase == "playing")
        return list((await connection.execute(query)).scalars())


async def listed_tables(store: Store) -> list[str]:
    """The codes of tables without a game that the lobby shows."""
    tables = schema.tables
    query = (
        select(tables.c.code)
        .where(text(schema.IN_LOBBY), tables.c.phase == "gathering")
        .order_by(tables.c.created_time.desc())
    )
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def closed_tables(store: Store, codes: Collection[str]) -> set[str]:
    """Those of these tables that are closed, as far as has been written down."""
    tables = schema.tables
    query = select(tables.c.code).where(tables.c.code.in_(codes), tables.c.phase == "closed")
    async with store.reading() as connection:
        return set((await connection.execute(query)).scalars())


async def lagging_tables(store: Store) -> list[str]:
    """The codes of open tables whose rows do not tell what is in their logs: not all of it, or of a table that a server
    stopped making."""
    tables, log = schema.tables, schema.log
    end = select(func.max(log.c.seq)).where(log.c.stream == text("'table ' || tables.code")).scalar_subquery()
    query = select(tables.c.code).where(text(schema.IS_OPEN), tables.c.version != func.coalesce(end, 0))
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def running_games(store: Store) -> list[tuple[str, str]]:
    """The code of each table with a game, and the id of that game, as far as it has been written down."""
    tables, games = schema.tables, schema.games
    query = (
        select(games.c.code, games.c.id)
        .join(tables, tables.c.code == games.c.code)
        .where(
            text(f"tables.{schema.IS_OPEN}"), tables.c.phase == "playing", text(f"games.{schema.IS_RUNNING}")
        )
    )
    async with store.reading() as connection:
        return [(code, game) for code, game in await connection.execute(query)]


async def running_runs(store: Store, people: Collection[str]) -> list[str]:
    """The codes of tables at which one of these people plays against the clock, as far as it has been written down."""
    tables, games, players = schema.tables, schema.games, schema.players
    query = (
        select(tables.c.code)
        .join_from(players, games, players.c.game == games.c.id)
        .join(tables, tables.c.code == games.c.code)
        .where(
            players.c.person.in_(people),
            text(f"players.{schema.IS_UNSCORED}"),
            text(f"tables.{schema.IS_OF_RUN}"),
            tables.c.phase == "playing",
        )
        .distinct()
    )
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def stale_tables(store: Store, gathering: int, playing: int) -> list[str]:
    """The codes of tables that have not changed since then: of those without a game, and of those with one."""
    tables = schema.tables
    query = select(tables.c.code).where(
        text(schema.IS_OPEN),
        or_(
            and_(tables.c.phase == "gathering", tables.c.changed_time < gathering),
            and_(tables.c.phase == "playing", tables.c.changed_time < playing),
        ),
    )
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def games_of(
    store: Store, person: str, limit: int = PAGE, before: str | None = None, *, running: bool = False
) -> list[GameSummary]:
    """The games of a person, the latest first; those that began before this one, if one is named; or those that
    still go on."""
    found, players, tables = schema.games, schema.players, schema.tables
    mine = (
        select(players.c.start_time, players.c.game)
        .where(players.c.person == person)
        .order_by(players.c.start_time.desc(), players.c.game.desc())
        .distinct()
        .limit(limit)
    )
    if running:
        mine = (
            mine.join_from(players, found, players.c.game == found.c.id)
            .join(tables, tables.c.code == found.c.code)
            .where(
                text(f"players.{schema.IS_UNSCORED}"), tables.c.phase == "playing", found.c.end_time.is_(None)
            )
        )
    async with store.reading() as connection:
        if before is not None:
            begun = select(found.c.start_time).where(found.c.id == before)
            time = (await connection.execute(begun)).scalar()
            mine = mine.where(tuple_(players.c.start_time, players.c.game) < tuple_(time, before))
        ids = [game for _, game in await connection.execute(mine)]
        seats: dict[str, list[Any]] = {game: [] for game in ids}
        known: dict[str, Any] = {}
        for some in batched(ids, PAGE):
            theirs = select(found, tables.c.run).join(tables, tables.c.code == found.c.code, isouter=True)
            for row in await connection.execute(theirs.where(found.c.id.in_(some))):
                known[row.id] = row
            everybody = select(players).where(players.c.game.in_(some)).order_by(players.c.seat)
            for player in await connection.execute(everybody):
                seats[player.game].append(player)
        rows = [known[game] for game in ids if game in known]
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
                player.person == person
                and player.bot is None
                and str(player.seat) in row.waits_for.split(",")
                for player in seats[row.id]
            ),
            run=row.run,
        )
        for row in rows
    ]


async def shared_games(
    store: Store, game: str, begin: int, end: int, after: str | None = None, limit: int = PAGE
) -> list[tuple[str, int]]:
    """The ids and ends of public games that ended in this time, the earliest first; those that ended after this one, if one is named."""
    games = schema.games
    query = (
        select(games.c.id, games.c.end_time)
        .where(
            text(schema.IS_SHARED), games.c.game == game, games.c.end_time >= begin, games.c.end_time < end
        )
        .order_by(games.c.end_time, games.c.id)
        .limit(limit)
    )
    async with store.reading() as connection:
        if after is not None:
            ended = select(games.c.end_time).where(games.c.id == after)
            time = (await connection.execute(ended)).scalar()
            if time is None:
                return []
            query = query.where(tuple_(games.c.end_time, games.c.id) > tuple_(time, after))
        return [(found, time) for found, time in await connection.execute(query)]


async def mark_running(store: Store, games: Iterable[GameSummary], ids: Container[str]) -> None:
    """Say of those games that have not ended whether their tables are still open, and whether these ids host them."""
    running = {game.table: game for game in games if game.end_time is None}
    tables = schema.tables
    query = select(tables.c.code, tables.c.phase, tables.c.host).where(tables.c.code.in_(list(running)))
    async with store.reading() as connection:
        for code, phase, host in await connection.execute(query):
            running[code].broken_off = phase == "closed"
            running[code].hosted = phase != "closed" and host in ids
            running[code].your_turn &= phase != "closed"


async def statistics_of(store: Store, person: str) -> list[Statistics]:
    """A line for each game that the person has finished; practice does not count."""
    sums = schema.sums
    query = select(sums).where(sums.c.person == person, sums.c.games > 0).order_by(sums.c.game)
    async with store.reading() as connection:
        return [
            Statistics(
                game=row.game,
                games=row.games,
                wins=row.wins,
                points=row.points,
                sets=row.sets,
                turns=row.turns,
                pace=row.sets * 60_000 / row.played_ms if row.sets and row.played_ms else None,
                points_per_turn=row.points / row.turns if row.turns else None,
            )
            for row in await connection.execute(query)
        ]


async def game_place(store: Store, game: str) -> str | None:
    """The code of the table where a game was played."""
    async with store.reading() as connection:
        query = select(schema.games.c.code).where(schema.games.c.id == game)
        return (await connection.execute(query)).scalar()
