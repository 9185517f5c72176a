# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""What lies on the table of a simulated dice game, and what hands do there: draw, throw, open, lay, replace.

Dice are numbered from 0; die d has the faces `face[d*6 : d*6 + 6]`. Seat s holds `size[s]` dice, `hand[s*5 + i]`,
with the face number `up[s*5 + i]` of each on top. The bag is drawn from the back.

All chance of a game is fixed by its number: the order of the bag, and what the n-th throw of each die shows. So two games
of one number that differ in a turn still see the same dice, and their difference owes little to luck.
"""

from __future__ import annotations

from tercet.kernel.board import Board
from tercet.kernel.chance import Chance

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

WILD = cython.declare(cython.int, 27)
EMPTY = cython.declare(cython.int, 27)
#: The first throw and a hundred more.
MOST_THROWS = cython.declare(cython.int, 101)


@cython.final
@cython.cclass
class DiceTable:
    def __init__(
        self,
        players: int,
        dice: bytes,
        rows: int,
        cols: int,
        logo: tuple[int, int, int],
        bonus: bytes,
        never: bool,
    ) -> None:
        if not cython.compiled:
            self.logo, self.face, self.full_bonus = [0] * 3, [0] * 1536, [0] * 676
            self.die_at, self.size, self.hand, self.up = [0] * 848, [0] * 4, [0] * 20, [0] * 20
            self.bag, self.score, self.thrown = [0] * 256, [0] * 4, [0] * 256
        if not 2 <= players <= 4:
            raise ValueError(f"{players} players: 2 to 4")
        if len(dice) % 6 or not players * 5 <= len(dice) // 6 <= 250 or max(dice) > 27:
            raise ValueError(
                f"{len(dice)} faces: six for each of at most 250 dice, enough for {players} hands"
            )
        if len(bonus) != rows * cols or len({*logo}) != 3 or min(logo) < 0 or max(logo) >= rows * cols:
            raise ValueError("a bonus for each square, and three logo squares on the board")
        self.board, self.chance = Board(rows, cols), Chance()
        self.board.never = never
        self.players, self.n_dice, self.never = players, len(dice) // 6, never
        for i in range(len(dice)):
            self.face[i] = dice[i]
        for i in range(len(bonus)):
            self.full_bonus[i] = bonus[i]
        for i in range(3):
            self.logo[i] = self.board.at[logo[i]]

    def set_up(self) -> cython.void:
        """An empty board, all dice in the bag, and five of them drawn by everyone (C1, C3)."""
        for s in range(self.board.squares):
            q = self.board.at[s]
            self.board.cell[q] = EMPTY
            self.board.star[q] = 0
            self.board.finish[q] = 0
            self.board.bonus[q] = self.full_bonus[s]
        for d in range(self.n_dice):
            self.bag[d] = d
        self.in_bag = self.n_dice
        self.shuffle()
        for seat in range(self.players):
            self.size[seat] = 0
            self.score[seat] = 0
            self.draw(seat)
        self.laid, self.could, self.dry, self.rethrows, self.over = 0, 0, 0, 0, 0

    def shuffle(self) -> cython.void:
        """Fix the order of the bag and all throws to come by the chance that has just been started."""
        for i in range(self.in_bag - 1, 0, -1):
            j = self.chance.below(i + 1)
            die = self.bag[i]
            self.bag[i] = self.bag[j]
            self.bag[j] = die
        self.key = self.chance.next()
        for d in range(self.n_dice):
            self.thrown[d] = 0

    def throw(self, die: cython.int) -> cython.int:
        """The face number that this die shows when it is thrown now."""
        self.thrown[die] += 1
        return self.chance.one_of_six(self.key, die * 256 + self.thrown[die])

    def shows(self, place: cython.int) -> cython.int:
        """The face on top of the die at a place of the hands."""
        return self.face[self.hand[place] * 6 + self.up[place]]

    def draw(self, seat: cython.int) -> cython.int:
        """Draw up to five dice and throw them (C13); how many."""
        drawn: cython.int = 0
        while self.size[seat] < 5 and self.in_bag:
            place: cython.int = seat * 5 + self.size[seat]
            self.in_bag -= 1
            self.hand[place] = self.bag[self.in_bag]
            self.up[place] = self.throw(self.hand[place])
            self.size[seat] += 1
            drawn += 1
        return drawn

    def throw_all(self, seat: cython.int) -> cython.void:
        for i in range(seat * 5, seat * 5 + self.size[seat]):
            self.up[i] = self.throw(self.hand[i])

    # The opening.

    def opening_set(self, seat: cython.int) -> cython.int:
        """A SET with fewest wilds in hand, as three places of three bits each; -1 for none."""
        best: cython.int = -1
        fewest: cython.int = 4
        for i in range(self.size[seat]):
            for j in range(i + 1, self.size[seat]):
                for k in range(j + 1, self.size[seat]):
                    f: cython.int = self.shows(seat * 5 + i)
                    g: cython.int = self.shows(seat * 5 + j)
                    h: cython.int = self.shows(seat * 5 + k)
                    wilds: cython.int = (f == WILD) + (g == WILD) + (h == WILD)
                    if wilds < fewest and (wilds or self.board.third[f * 32 + g] == h):
                        fewest = wilds
                        best = (i << 6) + (j << 3) + k
        return best

    def open(self) -> cython.int:
        """C3-C5: throw until someone has a SET; one of those who have is the first. How many throws; 0 when no SET came (C4)."""
        throws: cython.int = 0
        while True:
            throws += 1
            if throws > MOST_THROWS:
                return 0
            callers: cython.int = 0
            for seat in range(self.players):
                if self.opening_set(seat) >= 0:
                    callers += 1
            if callers:
                break
            for seat in range(self.players):
                self.throw_all(seat)
        chosen: cython.int = self.chance.below(callers)
        for seat in range(self.players):
            if self.opening_set(seat) >= 0:
                if chosen == 0:
                    self.first = seat
                    self.lay_opening(seat, self.opening_set(seat))
                chosen -= 1
        self.seat = (self.first + 1) % self.players
        return throws

    def lay_opening(self, seat: cython.int, places: cython.int) -> cython.void:
        """Lay the opening SET on the logo. A wild is named what the other two need; two or three wilds
        are named like the die that lies with them."""
        known: cython.int = 0
        named: cython.int = 0
        face: cython.int
        for i in range(3):
            face = self.shows(seat * 5 + (places >> (6 - 3 * i) & 7))
            if face != WILD:
                named = self.board.third[named * 32 + face] if known else face
                known += 1
        for i in range(3):
            place: cython.int = seat * 5 + (places >> (6 - 3 * i) & 7)
            face = self.shows(place)
            self.die_at[self.logo[i]] = self.hand[place]
            self.put(self.logo[i], named if face == WILD else face, face == WILD)
        for i in range(3):
            self.take_from_hand(seat, places >> (3 * i) & 7)
        self.score[seat] = known
        self.laid = 3

    # Laying.

    def put(self, q: cython.int, face: cython.int, star: cython.int) -> cython.void:
        self.board.put(q, face, star)
        self.board.judge(q)

    def take_from_hand(self, seat: cython.int, place: cython.int) -> cython.void:
        """Remove the die at a place of the hand; the others close up in order."""
        self.size[seat] -= 1
        for i in range(seat * 5 + place, seat * 5 + self.size[seat]):
            self.hand[i] = self.hand[i + 1]
            self.up[i] = self.up[i + 1]

    def lowest(self, seat: cython.int, face: cython.int) -> cython.int:
        """The place of the die with the lowest number that shows a face (C6); -1 for none."""
        best: cython.int = -1
        for i in range(self.size[seat]):
            if self.shows(seat * 5 + i) == face and (
                best < 0 or self.hand[seat * 5 + i] < self.hand[seat * 5 + best]
            ):
                best = i
        return best

    def lay_turn(self, seat: cython.int, turn: cython.longlong) -> cython.int:
        """Lay a turn as search.py packs it and take its score; the number of dice."""
        dice: cython.int = 0
        self.bonus_points, self.wilds_laid = 0, 0
        self.score[seat] += turn >> 48
        for i in range(3):
            p: cython.int = (turn >> (16 * i) & 0xFFFF) - 1
            if p >= 0:
                q = self.board.at[p >> 6]
                place = self.lowest(seat, WILD if p & 1 else p >> 1 & 31)
                self.bonus_points += self.board.bonus[q]
                self.wilds_laid += p & 1
                self.die_at[q] = self.hand[seat * 5 + place]
                self.put(q, p >> 1 & 31, p & 1)
                self.take_from_hand(seat, place)
                dice += 1
        self.laid += dice
        return dice

    def can_replace(self, seat: cython.int) -> cython.int:
        """The cell of the first lying wild whose face is in this hand; 0 for none."""
        for s in range(self.board.squares):
            q = self.board.at[s]
            if self.board.star[q] and self.lowest(seat, self.board.cell[q]) >= 0:
                return q
        return 0

    def replace_one(self, seat: cython.int) -> cython.void:
        """C21: put a die in the place of the first lying wild that it can replace, and throw the wild."""
        q: cython.int = self.can_replace(seat)
        i: cython.int = self.lowest(seat, self.board.cell[q])
        taken: cython.int = self.die_at[q]
        self.die_at[q] = self.hand[seat * 5 + i]
        self.put(q, self.board.cell[q], 0)
        self.hand[seat * 5 + i] = taken
        self.up[seat * 5 + i] = self.throw(taken)
