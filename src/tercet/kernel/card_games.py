# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""Whole card games by RULES K5-K7, played by a table that sees every SET, and what was counted in them.

The counts are one flat array of 64-bit ints, so that batches add up element by element:

* `LEFT + n`: games that ended with n cards left over
* `LAYOUT + n`: games in which at most n cards lay at once
* `TAKEN + n`: games in which n SETs were taken
* `TABLES + (size//3*24 + deck//3)*40 + n`: times that `size` cards lay, `deck` were still in the deck, and
  there were n SETs (39: or more)
"""

from __future__ import annotations

from array import array

from tercet.kernel.chance import Chance
from tercet.kernel.tables import Table

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

LEFT, LAYOUT, TAKEN, TABLES, COUNTS = 0, 24, 48, 76, 7756


@cython.final
@cython.cclass
class CardGames:
    def __init__(self, cards: bytes, deal: int, first_choice: bool) -> None:
        if not cython.compiled:
            self.deck, self.unshuffled = [0] * 81, [0] * 81
        if len(set(cards)) != len(cards) or max(cards) > 80 or len(cards) % 3:
            raise ValueError("a deck is different cards from 0 to 80, and a multiple of three of them")
        if not 3 <= deal <= min(12, len(cards)) or deal % 3:
            raise ValueError(f"a table of {deal} cards: 3, 6, 9 or 12 of the deck's {len(cards)}")
        for i in range(len(cards)):
            self.unshuffled[i] = cards[i]
        self.cards, self.deal, self.first_choice = len(cards), deal, first_choice
        self.chance, self.table = Chance(), Table()
        self.counts = array("q", bytes(8 * COUNTS))

    def shuffle(self, needed: cython.int) -> cython.void:
        """Put `needed` random cards at the front of the deck."""
        for i in range(self.cards):
            self.deck[i] = self.unshuffled[i]
        for i in range(needed):
            j = i + self.chance.below(self.cards - i)
            card = self.deck[i]
            self.deck[i] = self.deck[j]
            self.deck[j] = card

    def choose(self, sets: cython.int) -> cython.int:
        if not self.first_choice:
            return self.table.found[self.chance.below(sets)]
        first: cython.int = self.table.found[0]
        for i in range(1, sets):
            first = min(first, self.table.found[i])
        return first

    def play(self) -> cython.void:
        """One game. After a SET its gaps are filled from the deck, or else by the last cards of the table."""
        size: cython.int = self.deal
        dealt: cython.int = self.deal
        most: cython.int = self.deal
        taken: cython.int = 0
        place: cython.int
        self.shuffle(self.cards)
        for i in range(self.cards):
            self.table.place[self.deck[i]] = 0
        for i in range(size):
            self.table.put(i, self.deck[i])
        while True:
            sets = self.table.find(size)
            self.counts[76 + (size // 3 * 24 + (self.cards - dealt) // 3) * 40 + min(sets, 39)] += 1
            if sets:
                chosen = self.choose(sets)
                taken += 1
                refill: cython.int = size <= self.deal and dealt < self.cards
                for i in range(3):
                    place = chosen >> (16 - 8 * i) & 255
                    self.table.place[self.table.card[place]] = 0
                    if refill:
                        self.table.put(place, self.deck[dealt])
                        dealt += 1
                if not refill:
                    last: cython.int = size - 3
                    for i in range(3):
                        place = chosen >> (16 - 8 * i) & 255
                        if place < size - 3:
                            while self.table.place[self.table.card[last]] == 0:
                                last += 1
                            self.table.put(place, self.table.card[last])
                            last += 1
                    size -= 3
            elif dealt == self.cards:
                break
            else:
                for i in range(3):
                    self.table.put(size + i, self.deck[dealt + i])
                size += 3
                dealt += 3
                most = max(most, size)
        self.counts[size] += 1
        self.counts[24 + most] += 1
        self.counts[48 + taken] += 1

    def play_many(
        self, seed: cython.ulonglong, first: cython.longlong, games: cython.longlong
    ) -> cython.void:
        for game in range(first, first + games):
            self.chance.start(seed, game)
            self.play()

    def sample_many(
        self, seed: cython.ulonglong, first: cython.longlong, tables: cython.longlong, size: cython.int
    ) -> cython.void:
        for table in range(first, first + tables):
            self.chance.start(seed, table)
            self.shuffle(size)
            for i in range(size):
                self.table.put(i, self.deck[i])
            self.counts[self.table.find(size)] += 1
            for i in range(size):
                self.table.place[self.deck[i]] = 0

    def counted(self) -> array[int]:
        return array("q", memoryview(self.counts).tobytes())


def play_card_games(
    seed: int,
    first: int,
    games: int,
    first_choice: bool = False,
    cards: bytes = bytes(range(81)),
    deal: int = 12,
) -> array[int]:
    """Play games number `first` and on of a seed; the table takes a random SET, or the first by its places."""
    simulation: CardGames = CardGames(cards, deal, first_choice)
    s: cython.ulonglong = seed
    f: cython.longlong = first
    n: cython.longlong = games
    with cython.nogil:
        simulation.play_many(s, f, n)
    return simulation.counted()


def sample_tables(
    seed: int, first: int, tables: int, size: int, cards: bytes = bytes(range(81))
) -> array[int]:
    """How many of these tables of `size` random cards hold 0, 1, 2, ... SETs."""
    if not 0 < size <= len(cards):
        raise ValueError(f"{size} cards of a deck of {len(cards)}")
    simulation: CardGames = CardGames(cards, 3, False)
    s: cython.ulonglong = seed
    f: cython.longlong = first
    n: cython.longlong = tables
    k: cython.int = size
    with cython.nogil:
        simulation.sample_many(s, f, n, k)
    return simulation.counted()[:1081]
