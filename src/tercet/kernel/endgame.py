# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""The end of a dice game for two, searched in full once the bag is empty.

Within a round nothing is left to chance but the throw of a replaced wild. Between rounds there is the extra roll: both choose
at the same time, and each is taken to choose what is best against the other's best answer. After `RETHROWS_SEEN` forced
re-throws in a row the search takes the game as it stands: each more would multiply the work.

Seat s holds the dice `hand[s*5 + i]` for the bits i of `left[s]`. Three things are kept, by 64 random bits for what they
depend on (two different ones agree with a chance of one in some thousand millions):

* what the best lay is worth to a seat: whatever went before in the round does not matter once a die is laid;
* the same for a whole turn, where a wild could be replaced in it;
* for a board, the dice in hand and the margin, what a round is worth for every way in which its dice begin: digit d of a
  place, in sevens, is the side that die d shows, or 6 for "thrown", the mean of the six. An extra roll looks up
  2^n places of this table, a forced re-throw one.
"""

from __future__ import annotations

from array import array

from tercet.kernel.board import Board
from tercet.kernel.search import Search

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

WILD = cython.declare(cython.int, 27)
EMPTY = cython.declare(cython.int, 27)
#: So many rounds in a row in which somebody could have laid a die and nobody did end the game (C16).
IDLE_LIMIT = cython.declare(cython.int, 3)
RETHROWS_SEEN = cython.declare(cython.int, 3)
#: The value of a lay where there is none.
NONE = cython.declare(cython.double, 1e300)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
#: All bits of a turn below its score.
BELOW_SCORE = cython.declare(cython.longlong, (1 << 48) - 1)
STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
BITS_64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
#: So that keys of cells, hands, places and rounds are different numbers.
OF_ROUND = cython.declare(cython.ulonglong, 0x200000000000)
OF_HAND = cython.declare(cython.ulonglong, 0x400000000000)
OF_PLACE = cython.declare(cython.ulonglong, 0x800000000000)
#: What a key is for: the best lay, a round's table, and from here on whole turns.
LAYS = cython.declare(cython.int, 0)
ROUND = cython.declare(cython.int, 1)
TURN = cython.declare(cython.int, 64)


class TooLong(Exception):
    """The search looked at as many places as it may, and was not done."""


def mix(x: cython.ulonglong) -> cython.ulonglong:
    """64 bits that look random for each number (splitmix64)."""
    z: cython.ulonglong = ((x + 1) * STEP) & BITS_64
    z = ((z ^ (z >> 30)) * MIX_1) & BITS_64
    z = ((z ^ (z >> 27)) * MIX_2) & BITS_64
    return z ^ (z >> 31)


@cython.final
@cython.cclass
class Endgame:
    """Endgames with the dice of one edition, six faces a die, on a board of one size."""

    def __init__(self, dice: bytes, rows: int, cols: int) -> None:
        if not cython.compiled:
            self.face, self.die_at = [0] * 1536, [0] * 848
            self.hand, self.up, self.left = [0] * 10, [0] * 10, [0] * 2
        if len(dice) % 6 or not 0 < len(dice) // 6 <= 250 or max(dice) > 27:
            raise ValueError(f"{len(dice)} faces: six for each of at most 250 dice")
        self.board = Board(rows, cols)
        self.search = Search(self.board)
        self.n_dice = len(dice) // 6
        for i in range(len(dice)):
            self.face[i] = dice[i]
        self.known_key, self.known, self.rounds = array("Q"), array("d"), array("d")
        self.trying = array("q")
        self.known_room = self.known_used = self.rounds_room = self.rounds_used = 0
        self.trying_room = self.trying_used = 0
        self.make_known_room()
        self.make_rounds_room()
        self.make_trying_room()

    # What lies and what is held.

    def worth(self, margin: cython.int) -> cython.double:
        return self.worths[self.widest + max(-self.widest, min(self.widest, margin))]

    def better(self, seat: cython.int, one: cython.double, other: cython.double) -> cython.double:
        """What this seat prefers; NONE is nothing to choose."""
        if one == NONE or other == NONE:
            return other if one == NONE else one
        return min(one, other) if seat else max(one, other)

    def shows(self, place: cython.int) -> cython.int:
        return self.face[self.hand[place] * 6 + self.up[place]]

    def key(self, seat: cython.int, kind: cython.int, margin: cython.int) -> cython.ulonglong:
        """For what lies, what is held and shown, whose turn it is, and the margin; a round's table knows no sides."""
        key: cython.ulonglong = self.board_key ^ mix(
            OF_PLACE + ((margin + 0x2000) * 0x1000 + kind) * 2 + seat
        )
        for place in range(10):
            if self.left[place // 5] >> (place % 5) & 1:
                side: cython.int = 7 if kind == ROUND else self.up[place]
                key ^= mix(OF_HAND + ((place // 5) * 0x100 + self.hand[place]) * 8 + side)
        return key if key else 1

    def mark(self, q: cython.int) -> cython.void:
        """Add the die on this cell to the key of the board, or take it out."""
        die: cython.int = self.die_at[q] + 1 if self.board.star[q] else 0
        label: cython.ulonglong = (q * 0x20 + self.board.cell[q]) * 0x100 + die
        self.board_key ^= mix(label)

    def put(self, q: cython.int, face: cython.int, star: cython.int, die: cython.int) -> cython.void:
        """Lay a die, or put it in a wild's place."""
        if self.board.cell[q] != EMPTY:
            self.mark(q)
            self.stars -= self.board.star[q]
        self.die_at[q] = die
        self.board.put(q, face, star)
        self.board.judge(q)
        self.stars += star
        self.mark(q)

    def lift(self, q: cython.int, bonus: cython.int) -> cython.void:
        """Take a die back that was laid on this cell."""
        self.mark(q)
        self.stars -= self.board.star[q]
        self.board.put(q, EMPTY, 0)
        self.board.bonus[q] = bonus
        self.board.judge(q)

    def take_hand(self, seat: cython.int) -> cython.void:
        """Search with the hand of this seat from now on."""
        for face in range(28):
            self.search.count[face] = 0
        for i in range(5):
            if self.left[seat] >> i & 1:
                shown: cython.int = self.shows(seat * 5 + i)
                self.search.count[shown] = self.search.count[shown] + 1
        self.search.sort_hand()

    def best_score(self, seat: cython.int) -> cython.int:
        """The most points that this seat can lay, -1 if it can lay nothing."""
        if not self.left[seat]:
            return -1
        if self.left[seat] & (self.left[seat] - 1):
            self.take_hand(seat)
            best: cython.longlong = self.search.find_best()
            return cython.cast(cython.int, best >> 48) if best else -1
        most: cython.int = -1
        face: cython.int = 0
        for i in range(5):
            if self.left[seat] >> i & 1:
                face = self.shows(seat * 5 + i)
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            mask: cython.uint = self.board.finish[q]
            if face != WILD:
                if mask >> face & 1:
                    most = max(most, self.board.points(q, face) + self.board.bonus[q])
                continue
            for named in range(27):
                if mask >> named & 1:
                    gain: cython.int = self.board.points(q, named) - self.board.sets(q, named)
                    most = max(most, gain + self.board.bonus[q])
        return most

    def can_exchange(self, seat: cython.int) -> cython.int:
        """Whether a die of this seat shows what a lying wild stands for (C21)."""
        if not self.stars:
            return 0
        held: cython.uint = 0
        bit: cython.uint = 1
        for i in range(5):
            if self.left[seat] >> i & 1:
                held |= bit << self.shows(seat * 5 + i)
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            if self.board.star[q] and held >> self.board.cell[q] & 1:
                return 1
        return 0

    # The search. Values are what the end will be worth to seat 0.

    def turn(
        self,
        seat: cython.int,
        laid: cython.int,
        could: cython.int,
        idle: cython.int,
        rethrows: cython.int,
        margin: cython.int,
    ) -> cython.double:
        """A turn of this seat: lay, pass, or replace a wild first."""
        if not self.can_exchange(seat):
            return self.play(seat, laid, could, idle, rethrows, margin)
        kind: cython.int = TURN + laid + 2 * could + 4 * idle + 16 * rethrows
        key: cython.ulonglong = self.key(seat, kind, margin)
        at: cython.longlong = self.find(key)
        if self.known_key[at]:
            return self.known[at]
        best: cython.double = self.play(seat, laid, could, idle, rethrows, margin)
        could = could | (self.lays(seat, margin) != NONE)
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            if self.board.star[q]:
                for i in range(5):
                    if self.left[seat] >> i & 1 and self.shows(seat * 5 + i) == self.board.cell[q]:
                        best = self.better(
                            seat, best, self.exchange(seat, i, q, laid, could, idle, rethrows, margin)
                        )
        self.keep(key, best)
        return best

    def play(
        self,
        seat: cython.int,
        laid: cython.int,
        could: cython.int,
        idle: cython.int,
        rethrows: cython.int,
        margin: cython.int,
    ) -> cython.double:
        """Lay or pass."""
        best: cython.double = self.lays(seat, margin)
        if self.stopped:
            return 0.0
        return self.better(seat, best, self.after(seat, laid, could | (best != NONE), idle, rethrows, margin))

    def exchange(
        self,
        seat: cython.int,
        i: cython.int,
        q: cython.int,
        laid: cython.int,
        could: cython.int,
        idle: cython.int,
        rethrows: cython.int,
        margin: cython.int,
    ) -> cython.double:
        """Put die i of the hand in the place of the wild on cell q and throw that."""
        place: cython.int = seat * 5 + i
        own: cython.int = self.hand[place]
        side: cython.int = self.up[place]
        face: cython.int = self.board.cell[q]
        wild: cython.int = self.die_at[q]
        total: cython.double = 0.0
        self.put(q, face, 0, own)
        self.hand[place] = wild
        for top in range(6):
            self.up[place] = top
            total += self.turn(seat, laid, could, idle, rethrows, margin)
        self.hand[place] = own
        self.up[place] = side
        self.put(q, face, 1, wild)
        return total / 6

    def lays(self, seat: cython.int, margin: cython.int) -> cython.double:
        """The best lay; NONE where nothing can be laid."""
        key: cython.ulonglong = self.key(seat, LAYS, margin)
        at: cython.longlong = self.find(key)
        if self.known_key[at]:
            return self.known[at]
        self.looked += 1
        if self.looked > self.limit:
            self.stopped = 1
        if self.stopped:
            return 0.0
        best: cython.double
        if seat != self.first and not self.left[1 - seat]:
            score: cython.int = self.best_score(seat)
            best = NONE if score < 0 else self.worth(margin - score if seat else margin + score)
        else:
            best = self.try_lays(seat, margin)
        self.keep(key, best)
        return best

    def try_lays(self, seat: cython.int, margin: cython.int) -> cython.double:
        begin: cython.int = self.trying_used
        best: cython.double = NONE
        dice: cython.int = 0
        for i in range(5):
            dice += self.left[seat] >> i & 1
        self.take_hand(seat)
        self.search.find_all()
        while self.trying_room < begin + self.search.turns:
            self.make_trying_room()
        for n in range(self.search.turns):
            self.trying[begin + n] = self.search.turn[n]
        self.trying_used = begin + self.search.turns
        for n in range(begin, self.trying_used):
            turn: cython.longlong = self.trying[n]
            score: cython.int = turn >> 48
            after: cython.int = margin - score if seat else margin + score
            size: cython.int = 1 + ((turn >> 16 & 0xFFFF) != 0) + ((turn >> 32 & 0xFFFF) != 0)
            if seat != self.first and size == dice:  # nobody comes after the last die of the last seat
                best = self.better(seat, best, self.worth(after))
            else:
                best = self.better(seat, best, self.lay(seat, turn, after))
            if self.stopped:
                break
        self.trying_used = begin
        return best

    def lay(self, seat: cython.int, turn: cython.longlong, margin: cython.int) -> cython.double:
        """The dice of a turn, one after another: of dice that show the same, whichever is best to lay."""
        p: cython.int = (turn & 0xFFFF) - 1
        if p < 0:
            return self.after(seat, 1, 1, 0, 0, margin)
        q: cython.int = self.board.at[p >> 6]
        face: cython.int = p >> 1 & 31
        shown: cython.int = WILD if p & 1 else face
        bonus: cython.int = self.board.bonus[q]
        best: cython.double = NONE
        bit: cython.int = 1
        for i in range(5):
            if self.left[seat] >> i & 1 and self.shows(seat * 5 + i) == shown:
                self.put(q, face, p & 1, self.hand[seat * 5 + i])
                self.left[seat] ^= bit << i
                best = self.better(seat, best, self.lay(seat, (turn & BELOW_SCORE) >> 16, margin))
                self.left[seat] ^= bit << i
                self.lift(q, bonus)
        return best

    def after(
        self,
        seat: cython.int,
        laid: cython.int,
        could: cython.int,
        idle: cython.int,
        rethrows: cython.int,
        margin: cython.int,
    ) -> cython.double:
        """Once the turn is over: the next, or the end of the round (C12, C15, C16)."""
        if seat == self.first:
            return self.turn(1 - seat, laid, could, idle, rethrows, margin)
        stuck: cython.int = laid == 0 and could == 0
        idle = 0 if laid else idle + could
        rethrows = rethrows + 1 if stuck else 0
        if idle == IDLE_LIMIT or rethrows == RETHROWS_SEEN or not self.left[0] or not self.left[1]:
            return self.worth(margin)
        base: cython.longlong = self.round(idle, rethrows, margin)
        if self.stopped:
            return 0.0
        return self.rounds[self.at(base, self.left[0], self.left[1])] if stuck else self.roll(base)

    # Rounds.

    def round(self, idle: cython.int, rethrows: cython.int, margin: cython.int) -> cython.longlong:
        """Where the table of this round begins; it is made when first needed."""
        key: cython.ulonglong = self.key(0, ROUND, margin) ^ mix(OF_ROUND + idle * 4 + rethrows)
        at: cython.longlong = self.find(key)
        if self.known_key[at]:
            return cython.cast(cython.longlong, self.known[at])
        dice: cython.int = 0
        size: cython.longlong = 1
        for place in range(10):
            if self.left[place // 5] >> (place % 5) & 1:
                dice += 1
                size *= 7
        base: cython.longlong = self.rounds_used
        self.rounds_used += size
        while self.rounds_used > self.rounds_room:
            self.make_rounds_room()
        self.play_throws(base, dice, idle, rethrows, margin)
        if not self.stopped:
            self.keep(key, base)
        return base

    def play_throws(
        self,
        base: cython.longlong,
        dice: cython.int,
        idle: cython.int,
        rethrows: cython.int,
        margin: cython.int,
    ) -> cython.void:
        """Fill the table of a round: play it for all sides, then take means die by die."""
        shown: cython.longlong = 0
        size: cython.longlong = 1
        digit: cython.longlong
        for place in range(10):
            shown = shown * 8 + self.up[9 - place]
        for _ in range(dice):
            size *= 7
        for n in range(size):
            digit = n
            thrown: cython.int = 0
            for place in range(10):
                if self.left[place // 5] >> (place % 5) & 1:
                    thrown |= digit % 7 == 6
                    self.up[place] = digit % 7
                    digit = digit // 7
            if not thrown and not self.stopped:
                value: cython.double = self.turn(self.first, 0, 0, idle, rethrows, margin)
                self.rounds[base + n] = value
        for place in range(10):
            self.up[place] = shown & 7
            shown = shown >> 3
        step: cython.longlong = 1
        for _ in range(dice):  # those whose higher digits are sides; the higher dice are thrown later on
            for n in range(size):
                digit = n // step
                if digit % 7 == 6:
                    total: cython.double = 0.0
                    for side in range(1, 7):
                        total += self.rounds[base + n - side * step]
                    self.rounds[base + n] = total / 6
            step *= 7

    def at(self, base: cython.longlong, mine: cython.int, theirs: cython.int) -> cython.longlong:
        """The place in a round's table where seat 0 throws these of its dice, seat 1 those, and the rest show what
        they do."""
        step: cython.longlong = 1
        for place in range(10):
            if self.left[place // 5] >> (place % 5) & 1:
                thrown: cython.int = (theirs if place >= 5 else mine) >> (place % 5) & 1
                base += step * (6 if thrown else self.up[place])
                step *= 7
        return base

    def roll(self, base: cython.longlong) -> cython.double:
        """C14: the throw of seat 0 that is best against the best answer of seat 1."""
        best: cython.double = NONE
        for mine in range(32):
            if mine & ~self.left[0]:
                continue
            least: cython.double = NONE
            for theirs in range(32):
                if not theirs & ~self.left[1]:
                    least = self.better(1, least, self.rounds[self.at(base, mine, theirs)])
            best = self.better(0, best, least)
        return best

    # What is known.

    def find(self, key: cython.ulonglong) -> cython.longlong:
        """Where this key is, or belongs."""
        at: cython.longlong = key & (self.known_room - 1)
        while self.known_key[at] and self.known_key[at] != key:
            at = (at + 1) & (self.known_room - 1)
        return at

    def keep(self, key: cython.ulonglong, value: cython.double) -> cython.void:
        if self.stopped:
            return
        if 3 * self.known_used >= 2 * self.known_room:
            self.make_known_room()
        at: cython.longlong = self.find(key)
        self.known_used += 1
        self.known_key[at] = key
        self.known[at] = value

    # Buffers.

    def make_known_room(self) -> cython.void:
        keys: cython.ulonglong[::1] = self.known_key
        values: cython.double[::1] = self.known
        room: cython.longlong = self.known_room
        self.known_room = max(4096, 4 * room)
        self.known_key = array("Q", bytes(8 * self.known_room))
        self.known = array("d", bytes(8 * self.known_room))
        for i in range(room):
            if keys[i]:
                at: cython.longlong = self.find(keys[i])
                self.known_key[at] = keys[i]
                self.known[at] = values[i]

    def make_rounds_room(self) -> cython.void:
        bigger: cython.double[::1] = array("d", bytes(8 * max(4096, 2 * self.rounds_room)))
        for i in range(self.rounds_room):
            bigger[i] = self.rounds[i]
        self.rounds = bigger
        self.rounds_room = max(4096, 2 * self.rounds_room)

    def make_trying_room(self) -> cython.void:
        bigger: cython.longlong[::1] = array("q", bytes(8 * max(4096, 2 * self.trying_room)))
        for i in range(self.trying_room):
            bigger[i] = self.trying[i]
        self.trying = bigger
        self.trying_room = max(4096, 2 * self.trying_room)

    # For callers in Python.

    def set_position(
        self,
        faces: bytes,
        stars: bytes,
        bonus: bytes,
        lying: bytes,
        never: bool,
        hands: list[bytes],
        shown: list[bytes],
        margin: int,
        first: int,
        seat: int,
        laid: bool,
        could_lay: bool,
        dry_rounds: int,
        worths: array[float],
        limit: int,
    ) -> None:
        """A turn of `seat`, or the extra roll before the round; all as for `DiceGames.set_position`.

        `margin` is what seat 0 is ahead, `worths` what seat 0 gets for a final margin: an odd number of them that never
        fall, the middle one for 0; margins beyond the ends count as these. After `limit` places the search gives up.
        """
        if not len(hands) == len(shown) == 2 or not (0 <= first < 2 > seat >= 0):
            raise ValueError("an endgame has two seats")
        if not len(faces) == len(lying) == self.board.squares:
            raise ValueError(f"{len(faces)} faces and {len(lying)} dice for {self.board.squares} squares")
        if len(worths) % 2 == 0 or any(worths[i] > worths[i + 1] for i in range(len(worths) - 1)):
            raise ValueError("an odd number of worths that never fall")
        for held, tops in zip(hands, shown, strict=True):
            if len(held) != len(tops) or len(held) > 5 or max(held, default=0) >= self.n_dice:
                raise ValueError("each hand is of up to five dice of this edition")
            if max(tops, default=0) > 5:
                raise ValueError("dice show a face 0 to 5")
        self.board.lay(faces, stars, bonus, never)
        self.board_key, self.stars = 0, 0
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            if self.board.cell[q] != EMPTY:
                self.die_at[q] = lying[s]
                self.stars += self.board.star[q]
                self.mark(q)
        for i in range(2):
            self.left[i] = (1 << len(hands[i])) - 1
            for k in range(len(hands[i])):
                self.hand[i * 5 + k], self.up[i * 5 + k] = hands[i][k], shown[i][k]
        self.first, self.seat, self.margin = first, seat, margin
        self.laid, self.could, self.idle = laid, could_lay, dry_rounds
        self.worths, self.widest = worths, len(worths) // 2
        self.looked, self.limit, self.stopped = 0, limit, 0
        for i in range(self.known_room):
            self.known_key[i] = 0
        self.known_used = self.rounds_used = self.trying_used = 0

    def _done(self, value: float) -> float:
        if self.stopped:
            raise TooLong(f"more than {self.limit} places")
        return value

    def value(self) -> float:
        """What the turn that was set is worth to seat 0; `TooLong` if that takes too many places to find out."""
        with cython.nogil:
            value: cython.double = self.turn(self.seat, self.laid, self.could, self.idle, 0, self.margin)
        return self._done(value)

    def passed(self) -> float:
        """What it is worth to pass."""
        with cython.nogil:
            could: cython.int = self.could | (self.lays(self.seat, self.margin) != NONE)
            value: cython.double = self.after(self.seat, self.laid, could, self.idle, 0, self.margin)
        return self._done(value)

    def laid_turns(self) -> list[tuple[int, tuple[int, ...], float]]:
        """Every lay: the turn as in turns.py, the dice for its placements, and what it is worth."""
        self.take_hand(self.seat)
        self.search.find_all()
        found: list[tuple[int, tuple[int, ...], float]] = []
        for turn in self.search.listed():
            score = turn >> 48
            margin = self.margin - score if self.seat else self.margin + score
            self._lay(turn, turn, margin, (), found)
        return found

    def _lay(
        self,
        turn: int,
        rest: int,
        margin: int,
        dice: tuple[int, ...],
        found: list[tuple[int, tuple[int, ...], float]],
    ) -> None:
        p = (rest & 0xFFFF) - 1
        if p < 0:
            found.append((turn, dice, self._done(self.after(self.seat, 1, 1, 0, 0, margin))))
            return
        q = self.board.at[p >> 6]
        bonus = self.board.bonus[q]
        for i in range(5):
            place = self.seat * 5 + i
            if self.left[self.seat] >> i & 1 and self.shows(place) == (27 if p & 1 else p >> 1 & 31):
                die = self.hand[place]
                self.put(q, p >> 1 & 31, p & 1, die)
                self.left[self.seat] ^= 1 << i
                try:
                    self._lay(turn, (rest & BELOW_SCORE) >> 16, margin, (*dice, die), found)
                finally:
                    self.left[self.seat] ^= 1 << i
                    self.lift(q, bonus)

    def exchanges(self) -> list[tuple[int, int, float]]:
        """Every wild that may be replaced: the die put there, the square, and what it is worth."""
        could: cython.int = self.could | (self.lays(self.seat, self.margin) != NONE)
        found = []
        for s in range(self.board.squares):
            q: cython.int = self.board.at[s]
            for i in range(5):
                place: cython.int = self.seat * 5 + i
                held: cython.int = self.left[self.seat] >> i & 1
                if held and self.board.star[q] and self.shows(place) == self.board.cell[q]:
                    value: cython.double = self.exchange(
                        self.seat, i, q, self.laid, could, self.idle, 0, self.margin
                    )
                    found.append((self.hand[place], s, self._done(value)))
        return found

    def rolls(self) -> list[list[float]]:
        """What every two throws in the extra roll are worth: a row for each choice of seat 0 (dice as bits, in the order
        of the hand), a column for seat 1."""
        with cython.nogil:
            base: cython.longlong = self.round(self.idle, 0, self.margin)
        self._done(0.0)
        return [
            [self.rounds[self.at(base, mine, theirs)] for theirs in range(self.left[1] + 1)]
            for mine in range(self.left[0] + 1)
        ]
