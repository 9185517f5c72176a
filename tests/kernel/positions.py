"""Random inputs for the kernel, from a `random.Random`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple


class Position(NamedTuple):
    """What `list_turns` and its like take, in their order."""

    rows: int
    cols: int
    board: bytes
    stars: bytes
    bonus: bytes
    hand: bytes
    never: bool


def random_position(
    rng: random.Random,
    sizes: tuple[int, ...] = (7, 9, 11),
    lying: tuple[int, int] = (3, 39),
    hand: tuple[int, int] = (1, 5),
    wilds: tuple[int, int] = (0, 3),
) -> Position:
    """Dice in a clump around the middle, often of few faces so that they make SETs; wilds and bonus squares."""
    side = rng.choice(sizes)
    middle = side // 2
    spots = {(middle, middle)}
    count = rng.randint(*lying)
    while len(spots) < count:
        row, col = rng.choice(sorted(spots))
        down, right = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        far = rng.choice([1, 1, 1, 2])
        spot = (row + down * far, col + right * far)
        if min(spot) >= 0 and max(spot) < side:
            spots.add(spot)
    faces = rng.sample(range(27), rng.choice([3, 9, 27]))
    board = [255] * (side * side)
    for row, col in sorted(spots):
        board[row * side + col] = rng.choice(faces)
    stars = [int(face != 255 and rng.random() < 0.2) for face in board]
    bonus = [rng.choice([0, 0, 0, 0, 2, 5]) if face == 255 else 0 for face in board]
    dice = rng.randint(*hand)
    wild = min(dice, rng.randint(*wilds))
    held = [27] * wild + [rng.choice(rng.choice([faces, range(27)])) for _ in range(dice - wild)]
    return Position(side, side, bytes(board), bytes(stars), bytes(bonus), bytes(held), rng.random() < 0.5)


def face(text: str) -> int:
    return 27 if text == "W" else "123".index(text[0]) * 9 + "RGP".index(text[1]) * 3 + "DOS".index(text[2])


#: 42 dice like those of the house edition, six faces each.
DICE = bytes(face(text) for text in (Path(__file__).parent / "dice.txt").read_text().split())


def house(never: bool = False, players: bytes = b"gg") -> dict[str, Any]:
    """The arguments of `DiceGames` for a house-like edition: 9x9, the logo on d5 e5 f5, some bonus squares."""
    bonus = bytearray(81)
    for square, points in (
        (10, 3),
        (16, 3),
        (64, 3),
        (70, 3),
        (20, 2),
        (24, 2),
        (56, 2),
        (60, 2),
        (4, 5),
        (76, 5),
    ):
        bonus[square] = points
    return {
        "dice": DICE,
        "rows": 9,
        "cols": 9,
        "logo": (39, 40, 41),
        "bonus": bytes(bonus),
        "never": never,
        "players": players,
    }


def end_game(rng: random.Random, players: int) -> dict[str, Any]:
    """A position with an empty bag, a line on the logo, and short hands."""
    numbers = rng.sample(range(42), 42)
    faces, stars, lying = bytearray([255] * 81), bytearray(81), bytearray([255] * 81)
    for square, number, face in zip((39, 40, 41), numbers, (0, 1, 2), strict=False):
        faces[square], lying[square] = face, number
    hands = [bytes(numbers[3 + seat * 2 : 5 + seat * 2]) for seat in range(players)]
    return {
        "faces": bytes(faces),
        "stars": bytes(stars),
        "bonus": bytes(81),
        "lying": bytes(lying),
        "hands": hands,
        "shown": [bytes(rng.randrange(6) for _ in hand) for hand in hands],
        "bag": b"",
        "scores": [10 * seat for seat in range(players)],
        "first": 0,
        "seat": 0,
    }
