"""The space of all SETs: lines, planes, caps and symmetry, for any number of features with three values.

Cards are the points of a space over the numbers 0, 1 and 2, with a dimension for each feature, and a SET is a line of it.
Points are cards, faces, symbols of your own, or their codes; codes need the number of features.

>>> from tercet import Card
>>> count_flats(4, 1), count_flats(4, 2)
(1080, 1170)
>>> print(*span(Card.read("1RFD 2RFD 1GFD")))
1RFD 1GFD 1PFD 2RFD 2GFD 2PFD 3RFD 3GFD 3PFD
>>> is_cap(Card.read("1RFD 2RFD 1GFD 2GFD")), is_cap(Card.read("1RFD 2GHD 3PED"))
(True, False)

A **cap** has no SET in it. The largest have 2, 4, 9 and 20 points for one to four features: `largest_cap` finds one and proves that
there is none larger.

>>> [len(largest_cap(features)) for features in (1, 2, 3)]
[2, 4, 9]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from operator import index
from typing import Any, TypeVar, cast

from tercet.sets import FEATURES_LIMIT, KindError, Symbol, TercetError, of_kind

P = TypeVar("P", bound=int)
Digits = tuple[int, ...]

#: The largest caps, by the number of features. Those up to four are proved here (`largest_cap`), five and six by others.
LARGEST = {1: 2, 2: 4, 3: 9, 4: 20, 5: 45, 6: 112}


class GeometryError(TercetError):
    """Points that do not go together, or a question that would take too long."""


def dimension(points: Collection[int], features: int | None = None) -> int:
    """The number of features of these points, which must all be of one kind; codes need to be told it."""
    given: object = points
    if isinstance(given, str):
        raise KindError(f"{given!r:.40} is a text: make cards of it, as in Card.read('1RFD 2GHD 3PED')")
    of_kind(points, Collection, "cards, faces or codes in a list")
    kinds: set[type[Any]] = {type(point) if isinstance(point, Symbol) else int for point in points}
    if len(kinds) > 1:
        raise KindError(f"points of different kinds: {', '.join(sorted(kind.__name__ for kind in kinds))}")
    [kind] = kinds or {int}
    if issubclass(kind, Symbol):
        if any(point >= 3 ** len(kind.features) for point in points):
            raise GeometryError("a wild is no point: it stands for any")
        if features not in (None, len(kind.features)):
            raise GeometryError(f"a {kind.noun} has {len(kind.features)} features, not {features!r:.20}")
        return len(kind.features)
    if features is None:
        raise KindError("codes alone do not say how many features there are: give features=4")
    _check_features(features)
    for point in points:
        _check_code(point, features)
    return features


def _check_features(features: int) -> None:
    of_kind(features, int, "a number of features")
    if not 1 <= features <= FEATURES_LIMIT:
        raise GeometryError(f"{features} features: from 1 to {FEATURES_LIMIT}")


def _check_size(size: int) -> None:
    of_kind(size, int, "the size of a flat: 0 for points, 1 for lines, 2 for planes")


def _check_code(point: int, features: int | None = None) -> int:
    """The code as a plain number, NumPy's numbers among those that may be given."""
    try:
        found = -1 if isinstance(point, bool) else index(point)
    except TypeError:
        raise KindError(f"give a card, a face, or the code of a point, not {point!r:.40}") from None
    if found < 0 or (features is not None and found >= 3**features):
        end = "on" if features is None else f"to {3**features - 1}"
        raise GeometryError(f"{point!r:.20} is no point: codes go from 0 {end}")
    return found


