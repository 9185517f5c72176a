"""Variants of the card game (V1 to V6): one small class each, which overrides what is different there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import ClassVar

from msgspec import Struct

from tercet import kernel
from tercet.cards.play import Options, Value
from tercet.sets import Card, Explanation, Feature, explain, find_sets, has_set, is_set, third

Cards = tuple[Card, ...]


class Variant:
    """The game as the leaflet has it.

    ``size``: how many cards are a group. ``group``: what it is called. ``open_cards``: how many lie on the table. ``effort``: how much longer a player
    looks for one group than for a SET of the same kind. ``is_chained``: a group has one card of the one taken last.
    ``changes_places``: after every group the cards on the table change places.
    """

    name: ClassVar[str] = "classic"
    size: ClassVar[int] = 3
    group: ClassVar[str] = "SET"
    open_cards: ClassVar[int] = 12
    effort: ClassVar[float] = 1.0
    is_chained: ClassVar[bool] = False
    changes_places: ClassVar[bool] = False

    #: The cards of a round.
    pack: Cards = Card.all()

    def always(self, last: Cards) -> int:
        """So many cards on the table that nobody may agree any more that there is no group (K6)."""
        return 21

    def is_group(self, cards: Cards) -> bool:
        return is_set(*cards)

    def groups(self, table: Cards, last: Cards) -> Sequence[Cards]:
        """Every group on the table, each once; ``last`` is the one taken last, where that matters."""
        return find_sets(table)

    def choices(self, table: Cards, last: Cards) -> Iterator[Cards]:
        """All cards that may be shown together, a group or not, in the order in which they lie."""
        return combinations(table, self.size)

    def has_group(self, table: Cards, last: Cards) -> bool:
        """Whether there is any, by the kernel where that is faster."""
        return kernel.has_set(bytes(table)) if kernel.COMPILED else has_set(table)

    def explain(self, cards: Cards) -> Explanation | PairsCheck | CountsCheck:
        """Why these are a group, or why not."""
        return explain(*cards)


class Simplified(Variant):
    """Only the cards of one value: that feature no longer matters (K9)."""

    def __init__(self, only: Value) -> None:
        self.pack = tuple(card for card in Card.all() if only in card.values.values())


class Junior(Simplified):
    """The simplified game with full cards (V6)."""

    name = "junior"

    def __init__(self) -> None:
        super().__init__("full")


class Shuffle(Variant):
    """After every SET the cards on the table change places (V5)."""

    name = "shuffle"
    changes_places = True


class Chain(Variant):
    """After the first, a SET has one card of the SET taken last and two from the table (V2)."""

    name = "chain"
    is_chained = True

    def always(self, last: Cards) -> int:
        # The 78 other cards fall into 13 parts of twice three, and a card of one half makes a SET with each of
        # the other half: half of each part, 39 cards, can lie there without any.
        return 40 if last else 21

    def groups(self, table: Cards, last: Cards) -> Sequence[Cards]:
        if not last:
            return find_sets(table)
        return [(link, a, b) for a, b in combinations(table, 2) for link in last if is_set(link, a, b)]

    def choices(self, table: Cards, last: Cards) -> Iterator[Cards]:
        if not last:
            return super().choices(table, last)
        return ((link, *pair) for link in last for pair in combinations(table, 2))

    def has_group(self, table: Cards, last: Cards) -> bool:
        if not last:
            return super().has_group(table, last)
        if kernel.COMPILED:
            return kernel.has_chain(bytes(table), bytes(last))
        lying = set(table)
        return any(third(link, card) in lying for card in table for link in last)


class Ultra(Variant):
    """Four cards that are two pairs with the same third card (V3)."""

    name = "ultra"
    size = 4
    group = "Ultra-SET"
    effort = 4.0

    def is_group(self, cards: Cards) -> bool:
        return self.explain(cards).is_group

    def groups(self, table: Cards, last: Cards) -> Sequence[Cards]:
        pairs: dict[Card, list[Cards]] = {}
        for pair in combinations(table, 2):
            pairs.setdefault(third(*pair), []).append(pair)
        places = {card: place for place, card in enumerate(table)}
        found = [first + second for alike in pairs.values() for first, second in combinations(alike, 2)]
        in_order = (sorted(four, key=places.__getitem__) for four in found)
        return [tuple(four) for four in sorted(in_order, key=lambda four: [places[card] for card in four])]

    def has_group(self, table: Cards, last: Cards) -> bool:
        if kernel.COMPILED:
            return kernel.has_ultra(bytes(table))
        thirds = [third(a, b) for a, b in combinations(table, 2)]
        return len(set(thirds)) < len(thirds)

    def explain(self, cards: Cards) -> PairsCheck:
        a, b, c, d = cards
        splits = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        return min((PairsCheck.of(*split) for split in splits), key=lambda check: len(check.broken))


class Ghost(Variant):
    """Six cards that are three pairs whose third cards are a SET (V4).

    That is so for one way to make pairs if it is so for all, and just when in each feature the values
    of the six come out even: as often each, or as often each modulo three.
    """

    name = "ghost"
    size = 6
    group = "Ghost-SET"
    open_cards = 10
    effort = 4.0

    def is_group(self, cards: Cards) -> bool:
        return self.explain(cards).is_group

    def groups(self, table: Cards, last: Cards) -> Sequence[Cards]:
        if kernel.COMPILED:
            return [tuple(table[place] for place in places) for places in kernel.list_ghosts(bytes(table))]
        return [six for six in combinations(table, 6) if _sums_to_nothing(six)]

    def has_group(self, table: Cards, last: Cards) -> bool:
        if kernel.COMPILED:
            return kernel.has_ghost(bytes(table))
        return any(map(_sums_to_nothing, combinations(table, 6)))

    def explain(self, cards: Cards) -> CountsCheck:
        checks = []
        for place, feature in enumerate(Card.features):
            counts = Counter(card.digits[place] for card in cards)
            checks.append(FeatureCount(feature.name, tuple(counts[value] for value in range(3))))
        return CountsCheck(tuple(checks))


class PairsCheck(Struct, frozen=True):
    """Two pairs and the third card of each. ``broken`` are the features in which those are not the same.

    >>> print(Ultra().explain(tuple(map(Card, ("1RFD", "2RFD", "1RFO", "2GFS")))))
    Not an Ultra-SET: 1RFD 2RFD want 3RFD, 1RFO 2GFS want 3PFD
    """

    pairs: tuple[Cards, Cards]
    thirds: Cards
    broken: tuple[str, ...]

    @classmethod
    def of(cls, first: Cards, second: Cards) -> PairsCheck:
        one, other = third(*first), third(*second)
        broken = (
            f.name
            for f, *two in zip(Card.features, one.digits, other.digits, strict=True)
            if two[0] != two[1]
        )
        return cls((first, second), (one, other), tuple(broken))

    @property
    def is_group(self) -> bool:
        return not self.broken

    def __str__(self) -> str:
        pairs = [" ".join(map(str, pair)) for pair in self.pairs]
        if self.is_group:
            return f"Ultra-SET: {pairs[0]} and {pairs[1]} want {self.thirds[0]}"
        return f"Not an Ultra-SET: {pairs[0]} want {self.thirds[0]}, {pairs[1]} want {self.thirds[1]}"


class FeatureCount(Struct, frozen=True):
    """How often each value of a feature is among six cards."""

    feature: str
    counts: tuple[int, ...]

    @property
    def is_even(self) -> bool:
        return len({count % 3 for count in self.counts}) == 1


class CountsCheck(Struct, frozen=True):
    """The values of six cards, feature by feature. ``broken`` are those that do not come out even.

    >>> print(Ghost().explain(tuple(map(Card, ("1RFD", "2RFD", "3RFD", "1GHO", "2GHO", "3RHO")))))
    Not a Ghost-SET: 4 red, 2 green
    """

    features: tuple[FeatureCount, ...]

    @property
    def is_group(self) -> bool:
        return all(check.is_even for check in self.features)

    @property
    def broken(self) -> tuple[str, ...]:
        return tuple(check.feature for check in self.features if not check.is_even)

    def __str__(self) -> str:
        if self.is_group:
            return "Ghost-SET: " + "; ".join(map(_count_values, Card.features, self.features))
        uneven = [
            (f, check) for f, check in zip(Card.features, self.features, strict=True) if not check.is_even
        ]
        return "Not a Ghost-SET: " + "; ".join(_count_values(f, check) for f, check in uneven)


def _count_values(feature: Feature, check: FeatureCount) -> str:
    """ "4 red, 2 green"; numbers are told apart from counts: "2 x 3"."""
    words = []
    for count, value in zip(check.counts, feature.values, strict=True):
        if count and feature.name == "number":
            words.append(f"{count} x {value}")
        elif count:
            words.append(f"{count} {value}{'s' * (feature.countable and count > 1)}")
    return ", ".join(words)


def _sums_to_nothing(six: Cards) -> bool:
    a, b, c, d, e, f = six
    return third(third(a, b), third(c, d)) is third(e, f)


#: The variants by their names, in the order in which they are offered.
VARIANTS: dict[str, Variant] = {
    variant.name: variant for variant in (Variant(), Chain(), Ultra(), Ghost(), Shuffle(), Junior())
}


@cache
def _simplified(only: Value) -> Variant:
    return Simplified(only)


def variant_of(options: Options) -> Variant:
    """The variant that a table plays."""
    return VARIANTS[options.variant] if options.only is None else _simplified(options.only)
