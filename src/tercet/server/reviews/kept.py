"""Reviews in the database: those that are kept, those that are to be made, and who asked for them.

Several nodes share the queue. Whoever takes a review from it puts its name there, and is seen at it from time to time; what nobody
has been seen at for a while is taken by another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, case, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server.ids import now_ms
from tercet.server.protocol import AskedReview, GameSummary
from tercet.server.store import Store, schema
from tercet.server.store.many import batched
from tercet.study.review import Review, review_type, reviewed_games

DAY_MS = 24 * 3_600_000
#: After so long without a sign of whoever makes a review, another may.
LOST_MS = 20_000

kept, queue, asked = schema.reviews, schema.review_queue, schema.reviews_asked


def engines() -> dict[str, type[Review]]:
    """How each game is reviewed now."""
    return {name: review_type(name) for name in reviewed_games()}


#: What waits to be made by itself, when it is quiet, is nobody's business: it may be asked for.
IS_SEEN = or_(queue.c.person.is_not(None), queue.c.node.is_not(None))


class Game(NamedTuple):
    """A game, as far as a review must know it. ``table`` is its table's code."""

    id: str
    kind: str
    table: str
    problem: str | None


class Job(NamedTuple):
    """A review to be made."""

    game: str
    kind: str
    games: int | None
    tries: int


async def find_game(connection: AsyncConnection, game: str) -> Game | None:
    """The game, and the code of what keeps it from being reviewed, if something does."""
    games, tables = schema.games, schema.tables
    query = (
        select(games.c.game, games.c.code, games.c.end_time, tables.c.phase)
        .join_from(games, tables, tables.c.code == games.c.code, isouter=True)
        .where(games.c.id == game)
    )
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    problem = None
    if row.game not in reviewed_games():
        problem = "no_review"
    elif row.end_time is None:
        problem = "broken_off" if row.phase == "closed" else "not_finished"
    return Game(game, row.game, row.code, problem)


async def find_kept(connection: AsyncConnection, game: str) -> Any:
    """The row of a review that is kept, and that the engine of today has made; None if there is none."""
    row = (await connection.execute(select(kept).where(kept.c.game == game))).first()
    if row is None or row.kind not in reviewed_games() or row.engine != review_type(row.kind).current:
        return None
    return row


async def find_queued(connection: AsyncConnection, game: str) -> tuple[Any, int] | None:
    """The row of a review that is being made or was asked for, and how many are made before."""
    row = (await connection.execute(select(queue).where(queue.c.game == game, IS_SEEN))).first()
    if row is None:
        return None
    before = select(func.count()).where(
        or_(
            queue.c.node.is_not(None),
            _ORDER[0] < int(row.person is None),
            and_(_ORDER[0] == int(row.person is None), queue.c.asked_time < row.asked_time),
        ),
        queue.c.game != game,
    )
    return row, int((await connection.execute(before)).scalar_one())


async def add(
    connection: AsyncConnection, game: str, kind: str, games: int | None, person: str | None
) -> None:
    """One more to be made; one that was to be made by itself is now made for this person."""
    found = await connection.execute(
        update(queue).where(queue.c.game == game).values(person=func.coalesce(queue.c.person, person))
    )
    if not found.rowcount:
        await connection.execute(
            insert(queue).values(game=game, kind=kind, games=games, person=person, asked_time=int(now_ms()))
        )


async def note_asked(connection: AsyncConnection, person: str, game: str) -> None:
    """It counts for a day."""
    now = int(now_ms())
    await connection.execute(delete(asked).where(asked.c.asked_time < now - DAY_MS))
    await connection.execute(insert(asked).values(person=person, asked_time=now, game=game))


async def count_asked(connection: AsyncConnection, people: Collection[str]) -> int:
    """How many reviews these people, who are one, have asked for within a day."""
    query = select(func.count()).where(asked.c.person.in_(people), asked.c.asked_time > now_ms() - DAY_MS)
    return int((await connection.execute(query)).scalar_one())


async def waits_for_one(connection: AsyncConnection, people: Collection[str]) -> bool:
    """Whether one is being made for them."""
    query = select(queue.c.game).where(queue.c.person.in_(people)).limit(1)
    return (await connection.execute(query)).first() is not None


async def count_queued(connection: AsyncConnection, *, by_itself: bool) -> int:
    query = select(func.count()).where(queue.c.person.is_(None) if by_itself else queue.c.person.is_not(None))
    return int((await connection.execute(query)).scalar_one())


async def asked_by(store: Store, people: Collection[str]) -> list[AskedReview]:
    """What these people, who are one, have asked for within a day."""
    query = select(asked.c.game, asked.c.asked_time).where(asked.c.person.in_(people))
    async with store.reading() as connection:
        return [
            AskedReview(game, time)
            for game, time in await connection.execute(query.order_by(asked.c.asked_time))
        ]


