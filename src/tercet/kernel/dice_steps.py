# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""Many dice games at once, decision by decision: what `tercet.rl.batch.DiceTables` stands on.

Actions, masks and vectors are those of `tercet.cubed.learning`. Everything of a table lies in a few rows of bytes; for a step it is
laid out on the one `DiceTable` there is, played on, and put away again. Table t of n plays the games t, t + n, t + 2n … of the seed,
and a game is fixed by its number, as in dice_table.py. When it is over the next begins by itself.
"""

from __future__ import annotations

from array import array

from tercet.kernel.dice_table import DiceTable
from tercet.kernel.first_turns import FirstTurns
from tercet.kernel.search import Search

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

EMPTY = cython.declare(cython.int, 27)
WILD = cython.declare(cython.int, 27)
#: A square or a place of a hand without a die; a wild that stands for face f is f + STANDS_FOR.
NO_DIE = cython.declare(cython.int, 55)
STANDS_FOR = cython.declare(cython.int, 28)
#: The first action that throws dice again, the first that replaces a wild, and how many there are.
AGAIN = cython.declare(cython.int, 63)
REPLACE = cython.declare(cython.int, 95)
ACTIONS = cython.declare(cython.int, 100)
#: Bytes of a table beside its board, bag and throws: below are their places.
KEPT = cython.declare(cython.int, 64)
SIZE = cython.declare(cython.int, 40)
ANSWERS = cython.declare(cython.int, 44)
IN_BAG = cython.declare(cython.int, 48)
#: So many games in a row that nobody can open, and no more are tried.
MOST_GAMES = cython.declare(cython.int, 1000)
#: Numbers in the vector of a die.
WIDTH = cython.declare(cython.int, 11)


@cython.final
@cython.cclass
class DiceSteps:
    """`count` tables of one edition, with `players` seats each. What can be looked at are arrays, table by table:

    `lies` a byte a square (a face, 28 more for a wild that stands for it, 55 for none), `scores` and `final` (of the game before) an int a
    seat, `acting` whose decision it is, `asks` 1 in the extra roll, `rounds` the rounds that were played, `masks` a byte an action.
    """

    def __init__(
        self,
        dice: bytes,
        rows: int,
        cols: int,
        logo: tuple[int, int, int],
        bonus: bytes,
        never: bool,
        players: int,
        count: int,
        seed: int,
    ) -> None:
        if count < 1:
            raise ValueError(f"{count} tables: at least one")
        self.table = DiceTable(players, dice, rows, cols, logo, bonus, never)
        self.board = self.table.board
        self.search, self.first = Search(self.board), FirstTurns()
        if not cython.compiled:
            self.answers = [0] * 4
        self.count, self.seed = count, seed % 2**64
        self.squares, self.n_dice, self.players = rows * cols, len(dice) // 6, players
        self.lies = array("B", bytes([55]) * (count * self.squares))
        self.die_at = array("B", bytes(count * self.squares))
        self.bag, self.thrown = array("B", bytes(count * self.n_dice)), array("B", bytes(count * self.n_dice))
        self.kept = array("B", bytes(count * 64))
        self.key, self.turn = array("Q", bytes(8 * count)), array("q", bytes(8 * 64 * count))
        self.scores, self.final = (
            array("i", bytes(4 * count * players)),
            array("i", bytes(4 * count * players)),
        )
        self.game = array("q", range(count))
        self.acting, self.asks = array("B", bytes(count)), array("B", bytes(count))
        self.turns, self.rounds = array("B", bytes(count)), array("i", bytes(4 * count))
        self.masks = array("b", bytes(count * 100))
        for t in range(count):
            if not self.begin(t):
                raise ValueError("with these dice there is hardly ever a SET to open with")
            self.put_away(t)

    # Tables, laid out and put away.

    def begin(self, t: cython.longlong) -> cython.int:
        """The game of this number up to the first decision: the opening is chance. One that ends without it is passed over."""
        self.asking, self.round = 0, 1
        for _ in range(MOST_GAMES):
            self.table.chance.start(self.seed, self.game[t])
            self.table.set_up()
            if self.table.open():
                return 1
            self.game[t] = self.game[t] + self.count
        return 0

    def lay_out(self, t: cython.longlong) -> cython.void:
        at: cython.longlong = t * self.squares
        k: cython.longlong = t * KEPT
        for s in range(self.squares):
            q = self.board.at[s]
            lies: cython.int = self.lies[at + s]
            self.table.die_at[q] = self.die_at[at + s]
            self.board.cell[q] = (
                EMPTY if lies == NO_DIE else lies - STANDS_FOR if lies >= STANDS_FOR else lies
            )
            self.board.star[q] = lies >= STANDS_FOR and lies != NO_DIE
            self.board.bonus[q] = self.table.full_bonus[s] if lies == NO_DIE else 0
        for s in range(self.squares):
            self.board.judge(self.board.at[s])
        for i in range(20):
            self.table.hand[i], self.table.up[i] = self.kept[k + i], self.kept[k + 20 + i]
        for i in range(4):
            self.table.size[i], self.answers[i] = self.kept[k + SIZE + i], self.kept[k + ANSWERS + i]
        k += IN_BAG
        self.table.in_bag, self.table.first, self.table.laid = (
            self.kept[k],
            self.kept[k + 1],
            self.kept[k + 2],
        )
        self.table.could, self.table.dry = self.kept[k + 3], self.kept[k + 4]
        self.table.rethrows, self.table.over = self.kept[k + 5], self.kept[k + 6]
        self.table.seat, self.asking, self.round = self.acting[t], self.asks[t], self.rounds[t]
        at = t * self.n_dice
        for d in range(self.n_dice):
            self.table.bag[d], self.table.thrown[d] = self.bag[at + d], self.thrown[at + d]
        self.table.key = self.key[t]
        for seat in range(self.players):
            self.table.score[seat] = self.scores[t * self.players + seat]

    def put_away(self, t: cython.longlong) -> cython.void:
        """Keep the table as it is, with what its next decision may be."""
        at: cython.longlong = t * self.squares
        k: cython.longlong = t * KEPT
        for s in range(self.squares):
            q = self.board.at[s]
            self.die_at[at + s] = self.table.die_at[q]
            self.lies[at + s] = (
                NO_DIE
                if self.board.cell[q] == EMPTY
                else self.board.cell[q] + STANDS_FOR * self.board.star[q]
            )
        for i in range(20):
            self.kept[k + i], self.kept[k + 20 + i] = self.table.hand[i], self.table.up[i]
        for i in range(4):
            self.kept[k + SIZE + i], self.kept[k + ANSWERS + i] = self.table.size[i], self.answers[i]
        k += IN_BAG
        self.kept[k], self.kept[k + 1], self.kept[k + 2] = (
            self.table.in_bag,
            self.table.first,
            self.table.laid,
        )
        self.kept[k + 3], self.kept[k + 4] = self.table.could, self.table.dry
        self.kept[k + 5], self.kept[k + 6] = self.table.rethrows, self.table.over
        self.acting[t], self.asks[t], self.rounds[t] = self.table.seat, self.asking, self.round
        at = t * self.n_dice
        for d in range(self.n_dice):
            self.bag[at + d], self.thrown[at + d] = self.table.bag[d], self.table.thrown[d]
        self.key[t] = self.table.key
        for seat in range(self.players):
            self.scores[t * self.players + seat] = self.table.score[seat]
        self.list_actions(t)

    def list_actions(self, t: cython.longlong) -> cython.void:
        at: cython.longlong = t * ACTIONS
        seat: cython.int = self.table.seat
        for a in range(ACTIONS):
            self.masks[at + a] = a == 0
        self.turns[t] = 0
        if self.asking:
            for a in range(1, 1 << self.table.size[seat]):
                self.masks[at + AGAIN + a] = 1
            return
        self.take_hand(seat)
        self.first.take(self.search)
        self.turns[t] = self.first.count
        for i in range(self.first.count):
            self.turn[t * 64 + i] = self.first.turn[i]
            self.masks[at + 1 + i] = 1
        for i in range(self.table.size[seat]):
            if self.wild_for(seat, i):
                self.masks[at + REPLACE + i] = 1

    def take_hand(self, seat: cython.int) -> cython.void:
        for face in range(28):
            self.search.count[face] = 0
        for i in range(seat * 5, seat * 5 + self.table.size[seat]):
            shown: cython.int = self.table.shows(i)
            self.search.count[shown] = self.search.count[shown] + 1
        self.search.sort_hand()

    # What is done.

    def act(self, t: cython.longlong, action: cython.longlong) -> cython.int:
        """Let the one whose decision it is do this; whether the game is over."""
        seat: cython.int = self.table.seat
        if self.asking:
            bits: cython.longlong = action - AGAIN
            self.answers[seat] = bits if 0 < bits < 1 << self.table.size[seat] else 0
            self.table.seat = seat + 1
            if self.table.seat == self.players:
                self.throw_again()
            return 0
        place: cython.longlong = action - REPLACE
        if 0 <= place < self.table.size[seat] and self.wild_for(seat, place):
            self.replace(seat, place)
            return 0
        if 1 <= action <= self.turns[t]:
            self.table.lay_turn(seat, self.turn[t * 64 + action - 1])
            if not self.table.size[seat]:
                self.table.over = 1
        elif not self.table.could:
            self.table.could = self.turns[t] > 0
        self.table.seat = (seat + 1) % self.players
        return self.table.seat == self.table.first and not self.next_round()

    def wild_for(self, seat: cython.int, place: cython.int) -> cython.int:
        """The cell of the first lying wild that stands for the face of this die; 0 for none."""
        face: cython.int = self.table.shows(seat * 5 + place)
        for s in range(self.squares):
            q = self.board.at[s]
            if self.board.star[q] and self.board.cell[q] == face:
                return q
        return 0

    def replace(self, seat: cython.int, place: cython.int) -> cython.void:
        """C21: the die takes the wild's place, and the wild is thrown and comes last in hand."""
        if not self.table.could:  # C12: what matters is whether they could have laid, also before
            self.take_hand(seat)
            self.table.could = self.search.any()
        q: cython.int = self.wild_for(seat, place)
        taken: cython.int = self.table.die_at[q]
        self.table.die_at[q] = self.table.hand[seat * 5 + place]
        self.table.put(q, self.board.cell[q], 0)
        self.table.take_from_hand(seat, place)
        last: cython.int = seat * 5 + self.table.size[seat]
        self.table.hand[last] = taken
        self.table.up[last] = self.table.throw(taken)
        self.table.size[seat] = self.table.size[seat] + 1

    def throw_again(self) -> cython.void:
        """C14: all have answered."""
        for seat in range(self.players):
            for i in range(self.table.size[seat]):
                if self.answers[seat] >> i & 1:
                    self.table.up[seat * 5 + i] = self.table.throw(self.table.hand[seat * 5 + i])
        self.asking = 0
        self.table.seat = self.table.first

    def next_round(self) -> cython.int:
        """C12-C16, as in dice_games.py: 0 when the game is over."""
        stuck: cython.int = self.table.laid == 0 and not self.table.could
        if self.table.laid:
            self.table.dry = 0
        elif self.table.could:
            self.table.dry += 1
        self.table.rethrows = self.table.rethrows + 1 if stuck else 0
        self.table.laid, self.table.could = 0, 0
        if self.table.over or self.table.dry == 3 or self.table.rethrows == 20:
            return 0
        self.round += 1
        for i in range(self.players):
            seat = (self.table.first + i) % self.players
            if stuck:
                self.table.throw_all(seat)
            else:
                self.table.draw(seat)
        if not stuck:
            self.asking, self.table.seat = 1, 0
        return 1

    def step_all(
        self,
        actions: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
        gains: cython.int[::1],
        over: cython.uchar[::1],
    ) -> cython.void:
        for t in range(self.count):
            self.lay_out(t)
            seat: cython.int = self.table.seat
            before: cython.int = self.table.score[seat]
            over[t] = self.act(t, actions[t])
            gains[t] = self.table.score[seat] - before
            if over[t]:
                for i in range(self.players):
                    self.final[t * self.players + i] = self.table.score[i]
                self.game[t] += self.count
                self.begin(t)
            self.put_away(t)

    # What is seen.

    def see_die(self, code: cython.int, out: cython.float[::1], at: cython.longlong) -> cython.void:
        """The eleven numbers of a square or of a place in hand."""
        if code == NO_DIE:
            return
        face: cython.int = code - STANDS_FOR if code >= STANDS_FOR else code
        if face < WILD:
            out[at + face // 9] = 1.0
            out[at + 3 + face // 3 % 3] = 1.0
            out[at + 6 + face % 3] = 1.0
        out[at + 9] = 1.0
        if code >= WILD:
            out[at + 10] = 1.0

    def see_hand(
        self, t: cython.longlong, seat: cython.int, out: cython.float[::1], at: cython.longlong
    ) -> cython.void:
        k: cython.longlong = t * KEPT
        for i in range(self.kept[k + SIZE + seat]):
            die: cython.int = self.kept[k + seat * 5 + i]
            face: cython.int = self.table.face[die * 6 + self.kept[k + 20 + seat * 5 + i]]
            self.see_die(face, out, at + i * WIDTH)

    def see_turns(self, t: cython.longlong, out: cython.float[::1], at: cython.longlong) -> cython.void:
        for s in range(self.squares):
            self.board.bonus[self.board.at[s]] = self.table.full_bonus[s]
        self.first.count = self.turns[t]
        for i in range(self.first.count):
            self.first.turn[i] = self.turn[t * 64 + i]
        self.first.tell(self.search, out, at)

    def see_all(self, out: cython.float[::1], size: cython.longlong) -> cython.void:
        for t in range(self.count):
            at: cython.longlong = t * size
            for i in range(at, at + size):
                out[i] = 0.0
            for s in range(min(self.squares, 81)):
                self.see_die(self.lies[t * self.squares + s], out, at + s * WIDTH)
            at += 81 * WIDTH
            self.see_hand(t, self.acting[t], out, at)
            at += 5 * WIDTH
            self.see_turns(t, out, at)
            at += 4 * 63
            for i in range(1, self.players):
                self.see_hand(t, (self.acting[t] + i) % self.players, out, at)
                at += 5 * WIDTH
            out[at] = self.kept[t * KEPT + IN_BAG] / 42.0
            out[at + 1] = self.asks[t]
            for i in range(self.players):
                seat: cython.int = (self.acting[t] + i) % self.players
                out[at + 2 + i] = self.scores[t * self.players + seat] / 100.0

    # For callers in Python.

    def step(self, actions: array[int]) -> tuple[array[int], array[int]]:
        """One action for each table, 64-bit ints: the points that each brought to whoever acted, and 1 where the game is over."""
        if len(actions) != self.count:
            raise ValueError(f"{len(actions)} actions for {self.count} tables")
        points, ended = array("i", bytes(4 * self.count)), array("B", bytes(self.count))
        given: cython.const[cython.longlong][::1] = actions  # type: ignore[valid-type]
        gains: cython.int[::1] = points
        over: cython.uchar[::1] = ended
        with cython.nogil:
            self.step_all(given, gains, over)
        return points, ended

    def see(self, out: array[float], size: int) -> None:
        """Fill `out` with a vector of `size` numbers for each table, as whoever acts there sees it."""
        if len(out) != self.count * size or size < 81 * 11 + 252 + self.players * 56 + 2:
            raise ValueError(f"{len(out)} numbers for {self.count} tables")
        seen: cython.float[::1] = out
        length: cython.longlong = size
        with cython.nogil:
            self.see_all(seen, length)

    def dice_of(self, t: int, seat: int) -> list[tuple[int, int]]:
        """A hand: the number of each die, from 0, and the face that it shows."""
        if not (0 <= t < self.count and 0 <= seat < self.players):
            raise ValueError(f"seat {seat} of table {t}")
        k: cython.longlong = t * KEPT
        place: cython.int = seat * 5
        dice = []
        for i in range(self.kept[k + SIZE + place // 5]):
            die: cython.int = self.kept[k + place + i]
            dice.append((die, self.table.face[die * 6 + self.kept[k + 20 + place + i]]))
        return dice