def digits(point: int, features: int) -> Digits:
    """The coordinates of a point, each 0, 1 or 2."""
    _check_features(features)
    found = _check_code(point, features)
    return tuple(found // 3**place % 3 for place in reversed(range(features)))


def code(coordinates: Iterable[int]) -> int:
    """The point with these coordinates."""
    total = 0
    for digit in coordinates:
        total = total * 3 + index(digit) % 3
    return total


def third_point(a: int, b: int) -> int:
    """The third of a line, by codes, for any number of features."""
    return _third_code(_check_code(a), _check_code(b))


def _third_code(a: int, b: int) -> int:
    total, weight = 0, 1
    while a or b:
        total += -(a + b) % 3 * weight
        a, b, weight = a // 3, b // 3, weight * 3
    return total


def _like(points: Sequence[P], codes: Iterable[int]) -> tuple[P, ...]:
    """These codes as points of the same kind."""
    kind: Any = type(points[0]) if points and isinstance(points[0], Symbol) else int
    return tuple(map(kind, codes))


# --- lines, planes and beyond ---


def count_flats(features: int, size: int) -> int:
    """How many points (0), lines (1), planes (2) or larger flats there are.

    >>> [count_flats(4, size) for size in range(5)]
    [81, 1080, 1170, 120, 1]
    """
    _check_features(features)
    _check_size(size)
    top = bottom = 1
    for step in range(size):
        top *= 3 ** (features - step) - 1
        bottom *= 3 ** (step + 1) - 1
    return 3 ** (features - size) * (top // bottom) if 0 <= size <= features else 0


def flats(features: int, size: int) -> Iterator[tuple[int, ...]]:
    """Every flat of this size once, as sorted codes: lines for 1, planes for 2."""
    _check_features(features)
    _check_size(size)
    return _each_flat(features, size) if size >= 0 else iter(())


def _each_flat(features: int, size: int) -> Iterator[tuple[int, ...]]:
    for basis in _subspaces(features, size):
        base = sorted(
            {code(_combine(basis, weights, features)) for weights in product(range(3), repeat=size)}
        )
        pivots = [next(place for place, digit in enumerate(row) if digit) for row in basis]
        free = [place for place in range(features) if place not in pivots]
        for values in product(range(3), repeat=len(free)):
            shift = [0] * features
            for place, value in zip(free, values, strict=True):
                shift[place] = value
            yield tuple(sorted(_add_codes(point, code(shift)) for point in base))


def lines(features: int) -> Iterator[tuple[int, ...]]:
    """Every SET there is, as codes."""
    return flats(features, 1)


def planes(features: int) -> Iterator[tuple[int, ...]]:
    """Every plane, nine points with twelve SETs: what some call a magic square."""
    return flats(features, 2)


def _subspaces(features: int, size: int) -> Iterator[list[Digits]]:
    """Every subspace by its one basis in which each row begins with a 1 that is alone in its column."""
    for pivots in combinations(range(features), size):
        spots = [
            (row, place)
            for row, pivot in enumerate(pivots)
            for place in range(pivot + 1, features)
            if place not in pivots
        ]
        for values in product(range(3), repeat=len(spots)):
            rows = [[int(place == pivot) for place in range(features)] for pivot in pivots]
            for (row, place), value in zip(spots, values, strict=True):
                rows[row][place] = value
            yield [tuple(row) for row in rows]


def _combine(basis: Sequence[Digits], weights: Sequence[int], features: int) -> list[int]:
    return [sum(w * row[place] for w, row in zip(weights, basis, strict=True)) for place in range(features)]


def _add_codes(a: int, b: int) -> int:
    total, weight = 0, 1
    while a or b:
        total += (a + b) % 3 * weight
        a, b, weight = a // 3, b // 3, weight * 3
    return total


def span(points: Collection[P], features: int | None = None) -> tuple[P, ...]:
    """The smallest flat with all these points: a point, a line, a plane, …"""
    dimension(points, features)
    given = list(points)
    found: set[int] = {int(point) for point in given[:1]}
    for point in given:
        if int(point) not in found:
            one = min(found)
            steps = (_add_codes(int(point), _third_code(one, 0)), _add_codes(one, _third_code(int(point), 0)))
            found |= {_add_codes(each, step) for each in found for step in steps}
    return _like(given, sorted(found))


def rank(points: Collection[int], features: int | None = None) -> int:
    """The dimension of what they span: 0 for a point, 1 for a line, 2 for a plane; -1 for nothing."""
    size, found = len(span(points, features)), -1
    while size:
        size, found = size // 3, found + 1
    return found


# --- caps ---


def is_cap(points: Collection[int], features: int | None = None) -> bool:
    """Whether there is no SET among these points, all of them different."""
    dimension(points, features)
    codes = {int(point) for point in points}
    return len(codes) == len(points) and not any(
        _third_code(a, b) in codes for a, b in combinations(sorted(codes), 2)
    )


def free_points(cap: Collection[P], features: int | None = None) -> tuple[P, ...]:
    """The points that can be added to a cap one at a time: those that complete no SET. None: the cap is complete."""
    count = dimension(cap, features)
    given = list(cap)
    if not is_cap(given, count):
        raise GeometryError("there is a SET among these points, so they are no cap")
    codes = {int(point) for point in given}
    hit = codes | {_third_code(a, b) for a, b in combinations(codes, 2)}
    return _like(given, (point for point in range(3**count) if point not in hit))


def is_complete(cap: Collection[int], features: int | None = None) -> bool:
    """Whether nothing can be added to this cap."""
    return not free_points(cap, features)


def grow_cap(
    cap: Collection[P], features: int | None = None, order: Iterable[int] | None = None
) -> tuple[P, ...]:
    """A complete cap around this one: points are added in this order, or by their codes, while they can be.

    >>> from tercet import Card
    >>> len(grow_cap(Card.read("1RFD")))
    16
    """
    count = dimension(cap, features)
    given = list(cap)
    free = {int(point) for point in free_points(given, count)}
    codes = [int(point) for point in given]
    for point in range(3**count) if order is None else map(index, order):
        if point in free:
            free -= {point, *(_third_code(point, other) for other in codes)}
            codes.append(point)
    return _like(given, codes)


def largest_cap(features: int) -> tuple[int, ...]:
    """A cap of the largest size there is, found by a search that leaves nothing out: up to four features.

    A cap is cut into the three layers of its first feature. They are caps of one feature less, and as symmetry may be used,
    the largest comes first, one of each kind is enough, and the second holds the point 0. The third layer can then only lie
    where no point of the one makes a SET with a point of the other. All sizes are tried, from what three layers could have at most.
    """
    of_kind(features, int, "a number of features")
    if not 1 <= features <= 4:
        raise GeometryError(f"{features} features: the search is for 1 to 4; LARGEST has what else is known")
    if features == 1:
        return (0, 1)
    best = len(largest_cap(features - 1))
    for size in range(3 * best, 0, -1):
        found = _cap_of_size(features, size, best)
        if found:
            return found
    raise AssertionError


def _cap_of_size(features: int, size: int, best: int) -> tuple[int, ...]:
    below = 3 ** (features - 1)
    everywhere = (1 << below) - 1
    for a in range(-(-size // 3), best + 1):
        for first in _kinds(features - 1, a):
            moves = [_move(_third_code(point, 0), features - 1) for point in _points(first)]
            for b in range(-(-(size - a) // 2), min(a, size - a) + 1):
                c = size - a - b
                for second, opposite in _opposites(features - 1, b):
                    free = everywhere
                    for move in moves:
                        free &= ~_moved(opposite, move)
                        if free.bit_count() < c:
                            break
                    else:
                        last = _cap_within(free, c)
                        if last is not None:
                            parts = enumerate((_points(first), _points(second), last))
                            return tuple(point + layer * below for layer, part in parts for point in part)
    return ()


@cache
def _kinds(features: int, size: int) -> list[int]:
    """One cap of this size for each kind that symmetries leave apart: each is a smaller one and a point more."""
    if size == 1:
        return [1]
    kinds: dict[tuple[int, ...], int] = {}
    for cap in _kinds(features, size - 1):
        points = _points(cap)
        for point in free_points(points, features):
            kinds.setdefault(canonical([*points, point], features), cap | 1 << point)
    return list(kinds.values())


@cache
def _opposites(features: int, size: int) -> list[tuple[int, int]]:
    """Every cap of this size with the point 0, and minus that cap."""
    return [
        (cap, sum([1 << _third_code(point, 0) for point in _points(cap)])) for cap in _caps(features)[size]
    ]


@cache
def _caps(features: int) -> dict[int, list[int]]:
    """Every cap by its size, as a mask of its points; only those with the point 0."""
    every = 3**features
    thirds = [[_third_code(a, b) for b in range(every)] for a in range(every)]
    found: dict[int, list[int]] = {size: [] for size in range(every + 1)}
    found[0].append(0)

    def grow(cap: int, chosen: list[int], free: int) -> None:
        found[len(chosen)].append(cap)
        while free:
            low = free & -free
            free ^= low
            point = low.bit_length() - 1
            hit = 0
            for other in chosen:
                hit |= 1 << thirds[point][other]
            grow(cap | low, [*chosen, point], free & ~hit)

    grow(1, [0], (1 << every) - 2)
    return found


@cache
def _column(weight: int, features: int) -> tuple[int, int, int]:
    """The masks of all points whose digit of this weight is 0, 1 and 2."""
    masks = [0, 0, 0]
    for point in range(3**features):
        masks[point // weight % 3] |= 1 << point
    return masks[0], masks[1], masks[2]


Move = list[tuple[int, int, tuple[int, int, int]]]


def _move(point: int, features: int) -> Move:
    """How a mask moves when this point is added to all of its points: for each digit its weight, how far, and its columns."""
    weights = [3**place for place in range(features)]
    return [(weight, by, _column(weight, features)) for weight in weights if (by := point // weight % 3)]


def _moved(mask: int, move: Move) -> int:
    for weight, by, (zero, one, two) in move:
        if by == 1:
            mask = (mask & (zero | one)) << weight | (mask & two) >> 2 * weight
        else:
            mask = (mask & (one | two)) >> weight | (mask & zero) << 2 * weight
    return mask


def _points(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def _cap_within(free: int, size: int) -> list[int] | None:
    """A cap of this size among these points, if there is one."""

    def look(chosen: list[int], free: int) -> list[int] | None:
        if len(chosen) == size:
            return chosen
        while free.bit_count() >= size - len(chosen):
            low = free & -free
            free ^= low
            point = low.bit_length() - 1
            hit = 0
            for other in chosen:
                hit |= 1 << _third_code(point, other)
            found = look([*chosen, point], free & ~hit)
            if found is not None:
                return found
        return None

    return look([], free)


# --- symmetry ---


def count_symmetries(features: int) -> int:
    """How many ways there are to exchange all points that keep every SET a SET.

    >>> count_symmetries(4)
    1965150720
    """
    _check_features(features)
    every: int = 3**features
    total = every
    for step in range(features):
        total *= every - cast("int", 3**step)
    return total


#: A set of points with more frames than this is too large to be looked at from each.
FRAMES_LIMIT = 2_000_000


def canonical(points: Collection[int], features: int | None = None) -> tuple[int, ...]:
    """The same for two sets of points, and only then, if a symmetry brings one onto the other.

    >>> from tercet import Card
    >>> canonical(Card.read("1RFD 2GHD 3PED")) == canonical(Card.read("1RFD 1RFO 1RFS"))
    True
    """
    return _frames(points, features)[0]


def orbit_size(points: Collection[int], features: int | None = None) -> int:
    """How many sets of points the symmetries make of this one.

    >>> from tercet import Card
    >>> orbit_size(Card.read("1RFD 2GHD 3PED"))
    1080
    """
    count = dimension(points, features)
    if not len(points):
        return 1
    _, stabiliser, inside = _frames(points, count)
    return count_flats(count, inside) * count_symmetries(inside) // stabiliser if inside else 3**count


def _frames(points: Collection[int], features: int | None) -> tuple[tuple[int, ...], int, int]:
    """The smallest picture of the set from any frame in it, how many frames give it, and the dimension of its span."""
    count = dimension(points, features)
    codes = sorted({int(point) for point in points})
    inside = rank(codes, count) if codes else -1
    if inside < 1:
        return tuple(range(len(codes))), 1, max(inside, 0)
    ways = 1
    for step in range(inside + 1):
        ways *= len(codes) - step
    if ways > FRAMES_LIMIT:
        raise GeometryError(
            f"{len(codes)} points of {count} features are too many to be compared in all ways"
        )
    best: tuple[int, ...] | None = None
    same = 0
    for frame in permutations(codes, inside + 1):
        picture = _seen_from(frame, codes)
        if picture is None:
            continue
        if best is None or picture < best:
            best, same = picture, 1
        elif picture == best:
            same += 1
    assert best is not None
    return best, same, inside


def _seen_from(frame: Sequence[int], codes: Sequence[int]) -> tuple[int, ...] | None:
    """The points by their coordinates in this frame, as sorted codes; None if the frame is flat."""
    origin, *others = frame
    back = _third_code(origin, 0)
    table = {0: 0}
    for place, point in enumerate(others):
        step = _add_codes(point, back)
        if step in table:
            return None
        twice = _third_code(step, 0)
        weight = 3**place
        table |= {_add_codes(at, step): seen + weight for at, seen in table.items()} | {
            _add_codes(at, twice): seen + 2 * weight for at, seen in table.items()
        }
    return tuple(sorted(table[_add_codes(point, back)] for point in codes))
