"""A database full of finished games, quickly: the logs of a few real ones, again and again under new names.

Python writes the logs of the tables, in the order of their codes; the lines of the games are copied within the database,
in the order of their time. So a million games take minutes.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from random import Random
from typing import Any

import asyncpg
from msgspec import Struct

from tercet import bots, games
from tercet.bots.driver import play
from tercet.codec import to_json
from tercet.server import table
from tercet.server.ids import CODE_LENGTH, CODE_LETTERS, now_ms
from tercet.server.logged.table import stream_of
from tercet.server.people.people import People
from tercet.server.store import open_store

Row = tuple[Any, ...]

#: Tables are closed after so many games; so many at the end are still open, however many there are.
GAMES_A_TABLE = 4
OPEN_TABLES = 100
#: So many rows go to the database at once.
AT_ONCE = 50_000
#: The options of short games.
SHORT: dict[str, dict[str, Any]] = {"set": {"rounds": 1}, "scramble": {"rounds": 1}}

_CODES = len(CODE_LETTERS) ** CODE_LENGTH
_COPY = "INSERT INTO log SELECT stream, seq, at, event, NULL FROM made JOIN pool USING (number) ORDER BY stream, seq"


class Real(Struct):
    """A game that was really played."""

    game: str
    options: dict[str, Any]
    seed: str
    seats: int
    lines: list[tuple[int, int, str]]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def play_some(count: int, random: Random) -> list[Real]:
    """So many games of each kind, by the weakest bots that come to an end."""
    found = []
    for kind in games.names():
        rules = games.find(kind).rules
        for number in range(count):
            seats = max(rules.min_seats, 2 + number % 2)
            options = SHORT.get(kind, {})
            seed = f"{random.getrandbits(256):064x}"
            game = games.find(kind)([f"Bot {seat}" for seat in range(seats)], seed=seed, options=options)
            level = "greedy" if "greedy" in bots.names(kind) else bots.names(kind)[-1]
            play(game, [bots.make(kind, level, seat, random) for seat in range(seats)])
            lines = [(entry.seq, entry.at, to_json(entry.event).decode()) for entry in game.log]
            found.append(Real(kind, options, seed, seats, lines, game.scores, game.winners))
    return found


class Filler:
    """Tables with games of these real ones, played by ``people``; the first of them has played 2,000."""

    def __init__(self, games_count: int, seed: str = "growth", pool: int = 20) -> None:
        self._seed = seed
        self.pool = play_some(pool, Random(seed))
        self._tables = games_count // GAMES_A_TABLE
        self.people = [f"person{number:08}" for number in range(max(20, games_count // 20))]
        self._now = int(now_ms())
        self._often = max(1, games_count // 2000)

    def people_rows(self) -> Iterator[Row]:
        """id, name, created_time"""
        return ((person, f"P{person[6:]}", 0) for person in self.people)

    def session_rows(self) -> Iterator[Row]:
        """id, person, kind, digest, created_time, used_time: a cookie for everybody"""
        for person in self.people:
            digest = hashlib.sha256(person.encode()).digest()
            yield f"cookie{person}", person, "cookie", digest, self._now, self._now

    def game_rows(self) -> Iterator[Row]:
        """The name of every game, and the number of the real one that it is."""
        for number in range(self._tables):
            real = Random(f"{self._seed} {number}").randrange(len(self.pool))
            for game in range(GAMES_A_TABLE):
                yield self._game(number, game), real

    def table_rows(self) -> Iterator[Row]:
        """The lines of the logs of all tables."""
        codes = sorted((_code(number), number) for number in range(self._tables))
        return chain.from_iterable(self._table(code, number) for code, number in codes)

    def _is_open(self, number: int) -> bool:
        return number >= self._tables - min(OPEN_TABLES, self._tables // 5)

    def _time(self, number: int) -> int:
        if self._is_open(number):
            return self._now
        return self._now - 400 * 24 * 3600 * 1000 + (number + 1) * (30_000_000_000 // self._tables)

    def _game(self, number: int, game: int) -> str:
        return f"{self._time(number) + game * 1000:011x}{number:014}{game:02}"

    def _table(self, code: str, number: int) -> Iterator[Row]:
        random, time = Random(f"{self._seed} {number}"), self._time(number)
        real = self.pool[random.randrange(len(self.pool))]
        people = random.sample(self.people[1:], real.seats)
        is_first = number * GAMES_A_TABLE // self._often != (number + 1) * GAMES_A_TABLE // self._often
        if is_first or self._often < GAMES_A_TABLE:
            people[0] = self.people[0]
        events: list[Any] = [
            table.Opened(
                code=code,
                game=real.game,
                options=real.options,
                host=people[0],
                public=True,
                late_join=True,
                practice=False,
                chat=True,
                seats=(None,) * real.seats,
                seed=real.seed,
                time=time,
            )
        ]
        events += [
            table.Sat(seat=seat, person=person, name=f"P{person[6:]}") for seat, person in enumerate(people)
        ]
        for game in range(GAMES_A_TABLE):
            if game == 1 and is_first and self._often >= GAMES_A_TABLE:
                # One game is enough for whoever is to have a known number of them.
                events.append(table.Sat(seat=0, person=self.people[1], name="P1"))
            secrets = [f"{random.getrandbits(256):064x}" for _ in range(real.seats)]
            began = time + game * 1000
            events += [table.SaidReady(seat=seat, ready=True) for seat in range(real.seats)]
            events.append(table.StartBegan(until=began + 10_000))
            events += [
                table.Committed(seat=seat, commitment=secret[::-1]) for seat, secret in enumerate(secrets)
            ]
            events += [table.Revealed(seat=seat, secret=secret) for seat, secret in enumerate(secrets)]
            events.append(table.Began(game=self._game(number, game), time=began))
            events.append(
                table.Finished(scores=real.scores, winners=real.winners, seed=real.seed, time=began + 900)
            )
        if not self._is_open(number):
            events.append(table.Closed(time=time + 10_000))
        for seq, event in enumerate(events, 1):
            yield stream_of(code), seq, time, to_json(event).decode(), None


def _code(number: int) -> str:
    """A walk through all codes that comes to each once and knows no order."""
    place, letters = number * 1_000_003 * 7919 % _CODES, ""
    for _ in range(CODE_LENGTH):
        place, letter = divmod(place, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return letters


async def fill(database: str, count: int, **how: Any) -> Filler:
    """Make the database, with so many games in its logs and no rows of them yet."""
    await (await open_store(database)).close()
    filler = Filler(count, **how)
    if database.startswith("postgres"):
        await _fill_postgres(database, filler)
    else:
        _fill_sqlite(database, filler)
    return filler


_PEOPLE = ["id", "name", "created_time"]
_SESSIONS = ["id", "person", "kind", "digest", "created_time", "used_time"]


def _pool_rows(filler: Filler) -> list[Row]:
    return [(number, *line) for number, real in enumerate(filler.pool) for line in real.lines]


def _in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while part := list(islice(rows, AT_ONCE)):
        yield part


def _fill_sqlite(path: str, filler: Filler) -> None:
    with closing(sqlite3.connect(path)) as connection:

        def insert(where: str, rows: Iterable[Row], columns: int) -> None:
            connection.executemany(f"INSERT INTO {where} VALUES ({', '.join('?' * columns)})", rows)

        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        insert(f"people ({', '.join(_PEOPLE)})", filler.people_rows(), len(_PEOPLE))
        insert(f"sessions ({', '.join(_SESSIONS)})", filler.session_rows(), len(_SESSIONS))
        connection.execute("CREATE TEMP TABLE pool (number, seq, at, event, PRIMARY KEY (number, seq))")
        connection.execute("CREATE TEMP TABLE made (stream, number)")
        insert("pool", _pool_rows(filler), 4)
        connection.commit()
        for part in _in_parts(filler.game_rows()):
            insert("made", part, 2)
            connection.execute(_COPY)
            connection.execute("DELETE FROM made")
            connection.commit()
        for part in _in_parts(filler.table_rows()):
            insert("log", part, 5)
            connection.commit()


async def _fill_postgres(address: str, filler: Filler) -> None:
    connection = await asyncpg.connect(address)
    copy = connection.copy_records_to_table
    await copy("people", records=filler.people_rows(), columns=_PEOPLE)
    await copy("sessions", records=filler.session_rows(), columns=_SESSIONS)
    await connection.execute("SET synchronous_commit = off")
    await connection.execute("SET maintenance_work_mem = '500MB'")
    await connection.execute("CREATE TEMP TABLE pool (number int, seq int, at bigint, event text)")
    await connection.execute("CREATE TEMP TABLE made (stream text, number int)")
    await copy("pool", records=_pool_rows(filler))
    await connection.execute("ALTER TABLE log DROP CONSTRAINT log_pkey")
    for part in _in_parts(filler.game_rows()):
        await copy("made", records=part)
        await connection.execute(_COPY)
        await connection.execute("TRUNCATE made")
    for part in _in_parts(filler.table_rows()):
        await copy("log", records=part)
    await connection.execute("ALTER TABLE log ADD PRIMARY KEY (stream, seq)")
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def token_of(database: str, person: str) -> str:
    """A token with which a program is this person."""
    store = await open_store(database)
    try:
        people = await People.open(store)
        visitor = await people.find(person)
        assert visitor is not None
        secret = (await people.new_token(visitor, "growth", 20)).secret
        assert isinstance(secret, str)
        return secret
    finally:
        await store.close()


if __name__ == "__main__":
    import sys

    asyncio.run(fill(sys.argv[1], int(sys.argv[2])))
