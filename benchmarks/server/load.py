"""Load for the server: tables of five, at each of which one player calls and shows SETs.

python -m benchmarks.server.load KIND PORT TABLES [RATE]   (KIND: bare, claims)
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import random
from typing import Any

from msgspec import Struct

from benchmarks.server.turns import Table, play_when_told
from benchmarks.server.wire import Wire
from tercet import cards
from tercet.client import Client
from tercet.codec import from_data, from_json
from tercet.games import Entry
from tercet.sets import Card, third

SEATS = 5
OPTIONS = {"rounds": 100, "auto_deal": True}


class Told(Struct):
    """A message with events of the card game."""

    entries: list[Entry[cards.CardEvent]]


def _decode(text: bytes) -> Told:
    told: Told = from_json(text, Told)
    return told


class Bare(Table):
    """What a claim says, sent to a server that sends it to all five: a call, and then a show."""

    CALL = b'{"type":"play","id":"123456","command":{"do":"call","seat":0}}'
    SHOW = b'{"type":"play","id":"123457","command":{"do":"show","seat":0,"cards":["1RFD","2GHD","3PED"]}}'

    def __init__(self, wires: list[Wire]) -> None:
        super().__init__()
        self._wires = wires
        self._sent = 0.0
        wires[0].on_text = self._on_text

    def go(self) -> None:
        self._send(self.CALL)

    def _send(self, text: bytes) -> None:
        self._sent = time.perf_counter()
        self._wires[0].send(text)

    def _on_text(self, text: bytes) -> None:
        self.latencies.append(time.perf_counter() - self._sent)
        if text == self.CALL:
            self._send(self.SHOW)
        else:
            self.has_done()

    @classmethod
    async def sit(cls, port: int, number: int) -> Bare:
        return cls([await Wire.connect(port, f"/{number}") for _ in range(SEATS)])


class Claims(Table):
    """Calls, shows, and begins again; ``pause`` seconds from one claim to the next, if any."""

    def __init__(self, wires: list[Wire], pause: float | None) -> None:
        super().__init__()
        self.started = asyncio.get_running_loop().create_future()
        self._wires = wires
        self._pause = pause
        self._state = cards.rules.start(cards.Options(), SEATS)
        self._number = 0
        self._do = ""
        self._sent = 0.0
        self._next = 0.0
        wires[0].on_text = self._on_text

    @classmethod
    async def sit(cls, port: int, _number: int, pause: float | None = None) -> Claims:
        clients = [Client(f"http://127.0.0.1:{port}") for _ in range(SEATS)]
        await asyncio.gather(*(client.sign_in(f"Player {n}") for n, client in enumerate(clients)))
        code = await clients[0].create_table("set", people=SEATS, options=OPTIONS)
        path = f"/api/tables/{code}/socket"
        wires = [await Wire.connect(port, path, client.headers()["Cookie"]) for client in clients]
        load = cls(wires, pause)
        for wire in wires[1:]:
            wire.send(b'{"type":"manage","id":"sit","command":{"do":"sit"}}')
            await asyncio.sleep(0.005)
        for wire in wires:
            wire.send(b'{"type":"manage","id":"ready","command":{"do":"ready"}}')
        async with asyncio.timeout(30):
            await load.started
        return load

    def play(self) -> None:
        self._next = time.perf_counter() - random() * (self._pause or 0)  # not all at once
        super().play()

    def go(self) -> None:
        if self._pause is not None:
            now = time.perf_counter()
            self._next = max(self._next + self._pause, now)
            asyncio.get_running_loop().call_later(self._next - now, self._call)
        else:
            self._call()

    def _call(self) -> None:
        if self._state.phase != "play":
            self._send(self._state.dealer, "deal")
        else:
            self._send(0, "call")

    def _send(self, seat: int, do: str, **more: Any) -> None:
        self._number += 1
        self._do = do
        self._sent = time.perf_counter()
        command = {"do": do, "seat": seat, **more}
        message = {"type": "play", "id": str(self._number), "command": command}
        self._wires[seat].send(json.dumps(message).encode())

    def _on_text(self, text: bytes) -> None:
        if text.startswith(b'{"type":"events"'):
            was = self._state.phase
            for entry in _decode(text).entries:
                self._state = cards.rules.evolve(self._state, entry.event, entry.at)
            if self._do == "deal" and was == "deal" and self._state.phase == "play" and self._state.dealer:
                self._call()  # the answer goes to the dealer, not to us
        elif text.startswith(b'{"type":"accepted"'):
            self.latencies.append(time.perf_counter() - self._sent)
            if self._do == "call":
                self._send(0, "show", cards=find_set(self._state.table))
            elif self._do == "show":
                self.has_done()
            elif self._do == "deal":
                self._call()
        elif text.startswith(b'{"type":"game_started"'):
            self._state = from_data(json.loads(text)["game"]["state"], cards.State)
            self.started.set_result(None)
        elif text.startswith(b'{"type":"refused"'):
            raise AssertionError(text)


def find_set(table: Sequence[Card]) -> list[str]:
    lying = set(table)
    for a, b in combinations(table, 2):
        c = third(a, b)
        if c in lying:
            return [str(a), str(b), str(c)]
    raise AssertionError(f"no SET in {table}")


def server_process(port: int) -> Path | None:
    """The process of the server that was started with this port, under /proc."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(port).encode() in words and any(
            word in (b"benchmarks.server.bare", b"benchmarks.server.serve") for word in words
        ):
            return process
    return None


async def main() -> None:
    kind, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rate = float(sys.argv[4]) if len(sys.argv) > 4 else None
    tables: list[Table] = []
    for number in range(count):
        if kind == "bare":
            tables.append(await Bare.sit(port, number))
        else:
            tables.append(await Claims.sit(port, number, count / rate if rate else None))
    await play_when_told(tables, server_process(port))


if __name__ == "__main__":
    asyncio.run(main())
