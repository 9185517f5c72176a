"""Load for the server: tables at which one game of Set Cubed is played over and over, as a script says.

python -m benchmarks.server.moves PORT TABLES PLAYERS

With the seed of the script the server throws the same dice in every game, so the same moves are legal. A move is sent when
all at the table have seen the last, and the scores of every game must be the script's.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from msgspec.json import encode

from benchmarks.server.load import server_process
from benchmarks.server.luck import secret_of
from benchmarks.server.turns import Table, play_when_told
from benchmarks.server.wire import Wire
from tercet.client import Client
from tercet.codec import to_data
from tercet.cubed import Begin, Call, Choose, Game, Lay, Pass, Show
from tercet.cubed.placements import Placement
from tercet.cubed.play import CubedCommand, RoundEnded, State, Threw
from tercet.fairness import seed_from
from tercet.sets import WILD, find_sets

#: Time to show a SET, so that it does not run out while others have their turn.
OPTIONS = {"show_seconds": 30}


class Script(NamedTuple):
    """A seed, and the game that is played with it: who says what, and the scores at the end."""

    seed: str
    moves: list[tuple[int, bytes]]
    scores: list[int]


def write(players: int) -> Script:
    """The first game that greedy players would play in which the first seat opens and nobody is ever stuck."""
    for number in range(1000):
        seed = seed_from(f"moves {number}")
        secrets = [secret_of(seat) for seat in range(players)]
        game = Game([f"Player {seat}" for seat in range(players)], seed=seed, secrets=secrets)
        game.do(Begin(0))
        if any(isinstance(entry.event, Threw) for entry in game.log) or not _opening(game.state):
            continue
        moves = [(command.seat, encode(to_data(command))) for command in _played(game)]
        if not any(isinstance(e.event, RoundEnded) and e.event.then == "rethrow" for e in game.log):
            return Script(seed, moves, list(game.scores))
    raise AssertionError("no such game")


def _played(game: Game) -> Iterator[CubedCommand]:
    while not game.is_over:
        command = _next(game.state)
        yield command
        game.do(command)


def _opening(state: State) -> tuple[Placement, ...]:
    """A SET of the first seat, laid on the logo; nothing if there is none."""
    sets = find_sets(die.face for die in state.hands[0] if die.face is not WILD)
    if not sets:
        return ()
    hand, placements = list(state.hands[0]), []
    for square, face in zip(state.options.edition.layout.logo, sets[0], strict=True):
        die = next(die for die in hand if die.face == face)
        hand.remove(die)
        placements.append(Placement(square, face, die=die.number))
    return tuple(placements)


def _next(state: State) -> CubedCommand:
    if state.phase == "opening":
        return Call(0) if state.call is None else Show(0, _opening(state))
    if state.phase == "turn":
        assert state.turn is not None
        placements = state.position(state.turn).best().placements
        return Lay(state.turn, placements) if placements else Pass(state.turn)
    seat = len(state.answered)
    kept = [placement.face for placement in state.position(seat).best().placements if not placement.wild]
    return Choose(seat, tuple(die.number for die in state.hands[seat] if die.face not in kept))


class Moves(Table):
    """Players who take turns as the script says, one game after another."""

    def __init__(self, wires: list[Wire], script: Script) -> None:
        super().__init__()
        self.games = 0
        self.started = asyncio.Event()
        self._wires = wires
        self._script = script
        self._at = 0
        self._unseen = 0
        self._waiting = 0
        self._number = 0
        self._sent = 0.0
        for seat, wire in enumerate(wires):
            wire.on_text = partial(self._on_text, seat)

    @classmethod
    async def sit(cls, port: int, script: Script, players: int) -> Moves:
        clients = [Client(f"http://127.0.0.1:{port}") for _ in range(players)]
        for number, client in enumerate(clients):
            await client.sign_in(f"Guest {number}")
        code = await clients[0].create_table("cubed", people=players, options=OPTIONS)
        path = f"/api/tables/{code}/socket"
        wires = [await Wire.connect(port, path, client.headers()["Cookie"]) for client in clients]
        table = cls(wires, script)
        for wire in wires[1:]:
            before = wire.count
            wire.send(b'{"type":"manage","id":"sit","command":{"do":"sit"}}')
            while wire.count < before + 2:
                await asyncio.sleep(0.002)
        table._again()
        async with asyncio.timeout(30):
            await table.started.wait()
        return table

    def go(self) -> None:
        if self._at == 0 and self.games:
            self._again()
        else:
            self._send()

    def _again(self) -> None:
        """Begin the next game; its first move is sent when all have heard of it."""
        self._waiting = len(self._wires)
        for wire in self._wires:
            self._number += 1
            wire.send(b'{"type":"manage","id":"%d","command":{"do":"ready"}}' % self._number)

    def _send(self) -> None:
        seat, command = self._script.moves[self._at]
        self._number += 1
        self._unseen = len(self._wires)
        self._sent = time.perf_counter()
        self._wires[seat].send(b'{"type":"play","id":"%d","command":%s}' % (self._number, command))

    def _on_text(self, seat: int, text: bytes) -> None:
        if text.startswith(b'{"type":"events"'):
            self._seen(text)
        elif text.startswith(b'{"type":"game_started"'):
            self._waiting -= 1
            if self._waiting == 0 and self.started.is_set():
                self._send()
            elif self._waiting == 0:
                self.started.set()
        elif text.startswith(b'{"type":"refused"'):
            raise AssertionError(f"seat {seat}: {text!r}")

    def _seen(self, text: bytes) -> None:
        """One at the table has seen the move."""
        self._unseen -= 1
        if self._unseen > 0:
            return
        assert self._unseen == 0, text
        self.latencies.append(time.perf_counter() - self._sent)
        self._at += 1
        if self._at == len(self._script.moves):
            scores = json.loads(text)["entries"][-1]["event"]["scores"]
            assert scores == self._script.scores, (
                f"the game ended {scores}, by the script {self._script.scores}"
            )
            self._at = 0
            self.games += 1
        self.has_done()


async def main(port: int, count: int, players: int) -> None:
    script = write(players)
    tables = [await Moves.sit(port, script, players) for _ in range(count)]
    await play_when_told(tables, server_process(port))


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
