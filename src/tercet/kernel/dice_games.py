# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""Whole dice games and rollouts by RULES C1-C21, each seat played by `random` or `greedy`.

* greedy lays the turn with most points (of equals the smallest, see turns.py), replaces a wild whenever it can,
  and throws again the dice that give the highest expected best score on the board as it lies;
* random lays any legal turn with equal chance, replaces a wild half of the times, and throws any dice again.

Both pass only when there is no legal turn. Who calls first in the opening is drawn among those with a SET, and
the SET with fewest wilds is laid.

The counts are one flat array of 64-bit ints, so that batches add up; the names below are their places. `*_BY_SEAT`
and `*_BY_ORDER` (the first player is 0) have four places, `LAID` has four (dice of a turn), `LENGTH` 64 (rounds) and
`WORTH` 128 (points of a turn). Wins count twelve, shared by those who share them.
"""

from __future__ import annotations

from array import array

from tercet.kernel.dice_table import DiceTable
from tercet.kernel.extra_roll import ExtraRoll
from tercet.kernel.hands import HandTables
from tercet.kernel.position import Position
from tercet.kernel.search import Search

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

PLACES: dict[str, int] = {
    name: place
    for place, name in enumerate(
        "GAMES ROUNDS TURNS PASSES POINTS BONUS OPENING_POINTS OPENING_THROWS RETHROWS STUCK REPLACED "
        "WILDS_LAID WILD_TURNS WILD_POINTS EXTRA_ROLLS DICE_THROWN_AGAIN".split()
    )
} | {
    "POINTS_BY_ORDER": 20,
    "WINS_BY_ORDER": 24,
    "POINTS_BY_SEAT": 28,
    "WINS_BY_SEAT": 32,
    "LAID": 36,
    "LENGTH": 64,
    "WORTH": 128,
}
COUNTS = 256

#: Where a rollout starts.
TURN = cython.declare(cython.int, 0)
ROUND_OVER = cython.declare(cython.int, 1)
EXTRA_ROLL = cython.declare(cython.int, 2)
#: More rounds than any game has.
NO_HORIZON = cython.declare(cython.int, 1000000)
#: The place of a throw that is not given but chosen.
CHOSEN = cython.declare(cython.int, 255)
WILD = cython.declare(cython.int, 27)
EMPTY = cython.declare(cython.int, 27)
GAMES = cython.declare(cython.int, 0)
ROUNDS = cython.declare(cython.int, 1)
TURNS = cython.declare(cython.int, 2)
PASSES = cython.declare(cython.int, 3)
POINTS = cython.declare(cython.int, 4)
BONUS = cython.declare(cython.int, 5)
OPENING_POINTS = cython.declare(cython.int, 6)
OPENING_THROWS = cython.declare(cython.int, 7)
RETHROWS = cython.declare(cython.int, 8)
STUCK = cython.declare(cython.int, 9)
REPLACED = cython.declare(cython.int, 10)
WILDS_LAID = cython.declare(cython.int, 11)
WILD_TURNS = cython.declare(cython.int, 12)
WILD_POINTS = cython.declare(cython.int, 13)
EXTRA_ROLLS = cython.declare(cython.int, 14)
DICE_THROWN_AGAIN = cython.declare(cython.int, 15)


@cython.final
@cython.cclass
class DiceGames:
    """Games of one edition between fixed players.

    `dice` has six faces a die, `logo` three squares, `bonus` a byte a square, and `players` a letter a seat:
    `b"gr"` is greedy against random.
    """

    def __init__(
        self,
        dice: bytes,
        rows: int,
        cols: int,
        logo: tuple[int, int, int],
        bonus: bytes,
        never: bool,
        players: bytes,
    ) -> None:
        if not cython.compiled:
            self.greedy, self.throws = [0] * 4, [0] * 4
            self.given, self.luck, self.promised = [0] * 4, [0] * 4, [0] * 4
        if set(players) - set(b"gr") or not 2 <= len(players) <= 4:
            raise ValueError(f"players {players!r}: two to four letters, g for greedy or r for random")
        self.table = DiceTable(len(players), dice, rows, cols, logo, bonus, never)
        self.board = self.table.board
        self.search, self.hands = Search(self.board), HandTables(self.board)
        self.extra = ExtraRoll(self.hands)
        for seat in range(4):
            self.greedy[seat] = players[seat : seat + 1] == b"g"
            self.given[seat] = CHOSEN
        self.faces, self.shown = bytearray(30), bytearray(5)
        self.start = Position()
        self.is_first_roll = 0
        self.counts = array("q", bytes(8 * COUNTS))

    # The course of a game.

    def play(self) -> cython.void:
        self.is_first_roll = 0
        self.table.set_up()
        throws: cython.int = self.table.open()
        self.counts[OPENING_THROWS] += throws
        if not throws:
            self.count_game()
            return
        self.counts[OPENING_POINTS] += self.table.score[self.table.first]
        self.play_on(NO_HORIZON)

    def play_on(self, horizon: cython.int) -> cython.int:
        """Play from the beginning of a seat's turn to the end, or until `horizon` more rounds are over; whether it
        is the end."""
        rounds: cython.int = 1
        while True:
            self.turn(self.table.seat)
            self.table.seat = (self.table.seat + 1) % self.table.players
            if self.table.seat == self.table.first:
                if rounds > horizon and not self.is_over():
                    return 0
                if not self.next_round():
                    break
                rounds += 1
        self.counts[ROUNDS] += rounds
        self.counts[64 + min(rounds, 63)] += 1
        self.count_game()
        return 1

    def is_over(self) -> cython.int:
        """Whether the round that has just been played was the last (C15, C16)."""
        if self.table.over or self.table.laid:
            return self.table.over
        return self.table.dry == 2 if self.table.could else self.table.rethrows == 19

    def next_round(self) -> cython.int:
        """C12-C16: what happens when play is back at the first player; 0 when the game is over."""
        stuck: cython.int = self.table.laid == 0 and not self.table.could
        if self.table.laid:
            self.table.dry = 0
        elif self.table.could:
            self.table.dry += 1
        self.table.rethrows = self.table.rethrows + 1 if stuck else 0
        self.table.laid = 0
        if self.table.over:
            return 0
        if self.table.dry == 3 or self.table.rethrows == 20:
            self.counts[STUCK] += 1
            return 0
        if stuck:
            self.counts[RETHROWS] += 1
            for seat in range(self.table.players):
                self.table.throw_all(seat)
            return 1
        self.table.could = 0
        for i in range(self.table.players):
            self.table.draw((self.table.first + i) % self.table.players)
        self.extra_rolls()
        return 1

    def turn(self, seat: cython.int) -> cython.void:
        """Replace wilds (C21), then lay a turn or pass (C7)."""
        while (self.greedy[seat] or self.table.chance.below(2)) and self.table.can_replace(seat):
            if not self.table.could:  # C12: what matters is whether they could have laid, also before
                self.take_hand(seat)
                self.table.could = self.search.any()
            self.table.replace_one(seat)
            self.counts[REPLACED] += 1
        self.take_hand(seat)
        chosen: cython.longlong = 0
        if self.greedy[seat]:
            chosen = self.search.find_best()
        else:
            self.search.find_all()
            if self.search.turns:
                chosen = self.search.turn[self.table.chance.below(self.search.turns)]
        self.counts[TURNS] += 1
        if not chosen:
            self.counts[PASSES] += 1
            self.counts[36] += 1
            return
        points: cython.int = chosen >> 48
        dice = self.table.lay_turn(seat, chosen)
        if not self.table.size[seat]:
            self.table.over = 1
        self.table.could = 1
        self.counts[36 + dice] += 1
        self.counts[POINTS] += points
        self.counts[BONUS] += self.table.bonus_points
        self.counts[128 + min(points, 127)] += 1
        if self.table.wilds_laid:
            self.counts[WILDS_LAID] += self.table.wilds_laid
            self.counts[WILD_TURNS] += 1
            self.counts[WILD_POINTS] += points

    def take_hand(self, seat: cython.int) -> cython.void:
        """Search with the hand of this seat from now on."""
        for face in range(28):
            self.search.count[face] = 0
        for i in range(seat * 5, seat * 5 + self.table.size[seat]):
            shown: cython.int = self.table.shows(i)
            self.search.count[shown] = self.search.count[shown] + 1
        self.search.sort_hand()

    def extra_rolls(self) -> cython.void:
        """C14: all decide, then all throw. Where a seat is greedy it is known what a throw promises, so its luck is too."""
        built: cython.int = 0
        known_hands: cython.int = self.is_first_roll and self.start.stage == EXTRA_ROLL
        for seat in range(self.table.players):
            if not self.greedy[seat]:
                self.throws[seat] = self.table.chance.below(1 << self.table.size[seat])
            else:
                if not built:
                    self.build_hands()
                    built = 1
                self.throws[seat] = self.known_throw(seat) if known_hands else self.choose_throw(seat)
            if self.given[seat] != CHOSEN:
                self.throws[seat] = self.given[seat]
                self.given[seat] = CHOSEN
            if not self.greedy[seat]:
                self.promised[seat] = 0
            elif known_hands:
                self.promised[seat] = self.start.promised[seat * 32 + self.throws[seat]]
            else:
                self.promised[seat] = self.extra.total[self.throws[seat]]
        self.start.is_solved |= known_hands
        self.is_first_roll = 0
        for seat in range(self.table.players):
            self.counts[EXTRA_ROLLS] += 1
            for i in range(self.table.size[seat]):
                if self.throws[seat] >> i & 1:
                    self.table.up[seat * 5 + i] = self.table.throw(self.table.hand[seat * 5 + i])
                    self.counts[DICE_THROWN_AGAIN] += 1
            if self.greedy[seat]:
                self.luck[seat] += 7776 * self.best_in_hand(seat) - self.promised[seat]

    def best_in_hand(self, seat: cython.int) -> cython.int:
        """The most points that the dice of this seat can score on the board of the tables."""
        size: cython.int = self.table.size[seat]
        for i in range(size):
            self.shown[i] = self.table.shows(seat * 5 + i)
        return self.hands.best_of(self.shown[:size])

    def wild_dice(self) -> cython.int:
        """The most dice with a WILD that a greedy hand has, up to three."""
        most: cython.int = 0
        for seat in range(self.table.players):
            here: cython.int = 0
            for i in range(seat * 5, seat * 5 + self.table.size[seat]):
                for k in range(6):
                    if self.table.face[self.table.hand[i] * 6 + k] == WILD:
                        here += 1
                        break
            if self.greedy[seat]:
                most = max(most, here)
        return min(most, 3)

    def choose_throw(self, seat: cython.int) -> cython.int:
        for i in range(self.table.size[seat]):
            self.shown[i] = self.table.up[seat * 5 + i]
            for k in range(6):
                self.faces[i * 6 + k] = self.table.face[self.table.hand[seat * 5 + i] * 6 + k]
        return self.extra.decide(self.faces, self.shown, self.table.size[seat])

    def build_hands(self) -> cython.void:
        """The tables of the board as it lies, which for the first extra roll from a position are mostly known."""
        if not self.is_first_roll:
            self.hands.build(self.wild_dice())
            return
        known: cython.int = self.start.is_known
        for s in range(self.board.squares):
            q = self.board.at[s]
            known &= (
                self.board.cell[q] == self.start.known_cell[s]
                and self.board.star[q] == self.start.known_star[s]
            )
        if known:
            for i in range(4495):
                self.hands.any3[i] = self.start.known_best[i]
            return
        self.hands.build(3)
        for i in range(4495):
            self.start.known_best[i] = self.hands.any3[i]
        for s in range(self.board.squares):
            q = self.board.at[s]
            self.start.known_cell[s], self.start.known_star[s] = self.board.cell[q], self.board.star[q]
        self.start.is_known = 1

    def known_throw(self, seat: cython.int) -> cython.int:
        """As `choose_throw` in the extra roll from which games are played on, where only the first has to think."""
        if not self.start.is_solved:
            self.start.chosen[seat] = self.choose_throw(seat)
            for subset in range(32):
                self.start.promised[seat * 32 + subset] = self.extra.total[subset]
        return self.start.chosen[seat]

    def count_game(self) -> cython.void:
        most: cython.int = self.table.score[0]
        winners: cython.int = 0
        for seat in range(self.table.players):
            most = max(most, self.table.score[seat])
        for seat in range(self.table.players):
            winners += 1 if self.table.score[seat] == most else 0
        self.counts[GAMES] += 1
        for seat in range(self.table.players):
            order: cython.int = (seat + self.table.players - self.table.first) % self.table.players
            won: cython.int = 12 // winners if self.table.score[seat] == most else 0
            self.counts[20 + order] += self.table.score[seat]
            self.counts[24 + order] += won
            self.counts[28 + seat] += self.table.score[seat]
            self.counts[32 + seat] += won

    def play_many(
        self, seed: cython.ulonglong, first: cython.longlong, games: cython.longlong, scores: cython.int[::1]
    ) -> cython.void:
        n: cython.int = 0
        for game in range(first, first + games):
            self.table.chance.start(seed, game)
            self.play()
            for seat in range(self.table.players):
                scores[n] = self.table.score[seat]
                n += 1

    # Rollouts.

    def restore(self) -> cython.void:
        """Back to where games are played on from."""
        for s in range(self.board.squares):
            q = self.board.at[s]
            self.board.cell[q] = self.start.cell[s]
            self.board.star[q] = self.start.star[s]
            self.board.bonus[q] = self.start.bonus[s]
            self.table.die_at[q] = self.start.die[s]
        for s in range(self.board.squares):
            self.board.judge(self.board.at[s])
        for i in range(20):
            self.table.hand[i], self.table.up[i] = self.start.hand[i], self.start.up[i]
        for i in range(self.start.in_bag):
            self.table.bag[i] = self.start.bag[i]
        for i in range(4):
            self.table.size[i], self.table.score[i] = self.start.size[i], self.start.score[i]
        self.table.in_bag, self.table.first, self.table.seat = (
            self.start.in_bag,
            self.start.first,
            self.start.seat,
        )
        self.table.laid, self.table.could = self.start.laid, self.start.could
        self.table.dry, self.table.rethrows = self.start.dry, self.start.rethrows
        self.table.over = self.start.over
        for i in range(4):
            self.given[i] = self.start.throws[i]
            self.luck[i] = 0
        self.is_first_roll = 1

    def roll_out(
        self,
        seed: cython.ulonglong,
        first: cython.longlong,
        games: cython.longlong,
        horizon: cython.int,
        scores: cython.int[::1],
    ) -> cython.void:
        n: cython.int = 0
        for game in range(first, first + games):
            self.table.chance.start(seed, game)
            self.restore()
            self.table.shuffle()
            scores[n] = self.play_from_stage(horizon)
            n += 1
            for seat in range(self.table.players):
                scores[n] = self.table.score[seat]
                n += 1
            for seat in range(self.table.players):
                scores[n] = self.luck[seat]
                n += 1

    def play_from_stage(self, horizon: cython.int) -> cython.int:
        """Play on from the turn, the end of the round or the extra roll that was set: -1 when the game ended, else
        the number of dice that are in the bag and in the hands."""
        if self.start.stage == ROUND_OVER:
            if not self.next_round():
                return -1
        elif self.start.stage == EXTRA_ROLL:
            self.extra_rolls()
        if self.play_on(horizon - (self.start.stage != TURN)):
            return -1
        dice: cython.int = self.table.in_bag
        for seat in range(self.table.players):
            dice += self.table.size[seat]
        return dice

    # For callers in Python.

    def games(self, seed: int, first: int, games: int) -> array[int]:
        """Play games number `first` and on of a seed; the scores, game by game and seat by seat."""
        scores = array("i", bytes(4 * games * self.table.players))
        out: cython.int[::1] = scores
        s: cython.ulonglong = seed
        f: cython.longlong = first
        n: cython.longlong = games
        with cython.nogil:
            self.play_many(s, f, n, out)
        return scores

    def rollouts(
        self, position: Position, seed: int, first: int, games: int, horizon: int = 1000
    ) -> array[int]:
        """Play on from a position of these games, so many times, to the end or until `horizon` rounds are over after the
        one that is being played.

        For each game the number of dice then left in bag and hands, -1 if it ended, the scores seat by seat, and seat by
        seat the luck of the extra rolls: 7,776 x (the best score that a throw gave - what it promised). Its mean is 0.
        """
        self.start = position
        scores = array("i", bytes(4 * games * (2 * self.table.players + 1)))
        out: cython.int[::1] = scores
        s: cython.ulonglong = seed
        f: cython.longlong = first
        n: cython.longlong = games
        h: cython.int = horizon
        with cython.nogil:
            self.roll_out(s, f, n, h, out)
        return scores

    def counted(self) -> array[int]:
        """What all games and rollouts of this object so far have counted."""
        return array("q", memoryview(self.counts).tobytes())

    def position(
        self,
        faces: bytes,
        stars: bytes,
        bonus: bytes,
        lying: bytes,
        hands: list[bytes],
        shown: list[bytes],
        bag: bytes,
        scores: list[int],
        first: int,
        seat: int,
        laid: int = 0,
        could_lay: bool = False,
        dry_rounds: int = 0,
        rethrows: int = 0,
        ending: bool = False,
        stage: int = 0,
        throws: bytes = b"",
    ) -> Position:
        """The beginning of `seat`'s turn in a game in which `first` is first player; with `stage` 1, the end of the
        round, and with 2 the extra roll.

        `faces`, `stars` and `bonus` are as for `list_turns`; `lying` has the number of the die on each square.
        For each seat `hands` has the numbers of its dice and `shown` the place, 0 to 5, of the face on top. `laid` is
        the number of dice laid this round, `could_lay` whether someone who passed could have laid, `dry_rounds` the
        rounds before this one in which nobody laid a die though somebody could, `rethrows` those in a row in which
        nobody could, `ending` whether a hand is empty already. At an extra roll `throws`
        has for each seat the dice to throw as bits, 255 where the seat chooses.
        """
        players = self.table.players
        if not len(hands) == len(shown) == len(scores) == players or not (0 <= first < players > seat >= 0):
            raise ValueError(f"hands, faces and scores for {players} seats, and seats of these")
        if not len(faces) == len(lying) == self.board.squares:
            raise ValueError(f"{len(faces)} faces and {len(lying)} dice for {self.board.squares} squares")
        dice = (
            [d for hand in hands for d in hand]
            + list(bag)
            + [d for d, f in zip(lying, faces, strict=True) if f < 27]
        )
        if sorted(dice) != sorted(set(dice)) or (dice and max(dice) >= self.table.n_dice):
            raise ValueError("a die is in two places, or is none of this edition")
        if any(
            len(h) != len(u) or len(h) > 5 or max(u, default=0) > 5 for h, u in zip(hands, shown, strict=True)
        ):
            raise ValueError("each hand is of up to five dice that show a face 0 to 5")
        if not 0 <= stage <= 2 or (stage and seat != first) or len(throws) not in (0, players):
            raise ValueError(
                "stage 0 to 2, where a round begins the first player's turn, and throws for each seat"
            )
        self.board.lay(faces, stars, bonus, bool(self.table.never))
        start: Position = Position()
        for s in range(self.board.squares):
            q = self.board.at[s]
            start.cell[s], start.star[s] = self.board.cell[q], self.board.star[q]
            start.bonus[s], start.die[s] = self.board.bonus[q], lying[s]
        for i in range(players):
            start.size[i], start.score[i] = len(hands[i]), scores[i]
            for k in range(len(hands[i])):
                start.hand[i * 5 + k], start.up[i * 5 + k] = hands[i][k], shown[i][k]
        for i in range(len(bag)):
            start.bag[i] = bag[i]
        start.in_bag, start.first, start.seat = len(bag), first, seat
        start.laid, start.could = laid, could_lay
        start.dry, start.rethrows, start.over = dry_rounds, rethrows, ending
        start.stage = stage
        for i in range(4):
            start.throws[i] = throws[i] if i < len(throws) else CHOSEN
        return start
