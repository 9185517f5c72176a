"""Whether the game at boardgame.io is the same as ours: random games, with moves against the rules among the others.

python -m benchmarks.server.boardgameio.agree NODE [GAMES]
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec.json import encode
from msgspec.structs import asdict
from tercet.cubed.squares import Square

from benchmarks.server.boardgameio.script import describe, luck, move
from tercet.codec import to_data
from tercet.cubed import (
    Begin,
    Call,
    Choose,
    Edition,
    Game,
    Lay,
    Options,
    Pass,
    Placement,
    Replace,
    SeeNone,
    Show,
    read_turn,
)
from tercet.cubed.play import CubedCommand, State
from tercet.fairness import seed_from
from tercet.games import Refused
from tercet.sets import WILD, Face, is_set, third

HERE = Path(__file__).parent
#: What boardgame.io's state says in its own way, and clocks and counts that it has not.
OWN_WAY = ("options", "seats", "throws", "until", "answered")


def agree(node: str, games: int) -> Counter[str]:
    """How many moves of which kind were played to the same end; SystemExit says what differed."""
    rng = random.Random(games)
    count: Counter[str] = Counter()
    lines = [encode(_game(rng, number, count)) for number in range(games)]
    command = [node, str(HERE / "agree.js")]
    done = subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"boardgame.io's game is not ours:\n{(done.stdout + done.stderr).decode()}")
    return count


def _game(rng: random.Random, number: int, count: Counter[str]) -> dict[str, Any]:
    players, edition = rng.randint(2, 4), Edition.named(rng.choice(("house", "dutch")))
    names = [f"Player {seat}" for seat in range(players)]
    game = Game(names, options=Options(edition=edition), seed=seed_from(f"agree {number}"))
    game.do(Begin(0))
    eager = rng.random()
    moves = []
    while not game.is_over:
        command = _any(rng, game.state) if rng.random() < 0.3 else _sensible(rng, game.state, eager)
        refused = _refused(game, command)
        count[f"{to_data(command)['do']}{', refused' * refused}"] += 1
        after = {
            "refused": refused,
            "table": _table(game.state),
            "choices": _choices(game),
            "winners": game.winners if game.is_over else None,
        }
        moves.append({**asdict(move(command)), "after": after})
    return {"players": players, "edition": describe(edition), "luck": luck(game.log), "moves": moves}


def _table(state: State) -> dict[str, Any]:
    """The table as boardgame.io's state tells it."""
    told = {
        **asdict(state),
        "board": [die and str(die) for die in state.board],
        "hands": [[str(die) for die in hand] for hand in state.hands],
        "call": state.call and state.call.seat,
        "barred": sorted(state.barred),
        "none": sorted(state.none),
    }
    return {name: value for name, value in told.items() if name not in OWN_WAY}


def _choices(game: Game) -> list[Any]:
    """The answers to the extra roll as each seat may see them, and as those who watch may."""
    return [game.view(seat).choices for seat in (*range(len(game.seats)), None)]


def _refused(game: Game, command: CubedCommand) -> bool:
    try:
        game.do(command)
    except Refused:
        return True
    return False


def _sensible(rng: random.Random, state: State, eager: float) -> CubedCommand:
    """Something that is allowed, and mostly clever; who is not ``eager`` often passes."""
    if state.phase == "opening":
        if state.call is not None:
            return Show(state.call.seat, _opening(rng, state, state.call.seat))
        seat = rng.choice([seat for seat in range(state.seats) if seat not in state.barred])
        return SeeNone(seat) if rng.random() < 0.4 else Call(seat)
    if state.phase == "extra_roll":
        seat = rng.choice([seat for seat in range(state.seats) if seat not in state.answered])
        return Choose(seat, tuple(die.number for die in state.hands[seat] if rng.random() < 0.5))
    assert state.turn is not None
    replaced = _replace(state, state.turn)
    if replaced and rng.random() < 0.5:
        return replaced
    turns = state.position(state.turn).scores() if rng.random() < eager else {}
    if not turns:
        return Pass(state.turn)
    good = list(turns)[:20] if rng.random() < 0.5 else list(turns)
    return Lay(state.turn, read_turn(rng.choice(good)))


def _any(rng: random.Random, state: State) -> CubedCommand:
    """Something that is mostly against the rules."""
    seat = rng.randrange(state.seats) if state.turn is None or rng.random() < 0.2 else state.turn
    kind = rng.randrange(9)
    if kind == 0:
        return Call(seat)
    if kind == 1:
        return SeeNone(seat)
    if kind == 2:
        squares = state.options.edition.layout.logo
        return Show(seat, tuple(_placement(rng, state, seat, square) for square in squares))
    if kind == 3:
        dice = (die for die in state.board if die is not None)
        number = rng.choice([0, *(die.number for die in (*state.hands[seat], *dice))])
        return Replace(seat, number, _square(rng, state))
    if kind == 4:
        return Choose(seat, tuple(rng.randint(1, 42) for _ in range(rng.randrange(3))))
    turns = list(state.position(seat).scores())
    placements = list(read_turn(rng.choice(turns))) if turns else []
    if placements and rng.random() < 0.7:
        placements.pop(rng.randrange(len(placements)))
    for _ in range(rng.randrange(3)):
        placements.append(_placement(rng, state, seat, _square(rng, state)))
    return Lay(seat, tuple(placements))


def _opening(rng: random.Random, state: State, seat: int) -> tuple[Placement, ...]:
    """Three dice that are a SET, on the logo in any order; none if the hand has no SET."""
    sets = [dice for dice in combinations(state.hands[seat], 3) if is_set(*(die.face for die in dice))]
    if not sets:
        return ()
    dice = rng.choice(sets)
    shown = [die.face for die in dice if die.face is not WILD]
    named = third(shown[0], shown[1]) if len(shown) == 2 else (*shown, Face.all()[0])[0]
    squares = rng.sample(state.options.edition.layout.logo, 3)
    return tuple(
        Placement(square, named, wild=True)
        if die.face is WILD
        else Placement(square, die.face, die=die.number)
        for square, die in zip(squares, dice, strict=True)
    )


def _replace(state: State, seat: int) -> Replace | None:
    layout = state.options.edition.layout
    for cell, lying in enumerate(state.board):
        for die in state.hands[seat]:
            if lying is not None and lying.wild and die.face is lying.face:
                return Replace(seat, die.number, layout.square(cell))
    return None


def _placement(rng: random.Random, state: State, seat: int, square: Square) -> Placement:
    """A die of the hand or none of it, with its number or without."""
    if not state.hands[seat] or rng.random() < 0.1:
        return Placement(square, rng.choice(Face.all()), rng.random() < 0.5)
    die = rng.choice(state.hands[seat])
    wild = die.face is WILD and rng.random() < 0.9
    face = rng.choice(Face.all()) if wild else die.face
    return Placement(square, face, wild, die.number if rng.random() < 0.5 else None)


def _square(rng: random.Random, state: State) -> Square:
    """Mostly on a die or beside one."""
    layout = state.options.edition.layout
    lying = [cell for cell, die in enumerate(state.board) if die is not None]
    if not lying:
        return layout.square(rng.randrange(len(state.board)))
    near = rng.choice(lying) + rng.choice((0, 1, -1, layout.cols, -layout.cols))
    return layout.square(near % len(state.board))


if __name__ == "__main__":
    played = agree(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100)
    for kind, times in sorted(played.items()):
        print(f"{times:7,} {kind}")
