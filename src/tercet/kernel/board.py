# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""A dice board that knows which faces would finish a SET on each empty square.

Squares lie in one array with a rim of two around them, so that looking two squares in any direction
needs no check: `at[s]` is the cell of square s (row by row from the top left), `square_of` is the way back.
A cell holds a face 0..26, EMPTY or OUTSIDE.

Two facts carry everything else:

* a laid die and two lying ones: six runs of three end on an empty cell q or pass through it. `run_face[q*6 + i]`
  is the face that makes the i-th a SET with two lying dice (NONE where there are not two) and `run_points`
  what it then scores for a die that is no wild; `finish[q]` has a bit for each such face;
* two laid dice and a lying one: a *link* is a pair of empty cells with a lying die in the same run of three.
  Face f on one of them wants `third(link_face, f)` on the other.

Under the rule "never" (C20) a lying wild gives no point, which `run_points` and `link_points` take into account.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

EMPTY = cython.declare(cython.int, 27)
OUTSIDE = cython.declare(cython.int, 28)
NONE = cython.declare(cython.int, 31)


def _third(a: int, b: int) -> int:
    """S5: the third of a SET, digit by digit."""
    if a > 26 or b > 26:
        return 31
    return sum(2 * (a // weight + b // weight) % 3 * weight for weight in (9, 3, 1))


#: The third of faces a and b at a*32 + b; NONE where one of them is no face.
THIRD: bytes = bytes(_third(a, b) for a in range(32) for b in range(32))


@cython.final
@cython.cclass
class Board:
    def __init__(self, rows: int, cols: int) -> None:
        if not (3 <= rows <= 26 and 3 <= cols <= 26):
            raise ValueError(f"a board has 3 to 26 rows and columns, not {rows} and {cols}")
        if not cython.compiled:
            self.cell, self.star, self.bonus = [0] * 848, [0] * 848, [0] * 848
            self.at, self.square_of, self.finish = [0] * 676, [0] * 848, [0] * 848
            self.run_face, self.run_points = [0] * 5088, [0] * 5088
            self.link_a, self.link_b, self.link_face = [0] * 4096, [0] * 4096, [0] * 4096
            self.link_sets, self.link_points = [0] * 4096, [0] * 4096
        self.third = THIRD
        self.rows, self.cols = rows, cols
        self.stride, self.squares, self.links = cols + 2, rows * cols, 0
        for q in range(848):
            self.cell[q] = OUTSIDE
            self.square_of[q] = -1
        for s in range(self.squares):
            q = (s // self.cols + 2) * self.stride + s % self.cols + 2
            self.at[s] = q
            self.square_of[q] = s

    def lay(self, faces: bytes, stars: bytes, bonus: bytes, never: bool) -> None:
        """Put down a whole board, one byte a square: a face, 255 where none lies; 1 for a wild; bonus points."""
        if not len(faces) == len(stars) == len(bonus) == self.squares:
            raise ValueError(
                f"{len(faces)} faces, {len(stars)} wild marks and {len(bonus)} bonus points for {self.squares} squares"
            )
        self.never = never
        for s in range(self.squares):
            q = self.at[s]
            face: cython.int = faces[s]
            if face > 26 and face != 255:
                raise ValueError(f"{face} on square {s} is no face: 0 to 26, or 255 for none")
            self.cell[q] = face if face < 27 else EMPTY
            self.star[q] = face < 27 and stars[s] != 0
            self.bonus[q] = bonus[s]
        for s in range(self.squares):
            self.judge(self.at[s])

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

    def judge(self, q: cython.int) -> cython.void:
        """Which faces finish SETs on cell q with two lying dice, and for what points."""
        mask: cython.uint = 0
        bit: cython.uint = 1
        if self.cell[q] == EMPTY:
            for side in range(2):
                d: cython.int = self.stride if side else 1
                run: cython.int = q * 6 + side * 3
                if self.cell[q - d] >= EMPTY and self.cell[q + d] >= EMPTY:  # every run has one of these two
                    self.run_face[run] = self.run_face[run + 1] = self.run_face[run + 2] = NONE
                    continue
                for i in range(3):
                    one = q + d * (i - 2 if i < 2 else 1)
                    two = q + d * (i - 1 if i < 1 else i)
                    face = self.third[self.cell[one] * 32 + self.cell[two]]
                    mask |= bit << face
                    self.run_face[run + i] = face
                    self.run_points[run + i] = 3 - self.never * (self.star[one] + self.star[two])
        self.finish[q] = mask & 0x7FFFFFF

    def points(self, q: cython.int, face: cython.int) -> cython.int:
        """What the SETs with two lying dice score for a face on cell q."""
        total: cython.int = 0
        for i in range(q * 6, q * 6 + 6):
            total += self.run_points[i] if self.run_face[i] == face else 0
        return total

    def sets(self, q: cython.int, face: cython.int) -> cython.int:
        """How many SETs with two lying dice a face on cell q makes."""
        total: cython.int = 0
        for i in range(q * 6, q * 6 + 6):
            total += 1 if self.run_face[i] == face else 0
        return total

    def find_links(self, wanted: cython.uint) -> cython.void:
        """List the links of the board as it lies, by their first cell: those through a face in `wanted`."""
        w: cython.int = self.stride
        self.links, self.wanted = 0, wanted
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
        if self.wanted >> self.cell[old] & 1:
            self.link_a[n] = a
            self.link_b[n] = b
            self.link_face[n] = self.cell[old]
            self.link_sets[n] = 1
            self.link_points[n] = 3 - self.never * self.star[old]
            n += 1
        if other != old and self.wanted >> self.cell[other] & 1:
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
