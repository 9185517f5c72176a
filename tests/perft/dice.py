"""Positions of the dice game and how many legal turns they have, by the brute force of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from tercet.cubed import Edition
from tests.core.brute_force import FACES, Cell, Die, Table

Turns = dict[frozenset[Die], int]

GAMES = 15
REPLIES = 24
#: Rows, columns, dice lying at most, dice in hand at most, wilds among them at most, and how many of the kind.
BOARDS = (
    (3, 3, 5, 5, 0, 20),
    (4, 5, 8, 5, 0, 20),
    (5, 4, 9, 4, 1, 30),
    (6, 6, 14, 4, 1, 20),
    (7, 7, 7, 3, 2, 16),
    (3, 4, 4, 4, 3, 12),
    (11, 11, 24, 5, 0, 20),
)


@dataclass(frozen=True)
class Position:
    rows: int
    cols: int
    bonus: Mapping[Cell, int]
    lying: Mapping[Cell, tuple[str, bool]]
    hand: Sequence[str]
    wild: str
    edition: str | None = None

    @cached_property
    def turns(self) -> Turns:
        return Table(self.rows, self.cols, self.lying, self.bonus, self.wild).turns(self.hand)

    def after(self, turn: Iterable[Die], hand: Sequence[str]) -> Position:
        """With these dice laid, and another hand."""
        laid = {cell: (face, wild) for cell, face, wild in turn}
        return replace(self, lying={**self.lying, **laid}, hand=hand)

    def to_plain(self) -> dict[str, Any]:
        """As docs/notation.md has it."""
        own = {"size": [self.rows, self.cols], "bonus": {name(cell): self.bonus[cell] for cell in self.bonus}}
        return {
            "edition": self.edition or own,
            "board": {name(cell): "*" * wild + face for cell, (face, wild) in sorted(self.lying.items())},
            "hand": list(self.hand),
            "wild": self.wild,
        }


def name(cell: Cell) -> str:
    return f"{'abcdefghijk'[cell[1]]}{cell[0] + 1}"


def counts(turns: Turns) -> dict[str, Any]:
    return {
        "turns": [sum(len(turn) == dice for turn in turns) for dice in (1, 2, 3)],
        "best": max(turns.values(), default=0),
        "sum": sum(turns.values()),
    }


def games() -> Iterator[Position]:
    """The turns of games between two greedy players who keep their dice, or throw all when they cannot lay.

    In every third game a die with a wild shows it half of the time, but no hand shows two.
    """
    for number in range(GAMES):
        rng = random.Random(f"perft of dice {number}")
        edition = Edition.named(("house", "dutch")[number % 2])
        layout = edition.layout
        bonus = {divmod(layout.cell(square), layout.cols): worth for square, worth in layout.bonus.items()}
        logo = [divmod(layout.cell(square), layout.cols) for square in layout.logo]
        opening = rng.choice((FACES[:3], FACES[::13], FACES[4::9]))
        lying = {cell: (face, False) for cell, face in zip(logo, opening, strict=True)}
        position = Position(layout.rows, layout.cols, bonus, lying, (), edition.wild, edition.name)
        bag = [[str(face) for face in faces] for faces in rng.sample(edition.dice, 39)]
        hands: list[list[list[str]]] = [[], []]
        shown: list[list[str]] = [[], []]
        while True:
            dice, faces = hands[0], shown[0]
            while bag and len(dice) < 5:
                dice.append(bag.pop())
                faces.append(throw(rng, dice[-1], number % 3 == 0 and "W" not in faces))
            position = replace(position, hand=tuple(faces))
            yield position
            turns = position.turns
            if turns:
                best = max(turns.values())
                turn = rng.choice(sorted(sorted(turn) for turn, score in turns.items() if score == best))
                for _, face, wild in turn:
                    at = faces.index("W" if wild else face)
                    del dice[at], faces[at]
                position = position.after(turn, ())
            elif bag:
                faces[:] = [throw(rng, die, False) for die in dice]
            if not dice or not (turns or bag):
                break
            hands.reverse()
            shown.reverse()


def throw(rng: random.Random, die: Sequence[str], wild: bool) -> str:
    """What a die shows; `wild` says that it shows its wild, if it has one, half of the time, else never."""
    return (
        "W"
        if wild and "W" in die and rng.random() < 0.5
        else rng.choice([face for face in die if face != "W"])
    )


def boards() -> Iterator[Position]:
    """Random boards of all sizes, with wilds lying on them, many bonus squares, and both rules for wilds."""
    rng = random.Random("perft of dice")
    for rows, cols, lying, hand, wilds, count in BOARDS:
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        for _ in range(count):
            pool = rng.choice((FACES, rng.sample(FACES, 9), rng.sample(FACES, 5)))
            taken = clump(rng, rows, cols, rng.randint(2, lying))
            board = {cell: (rng.choice(pool), rng.random() < 0.2) for cell in taken}
            bonus = {cell: rng.randint(1, 9) for cell in sorted(rng.sample(cells, len(cells) // 6))}
            wild = rng.randint(0, wilds)
            held = [rng.choice(pool) for _ in range(rng.randint(min(1, hand - wild), hand - wild))] + [
                "W"
            ] * wild
            yield Position(rows, cols, bonus, board, held, rng.choice(("later", "never")))


def clump(rng: random.Random, rows: int, cols: int, count: int) -> list[Cell]:
    """Squares most of which have a neighbour among them, as in a game."""
    taken = [(rows // 2, cols // 2)]
    while len(taken) < count:
        row, col = rng.choice(taken)
        down, right = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (0, 2), (2, 0)])
        cell = (row + down, col + right)
        if 0 <= cell[0] < rows and 0 <= cell[1] < cols and cell not in taken:
            taken.append(cell)
    return taken


def positions() -> Iterator[dict[str, Any]]:
    """All of them, with their counts."""
    for position in chain(games(), boards()):
        yield {"position": position.to_plain(), **counts(position.turns)}


def replies() -> Iterator[dict[str, Any]]:
    """Positions at depth 2: every turn, and after it every turn of another hand."""
    rng = random.Random("perft of replies")
    few = 0
    for position in chain(boards(), games()):
        turns = position.turns
        if len(position.lying) > 14 or not 5 <= len(turns) <= 60 or ("W" in position.hand and few % 4):
            continue
        faces = [face for face, _ in position.lying.values()]
        answer = [rng.choice(rng.choice((faces, FACES))) for _ in range(rng.randint(2, 3))]
        if few % 6 == 0:
            answer[0] = "W"
        then = [position.after(turn, answer).turns for turn in turns]
        yield {
            "position": position.to_plain(),
            **counts(turns),
            "reply": answer,
            "replies": {
                "turns": [sum(len(turn) == dice for reply in then for turn in reply) for dice in (1, 2, 3)],
                "best": max(score for reply in then for score in (0, *reply.values())),
                "sum": sum(sum(reply.values()) for reply in then),
            },
        }
        few += 1
        if few == REPLIES:
            break
