"""Bots for Scramble, of five levels. Dice are found as cards are.

So many dice lie there that nobody looks at all of them at once: a bot looks at some that lie together, and only
where it finds nothing there at more of them. Of the hundreds of SETs that a wild makes it sees one, an easy one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tercet.bots.finding import LEVELS, FindingBot
from tercet.difficulty import differing_features
from tercet.editions import Die
from tercet.scramble.play import Show, State, Throw
from tercet.scramble.sight import sets_without_wild
from tercet.sets import WILD, Face, explain, third

#: So many dice are looked at together.
PART = 12
#: How much longer it takes to find one SET in such a part than among as many cards: dice lie every way round.
EFFORT = 2.3
#: So many dice can lie there without a SET: any nine faces without one, each twice.
WITHOUT_SET = 18

Dice = tuple[Die, ...]


class ScrambleBot(FindingBot[State, Throw | Show, Die]):
    """A player of Scramble."""

    game = "scramble"

    def lying(self, view: State) -> Dice:
        return view.lying

    def groups(self, view: State) -> Sequence[Dice]:
        dice = view.lying
        size = PART
        while True:
            part = self._part(dice, size)
            found = [*sets_without_wild(part), *_sets_with_wild(part)]
            if found or size >= len(dice):
                return found
            size *= 2

    def near_groups(self, view: State) -> Sequence[Dice]:
        part = self._part(view.lying, PART)
        threes = combinations([die for die in part if die.face is not WILD], 3)
        return [three for three in threes if len(explain(*(die.face for die in three)).broken) == 1]

    def _part(self, dice: Dice, size: int) -> Dice:
        """So many dice that lie together."""
        first = self.random.randrange(max(1, len(dice) - size + 1))
        return dice[first : first + size]

    def symbol(self, thing: Die) -> Face:
        return thing.face

    def difficulty(self, view: State) -> float:
        return EFFORT * min(PART, max(3, len(view.lying))) / PART

    def may_agree(self, view: State) -> bool:
        return self.seat not in view.none and len(view.lying) <= WITHOUT_SET

    def deal(self, view: State) -> Throw | None:
        return Throw(self.seat) if view.thrower == self.seat else None

    def show(self, group: Dice) -> Show:
        return Show(self.seat, tuple(die.number for die in group))


def _sets_with_wild(dice: Dice) -> list[Dice]:
    """For each wild the SET that it makes with the two dice most alike, in which it stands for the third."""
    wilds = [die for die in dice if die.face is WILD]
    pairs = list(combinations([die for die in dice if die.face is not WILD], 2))
    if not wilds or len(dice) < 3:
        return []
    if not pairs:
        return [dice[:3]]
    a, b = min(pairs, key=lambda pair: differing_features(die.face for die in pair))
    return [(a, b, Die(wild.number, third(a.face, b.face), wild=True)) for wild in wilds]


class Beginner(ScrambleBot):
    name = "beginner"
    about = "is still learning: 4 SETs a minute, one call in eight is wrong"
    level = LEVELS[0]


class Casual(ScrambleBot):
    name = "casual"
    about = "plays now and then: 6 SETs a minute, one call in twelve is wrong"
    level = LEVELS[1]


class Regular(ScrambleBot):
    name = "regular"
    about = "plays every week: 11 SETs a minute, one call in twenty is wrong"
    level = LEVELS[2]


class Quick(ScrambleBot):
    name = "quick"
    about = "hard to beat: 19 SETs a minute, one call in thirty is wrong"
    level = LEVELS[3]


class Champion(ScrambleBot):
    name = "champion"
    about = "sees them almost at once: 29 SETs a minute, one call in a hundred is wrong"
    level = LEVELS[4]


#: The weakest first.
LADDER = (Beginner, Casual, Regular, Quick, Champion)
