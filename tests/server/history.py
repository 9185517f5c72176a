"""A long history, quickly: the rows of games that nobody played, straight into the database."""

from __future__ import annotations

from sqlalchemy import insert

from tercet.server.store import Store, open_store, schema

#: So many games are written in one transaction.
AT_ONCE = 2000


async def give_history(database: str, people: list[str], count: int) -> list[str]:
    """Let these people have finished so many games together; their ids, the latest first."""
    store = await open_store(database)
    try:
        ids = [f"{people[0][:12]}{number:08}" for number in range(count)]  # those of others have other ids
        for first in range(0, count, AT_ONCE):
            await _write(store, people, ids[first : first + AT_ONCE], first)
        return ids[::-1]
    finally:
        await store.close()


async def _write(store: Store, people: list[str], ids: list[str], first: int) -> None:
    games = [
        {
            "id": game,
            "code": "LONGAGO",
            "game": "set",
            "practice": False,
            "start_time": number,
            "end_time": number + 1,
            "waits_for": "",
        }
        for number, game in enumerate(ids, first)
    ]
    players = [
        {
            "game": game["id"],
            "seat": seat,
            "person": person,
            "name": f"P{seat}",
            "points": seat,
            "won": False,
            "sets": 0,
            "turns": 0,
            "played_ms": 0,
            "start_time": game["start_time"],
        }
        for game in games
        for seat, person in enumerate(people)
    ]
    async with store.writing(exclusive=True) as connection:
        await connection.execute(insert(schema.games), games)
        await connection.execute(insert(schema.players), players)
