"""What a client says at a table: understood, carried out and answered, one message after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec

from tercet.codec import from_json
from tercet.games import Refusal
from tercet.server import metrics, protocol
from tercet.server.answers import refuse
from tercet.server.connection import Connection
from tercet.server.hints import hint
from tercet.server.ids import now_ms
from tercet.server.limits import Limits
from tercet.server.moves import ClientMove
from tercet.server.room import Room
from tercet.server.rooms import pong
from tercet.server.transport import Socket

#: So many messages of a client may wait to be heard before no more are read.
INBOX_LIMIT = 16
#: So many messages in a row that came too fast end the connection.
FLOOD = 1000

_decode = msgspec.json.Decoder(protocol.ClientMessage).decode


class Hearing:
    """Hears one client. A message is answered before the next one is understood."""

    __slots__ = (
        "_connection",
        "_inbox",
        "_is_busy",
        "_limits",
        "_quiet",
        "_received",
        "_room",
        "_socket",
        "_task",
    )

    def __init__(self, room: Room, connection: Connection, socket: Socket, limits: Limits) -> None:
        self._room = room
        self._connection = connection
        self._socket = socket
        self._limits = limits
        self._is_busy = False
        self._inbox: list[str | bytes] = []
        self._received = 0.0
        self._quiet: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def hear(self, text: str | bytes) -> None:
        """A message has come."""
        if self._is_busy:
            self._inbox.append(text)
            if len(self._inbox) == INBOX_LIMIT:
                self._socket.pause()
        else:
            self._understand(text)

    async def quiet(self) -> None:
        """Wait until all that has come has been heard."""
        if self._is_busy:
            self._quiet = asyncio.get_running_loop().create_future()
            await self._quiet

    def _understand(self, text: str | bytes) -> None:
        connection = self._connection
        if connection.is_ending:
            return
        if len(text) > self._limits.message_bytes:
            connection.end("bad_message")
            return
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            connection.end("bad_message")
            return
        if isinstance(message, protocol.Pong):
            pong(connection, message.number)
        elif not connection.messages.take():
            connection.refused_in_a_row += 1
            refuse(connection, message.id, Refusal("too_fast"))
            if connection.refused_in_a_row > FLOOD:
                connection.end("flood")
        else:
            connection.refused_in_a_row = 0
            if isinstance(message, protocol.Play):
                self._play(message)
            else:
                self._do(message)

    # --- commands of the game ---

    def _play(self, message: protocol.Play) -> None:
        connection, game = self._connection, self._room.game
        if game is None:
            refuse(connection, message.id, Refusal("no_game"))
            return
        self._received = now_ms()
        try:
            command = from_json(message.command, game.rules.commands)
        except (msgspec.ValidationError, ValueError) as error:
            refuse(connection, message.id, Refusal("bad_command", why=str(error)[:200]))
            return
        if connection.seat is None:
            refuse(connection, message.id, Refusal("no_seat"))
        elif command.seat != connection.seat:
            refuse(connection, message.id, Refusal("not_your_seat", seat=connection.seat))
        else:
            self._is_busy = True
            self._room.begin(
                ClientMove(
                    game, command, self._received - game.start_time, self._played, connection, message.id
                )
            )

    def _played(self, refusal: Refusal | None) -> None:
        answer = "accepted" if refusal is None else refusal.code
        metrics.answered(self._room.state.game, answer, now_ms() - self._received)
        self._go_on()

    def _go_on(self) -> None:
        """Hear what came meanwhile."""
        self._is_busy = False
        while self._inbox and not self._is_busy:
            if len(self._inbox) == INBOX_LIMIT:
                self._socket.resume()
            self._understand(self._inbox.pop(0))
        if self._quiet is not None and not self._is_busy:
            if not self._quiet.done():
                self._quiet.set_result(None)
            self._quiet = None

    # --- everything else ---

    def _do(self, message: protocol.ClientMessage) -> None:
        room, connection = self._room, self._connection
        match message:
            case protocol.Manage():
                self._begin(self._manage(message))
            case protocol.AskHint():
                self._begin(self._ask_hint(message))
            case protocol.Say() | protocol.React():
                told = room.chat.hear(connection, message, room.connections, room.state.chat)
                if told is not None:
                    room.elsewhere.said(told)
            case protocol.Mute():
                (connection.muted.add if message.muted else connection.muted.discard)(message.person)
                connection.tell(protocol.Accepted(id=message.id))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._is_busy = True
        self._task = asyncio.create_task(self._work(work))

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._task = None
            self._go_on()

    async def _manage(self, message: protocol.Manage) -> None:
        connection = self._connection
        refusal = await self._room.manage(connection.visitor, message.command, message.id)
        if refusal is None:
            connection.tell(protocol.Accepted(id=message.id))
        else:
            refuse(connection, message.id, refusal)

    async def _ask_hint(self, message: protocol.AskHint) -> None:
        room, connection = self._room, self._connection
        seat = connection.seat
        if not room.state.practice:
            refuse(connection, message.id, Refusal("not_practice"))
        elif room.game is None:
            refuse(connection, message.id, Refusal("no_game"))
        elif seat is None:
            refuse(connection, message.id, Refusal("no_seat"))
        else:
            state = room.game.state
            connection.tell(await asyncio.to_thread(hint, message.id, state, seat, message.strength))
