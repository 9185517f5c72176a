# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""SETs among cards on a table: how many, on one table or on many, and which.

Cards are 0..80, all different. Both searches split the table in two halves: every SET has two of its cards
in one half, so only pairs within a half need looking at, 30 of 66 with twelve cards.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

#: The third of cards a and b at a*81 + b, digit by digit (S5).
THIRD: bytes = bytes(
    sum(2 * (a // weight + b // weight) % 3 * weight for weight in (27, 9, 3, 1))
    for a in range(81)
    for b in range(81)
)


@cython.final
@cython.cclass
class Table:
    """Room for one table; `card` is what lies at each place, `place` the way back, from 1, and 0 for none."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.weight, self.place, self.card, self.found = [0] * 81, [0] * 81, [0] * 81, [0] * 1088
        self.third = THIRD

    def count(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        start: cython.size_t,
        size: cython.int,
    ) -> cython.int:
        """The number of SETs among `size` cards from `start`.

        A pair finds its third in the other half once for each SET, and in its own half three times: so they
        weigh three and one. The two halves see the weights in the low and the high 16 bits.
        """
        low: cython.uint = 0
        high: cython.uint = 0
        half: cython.size_t = size >> 1
        end: cython.size_t = size
        i: cython.size_t
        j: cython.size_t
        row: cython.size_t
        for i in range(half):
            self.weight[cards[start + i]] = 0x30001
        for i in range(half, end):
            self.weight[cards[start + i]] = 0x10003
        for i in range(half):
            row = cards[start + i] * 81
            for j in range(i + 1, half):
                low += self.weight[self.third[row + cards[start + j]]]
        for i in range(half, end):
            row = cards[start + i] * 81
            for j in range(i + 1, end):
                high += self.weight[self.third[row + cards[start + j]]]
        for i in range(end):
            self.weight[cards[start + i]] = 0
        return ((low & 0xFFFF) + (high >> 16)) // 3

    def count_many(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        size: cython.int,
        counts: cython.ushort[::1],
    ) -> cython.void:
        if size == 12:  # a size that the compiler knows is counted three times as fast
            for table in range(len(counts)):
                counts[table] = self.count(cards, table * 12, 12)
        else:
            for table in range(len(counts)):
                counts[table] = self.count(cards, table * size, size)

    def highest(self, cards: cython.const[cython.uchar][::1]) -> cython.int:  # type: ignore[valid-type]
        high: cython.uchar = 0
        for i in range(len(cards)):
            high = max(high, cards[i])
        return high

    def put(self, place: cython.int, card: cython.int) -> cython.void:
        self.card[place] = card
        self.place[card] = place + 1

    def find(self, size: cython.int) -> cython.int:
        """Note in `found` each SET as three places, a*65536 + b*256 + c; the number of them."""
        n: cython.int = 0
        half: cython.int = size >> 1
        for i in range(half):
            row = self.card[i] * 81
            for j in range(i + 1, half):
                k: cython.int = self.place[self.third[row + self.card[j]]] - 1
                self.found[n] = (i << 16) + (j << 8) + k
                n += 1 if k > j else 0
        for i in range(half, size):
            row = self.card[i] * 81
            for j in range(i + 1, size):
                k = self.place[self.third[row + self.card[j]]] - 1
                self.found[n] = (k << 16) + (i << 8) + j if k < half else (i << 16) + (j << 8) + k
                n += 1 if (k > j) | ((k >= 0) & (k < half)) else 0
        return n


def check_table(cards: bytes) -> None:
    if len(set(cards)) != len(cards) or (cards and max(cards) > 80):
        raise ValueError("cards on a table are different numbers from 0 to 80")


def count_sets(cards: bytes) -> int:
    """The number of SETs on a table.

    >>> count_sets(bytes([0, 1, 2, 3]))
    1
    """
    check_table(cards)
    return Table().count(cards, 0, len(cards))


def count_sets_on_each(cards: bytes, size: int) -> array[int]:
    """The number of SETs on each of many tables of `size` different cards, one table after another."""
    table: Table = Table()
    view: cython.const[cython.uchar][::1] = cards  # type: ignore[valid-type]
    if not 0 < size <= 81 or len(cards) % size or table.highest(view) > 80:
        raise ValueError(f"{len(cards)} bytes are no tables of {size} cards from 0 to 80")
    counts = array("H", [0]) * (len(cards) // size)
    counted: cython.ushort[::1] = counts
    each: cython.int = size
    with cython.nogil:
        table.count_many(view, each, counted)
    return counts


def find_set_places(cards: bytes) -> list[tuple[int, int, int]]:
    """The places of every SET on a table, in lexicographic order.

    >>> find_set_places(bytes([0, 1, 3, 2, 6]))
    [(0, 1, 3), (0, 2, 4)]
    """
    check_table(cards)
    table: Table = Table()
    for place in range(len(cards)):
        table.put(place, cards[place])
    found: cython.int = table.find(len(cards))
    return sorted(
        (table.found[i] >> 16, table.found[i] >> 8 & 255, table.found[i] & 255) for i in range(found)
    )


def has_set(cards: bytes) -> bool:
    """Whether there is a SET on a table."""
    return count_sets(cards) > 0
