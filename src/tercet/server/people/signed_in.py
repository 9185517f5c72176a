"""Who is signed in: every cookie and every token is a row, and is worth something until that row is ended.

Only a digest of the secret is kept, so whoever reads the database can sign in as nobody. When sessions end, all who
listen are told at once: open sockets are closed, here and on the other nodes.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server.ids import new_id, now_ms
from tercet.server.protocol import SCOPES, Scope, Token
from tercet.server.store import Store, Unavailable, schema

Kind = Literal["cookie", "token"]

#: How long a browser stays the same guest without coming back.
SESSION_SECONDS = 400 * 24 * 3600
TOKEN_PREFIX = "tercet_"
#: So many browsers can be signed in for one person; one more ends the one that was used longest ago.
COOKIES_PER_PERSON = 50
#: How exactly it is known when a session was last used.
USED_MS = {"cookie": 3_600_000, "token": 60_000}
#: How long the rows of ended sessions are kept.
ENDED_KEPT_MS = 30 * 24 * 3600 * 1000
#: For so many seconds it is remembered which sessions have just ended: somebody may be on the way in by one.
JUST_ENDED_SECONDS = 60
#: So many sessions are asked about at once.
MANY = 500
DAY_MS = 24 * 3600 * 1000


class Session(Struct, frozen=True):
    """How somebody is known; ``scopes``: what a token may do, None for a cookie."""

    id: str
    person: str
    scopes: tuple[Scope, ...] | None = None


class SignedIn:
    """All sessions, in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: Told which sessions are over, as soon as they are, whoever ended them.
        self.listeners: list[Callable[[frozenset[str]], None]] = []
        #: Told only of those that ended here, for the other nodes.
        self.tell_others: Callable[[frozenset[str]], None] = lambda _ended: None
        self._just_ended: dict[str, float] = {}
        #: When tokens that somebody uses here expire.
        self._expiring: dict[str, int] = {}

    # --- beginning ---

    async def new_cookie(self, person: str, made_by: str | None = None) -> str:
        """The value of a new cookie."""
        sessions, secret = schema.sessions, secrets.token_urlsafe(32)
        query = (
            select(sessions.c.id)
            .where(sessions.c.person == person, sessions.c.kind == "cookie", sessions.c.ended_time.is_(None))
            .order_by(func.coalesce(sessions.c.used_time, sessions.c.created_time).desc())
            .offset(COOKIES_PER_PERSON - 1)
        )
        async with self._store.writing() as connection:
            oldest = frozenset((await connection.execute(query)).scalars())
            if oldest:
                await self._end(connection, sessions.c.id.in_(oldest))
            await connection.execute(
                insert(sessions).values(
                    id=new_id(),
                    person=person,
                    kind="cookie",
                    made_by=made_by,
                    digest=_digest(secret),
                    created_time=int(now_ms()),
                )
            )
        self._tell(oldest)
        return secret

    async def new_token(
        self,
        person: str,
        label: str,
        made_by: str | None,
        limit: int,
        scopes: Sequence[Scope] = SCOPES,
        days: int | None = None,
    ) -> Token | None:
        """A new token, with its secret, for so many days; None if the person has so many already."""
        sessions, now = schema.sessions, int(now_ms())
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        allowed = tuple(scope for scope in SCOPES if scope in scopes)
        expires = None if days is None else now + days * DAY_MS
        token = Token(new_id(), label, now, None, allowed, expires, secret)
        async with self._store.writing(exclusive=True) as connection:
            count = select(func.count()).where(
                sessions.c.person == person, sessions.c.kind == "token", sessions.c.ended_time.is_(None)
            )
            if (await connection.execute(count)).scalar_one() >= limit:
                return None
            await connection.execute(
                insert(sessions).values(
                    id=token.id,
                    person=person,
                    kind="token",
                    made_by=made_by,
                    label=label,
                    digest=_digest(secret),
                    created_time=token.created_time,
                    expires_time=token.expires_time,
                    scopes=" ".join(allowed),
                )
            )
        return token

    # --- being ---

    async def find(self, secret: str, kind: Kind) -> Session | None:
        """The session that this cookie or token stands for, if it is not over."""
        sessions, now = schema.sessions, int(now_ms())
        query = select(sessions).where(
            sessions.c.digest == _digest(secret), sessions.c.kind == kind, sessions.c.ended_time.is_(None)
        )
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        used = row.created_time if row.used_time is None else row.used_time
        if kind == "cookie" and now - used > SESSION_SECONDS * 1000:
            return None
        if row.expires_time is not None:
            if row.expires_time <= now:
                return None
            self._expiring[row.id] = row.expires_time
        if row.used_time is None or now - used > USED_MS[kind]:
            with suppress(Unavailable):  # a disk that is full need not keep anybody from reading
                async with self._store.writing() as connection:
                    changed = update(sessions).where(sessions.c.id == row.id).values(used_time=now)
                    await connection.execute(changed)
        return Session(row.id, row.person, _scopes(row.scopes) if kind == "token" else None)

    async def was_token(self, secret: str) -> bool:
        """Whether there was such a token, as far back as ended ones are kept."""
        query = select(schema.sessions.c.id).where(schema.sessions.c.digest == _digest(secret))
        async with self._store.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def end_expired(self) -> None:
        """End the tokens that have been used here and whose time is up, with everything that they opened."""
        now = int(now_ms())
        expired = [session for session, time in self._expiring.items() if time <= now]
        if expired:
            await self.end(schema.sessions.c.id.in_(expired))
            for session in expired:
                del self._expiring[session]

    async def tokens(self, person: str) -> list[Token]:
        sessions = schema.sessions
        query = (
            select(sessions)
            .where(sessions.c.person == person, sessions.c.kind == "token", sessions.c.ended_time.is_(None))
            .order_by(sessions.c.created_time)
        )
        async with self._store.reading() as connection:
            return [
                Token(
                    row.id,
                    row.label,
                    row.created_time,
                    row.used_time,
                    _scopes(row.scopes),
                    row.expires_time,
                )
                for row in await connection.execute(query)
            ]

    def has_ended(self, session: str) -> bool:
        """Whether this session has ended just now."""
        return session in self._just_ended

    async def over(self, asked: Collection[str]) -> frozenset[str]:
        """Which of these sessions are over."""
        sessions, listed, good = schema.sessions, list(asked), set[str]()
        async with self._store.reading() as connection:
            for first in range(0, len(listed), MANY):
                some = sessions.c.id.in_(listed[first : first + MANY])
                query = select(sessions.c.id).where(some, sessions.c.ended_time.is_(None))
                good.update((await connection.execute(query)).scalars())
        return frozenset(listed) - good

    # --- ending ---

    async def end(self, which: ColumnElement[bool]) -> frozenset[str]:
        """End these sessions and what was made with tokens among them, and tell everybody; which ended."""
        async with self._store.writing() as connection:
            ended = await self._end(connection, which)
        self._tell(ended)
        return ended

    @asynccontextmanager
    async def ending(self, which: ColumnElement[bool]) -> AsyncIterator[AsyncConnection]:
        """End these sessions in one exclusive transaction with what is done in the block; then tell everybody."""
        async with self._store.writing(exclusive=True) as connection:
            ended = await self._end(connection, which)
            yield connection
        self._tell(ended)

    async def _end(self, connection: AsyncConnection, which: ColumnElement[bool]) -> frozenset[str]:
        sessions, ended = schema.sessions, set[str]()
        while True:
            query = select(sessions.c.id, sessions.c.kind).where(which, sessions.c.ended_time.is_(None))
            found = list(await connection.execute(query))
            if not found:
                return frozenset(ended)
            ids = [row.id for row in found]
            now = int(now_ms())
            await connection.execute(update(sessions).where(sessions.c.id.in_(ids)).values(ended_time=now))
            ended.update(ids)
            which = sessions.c.made_by.in_([row.id for row in found if row.kind == "token"])

    def _tell(self, ended: frozenset[str]) -> None:
        if ended:
            self.take_ended(ended)
            self.tell_others(ended)

    def take_ended(self, ended: frozenset[str]) -> None:
        """These sessions are over, here or on another node."""
        now = monotonic()
        for session in [one for one, time in self._just_ended.items() if now - time > JUST_ENDED_SECONDS]:
            del self._just_ended[session]
        self._just_ended |= dict.fromkeys(ended, now)
        for listener in self.listeners:
            listener(ended)

    async def tidy(self) -> None:
        """Take away the rows of sessions that nobody will ask for any more."""
        sessions, now = schema.sessions, int(now_ms())
        used, unused_since = sessions.c.used_time, now - SESSION_SECONDS * 1000
        async with self._store.writing() as connection:
            for old in (  # one after the other, so that each has its index
                (sessions.c.ended_time < now - ENDED_KEPT_MS,),
                (used < unused_since, sessions.c.kind == "cookie"),
                (used.is_(None), sessions.c.created_time < unused_since, sessions.c.kind == "cookie"),
            ):
                await connection.execute(delete(sessions).where(*old))


def _scopes(written: str | None) -> tuple[Scope, ...]:
    """What a token may do: one from before there were scopes, everything."""
    return SCOPES if written is None else tuple(scope for scope in SCOPES if scope in written.split())


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
