"""A command of a game on its way: from whoever gave it to the log, and back with the answer."""

from __future__ import annotations

from collections.abc import Callable

from tercet.games import Command, Refusal
from tercet.server import protocol
from tercet.server.answers import explain_race, refuse
from tercet.server.connection import Connection, encode
from tercet.server.live import LiveGame


class Move:
    """A command, or None for only what is due, and who is to hear how it went."""

    __slots__ = ("at", "command", "done", "game")

    #: The client that waits for the answer, if one does; and the command's own name.
    connection: Connection | None = None
    cause: str | None = None

    def __init__(
        self,
        game: LiveGame,
        command: Command | None,
        at: float,
        done: Callable[[Refusal | None], None],
    ) -> None:
        self.game = game
        self.command = command
        self.at = at
        self.done = done

    def accepted(self) -> bytes:
        """The answer that the command was carried out, as it goes over the wire; nothing if nobody waits."""
        return b""

    def refuse(self, refusal: Refusal) -> None:
        """Answer that the command is not allowed."""


class ClientMove(Move):
    """A command of a client."""

    __slots__ = ("cause", "connection", "id")

    connection: Connection
    cause: str

    def __init__(
        self,
        game: LiveGame,
        command: Command,
        at: float,
        done: Callable[[Refusal | None], None],
        connection: Connection,
        command_id: str,
    ) -> None:
        super().__init__(game, command, at, done)
        self.connection = connection
        self.id = command_id
        self.cause = f"{connection.person}:{command_id}"

    def accepted(self) -> bytes:
        return encode(protocol.Accepted(id=self.id, seq=self.game.causes.get(self.cause)))

    def refuse(self, refusal: Refusal) -> None:
        refuse(self.connection, self.id, explain_race(self.game, refusal, self.at))
