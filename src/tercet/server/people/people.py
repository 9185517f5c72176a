"""People: guests who need only a name, accounts, and bearer tokens for programs."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from itsdangerous import BadData, URLSafeTimedSerializer
from msgspec import Struct
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from tercet.games import check_names
from tercet.server.ids import new_id, now_ms
from tercet.server.projections.rebuild import projections
from tercet.server.projections.writer import forget, hand_over
from tercet.server.protocol import Token
from tercet.server.store import Store, schema
from tercet.sets import TercetError

#: How long a browser stays the same guest without coming back.
SESSION_SECONDS = 400 * 24 * 3600
TOKEN_PREFIX = "tercet_"
#: How many letters a new password needs.
PASSWORD_LENGTH = 8


class PeopleError(TercetError):
    """A wish that cannot be granted; ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Visitor(Struct, frozen=True):
    """Somebody who is here. ``former`` are the guests that this person has been before logging in."""

    id: str
    name: str
    account: str | None = None
    former: frozenset[str] = frozenset()


class People:
    """All who have ever come, in the store."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret
        self._cookies = URLSafeTimedSerializer(
            secret, salt="session", signer_kwargs={"digest_method": hashlib.sha256}
        )
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
                insert(schema.people).values(
                    id=guest.id, name=guest.name, sessions=0, created_time=int(now_ms())
                )
            )
        return guest

    async def rename(self, visitor: Visitor, name: str) -> Visitor:
        name = check_name(name)
        await self._change(visitor.id, name=name)
        return Visitor(visitor.id, name, visitor.account, visitor.former)

    async def find(self, person: str, sessions: int | None = None) -> Visitor | None:
        """The person of this id; ``sessions`` is the count that a session must have been begun under."""
        people = schema.people
        async with self._store.reading() as connection:
            row = (await connection.execute(select(people).where(people.c.id == person))).first()
            if row is None or row.merged_into is not None or sessions not in (None, row.sessions):
                return None
            found = await connection.execute(select(people.c.id).where(people.c.merged_into == person))
            return Visitor(row.id, row.name, row.account, frozenset(found.scalars()))

    # --- sessions ---

    async def sign_in(self, visitor: Visitor) -> str:
        """The value of a session cookie."""
        async with self._store.reading() as connection:
            query = select(schema.people.c.sessions).where(schema.people.c.id == visitor.id)
            sessions = (await connection.execute(query)).scalar_one()
        return str(self._cookies.dumps([visitor.id, sessions]))

    async def by_cookie(self, cookie: str) -> Visitor | None:
        try:
            person, sessions = self._cookies.loads(cookie, max_age=SESSION_SECONDS)
        except BadData:
            return None
        return await self.find(person, sessions)

    async def end_sessions(self, visitor: Visitor) -> None:
        """No cookie of this person is worth anything any more."""
        await self._change(visitor.id, sessions=schema.people.c.sessions + 1)

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
                account_key=_account_key(name),
                password=await self._hash(password),
            )
        except IntegrityError:
            raise PeopleError("name_taken", f"the name {name} is taken") from None
        return Visitor(visitor.id, name, name, visitor.former)

    async def log_in(self, name: str, password: str, guest: Visitor | None) -> Visitor:
        """The account's person, who takes over what the guest has played."""
        people = schema.people
        async with self._store.reading() as connection:
            query = select(people).where(people.c.account_key == _account_key(name))
            row = (await connection.execute(query)).first()
        if not await self._matches(row.password if row else None, password) or row is None:
            raise PeopleError("wrong_password", "no account has this name and password")
        if guest is not None and guest.account is None and guest.id != row.id:
            await self._merge(guest, row.id)
        visitor = await self.find(row.id)
        assert visitor is not None
        return visitor

    async def change_password(self, visitor: Visitor, old: str, new: str) -> None:
        """From now on the account has the new password, and all its sessions are over."""
        people = schema.people
        async with self._store.reading() as connection:
            query = select(people.c.password).where(people.c.id == visitor.id)
            hashed = (await connection.execute(query)).scalar()
        if hashed is None:
            raise PeopleError("no_account", "you have no account, and so no password")
        if not await self._matches(hashed, old):
            raise PeopleError("wrong_old_password", "this is not your password")
        check_password(new)
        await self._change(visitor.id, password=await self._hash(new), sessions=people.c.sessions + 1)

    async def _merge(self, guest: Visitor, account: str) -> None:
        ids = [guest.id, *guest.former]
        people = schema.people
        async with self._store.writing(exclusive=True) as connection:
            await connection.execute(update(people).where(people.c.id.in_(ids)).values(merged_into=account))
            for kept in await projections(connection):
                await hand_over(connection, kept, ids, account)

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
        ids = [visitor.id, *visitor.former]
        people, tokens = schema.people, schema.tokens
        async with self._store.writing(exclusive=True) as connection:
            await connection.execute(delete(tokens).where(tokens.c.person.in_(ids)))
            await connection.execute(delete(people).where(people.c.id.in_(ids)))
            for kept in await projections(connection):
                await forget(connection, kept, ids)

    # --- tokens ---

    async def new_token(self, visitor: Visitor, label: str, limit: int) -> Token:
        tokens = schema.tokens
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        token = Token(new_id(), check_name(label), int(now_ms()), None, secret)
        async with self._store.writing() as connection:
            count = select(func.count()).select_from(tokens).where(tokens.c.person == visitor.id)
            if (await connection.execute(count)).scalar_one() >= limit:
                raise PeopleError("too_many_tokens", f"you have {limit} tokens; revoke one first")
            await connection.execute(
                insert(tokens).values(
                    id=token.id,
                    person=visitor.id,
                    label=token.label,
                    digest=_digest(secret),
                    created_time=token.created_time,
                )
            )
        return token

    async def tokens(self, visitor: Visitor) -> list[Token]:
        tokens = schema.tokens
        query = select(tokens).where(tokens.c.person == visitor.id).order_by(tokens.c.created_time)
        async with self._store.reading() as connection:
            return [
                Token(row.id, row.label, row.created_time, row.used_time)
                for row in await connection.execute(query)
            ]

    async def revoke(self, visitor: Visitor, token: str) -> bool:
        """Whether there was such a token."""
        tokens = schema.tokens
        async with self._store.writing() as connection:
            gone = await connection.execute(
                delete(tokens).where(tokens.c.id == token, tokens.c.person == visitor.id)
            )
        return bool(gone.rowcount)

    async def by_token(self, secret: str) -> Visitor | None:
        tokens, now = schema.tokens, int(now_ms())
        async with self._store.reading() as connection:
            row = (await connection.execute(select(tokens).where(tokens.c.digest == _digest(secret)))).first()
        if row is None:
            return None
        if row.used_time is None or now - row.used_time > 60_000:
            async with self._store.writing() as connection:
                await connection.execute(update(tokens).where(tokens.c.id == row.id).values(used_time=now))
        return await self.find(row.person)

    async def _change(self, person: str, **values: Any) -> None:
        async with self._store.writing() as connection:
            await connection.execute(
                update(schema.people).where(schema.people.c.id == person).values(**values)
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


def _account_key(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
