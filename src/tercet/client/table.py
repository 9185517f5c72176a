"""A table on a server, kept up to date over its WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from random import random
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, get_args
from urllib.parse import urlencode

from msgspec import DecodeError

from tercet import games
from tercet.bots import DEFAULT_TIME_LIMIT, Bot
from tercet.bots.driver import Act, Choose, Look, Wait, attend
from tercet.client.errors import ClientError, Refusal, closed
from tercet.client.lines import CANNOT_OPEN, TEMPORARY, Patience, open_line
from tercet.client.promises import keep_promise
from tercet.codec import from_data, from_json, reason, to_data
from tercet.extras import needs
from tercet.fairness import Promise, Terms, commit_secret, terms_of
from tercet.games import Command, Entry
from tercet.games.legal import Legal
from tercet.server import protocol
from tercet.server.protocol import (
    Accepted,
    Bye,
    ClientMessage,
    Commit,
    Events,
    GameStarted,
    Leave,
    Me,
    Ping,
    Presence,
    Ready,
    Refused,
    Reveal,
    ServerMessage,
    Sit,
    TableChanged,
    TableCommand,
    Welcome,
)
from tercet.server.protocol.refusals import REFUSAL_REASONS
from tercet.server.protocol.words import holds_nul
from tercet.sets import KindError, of_kind

with needs("client"):
    from websockets.asyncio.client import ClientConnection
    from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from tercet.client.http import Client


class RemoteTable:
    """A table on a server, kept up to date; a lost connection is taken up again by itself.

    When a game starts, the client commits to a secret by itself, looks at everybody's commitments, keeps that list and
    shows its secret (F1). ``promise`` is what it was told before the running or last game.

    ``table`` is the table, ``state`` the game from your ``seat``, ``log`` its events since you came. Commands
    that were under way when the connection broke are sent again: the server carries out none of them twice.
    """

    def __init__(self, client: Client, code: str) -> None:
        of_kind(code, str, "the code of a table, as in 'K7QXRM'")
        if not (code.isascii() and code.isalnum()):
            raise closed(f"table {code!r}", "no_such_table")
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

    def __repr__(self) -> str:
        return f"<table {self.code} at {self._client.url}>"

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
        of_kind(command, Command, "a command of the game, such as one of table.legal")
        return await self._ask({"type": "play", "command": to_data(command)})

    async def manage(self, command: TableCommand) -> None:
        """A command about the table, such as `Ready`."""
        of_kind(command, get_args(TableCommand), "a command about the table, such as Ready()")
        await self._ask({"type": "manage", "command": to_data(command)})

    async def say(self, text: str) -> None:
        """Say something in the chat of the table."""
        of_kind(text, str, "a text to say")
        await self._ask({"type": "say", "text": text})

    async def begin(self, seconds: float = 300) -> int:
        """Take a seat, unless you have one, be ready, and wait until the game begins; your seat. `ClientError`, and your seat is given
        up, if the others are not ready in so many seconds."""
        if all(seat.person != self.you.id for seat in self.table.seats):
            await self.manage(Sit())
        if self.table.phase != "playing":
            await self.manage(Ready())
        before = None if self.table.last is None else self.table.last.game
        try:
            await self.until(
                lambda: self.table.phase == "playing" and self.game not in (None, before), seconds
            )
        except TimeoutError:
            await self.manage(Leave())
            raise ClientError("too_slow", f"nobody came to play within {seconds:g} seconds") from None
        if self.seat is None:
            raise ClientError("no_seat", "somebody else has your seat")
        return self.seat

    @property
    def legal(self) -> Legal[Any]:
        """What you may do now: a view to look into, as of `tercet.games.Game`; of nothing, before the game and for an onlooker."""
        seats = () if self.seat is None or self.state is None else (self.seat,)
        return Legal(self.rules, self.state, self.log[-1].at if self.log else 0, seats)

    async def play_as(self, bot: Bot[Any, Any], time_limit: float = DEFAULT_TIME_LIMIT) -> None:
        """Let a bot, yours or one of the ladder's, play your seat until the game is over and its result is there. What the bot raises
        comes out here; what the rules refuse it, it is not told, and looks again."""
        steps = attend()
        step = next(steps)
        while not self.is_over:
            match step:
                case Look():
                    self._changed.clear()
                    answer: Any = bot.delay(self.state)
                case Wait():
                    answer = await self._changes_within(step.milliseconds)
                case Choose():
                    command = await asyncio.to_thread(bot.choose, self.state, time_limit)
                    answer = None if self._changed.is_set() else command  # it thought about what is past
                case Act():
                    try:
                        await self.play(step.command)
                        answer = False
                    except Refusal:
                        answer = True
            step = steps.send(answer)
        await self.until(lambda: self.table.phase != "playing")

    async def _changes_within(self, milliseconds: int | None) -> bool:
        """Wait so long, or for something to happen; whether it did."""
        try:
            async with asyncio.timeout(None if milliseconds is None else milliseconds / 1000):
                await self.changed()
        except TimeoutError:
            return False
        return True

    async def changed(self) -> None:
        """Wait until something has happened since this was last waited for; at once if it has already."""
        if self._ended is not None:
            raise self._ended
        await self._changed.wait()
        self._changed.clear()
        if self._ended is not None:
            raise self._ended

    async def until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Wait until something is true; `TimeoutError` if it is not in so many seconds."""

        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await self.changed()
        except TimeoutError:
            raise TimeoutError(
                f"table {self.code}: what was waited for has not come in {seconds:g} seconds"
            ) from None

    async def _ask(self, message: dict[str, Any]) -> int | None:
        if self._ended is not None:
            raise self._ended
        self._number += 1
        name = f"{self._session}-{self._number}"
        text = _checked({**message, "id": name})
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
        patience = Patience(f"table {self.code}")
        try:
            while self._ended is None:
                try:
                    await self._attend(patience)
                except ClientError as error:
                    self._ended = error
                if self._ended is None:
                    await patience.wait()
                    self.reconnections += 1
        finally:
            if self._ended is None:
                self._ended = ClientError("left", "you have left the table")
            for _, answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(self._ended)
            self._changed.set()
            self._welcomed.set()

    async def _attend(self, patience: Patience) -> None:
        """One connection, from the handshake to its end."""
        query = urlencode({"game": self.game or "", "seen": self.seq})
        try:
            async with open_line(self._client, f"/api/tables/{self.code}/socket?{query}") as socket:
                patience.opened()
                try:
                    async for text in socket:
                        patience.heard()
                        await self._hear(from_json(text, ServerMessage), socket)
                except ConnectionClosed:
                    pass
                finally:
                    self._socket = None
                patience.ended(socket)
        except CANNOT_OPEN as error:
            patience.not_opened(error)

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
            case Bye() if message.reason not in TEMPORARY:
                self._ended = closed(f"table {self.code}", message.reason)
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
            answer.set_exception(Refusal(message.refusal, self._why(message.refusal)))

    def _why(self, refusal: dict[str, Any]) -> str:
        details = {key: value for key, value in refusal.items() if key != "code"}
        told = games.why(self.table.game, games.Refusal(refusal["code"], **details), self.names)
        return (
            told or " ".join([REFUSAL_REASONS.get(refusal["code"], ""), *map(str, details.values())]).strip()
        )


def _checked(message: dict[str, Any]) -> str:
    """A message as JSON; `KindError` for one that would be none to the server, which ends the line at such."""
    text = json.dumps(message)
    try:
        from_json(text, ClientMessage)
    except DecodeError as error:
        raise KindError(reason(error, ClientMessage)) from None
    if holds_nul(text):
        raise KindError("no text may hold a NUL")
    return text
