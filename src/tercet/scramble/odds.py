"""The odds of Scramble: how many SETs the thrown dice hold, and how many are left when nobody overlooks any.

Nobody plays the simulated rounds: the table takes a random SET as long as there is one. What independent dice hold on
average is known exactly: a SET more or less is a matter of three dice, and all threes of dice can be gone through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import Annotated, Any, NamedTuple

from tercet.confidence import Mean
from tercet.editions import Edition
from tercet.scramble.play import DICE
from tercet.sets import WILD, Face, third
from tercet.study.odds import Cell, Odds, Section, in_order

#: Rounds that are simulated in one go.
BATCH = 100
#: The number of SETs is shown by bands so wide.
BAND = 500
BANDS = 7
#: More wilds than these are shown together.
WILDS = 5

HOUSE = Edition.named("house")

#: Three different faces that are a SET.
LINES = tuple((a, b, third(a, b)) for a, b in combinations(Face.all(), 2) if third(a, b) > b)


def count_sets(counts: Sequence[int]) -> tuple[int, int]:
    """The SETs without and with a wild among dice, which are given by how many of them show each face.

    >>> counts = [0] * 28
    >>> counts[Face("1RO")], counts[Face("2RO")], counts[WILD] = 4, 1, 1
    >>> count_sets(counts)
    (4, 10)
    """
    plain = sum([counts[a] * counts[b] * counts[c] for a, b, c in LINES])
    plain += sum([comb(count, 3) for count in counts[:WILD]])
    dice = sum(counts)
    return plain, comb(dice, 3) - comb(dice - counts[WILD], 3)


class Exact(NamedTuple):
    """What is known of a throw: the mean number of SETs without and with a wild, and how likely are 0, 1, 2 … wilds."""

    plain: Fraction
    with_wild: Fraction
    wilds: tuple[Fraction, ...]


def exact(edition: Edition) -> Exact:
    """Every three dice of a throw are a SET so often, all added up."""
    dice = edition.dice[:DICE]
    plain = shown = 0
    # the faces of all dice from each one on
    later = [Counter[Face]() for _ in range(DICE + 1)]
    for number in range(DICE - 1, -1, -1):
        later[number] = later[number + 1] + Counter(dice[number])
    for first, second in combinations(range(DICE), 2):
        after = later[second + 1]
        faces = [[face for face in dice[number] if face is not WILD] for number in (first, second)]
        plain += sum(after[third(a, b)] for a in faces[0] for b in faces[1])
        shown += len(faces[0]) * len(faces[1]) * sum(after[face] for face in Face.all())
    whole = 6**3
    threes = comb(DICE, 3)
    wilds = [Fraction(1)]
    for faces_of_die in dice:
        chance = Fraction(faces_of_die.count(WILD), len(faces_of_die))
        wilds = [
            has * (1 - chance) + one_less * chance
            for has, one_less in zip([*wilds, Fraction(0)], [Fraction(0), *wilds], strict=True)
        ]
    return Exact(Fraction(plain, whole), threes - Fraction(shown, whole), tuple(wilds))


class Round(NamedTuple):
    """A simulated round: the SETs of the throw, its wilds, and the dice left over in the end."""

    plain: int
    with_wild: int
    wilds: int
    left: int


def play_round(edition: Edition, random: Random) -> Round:
    """Throw all dice and take a random SET as long as there is one."""
    counts = [0] * len(Face.all()) + [0]
    for faces in edition.dice[:DICE]:
        counts[faces[random.randrange(len(faces))]] += 1
    wilds = counts[WILD]
    first = plain, with_wild = count_sets(counts)
    while plain + with_wild:
        for face in _random_set(counts, plain, with_wild, random):
            counts[face] -= 1
        plain, with_wild = count_sets(counts)
    return Round(*first, wilds, sum(counts))


def _random_set(counts: Sequence[int], plain: int, with_wild: int, random: Random) -> Sequence[Face]:
    """One of the SETs, each as likely as any other."""
    place = random.randrange(plain + with_wild)
    if place >= plain:
        return _random_set_with_wild(counts, place - plain, random)
    for line in LINES:
        a, b, c = line
        place -= counts[a] * counts[b] * counts[c]
        if place < 0:
            return line
    for face in Face.all():
        place -= comb(counts[face], 3)
        if place < 0:
            break
    return face, face, face


def _random_set_with_wild(counts: Sequence[int], place: int, random: Random) -> Sequence[Face]:
    others = [face for face in Face.all() for _ in range(counts[face])]
    for wilds in (1, 2, 3):
        place -= comb(counts[WILD], wilds) * comb(len(others), 3 - wilds)
        if place < 0:
            break
    return [WILD] * wilds + random.sample(others, 3 - wilds)


class ScrambleOdds(Odds):
    """What is counted in simulated rounds with the dice of an edition."""

    usual_games = 10_000

    def __init__(
        self, *, edition: Annotated[Edition, "Board and dice: a name, or a TOML file."] = HOUSE
    ) -> None:
        self.edition = edition
        self.rounds = 0
        self.bands, self.wilds, self.left = Counter[int](), Counter[int](), Counter[int]()
        self.sets, self.plain, self.taken = Mean(), Mean(), Mean()

    @property
    def about(self) -> str:
        return "one round each, taking a random SET"

    @property
    def settings(self) -> dict[str, Any]:
        return {"edition": self.edition.name}

    def simulate(self, games: int, seed: int, workers: int) -> Iterator[int]:
        def batch(first: int, number: int) -> list[Round]:
            chances = (Random(f"scramble {seed} {game}") for game in range(first, first + number))
            return [play_round(self.edition, chance) for chance in chances]

        for rounds in in_order(batch, games, BATCH, workers):
            for played in rounds:
                self._add(played)
            yield self.rounds

    def _add(self, played: Round) -> None:
        sets = played.plain + played.with_wild
        self.rounds += 1
        self.bands[min(sets // BAND, BANDS)] += 1
        self.wilds[min(played.wilds, WILDS)] += 1
        self.left[played.left] += 1
        self.sets.add(sets)
        self.plain.add(played.plain)
        self.taken.add((DICE - played.left) // 3)

    def sections(self) -> list[Section]:
        known = exact(self.edition)
        wilds = [*known.wilds[:WILDS], sum(known.wilds[WILDS:])]
        return [
            Section(
                f"SETs among {DICE} thrown dice",
                [
                    _mean("mean", self.sets, known.plain + known.with_wild),
                    _mean("mean, without a wild", self.plain, known.plain),
                    *(self._share(_band(band), self.bands[band]) for band in range(BANDS + 1)),
                ],
            ),
            Section(
                "Wilds among them",
                [
                    self._share(
                        f"{number}{' or more' * (number == WILDS)}", self.wilds[number], wilds[number]
                    )
                    for number in range(WILDS + 1)
                ],
            ),
            Section("SETs taken in a round", [_mean("mean", self.taken)]),
            Section("Dice left over", [self._share(str(left), self.left[left]) for left in range(0, 19, 3)]),
        ]

    def _share(self, what: str, count: int, known: Fraction | int | None = None) -> Cell:
        share = count / self.rounds
        likely = share if known is None else float(known)
        error = sqrt(likely * (1 - likely) / self.rounds)
        return Cell(what, share, error, None if known is None else likely, exact=known is not None)


def _mean(what: str, mean: Mean, known: Fraction | None = None) -> Cell:
    value = None if known is None else float(known)
    return Cell(what, mean.mean, mean.standard_error, value, exact=known is not None)


def _band(band: int) -> str:
    least = band * BAND
    return f"{least} or more" if band == BANDS else f"{least} to {least + BAND - 1}"


odds = ScrambleOdds
