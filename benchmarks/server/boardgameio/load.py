"""Tables at which the script is played over and over: a move is sent when all at the table have seen the last.

python -m benchmarks.server.boardgameio.load KIND PORT PROCESS SCRIPT TABLES WATCHERS

KIND: tercet, boardgame.io. WATCHERS: how many at each table only watch.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from abc import abstractmethod
from functools import partial
from pathlib import Path

from msgspec.json import decode, encode

from benchmarks.server.boardgameio.script import Script
from benchmarks.server.turns import Table, play_when_told
from benchmarks.server.wire import Wire
from tercet.client import Client

#: Time to show a SET, so that it does not run out while others have their turn.
OPTIONS = {"show_seconds": 30}


class DiceTable(Table):
    """Players who take turns as the script says, one game after another; the last of the wires only watch."""

    def __init__(self, wires: list[Wire], script: Script) -> None:
        super().__init__()
        self.games = 0
        self.started = asyncio.Event()
        self._wires = wires
        self._script = script
        self._at = 0
        self._unseen = 0
        self._sent = 0.0
        for seat, wire in enumerate(wires):
            wire.on_text = partial(self._on_text, seat)

    def go(self) -> None:
        if self._at == 0 and self.games:
            self._again()
        else:
            self._send()

    def _send(self) -> None:
        """Send the next move."""
        self._unseen = len(self._wires)
        self._sent = time.perf_counter()
        self._wires[self._script.moves[self._at].seat].send(self._move(self._at))

    def _seen(self, text: bytes) -> None:
        """One at the table has seen the move."""
        self._unseen -= 1
        if self._unseen > 0:
            return
        assert self._unseen == 0, text
        self.latencies.append(time.perf_counter() - self._sent)
        self._at += 1
        if self._at == len(self._script.moves):
            scores = self._scores(text)
            assert scores == self._script.scores, (
                f"the game ended {scores}, by the script {self._script.scores}"
            )
            self._at = 0
            self.games += 1
        self.has_done()

    def _begun(self) -> None:
        """The next game has begun; the first one waits for its turn."""
        if self.started.is_set():
            self._send()
        else:
            self.started.set()

    @abstractmethod
    def _on_text(self, seat: int, text: bytes) -> None:
        """A message has come to this seat."""

    @abstractmethod
    def _move(self, at: int) -> bytes:
        """The message that plays this move of the script."""

    @abstractmethod
    def _scores(self, text: bytes) -> list[int]:
        """The points, from the message that ended the game."""

    @abstractmethod
    def _again(self) -> None:
        """Begin the next game, and then send its first move."""


class TercetTable(DiceTable):
    """At the table server: whose games are on disk and judged by the rules."""

    def __init__(self, wires: list[Wire], script: Script) -> None:
        super().__init__(wires, script)
        self._commands = [encode(move.command) for move in script.moves]
        self._number = 0
        self._waiting = len(wires)

    @classmethod
    async def sit(cls, port: int, _name: str, script: Script, watchers: int) -> TercetTable:
        clients = [Client(f"http://127.0.0.1:{port}") for _ in range(script.players + watchers)]
        for number, client in enumerate(clients):
            await client.sign_in(f"Guest {number}")
        code = await clients[0].create_table("cubed", people=script.players, options=OPTIONS)
        path = f"/api/tables/{code}/socket"
        wires = [await Wire.connect(port, path, client.headers()["Cookie"]) for client in clients]
        table = cls(wires, script)
        for wire in wires[1 : script.players]:
            before = wire.count
            wire.send(b'{"type":"manage","id":"sit","command":{"do":"sit"}}')
            while wire.count < before + 2:
                await asyncio.sleep(0.002)
        table._again()
        return table

    def _again(self) -> None:
        self._waiting = len(self._wires)
        for wire in self._wires[: self._script.players]:
            self._number += 1
            wire.send(b'{"type":"manage","id":"%d","command":{"do":"ready"}}' % self._number)

    def _on_text(self, seat: int, text: bytes) -> None:
        if text.startswith(b'{"type":"events"'):
            self._seen(text)
        elif text.startswith(b'{"type":"game_started"'):
            self._waiting -= 1
            if self._waiting == 0:
                self._begun()
        elif text.startswith(b'{"type":"refused"'):
            raise AssertionError(f"seat {seat}: {text!r}")

    def _move(self, at: int) -> bytes:
        self._number += 1
        return b'{"type":"play","id":"%d","command":%s}' % (self._number, self._commands[at])

    def _scores(self, text: bytes) -> list[int]:
        events = [entry["event"] for entry in json.loads(text)["entries"]]
        scores: list[int] = events[-1]["scores"]
        return scores


class BoardgameTable(DiceTable):
    """At boardgame.io: its words as events of socket.io, which are texts such as ``42/cubed,["sync",…]``."""

    def __init__(self, wires: list[Wire], script: Script, name: str) -> None:
        super().__init__(wires, script)
        self._name = name
        self._match = ""
        self._joining = 0
        self._moves = [
            b'42/cubed,["update",{"type":"MAKE_MOVE","payload":{"type":"%s","args":%s,"playerID":"%d"}},%d,'
            % (move.name.encode(), encode(move.arguments), move.seat, at)
            for at, move in enumerate(script.moves)
        ]

    @classmethod
    async def sit(cls, port: int, name: str, script: Script, watchers: int) -> BoardgameTable:
        path = "/socket.io/?EIO=4&transport=websocket"
        wires = [await Wire.connect(port, path) for _ in range(script.players + watchers)]
        table = cls(wires, script, name)
        for wire in wires:
            wire.send(b"40/cubed,")
            while wire.count < 2:  # the handshakes of engine.io and of socket.io
                await asyncio.sleep(0.002)
        table._again()
        return table

    def _again(self) -> None:
        self._match = f"{self._name}-{self.games}"
        self._joining = 0
        self._join()

    def _join(self) -> None:
        player = None if self._watches(self._joining) else str(self._joining)
        words = json.dumps(["sync", self._match, player, None, self._script.players])
        self._wires[self._joining].send(f"42/cubed,{words}".encode())

    def _watches(self, seat: int) -> bool:
        return seat >= self._script.players

    def _on_text(self, seat: int, text: bytes) -> None:
        if text.startswith(b'42/cubed,["update"'):
            self._seen(text)
        elif seat == self._joining and text.startswith(
            b'42/cubed,["sync"' if self._watches(seat) else b'42/cubed,["matchData"'
        ):
            self._joining += 1
            if self._joining < len(self._wires):
                self._join()
            else:
                self._begun()
        elif text == b"2":
            self._wires[seat].send(b"3")

    def _move(self, at: int) -> bytes:
        return b'%s"%s","%d"]' % (self._moves[at], self._match.encode(), self._script.moves[at].seat)

    def _scores(self, text: bytes) -> list[int]:
        _update, _match, state, *_log = json.loads(text.partition(b",")[2])
        scores: list[int] = state["ctx"]["gameover"]["scores"]
        return scores


async def main() -> None:
    kind, port, process = sys.argv[1], int(sys.argv[2]), Path("/proc") / sys.argv[3]
    script = decode(Path(sys.argv[4]).read_bytes(), type=Script)
    count, watchers = int(sys.argv[5]), int(sys.argv[6])
    tables: list[DiceTable] = []
    for number in range(count):
        sit = TercetTable.sit if kind == "tercet" else BoardgameTable.sit
        tables.append(await sit(port, str(number), script, watchers))
        await asyncio.wait_for(tables[-1].started.wait(), 30)
    await play_when_told(tables, process)


if __name__ == "__main__":
    asyncio.run(main())
