# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""For one board, the best score of every hand (BOTS, point 2).

At most three dice are laid, so the best score by exactly these one, two or three faces (27 is WILD) says all:
`v1` has 28 of them, `v2` 406, `v3` 4,060, -1 where no legal turn lays just these. A multiset f <= g <= h is found
at `h(h+1)(h+2)/6 + g(g+1)/2 + f`. `any3` is the best with any of three dice, where 28 stands for no die;
the best score of a hand is the highest of its threes.

A turn falls into parts that share no SET: singles, pairs and chains (see search.py). Parts add up, so for each
face the three best squares are enough, and for each two faces three pairs: the best, and the best ones that
avoid its first or its second square.
"""

from __future__ import annotations

from array import array

from tercet.kernel.board import Board
from tercet.kernel.search import order_loss

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

WILD = cython.declare(cython.int, 27)
NO_DIE = cython.declare(cython.int, 28)
#: Below any sum of scores.
NEVER = cython.declare(cython.int, -9999)


@cython.final
@cython.cclass
class HandTables:
    def __init__(self, board: Board) -> None:
        if not cython.compiled:
            self.v1, self.v2, self.v3, self.any3 = [0] * 28, [0] * 406, [0] * 4060, [0] * 4495
            self.tri, self.tet, self.begin = [0] * 30, [0] * 30, [0] * 677
            self.top_value, self.top_at = [0] * 87, [0] * 87
            self.pair_value, self.pair_a, self.pair_b = [0] * 1218, [0] * 1218, [0] * 1218
        self.board = board
        self.value = array("h", bytes(2 * 32 * board.rows * board.cols))
        self.sets = array("B", bytes(32 * board.rows * board.cols))
        self.half_to = array("h", bytes(2 * 8192))
        self.half_face, self.half_sets, self.half_points = bytearray(8192), bytearray(8192), bytearray(8192)
        for n in range(30):
            self.tri[n] = n * (n + 1) // 2
            self.tet[n] = n * (n + 1) * (n + 2) // 6

    def index2(self, f: cython.int, g: cython.int) -> cython.int:
        return self.tri[g] + f if f <= g else self.tri[f] + g

    def index3(self, f: cython.int, g: cython.int, h: cython.int) -> cython.int:
        low: cython.int = min(f, g)
        high: cython.int = max(f, g)
        if h >= high:
            return self.tet[h] + self.tri[high] + low
        if h >= low:
            return self.tet[high] + self.tri[h] + low
        return self.tet[high] + self.tri[low] + h

    def build(self, wilds: cython.int) -> cython.void:
        """Fill the tables for the board as it lies, for hands with up to so many wilds; with more, -1."""
        self.wilds = wilds
        self.value_squares()
        self.sort_links()
        for i in range(1218):
            self.pair_value[i] = NEVER
        self.find_pairs(0)
        self.find_pairs(1)
        self.of_singles()
        self.of_chains()
        self.close()

    # Singles.

    def value_squares(self) -> cython.void:
        """Values by square and face, and for each face its three best squares."""
        for i in range(87):
            self.top_value[i] = NEVER
            self.top_at[i] = -1 - i
        for s in range(self.board.squares):
            q = self.board.at[s]
            bonus = self.board.bonus[q]
            for i in range(s * 32, s * 32 + 32):
                self.value[i] = bonus
                self.sets[i] = 0
            mask: cython.uint = self.board.finish[q]
            if not mask:
                continue
            wild: cython.int = NEVER
            for i in range(q * 6, q * 6 + 6):
                face: cython.int = self.board.run_face[i]
                self.value[s * 32 + face] += self.board.run_points[i]
                self.sets[s * 32 + face] += 1
            for i in range(q * 6, q * 6 + 6):
                face = self.board.run_face[i]
                if mask >> face & 1:
                    mask ^= (mask >> face & 1) << face
                    self.offer_top(face, self.value[s * 32 + face], s)
                    wild = max(wild, self.value[s * 32 + face] - self.sets[s * 32 + face])
            if self.wilds:
                self.offer_top(WILD, wild, s)

    def offer_top(self, face: cython.int, value: cython.int, square: cython.int) -> cython.void:
        i: cython.int = face * 3
        if value > self.top_value[i]:
            self.top_value[i + 2], self.top_at[i + 2] = self.top_value[i + 1], self.top_at[i + 1]
            self.top_value[i + 1], self.top_at[i + 1] = self.top_value[i], self.top_at[i]
            self.top_value[i], self.top_at[i] = value, square
        elif value > self.top_value[i + 1]:
            self.top_value[i + 2], self.top_at[i + 2] = self.top_value[i + 1], self.top_at[i + 1]
            self.top_value[i + 1], self.top_at[i + 1] = value, square
        elif value > self.top_value[i + 2]:
            self.top_value[i + 2], self.top_at[i + 2] = value, square

    def two_singles(self, f: cython.int, g: cython.int) -> cython.int:
        a: cython.int = f * 3
        b: cython.int = g * 3
        if self.top_at[a] != self.top_at[b]:
            return self.top_value[a] + self.top_value[b]
        return max(self.top_value[a] + self.top_value[b + 1], self.top_value[a + 1] + self.top_value[b])

    def three_singles(self, f: cython.int, g: cython.int, h: cython.int) -> cython.int:
        a: cython.int = f * 3
        b: cython.int = g * 3
        c: cython.int = h * 3
        x: cython.int = self.top_at[a]
        y: cython.int = self.top_at[b]
        z: cython.int = self.top_at[c]
        best: cython.int = NEVER
        if x != y and x != z and y != z:
            return self.top_value[a] + self.top_value[b] + self.top_value[c]
        for i in range(a, a + 3):
            for j in range(b, b + 3):
                if self.top_at[i] != self.top_at[j]:
                    for k in range(c, c + 3):
                        if self.top_at[k] != self.top_at[i] and self.top_at[k] != self.top_at[j]:
                            best = max(best, self.top_value[i] + self.top_value[j] + self.top_value[k])
        return best

    # Pairs.

    def sort_links(self) -> cython.void:
        """The links of each square, from both their ends."""
        self.board.find_links()
        for s in range(self.board.squares + 1):
            self.begin[s] = 0
        for e in range(self.board.links):
            self.begin[self.board.square_of[self.board.link_a[e]]] += 1
            self.begin[self.board.square_of[self.board.link_b[e]]] += 1
        for s in range(self.board.squares):
            self.begin[s + 1] += self.begin[s]
        for e in range(self.board.links):
            for side in range(2):
                s = self.board.square_of[self.board.link_b[e] if side else self.board.link_a[e]]
                self.begin[s] -= 1
                n = self.begin[s]
                self.half_to[n] = self.board.square_of[self.board.link_a[e] if side else self.board.link_b[e]]
                self.half_face[n] = self.board.link_face[e]
                self.half_sets[n] = self.board.link_sets[e]
                self.half_points[n] = self.board.link_points[e]

    def find_pairs(self, again: cython.int) -> cython.void:
        """The best pair of each two faces, or, once these are known, the best that avoid its squares."""
        for e in range(self.board.links):
            a: cython.int = self.board.square_of[self.board.link_a[e]]
            b: cython.int = self.board.square_of[self.board.link_b[e]]
            n: cython.int = self.board.link_sets[e]
            for f in range(27):
                g: cython.int = self.board.third[self.board.link_face[e] * 32 + f]
                value: cython.int = self.value[a * 32 + f] + self.value[b * 32 + g] + self.board.link_points[e]
                self.offer_pair(again, f, g, value, a, b)
                if self.wilds:
                    s: cython.int = self.sets[a * 32 + f]
                    t: cython.int = self.sets[b * 32 + g]
                    x: cython.int = s + n if self.board.never else s if s else n
                    y: cython.int = t + n if self.board.never else t if t else n
                    self.offer_pair(again, WILD, g, value - x, a, b)
                    self.offer_pair(again, f, WILD, value - y, a, b)
                    if self.wilds > 1:
                        self.offer_pair(again, WILD, WILD, value - min(x + t + n, y + s + n), a, b)

    def offer_pair(
        self, again: cython.int, f: cython.int, g: cython.int, value: cython.int, a: cython.int, b: cython.int
    ) -> cython.void:
        i: cython.int = self.index2(f, g) * 3
        if not again:
            if value > self.pair_value[i]:
                self.pair_value[i], self.pair_a[i], self.pair_b[i] = value, a, b
            return
        x: cython.int = self.pair_a[i]
        y: cython.int = self.pair_b[i]
        if value > self.pair_value[i + 1] and a != x and b != x:
            self.pair_value[i + 1], self.pair_a[i + 1], self.pair_b[i + 1] = value, a, b
        if value > self.pair_value[i + 2] and a != y and b != y:
            self.pair_value[i + 2], self.pair_a[i + 2], self.pair_b[i + 2] = value, a, b

    def pair_and_single(self, pair: cython.int, h: cython.int) -> cython.int:
        """The best of a pair of these two faces and a single h elsewhere."""
        best: cython.int = NEVER
        if self.pair_value[pair * 3] < 0:
            return best
        for i in range(pair * 3, pair * 3 + 3):
            a: cython.int = self.pair_a[i]
            b: cython.int = self.pair_b[i]
            for k in range(h * 3, h * 3 + 3):
                if self.top_at[k] != a and self.top_at[k] != b:
                    best = max(best, self.pair_value[i] + self.top_value[k])
                    if i == pair * 3 and k == h * 3:
                        return best
                    break
        return best

    def of_singles(self) -> cython.void:
        """What singles, pairs, and pairs with singles give."""
        n: cython.int = 0
        m: cython.int = 0
        value: cython.int
        for h in range(28):
            self.v1[h] = max(-1, self.top_value[h * 3])
            for g in range(h + 1):
                value = max(self.two_singles(g, h), self.pair_value[m * 3])
                self.v2[m] = max(-1, value)
                m += 1
                for f in range(g + 1):
                    value = self.three_singles(f, g, h)
                    value = max(value, self.pair_and_single(self.tri[g] + f, h))
                    value = max(value, self.pair_and_single(self.tri[h] + f, g))
                    value = max(value, self.pair_and_single(self.tri[h] + g, f))
                    self.v3[n] = max(-1, value)
                    n += 1

    # Chains.

    def of_chains(self) -> cython.void:
        """Two pairs with a die in common, on squares of their own."""
        for s in range(self.board.squares):
            for i in range(self.begin[s], self.begin[s + 1]):
                for j in range(i + 1, self.begin[s + 1]):
                    if self.half_to[i] != self.half_to[j]:
                        for f in range(27):
                            self.offer_chain(s, f, i, j)

    def offer_chain(self, square: cython.int, f: cython.int, i: cython.int, j: cython.int) -> cython.void:
        g: cython.int = self.board.third[self.half_face[i] * 32 + f]
        h: cython.int = self.board.third[self.half_face[j] * 32 + f]
        at: cython.int = square * 32 + f
        to: cython.int = self.half_to[i] * 32 + g
        and_to: cython.int = self.half_to[j] * 32 + h
        value: cython.int = self.value[at] + self.value[to] + self.value[and_to]
        value += self.half_points[i] + self.half_points[j]
        self.raise3(f, g, h, value)
        if not self.wilds:
            return
        s: cython.int = self.sets[at]
        t: cython.int = self.sets[to]
        u: cython.int = self.sets[and_to]
        n: cython.int = self.half_sets[i]
        m: cython.int = self.half_sets[j]
        for mask in range(1, 8):
            x: cython.int = mask & 1
            y: cython.int = mask >> 1 & 1
            z: cython.int = mask >> 2
            if x + y + z > self.wilds:
                continue
            e: cython.int = self.index3(WILD if x else f, WILD if y else g, WILD if z else h)
            if value - x - y - z <= self.v3[e]:
                continue
            lost: cython.int
            if self.board.never:
                lost = x * (s + n + m) + y * (t + n) + z * (u + m)
            else:
                lost = order_loss(x, s, y, t, z, u, n, m, 0)
                lost = min(lost, order_loss(x, s, z, u, y, t, m, n, 0))
                lost = min(lost, order_loss(y, t, x, s, z, u, n, 0, m))
                lost = min(lost, order_loss(y, t, z, u, x, s, 0, n, m))
                lost = min(lost, order_loss(z, u, x, s, y, t, m, 0, n))
                lost = min(lost, order_loss(z, u, y, t, x, s, 0, m, n))
            self.v3[e] = max(self.v3[e], value - lost)

    def raise3(self, f: cython.int, g: cython.int, h: cython.int, value: cython.int) -> cython.void:
        e: cython.int = self.index3(f, g, h)
        if value > self.v3[e]:
            self.v3[e] = value

    # Any of three dice.

    def close(self) -> cython.void:
        n: cython.int = 0
        best: cython.int
        for h in range(29):
            for g in range(h + 1):
                for f in range(g + 1):
                    best = 0
                    if f < NO_DIE:
                        best = max(0, self.v1[f])
                    if g < NO_DIE:
                        best = max(best, self.v1[g], self.v2[self.tri[g] + f])
                    if h < NO_DIE:
                        best = max(best, self.v1[h], self.v2[self.tri[h] + f])
                        best = max(best, self.v2[self.tri[h] + g], self.v3[n])
                    self.any3[n] = best
                    n += 1

    def best_of(self, hand: cython.const[cython.uchar][::1]) -> cython.int:
        """The best score of a hand of dice, by its threes."""
        size: cython.int = len(hand)
        best: cython.int = 0
        if size == 1:
            return self.any3[self.index3(hand[0], NO_DIE, NO_DIE)]
        if size == 2:
            return self.any3[self.index3(hand[0], hand[1], NO_DIE)]
        for i in range(size):
            for j in range(i + 1, size):
                for k in range(j + 1, size):
                    best = max(best, self.any3[self.index3(hand[i], hand[j], hand[k])])
        return best

    # For callers in Python.

    def tables(self) -> tuple[array[int], array[int], array[int]]:
        """v1, v2 and v3."""
        return (
            array("h", [self.v1[i] for i in range(28)]),
            array("h", [self.v2[i] for i in range(406)]),
            array("h", [self.v3[i] for i in range(4060)]),
        )

    def best(self, hand: bytes) -> int:
        """The best score of a hand of up to five dice, 0 where it has no turn."""
        if max(hand, default=0) > 27:
            raise ValueError("a hand is of faces 0 to 27")
        return self.best_of(hand)


def hand_tables(rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, never: bool) -> HandTables:
    """The tables of a board, given as for `list_turns`."""
    lying = Board(rows, cols)
    lying.lay(board, stars, bonus, never)
    tables: HandTables = HandTables(lying)
    with cython.nogil:
        tables.build(3)
    return tables
