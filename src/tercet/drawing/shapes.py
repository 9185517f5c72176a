"""The shapes on cards and dice, once for everybody: Python draws with them, and ``web/src/drawing/shapes.ts`` is written from here.

`make protocol` writes that file, and a test fails when it is old.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]

#: A shape stands upright in a box of this width and height.
WIDTH, HEIGHT = 34, 72
#: From one line of the hatching to the next.
PERIOD = 6

#: What is printed on cards and dice, as in web/src/theme/tokens.css.
COLOURS = {"red": "#c22e22", "green": "#0d9a76", "purple": "#47217f"}
PAPER, INK = "#fdfcf7", "#3a3d33"

#: A card lies in a box of 150 by 100: its shapes are a step apart, so far below the edge.
CARD = {"width": 150, "height": 100, "step": 43, "top": 14}
#: A die lies in a box of 100 by 100, and its shapes are smaller, by this scale; the step is before that.
DIE = {"size": 100, "step": 40, "top": 24.8, "scale": 0.7}
#: The arms of a wild's star, each in its colour; and the sign that a lying wild has in its corner.
STAR = {"red": "M50 20v60", "green": "M24 35l52 30", "purple": "M24 65l52-30"}
WILD_MARK = "M85 9v14M79 12.5l12 7M79 19.5l12-7"

#: Half of the squiggle; the other half is the same turned by 180 degrees.
_HALF_SQUIGGLE: tuple[Curve, ...] = (
    ((8, 5), (14, -1), (33, 2), (33, 19)),
    ((33, 19), (33, 30), (24, 33), (24, 44)),
    ((24, 44), (24, 53), (32, 57), (26, 67)),
)


def _turned(curve: Curve) -> Curve:
    a, b, c, d = [(WIDTH - x, HEIGHT - y) for x, y in curve]
    return a, b, c, d


_SQUIGGLE = (*_HALF_SQUIGGLE, *map(_turned, _HALF_SQUIGGLE))


def _write(*numbers: float) -> str:
    return " ".join(f"{number:g}" for number in numbers)


def _step(curve: Curve) -> str:
    """A curve as seen from where it begins."""
    start, *others = curve
    return "c" + _write(*(number for x, y in others for number in (x - start[0], y - start[1])))


#: Where the outline of each shape begins, and how it goes on from there: so it can be drawn anywhere.
STARTS: dict[str, tuple[Point, str]] = {
    "diamond": ((17, 2), "l15 34-15 34-15-34Z"),
    "oval": ((2, 17), "a15 15 0 0 1 30 0v38a15 15 0 0 1-30 0Z"),
    "squiggle": (_SQUIGGLE[0][0], "".join(map(_step, _SQUIGGLE)) + "Z"),
}
OUTLINES = {name: f"M{_write(*start)}{rest}" for name, (start, rest) in STARTS.items()}


def _point_on(curve: Curve, t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
    x, y = (
        sum(weight * point[axis] for weight, point in zip(weights, curve, strict=True)) for axis in (0, 1)
    )
    return x, y


def _cross_diamond(y: float) -> Point:
    half = 15 * (1 - abs(y - 36) / 34)
    return 17 - half, 17 + half


def _cross_oval(y: float) -> Point:
    beyond = 17 - y if y < 17 else y - 55 if y > 55 else 0
    half = math.sqrt(15**2 - beyond**2)
    return 17 - half, 17 + half


def _cross_squiggle(y: float) -> Point:
    points = [_point_on(curve, step / 24) for curve in _SQUIGGLE for step in range(24)]
    crossed = [
        x + (y - at) / (next_at - at) * (next_x - x)
        for (x, at), (next_x, next_at) in zip(points, [*points[1:], points[0]], strict=True)
        if (at <= y) != (next_at <= y)
    ]
    return min(crossed), max(crossed)


def _levels(cross: Callable[[float], Point]) -> tuple[tuple[int, float, float], ...]:
    """Level lines from edge to edge: how high, from where, to where."""
    found = [(y, *cross(y)) for y in range(PERIOD, 12 * PERIOD, PERIOD)]
    return tuple(
        (y, math.floor(start * 10 + 0.5) / 10, math.floor(end * 10 + 0.5) / 10)
        for y, start, end in found
        if end - start > 1
    )


LEVELS = {
    "diamond": _levels(_cross_diamond),
    "oval": _levels(_cross_oval),
    "squiggle": _levels(_cross_squiggle),
}
HATCHING = {
    name: "".join(f"M{start:g} {y}H{end:g}" for y, start, end in levels) for name, levels in LEVELS.items()
}
