"""People: guests who need only a name, accounts, and bearer tokens for programs.

How somebody is known is a session: the cookie of a browser or the token of a program (`tercet.server.people.signed_in`).
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from collections.abc import Sequence
from time import monotonic
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tercet.games import check_names
from tercet.server.ids import new_id, now_ms
from tercet.server.people.signed_in import Kind, Session, SignedIn
from tercet.server.projections.boards import list_person
from tercet.server.projections.rebuild import projections
from tercet.server.projections.writer import forget, hand_over
from tercet.server.protocol import SCOPES, Scope, Token
from tercet.server.reviews.kept import forget as forget_asking
from tercet.server.store import Store, schema
from tercet.sets import TercetError

#: How long, and for how many, it is remembered who comes by a session. It is forgotten at once when one ends, here or on
#: another node; the seconds are for a node that did not hear of it.
KNOWN_SECONDS = 0.5
KNOWN_LIMIT = 4096
NEW_TOKEN = "make a new one on the page Account, or by POST /api/tokens"
#: How many letters a new password needs.
PASSWORD_LENGTH = 8


class PeopleError(TercetError):
    """A wish that cannot be granted; ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Visitor(Struct, frozen=True):
    """Somebody who is here. ``former`` are the guests that this person has been before logging in; ``session`` is
    how they are known, ``scopes`` what that allows if it is a program's token. ``program``: it is a bot's account."""

    id: str
    name: str
    account: str | None = None
    former: frozenset[str] = frozenset()
    session: str = ""
    scopes: tuple[Scope, ...] | None = None
    program: bool = False

    @property
    def by_token(self) -> bool:
        """Whether a program's token is how they are known."""
        return self.scopes is not None

    def may(self, *scopes: Scope) -> bool:
        """Whether they are known by something that allows one of these."""
        return self.scopes is None or not set(scopes).isdisjoint(self.scopes)

    def check_player(self) -> None:
        """`PeopleError` for somebody who tries to play with a bot's account by hand."""
        if self.program and not self.by_token:
            raise PeopleError(
                "bots_by_token", "this is a bot's account: it plays by a token; log in as a person to play"
            )

    @property
    def ids(self) -> frozenset[str]:
        """All that this person is and was known by."""
        return self.former | {self.id}


