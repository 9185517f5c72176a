# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""A dice board that knows which faces would finish a SET on each empty square.

Squares lie in one array with a rim of two around them, so that looking two squares in any direction
needs no check: `at[s]` is the cell of square s (row by row from the top left), `square_of` is the way back.
A cell holds a face 0..26, EMPTY or OUTSIDE.

Two facts carry everything else:

* a laid die and two lying ones: `sets[q*32 + f]` counts the SETs that face f on the empty cell q finishes
  with lying dice alone, `points` what they score for a die that is no wild, `finish[q]` has bit f set where
  there is at least one;
* two laid dice and a lying one: a *link* is a pair of empty cells with a lying die in the same run of three.
  Face f on one of them wants `third(link_face, f)` on the other.

Under the rule "never" (C20) a lying wild gives no point, which `points` and `link_points` take into account.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

EMPTY = cython.declare(cython.int, 27)
OUTSIDE = cython.declare(cython.int, 28)


@cython.final
@cython.cclass
class Board:
    def __init__(self, rows: int, cols: int, bonus: bytes, never: bool) -> None:
        """An empty board. `bonus` has one byte a square, `never` is the wild rule of C20."""
        if not (3 <= rows <= 26 and 3 <= cols <= 26):
            raise ValueError(f"a board has 3 to 26 rows and columns, not {rows} and {cols}")
        if len(bonus) != rows * cols:
            raise ValueError(f"{len(bonus)} bonus values for {rows * cols} squares")
        if not cython.compiled:
            self.third, self.cell, self.star = [0] * 1024, [0] * 848, [0] * 848
            self.bonus, self.at, self.square_of = [0] * 848, [0] * 676, [0] * 848
            self.finish, self.points, self.sets = [0] * 848, [0] * 27136, [0] * 27136
            self.link_a, self.link_b, self.link_face = [0] * 4096, [0] * 4096, [0] * 4096
            self.link_sets, self.link_points = [0] * 4096, [0] * 4096
        self.rows, self.cols, self.never = rows, cols, never
        self.stride, self.squares, self.links = cols + 2, rows * cols, 0
        for a in range(32):
            for b in range(32):
                self.third[a * 32 + b] = 31
        for a in range(27):
            for b in range(27):
                self.third[a * 32 + b] = (
                    (6 - a // 9 - b // 9) % 3 * 9 + (6 - a // 3 % 3 - b // 3 % 3) % 3 * 3 + (6 - a % 3 - b % 3) % 3
                )
        for a in range(848):
            self.cell[a] = OUTSIDE
            self.square_of[a] = -1
        for s in range(self.squares):
            a = (s // self.cols + 2) * self.stride + s % self.cols + 2
            self.at[s] = a
            self.square_of[a] = s
            self.cell[a] = EMPTY
            self.bonus[a] = bonus[s]
        self.clear()

    def lay(self, faces: bytes, stars: bytes) -> None:
        """Put down a whole board: a face a square, 255 where none lies; `stars` says which are wilds."""
        if len(faces) != self.squares or len(stars) != self.squares:
            raise ValueError(f"{len(faces)} faces and {len(stars)} wild marks for {self.squares} squares")
        for s in range(self.squares):
            face = faces[s]
            if face < 27:
                self.cell[self.at[s]] = face
                self.star[self.at[s]] = stars[s] != 0
            elif face != 255:
                raise ValueError(f"{face} on square {s} is no face: 0 to 26, or 255 for none")
        self.judge_all()

    def clear(self) -> cython.void:
        """Take every die off; bonus squares keep their points as they are."""
        for s in range(self.squares):
            q = self.at[s]
            self.cell[q] = EMPTY
            self.star[q] = 0
            self.finish[q] = 0
            for f in range(32):
                self.sets[q * 32 + f] = 0
                self.points[q * 32 + f] = 0

    def put(self, q: cython.int, face: cython.int, star: cython.int) -> cython.void:
        """Lay a die, or change the one that lies there; its bonus is used up."""
        self.cell[q] = face
        self.star[q] = star
        self.bonus[q] = 0
        self.judge_around(q)

    def judge_around(self, q: cython.int) -> cython.void:
        """Judge again the empty cells whose SETs can contain cell q."""
        w: cython.int = self.stride
        self.judge(q - 2)
        self.judge(q - 1)
        self.judge(q + 1)
        self.judge(q + 2)
        self.judge(q - 2 * w)
        self.judge(q - w)
        self.judge(q + w)
        self.judge(q + 2 * w)

    def judge_all(self) -> cython.void:
        for s in range(self.squares):
            self.judge(self.at[s])

    def judge(self, q: cython.int) -> cython.void:
        """Which faces finish SETs on cell q with two lying dice, how many, and for what points."""
        if self.cell[q] != EMPTY:
            return
        base: cython.int = q * 32
        mask: cython.uint = 0
        bit: cython.uint = 1
        for f in range(32):
            self.sets[base + f] = 0
            self.points[base + f] = 0
        for side in range(2):
            d = self.stride if side else 1
            for shift in range(3):
                one = q - 2 * d if shift == 0 else q - d if shift == 1 else q + d
                two = q - d if shift == 0 else q + d if shift == 1 else q + 2 * d
                f = self.third[self.cell[one] * 32 + self.cell[two]]
                if f < 27:
                    mask |= bit << f
                    self.sets[base + f] += 1
                    self.points[base + f] += 3 - self.never * (self.star[one] + self.star[two])
        self.finish[q] = mask

    def find_links(self) -> cython.void:
        """List the links of the board as it lies, by their first cell."""
        w: cython.int = self.stride
        self.links = 0
        for s in range(self.squares):
            q = self.at[s]
            if self.cell[q] != EMPTY:
                continue
            for side in range(2):
                d = w if side else 1
                if self.cell[q + d] == EMPTY:
                    self.link(q, q + d, q - d, q + 2 * d)
                elif self.cell[q + d] < EMPTY and self.cell[q + 2 * d] == EMPTY:
                    self.link(q, q + 2 * d, q + d, q + d)

    def link(self, a: cython.int, b: cython.int, old: cython.int, other: cython.int) -> cython.int:
        """Link cells a and b through the dice on `old` and `other`, one link where their faces agree."""
        n: cython.int = self.links
        if self.cell[old] < EMPTY:
            self.link_a[n] = a
            self.link_b[n] = b
            self.link_face[n] = self.cell[old]
            self.link_sets[n] = 1
            self.link_points[n] = 3 - self.never * self.star[old]
            n += 1
        if other != old and self.cell[other] < EMPTY:
            if n > self.links and self.link_face[n - 1] == self.cell[other]:
                self.link_sets[n - 1] = 2
                self.link_points[n - 1] += 3 - self.never * self.star[other]
            else:
                self.link_a[n] = a
                self.link_b[n] = b
                self.link_face[n] = self.cell[other]
                self.link_sets[n] = 1
                self.link_points[n] = 3 - self.never * self.star[other]
                n += 1
        self.links = n
        return n

    def shared(self, a: cython.int, face_a: cython.int, b: cython.int, face_b: cython.int) -> cython.int:
        """The SETs of dice laid on cells a < b with one lying die: their number, plus 16 x their points."""
        d: cython.int = b - a
        found: cython.int = 0
        if d == 2 or d == 2 * self.stride:
            t = (a + b) >> 1
            if self.cell[t] == self.third[face_a * 32 + face_b]:
                return 1 + 16 * (3 - self.never * self.star[t])
            return 0
        if d != 1 and d != self.stride:
            return 0
        t = self.third[face_a * 32 + face_b]
        if self.cell[a - d] == t:
            found = 1 + 16 * (3 - self.never * self.star[a - d])
        if self.cell[b + d] == t:
            found += 1 + 16 * (3 - self.never * self.star[b + d])
        return found
