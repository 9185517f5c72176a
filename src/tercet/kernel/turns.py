# cython: language_level=3, infer_types=True
"""Every legal turn of the dice game, the best one, and whether there is any (RULES C7-C11, C17-C20).

A *placement* is one int, `square*64 + face*2 + wild`, the square counted row by row from the top left. A
*turn* is one int of 63 bits: three fields of 16 bits with placement+1 in ascending order, the first in the
lowest bits (0: none), and above them the score. `unpack` takes it apart. Of two turns with one score the
smaller int has fewer dice, or else its last die nearer to the top left.
"""

from __future__ import annotations

from array import array

from tercet.kernel.board import Board
from tercet.kernel.first_turns import FirstTurns
from tercet.kernel.search import Search

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython


#: Searches that are not in use, by the size of their boards: making one costs more than most searches.
_spare: dict[tuple[int, int], list[Search]] = {}


def _search(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> Search:
    spare = _spare.get((rows, cols))
    search: Search = spare.pop() if spare else Search(Board(rows, cols))
    search.board.lay(board, stars, bonus, never)
    search.hold(hand)
    return search


def _done(search: Search) -> None:
    spare = _spare.setdefault((search.board.rows, search.board.cols), [])
    if len(spare) < 4:
        spare.append(search)


def list_turns(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> array[int]:
    """Every legal turn once, in no particular order.

    `board` has a face for each square, row by row, 255 where no die lies; `stars` a 1 where a wild lies;
    `bonus` the points of squares (of empty ones only); `hand` the faces in hand, 27 for a WILD; `never` is
    the wild rule of C20.
    """
    search: Search = _search(rows, cols, board, stars, bonus, hand, never)
    with cython.nogil:
        search.find_all()
    listed = search.listed()
    _done(search)
    return listed


def first_turns(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> tuple[array[int], array[float]]:
    """The first 63 legal turns in order, and four numbers of each as `FirstTurns.tell` has them."""
    search: Search = _search(rows, cols, board, stars, bonus, hand, never)
    first = FirstTurns()
    with cython.nogil:
        first.take(search)
    turns = array("q", bytes(8 * first.count))
    told = array("f", bytes(16 * first.count))
    kept: cython.longlong[::1] = turns
    numbers: cython.float[::1] = told
    for i in range(first.count):
        kept[i] = first.turn[i]
    first.tell(search, numbers, 0)
    _done(search)
    return turns, told


def best_turn(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> int:
    """The turn with most points, of equals the smallest; 0 where there is none."""
    search: Search = _search(rows, cols, board, stars, bonus, hand, never)
    with cython.nogil:
        best: cython.longlong = search.find_best()
    _done(search)
    return best


def any_turn(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> bool:
    """Whether there is a legal turn."""
    search: Search = _search(rows, cols, board, stars, bonus, hand, never)
    found: cython.int = search.any()
    _done(search)
    return found != 0


def unpack(turn: int) -> tuple[int, list[tuple[int, int, bool]]]:
    """The score, and the placements (square, face, whether a wild) in order of square.

    >>> unpack(6 << 48 | 131 << 16 | 64)
    (6, [(0, 31, True), (2, 1, False)])
    """
    fields = [(turn >> shift & 0xFFFF) - 1 for shift in (0, 16, 32)]
    return turn >> 48, [(p >> 6, p >> 1 & 31, bool(p & 1)) for p in fields if p >= 0]
