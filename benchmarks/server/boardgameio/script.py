"""One game of Set Cubed, written down once and then played again and again, at either server.

With the same seed the table server throws the same dice, so the same moves are legal.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tercet.codec import to_data
from tercet.cubed import Begin, Call, Choose, Game, Lay, Pass, Show
from tercet.cubed.dice import Placement
from tercet.cubed.play import CubedCommand, CubedEvent, Drew, Laid, Opened, RoundEnded, State, Threw
from tercet.fairness import seed_from
from tercet.games import Entry
from tercet.sets import find_sets


class Move(Struct, frozen=True):
    """A move as either server wants it, and the dice that luck then brings: seat, and number to face."""

    seat: int
    command: dict[str, Any]
    name: str
    arguments: list[Any]
    luck: list[tuple[int, dict[int, str]]]


class Script(Struct, frozen=True):
    """``dealt``: the dice with which the game begins; the server itself has them drawn and thrown."""

    seed: str
    players: int
    dealt: list[dict[int, str]]
    moves: list[Move]
    scores: list[int]


def write(players: int) -> Script:
    """The first game that greedy players would play in which the first seat opens and nobody is ever stuck."""
    for number in range(1000):
        seed = seed_from(f"boardgame.io {number}")
        game = Game([f"Player {seat}" for seat in range(players)], seed=seed)
        game.do(Begin(0))
        if any(isinstance(entry.event, Threw) for entry in game.log) or not opening(game.state):
            continue
        dealt = [{die.number: str(die.face) for die in hand} for hand in game.state.hands]
        moves = []
        while not game.is_over:
            before, command = game.state, _next(game.state)
            moves.append(_move(before, command, game.do(command)))
        if not any(isinstance(e.event, RoundEnded) and e.event.then == "rethrow" for e in game.log):
            return Script(seed, players, dealt, moves, list(game.scores))
    raise AssertionError("no such game")


def opening(state: State) -> tuple[Placement, ...]:
    """A SET of the first seat, laid on the logo; nothing if there is none."""
    sets = find_sets(die.face for die in state.hands[0] if str(die.face) != "W")
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
        return Call(0) if state.call is None else Show(0, opening(state))
    if state.phase == "turn":
        assert state.turn is not None
        placements = state.position(state.turn).best().placements
        return Lay(state.turn, placements) if placements else Pass(state.turn)
    seat = len(state.answered)
    kept = [placement.face for placement in state.position(seat).best().placements if not placement.wild]
    return Choose(seat, tuple(die.number for die in state.hands[seat] if die.face not in kept))


def _move(before: State, command: CubedCommand, entries: list[Entry[CubedEvent]]) -> Move:
    events = [entry.event for entry in entries]
    arguments: list[Any] = []
    if isinstance(events[0], Opened | Laid):
        cell = before.options.edition.layout.cell
        arguments = [
            [(p.die, f"{'*' * p.wild}{p.face}", cell(p.square)) for p in events[0].placements],
            events[0].points,
        ]
    elif isinstance(command, Choose):
        arguments = [command.dice]
    luck = [
        (event.seat, {die.number: str(die.face) for die in event.dice})
        for event in events
        if isinstance(event, Drew | Threw)
    ]
    data: dict[str, Any] = to_data(command)
    return Move(command.seat, data, data["do"], arguments, luck)
