"""What is asked: items drawn by labelled chance, harder and harder as the model of difficulty has it (Z2, Z6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import TypeVar

from tercet.difficulty import PER_DIFFERENCE, SECONDS, differing_features, difficulties, first_find, last_find
from tercet.fairness import Chance
from tercet.puzzles.play import Item, Options
from tercet.puzzles.positions import NUMBERS, position_of
from tercet.sets import Card, Face, Symbol, find_sets, is_set, third

#: A storm and a race ask these one after the other, again and again; dice every other time.
ROUND = ("third", "is_set", "find")
#: Each time around the items are harder: among how many a SET is to be found, and the how-manieth of the `DRAWN` items
#: of growing difficulty is asked.
FIND_AMONG = (6, 6, 9, 9, 12)
DRAWN = 5
#: What the third of a SET is chosen from.
CHOICES = 6
#: Where a SET is to be found among dice, there are so many at most: more would hold too many.
MOST_DICE = 9
#: So many boards are laid on in a row.
BOARDS = 8
#: A daily puzzle holds so many SETs among so many cards.
DAILY_SETS, DAILY_CARDS = 6, 12
#: The level of each day of the week, Monday first.
LEVELS = (1, 1, 2, 2, 3, 3, 4)
#: What parts tables with six SETs into four equal parts by difficulty, in milliseconds (`tests/puzzles/test_days.py` measures it).
QUARTILES = (15_300, 17_350, 19_200)
#: An answer alone, after one has understood: to nothing it takes less.
UNDERSTANDS = 0.4

S = TypeVar("S", bound=Symbol)


def count_items(options: Options) -> int | None:
    """How many items there are; None for as many as one can solve."""
    match options.kind:
        case "storm" | "race":
            return None
        case "boards":
            return BOARDS
        case "daily_set" | "daily_cubed":
            return 1


def level_of(day: str) -> int:
    """How hard the puzzle of this day is, from 1 to 4.

    >>> level_of("2026-11-16"), level_of("2026-11-22")
    (1, 4)
    """
    return LEVELS[date.fromisoformat(day).weekday()]


def draw_item(options: Options, number: int, chance: Chance) -> Item:
    """The item of this number; it follows from the chance alone, whoever comes to it and when."""
    label = f"item {number}"
    match options.kind:
        case "storm" | "race":
            return _draw_quick(number, chance, label)
        case "boards" | "daily_cubed":
            position = position_of(chance.below(NUMBERS, f"{label} position"))
            return Item(asked="best_turn", of="dice", position=position)
        case "daily_set":
            assert options.day is not None
            return _draw_daily(level_of(options.day), chance, label)


def is_right(item: Item, picks: Sequence[int]) -> bool:
    """Whether these are an answer to a question with only one, or three that are a SET."""
    match item.asked:
        case "third":
            first, other = _symbols(item.of, item.shown)
            return item.choices[picks[0]] == str(third(first, other))
        case "is_set":
            return is_set(*_symbols(item.of, item.shown)) == bool(picks[0])
        case _:
            shown = _symbols(item.of, item.shown)
            return is_set(*(shown[place] for place in picks))


def solutions(item: Item) -> list[tuple[int, ...]]:
    """All right picks of an item of cards or dice."""
    match item.asked:
        case "third":
            return [(place,) for place in range(len(item.choices)) if is_right(item, (place,))]
        case "is_set":
            return [(place,) for place in (0, 1) if is_right(item, (place,))]
        case "find" | "find_all":
            return [three for three in combinations(range(len(item.shown)), 3) if is_right(item, three)]
        case "best_turn":
            return []


def _symbols(of: str, texts: Sequence[str]) -> list[Symbol]:
    return [Card(text) if of == "cards" else Face(text) for text in texts]


# --- a storm ---


def _draw_quick(number: int, chance: Chance, label: str) -> Item:
    """Of some drawn items the one that is as hard as it is time for."""
    lap, place = divmod(number - 1, 2 * len(ROUND))
    asked = ROUND[place % len(ROUND)]
    of = Card if place < len(ROUND) else Face
    among = FIND_AMONG[min(lap, len(FIND_AMONG) - 1)]
    drawn = []
    for one in range(DRAWN):
        under = f"{label} try {one + 1}"
        match asked:
            case "third":
                drawn.append(_draw_third(of, chance, under))
            case "is_set":
                drawn.append(_draw_question(of, chance, under))
            case _:
                drawn.append(_draw_find(of, min(among, MOST_DICE) if of is Face else among, chance, under))
    drawn.sort(key=lambda item: item.difficulty)
    return drawn[min(lap, DRAWN - 1)]


def _draw_third(of: type[Symbol], chance: Chance, label: str) -> Item:
    first, other = _pick(of.all(), 2, chance, label)
    missing = third(first, other)
    alike = [symbol for symbol in _by_likeness(missing) if symbol not in (first, other, missing)]
    choices = [missing, *_pick(alike[: 2 * CHOICES], CHOICES - 1, chance, f"{label} wrong")]
    return _item(
        "third",
        (first, other),
        UNDERSTANDS * _seconds((first, other, missing)),
        _pick(choices, CHOICES, chance, f"{label} order"),
    )


def _draw_question(of: type[Symbol], chance: Chance, label: str) -> Item:
    """Three of which every second time one is changed in a single feature."""
    first, other = _pick(of.all(), 2, chance, label)
    last = third(first, other)
    if chance.below(2, f"{label} spoilt"):
        near = [symbol for symbol in _changed_once(last) if symbol not in (first, other)]
        last = near[chance.below(len(near), f"{label} near")]
    three = (first, other, last)
    return _item("is_set", three, UNDERSTANDS * _seconds(three))


def _draw_find(of: type[Symbol], among: int, chance: Chance, label: str) -> Item:
    """So many with a SET among them."""
    pack, attempt = of.all(), 0
    while True:
        attempt += 1
        shown = _pick(pack, among, chance, f"{label}.{attempt}")
        if groups := find_sets(shown):
            part = among / DAILY_CARDS
            return _item("find", shown, first_find(difficulties(shown, groups, part).values()))


# --- a day ---


def _draw_daily(level: int, chance: Chance, label: str) -> Item:
    """Twelve cards with six SETs, as hard as the level asks."""
    low, high = (0, *QUARTILES)[level - 1], (*QUARTILES, 10**9)[level - 1]
    pack, attempt = Card.all(), 0
    while True:
        attempt += 1
        item = find_all(_pick(pack, DAILY_CARDS, chance, f"{label} try {attempt}"))
        if item is not None and low <= item.difficulty < high:
            return item


def find_all(shown: Sequence[Card]) -> Item | None:
    """These cards as a daily puzzle; None unless they hold as many SETs as one has."""
    groups = find_sets(shown)
    if len(groups) != DAILY_SETS:
        return None
    return _item("find_all", shown, last_find(difficulties(shown, groups).values()))


# --- what all have ---


@lru_cache(maxsize=1000, typed=True)
def _by_likeness(symbol: Symbol) -> Sequence[Symbol]:
    """All of its kind, those first that have most in common with it."""
    return sorted(type(symbol).all(), key=lambda other: _differences(symbol, other))


@lru_cache(maxsize=1000, typed=True)
def _changed_once(symbol: Symbol) -> Sequence[Symbol]:
    """Those that are other in a single feature."""
    return [other for other in type(symbol).all() if _differences(symbol, other) == 1]


def _differences(one: Symbol, other: Symbol) -> int:
    return sum(a != b for a, b in zip(one.digits, other.digits, strict=True))


def _pick(pack: Sequence[S], count: int, chance: Chance, label: str) -> list[S]:
    """So many of them, in an order of chance."""
    left, below = list(pack), chance.below
    return [left.pop(below(len(left), f"{label} {place + 1}")) for place in range(count)]


def _seconds(three: Sequence[Symbol]) -> float:
    """How long one looks at three, by the features in which they are not all alike."""
    return SECONDS * exp(PER_DIFFERENCE * (differing_features(three) - 1))


def _item(asked: str, shown: Sequence[Symbol], seconds: float, choices: Sequence[Symbol] = ()) -> Item:
    make: Callable[..., Item] = Item
    return make(
        asked=asked,
        of="cards" if isinstance(shown[0], Card) else "dice",
        shown=tuple(map(str, shown)),
        choices=tuple(map(str, choices)),
        difficulty=round(1000 * seconds),
    )
