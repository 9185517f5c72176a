"""One game of Set Cubed, written down once and then played again and again, at either server.

With the same seed the table server throws the same dice, so the same moves are legal. At boardgame.io luck is a list of
the dice as they fell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from tercet.cubed.dice import Die, Placement

from tercet.codec import to_data
from tercet.cubed import Begin, Call, Choose, Edition, Game, Lay, Pass, Show
from tercet.cubed.play import CubedCommand, CubedEvent, Drew, Replaced, RoundEnded, State, Threw
from tercet.fairness import seed_from
from tercet.games import Entry
from tercet.sets import find_sets


class Move(Struct, frozen=True):
    """A command as our server wants it, and the same as a move of boardgame.io: a name and arguments."""

    seat: int
    command: dict[str, Any]
    name: str
    arguments: list[Any]


class Script(Struct, frozen=True):
    """``edition``: board, dice and the rule for wilds; ``luck``: the dice as they fall in the whole game."""

    seed: str
    players: int
    edition: dict[str, Any]
    luck: list[str]
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
        moves = []
        while not game.is_over:
            command = _next(game.state)
            moves.append(move(command))
            game.do(command)
        if not any(isinstance(e.event, RoundEnded) and e.event.then == "rethrow" for e in game.log):
            edition = describe(game.state.options.edition)
            return Script(seed, players, edition, luck(game.log), moves, list(game.scores))
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


def move(command: CubedCommand) -> Move:
    """The arguments of boardgame.io's move are what our command says, in the same order."""
    data: dict[str, Any] = to_data(command)
    arguments = [value for name, value in data.items() if name not in ("do", "seat")]
    return Move(command.seat, data, data["do"], arguments)


def luck(log: Iterable[Entry[CubedEvent]]) -> list[str]:
    """Every die that fell, in order, as its text."""
    return [str(die) for entry in log for die in _fallen(entry.event)]


def _fallen(event: CubedEvent) -> tuple[Die, ...]:
    match event:
        case Drew() | Threw():
            return event.dice
        case Replaced():
            return (event.taken,)
        case _:
            return ()


def describe(edition: Edition) -> dict[str, Any]:
    """All that one must know of an edition to play with it."""
    layout = edition.layout
    return {
        "rows": layout.rows,
        "cols": layout.cols,
        "logo": [str(square) for square in layout.logo],
        "bonus": {str(square): points for square, points in layout.bonus.items()},
        "dice": [[str(face) for face in faces] for faces in edition.dice],
        "wild": edition.wild,
    }
