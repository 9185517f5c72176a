"""Lobby, my games and statistics: rows made from the logs, which can be made again at any time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from time import monotonic
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from tercet import cards, cubed
from tercet.codec import from_json, to_json
from tercet.games import Entry
from tercet.server import table
from tercet.server.ids import now_ms
from tercet.server.live import LiveGame
from tercet.server.protocol import GameSummary, Player, Statistics, TableSummary
from tercet.server.store import Store, Unavailable, schema
from tercet.server.table import AnyTableEvent, Began, Finished

#: How long changes are gathered before they are written; and those of nothing but whose turn it is.
GATHER_SECONDS = 0.3
TURNS_SECONDS = 2.0

logger = logging.getLogger("tercet.projections")

Row = dict[str, Any]


class Rows(Struct):
    """The rows of one game."""

    game: Row
    players: list[Row]


class Projector:
    """Writes the rows of tables and games that have changed, many in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: Tables and running games whose rows are made when they are written: much may happen until then.
        self._tables: dict[str, table.State] = {}
        self._running: dict[str, tuple[table.State, LiveGame]] = {}
        self._games: dict[str, Rows] = {}
        self._waits: dict[str, list[int]] = {}
        #: Running games of which nothing has changed but whose turn it is, and their tables.
        self._turns: dict[str, tuple[str, list[int]]] = {}
        self._turns_time = 0.0
        self._owners: dict[str, str] = {}
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, state: table.State, game: LiveGame | None) -> None:
        """A table has changed."""
        self._tables[state.code] = state
        if game is not None and state.playing is not None and game.id == state.playing.id:
            self._waits[game.id] = game.waits_for()
            self._running[game.id] = (state, game)
        self._wake()

    def note_turn(self, state: table.State, game: LiveGame) -> None:
        """Something happened in a game; it is written down if it now waits for somebody else."""
        waits = game.waits_for()
        if self._waits.get(game.id) != waits:
            self._waits[game.id] = waits
            self._turns[game.id] = (state.code, waits)
            self._wake()

    def note_end(self, state: table.State, game: LiveGame, finished: Finished) -> None:
        """A game is over."""
        self._waits.pop(game.id, None)
        self._running.pop(game.id, None)
        self._turns.pop(game.id, None)
        self._games[game.id] = Rows(
            game_row(state, [], finished), player_rows(state, game.log, finished, self._owners)
        )
        self._wake()

    def merged(self, owners: dict[str, str]) -> None:
        """From now on, what these guests play belongs to the accounts."""
        self._owners |= owners
        for rows in self._games.values():
            for player in rows.players:
                player["person"] = owners.get(player["person"], player["person"])

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_later())

    async def _write_later(self) -> None:
        while self._tables or self._games or self._running or self._turns:
            await asyncio.sleep(GATHER_SECONDS)
            async with self._writing:
                await self._flush(with_turns=monotonic() > self._turns_time + TURNS_SECONDS)

    async def flush(self) -> None:
        """Write all that has changed. What cannot be written now is tried again later."""
        async with self._writing:
            await self._flush(with_turns=True)

    async def _flush(self, *, with_turns: bool) -> None:
        running, self._running = self._running, {}
        for state, game in running.values():
            self._games[game.id] = Rows(
                game_row(state, game.waits_for(), None), player_rows(state, game.log, None, self._owners)
            )
        tables, self._tables = self._tables, {}
        found, self._games = self._games, {}
        turns = {}
        if with_turns:
            turns, self._turns, self._turns_time = self._turns, {}, monotonic()
        if not tables and not found and not turns:
            return
        try:
            await write_rows(self._store, map(table_row, tables.values()), found.values(), turns)
        except (Unavailable, SQLAlchemyError) as error:
            logger.warning("projections were not written", extra={"reason": type(error).__name__})
            self._tables = tables | self._tables
            self._games = found | self._games
            self._turns = turns | self._turns
            await asyncio.sleep(1)

    async def make_again(self, code: str) -> None:
        """Write all rows of a table anew, from its logs."""
        row, found = await _rebuild_table(self._store, code, self._owners)
        await write_rows(self._store, [row], found)

    async def close(self) -> None:
        await self.flush()  # waits for a write that is under way, so that nothing is cut off in the middle
        if self._task is not None:
            self._task.cancel()


async def write_rows(
    store: Store,
    tables: Iterable[Row],
    found: Iterable[Rows],
    turns: Mapping[str, tuple[str, list[int]]] = MappingProxyType({}),
) -> None:
    """Put these rows in the place of those that are there; and for some games, whom they wait for now."""
    tables, found = list(tables), list(found)
    async with store.writing(by_turns=True) as connection:
        for where, column, new in (
            (schema.tables, "code", tables),
            (schema.games, "id", [rows.game for rows in found]),
            (schema.players, "game", [player for rows in found for player in rows.players]),
        ):
            if new:
                keys = {row[column] for row in new}
                await connection.execute(delete(where).where(where.c[column].in_(keys)))
                await connection.execute(insert(where), new)
        if turns:
            now = int(now_ms())
            waits = [{"of": game, "now": _write_seats(seats)} for game, (_, seats) in turns.items()]
            changed = [{"of": code, "now": now} for code in {code for code, _ in turns.values()}]
            await connection.execute(_WAITS, waits)
            await connection.execute(_CHANGED, changed)


_WAITS = update(schema.games).where(schema.games.c.id == bindparam("of")).values(waits_for=bindparam("now"))
_CHANGED = (
    update(schema.tables).where(schema.tables.c.code == bindparam("of")).values(changed_time=bindparam("now"))
)


