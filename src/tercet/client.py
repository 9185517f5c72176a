"""Play over the network: a client for the table server.

>>> import asyncio
>>> from random import Random
>>> from tercet import bots, games
>>> async def main():  # plays nothing, but shows how
...     async with Client("http://localhost:8000") as client:
...         await client.sign_in("Robo")
...         game = games.names()[0]
...         code = await client.create_table(game, bots=bots.names(game)[:1])
...         async with client.join(code) as table:
...             await table.manage(Ready())
...             await table.until(lambda: table.game is not None)
...             robo = bots.make(game, bots.names(game)[-1], table.seat, Random())
...             while not table.is_over:
...                 if (command := robo.choose(table.state, 1.0)) is not None:
...                     await table.play(command)
...                 await table.changed()
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Coroutine, Sequence
from http.cookies import SimpleCookie
from pathlib import Path
from random import random
from secrets import token_hex
from types import TracebackType
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

import msgspec
from msgspec import DecodeError

from tercet import games
from tercet.codec import from_data, from_json, to_data
from tercet.extras import needs
from tercet.fairness import Promise, Terms, commit_secret, terms_of
from tercet.games import Command, Entry
from tercet.server import protocol
from tercet.server.protocol import (
    Accepted,
    Bye,
    Commit,
    Events,
    GameStarted,
    GameSummary,
    Me,
    Ping,
    Presence,
    Ready,
    Refused,
    Reveal,
    ReviewState,
    ServerMessage,
    TableChanged,
    TableCommand,
    TableSummary,
    Token,
    Welcome,
)
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.sets import TercetError
from tercet.study.review import Review, review_type
from tercet.study.review import read as read_review

with needs("client"):
    from platformdirs import user_data_path
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, InvalidHandshake

__all__ = ["Client", "ClientError", "Ready", "Refusal", "RemoteTable"]

#: Seconds before a lost connection is tried again: at first, and at most.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
#: Seconds between two looks at a review that is being made.
REVIEW_WAIT = 1.0
#: Reasons of the server that are worth another try.
_TEMPORARY = ("slow", "restart")
#: How many promises are kept in a folder; the oldest go first.
PROMISES_KEPT = 1000
#: Codes below 4400 with which it closes for good, also without a word.
_FINAL = (CLOSE_CODES["kicked"], CLOSE_CODES["signed_out"])


class ClientError(TercetError):
    """The server said no to a request, or cannot be reached. ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Refusal(TercetError):
    """The table refused a command; nothing has changed."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(str(data))
        self.data = data
        self.code: str = data["code"]


class Client:
    """A person on a server. ``token``: a bearer token, for programs that act for an account. ``promises``: the folder
    in which is kept what the server promised before each game, for ``tercet verify --promise``; None keeps it only
    in memory (`RemoteTable.promise`)."""

    def __init__(
        self, url: str, token: str | None = None, promises: str | Path | None = "data folder"
    ) -> None:
        self.url = url.rstrip("/")
        self.promises = (
            None if promises is None else usual_promises() if promises == "data folder" else Path(promises)
        )
        self.me: Me | None = None
        self._token = token
        self._cookie: str | None = None
        local = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
        self._opener: OpenerDirector = build_opener(*([ProxyHandler({})] if local else []))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def sign_in(self, name: str) -> Me:
        """Come in as a guest."""
        self.me = await self.request("POST", "/api/session", {"name": name}, kind=Me)
        return self.me

    async def log_in(self, name: str, password: str) -> Me:
        """Come back to an account."""
        self.me = await self.request("POST", "/api/login", {"name": name, "password": password}, kind=Me)
        return self.me

    async def create_table(
        self,
        game: str,
        *,
        people: int = 1,
        bots: Sequence[str] = (),
        options: dict[str, Any] | None = None,
        **settings: Any,
    ) -> str:
        """A new table with so many seats for people and these bots; its code."""
        seats = [{"kind": "person"}] * people + [{"kind": "bot", "bot": bot} for bot in bots]
        wanted = {"game": game, "seats": seats, "options": options or {}, **settings}
        created = await self.request("POST", "/api/tables", wanted, kind=protocol.TableCreated)
        return str(created.code)

    async def close_table(self, code: str) -> None:
        """Close a table that you host, and with it its game."""
        await self._send("DELETE", f"/api/tables/{code}", None)

    async def leave_table(self, code: str) -> None:
        """Give up your seat there; in a running game a bot plays on for you."""
        await self._send("DELETE", f"/api/tables/{code}/seat", None)

    async def lobby(self) -> list[TableSummary]:
        """Public tables."""
        found: list[TableSummary] = await self.request("GET", "/api/tables", kind=list[TableSummary])
        return found

    async def my_games(self, before: str | None = None) -> list[GameSummary]:
        """The latest games, a page of them; ``before`` names the last one of the page before."""
        query = "" if before is None else f"?{urlencode({'before': before})}"
        found: list[GameSummary] = await self.request("GET", f"/api/me/games{query}", kind=list[GameSummary])
        return found

    async def new_token(self, label: str) -> Token:
        token: Token = await self.request("POST", "/api/tokens", {"label": label}, kind=Token)
        return token

    async def record(self, game: str, form: str = "text") -> str:
        """The record of a game; `tercet.record.read` reads it."""
        return (await self._send("GET", f"/api/games/{game}/record?form={form}", None)).decode()

    async def review(self, game: str, *, deeper: bool = False, seconds: float = 600) -> Review:
        """What a finished game teaches: waits so long until it has been reviewed. ``deeper``: by four times as many games as the
        review that is there, if it plays any out."""
        state = await self._review_state("POST", game, {"deeper": deeper})
        last = asyncio.get_running_loop().time() + seconds
        while state.making is not None:
            if asyncio.get_running_loop().time() > last:
                raise ClientError("too_slow", f"the review is not ready after {seconds:g} seconds")
            await asyncio.sleep(REVIEW_WAIT)
            state = await self._review_state("GET", game, None)
        if state.problem is not None:
            raise ClientError(state.problem, f"the game cannot be reviewed: {state.problem}")
        if state.review is None:
            raise ClientError("review_failed", "the review came to nothing; ask again")
        return read_review(json.dumps(state.review))

    async def _review_state(self, method: str, game: str, body: Any) -> ReviewState:
        state: ReviewState = await self.request(method, f"/api/games/{game}/review", body, kind=ReviewState)
        return state

    async def what_if(self, game: str, line: int, command: Command) -> Any:
        """What another command would have been worth than the one in this line of a finished game's record, as a decision of
        its review; `Refusal` if the rules do not allow it."""
        body = {"line": line, "command": to_data(command)}
        judged = await self.request("POST", f"/api/games/{game}/review/what-if", body, kind=protocol.Judged)
        if judged.refusal is not None:
            raise Refusal(judged.refusal)
        kind = review_type(judged.game).judged
        return from_data(judged.judged, kind) if kind is not None else judged.judged

    def join(self, code: str) -> RemoteTable:
        """A table, as an async context manager."""
        return RemoteTable(self, code)

    async def request(self, method: str, path: str, body: Any = None, *, kind: Any = Any) -> Any:
        """Any request of the HTTP API; `ClientError` if the server says no."""
        return from_json(await self._send(method, path, body), kind)

    async def _send(self, method: str, path: str, body: Any) -> bytes:
        request = Request(self.url + path, method=method, headers=self.headers())
        if body is not None:
            request.data = json.dumps(to_data(body)).encode()
            request.add_header("Content-Type", "application/json")
        return await asyncio.to_thread(self._open, request)

    def _open(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=30) as answer:
                cookies: SimpleCookie = SimpleCookie(answer.headers.get("Set-Cookie", ""))
                for name, morsel in cookies.items():
                    self._cookie = f"{name}={morsel.value}"
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            try:
                failure = from_json(error.read(), protocol.Failure)
            except DecodeError:
                raise ClientError("http", f"the server answers {error.code}") from None
            raise ClientError(failure.code, failure.detail) from None
        except (URLError, OSError) as error:
            raise ClientError("unreachable", f"cannot reach {self.url}: {error}") from None

    def headers(self) -> dict[str, str]:
        """The headers that say who we are."""
        if self._token is not None:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": self._cookie} if self._cookie is not None else {}


def usual_promises() -> Path:
    """The folder of this person's data."""
    return Path(os.environ.get("TERCET_PROMISES") or user_data_path("tercet") / "promises")


