"""The client without ``await``: each call waits until it is done. A thread of its own keeps the tables up to date meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Self, TypeVar

from tercet.bots import DEFAULT_TIME_LIMIT, Bot
from tercet.client.errors import ClientError
from tercet.client.http import Client, Kinds, News
from tercet.client.table import RemoteTable
from tercet.fairness import Promise
from tercet.games import Command, Entry
from tercet.games.legal import Legal
from tercet.server import protocol
from tercet.server.protocol import (
    SCOPES,
    Challenge,
    Decline,
    GameSummary,
    Me,
    OnlineBot,
    Scope,
    TableCommand,
    TableSummary,
    Token,
)
from tercet.study.review import Review

T = TypeVar("T")


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tercet client", daemon=True)
        self._thread.start()

    @property
    def is_closed(self) -> bool:
        return self._loop.is_closed()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise ClientError("closed", "this client is closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()


class SyncClient:
    """A person on a server, as `Client`: every method of it that is here does the same."""

    def __init__(
        self, url: str, token: str | None = None, promises: str | Path | None = "data folder"
    ) -> None:
        self._client = Client(url, token, promises)
        self._loop = _Loop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the server; nothing can be asked after it."""
        self._loop.close()

    @property
    def me(self) -> Me | None:
        return self._client.me

    @property
    def url(self) -> str:
        return self._client.url

    def sign_in(self, name: str) -> Me:
        return self._loop.run(self._client.sign_in(name))

    def log_in(self, name: str, password: str) -> Me:
        return self._loop.run(self._client.log_in(name, password))

    def create_table(
        self,
        game: str,
        *,
        people: int = 1,
        bots: Sequence[str] = (),
        options: dict[str, Any] | None = None,
        **settings: Any,
    ) -> str:
        return self._loop.run(
            self._client.create_table(game, people=people, bots=bots, options=options, **settings)
        )

    def close_table(self, code: str) -> None:
        self._loop.run(self._client.close_table(code))

    def leave_table(self, code: str) -> None:
        self._loop.run(self._client.leave_table(code))

    def lobby(self) -> list[TableSummary]:
        return self._loop.run(self._client.lobby())

    def my_games(self, before: str | None = None) -> list[GameSummary]:
        return self._loop.run(self._client.my_games(before))

    def new_token(self, label: str, scopes: Sequence[Scope] = SCOPES, days: int | None = None) -> Token:
        return self._loop.run(self._client.new_token(label, scopes, days))

    def become_bot(self) -> Me:
        return self._loop.run(self._client.become_bot())

    def bots(self) -> list[OnlineBot]:
        return self._loop.run(self._client.bots())

    def challenges(self) -> list[Challenge]:
        return self._loop.run(self._client.challenges())

    def challenge(self, to: str, game: str, options: dict[str, Any] | None = None) -> Challenge:
        return self._loop.run(self._client.challenge(to, game, options))

    def accept(self, challenge: str) -> Challenge:
        return self._loop.run(self._client.accept(challenge))

    def decline(self, challenge: str, reason: Decline = "no") -> Challenge:
        return self._loop.run(self._client.decline(challenge, reason))

    def cancel(self, challenge: str) -> Challenge:
        return self._loop.run(self._client.cancel(challenge))

    def events(self, games: Sequence[str] = ()) -> Iterator[News]:
        """Your news, one after the other; waits for each."""
        news = self._client.events(games)
        try:
            while True:
                yield self._loop.run(_next(news))
        finally:
            if not self._loop.is_closed:
                self._loop.run(_close(news))

    def record(self, game: str, form: str = "text") -> str:
        return self._loop.run(self._client.record(game, form))

    def review(self, game: str, *, deeper: bool = False, seconds: float = 600) -> Review:
        return self._loop.run(self._client.review(game, deeper=deeper, seconds=seconds))

    def what_if(self, game: str, line: int, command: Command) -> Any:
        return self._loop.run(self._client.what_if(game, line, command))

    def join(self, code: str) -> SyncTable:
        """A table, as a context manager."""
        return SyncTable(self._loop, self._client, code)

    def play_game(self, code: str, kinds: Kinds, random: Random, seconds: float = 300) -> dict[str, int]:
        return self._loop.run(self._client.play_game(code, kinds, random, seconds))

    def play_challenge(
        self,
        challenge: Challenge,
        kinds: Kinds,
        random: Random,
        seconds: float = 300,
    ) -> dict[str, int]:
        return self._loop.run(self._client.play_challenge(challenge, kinds, random, seconds))

    def request(self, method: str, path: str, body: Any = None, *, kind: Any = Any) -> Any:
        return self._loop.run(self._client.request(method, path, body, kind=kind))


async def _next(news: Any) -> News:
    found: News = await anext(news)
    return found


async def _close(news: Any) -> None:
    await news.aclose()


class SyncTable:
    """A table on a server, as `RemoteTable`. It stays up to date by itself; what you look at twice may have changed."""

    def __init__(self, loop: _Loop, client: Client, code: str) -> None:
        self._loop = loop
        self._client = client
        self._code = code
        self._remote: RemoteTable | None = None

    def __repr__(self) -> str:
        return f"<table {self._code} at {self._client.url}>"

    def __enter__(self) -> Self:
        self._remote = self._loop.run(self._enter())
        return self

    async def _enter(self) -> RemoteTable:
        return await self._client.join(self._code).__aenter__()

    def __exit__(self, *_: object) -> None:
        self._loop.run(self._table.__aexit__(None, None, None))

    @property
    def _table(self) -> RemoteTable:
        if self._remote is None:
            raise ClientError("left", "you are not at the table: with client.join(code) as table: …")
        return self._remote

    @property
    def code(self) -> str:
        return self._code

    @property
    def table(self) -> protocol.Table:
        return self._table.table

    @property
    def state(self) -> Any:
        """The game as you may know it; None before the first game."""
        return self._table.state

    @property
    def seat(self) -> int | None:
        return self._table.seat

    @property
    def game(self) -> str | None:
        return self._table.game

    @property
    def names(self) -> tuple[str, ...]:
        return self._table.names

    @property
    def log(self) -> list[Entry[Any]]:
        return list(self._table.log)

    @property
    def promise(self) -> Promise | None:
        return self._table.promise

    @property
    def is_over(self) -> bool:
        return self._table.is_over

    @property
    def legal(self) -> Legal[Any]:
        return self._table.legal

    def begin(self, seconds: float = 300) -> int:
        return self._loop.run(self._table.begin(seconds))

    def play(self, command: Command) -> int | None:
        return self._loop.run(self._table.play(command))

    def manage(self, command: TableCommand) -> None:
        self._loop.run(self._table.manage(command))

    def say(self, text: str) -> None:
        self._loop.run(self._table.say(text))

    def changed(self) -> None:
        self._loop.run(self._table.changed())

    def until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        self._loop.run(self._table.until(condition, seconds))

    def play_as(self, bot: Bot[Any, Any], time_limit: float = DEFAULT_TIME_LIMIT) -> None:
        self._loop.run(self._table.play_as(bot, time_limit))


def _explain_as(ours: type, theirs: type) -> None:
    """Let ``help`` say of each method what it says of the one with ``await``."""
    for name, method in vars(ours).items():
        if callable(method) and not method.__doc__:
            method.__doc__ = getattr(getattr(theirs, name, None), "__doc__", None)


_explain_as(SyncClient, Client)
_explain_as(SyncTable, RemoteTable)
