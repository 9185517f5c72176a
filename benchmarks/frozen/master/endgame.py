"""The end of a dice game for two, searched in full once the bag is empty and few dice are left.

Within a round nothing is left to chance but the throw of a replaced wild. Between rounds there is the extra roll: both choose
at the same time, and each is taken to choose what is best against the other's best answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from benchmarks.frozen.master.rollouts import MARGIN
from tercet.bots.bot import Deadline
from tercet.cubed.play import State
from tercet.cubed.sight import WILD, Put, Sight, Turn
from tercet.cubed.table import IDLE_LIMIT

#: What the end of a game is worth to seat 0, by its margin.
Worth = Callable[[int], float]
#: Dice in hand: number and face, sorted.
Hand = tuple[tuple[int, int], ...]


#: After so many forced re-throws in a row the search takes the game as it stands: each more would multiply the places.
RETHROWS_SEEN = 3
#: So many places are looked at before the search gives up.
PLACES_LIMIT = 8_000


class TooLong(Exception):
    """The search was not over in time, or within its number of places."""


class Place(NamedTuple):
    """A state of the end of a game. ``wilds`` are the wilds on the board: cell and number of the die. ``rethrows`` are
    counted from where the search begins."""

    board: bytes
    stars: bytes
    wilds: tuple[tuple[int, int], ...]
    hands: tuple[Hand, Hand]
    margin: int
    turn: int
    laid: bool
    could_lay: bool
    idle: int
    rethrows: int


class Endgame:
    """Full search from a state with an empty bag.

    ``worth`` values the final margin of seat 0; seat 1 wants the opposite. Without it values are the points of margin
    still to come, which is much quicker to search, as it does not matter then how the game stands.
    """

    def __init__(
        self, state: State, deadline: Deadline, worth: Worth | None = None, limit: int = PLACES_LIMIT
    ) -> None:
        assert state.first is not None
        assert state.seats == 2
        assert not state.bag
        sight = Sight.of(state)
        self._first = state.first
        self._sides = [tuple(map(int, faces)) for faces in state.options.edition.dice]
        self._sight = sight
        self._worth, self._deadline, self._limit = worth, deadline, limit
        self._values: dict[Place, float] = {}
        self._turns: dict[tuple[bytes, bytes, tuple[int, ...]], list[Turn]] = {}
        one, two = (tuple(sorted((die.number, int(die.face)) for die in hand)) for hand in state.hands)
        numbers = [(cell, die.number) for cell, die in enumerate(state.board) if die is not None and die.wild]
        self.start = Place(
            sight.board,
            sight.stars,
            tuple(numbers),
            (one, two),
            0 if worth is None else state.scores[0] - state.scores[1],
            state.first if state.turn is None else state.turn,
            state.laid,
            state.could_lay,
            state.idle_rounds,
            0,
        )

    def turns(self, place: Place) -> list[Turn]:
        faces = tuple(sorted(face for _, face in place.hands[place.turn]))
        key = (place.board, place.stars, faces)
        if key not in self._turns:
            bonus = bytes(
                worth if face == 255 else 0
                for worth, face in zip(self._sight.bonus, place.board, strict=True)
            )
            sight = Sight(self._sight.layout, self._sight.wild, place.board, place.stars, bonus)
            self._turns[key] = sight.turns(faces)
        return self._turns[key]

    def choices(self, place: Place) -> Iterator[tuple[tuple[Put, ...], float]]:
        """Every turn that may be laid, with what it is worth to seat 0; the empty one is the pass."""
        turns = self.turns(place)
        for turn in turns:
            gain = turn.score if place.turn == 0 else -turn.score
            for after in self._laid(place, turn):
                if self._worth is None:
                    yield turn.puts, gain + self._after(after)
                else:
                    yield turn.puts, self._after(after._replace(margin=place.margin + gain))
        yield (), self._after(place._replace(could_lay=place.could_lay or bool(turns)))

    def exchanges(self, place: Place) -> Iterator[tuple[int, int, float]]:
        """Every wild that may be replaced: the number of one's own die, the cell, and what it is worth to seat 0."""
        for cell, number in place.wilds:
            for die in place.hands[place.turn]:
                if die[1] == place.board[cell]:
                    yield die[0], cell, self._exchanged(place, die, cell, number)

    def _exchanged(self, place: Place, die: tuple[int, int], cell: int, number: int) -> float:
        stars = bytearray(place.stars)
        stars[cell] = 0
        could_lay = place.could_lay or bool(self.turns(place))
        total = 0.0
        for face in self._sides[number - 1]:
            hand = [held for held in place.hands[place.turn] if held != die]
            after = place._replace(
                stars=bytes(stars),
                wilds=tuple(wild for wild in place.wilds if wild[0] != cell),
                hands=_with(place.hands, place.turn, (*hand, (number, face))),
                could_lay=could_lay,
            )
            total += self.value(after)
        return total / 6

    def _laid(self, place: Place, turn: Turn) -> Iterator[Place]:
        """The places after a turn: more than one where the player can choose between dice that show the same."""
        board, stars = bytearray(place.board), bytearray(place.stars)
        for cell, face, wild in turn.puts:
            board[cell], stars[cell] = face, wild
        needed = [WILD if wild else face for _, face, wild in turn.puts]
        seen = set()
        for dice in _takings(place.hands[place.turn], needed):
            left = tuple(die for die in place.hands[place.turn] if die not in dice)
            wilds = [(put[0], die[0]) for put, die in zip(turn.puts, dice, strict=True) if put[2]]
            if (left, *wilds) in seen:
                continue
            seen.add((left, *wilds))
            yield Place(
                bytes(board),
                bytes(stars),
                (*place.wilds, *wilds),
                _with(place.hands, place.turn, left),
                place.margin,
                place.turn,
                True,
                place.could_lay,
                place.idle,
                place.rethrows,
            )

    def value(self, place: Place) -> float:
        """What a place with a turn to play is worth to seat 0."""
        known = self._values.get(place)
        if known is None:
            if self._deadline.is_over or len(self._values) >= self._limit:
                raise TooLong
            values = [value for _, value in self.choices(place)]
            values += [value for _, _, value in self.exchanges(place)]
            known = self._values[place] = max(values) if place.turn == 0 else min(values)
        return known

    def _after(self, place: Place) -> float:
        """Once the turn is over: the next, or the end of the round."""
        other = 1 - place.turn
        if other != self._first:
            return self.value(place._replace(turn=other))
        stuck = not place.laid and not place.could_lay
        idle = 0 if place.laid else place.idle + place.could_lay
        rethrows = place.rethrows + 1 if stuck else 0
        if idle == IDLE_LIMIT or rethrows == RETHROWS_SEEN or not all(place.hands):
            return 0.0 if self._worth is None else self._worth(place.margin)
        fresh = place._replace(turn=self._first, laid=False, could_lay=False, idle=idle, rethrows=rethrows)
        if stuck:
            thrown = self._thrown(fresh)
            return sum(thrown.values()) / len(thrown)
        return max(min(row) for row in self.rolls(fresh))

    def _thrown(self, place: Place) -> dict[tuple[int, ...], float]:
        """What a round is worth for every way in which all dice can fall, by the sides on top."""
        numbers = [[number for number, _ in hand] for hand in place.hands]
        values = {}
        for tops in product(range(6), repeat=len(numbers[0]) + len(numbers[1])):
            top = iter(tops)
            one, two = (tuple((n, self._sides[n - 1][next(top)]) for n in hand) for hand in numbers)
            values[tops] = self.value(place._replace(hands=(one, two)))
        return values

    def rolls(self, place: Place) -> list[list[float]]:
        """What every two throws are worth to seat 0: a row for each choice of seat 0, a column for seat 1."""
        values = self._thrown(place)
        shown = [self._sides[number - 1].index(face) for hand in place.hands for number, face in hand]
        own, other = map(len, place.hands)
        means = [_mean_over(values, shown, thrown) for thrown in range(1 << (own + other))]
        return [[means[mine | theirs << own] for theirs in range(1 << other)] for mine in range(1 << own)]


def win_and_margin(margin: int) -> float:
    """To win counts most, a shared win half; points decide between equals."""
    return (margin > 0) + 0.5 * (margin == 0) + MARGIN * margin


def _mean_over(values: dict[tuple[int, ...], float], shown: list[int], thrown: int) -> float:
    tops = [range(6) if thrown >> at & 1 else (top,) for at, top in enumerate(shown)]
    outcomes = [values[outcome] for outcome in product(*tops)]
    return sum(outcomes) / len(outcomes)


def _with(hands: tuple[Hand, Hand], seat: int, hand: Hand) -> tuple[Hand, Hand]:
    hand = tuple(sorted(hand))
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _takings(hand: Hand, needed: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every choice of dice that show these faces, in this order."""
    if not needed:
        yield []
        return
    for die in hand:
        if die[1] == needed[0]:
            rest = tuple(other for other in hand if other != die)
            for more in _takings(rest, needed[1:]):
                yield [die, *more]
