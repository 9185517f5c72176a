"""What a client says at a table: understood, carried out and answered, one message after the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any

import msgspec

from tercet.codec import from_json, reason
from tercet.games import OfTable, Refusal
from tercet.server import metrics, protocol
from tercet.server.budgets import TooMuch, over
from tercet.server.ids import now_ms
from tercet.server.limits import Limits
from tercet.server.people.people import Visitor
from tercet.server.protocol.words import holds_nul
from tercet.server.room.live_game import Answer, Move
from tercet.server.room.room import Room
from tercet.server.socket.connection import Connection
from tercet.server.socket.transport import Socket, encode

#: So many messages of a client may wait before no more are read.
WAITING_LIMIT = 16
logger = logging.getLogger("tercet.tables")

#: What is neither a command of the game nor a pong.
_Other = protocol.Manage | protocol.AskHint | protocol.Say | protocol.React | protocol.Mute

decode: Callable[[str | bytes], protocol.ClientMessage] = msgspec.json.Decoder(protocol.ClientMessage).decode


class Hearing(Enum):
    """What happens to the next message."""

    #: It is understood at once.
    NOW = "now"
    #: It waits, because the one before is not answered yet.
    LATER = "later"
    #: It is not read: too many wait.
    PAUSED = "paused"


def _denied(visitor: Visitor) -> Refusal | None:
    """Why somebody who comes like this may look on, but say nothing."""
    if not visitor.may("play"):
        return Refusal("missing_scope", scope="play")
    if visitor.program and not visitor.by_token:
        return Refusal("bots_by_token")
    return None


class Inbox:
    """Hears one client. A message is answered, here and nowhere else, before the next one is understood."""

    __slots__ = (
        "_connection",
        "_denied",
        "_hearing",
        "_id",
        "_limits",
        "_quiet",
        "_received",
        "_room",
        "_socket",
        "_task",
        "_waiting",
    )

    def __init__(self, room: Room, connection: Connection, socket: Socket, limits: Limits) -> None:
        self._room = room
        self._connection = connection
        self._socket = socket
        self._limits = limits
        #: Why nothing that this client says is carried out.
        self._denied = _denied(connection.visitor)
        self._hearing = Hearing.NOW
        self._waiting: list[str | bytes] = []
        #: The command of the game that is carried out, and when it came.
        self._id = ""
        self._received = 0.0
        self._quiet: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def hear(self, text: str | bytes) -> None:
        """A message has come."""
        if self._hearing is Hearing.NOW:
            self._understand(text)
            return
        self._waiting.append(text)
        if self._hearing is Hearing.LATER and len(self._waiting) >= WAITING_LIMIT:
            self._hearing = Hearing.PAUSED
            self._socket.pause()

    async def quiet(self) -> None:
        """Wait until all that has come has been heard."""
        if self._hearing is not Hearing.NOW:
            self._quiet = asyncio.get_running_loop().create_future()
            await self._quiet

    def _understand(self, text: str | bytes) -> None:
        connection = self._connection
        if connection.is_ending:
            return
        if len(text) > self._limits.message_bytes:
            over("message_bytes")
            connection.end("bad_message")
            return
        try:
            message = decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            connection.end("bad_message")
            return
        if holds_nul(text):
            connection.end("bad_message")
        else:
            self.take(message)

    def take(self, message: protocol.ClientMessage) -> None:
        """Carry out a message that has been understood."""
        connection = self._connection
        if isinstance(message, protocol.Pong):
            if connection.pong(message.number):
                self._room.tell_presence()
            self._socket.count_frame()
        elif not connection.messages.take():
            over("messages_per_second")
            self._answer(message.id, Refusal("too_fast"))
            self._socket.count_frame()
        elif self._denied is not None and not isinstance(message, protocol.Mute):
            self._answer(message.id, self._denied)
        elif isinstance(message, protocol.Play):
            self._play(message)
        else:
            self._do(message)

    def _answer(self, command_id: str, answer: Answer | protocol.Hint, told: bytes = b"") -> None:
        """The one way out of every answer; ``told`` goes before it, in the same breath."""
        message: protocol.FromServer
        if isinstance(answer, Refusal):
            message = protocol.Refused(id=command_id, refusal=answer.data)
        elif isinstance(answer, protocol.Hint):
            message = answer
        else:
            message = protocol.Accepted(id=command_id, seq=answer)
        self._connection.tell_frame(told + encode(message))

    # --- commands of the game ---

    def _play(self, message: protocol.Play) -> None:
        connection, live = self._connection, self._room.live
        if live is None:
            self._answer(message.id, Refusal("no_game"))
            return
        received = now_ms()
        game = live.game
        try:
            command = from_json(message.command, game.rules.commands)
        except (msgspec.ValidationError, ValueError) as error:
            self._answer(message.id, Refusal("bad_command", why=reason(error, game.rules.commands)))
            return
        if isinstance(command, OfTable):
            self._answer(message.id, Refusal("bad_command", why="only the table says that"))
        elif connection.seat is None:
            self._answer(message.id, Refusal("no_seat"))
        elif command.seat != connection.seat:
            self._answer(message.id, Refusal("not_your_seat", seat=connection.seat))
        else:
            self._hearing = Hearing.LATER
            self._id, self._received = message.id, received
            cause = f"{connection.person}:{message.id}"
            live.begin(Move(command, received - game.start_time, self._played, connection, cause))

    def _played(self, answer: Answer, told: bytes) -> None:
        self._answer(self._id, answer, told)
        code = answer.code if isinstance(answer, Refusal) else "accepted"
        metrics.answered(self._room.state.game, code, now_ms() - self._received)
        self._go_on()

    def _go_on(self) -> None:
        """Hear what came meanwhile."""
        if self._hearing is Hearing.PAUSED:
            self._socket.resume()
        self._hearing = Hearing.NOW
        while self._waiting and self._hearing is Hearing.NOW:
            self._understand(self._waiting.pop(0))
        if self._quiet is not None and self._hearing is Hearing.NOW:
            if not self._quiet.done():
                self._quiet.set_result(None)
            self._quiet = None

    # --- everything else ---

    def _do(self, message: _Other) -> None:
        room, connection = self._room, self._connection
        match message:
            case protocol.Manage():
                self._begin(message.id, room.manage(connection.visitor, message.command, message.id))
            case protocol.AskHint():
                self._begin(message.id, self._ask_hint(message))
            case protocol.Say() | protocol.React():
                self._answer(message.id, room.say(connection, message))
            case protocol.Mute():
                self._answer(message.id, room.mute(connection, message))

    def _begin(self, command_id: str, work: Coroutine[Any, Any, Answer | protocol.Hint]) -> None:
        self._hearing = Hearing.LATER
        self._task = asyncio.create_task(self._work(command_id, work))

    async def _work(self, command_id: str, work: Coroutine[Any, Any, Answer | protocol.Hint]) -> None:
        try:
            self._answer(command_id, await work)
        except Exception:
            # Whatever a command brings to light, it is answered.
            logger.exception("a command failed", extra={"table": self._room.code})
            self._answer(command_id, Refusal("failed"))
        finally:
            self._task = None
            self._go_on()

    async def _ask_hint(self, message: protocol.AskHint) -> Refusal | protocol.Hint:
        room, seat = self._room, self._connection.seat
        if not room.state.practice:
            return Refusal("not_practice")
        if room.game is None:
            return Refusal("no_game")
        if seat is None:
            return Refusal("no_seat")
        game = room.game
        try:
            async with room.hinting:
                found = await asyncio.to_thread(game.rules.hint, game.state, seat, message.strength)
        except TooMuch:
            return Refusal("too_fast")
        return protocol.Hint(id=message.id, hint=found)
