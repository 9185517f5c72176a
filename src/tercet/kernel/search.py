# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""The search for turns with one hand on one board. Placements and turns are ints as in turns.py.

A laid die is in a SET either with two lying dice (a *single*) or with another laid die and a lying one
(a *pair*). So a legal turn is one, two or three singles; a pair; a pair and a single; or two pairs with a
die in common (a *chain*). A turn that has several of these shapes is listed by the first of them.
"""

from __future__ import annotations

from array import array

from tercet.kernel.board import Board

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

WILD = cython.declare(cython.int, 27)
#: All bits of a turn below its score.
BELOW_SCORE = cython.declare(cython.longlong, (1 << 48) - 1)


def pack_two(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    return a + 1 + ((b + 1) << 16)


def pack_three(a: cython.longlong, b: cython.longlong, c: cython.longlong) -> cython.longlong:
    return a + 1 + ((b + 1) << 16) + ((c + 1) << 32)


def order_loss(
    w1: cython.int,
    s1: cython.int,
    w2: cython.int,
    s2: cython.int,
    w3: cython.int,
    s3: cython.int,
    n12: cython.int,
    n13: cython.int,
    n23: cython.int,
) -> cython.int:
    """What wilds lose when three dice are laid in this order (C19): w is 1 for a wild, s counts the SETs
    with lying dice alone, n those of two laid dice. A wild loses a point in each SET finished by the die
    with which it first joins one."""
    lost: cython.int = 0
    if w1:
        lost = s1 if s1 else n12 if n12 else n13
    if w2:
        lost += s2 + n12 if s2 + n12 else n23
    if w3:
        lost += s3 + n13 + n23
    return lost


@cython.final
@cython.cclass
class Search:
    """Turns for one hand on one board. The board may change between calls; the buffers are kept."""

    def __init__(self, board: Board) -> None:
        if not cython.compiled:
            self.count, self.use, self.held = [0] * 28, [0] * 28, [0] * 8
            self.most_here, self.most_beyond = [0] * 848, [0] * 848
        self.board = board
        squares: cython.int = board.rows * board.cols
        # six runs end on a square, and each can be finished by a die or by a wild
        self.single = array("i", bytes(4 * 12 * squares))
        self.single_value = array("i", bytes(4 * 12 * squares))
        self.order = array("i", bytes(4 * 12 * squares))
        self.head = array("i", bytes(4 * 64 * squares))
        self.pair_room = self.turn_room = 0
        self.pairs = self.turns = self.bounded = 0
        self.turn = array("q")
        self.make_pair_room(256)
        self.make_turn_room()

    def hold(self, hand: bytes) -> None:
        """Take this hand of up to seven dice: faces 0..26, 27 for a WILD."""
        if len(hand) > 7:
            raise ValueError(f"a hand of {len(hand)} dice: at most 7 here")
        for face in range(28):
            self.count[face] = 0
        for face in hand:
            if face > WILD:
                raise ValueError(f"{face} in hand is no face: 0 to 26, or 27 for a WILD")
            self.count[face] += 1
        self.sort_hand()

    def sort_hand(self) -> cython.void:
        """From `count` the rest of what is kept about a hand."""
        bit: cython.uint = 1
        self.n_held, self.faces, self.room, self.guard = 0, 0, 0, 0
        for face in range(28):
            if self.count[face]:
                self.use[face] = bit << (4 * self.n_held)
                self.room |= (8 + self.count[face]) * self.use[face]
                self.guard |= 8 * self.use[face]
                self.faces |= bit << face
                self.held[self.n_held] = face
                self.n_held += 1

    # What is asked of placements.

    def kind(self, p: cython.int) -> cython.int:
        return WILD if p & 1 else p >> 1 & 31

    def fit_two(self, a: cython.int, b: cython.int) -> cython.int:
        """Two dice on two squares, both in hand."""
        used: cython.uint = self.use[self.kind(a)] + self.use[self.kind(b)]
        return (a >> 6 != b >> 6) & (((self.room - used) & self.guard) == self.guard)

    def fit_three(self, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
        """Given that a and b fit: a third die on a third square, all in hand."""
        used: cython.uint = self.use[self.kind(a)] + self.use[self.kind(b)] + self.use[self.kind(c)]
        return (a >> 6 != c >> 6) & (b >> 6 != c >> 6) & (((self.room - used) & self.guard) == self.guard)

    def alone(self, p: cython.int) -> cython.int:
        """Whether this placement makes a SET with lying dice alone."""
        return self.board.finish[self.board.at[p >> 6]] >> (p >> 1 & 31) & 1

    def sets(self, p: cython.int) -> cython.int:
        """How many SETs this placement makes with lying dice alone."""
        return self.board.sets(self.board.at[p >> 6], p >> 1 & 31) if self.alone(p) else 0

    def natural(self, p: cython.int) -> cython.int:
        """The points of those SETs with the bonus of the square, for a die that is no wild."""
        q: cython.int = self.board.at[p >> 6]
        return (self.board.points(q, p >> 1 & 31) if self.alone(p) else 0) + self.board.bonus[q]

    def shared(self, a: cython.int, b: cython.int) -> cython.int:
        """The SETs that placements a < b make with one lying die: their number + 16 x their points."""
        at_a: cython.int = self.board.at[a >> 6]
        at_b: cython.int = self.board.at[b >> 6]
        d: cython.int = at_b - at_a
        if d > 2 and d != self.board.stride and d != 2 * self.board.stride:
            return 0
        return self.board.shared(at_a, a >> 1 & 31, at_b, b >> 1 & 31)

    def worth_two(self, a: cython.int, b: cython.int, shared: cython.int) -> cython.int:
        """The score of two placements, given what they share."""
        value: cython.int = self.natural(a) + self.natural(b) + (shared >> 4)
        n: cython.int = shared & 15
        s: cython.int = self.sets(a)
        t: cython.int = self.sets(b)
        if not (a | b) & 1:
            return value
        if self.board.never:
            return value - (a & 1) * (s + n) - (b & 1) * (t + n)
        return value - min(
            order_loss(a & 1, s, b & 1, t, 0, 0, n, 0, 0), order_loss(b & 1, t, a & 1, s, 0, 0, n, 0, 0)
        )

    def worth_three(self, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
        """The score of three placements a < b < c."""
        ab: cython.int = self.shared(a, b)
        ac: cython.int = self.shared(a, c)
        bc: cython.int = self.shared(b, c)
        value: cython.int = (
            self.natural(a) + self.natural(b) + self.natural(c) + (ab >> 4) + (ac >> 4) + (bc >> 4)
        )
        if not (a | b | c) & 1:
            return value
        i: cython.int = a & 1
        j: cython.int = b & 1
        k: cython.int = c & 1
        s: cython.int = self.sets(a)
        t: cython.int = self.sets(b)
        u: cython.int = self.sets(c)
        ab &= 15
        ac &= 15
        bc &= 15
        if self.board.never:
            return value - i * (s + ab + ac) - j * (t + ab + bc) - k * (u + ac + bc)
        lost: cython.int = order_loss(i, s, j, t, k, u, ab, ac, bc)
        lost = min(lost, order_loss(i, s, k, u, j, t, ac, ab, bc))
        lost = min(lost, order_loss(j, t, i, s, k, u, ab, bc, ac))
        lost = min(lost, order_loss(j, t, k, u, i, s, bc, ab, ac))
        lost = min(lost, order_loss(k, u, i, s, j, t, ac, bc, ab))
        lost = min(lost, order_loss(k, u, j, t, i, s, bc, ac, ab))
        return value - lost

    # Singles and pairs.

    def find_singles(self) -> cython.void:
        """All singles in ascending order."""
        n: cython.int = 0
        wild: cython.int = self.count[WILD]
        for s in range(self.board.squares):
            q = self.board.at[s]
            mask = self.board.finish[q]
            if wild and mask:
                for face in range(27):
                    if mask >> face & 1:
                        if self.faces >> face & 1:
                            n = self.add_single(n, s * 64 + face * 2)
                        n = self.add_single(n, s * 64 + face * 2 + 1)
            elif mask & self.faces:
                for i in range(self.n_held):
                    face = self.held[i]
                    if mask >> face & 1:
                        n = self.add_single(n, s * 64 + face * 2)
        self.singles = n

    def add_single(self, n: cython.int, p: cython.int) -> cython.int:
        self.single[n] = p
        self.single_value[n] = self.natural(p)
        if p & 1:
            self.single_value[n] -= self.sets(p)  # the wild finishes its own first SETs
        return n + 1

    def wanted_faces(self) -> cython.uint:
        """The lying faces with which two dice in hand make a SET."""
        wanted: cython.uint = 0x7FFFFFF if self.count[WILD] else 0
        bit: cython.uint = 1
        for i in range(self.n_held):
            for j in range(i + 1 if self.count[self.held[i]] < 2 else i, self.n_held):
                wanted |= bit << self.board.third[self.held[i] * 32 + self.held[j]]
        return wanted

    def find_pairs(self) -> cython.void:
        """All pairs, and where each placement has its own; while `bounded`, those that can be in a best turn."""
        wilds: cython.int = self.count[WILD]
        self.board.find_links(self.wanted_faces())
        self.pairs = 0
        i = self.board.links * (37 if wilds > 1 else 14)
        if i > self.pair_room:
            self.make_pair_room(i)
        if self.bounded:
            self.bound_links()
        for i in range(self.board.links):
            if self.bounded and self.too_little(self.most_with_link(i), self.last_of_link(i)):
                continue
            old = self.board.link_face[i] * 32
            for j in range(self.n_held):
                face = self.held[j]
                if face == WILD:
                    continue
                other = self.board.third[old + face]
                if self.faces >> other & 1 and (other != face or self.count[face] > 1):
                    self.add_pair(i, face, 0, 0)
                if wilds:
                    self.add_pair(i, face, 0, 1)
                    self.add_pair(i, other, 1, 0)
            if wilds > 1:
                for face in range(27):
                    self.add_pair(i, face, 1, 1)

    def add_pair(
        self, link: cython.int, face_a: cython.int, wild_a: cython.int, wild_b: cython.int
    ) -> cython.void:
        e: cython.int = self.pairs
        at_a: cython.int = self.board.link_a[link]
        at_b: cython.int = self.board.link_b[link]
        face_b: cython.int = self.board.third[self.board.link_face[link] * 32 + face_a]
        a: cython.int = self.board.square_of[at_a] * 64 + face_a * 2 + wild_a
        b: cython.int = self.board.square_of[at_b] * 64 + face_b * 2 + wild_b
        most: cython.int = self.most(a) + self.most(b) + self.board.link_points[link]
        if self.bounded and self.too_little(most + self.most_third(at_a, at_b), b):
            return
        self.pair_a[e] = a
        self.pair_b[e] = b
        self.pair_most[e] = self.pair_value[e] = most
        if wild_a | wild_b:
            self.pair_value[e] = self.worth_two(
                a, b, self.board.link_sets[link] + 16 * self.board.link_points[link]
            )
        if self.bounded:
            self.offer(pack_two(a, b), self.pair_value[e])
        self.follow[2 * e] = self.head[a]
        self.head[a] = 2 * e + 1
        self.follow[2 * e + 1] = self.head[b]
        self.head[b] = 2 * e + 2
        self.pairs = e + 1

    def forget_pairs(self) -> cython.void:
        for e in range(self.pairs):
            self.head[self.pair_a[e]] = 0
            self.head[self.pair_b[e]] = 0

    def any(self) -> cython.int:
        """Whether this hand has a legal turn at all."""
        dice: cython.int = 0
        mask: cython.uint = 0
        for s in range(self.board.squares):
            mask |= self.board.finish[self.board.at[s]]
        if mask & self.faces or (mask and self.count[WILD]):
            return 1
        for i in range(self.n_held):
            dice += self.count[self.held[i]]
        if dice < 2:
            return 0
        self.board.find_links(self.wanted_faces())
        return self.board.links > 0

    # All turns.

    def find_all(self) -> cython.void:
        self.turns = self.bounded = 0
        self.find_singles()
        self.find_pairs()
        self.all_of_singles()
        self.all_of_pairs()
        self.all_chains()
        self.forget_pairs()

    def add(self, turn: cython.longlong, score: cython.int) -> cython.void:
        if self.turns == self.turn_room:
            self.make_turn_room()
        self.turn[self.turns] = turn + (cython.cast(cython.longlong, score) << 48)
        self.turns += 1

    def all_of_singles(self) -> cython.void:
        for i in range(self.singles):
            a = self.single[i]
            self.add(a + 1, self.single_value[i])
            for j in range(i + 1, self.singles):
                b = self.single[j]
                if not self.fit_two(a, b):
                    continue
                ab = self.shared(a, b)
                value = self.single_value[i] + self.single_value[j]
                self.add(pack_two(a, b), self.worth_two(a, b, ab) if ab else value)
                for k in range(j + 1, self.singles):
                    c = self.single[k]
                    if not self.fit_three(a, b, c):
                        continue
                    if ab or self.shared(a, c) or self.shared(b, c):
                        self.add(pack_three(a, b, c), self.worth_three(a, b, c))
                    else:
                        self.add(pack_three(a, b, c), value + self.single_value[k])

    def all_of_pairs(self) -> cython.void:
        """Pairs, and pairs with a single, but for those that are all singles."""
        for e in range(self.pairs):
            a = self.pair_a[e]
            b = self.pair_b[e]
            if self.alone(a) and self.alone(b):
                continue
            self.add(pack_two(a, b), self.pair_value[e])
            weak = b if self.alone(a) else a
            other = a + b - weak
            for k in range(self.singles):
                c = self.single[k]
                if not self.fit_three(a, b, c):
                    continue
                if self.alone(other) and c < other and self.shared(min(weak, c), max(weak, c)):
                    continue  # the pair of `weak` and c with the single `other` is the same turn
                self.add_three(a, b, c, 1)

    def all_chains(self) -> cython.void:
        """Two pairs with a die in common where neither end is a single: the others are a pair and a single."""
        for e in range(self.pairs):
            for side in range(2):
                p: cython.int = self.pair_b[e] if side else self.pair_a[e]
                one: cython.int = 2 * e + 1 + side
                if self.head[p] != one:
                    continue  # p has had its turn
                while one:
                    b: cython.int = self.partner(one)
                    other: cython.int = 0 if self.alone(b) else self.follow[one - 1]
                    while other:
                        c: cython.int = self.partner(other)
                        if not self.alone(c) and b >> 6 != c >> 6 and self.fit_three(p, b, c):
                            self.add_three(p, b, c, 1)
                        other = self.follow[other - 1]
                    one = self.follow[one - 1]

    def partner(self, half: cython.int) -> cython.int:
        e: cython.int = half - 1
        return self.pair_a[e >> 1] if e & 1 else self.pair_b[e >> 1]

    def add_three(self, a: cython.int, b: cython.int, c: cython.int, all: cython.int) -> cython.void:
        """Add or offer the turn of three placements in any order."""
        low: cython.int = min(a, b, c)
        high: cython.int = max(a, b, c)
        b = a + b + c - low - high
        if all:
            self.add(pack_three(low, b, high), self.worth_three(low, b, high))
        else:
            self.offer(pack_three(low, b, high), self.worth_three(low, b, high))

    # The best turn. Dice that share no SET add up, and dice that do are worth at least their sum, so a
    # best turn is always found as the sum of its parts, and no sum is more than its turn is worth.
    # A wild loses at least one point, so `most` is a bound for a placement, and sums of it bound turns.

    def find_best(self) -> cython.longlong:
        """The turn with most points, of equals the smallest; 0 where there is none."""
        self.best, self.last, self.bounded = 0, BELOW_SCORE >> 32, 1
        self.find_singles()
        self.sort_singles()
        self.best_of_singles()
        self.find_pairs()
        self.best_of_pairs()
        self.best_of_chains()
        self.forget_pairs()
        if not self.best:
            return 0
        return self.best ^ BELOW_SCORE

    def offer(self, turn: cython.longlong, score: cython.int) -> cython.void:
        """Keep the best; kept as the score above the complement of the turn, so that more is better."""
        key: cython.longlong = (cython.cast(cython.longlong, score) << 48) + (BELOW_SCORE - turn)
        if key > self.best:
            self.best = key
            self.last = (turn >> 32) - 1

    def offer_three(self, a: cython.int, b: cython.int, c: cython.int, score: cython.int) -> cython.void:
        low: cython.int = min(a, b, c)
        high: cython.int = max(a, b, c)
        self.offer(pack_three(low, a + b + c - low - high, high), score)

    def too_little(self, score: cython.int, last: cython.int) -> cython.int:
        """Whether three dice with at most this score, one of them laid at `last` or behind, cannot be best."""
        best: cython.int = self.best >> 48
        return (score < best) | ((score == best) & (last > self.last))

    def most(self, p: cython.int) -> cython.int:
        """What a placement gives at most by itself in a turn."""
        return self.natural(p) - (p & 1)

    def bound_links(self) -> cython.void:
        """What any die gives at most on each cell, and a die linked to it with their link."""
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            self.most_here[q] = self.board.bonus[q]
            self.most_beyond[q] = 0
        for i in range(self.singles):
            p: cython.int = self.single[i]
            q = self.board.at[p >> 6]
            self.most_here[q] = max(self.most_here[q], self.most(p) if p & 1 else self.single_value[i])
        for i in range(self.board.links):
            a: cython.int = self.board.link_a[i]
            b: cython.int = self.board.link_b[i]
            points: cython.int = self.board.link_points[i]
            self.most_beyond[a] = max(self.most_beyond[a], points + self.most_here[b])
            self.most_beyond[b] = max(self.most_beyond[b], points + self.most_here[a])

    def most_third(self, a: cython.int, b: cython.int) -> cython.int:
        """What a third die adds at most to a pair on these cells: as a single, or linked to one of them."""
        alone: cython.int = self.single_value[self.order[0]] if self.singles else 0
        return max(alone, self.most_beyond[a], self.most_beyond[b])

    def most_with_link(self, i: cython.int) -> cython.int:
        a: cython.int = self.board.link_a[i]
        b: cython.int = self.board.link_b[i]
        here: cython.int = self.most_here[a] + self.most_here[b] + self.board.link_points[i]
        return here + self.most_third(a, b)

    def last_of_link(self, i: cython.int) -> cython.int:
        """The smallest placement on the second cell of a link."""
        return self.board.square_of[self.board.link_b[i]] * 64

    def sort_singles(self) -> cython.void:
        """Order the singles by falling value (the sort keeps the order of equals)."""
        for i in range(self.singles):
            value = self.single_value[i]
            j = i
            while j and self.single_value[self.order[j - 1]] < value:
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = i

    def best_of_singles(self) -> cython.void:
        """Of equal values the order is ascending, so what is too little ends a loop."""
        for i in range(self.singles):
            a = self.single[self.order[i]]
            v = self.single_value[self.order[i]]
            if self.too_little(3 * v, a):
                break
            self.offer(a + 1, v)
            for j in range(i + 1, self.singles):
                b = self.single[self.order[j]]
                x = self.single_value[self.order[j]]
                if self.too_little(v + 2 * x, b):
                    break
                if not self.fit_two(a, b):
                    continue
                self.offer(pack_two(min(a, b), max(a, b)), v + x)
                for k in range(j + 1, self.singles):
                    y = self.single_value[self.order[k]]
                    c = self.single[self.order[k]]
                    if self.too_little(v + x + y, max(a, b, c)):
                        break
                    if self.fit_three(a, b, c):
                        self.offer_three(a, b, c, v + x + y)

    def best_of_pairs(self) -> cython.void:
        """Pairs with a single; the pairs by themselves have been offered."""
        for e in range(self.pairs):
            a = self.pair_a[e]
            b = self.pair_b[e]
            v = self.pair_value[e]
            for k in range(self.singles):
                c = self.single[self.order[k]]
                x = self.single_value[self.order[k]]
                if self.too_little(v + x, max(b, c)):
                    break
                if self.fit_three(a, b, c):
                    self.offer_three(a, b, c, v + x)

    def best_of_chains(self) -> cython.void:
        """Two pairs with a die in common."""
        for e in range(self.pairs):
            for side in range(2):
                p: cython.int = self.pair_b[e] if side else self.pair_a[e]
                one: cython.int = 2 * e + 1 + side
                if self.head[p] != one or not self.follow[one - 1]:
                    continue
                counted_twice: cython.int = self.most(p)
                beyond: cython.int = self.most_beyond[self.board.at[p >> 6]]
                while one:
                    most: cython.int = self.pair_most[(one - 1) >> 1]
                    b: cython.int = self.partner(one)
                    other: cython.int = self.follow[one - 1]
                    if self.too_little(most + beyond, max(p, b)):
                        other = 0
                    while other:
                        c: cython.int = self.partner(other)
                        if (
                            not self.too_little(
                                most + self.pair_most[(other - 1) >> 1] - counted_twice, max(p, b, c)
                            )
                            and b >> 6 != c >> 6
                            and self.fit_three(p, b, c)
                        ):
                            self.add_three(p, b, c, 0)
                        other = self.follow[other - 1]
                    one = self.follow[one - 1]

    # Buffers.

    def make_pair_room(self, needed: cython.int) -> cython.void:
        self.pair_room = needed
        self.pair_a, self.pair_b = array("i", bytes(4 * needed)), array("i", bytes(4 * needed))
        self.pair_value, self.pair_most = array("i", bytes(4 * needed)), array("i", bytes(4 * needed))
        self.follow = array("i", bytes(8 * needed))

    def make_turn_room(self) -> cython.void:
        bigger: cython.longlong[::1] = array("q", bytes(8 * max(1024, 2 * self.turn_room)))
        for i in range(self.turns):
            bigger[i] = self.turn[i]
        self.turn = bigger
        self.turn_room = max(1024, 2 * self.turn_room)

    def listed(self) -> array[int]:
        return array("q", memoryview(self.turn[: self.turns]).tobytes())
