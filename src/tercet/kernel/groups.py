# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""The groups of the card variants on a table: how many, and which (RULES V2-V4).

Cards are 0..80, all different, and places are counted from 0. What follows from the definitions:

* Two cards have one third, so a **Chain** is known by its two cards of the table.
* An **Ultra** splits into two pairs with one third in one way only, and two pairs with one third share no
  card: so there is one Ultra for every two pairs with one third.
* Six cards are a **Ghost** when, and only when, in every feature their values (0, 1, 2) sum to a multiple of
  three. The thirds of three pairs sum to minus the sum of the six, and three cards that sum to zero are a SET
  or one card thrice; if they are one card thrice, two pairs that swap a card make a split that is right. (All
  296,816 Ghosts with card 0 were looked at, too: adding a card to each of the six changes nothing.)
"""

from __future__ import annotations

from array import array
from functools import cache
from math import comb

from tercet.kernel.tables import THIRD, Table, check_table

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

#: 40 ways to ask a card for a value: some of its features added up, each once or twice. With the same ones
#: negated, and none, these are all 81.
_QUESTIONS = [
    (a, b, c, d)
    for a in range(3)
    for b in range(3)
    for c in range(3)
    for d in range(3)
    if [digit for digit in (a, b, c, d) if digit][:1] == [1]
]


def _answers() -> array[int]:
    """What each card adds to the tally of each question: 0, 1 or 82 for the values 0, 1 and 2."""
    return array(
        "H",
        [
            (0, 1, 82)[(a * (card // 27) + b * (card // 9) + c * (card // 3) + d * card) % 3]
            for card in range(81)
            for a, b, c, d in _QUESTIONS
        ],
    )


_ANSWERS: array[int] = _answers()


@cache
def _ways(size: int) -> array[int]:
    """For a tally of `size` answers: the sixes whose answers sum to 0, doubled, less the others."""
    ways = array("i", [0]) * (82 * 82)
    for ones in range(size + 1):
        for twos in range(size + 1 - ones):
            ways[ones + 82 * twos] = sum(
                comb(size - ones - twos, 6 - i - j)
                * comb(ones, i)
                * comb(twos, j)
                * (-1 if (i - j) % 3 else 2)
                for i in range(7)
                for j in range(7 - i)
            )
    return ways


@cython.final
@cython.cclass
class Groups:
    """Room for one table: its pairs in order of their second card, and the groups found, seven bits a place."""

    def __init__(self, size: int) -> None:
        if not cython.compiled:
            self.tally, self.place = [0] * 40, [0] * 81
            self.pair_third, self.first, self.second = [0] * 3240, [0] * 3240, [0] * 3240
            self.newest, self.older = [0] * 81, [0] * 3240
        self.third, self.answers, self.ways = THIRD, _ANSWERS, _ways(size)
        self.found = array("q", [0])
        self.forget_pairs()

    def number_pairs(self, cards: cython.const[cython.uchar][::1]) -> cython.int:  # type: ignore[valid-type]
        """Pair b*(b-1)/2 + a has the places a < b."""
        pair: cython.int = 0
        for b in range(len(cards)):
            row: cython.size_t = cards[b] * 81
            for a in range(b):
                self.pair_third[pair] = self.third[row + cards[a]]
                self.first[pair], self.second[pair] = a, b
                pair += 1
        return pair

    def forget_pairs(self) -> cython.void:
        for third in range(81):
            self.newest[third] = -1

    def keep_pair(self, pair: cython.int) -> cython.int:
        """Put a pair before the older ones with its third; the first of those, -1 for none."""
        third: cython.size_t = self.pair_third[pair]
        older: cython.int = self.newest[third]
        self.older[pair] = older
        self.newest[third] = pair
        return older

    def count_ultras(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        start: cython.size_t,
        size: cython.int,
    ) -> cython.int:
        """How often a pair meets another before it with the same third; `older` counts the pairs by thirds."""
        ultras: cython.int = 0
        end: cython.size_t = size
        i: cython.size_t
        j: cython.size_t
        row: cython.size_t
        third: cython.size_t
        for i in range(81):
            self.older[i] = 0
        for i in range(end):
            row = cards[start + i] * 81
            for j in range(i + 1, end):
                third = self.third[row + cards[start + j]]
                ultras += self.older[third]
                self.older[third] += 1
        return ultras

    def count_ghosts(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        start: cython.size_t,
        size: cython.int,
    ) -> cython.int:
        """The number of sixes that sum to zero, by the 81 characters of the group of cards.

        Six cards that sum to zero answer every question with 0; any other six answer 27 of the 81 with 0, 27
        with 1 and 27 with 2. So the first score 2*81 in sum over all questions when a 0 is worth 2 and all
        else -1, and the others nothing. A question and its negation agree, and the one that asks for nothing
        is answered with 0 by all sixes (that is `ways` of no ones and no twos).
        """
        end: cython.size_t = size
        i: cython.size_t
        k: cython.size_t
        row: cython.size_t
        total: cython.longlong = self.ways[0] // 2
        for k in range(40):
            self.tally[k] = 0
        for i in range(end):
            row = cards[start + i] * 40
            for k in range(40):
                self.tally[k] += self.answers[row + k]
        for k in range(40):
            total += self.ways[self.tally[k]]
        return total // 81

    def count_ultras_of_many(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        size: cython.int,
        counts: cython.uint[::1],
    ) -> cython.void:
        for table in range(len(counts)):
            counts[table] = self.count_ultras(cards, table * size, size)

    def count_ghosts_of_many(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        size: cython.int,
        counts: cython.uint[::1],
    ) -> cython.void:
        for table in range(len(counts)):
            counts[table] = self.count_ghosts(cards, table * size, size)

    def find_chains(
        self,
        cards: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        last: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
    ) -> cython.int:
        """Note each Chain; the number of them. There is at most one for every card of the table and of `last`."""
        n: cython.int = 0
        for i in range(81):
            self.place[i] = 0
        for i in range(len(cards)):
            self.place[cards[i]] = i
        for i in range(len(cards)):
            for k in range(3):
                j: cython.int = self.place[self.third[last[k] * 81 + cards[i]]]
                if j > i:
                    self.found[n] = i << 7 | j
                    n += 1
        return n

    def find_ultras(self, cards: cython.const[cython.uchar][::1]) -> cython.int:  # type: ignore[valid-type]
        """Note each Ultra in `found`; the number of them."""
        n: cython.int = 0
        a: cython.longlong
        b: cython.longlong
        c: cython.longlong
        d: cython.longlong
        low: cython.longlong
        high: cython.longlong
        pairs: cython.int = self.number_pairs(cards)
        for pair in range(pairs):
            other: cython.int = self.keep_pair(pair)
            c, d = self.first[pair], self.second[pair]
            while other >= 0:
                a, b = self.first[other], self.second[other]  # b < d: pairs come in order of their second
                low, high = (min(a, c), max(a, c))
                if b < high:
                    self.found[n] = low << 21 | b << 14 | high << 7 | d
                else:
                    self.found[n] = low << 21 | high << 14 | b << 7 | d
                n += 1
                other = self.older[other]
        return n

    def find_ghosts(self, cards: cython.const[cython.uchar][::1]) -> cython.int:  # type: ignore[valid-type]
        """Note each Ghost in `found`; the number of them.

        For the four cards at the lowest places, in two pairs, look up the pairs of higher places that have the
        third of their thirds.
        """
        n: cython.int = 0
        four: cython.longlong
        row: cython.size_t
        two: cython.int
        size: cython.int = len(cards)
        self.number_pairs(cards)
        for d in range(size - 3, 2, -1):
            for f in range(d + 2, size):
                self.keep_pair(f * (f - 1) // 2 + d + 1)
            for c in range(2, d):
                row = self.pair_third[d * (d - 1) // 2 + c] * 81
                for one in range(c * (c - 1) // 2):
                    two = self.newest[self.third[row + self.pair_third[one]]]
                    while two >= 0:
                        four = (self.first[one] << 21) | (self.second[one] << 14) | (c << 7) | d
                        self.found[n] = four << 14 | (self.first[two] << 7) | self.second[two]
                        n += 1
                        two = self.older[two]
        return n


def count_chains(cards: bytes, last: bytes) -> int:
    """The number of Chains: two cards of a table that are a SET with one of the `last` SET.

    >>> count_chains(bytes([3, 6, 4, 80]), bytes([0, 1, 2]))
    2
    """
    return len(list_chains(cards, last))


def list_chains(cards: bytes, last: bytes) -> list[tuple[int, ...]]:
    """The places of every Chain on a table, in lexicographic order.

    >>> list_chains(bytes([3, 6, 4, 80]), bytes([0, 1, 2]))
    [(0, 1), (1, 2)]
    """
    check_table(cards + last)
    if len(last) != 3 or THIRD[last[0] * 81 + last[1]] != last[2]:
        raise ValueError("the last SET is three cards that are a SET")
    groups: Groups = Groups(0)
    places = array("q", [0]) * (3 * len(cards))
    groups.found = places
    found: cython.int = groups.find_chains(cards, last)
    return sorted((two >> 7, two & 127) for two in places[:found])


def has_chain(cards: bytes, last: bytes) -> bool:
    """Whether there is a Chain on a table."""
    return count_chains(cards, last) > 0


def count_ultras(cards: bytes) -> int:
    """The number of Ultras on a table: four cards in two pairs that have the same third.

    >>> count_ultras(bytes([1, 2, 3, 6]))
    1
    """
    check_table(cards)
    return Groups(0).count_ultras(cards, 0, len(cards))


def count_ultras_on_each(cards: bytes, size: int) -> array[int]:
    """The number of Ultras on each of many tables of `size` different cards, one table after another."""
    counts = _a_count_each(cards, size)
    groups: Groups = Groups(0)
    view: cython.const[cython.uchar][::1] = cards  # type: ignore[valid-type]
    counted: cython.uint[::1] = counts
    each: cython.int = size
    with cython.nogil:
        groups.count_ultras_of_many(view, each, counted)
    return counts


def list_ultras(cards: bytes) -> list[tuple[int, ...]]:
    """The places of every Ultra on a table, in lexicographic order.

    >>> list_ultras(bytes([1, 2, 30, 3, 6]))
    [(0, 1, 3, 4)]
    """
    check_table(cards)
    groups: Groups = Groups(0)
    places = array("q", [0]) * groups.count_ultras(cards, 0, len(cards))
    groups.found = places
    groups.find_ultras(cards)
    return [(p >> 21, p >> 14 & 127, p >> 7 & 127, p & 127) for p in sorted(places)]


def has_ultra(cards: bytes) -> bool:
    """Whether there is an Ultra on a table. Ten cards always hold one."""
    return count_ultras(cards) > 0


def count_ghosts(cards: bytes) -> int:
    """The number of Ghosts on a table: six cards in three pairs whose thirds are a SET.

    >>> count_ghosts(bytes([0, 1, 2, 27, 28, 29, 80]))
    1
    """
    check_table(cards)
    return Groups(len(cards)).count_ghosts(cards, 0, len(cards))


def count_ghosts_on_each(cards: bytes, size: int) -> array[int]:
    """The number of Ghosts on each of many tables of `size` different cards, one table after another."""
    counts = _a_count_each(cards, size)
    groups: Groups = Groups(size)
    view: cython.const[cython.uchar][::1] = cards  # type: ignore[valid-type]
    counted: cython.uint[::1] = counts
    each: cython.int = size
    with cython.nogil:
        groups.count_ghosts_of_many(view, each, counted)
    return counts


def list_ghosts(cards: bytes) -> list[tuple[int, ...]]:
    """The places of every Ghost on a table, in lexicographic order.

    >>> list_ghosts(bytes([0, 1, 2, 80, 27, 28, 29]))
    [(0, 1, 2, 4, 5, 6)]
    """
    check_table(cards)
    groups: Groups = Groups(len(cards))
    places = array("q", [0]) * groups.count_ghosts(cards, 0, len(cards))
    groups.found = places
    groups.find_ghosts(cards)
    return [
        (p >> 35, p >> 28 & 127, p >> 21 & 127, p >> 14 & 127, p >> 7 & 127, p & 127) for p in sorted(places)
    ]


def has_ghost(cards: bytes) -> bool:
    """Whether there is a Ghost on a table. Thirteen cards always hold one."""
    return count_ghosts(cards) > 0


def _a_count_each(cards: bytes, size: int) -> array[int]:
    table: Table = Table()
    view: cython.const[cython.uchar][::1] = cards  # type: ignore[valid-type]
    if not 0 < size <= 81 or len(cards) % size or table.highest(view) > 80:
        raise ValueError(f"{len(cards)} bytes are no tables of {size} cards from 0 to 80")
    return array("I", [0]) * (len(cards) // size)
