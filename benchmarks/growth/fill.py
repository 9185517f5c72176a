"""A database full of finished games, quickly: the logs of a few real ones, again and again under new names."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
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
        self._random = Random(seed)
        self._pool = play_some(pool, self._random)
        self._count = games_count
        self.people = [f"person{number:08}" for number in range(max(20, games_count // 20))]
        self.now = int(now_ms())
        self.first_time = self.now - 400 * 24 * 3600 * 1000
        self.often = max(1, games_count // 2000)

    def rows(self) -> Iterator[Row]:
        """The lines of all logs."""
        tables = self._count // GAMES_A_TABLE
        time = self.first_time
        for number in range(tables):
            time += 30_000_000_000 // tables
            is_open = number >= tables - min(OPEN_TABLES, tables // 5)
            yield from self._table(number, self.now if is_open else time, is_open=is_open)

    def _table(self, number: int, time: int, *, is_open: bool) -> Iterator[Row]:
        # A walk through all codes that comes to each once and knows no order.
        place, letters = number * 1_000_003 * 7919 % _CODES, ""
        for _ in range(CODE_LENGTH):
            place, letter = divmod(place, len(CODE_LETTERS))
            letters += CODE_LETTERS[letter]
        real = self._random.choice(self._pool)
        people = self._random.sample(self.people[1:], real.seats)
        first = number * GAMES_A_TABLE // self.often != (number + 1) * GAMES_A_TABLE // self.often
        if first or self.often < GAMES_A_TABLE:
            people[0] = self.people[0]
        events: list[Any] = [
            table.Opened(
                code=letters,
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
            began = time + game * 1000
            stream = f"{began:011x}{number:014}{game:02}"
            if game == 1 and first and people[0] == self.people[0] and self.often >= GAMES_A_TABLE:
                # One game is enough for whoever is to have a known number of them.
                events.append(table.Sat(seat=0, person=self.people[1], name="P1"))
            secrets = [f"{self._random.getrandbits(256):064x}" for _ in range(real.seats)]
            events += [table.SaidReady(seat=seat, ready=True) for seat in range(real.seats)]
            events.append(table.StartBegan(until=began + 10_000))
            events += [
                table.Committed(seat=seat, commitment=secret[::-1]) for seat, secret in enumerate(secrets)
            ]
            events += [table.Revealed(seat=seat, secret=secret) for seat, secret in enumerate(secrets)]
            events.append(table.Began(game=stream, time=began))
            events.append(
                table.Finished(scores=real.scores, winners=real.winners, seed=real.seed, time=began + 900)
            )
            for seq, at, event in real.lines:
                yield stream, seq, at, event, None
        if not is_open:
            events.append(table.Closed(time=time + 10_000))
        for seq, event in enumerate(events, 1):
            yield stream_of(letters), seq, time, to_json(event).decode(), None


async def fill(database: str, count: int, **how: Any) -> Filler:
    """Make the database, with so many games in its logs and no rows of them yet."""
    await (await open_store(database)).close()
    filler = Filler(count, **how)
    people = [(person, f"P{person[6:]}", 0) for person in filler.people]
    if database.startswith("postgres"):
        await _fill_postgres(database, filler, people)
    else:
        _fill_sqlite(database, filler, people)
    return filler


def _in_parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    for row in rows:
        part.append(row)
        if len(part) >= AT_ONCE:
            yield sorted(part, key=lambda row: row[:2])
            part = []
    yield sorted(part, key=lambda row: row[:2])


def _fill_sqlite(path: str, filler: Filler, people: list[Row]) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -500000")
    connection.executemany("INSERT INTO people (id, name, created_time) VALUES (?, ?, ?)", people)
    for part in _in_parts(filler.rows()):
        connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?)", part)
        connection.commit()
    connection.close()


async def _fill_postgres(address: str, filler: Filler, people: list[Row]) -> None:
    connection = await asyncpg.connect(address)
    await connection.copy_records_to_table("people", records=people, columns=["id", "name", "created_time"])
    for part in _in_parts(filler.rows()):
        await connection.copy_records_to_table("log", records=part)
    await connection.execute("ANALYZE")
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