def _write_seats(seats: Iterable[int]) -> str:
    return ",".join(map(str, seats))


def table_row(state: table.State) -> Row:
    host = next((seat.name for seat in state.seats if seat.person == state.host), "")
    return {
        "code": state.code,
        "game": state.game,
        "host": state.host,
        "host_name": host,
        "phase": state.phase,
        "public": state.public,
        "options": to_json(state.options).decode(),
        "people": len(state.people()),
        "bots": sum(seat.bot is not None for seat in state.seats),
        "open_seats": len(state.open_seats()),
        "created_time": state.time,
        "changed_time": int(now_ms()),
    }


def game_row(state: table.State, waits_for: list[int], finished: Finished | None) -> Row:
    assert state.playing is not None
    return {
        "id": state.playing.id,
        "code": state.code,
        "game": state.game,
        "practice": state.practice,
        "start_time": state.playing.time,
        "end_time": finished.time if finished else None,
        "waits_for": _write_seats(waits_for),
    }


def player_rows(
    state: table.State, log: list[Entry[Any]], finished: Finished | None, owners: dict[str, str]
) -> list[Row]:
    """Who plays, by who sits there now; ``owners``: the accounts of guests who logged in later."""
    assert state.playing is not None
    counts = count_play(log, len(state.seats)) if finished else [(0, 0)] * len(state.seats)
    return [
        {
            "game": state.playing.id,
            "seat": number,
            "person": owners.get(seat.person, seat.person) if seat.person else None,
            "name": seat.name,
            "bot": seat.bot,
            "points": finished.scores[number] if finished else None,
            "won": number in finished.winners if finished else False,
            "sets": sets,
            "turns": turns,
            "played_ms": log[-1].at if finished and log else 0,
        }
        for number, (seat, (sets, turns)) in enumerate(zip(state.seats, counts, strict=True))
    ]


def count_play(log: list[Entry[Any]], seats: int) -> list[tuple[int, int]]:
    """For each seat the SETs taken (Set) and the turns played (Set Cubed)."""
    sets, turns = [0] * seats, [0] * seats
    for entry in log:
        match entry.event:
            case cards.Took(seat=seat):
                sets[seat] += 1
            case cubed.Opened(seat=seat) | cubed.Laid(seat=seat) | cubed.Passed(seat=seat):
                turns[seat] += 1
    return list(zip(sets, turns, strict=True))


# --- reading ---


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
        return [summary(row._asdict()) for row in await connection.execute(query)]


def summary(row: Row) -> TableSummary:
    """A line of the lobby from a row of the table of tables."""
    return TableSummary(
        code=row["code"],
        game=row["game"],
        host=row["host_name"],
        phase=row["phase"],
        seats=row["people"] + row["bots"] + row["open_seats"],
        people=row["people"],
        bots=row["bots"],
        open_seats=row["open_seats"],
        options=from_json(row["options"], dict[str, Any]),
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


async def tables_hosted(store: Store, people: Iterable[str]) -> int:
    """How many open tables these people host."""
    tables = schema.tables
    query = select(func.count()).where(tables.c.host.in_(list(people)), tables.c.phase != "closed")
    async with store.reading() as connection:
        return int((await connection.execute(query)).scalar_one())


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
        .where(and_(players.c.person == person, found.c.end_time.is_not(None), ~found.c.practice))
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


# --- making them again ---


async def read_table(store: Store, code: str) -> AsyncIterator[tuple[AnyTableEvent, table.State]]:
    """Each event of a table with the state before it; for the first one, the state after."""
    state: table.State | None = None
    for line in await store.read(f"table {code}"):
        event: AnyTableEvent = from_json(line.event, AnyTableEvent)
        if isinstance(event, table.Opened):
            state = table.begin(event)
            yield event, state
            continue
        assert state is not None
        yield event, state
        state = table.evolve(state, event)


async def rebuild(store: Store, owners: dict[str, str]) -> tuple[int, int]:
    """Make all rows again from the logs; the numbers of tables and of games."""
    log = schema.log
    codes = select(log.c.stream).where(log.c.stream.like("table %"), log.c.seq == 1)
    await store.settle()
    async with store.reading() as connection:
        streams = list((await connection.execute(codes)).scalars())
    async with store.writing() as connection:
        for projection in (schema.players, schema.games, schema.tables):
            await connection.execute(delete(projection))
    count = 0
    for stream in streams:
        row, found = await _rebuild_table(store, stream.removeprefix("table "), owners)
        await write_rows(store, [row], found)
        count += len(found)
    return len(streams), count


async def _rebuild_table(store: Store, code: str, owners: dict[str, str]) -> tuple[Row, list[Rows]]:
    found: dict[str, Rows] = {}
    state: table.State | None = None
    game: LiveGame | None = None
    async for event, before in read_table(store, code):
        state = before if isinstance(event, table.Opened) else table.evolve(before, event)
        if isinstance(event, Began):
            game = LiveGame(state)
            await game.catch_up(store)
        if game is None:
            continue
        if isinstance(event, Finished):
            found[game.id] = Rows(game_row(before, [], event), player_rows(before, game.log, event, owners))
            game = None
        elif state.playing is not None:
            found[game.id] = Rows(
                game_row(state, game.waits_for(), None), player_rows(state, game.log, None, owners)
            )
    assert state is not None
    return table_row(state), list(found.values())
