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
#: A bit for each face.
ALL_FACES = cython.declare(cython.uint, 0x7FFFFFF)
#: Below any sum of scores.
NEVER = cython.declare(cython.int, -9999)


@cython.final
@cython.cclass
class HandTables:
    def __init__(self, board: Board) -> None:
        if not cython.compiled:
            self.top_one, self.top_pair, self.bound, self.best_with = [0] * 28, [0] * 406, [0] * 28, [0] * 28
            self.v1, self.v2, self.v3, self.any3 = [0] * 28, [0] * 406, [0] * 4060, [0] * 4495
            self.tri, self.tet, self.begin = [0] * 30, [0] * 30, [0] * 677
            self.top_value, self.top_at = [0] * 87, [0] * 87
            self.pair_value, self.pair_a, self.pair_b = [0] * 1218, [0] * 1218, [0] * 1218
            self.link_value, self.order, self.wild_order = [0] * 4096, [0] * 4096, [0] * 4096
            self.by_face, self.by_face_begin = [0] * 4096, [0] * 28
            self.chain, self.chain_wild, self.chain_end_wild = [0] * 729, [0] * 729, [0] * 27
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
        self.find_pairs()
        for i in range(4060):
            self.v3[i] = -1
        self.find_chains()
        self.combine()

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

    # Pairs. On most squares a die finishes nothing by itself: there a link is worth its points and two bonuses,
    # whatever the faces. Those plain pairs are settled by link; only the others need looking at by face.

    def sort_links(self) -> cython.void:
        """Links by falling plain value, by their lying face and for wilds; and from both ends by square."""
        self.board.find_links(ALL_FACES)
        n: cython.int = self.board.links
        for s in range(self.board.squares + 1):
            self.begin[s] = 0
        for o in range(28):
            self.by_face_begin[o] = 0
        for e in range(n):
            self.link_value[e] = (
                self.board.link_points[e]
                + self.board.bonus[self.board.link_a[e]]
                + self.board.bonus[self.board.link_b[e]]
            )
            i: cython.int = e
            while i and self.link_value[self.order[i - 1]] < self.link_value[e]:
                self.order[i] = self.order[i - 1]
                i -= 1
            self.order[i] = e
            i = e
            worth: cython.int = self.link_value[e] - self.board.link_sets[e]
            while (
                i
                and self.link_value[self.wild_order[i - 1]] - self.board.link_sets[self.wild_order[i - 1]]
                < worth
            ):
                self.wild_order[i] = self.wild_order[i - 1]
                i -= 1
            self.wild_order[i] = e
            self.begin[self.board.square_of[self.board.link_a[e]]] += 1
            self.begin[self.board.square_of[self.board.link_b[e]]] += 1
            self.by_face_begin[self.board.link_face[e]] += 1
        for s in range(self.board.squares):
            self.begin[s + 1] += self.begin[s]
        for o in range(27):
            self.by_face_begin[o + 1] += self.by_face_begin[o]
        for i in range(n - 1, -1, -1):
            e = self.order[i]
            o = self.board.link_face[e]
            self.by_face_begin[o] -= 1
            self.by_face[self.by_face_begin[o]] = e
        for e in range(n):
            for side in range(2):
                s = self.board.square_of[self.board.link_b[e] if side else self.board.link_a[e]]
                self.begin[s] -= 1
                k = self.begin[s]
                self.half_to[k] = self.board.square_of[self.board.link_a[e] if side else self.board.link_b[e]]
                self.half_face[k] = self.board.link_face[e]
                self.half_sets[k] = self.board.link_sets[e]
                self.half_points[k] = self.board.link_points[e]

    def find_pairs(self) -> cython.void:
        """For each two faces the best pair, then the best that avoid its squares."""
        for i in range(1218):
            self.pair_value[i] = NEVER
            self.pair_a[i] = self.pair_b[i] = -1
        for again in range(2):
            for g in range(27):
                for f in range(g + 1):
                    self.plain_pair(again, self.tri[g] + f, self.board.third[g * 32 + f], 0)
                if self.wilds:
                    self.plain_pair(again, self.tri[27] + g, -1, 1)
            if self.wilds > 1:
                self.plain_pair(again, self.tri[27] + 27, -1, 2)
            for e in range(self.board.links):
                a: cython.int = self.board.link_a[e]
                b: cython.int = self.board.link_b[e]
                if self.board.finish[a] | self.board.finish[b]:
                    old: cython.int = self.board.link_face[e] * 32
                    for k in range(6):
                        if self.board.finish[a] and self.board.run_face[a * 6 + k] < 27:
                            self.pair(again, e, self.board.run_face[a * 6 + k])
                        if self.board.finish[b] and self.board.run_face[b * 6 + k] < 27:
                            self.pair(again, e, self.board.third[old + self.board.run_face[b * 6 + k]])

    def plain_pair(
        self, again: cython.int, index: cython.int, old: cython.int, wilds: cython.int
    ) -> cython.void:
        """The best plain pair by a link of this lying face, or by any link where wilds take what is needed."""
        e: cython.int
        start: cython.int = self.by_face_begin[old] if wilds == 0 else 0
        end: cython.int = self.by_face_begin[old + 1] if wilds == 0 else self.board.links
        missing: cython.int = 3 * again
        i: cython.int = index * 3
        for k in range(start, end):
            e = self.by_face[k] if wilds == 0 else self.wild_order[k]
            value: cython.int = self.link_value[e] - wilds * self.board.link_sets[e]
            a: cython.int = self.board.square_of[self.board.link_a[e]]
            b: cython.int = self.board.square_of[self.board.link_b[e]]
            if not again:
                self.offer_pair(0, i, value, a, b)
                if wilds < 2:
                    return
                continue
            if missing & 1 and a != self.pair_a[i] and b != self.pair_a[i]:
                self.offer_pair(1, i, value, a, b)
                missing ^= 1
            if missing & 2 and a != self.pair_b[i] and b != self.pair_b[i]:
                self.offer_pair(2, i, value, a, b)
                missing ^= 2
            if not missing and wilds < 2:
                return
            if wilds == 2:
                missing = 3

    def pair(self, again: cython.int, e: cython.int, f: cython.int) -> cython.void:
        """The pair of link e with face f on its first square, and with wilds on either or both."""
        a: cython.int = self.board.square_of[self.board.link_a[e]]
        b: cython.int = self.board.square_of[self.board.link_b[e]]
        g: cython.int = self.board.third[self.board.link_face[e] * 32 + f]
        value: cython.int = self.value[a * 32 + f] + self.value[b * 32 + g] + self.board.link_points[e]
        self.pair_of(again, self.index2(f, g), value, a, b)
        if self.wilds:
            n: cython.int = self.board.link_sets[e]
            s: cython.int = self.sets[a * 32 + f]
            t: cython.int = self.sets[b * 32 + g]
            x: cython.int = s + n if self.board.never else s if s else n
            y: cython.int = t + n if self.board.never else t if t else n
            self.pair_of(again, self.tri[27] + g, value - x, a, b)
            self.pair_of(again, self.tri[27] + f, value - y, a, b)
            if self.wilds > 1:
                self.pair_of(again, self.tri[27] + 27, value - min(x + t + n, y + s + n), a, b)

    def pair_of(
        self, again: cython.int, index: cython.int, value: cython.int, a: cython.int, b: cython.int
    ) -> cython.void:
        i: cython.int = index * 3
        if not again:
            self.offer_pair(0, i, value, a, b)
            return
        if a != self.pair_a[i] and b != self.pair_a[i]:
            self.offer_pair(1, i, value, a, b)
        if a != self.pair_b[i] and b != self.pair_b[i]:
            self.offer_pair(2, i, value, a, b)

    def offer_pair(
        self, which: cython.int, i: cython.int, value: cython.int, a: cython.int, b: cython.int
    ) -> cython.void:
        if value > self.pair_value[i + which]:
            self.pair_value[i + which], self.pair_a[i + which], self.pair_b[i + which] = value, a, b

    def pair_and_single(self, pair: cython.int, h: cython.int) -> cython.int:
        """The best of a pair of these two faces and a single h elsewhere."""
        best: cython.int = NEVER
        for i in range(pair * 3, pair * 3 + 3):
            for k in range(h * 3, h * 3 + 3):
                if self.top_at[k] != self.pair_a[i] and self.top_at[k] != self.pair_b[i]:
                    best = max(best, self.pair_value[i] + self.top_value[k])
                    if i == pair * 3 and k == h * 3:
                        return best
                    break
        return best

    # Chains: likewise by the two lying faces where no die finishes anything by itself, else by face.

    def find_chains(self) -> cython.void:
        """Two pairs with a die in common, on three squares."""
        value: cython.int
        for i in range(729):
            self.chain[i] = self.chain_wild[i] = NEVER
        for i in range(27):
            self.chain_end_wild[i] = NEVER
        self.two_wilds = self.three_wilds = NEVER
        for s in range(self.board.squares):
            for i in range(self.begin[s], self.begin[s + 1]):
                for j in range(i + 1, self.begin[s + 1]):
                    if self.half_to[i] != self.half_to[j]:
                        self.plain_chain(s, i, j)
        for o in range(27):
            for p in range(o + 1):
                value = self.chain[o * 27 + p]
                if value >= 0:
                    for f in range(27):
                        g: cython.int = self.board.third[o * 32 + f]
                        h: cython.int = self.board.third[p * 32 + f]
                        self.raise3(f, g, h, value)
                        if self.wilds:
                            self.raise3(WILD, g, h, self.chain_wild[o * 27 + p])
            if self.wilds and self.chain_end_wild[o] >= 0:
                for f in range(27):
                    self.raise3(f, WILD, self.board.third[o * 32 + f], self.chain_end_wild[o])
        if self.wilds > 1:
            for f in range(27):
                self.raise3(f, WILD, WILD, self.two_wilds)
        if self.wilds > 2:
            self.raise3(WILD, WILD, WILD, self.three_wilds)

    def plain_chain(self, square: cython.int, i: cython.int, j: cython.int) -> cython.void:
        """Note what a chain of two links is worth by itself; look at faces that finish something besides."""
        center: cython.int = self.board.at[square]
        one: cython.int = self.board.at[self.half_to[i]]
        two: cython.int = self.board.at[self.half_to[j]]
        o: cython.int = self.half_face[i]
        p: cython.int = self.half_face[j]
        n: cython.int = self.half_sets[i]
        m: cython.int = self.half_sets[j]
        value: cython.int = self.half_points[i] + self.half_points[j]
        value += self.board.bonus[center] + self.board.bonus[one] + self.board.bonus[two]
        e: cython.int = max(o, p) * 27 + min(o, p)
        self.chain[e] = max(self.chain[e], value)
        if self.wilds:
            self.chain_wild[e] = max(self.chain_wild[e], value - (n + m if self.board.never else min(n, m)))
            self.chain_end_wild[p] = max(self.chain_end_wild[p], value - n)
            self.chain_end_wild[o] = max(self.chain_end_wild[o], value - m)
        if self.wilds > 1 and value - 2 > self.two_wilds:
            lost: cython.int = self.chain_loss(3, 0, 0, 0, n, m)
            lost = min(lost, self.chain_loss(5, 0, 0, 0, n, m), self.chain_loss(6, 0, 0, 0, n, m))
            self.two_wilds = max(self.two_wilds, value - lost)
        if self.wilds > 2 and value - 3 > self.three_wilds:
            self.three_wilds = max(self.three_wilds, value - self.chain_loss(7, 0, 0, 0, n, m))
        if self.board.finish[center] | self.board.finish[one] | self.board.finish[two]:
            for k in range(6):
                if self.board.finish[center] and self.board.run_face[center * 6 + k] < 27:
                    self.face_chain(square, self.board.run_face[center * 6 + k], i, j)
                if self.board.finish[one] and self.board.run_face[one * 6 + k] < 27:
                    self.face_chain(square, self.board.third[o * 32 + self.board.run_face[one * 6 + k]], i, j)
                if self.board.finish[two] and self.board.run_face[two * 6 + k] < 27:
                    self.face_chain(square, self.board.third[p * 32 + self.board.run_face[two * 6 + k]], i, j)

    def face_chain(self, square: cython.int, f: cython.int, i: cython.int, j: cython.int) -> cython.void:
        """A chain with face f in the middle, and with wilds in any of its places."""
        g: cython.int = self.board.third[self.half_face[i] * 32 + f]
        h: cython.int = self.board.third[self.half_face[j] * 32 + f]
        at: cython.int = square * 32 + f
        to: cython.int = self.half_to[i] * 32 + g
        and_to: cython.int = self.half_to[j] * 32 + h
        value: cython.int = self.value[at] + self.value[to] + self.value[and_to]
        value += self.half_points[i] + self.half_points[j]
        self.raise3(f, g, h, value)
        for mask in range(1, 8 if self.wilds else 1):
            wilds: cython.int = (mask & 1) + (mask >> 1 & 1) + (mask >> 2)
            if wilds > self.wilds:
                continue
            e: cython.int = self.index3(
                WILD if mask & 1 else f, WILD if mask & 2 else g, WILD if mask & 4 else h
            )
            if value - wilds > self.v3[e]:
                value -= self.chain_loss(
                    mask,
                    self.sets[at],
                    self.sets[to],
                    self.sets[and_to],
                    self.half_sets[i],
                    self.half_sets[j],
                )
                self.v3[e] = max(self.v3[e], value)
                value = self.value[at] + self.value[to] + self.value[and_to]
                value += self.half_points[i] + self.half_points[j]

    def chain_loss(
        self, mask: cython.int, s: cython.int, t: cython.int, u: cython.int, n: cython.int, m: cython.int
    ) -> cython.int:
        """What the wilds of a chain lose: bits 0, 1 and 2 of `mask` are its middle and its ends."""
        x: cython.int = mask & 1
        y: cython.int = mask >> 1 & 1
        z: cython.int = mask >> 2
        if self.board.never:
            return x * (s + n + m) + y * (t + n) + z * (u + m)
        lost: cython.int = order_loss(x, s, y, t, z, u, n, m, 0)
        lost = min(lost, order_loss(x, s, z, u, y, t, m, n, 0))
        lost = min(lost, order_loss(y, t, x, s, z, u, n, 0, m))
        lost = min(lost, order_loss(y, t, z, u, x, s, 0, n, m))
        lost = min(lost, order_loss(z, u, x, s, y, t, m, 0, n))
        return min(lost, order_loss(z, u, y, t, x, s, 0, m, n))

    def raise3(self, f: cython.int, g: cython.int, h: cython.int, value: cython.int) -> cython.void:
        e: cython.int = self.index3(f, g, h)
        if value > self.v3[e]:
            self.v3[e] = value

    # All together.

    def combine(self) -> cython.void:
        """The tables from singles, pairs and what chains have given, and the best with any of three dice."""
        n: cython.int = 0
        m: cython.int = 0
        for g in range(28):
            self.top_one[g] = self.top_value[g * 3]
            self.v1[g] = max(-1, self.top_value[g * 3])
            for f in range(g + 1):
                self.top_pair[m] = self.pair_value[m * 3]
                self.v2[m] = max(-1, self.two_singles(f, g), self.pair_value[m * 3])
                self.any3[4060 + m] = max(0, self.v1[f], self.v1[g], self.v2[m])
                m += 1
        for f in range(28):
            self.any3[4466 + f] = max(0, self.v1[f])
        self.any3[4494] = 0
        for h in range(28):
            for g in range(h + 1):
                self.bound_threes(g, h)
                for f in range(g + 1):
                    if self.bound[f] > self.v3[n + f]:
                        self.v3[n + f] = self.apart(f, g, h, self.v3[n + f])
                self.any_of_threes(n, g, h)
                n += g + 1

    def bound_threes(self, g: cython.int, h: cython.int) -> cython.void:
        """What g, h and each f <= g are worth at most as singles and pairs: more only if they want one square."""
        f_g: cython.int = self.tri[g]
        f_h: cython.int = self.tri[h]
        one: cython.short = self.top_one[g]
        other: cython.short = self.top_one[h]
        both: cython.short = max(one + other, self.top_pair[f_h + g])
        for f in range(g + 1):
            x: cython.short = self.top_one[f] + both
            y: cython.short = self.top_pair[f_g + f] + other
            z: cython.short = self.top_pair[f_h + f] + one
            y = max(y, z)
            self.bound[f] = max(x, y)

    def apart(self, f: cython.int, g: cython.int, h: cython.int, best: cython.int) -> cython.int:
        """The best of three singles or of a pair and a single, if it is more than `best`."""
        f_g: cython.int = self.tri[g] + f
        f_h: cython.int = self.tri[h] + f
        g_h: cython.int = self.tri[h] + g
        if self.top_one[f] + self.top_one[g] + self.top_one[h] > best:
            best = max(best, self.three_singles(f, g, h))
        if self.top_pair[f_g] + self.top_one[h] > best:
            best = max(best, self.pair_and_single(f_g, h))
        if self.top_pair[f_h] + self.top_one[g] > best:
            best = max(best, self.pair_and_single(f_h, g))
        if self.top_pair[g_h] + self.top_one[f] > best:
            best = max(best, self.pair_and_single(g_h, f))
        return best

    def any_of_threes(self, n: cython.int, g: cython.int, h: cython.int) -> cython.void:
        """The best with any of three dice, for each f <= g."""
        f_g: cython.int = 4060 + self.tri[g]
        f_h: cython.int = 4060 + self.tri[h]
        both: cython.short = self.any3[f_h + g]
        for f in range(g + 1):
            x: cython.short = max(self.v3[n + f], both)
            y: cython.short = max(self.any3[f_g + f], self.any3[f_h + f])
            self.best_with[f] = max(x, y)
        for f in range(g + 1):
            self.any3[n + f] = self.best_with[f]

    def best_of(self, hand: cython.const[cython.uchar][::1]) -> cython.int:  # type: ignore[valid-type]
        """The best score of a hand of dice, by its threes."""
        size: cython.int = len(hand)
        best: cython.int = 0
        if size == 0:
            return 0
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

    def best_of_three(self) -> array[int]:
        """The best score with any of three dice, 28 for no die, by the index of `v3`: 4,495 numbers."""
        return array("h", [self.any3[i] for i in range(4495)])

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
