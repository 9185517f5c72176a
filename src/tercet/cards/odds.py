"""The odds of the card game, simulated, beside what is known (`numbers`).

Nobody plays the simulated games: the table sees every SET, takes one by the policy, and opens three cards only when there
is none. The policy matters: tables on which a SET has just been taken are poorer in SETs than fresh ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Annotated, Any, Literal

from tercet.cards import numbers
from tercet.kernel.card_games import COUNTS, LAYOUT, LEFT, TABLES, TAKEN, play_card_games, sample_tables
from tercet.study.odds import Cell, Odds, Section, in_order

Policy = Literal["random", "first"]
POLICIES: dict[Policy, str] = {"random": "a random SET", "first": "the first SET by its places"}

#: Games or tables that are simulated in one go.
BATCH = 10_000
#: The sizes of tables of random cards.
SIZES = (9, 12, 15, 18)


class CardOdds(Odds):
    """What is counted in simulated games, and on tables of random cards by their size."""

    usual_games = 1_000_000

    def __init__(
        self,
        *,
        policy: Annotated[
            Policy, "Which SET the table takes: a random one, or the first by place."
        ] = "random",
    ) -> None:
        self.policy = policy
        self.number = 0
        self.games = array("q", bytes(8 * COUNTS))
        self.tables = {size: array("q", bytes(8 * 1081)) for size in SIZES}

    @property
    def about(self) -> str:
        return f"taking {POLICIES[self.policy]}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"policy": self.policy}

    def simulate(self, games: int, seed: int, workers: int) -> Iterator[int]:
        """Count so many games, and as many tables of each size. Every game has its own chance."""

        def batch(first: int, number: int) -> tuple[int, Any, Any]:
            played = play_card_games(seed, first, number, self.policy == "first")
            # another seed a size: these tables owe nothing to the games or to each other
            tables = {size: sample_tables(seed + (size << 40), first, number, size) for size in SIZES}
            return number, played, tables

        for number, played, tables in in_order(batch, games, BATCH, workers):
            self.number += number
            self.games = array("q", map(int.__add__, self.games, played))
            for size in SIZES:
                self.tables[size] = array("q", map(int.__add__, self.tables[size], tables[size]))
            yield self.number

    def sections(self) -> list[Section]:
        known = numbers.GAMES[self.policy]
        return [
            Section("No SET among random cards", [_no_set(self, size) for size in SIZES]),
            *(_number_of_sets(self, size) for size in (12, 15)),
            Section(f"In games, taking {POLICIES[self.policy]}", _games(self, known)),
            Section("Cards left over", [_left(self, left, known) for left in range(0, 21, 3) if left != 3]),
            Section("Means", _means(self, known)),
            *(_by_deck(self, size) for size in (12, 15)),
        ]

    def on_table(self, size: int, deck: int) -> Sequence[int]:
        """How often so many cards lay while so many were in the deck, by the number of SETs."""
        at = TABLES + (size // 3 * 24 + deck // 3) * 40
        return self.games[at : at + 40]

    def without_set(self, size: int, decks: Sequence[int]) -> tuple[int, int]:
        """Of such tables: how many there were, and how many held no SET."""
        counted = [self.on_table(size, deck) for deck in decks]
        return sum(map(sum, counted)), sum(count[0] for count in counted)


def _share(
    what: str, part: int, whole: int, known: float | None, known_number: int = 0, exact: bool = False
) -> Cell:
    """A part of a whole. Where the chance is known the standard error is the one that it would give."""
    chance = part / whole if whole else 0.0
    true = chance if known is None else known
    spread = sqrt(max(true * (1 - true), 0.0))
    error = spread / sqrt(whole) if whole else 0.0
    return Cell(what, chance, error, known, spread / sqrt(known_number) if known_number else 0.0, exact)


def _no_set(counts: CardOdds, size: int) -> Cell:
    return _share(f"{size} cards", counts.tables[size][0], counts.number, numbers.no_set(size), exact=True)


def _number_of_sets(counts: CardOdds, size: int) -> Section:
    known = numbers.SETS_IN_12 if size == 12 else numbers.SETS_IN_15
    table = counts.tables[size]
    shown = [n for n, chance in enumerate(known) if chance * counts.number >= 5]
    cells = [_share(_sets(n), table[n], counts.number, known[n], numbers.TABLES_SIMULATED) for n in shown]
    more = max(shown, default=-1) + 1
    cells.append(
        _share(
            f"{more} or more", sum(table[more:]), counts.number, sum(known[more:]), numbers.TABLES_SIMULATED
        )
    )
    return Section(f"SETs among {size} random cards", cells)


def _sets(number: int) -> str:
    return "1 SET" if number == 1 else f"{number} SETs"


def _games(counts: CardOdds, known: numbers.Known) -> list[Cell]:
    all_decks, with_deck = range(0, 72, 3), range(3, 72, 3)
    cells = []
    for size, decks in ((12, with_deck), (15, all_decks)):
        tables, free = counts.without_set(size, decks)
        what = f"no SET on {size} cards" + (", while there is a deck" if size == 12 else "")
        chance = 1 / (1 + known.odds[str(size)])
        cells.append(_share(what, free, tables, chance, round(tables / counts.number * known.games)))
    cells.append(
        _share(
            "never more than 12 cards", counts.games[LAYOUT + 12], counts.number, known.never_15, known.games
        )
    )
    return cells


def _means(counts: CardOdds, known: numbers.Known) -> list[Cell]:
    cells = []
    for size in (12, 15):
        mean, spread = _mean_and_spread(counts.tables[size])
        error = spread / sqrt(counts.number)
        cells.append(
            Cell(f"SETs among {size} random cards", mean, error, numbers.mean_sets(size), exact=True)
        )
    mean, spread = _mean_and_spread(counts.games[TAKEN : TAKEN + 28])
    errors = spread / sqrt(counts.number), spread / sqrt(known.games)
    return [*cells, Cell("SETs taken in a game", mean, errors[0], known.taken, errors[1])]


def _mean_and_spread(counted: Sequence[int]) -> tuple[float, float]:
    total = sum(counted)
    mean = sum(n * count for n, count in enumerate(counted)) / total
    return mean, sqrt(sum(n * n * count for n, count in enumerate(counted)) / total - mean**2)


def _left(counts: CardOdds, left: int, known: numbers.Known) -> Cell:
    return _share(
        f"{left} cards", counts.games[LEFT + left], counts.number, known.left.get(left), known.games
    )


def _by_deck(counts: CardOdds, size: int) -> Section:
    """The first deal is a table of random cards, whose odds are known exactly."""
    cells = []
    for deck in range(81 - size, -1, -3):
        tables, free = counts.without_set(size, [deck])
        if tables:
            known = numbers.no_set(12) if (size, deck) == (12, 69) else None
            cells.append(_share(f"deck of {deck}", free, tables, known, exact=known is not None))
    return Section(f"No SET on {size} cards, by the deck", cells)


odds = CardOdds
