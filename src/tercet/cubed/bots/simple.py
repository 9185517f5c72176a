"""The frame of a bot for the dice game, and the two simplest."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from math import exp

from tercet.bots import DEFAULT_TIME_LIMIT, GENTLE_MS, Bot
from tercet.cubed.placements import Placement
from tercet.cubed.play import (
    Begin,
    Call,
    Choose,
    CubedCommand,
    Lay,
    Pass,
    Replace,
    SeeNone,
    Show,
    State,
)
from tercet.cubed.sight import WILD, Put, Sight, Turn, left_in_hand
from tercet.editions.dice import Die
from tercet.sets import Face, find_sets, has_set, is_set, third

#: Median seconds to see the opening SET, to be sure that there is none, and to put it on the logo.
SEES_SET, SEES_NONE, SHOWS = 4.0, 7.0, 1.5


class DiceBot(Bot[State, CubedCommand]):
    """Begins, races for the opening SET, and leaves to its kind how to open, to lay, to replace and to throw."""

    game = "cubed"

    def delay(self, view: State) -> int:
        if view.phase == "start":
            return 1000 + 100 * self.seat
        if view.phase != "opening":
            return 0
        if view.call is not None:
            return (
                self._about(min(SHOWS, view.options.show_seconds / 2)) if view.call.seat == self.seat else 0
            )
        sets = find_sets(die.face for die in view.hands[self.seat])
        delay = min(self._about(SEES_SET) for _ in sets) if sets else self._about(SEES_NONE)
        nobody_yet = not (view.none or view.barred)
        return max(delay, GENTLE_MS) if self.gentle and nobody_yet else delay

    def _about(self, seconds: float) -> int:
        return round(1000 * seconds * exp(self.random.gauss(0, 0.4)))

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> CubedCommand | None:
        match view.phase:
            case "start":
                return Begin(self.seat)
            case "opening":
                return self._in_the_race(view, time_limit)
            case "turn" if view.turn == self.seat:
                return self.play_turn(view, time_limit)
            case "extra_roll" if self.seat not in view.answered:
                return Choose(self.seat, tuple(sorted(self.extra_roll(view, time_limit))))
            case _:
                return None

    def _in_the_race(self, view: State, time_limit: float) -> CubedCommand | None:
        if view.call is not None:
            return Show(self.seat, self.open(view, time_limit)) if view.call.seat == self.seat else None
        if self.seat in view.barred or self.seat in view.none:
            return None
        if has_set(die.face for die in view.hands[self.seat]):
            return Call(self.seat)
        return SeeNone(self.seat)

    @abstractmethod
    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        """Which SET to lay on the logo, and how."""

    @abstractmethod
    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        """What to do on its own turn; after replacing a wild it is asked again."""

    @abstractmethod
    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        """The numbers of the dice to throw once more."""

    def faces(self, view: State) -> list[int]:
        """Its own hand."""
        return [int(die.face) for die in view.hands[self.seat]]

    def lay(self, view: State, sight: Sight, puts: Sequence[Put]) -> Lay:
        """Lay these; of dice that show the same, the one with the least chance of a wild goes first."""
        hand = sorted(view.hands[self.seat], key=lambda die: has_wild_face(view, die))
        placements = []
        for placement in sight.placements(puts):
            shown = WILD if placement.wild else int(placement.face)
            die = next(die for die in hand if die.face == shown)
            hand.remove(die)
            placements.append(Placement(placement.square, placement.face, placement.wild, die.number))
        return Lay(self.seat, tuple(placements))


def has_wild_face(view: State, die: Die) -> bool:
    return WILD in view.options.edition.dice[die.number - 1]


def opening_threes(view: State, seat: int) -> list[tuple[Die, ...]]:
    """Three dice in hand that are a SET, in every way."""
    return [three for three in combinations(view.hands[seat], 3) if is_set(*(die.face for die in three))]


def openings(
    view: State, seat: int, threes: Iterable[Sequence[Die]] | None = None
) -> Iterator[tuple[Placement, ...]]:
    """Every way to lay an opening SET on the logo; of these three dice, if some are given."""
    logo = view.options.edition.layout.logo
    for three in opening_threes(view, seat) if threes is None else threes:
        for faces in _named(three):
            for order in permutations(range(3)):
                yield tuple(
                    Placement(square, faces[at], three[at].face.is_wild, three[at].number)
                    for square, at in zip(logo, order, strict=True)
                )


def _named(three: Sequence[Die]) -> Iterator[tuple[Face, ...]]:
    """The faces with which these three dice are a SET, wilds named."""
    plain = [die.face for die in three if not die.face.is_wild]
    firsts = [plain] if len(plain) > 1 else [[*plain, face] for face in Face.all()]
    if not plain:
        firsts = [[one, other] for one in Face.all() for other in Face.all()]
    for first in firsts:
        last = third(first[0], first[1])
        if len(plain) == 3:
            if plain[2] is last:
                yield tuple(plain)
            continue
        names = [*first, last][len(plain) :]
        yield tuple(names.pop() if die.face.is_wild else die.face for die in three)


def replacements(view: State, seat: int, sight: Sight) -> list[tuple[Die, int]]:
    """Own dice that may take the place of a wild, each with the cell on which that lies (C21)."""
    return [(die, cell) for cell, face in sight.wilds() for die in view.hands[seat] if die.face == face]


def _wilds(three: Sequence[Die]) -> int:
    return sum([die.face.is_wild for die in three])


class Random(DiceBot):
    name = "random"
    about = "lays whatever is legal"

    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        return self.random.choice(list(openings(view, self.seat)))

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        sight = Sight.of(view)
        possible = replacements(view, self.seat, sight)
        if possible and self.random.random() < 0.5:
            die, cell = self.random.choice(possible)
            return Replace(self.seat, die.number, sight.layout.square(cell))
        turns = sight.turns(self.faces(view))
        return self.lay(view, sight, self.random.choice(turns).puts) if turns else Pass(self.seat)

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        return [die.number for die in view.hands[self.seat] if self.random.random() < 0.5]


class Greedy(DiceBot):
    name = "greedy"
    about = "takes the most points now"

    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        threes = opening_threes(view, self.seat)
        fewest = min(map(_wilds, threes))
        plainest = [three for three in threes if _wilds(three) == fewest]
        return self.random.choice(list(openings(view, self.seat, plainest)))

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        sight, hand = Sight.of(view), self.faces(view)
        exchange = self.best_exchange(view, sight, hand)
        if exchange is not None:
            return exchange
        turns = sight.turns(hand)
        if not turns:
            return Pass(self.seat)
        equals = [turn for turn in turns if turn.score == turns[0].score]
        return self.lay(view, sight, self.random.choice(equals).puts)

    def best_exchange(self, view: State, sight: Sight, hand: Sequence[int]) -> Replace | None:
        """The replaced wild after which the best turn scores most on average, if that is more than without."""
        most, command = float(sight.best_score(hand)), None
        for die, cell in replacements(view, self.seat, sight):
            lying = view.board[cell]
            assert lying is not None
            after = sight.after([(cell, int(die.face), False)])
            left = left_in_hand(hand, [(cell, int(die.face), False)])
            sides = view.options.edition.dice[lying.number - 1]
            mean = sum(after.best_score([*left, int(side)]) for side in sides) / len(sides)
            if mean > most:
                most, command = mean, Replace(self.seat, die.number, sight.layout.square(cell))
        return command

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        """Keep the best turn in hand, and throw the rest."""
        best = Sight.of(view).best(self.faces(view))
        kept = self._numbers(view, best) if best is not None else set()
        return [die.number for die in view.hands[self.seat] if die.number not in kept]

    def _numbers(self, view: State, turn: Turn) -> set[int]:
        sight = Sight.of(view)
        return {p.die for p in self.lay(view, sight, turn.puts).placements if p.die is not None}