class People:
    """All who have ever come, in the store."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret
        self.signed_in = SignedIn(store)
        self.signed_in.listeners.append(self.forget_ended)
        self._known: dict[tuple[Kind, str], tuple[float, Visitor]] = {}
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(2)

    @classmethod
    async def open(cls, store: Store) -> People:
        """With the secret of this store, which is made the first time."""
        query = select(schema.secrets.c.value).where(schema.secrets.c.name == "cookies")
        async with store.writing(exclusive=True) as connection:
            secret = (await connection.execute(query)).scalar()
            if secret is None:
                secret = secrets.token_bytes(32)
                await connection.execute(insert(schema.secrets).values(name="cookies", value=secret))
        return cls(store, secret)

    def space(self) -> str:
        """A word that only those who share this store have in common, and that gives away nothing."""
        return hashlib.blake2b(b"bus", key=self._secret, digest_size=8).hexdigest()

    async def new_guest(self, name: str) -> Visitor:
        guest = Visitor(new_id(), check_name(name))
        async with self._store.writing() as connection:
            await connection.execute(
                insert(schema.people).values(id=guest.id, name=guest.name, created_time=int(now_ms()))
            )
        return guest

    async def rename(self, visitor: Visitor, name: str) -> Visitor:
        name = check_name(name)
        await self._change(visitor.id, name=name)
        return replace(visitor, name=name)

    async def find(self, person: str, session: Session | None = None) -> Visitor | None:
        """The person of this id; ``session`` is how they are known."""
        people = schema.people
        async with self._store.reading() as connection:
            row = (await connection.execute(select(people).where(people.c.id == person))).first()
            if row is None or row.merged_into is not None:
                return None
            found = await connection.execute(select(people.c.id).where(people.c.merged_into == person))
            visitor = Visitor(row.id, row.name, row.account, frozenset(found.scalars()), program=row.program)
        return visitor if session is None else replace(visitor, session=session.id, scopes=session.scopes)

    async def find_account(self, name: str) -> Visitor | None:
        """The person of this login name."""
        people = schema.people
        query = select(people.c.id).where(people.c.account_key == account_key(name))
        async with self._store.reading() as connection:
            person = (await connection.execute(query)).scalar()
        return None if person is None else await self.find(person)

    # --- sessions ---

    async def sign_in(self, visitor: Visitor) -> str:
        """The value of a new session cookie."""
        return await self.signed_in.new_cookie(visitor.id)

    async def by_cookie(self, cookie: str) -> Visitor | None:
        return await self._by_secret(cookie, "cookie")

    async def by_token(self, secret: str) -> Visitor:
        """Who comes by this token; `PeopleError` if it is none, or none any more."""
        visitor = await self._by_secret(secret, "token")
        if visitor is not None:
            return visitor
        if await self.signed_in.was_token(secret):
            raise PeopleError("token_ended", f"this token was revoked, or its time is up; {NEW_TOKEN}")
        raise PeopleError("bad_token", f"there is no such token; {NEW_TOKEN}")

    async def _by_secret(self, secret: str, kind: Kind) -> Visitor | None:
        known = self._known.get((kind, secret))
        if known is not None and known[0] > monotonic():
            return known[1]
        session = await self.signed_in.find(secret, kind)
        visitor = None if session is None else await self.find(session.person, session)
        if visitor is None or self.signed_in.has_ended(visitor.session):
            return None
        if len(self._known) >= KNOWN_LIMIT:
            self._known.clear()
        self._known[kind, secret] = (monotonic() + KNOWN_SECONDS, visitor)
        return visitor

    def _forget_known(self, person: str) -> None:
        """What is remembered of this person is not true any more."""
        self._known = {key: known for key, known in self._known.items() if person not in known[1].ids}

    def forget_ended(self, ended: frozenset[str]) -> None:
        """These sessions are over: whoever comes by them is nobody."""
        self._known = {key: known for key, known in self._known.items() if known[1].session not in ended}

    async def end_session(self, visitor: Visitor) -> None:
        """Log out: this one cookie, or this one token, is worth nothing any more."""
        await self.signed_in.end(schema.sessions.c.id == visitor.session)

    async def end_sessions(self, visitor: Visitor) -> None:
        """No cookie and no token of this person is worth anything any more."""
        await self.signed_in.end(schema.sessions.c.person.in_(visitor.ids))

    # --- accounts ---

    async def register(self, visitor: Visitor, name: str, password: str) -> Visitor:
        """Make the guest an account; everything that the guest played stays with it."""
        name = check_name(name)
        if visitor.account is not None:
            raise PeopleError("registered_already", "you have an account already")
        check_password(password)
        try:
            await self._change(
                visitor.id,
                name=name,
                account=name,
                account_key=account_key(name),
                password=await self._hash(password),
            )
        except IntegrityError:
            raise PeopleError("name_taken", f"the name {name} is taken") from None
        async with self._store.writing(exclusive=True) as connection:
            for kept in await projections(connection):
                await list_person(connection, kept.bests, visitor.id)
        # Whoever else knew the guest's cookie or made a token of the guest's does not come into the account.
        await self.end_sessions(visitor)
        return Visitor(visitor.id, name, name, visitor.former)

    async def log_in(self, name: str, password: str, guest: Visitor | None) -> Visitor:
        """The account's person, who takes over what the guest has played, but for a bot; how the guest was known is over."""
        people = schema.people
        async with self._store.reading() as connection:
            query = select(people).where(people.c.account_key == account_key(name))
            row = (await connection.execute(query)).first()
        if not await self._matches(row.password if row else None, password) or row is None:
            raise PeopleError("wrong_password", "no account has this name and password")
        if guest is not None and guest.account is None and guest.id != row.id and not row.program:
            await self._merge(guest, row.id)
            await self.end_sessions(guest)
        elif guest is not None:
            await self.end_session(guest)
        self._forget_known(row.id)
        visitor = await self.find(row.id)
        assert visitor is not None
        return visitor

    async def change_password(self, visitor: Visitor, old: str, new: str) -> None:
        """From now on the account has the new password, and all its sessions but this one are over, tokens too."""
        people = schema.people
        async with self._store.reading() as connection:
            query = select(people.c.password).where(people.c.id == visitor.id)
            hashed = (await connection.execute(query)).scalar()
        if hashed is None:
            raise PeopleError("no_account", "you have no account, and so no password")
        if not await self._matches(hashed, old):
            raise PeopleError("wrong_old_password", "this is not your password")
        check_password(new)
        sessions = schema.sessions
        hashed = await self._hash(new)
        others = and_(sessions.c.person.in_(visitor.ids), sessions.c.id != visitor.session)
        async with self.signed_in.ending(others) as connection:
            changed = update(people).where(people.c.id == visitor.id).values(password=hashed)
            await connection.execute(changed)

    async def become_program(self, visitor: Visitor) -> Visitor:
        """From now on, and for good, the account is a bot's: it plays by tokens alone, and is shown as a bot. Only for an account
        that nobody has played with."""
        await self.check_unplayed(visitor)
        await self._change(visitor.id, program=True)
        return replace(visitor, program=True)

    async def check_unplayed(self, visitor: Visitor) -> None:
        """`PeopleError` for who has no account, or has played with it."""
        if visitor.account is None:
            raise PeopleError("no_account", "make an account first: a bot needs one of its own")
        async with self._store.reading() as connection:
            for played in (schema.players, schema.runs):
                query = select(played.c.game).where(played.c.person.in_(visitor.ids)).limit(1)
                if (await connection.execute(query)).first() is not None:
                    raise PeopleError(
                        "played_already", "somebody has played with this account; make a new one for the bot"
                    )

    async def _merge(self, guest: Visitor, account: str) -> None:
        people = schema.people
        async with self._store.writing(exclusive=True) as connection:
            await connection.execute(
                update(people).where(people.c.id.in_(guest.ids)).values(merged_into=account)
            )
            for kept in await projections(connection):
                await hand_over(connection, kept, guest.ids, account)

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _matches(self, hashed: str | None, password: str) -> bool:
        """Takes as long for a name that does not exist, so that names cannot be tried out."""
        async with self._hashing:
            if hashed is None:
                await asyncio.to_thread(self._hasher.hash, password)
                return False
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, password)
            except Argon2Error:
                return False

    async def created_time(self, visitor: Visitor) -> int:
        async with self._store.reading() as connection:
            query = select(schema.people.c.created_time).where(schema.people.c.id == visitor.id)
            return int((await connection.execute(query)).scalar_one())

    async def delete(self, visitor: Visitor) -> None:
        """Forget the person: name, account, password, tokens, and who played the games."""
        people, sessions = schema.people, schema.sessions
        more = True
        while more:  # what is much is done before, some at a time, so that nobody must wait for it
            async with self._store.writing(exclusive=True) as connection:
                more = any(
                    [await forget(connection, kept, visitor.ids) for kept in await projections(connection)]
                )
        async with self.signed_in.ending(sessions.c.person.in_(visitor.ids)) as connection:
            await connection.execute(delete(sessions).where(sessions.c.person.in_(visitor.ids)))
            await connection.execute(delete(people).where(people.c.id.in_(visitor.ids)))
            await forget_asking(connection, visitor.ids)
            for side in (schema.challenges.c.challenger, schema.challenges.c.challenged):
                await connection.execute(delete(schema.challenges).where(side.in_(visitor.ids)))
            for kept in await projections(connection):
                while await forget(connection, kept, visitor.ids):
                    pass

    # --- tokens ---

    async def new_token(
        self,
        visitor: Visitor,
        label: str,
        limit: int,
        scopes: Sequence[Scope] = SCOPES,
        days: int | None = None,
    ) -> Token:
        """A token that lasts until it is revoked, or for so many days. No token makes another one."""
        if visitor.by_token:
            raise PeopleError("not_by_token", "a token cannot do this; log in with a browser")
        token = await self.signed_in.new_token(
            visitor.id, check_name(label), visitor.session or None, limit, scopes, days
        )
        if token is None:
            raise PeopleError("too_many_tokens", f"you have {limit} tokens; revoke one first")
        return token

    async def tokens(self, visitor: Visitor) -> list[Token]:
        return await self.signed_in.tokens(visitor.id)

    async def revoke(self, visitor: Visitor, token: str) -> bool:
        """Whether there was such a token."""
        sessions = schema.sessions
        mine = and_(sessions.c.id == token, sessions.c.person == visitor.id, sessions.c.kind == "token")
        return bool(await self.signed_in.end(mine))

    async def _change(self, person: str, **values: Any) -> None:
        async with self._store.writing() as connection:
            await connection.execute(
                update(schema.people).where(schema.people.c.id == person).values(**values)
            )
        self._forget_known(person)


def check_scopes(visitor: Visitor, scopes: tuple[Scope, ...]) -> None:
    """`PeopleError` for a token that allows none of these."""
    if not scopes and visitor.by_token:
        raise PeopleError("not_by_token", "a token cannot do this; log in with a browser")
    if visitor.scopes is not None and not visitor.may(*scopes):
        raise PeopleError(
            "missing_scope",
            f"this token may {' and '.join(visitor.scopes)}, and not {' or '.join(scopes)};"
            " make one that may on the page Account, or by POST /api/tokens",
        )


def check_name(name: str) -> str:
    """The name without stray blanks; `PeopleError` if it is none."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    try:
        return check_names([name])[0]
    except TercetError as error:
        raise PeopleError("bad_name", str(error)) from None


def check_password(password: str) -> None:
    """`PeopleError` if nobody should take this as a new password."""
    if len(password) < PASSWORD_LENGTH:
        raise PeopleError("password_too_short", f"a password has at least {PASSWORD_LENGTH} letters")


def account_key(name: str) -> str:
    """What makes two login names the same one: blanks, case and width do not count."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
