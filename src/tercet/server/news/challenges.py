"""Challenges: made, answered, taken back or forgotten. They stand in the database, so that any node may see to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet import games
from tercet.codec import from_json, to_json
from tercet.server import table
from tercet.server.budgets import TooMuch, over
from tercet.server.clock import Clock
from tercet.server.ids import new_id, now_ms
from tercet.server.limits import Limits
from tercet.server.people.people import People, PeopleError, Visitor
from tercet.server.protocol import (
    Challenge,
    ChallengeNews,
    Decline,
    NewChallenge,
    NewTable,
    OnlineBot,
    PersonalNews,
    PersonSeat,
    Side,
    Sit,
    Status,
)
from tercet.server.room.rooms import Rooms
from tercet.server.store import Store, Unavailable, schema
from tercet.sets import TercetError

#: How long a challenge that is over is remembered.
KEPT_MS = 24 * 3600 * 1000

#: So many times as many may wait for somebody as one may make.
WAITING = 4

_PEOPLE = schema.people.alias("challengers"), schema.people.alias("challengeds")
Tell = Callable[[Collection[str], PersonalNews], None]


async def open_challenges(store: Store, clock: Clock, people: Collection[str]) -> list[Challenge]:
    """The challenges of these ids, by them and to them, that are open, or were accepted so lately that their table may not be known;
    the oldest first."""
    made = schema.challenges
    fresh = made.c.expires_time > int(now_ms()), made.c.status.in_(("open", "accepted"))
    return await challenges_of(store, clock, people, *fresh)


async def challenges_of(
    store: Store, clock: Clock, people: Collection[str], *which: ColumnElement[bool]
) -> list[Challenge]:
    """The challenges of these ids that are kept, by them and to them, or ``which`` of them; the oldest first."""
    made = schema.challenges
    theirs = or_(made.c.challenger.in_(people), made.c.challenged.in_(people))
    query = _query().where(theirs, *which)
    async with store.reading() as connection:
        return [_read(row, clock) for row in await connection.execute(query.order_by(made.c.created_time))]


class Challenges:
    """What can be done about them."""

    def __init__(
        self, store: Store, clock: Clock, people: People, rooms: Rooms, limits: Limits, tell: Tell
    ) -> None:
        self._store = store
        self._clock = clock
        self._people = people
        self._rooms = rooms
        self._limits = limits
        self._tell = tell
        self._tasks: set[asyncio.Task[None]] = set()

    async def make(self, visitor: Visitor, wanted: NewChallenge, online: Collection[OnlineBot]) -> Challenge:
        """Challenge somebody; `PeopleError`, `OptionsError` or `TooMuch` if that cannot be."""
        visitor.check_player()
        rules = games.find(wanted.game).rules
        rules.check_seats(2)
        options = table.check_options(rules, wanted.options)
        other = await self._people.find_account(wanted.to)
        if other is None:
            raise PeopleError("no_such_account", f"there is no account {wanted.to}")
        if other.id in visitor.ids:
            raise PeopleError("not_yourself", "nobody challenges themselves")
        if not (other.program or visitor.program):
            raise PeopleError("no_bot", "only bots are challenged; send a person the link of a table")
        if other.name == visitor.name:
            raise PeopleError("name_taken", "you have the same name; take another one first")
        if other.program:
            _check_online(other, wanted.game, online)
        now = int(now_ms())
        row: dict[str, Any] = {
            "id": new_id(),
            "challenger": visitor.id,
            "challenged": other.id,
            "game": wanted.game,
            "options": to_json(options).decode(),
            "status": "open",
            "created_time": now,
            "expires_time": now + int(1000 * self._limits.challenge_seconds),
        }
        made = schema.challenges
        async with self._store.writing(exclusive=True) as connection:
            await connection.execute(delete(made).where(made.c.expires_time < now - KEPT_MS))
            most = self._limits.challenges_open
            for side, person, limit in (
                (made.c.challenger, visitor.id, most),
                (made.c.challenged, other.id, WAITING * most),
            ):
                waiting = select(func.count()).where(
                    side == person, made.c.status == "open", made.c.expires_time > now
                )
                if (await connection.execute(waiting)).scalar_one() >= limit:
                    over("challenges_open")
                    raise TooMuch("too_many_challenges", "too many challenges are open already; wait a while")
            await connection.execute(insert(made).values(row))
            challenge = await self._find(connection, row["id"])
        assert challenge is not None
        self._later(challenge)
        return self._told(challenge)

    async def mine(self, visitor: Visitor) -> list[Challenge]:
        return await open_challenges(self._store, self._clock, visitor.ids)

    async def cancel(self, visitor: Visitor, challenge: str) -> Challenge:
        """Take back one that the visitor has made."""
        visitor.check_player()
        return self._told(
            await self._settle(challenge, "cancelled", schema.challenges.c.challenger.in_(visitor.ids))
        )

    async def decline(self, visitor: Visitor, challenge: str, reason: Decline) -> Challenge:
        visitor.check_player()
        theirs = schema.challenges.c.challenged.in_(visitor.ids)
        return self._told(await self._settle(challenge, "declined", theirs, reason=reason))

    async def accept(self, visitor: Visitor, challenge: str) -> Challenge:
        """Both sit down at a new table, which a person hosts if there is one."""
        visitor.check_player()
        made = schema.challenges
        accepted = await self._settle(challenge, "accepted", made.c.challenged.in_(visitor.ids))
        try:
            code = await self._seat(accepted)
        except (TercetError, Unavailable):
            undone = update(made).where(made.c.id == challenge).values(status="declined", reason="later")
            async with self._store.writing() as connection:
                await connection.execute(undone)
                failed = await self._find(connection, challenge)
            if failed is not None:
                self._told(failed)
            raise
        async with self._store.writing() as connection:
            await connection.execute(update(made).where(made.c.id == challenge).values(code=code))
        accepted.table = code
        return self._told(accepted)

    async def _seat(self, challenge: Challenge) -> str:
        sides = [challenge.challenger, challenge.challenged]
        if sides[0].program and not sides[1].program:
            sides.reverse()
        people = [await self._people.find(side.id) for side in sides]
        host, guest = people
        if host is None or guest is None:
            raise PeopleError("challenge_over", "whoever made this challenge is not here any more")
        wanted = NewTable(
            game=challenge.game,
            options=challenge.options,
            seats=[PersonSeat(), PersonSeat()],
            late_join=False,
        )
        room = await self._rooms.create(host, wanted)
        refusal = await room.manage(guest, Sit(), new_id())
        if refusal is not None:
            raise Unavailable
        return room.code

    async def _settle(self, challenge: str, status: Status, whose: Any, **more: Any) -> Challenge:
        """Give an open challenge another status, once; whoever comes later is told that it is over."""
        made, now = schema.challenges, int(now_ms())
        is_open = and_(made.c.id == challenge, made.c.status == "open", made.c.expires_time > now)
        changing = update(made).where(is_open, whose).values(status=status, **more)
        async with self._store.writing(exclusive=True) as connection:
            changed = (await connection.execute(changing)).rowcount
            found = await self._find(connection, challenge)
        if not changed or found is None:
            raise PeopleError(
                "challenge_over", "there is no such challenge any more, or it is not yours to answer"
            )
        return found

    def _told(self, challenge: Challenge) -> Challenge:
        sides = (challenge.challenger.id, challenge.challenged.id)
        self._tell(sides, ChallengeNews(challenge=challenge))
        return challenge

    async def _find(self, connection: AsyncConnection, challenge: str) -> Challenge | None:
        row = (await connection.execute(_query().where(schema.challenges.c.id == challenge))).first()
        return None if row is None else _read(row, self._clock)

    # --- what nobody answers ---

    def _later(self, challenge: Challenge) -> None:
        task = asyncio.create_task(self._expire(challenge))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expire(self, challenge: Challenge) -> None:
        await asyncio.sleep(self._limits.challenge_seconds)
        made = schema.challenges
        is_open = and_(made.c.id == challenge.id, made.c.status == "open")
        try:
            async with self._store.writing() as connection:
                changed = (
                    await connection.execute(update(made).where(is_open).values(status="expired"))
                ).rowcount
                is_gone = await self._find(connection, challenge.id) is None  # with one of its people
        except Unavailable:
            return  # that its time is up is known all the same
        if changed or is_gone:
            challenge.status = "expired"
            self._told(challenge)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _check_online(bot: Visitor, game: str, online: Collection[OnlineBot]) -> None:
    found = next((one for one in online if one.account == bot.account), None)
    if found is None:
        raise PeopleError("not_online", f"{bot.name} is not here now; GET /api/bots lists the bots that are")
    if game not in found.games:
        raise PeopleError("other_games", f"{bot.name} plays {', '.join(found.games)}")


def _query() -> Any:
    made, (challengers, challengeds) = schema.challenges, _PEOPLE
    named = [
        column.label(f"{side}_{name}")
        for side, people in (("from", challengers), ("to", challengeds))
        for name in ("name", "account", "program")
        for column in (people.c[name],)
    ]
    return (
        select(made, *named)
        .join(challengers, challengers.c.id == made.c.challenger)
        .join(challengeds, challengeds.c.id == made.c.challenged)
    )


def _read(row: Row[Any], clock: Clock) -> Challenge:
    """A challenge as people are shown it."""
    return Challenge(
        id=row.id,
        status=row.status,
        challenger=Side(row.challenger, row.from_name, row.from_account, row.from_program),
        challenged=Side(row.challenged, row.to_name, row.to_account, row.to_program),
        game=row.game,
        options=from_json(row.options, dict[str, Any]),
        table=row.code,
        reason=row.reason,
        created_time=clock.wall(row.created_time),
        expires_time=clock.wall(row.expires_time),
    )
