"""Boards as they come about in play, for the dice benchmarks."""

from __future__ import annotations

import random

from tercet.kernel import best_turn, unpack
from tests.kernel.positions import DICE, Position, house


def mid_game(rng: random.Random, dice: int, wilds: bool) -> Position:
    """A 9x9 board with about so many dice, each turn the best of a random hand, and a hand of five dice."""
    edition = house()
    board, stars, bonus = bytearray([255] * 81), bytearray(81), bytearray(edition["bonus"])
    for square in edition["logo"]:
        board[square] = 13
    while sum(face != 255 for face in board) < dice:
        hand = bytes(rng.choice(DICE) for _ in range(5))
        _, placements = unpack(best_turn(9, 9, bytes(board), bytes(stars), bytes(bonus), hand, False))
        for square, face, wild in placements:
            board[square], stars[square], bonus[square] = face, wild, 0
    hand = bytes(rng.choice([face for face in DICE if wilds or face < 27]) for _ in range(5))
    return Position(9, 9, bytes(board), bytes(stars), bytes(bonus), hand, False)