def keep_promise(folder: Path, server: str, promise: Promise) -> Path:
    """Write what was promised to a file of its own, named by server, table and number of the game."""
    place = re.sub(r"[^A-Za-z0-9.-]+", "_", urlsplit(server).netloc or server)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / f"{place}-{promise.terms.table}-{promise.terms.number}.json"
    draft = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(msgspec.json.encode(promise))
    draft.replace(file)
    kept = sorted(folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-PROMISES_KEPT]:
        old.unlink(missing_ok=True)
    return file


class RemoteTable:
    """A table on a server, kept up to date; a lost connection is taken up again by itself.

    When a game starts, the client commits to a secret by itself, looks at everybody's commitments, keeps that list and
    shows its secret (F1). ``promise`` is what it was told before the running or last game.

    ``table`` is the table, ``state`` the game from your ``seat``, ``log`` its events since you came. Commands
    that were under way when the connection broke are sent again: the server carries out none of them twice.
    """

    def __init__(self, client: Client, code: str) -> None:
        self.code = code
        self.table: protocol.Table
        self.you: Me
        self.game: str | None = None
        self.seat: int | None = None
        #: The game as you may know it, as the state of its rules; None before the first game.
        self.state: Any = None
        self.names: tuple[str, ...] = ()
        self.log: list[Entry[Any]] = []
        self.present: tuple[protocol.Present, ...] = ()
        self.missed: tuple[int, ...] = ()
        #: What was promised before the running or last game, if we were there.
        self.promise: Promise | None = None
        #: Called with every message of the server.
        self.listeners: list[Callable[[ServerMessage], None]] = []
        #: How often the connection was taken up again.
        self.reconnections = 0
        self._client = client
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, tuple[str, asyncio.Future[int | None]]] = {}
        self._number = 0
        self._session = f"{random():.12f}"[2:]
        self._changed = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._ended: ClientError | None = None
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        #: Our secrets for the start that is under way, by what we committed to; and what we have answered so far.
        self._secrets: dict[str, str] = {}
        self._answered: set[tuple[str, str]] = set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        await self._welcomed.wait()
        if self._ended is not None:
            raise self._ended
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(self._task, *self._tasks, return_exceptions=True)

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.table.game).rules
        return rules

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.log[-1].seq if self.log else 0

    @property
    def is_over(self) -> bool:
        """Whether the last game that began here is over."""
        return self.game is not None and bool(self.rules.is_over(self.state))

    async def play(self, command: Command) -> int | None:
        """Play a command of the game; the number of its last event, or `Refusal`."""
        return await self._ask({"type": "play", "command": to_data(command)})

    async def manage(self, command: TableCommand) -> None:
        """A command about the table, such as `Ready`."""
        await self._ask({"type": "manage", "command": to_data(command)})

    async def say(self, text: str) -> None:
        await self._ask({"type": "say", "text": text})

    async def changed(self) -> None:
        """Wait until something has happened since this was last waited for; at once if it has already."""
        if self._ended is not None:
            raise self._ended
        await self._changed.wait()
        self._changed.clear()
        if self._ended is not None:
            raise self._ended

    async def until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Wait until something is true."""

        async def wait() -> None:
            while not condition():
                await self.changed()

        await asyncio.wait_for(wait(), seconds)

    async def _ask(self, message: dict[str, Any]) -> int | None:
        if self._ended is not None:
            raise self._ended
        self._number += 1
        name = f"{self._session}-{self._number}"
        text = json.dumps({**message, "id": name})
        answer: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._waiting[name] = (text, answer)
        try:
            await self._send_text(text)
            return await answer
        finally:
            self._waiting.pop(name, None)

    async def _send_text(self, text: str) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(text)
            except ConnectionClosed:
                return  # it is sent again when the connection is back

    async def _run(self) -> None:
        wait = FIRST_WAIT
        try:
            while self._ended is None:
                try:
                    await self._attend()
                    wait = FIRST_WAIT
                except (OSError, InvalidHandshake, TimeoutError):
                    pass
                if self._ended is None:
                    await asyncio.sleep(wait * (0.5 + random()))
                    wait = min(2 * wait, LONGEST_WAIT)
                    self.reconnections += 1
        finally:
            if self._ended is None:
                self._ended = ClientError("left", "you have left the table")
            for _, answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(self._ended)
            self._changed.set()
            self._welcomed.set()

    async def _attend(self) -> None:
        """One connection, from the handshake to its end."""
        query = urlencode({"game": self.game or "", "seen": self.seq})
        address = f"ws{self._client.url.removeprefix('http')}/api/tables/{self.code}/socket?{query}"
        async with connect(
            address, additional_headers=self._client.headers(), proxy=None, compression=None
        ) as socket:
            try:
                async for text in socket:
                    await self._hear(from_json(text, ServerMessage), socket)
            except ConnectionClosed:
                pass
            finally:
                self._socket = None
            if socket.close_code is not None and (
                4400 <= socket.close_code < 4500 or socket.close_code in _FINAL
            ):
                reason = socket.close_reason or "refused"
                self._ended = ClientError(reason, f"table {self.code}: {reason}")

    async def _hear(self, message: ServerMessage, socket: ClientConnection) -> None:
        match message:
            case Welcome():
                self.table, self.you, self.present = message.table, message.you, message.present
                self.missed = message.missed
                if message.game is not None:
                    self._take_game(message.game)
                self._socket = socket
                self._welcomed.set()
                for text, _ in list(self._waiting.values()):
                    await self._send_text(text)
                self._take_part()
            case TableChanged():
                self.table = message.table
                self._take_part()
                self.seat = next(
                    (n for n, seat in enumerate(message.table.seats) if seat.person == self.you.id), None
                )
            case GameStarted():
                self._take_game(message.game)
            case Events():
                for entry in self._take_entries(message.entries):
                    self.state = self.rules.evolve(self.state, entry.event, entry.at)
            case Accepted() | Refused():
                self._take_answer(message)
            case Presence():
                self.present, self.missed = message.present, message.missed
            case Ping():
                await self._send_text(json.dumps({"type": "pong", "number": message.number}))
            case Bye() if message.reason not in _TEMPORARY:
                self._ended = ClientError(message.reason, f"table {self.code}: {message.reason}")
        for listener in self.listeners:
            listener(message)
        if not isinstance(message, Accepted | Refused | Ping):
            self._changed.set()

    # --- the luck ---

    def _take_part(self) -> None:
        """Do our part of a start that is under way: commit, and when all have, keep the list and reveal."""
        table, start = self.table, self.table.start
        seat = next((n for n, seat in enumerate(table.seats) if seat.person == self.you.id), None)
        if start is None:
            return
        terms = terms_of(table.game, table.options, table.code, table.number)
        if seat is not None and start.stage == "committing" and not start.commitments[seat]:
            if self._is_new("commit"):
                secret = token_hex(32)
                commitment = commit_secret(secret, terms)
                self._secrets = {commitment: secret}
                self._answer(Commit(to=table.commitment, commitment=commitment))
        elif start.stage == "revealing":
            self._reveal(terms, seat)

    def _reveal(self, terms: Terms, seat: int | None) -> None:
        table, start = self.table, self.table.start
        assert start is not None
        commitments = tuple(start.commitments)
        secret = "" if seat is None else self._secrets.get(commitments[seat], "")
        promise = Promise(
            terms=terms,
            commitment=table.commitment,
            commitments=commitments,
            called_off=table.called_off,
            seat=seat,
            secret=secret,
        )
        #: Another client of ours may have been first to commit, and knows the secret: then it reveals.
        is_whole = all(commitments[n] for n, sitting in enumerate(table.seats) if sitting.person is not None)
        if not is_whole or not self._is_new("reveal"):
            return
        self.promise = promise
        if self._client.promises is not None:
            keep_promise(self._client.promises, self._client.url, promise)
        if secret and (table.commitment, "commit") in self._answered:
            self._answer(Reveal(to=table.commitment, secret=secret))

    def _is_new(self, what: str) -> bool:
        """Whether we have not yet done this for the seed that the table has committed to."""
        answer = (self.table.commitment, what)
        if answer in self._answered:
            return False
        self._answered = {known for known in self._answered if known[0] == self.table.commitment} | {answer}
        return True

    def _answer(self, command: TableCommand) -> None:
        """A command about whose answer there is nothing to do: whatever it is, everybody hears how the start goes on."""

        async def ask() -> None:
            try:
                await self.manage(command)
            except (Refusal, ClientError):
                return

        self._begin(ask())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take_game(self, game: protocol.RunningGame) -> None:
        if game.id != self.game:
            self.game, self.log = game.id, []
        self.seat, self.names = game.seat, game.names
        self.state = from_data(game.state, self.rules.state_type)
        self._take_entries(game.entries)

    def _take_entries(self, entries: Sequence[Any]) -> list[Entry[Any]]:
        """Add what is new to the log; what that is."""
        known = self.seq
        news = [entry for entry in self._read(entries) if entry.seq > known]
        self.log += news
        return news

    def _read(self, entries: Sequence[Any]) -> list[Entry[Any]]:
        return [from_data(plain, self.rules.entry_type) for plain in entries]

    def _take_answer(self, message: Accepted | Refused) -> None:
        _, answer = self._waiting.get(message.id, (None, None))
        if answer is None or answer.done():
            return
        if isinstance(message, Accepted):
            answer.set_result(message.seq)
        else:
            answer.set_exception(Refusal(message.refusal))
