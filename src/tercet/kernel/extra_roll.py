# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""The extra roll (C14) solved exactly.

Five dice show one of 6^5 = 7,776 hands. Their best scores are filled in once, eight at a time; then the dice
are summed over one by one, each of them kept or thrown, which ends in the 32 ways to choose.
"""

from __future__ import annotations

from array import array

from tercet.kernel.hands import HandTables

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

NO_DIE = cython.declare(cython.int, 28)


@cython.final
@cython.cclass
class ExtraRoll:
    """Decisions on the board of these tables, as they are at the time of the question."""

    def __init__(self, tables: HandTables) -> None:
        if not cython.compiled:
            self.three, self.best, self.sums = [0] * 2880, [0] * 10368, [0] * 7680
            self.total, self.shown = [0] * 32, [0] * 5
            self.tri, self.tet = [0] * 30, [0] * 30
        self.tables = tables
        for n in range(30):
            self.tri[n] = n * (n + 1) // 2
            self.tet[n] = n * (n + 1) * (n + 2) // 6

    def decide(
        self,
        faces: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        shown: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        dice: cython.int,
    ) -> cython.int:
        """Fill `total` with 7,776 x the expected best score of throwing each subset; the best subset.

        `faces` has six faces a die, `shown` which of the six is up. Bit i of a subset is die i. Of equally good
        subsets the one with fewest dice, then the smallest.
        """
        for d in range(5):
            self.shown[d] = shown[d] if d < dice else 0
        self.fill_threes(faces, dice)
        self.fill_best()
        self.add_up()
        best: cython.int = 0
        for subset in range(1, 1 << dice):
            if self.total[subset] > self.total[best] or (
                self.total[subset] == self.total[best]
                and (subset & 1) + (subset >> 1 & 1) + (subset >> 2 & 1) + (subset >> 3 & 1) + (subset >> 4)
                < (best & 1) + (best >> 1 & 1) + (best >> 2 & 1) + (best >> 3 & 1) + (best >> 4)
            ):
                best = subset
        return best

    def of_three(self, low: cython.int, high: cython.int, h: cython.int) -> cython.int:
        """The best score with any of three dice, of which low <= high."""
        if h >= high:
            return self.tables.any3[self.tet[h] + self.tri[high] + low]
        if h >= low:
            return self.tables.any3[self.tet[high] + self.tri[h] + low]
        return self.tables.any3[self.tet[high] + self.tri[low] + h]

    def fill_threes(self, faces: cython.const[cython.uchar][::1], dice: cython.int) -> cython.void:  # type: ignore[valid-type]
        n: cython.int = 0
        for a in range(5):
            for b in range(a + 1, 5):
                for c in range(b + 1, 5):
                    for i in range(6):
                        f: cython.int = faces[a * 6 + i] if a < dice else NO_DIE
                        for j in range(6):
                            g: cython.int = faces[b * 6 + j] if b < dice else NO_DIE
                            low: cython.int = min(f, g)
                            high: cython.int = max(f, g)
                            for k in range(6):
                                h: cython.int = faces[c * 6 + k] if c < dice else NO_DIE
                                self.three[n + k] = self.of_three(low, high, h)
                            n += 8

    def fill_best(self) -> cython.void:
        """The best score by what the five dice show: the highest of the ten threes.

        The threes lie in the order 012 013 014 023 024 034 123 124 134 234, 288 places each.
        """
        n: cython.int = 0
        for i in range(6):
            for j in range(6):
                for k in range(6):
                    ijk: cython.int = self.three[(i * 6 + j) * 8 + k]
                    for m in range(6):
                        top: cython.int = max(
                            ijk,
                            self.three[288 + (i * 6 + j) * 8 + m],
                            self.three[864 + (i * 6 + k) * 8 + m],
                            self.three[1728 + (j * 6 + k) * 8 + m],
                        )
                        im: cython.int = 1440 + (i * 6 + m) * 8
                        jm: cython.int = 2304 + (j * 6 + m) * 8
                        km: cython.int = 2592 + (k * 6 + m) * 8
                        ij: cython.int = 576 + (i * 6 + j) * 8
                        ik: cython.int = 1152 + (i * 6 + k) * 8
                        jk: cython.int = 2016 + (j * 6 + k) * 8
                        for w in range(8):
                            x: cython.short = max(self.three[ij + w], self.three[ik + w])
                            y: cython.short = max(self.three[jk + w], self.three[im + w])
                            z: cython.short = max(self.three[jm + w], self.three[km + w])
                            x = max(x, y)
                            z = max(z, cython.cast(cython.short, top))
                            self.best[n + w] = max(x, z)
                        n += 8

    def add_up(self) -> cython.void:
        """Sum over one die after another: the next block holds the sums with it kept, then with it thrown."""
        block: cython.int = 1728
        source: cython.int = 0
        target: cython.int = 0
        for w in range(block):
            self.sums[w] = 6 * self.best[self.shown[0] * block + w]
            self.sums[block + w] = (
                self.best[w]
                + self.best[block + w]
                + self.best[2 * block + w]
                + self.best[3 * block + w]
                + self.best[4 * block + w]
                + self.best[5 * block + w]
            )
        ways: cython.int = 2
        for d in range(1, 4):
            target = source + ways * block
            block = block // 6
            for way in range(ways):
                start: cython.int = source + way * block * 6
                kept: cython.int = target + way * block
                thrown: cython.int = target + (way + ways) * block
                for w in range(block):
                    self.sums[kept + w] = 6 * self.sums[start + self.shown[d] * block + w]
                    self.sums[thrown + w] = (
                        self.sums[start + w]
                        + self.sums[start + block + w]
                        + self.sums[start + 2 * block + w]
                        + self.sums[start + 3 * block + w]
                        + self.sums[start + 4 * block + w]
                        + self.sums[start + 5 * block + w]
                    )
            ways *= 2
            source = target
        for way in range(16):
            start = source + way * 8
            self.total[way] = 6 * self.sums[start + self.shown[4]]
            self.total[way + 16] = 0
            for w in range(6):
                self.total[way + 16] += self.sums[start + w]

    # For callers in Python.

    def expected(self, faces: bytes, shown: bytes) -> tuple[int, array[int]]:
        """The best subset of the dice to throw again, as bits, and 7,776 x the expected best score of each.

        `faces` has six faces for each of up to five dice, `shown` the place of the upper one among them.
        """
        if not 1 <= len(shown) <= 5 or len(faces) != 6 * len(shown) or max(shown) > 5 or max(faces) > 27:
            raise ValueError(f"{len(faces)} faces of {len(shown)} dice: six for each of one to five")
        dice: cython.int = len(shown)
        f: cython.const[cython.uchar][::1] = faces  # type: ignore[valid-type]
        s: cython.const[cython.uchar][::1] = shown  # type: ignore[valid-type]
        with cython.nogil:
            best: cython.int = self.decide(f, s, dice)
        return best, array("i", [self.total[i] for i in range(1 << dice)])
