"""The shapes for the site: ``python -m tercet.drawing.typescript`` prints ``web/src/drawing/shapes.ts``."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tercet.drawing.shapes import CARD, DIE, HATCHING, HEIGHT, OUTLINES, STAR, WIDTH, WILD_MARK


def typescript() -> str:
    """The file."""

    def table(paths: Mapping[str, str]) -> str:
        return "{\n" + "".join(f"  {name}: '{path}',\n" for name, path in paths.items()) + "}"

    def numbers(values: Mapping[str, float]) -> str:
        inside = ", ".join(f"{name}: {json.dumps(value)}" for name, value in values.items())
        return f"{{ {inside} }} as const"

    return f"""/** Written by `make protocol` from src/tercet/drawing/shapes.py. Change that. */

/** The three shapes, upright in a box, and their hatching as plain lines, crisp in any size. */
export const SHAPE_BOX = {{ width: {WIDTH}, height: {HEIGHT} }} as const

export const OUTLINES: Record<string, string> = {table(OUTLINES)}

export const HATCHING: Record<string, string> = {table(HATCHING)}

/** The box of a card, from one shape to the next, and from the edge to them; then the same for a die. */
export const CARD = {numbers(CARD)}
export const DIE = {numbers(DIE)}

/** The arms of a wild's star, and the sign that a lying wild has in its corner. */
export const STAR = {table(STAR)} as const
export const WILD_MARK = '{WILD_MARK}'
"""


if __name__ == "__main__":
    print(typescript(), end="")