async def mark_reviewed(store: Store, games: Sequence[GameSummary]) -> None:
    """Say of each game whether it has a review, or one is being made."""
    now = engines()
    async with store.reading() as connection:
        for some in batched(games, 500):
            known = {game.id: game for game in some}
            rows = select(queue.c.game).where(queue.c.game.in_(list(known)), IS_SEEN)
            for (game,) in await connection.execute(rows):
                known[game].review = "making"
            ready = select(kept.c.game, kept.c.kind, kept.c.engine).where(
                kept.c.game.in_(list(known)), kept.c.problem.is_(None)
            )
            for game, kind, engine in await connection.execute(ready):
                if kind in now and now[kind].current == engine:
                    known[game].review = "ready"


async def forget(connection: AsyncConnection, people: Collection[str]) -> None:
    """Nobody knows any more that these people asked for reviews. (Their names stand in none.)"""
    await connection.execute(delete(asked).where(asked.c.person.in_(people)))
    await connection.execute(update(queue).where(queue.c.person.in_(people)).values(person=None))


# --- making them ---

#: What somebody asked for comes first.
_ORDER = (case((queue.c.person.is_(None), 1), else_=0), queue.c.asked_time, queue.c.game)


async def take(store: Store, node: str, *, by_itself: bool) -> Job | None:
    """Take the next one to be made, unless another node is quicker; ``by_itself``: also one that nobody asked for."""
    is_free = or_(queue.c.node.is_(None), queue.c.seen_time < now_ms() - LOST_MS)
    query = select(queue).where(is_free).order_by(*_ORDER).limit(1)
    if not by_itself:
        query = query.where(queue.c.person.is_not(None))
    async with store.reading() as connection:
        row = (await connection.execute(query)).first()
    if row is None:
        return None
    mine = (
        update(queue)
        .where(queue.c.game == row.game, is_free)
        .values(node=node, seen_time=int(now_ms()), tries=queue.c.tries + 1, done=0, total=0)
    )
    async with store.writing() as connection:
        if (await connection.execute(mine)).rowcount != 1:
            return None
    return Job(row.game, row.kind, row.games, row.tries + 1)


async def see(store: Store, node: str, job: Job, done: int, total: int) -> bool:
    """It is still being made here, and has come so far; whether it is still ours to make."""
    async with store.writing() as connection:
        found = await connection.execute(
            update(queue)
            .where(queue.c.game == job.game, queue.c.node == node)
            .values(seen_time=int(now_ms()), done=done, total=total)
        )
        return found.rowcount == 1


async def put_back(store: Store, node: str, job: Job, *, tries: int) -> None:
    """It was not made after all; it has been tried so often."""
    async with store.writing() as connection:
        await connection.execute(
            update(queue).where(queue.c.game == job.game, queue.c.node == node).values(node=None, tries=tries)
        )


async def free_all(store: Store) -> None:
    """Nobody makes any now."""
    async with store.writing() as connection:
        await connection.execute(update(queue).values(node=None))


async def keep(
    store: Store, node: str, job: Job, games: int | None, content: bytes, problem: str | None
) -> bool:
    """Keep what came of it, by so many games; whether it was ours to make. A review that is there outlives one that could not
    be made."""
    row = {
        "game": job.game,
        "kind": job.kind,
        "engine": review_type(job.kind).current,
        "games": games,
        "problem": problem,
        "content": content,
        "made_time": int(now_ms()),
    }
    async with store.writing() as connection:
        done = delete(queue).where(queue.c.game == job.game, queue.c.node == node)
        if (await connection.execute(done)).rowcount != 1:
            return False
        old = await find_kept(connection, job.game)
        if problem is None or old is None or old.problem is not None:
            await connection.execute(delete(kept).where(kept.c.game == job.game))
            await connection.execute(insert(kept).values(row))
    return True


async def drop(store: Store, game: str) -> None:
    """There is no such game any more."""
    async with store.writing() as connection:
        await connection.execute(delete(queue).where(queue.c.game == game))


async def queue_outdated(store: Store) -> bool:
    """Let one review of an engine of before be made again; whether there was one."""
    for name, kind in engines().items():
        for other in (kept.c.engine < kind.current, kept.c.engine > kind.current):
            query = select(kept.c.game, kept.c.games).where(kept.c.kind == name, other).limit(1)
            async with store.reading() as connection:
                row = (await connection.execute(query)).first()
            if row is not None:
                await queue_again(store, row.game, name, row.games)
                return True
    return False


async def queue_again(store: Store, game: str, kind: str, games: int | None) -> None:
    """Let a review be made again by the engine of today, as deep as it was."""
    async with store.writing(exclusive=True) as connection:
        await add(connection, game, kind, None if games == review_type(kind).usual_games else games, None)
        await connection.execute(delete(kept).where(kept.c.game == game))
