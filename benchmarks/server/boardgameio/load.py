"""Tables at which the script is played over and over: a move is sent when all at the table have seen the last.

python -m benchmarks.server.boardgameio.load KIND PORT PROCESS SCRIPT TABLES SECONDS WATCHERS

KIND: tercet, boardgame.io. WATCHERS: how many at each table only watch.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from abc import ABC, abstractmethod
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from benchmarks.server.boardgameio.script import Script
from benchmarks.server.cores import cpu_seconds
from benchmarks.server.wire import Wire
from tercet.client import Client

#: Seconds before it counts: Node compiles what is hot while it runs.
WARM_UP = 3.0


class Table(ABC):
    """Players who take turns as the script says, one game after another; the last of the wires only watch."""

    def __init__(self, wires: list[Wire], script: Script) -> None:
        self.done = 0
        self.games = 0
        self.latencies: list[float] = []
        self.started = asyncio.Event()
        self._wires = wires
        self._script = script
        self._at = 0
        self._unseen = 0
        self._sent = 0.0
        for seat, wire in enumerate(wires):
            wire.on_text = partial(self._on_text, seat)

    def go(self) -> None:
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
        self.done += 1
        self._at += 1
        if self._at < len(self._script.moves):
            self.go()
            return
        scores = self._scores(text)
        assert scores == self._script.scores, f"the game ended {scores}, by the script {self._script.scores}"
        self._at = 0
        self.games += 1
        self._again()

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
        """Begin the next game, and then `go`."""


class TercetTable(Table):
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
        code = await clients[0].create_table("cubed", people=script.players)
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
                self._start()
        elif text.startswith(b'{"type":"refused"'):
            raise AssertionError(f"seat {seat}: {text!r}")

    def _start(self) -> None:
        if self.started.is_set():
            self.go()
        else:
            self.started.set()

    def _move(self, at: int) -> bytes:
        self._number += 1
        return b'{"type":"play","id":"%d","command":%s}' % (self._number, self._commands[at])

    def _scores(self, text: bytes) -> list[int]:
        events = [entry["event"] for entry in json.loads(text)["entries"]]
        scores: list[int] = events[-1]["scores"]
        return scores


class BoardgameTable(Table):
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
            elif self.started.is_set():
                self.go()
            else:
                self.started.set()
        elif text == b"2":
            self._wires[seat].send(b"3")

    def _move(self, at: int) -> bytes:
        return b'%s"%s","%d"]' % (self._moves[at], self._match.encode(), self._script.moves[at].seat)

    def _scores(self, text: bytes) -> list[int]:
        _update, _match, state, *_log = json.loads(text.partition(b",")[2])
        scores: list[int] = state["ctx"]["gameover"]["scores"]
        return scores


async def until_trouble(failed: asyncio.Future[None], seconds: float) -> None:
    """Wait so long; end with a word on what went wrong, if anything does."""
    await asyncio.wait((failed,), timeout=seconds)
    if failed.done():
        raise SystemExit(f"the load has failed: {failed.exception()}")


async def main() -> None:
    kind, port, process = sys.argv[1], int(sys.argv[2]), Path("/proc") / sys.argv[3]
    script = decode(Path(sys.argv[4]).read_bytes(), type=Script)
    count, seconds, watchers = int(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7])
    loop = asyncio.get_running_loop()
    failed: asyncio.Future[None] = loop.create_future()

    def fail(_loop: asyncio.AbstractEventLoop, said: dict[str, Any]) -> None:
        """What a table finds wrong comes up in the middle of reading from a socket."""
        if not failed.done():
            failed.set_exception(said.get("exception") or OSError(said["message"]))

    loop.set_exception_handler(fail)
    tables: list[Table] = []
    for number in range(count):
        sit = TercetTable.sit if kind == "tercet" else BoardgameTable.sit
        tables.append(await sit(port, str(number), script, watchers))
        await asyncio.wait_for(tables[-1].started.wait(), 30)
    for table in tables:
        table.go()
    await until_trouble(failed, WARM_UP)
    for table in tables:
        table.latencies.clear()
    begun, before = time.perf_counter(), sum(table.done for table in tables)
    cpu, server_cpu = time.process_time(), cpu_seconds(process)
    await until_trouble(failed, seconds)
    took = time.perf_counter() - begun
    server_cpu, cpu = cpu_seconds(process) - server_cpu, time.process_time() - cpu
    done = sum(table.done for table in tables) - before
    latencies = sorted(latency for table in tables for latency in table.latencies)
    result = {
        "moves_per_second": round(done / took, 1),
        "server_cpu_us": round(1e6 * server_cpu / done, 1),
        "server_cpu": round(server_cpu / took, 2),
        "load_cpu": round(cpu / took, 2),
        "p50_ms": round(1000 * latencies[len(latencies) // 2], 2),
        "p99_ms": round(1000 * latencies[int(len(latencies) * 0.99)], 2),
        "games": sum(table.games for table in tables),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main())
