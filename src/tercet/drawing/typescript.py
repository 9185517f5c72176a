"""The shapes for the site: ``python -m tercet.drawing.typescript`` prints ``web/src/drawing/shapes.ts``."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tercet.drawing.shapes import CARD, DIE, HEIGHT, LEVELS, STAR, STARTS, WIDTH, WILD_MARK


def typescript() -> str:
    """The file."""

    def table(paths: Mapping[str, str]) -> str:
        return "{\n" + "".join(f"  {name}: '{path}',\n" for name, path in paths.items()) + "}"

    def numbers(values: Mapping[str, float]) -> str:
        inside = ", ".join(f"{name}: {json.dumps(value)}" for name, value in values.items())
        return f"{{ {inside} }} as const"

    def begun(name: str) -> str:
        (x, y), rest = STARTS[name]
        return f"  {name}: [{x:g}, ' {y:g}{rest}'],\n"

    def hatched(name: str) -> str:
        return f"  {name}: [{', '.join(f'[{y}, {start:g}, {end:g}]' for y, start, end in LEVELS[name])}],\n"

    return f"""/** Written by `make protocol` from src/tercet/drawing/shapes.py. Change that. */

/** The three shapes stand upright in a box. */
export const SHAPE_BOX = {{ width: {WIDTH}, height: {HEIGHT} }} as const

/** The outline of each: how far from the left it begins, and how it goes on. */
export const OUTLINES: Record<string, readonly [number, string]> = {{
{"".join(map(begun, STARTS))}}}

/** The hatching of each as level lines, crisp in any size: how high, and from where to where. */
export const HATCHING: Record<string, readonly (readonly [number, number, number])[]> = {{
{"".join(map(hatched, LEVELS))}}}

/** The box of a card, from one shape to the next, and from the edge to them; then the same for a die. */
export const CARD = {numbers(CARD)}
export const DIE = {numbers(DIE)}

/** The arms of a wild's star, and the sign that a lying wild has in its corner. */
export const STAR = {table(STAR)} as const
export const WILD_MARK = '{WILD_MARK}'
"""


if __name__ == "__main__":
    print(typescript(), end="")
