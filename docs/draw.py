"""Draw the pictures of the documentation: python docs/draw.py writes docs/images/*.svg.

Cards and dice are given in the notation of the games. The three colours differ in lightness too, and
every picture is labelled with the notation, so that nothing hangs on telling red from green.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

IMAGES = Path(__file__).parent / "images"

COLOURS = {"R": "#d8372a", "G": "#3fae74", "P": "#4b2a8c"}
INK, PAPER, LABEL, LAID = "#5b5b66", "#ffffff", "#85858f", "#f2a900"
# Each shape fills a box of 52 by 22.
SHAPES = {
    "D": "M0 11 L26 0 L52 11 L26 22 Z",
    "O": "M11 0 H41 A11 11 0 0 1 41 22 H11 A11 11 0 0 1 11 0 Z",
    "S": "M1 14 C2 3 12 -2 23 2 C31 5 37 7 42 3 C46 -1 51 1 51 8 C50 19 40 24 29 20 C21 17 15 15 10 19 C6 23 1 21 1 14 Z",
}
NAMES = {
    "R": "red", "G": "green", "P": "purple", "F": "full", "H": "hatched", "E": "empty",
    "D": "diamond", "O": "oval", "S": "squiggle",
}  # fmt: skip


def words(text: str) -> str:
    """What a card or a face is called: words("2GHS") is "2 green hatched squiggle"."""
    return "wild" if text == "W" else " ".join(NAMES.get(letter, letter) for letter in text)


def shape(kind: str, colour: str, fill: str, x: float, y: float, scale: float) -> str:
    ink = COLOURS[colour]
    inside = {"F": ink, "H": f"url(#hatch{colour})", "E": "none"}[fill]
    return (
        f'<path d="{SHAPES[kind]}" transform="translate({x:g} {y:g}) scale({scale:g})" '
        f'fill="{inside}" stroke="{ink}" stroke-width="{2 / scale:.3g}" stroke-linejoin="round"/>'
    )


def stack(number: int, kind: str, colour: str, fill: str, middle: tuple[float, float], scale: float) -> str:
    """One to three shapes, one above the other, around a middle point."""
    x, y = middle[0] - 26 * scale, middle[1] - 11 * scale
    step = 29 * scale
    return "".join(
        shape(kind, colour, fill, x, y + (n - (number - 1) / 2) * step, scale) for n in range(number)
    )


def label(text: str, x: float, y: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="ui-monospace, monospace" '
        f'font-size="13" fill="{LABEL}">{text}</text>'
    )


def card(text: str, x: float, y: float) -> str:
    number, colour, fill, kind = tuple(text)
    return (
        f'<rect x="{x:g}" y="{y:g}" width="78" height="108" rx="9" fill="{PAPER}" stroke="{INK}" stroke-width="1.2"/>'
        + stack(int(number), kind, colour, fill, (x + 39, y + 54), 1)
        + label(text, x + 39, y + 125)
    )


def die(text: str, x: float, y: float, laid: bool = False, labelled: bool = True) -> str:
    """A die of 62 by 62, with a thick edge where it was laid this turn."""
    edge, width = (LAID, 4) if laid else (INK, 1.2)
    body = f'<rect x="{x:g}" y="{y:g}" width="62" height="62" rx="11" fill="{PAPER}" stroke="{edge}" stroke-width="{width}"/>'
    if text == "W":
        spokes = zip(COLOURS.values(), ((0, 20), (17.3, 10), (17.3, -10)), strict=True)
        body += "".join(
            f'<path d="M{x + 31 - dx:g} {y + 31 - dy:g} L{x + 31 + dx:g} {y + 31 + dy:g}" stroke="{ink}" '
            f'stroke-width="6" stroke-linecap="round"/>'
            for ink, (dx, dy) in spokes
        )
    else:
        number, colour, kind = tuple(text)
        body += stack(int(number), kind, colour, "F", (x + 31, y + 31), 0.63)
    return body + (label(text, x + 31, y + 78) if labelled else "")


def write(name: str, width: float, height: float, title: str, *parts: str) -> None:
    hatches = "".join(
        f'<pattern id="hatch{letter}" width="4" height="4" patternUnits="userSpaceOnUse">'
        f'<path d="M1 0V4" stroke="{ink}" stroke-width="1.5"/></pattern>'
        for letter, ink in COLOURS.items()
        if f"url(#hatch{letter})" in "".join(parts)
    )
    (IMAGES / f"{name}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img"><title>{title}</title>'
        + (f"<defs>{hatches}</defs>" if hatches else "")
        + "".join(f"\n{part}" for part in parts)
        + "\n</svg>\n",
        encoding="utf-8",
    )


def cards(name: str, *rows: str) -> None:
    """Rows of cards, side by side."""
    texts = [row.split() for row in rows]
    parts = [card(text, 4 + 90 * x, 4 + 138 * y) for y, row in enumerate(texts) for x, text in enumerate(row)]
    title = "; ".join(", ".join(map(words, row)) for row in texts)
    write(name, 90 * max(map(len, texts)) - 4, 138 * len(texts), title, *parts)


def dice(name: str, row: str) -> None:
    parts = [die(text, 4 + 74 * x, 4) for x, text in enumerate(row.split())]
    write(name, 74 * len(parts) - 4, 90, ", ".join(map(words, row.split())), *parts)


def board(name: str, title: str, rows: Sequence[str]) -> None:
    """Part of a board: `.` is an empty square, `[2GS]` a die laid this turn."""
    parts = []
    for y, row in enumerate(rows):
        for x, text in enumerate(row.split()):
            left, top = 4 + 84 * x, 4 + 84 * y
            parts.append(
                f'<rect x="{left}" y="{top}" width="84" height="84" fill="none" stroke="{LABEL}" stroke-width="0.6"/>'
            )
            if text != ".":
                laid = text.startswith("[")
                parts.append(die(text.strip("[]"), left + 11, top + 4, laid, labelled=False))
                parts.append(label(text.strip("[]"), left + 42, top + 80))
    write(name, 84 * len(rows[0].split()) + 8, 84 * len(rows) + 8, title, *parts)


def draw_all() -> None:
    IMAGES.mkdir(exist_ok=True)
    write(
        "tercet",
        532,
        142,
        "Three cards and three dice, each a SET",
        *(card(text, 4 + 90 * x, 4) for x, text in enumerate(("1RFD", "2GHO", "3PES"))),
        *(die(text, 308 + 76 * x, 27) for x, text in enumerate(("2RS", "2GS", "2PS"))),
    )
    cards("set-one-different", "1RFO 2RFO 3RFO")
    cards("set-two-different", "2RHD 2GHO 2PHS")
    cards("set-all-different", "1RFD 2GHO 3PES")
    cards("not-a-set", "1RFO 2RFO 3RFS")
    cards("table", "1RFD 2PES 3GHO 1GES", "2GHD 1PFO 2RFS 3PED", "3REO 1PHS 2GFO 3RHD")
    dice("dice-same", "2GS 2GS 2GS")
    dice("dice-set", "1RO 2GO 3PO")
    dice("dice-not-a-set", "1RO 2RO 2RO")
    dice("dice-hand", "2GS 1RO 3PD W 2GD")
    dice("dice-line", "1RO 2RO 3RO")
    board(
        "cubed-before",
        "The board before the turn of the worked example",
        ["3RD 1GS 2PO", "2PS . 2RS", ". 3GS 1GO", ". . .", "1GD 1RD 1PD"],
    )
    board(
        "cubed-turn",
        "The worked example: 2GS, 2GD and 3GD are laid for 12 points",
        ["3RD 1GS 2PO", "2PS [2GS] 2RS", "[2GD] 3GS 1GO", "[3GD] . .", "1GD 1RD 1PD"],
    )
    board(
        "cubed-line",
        "A lying line 1RO 2RO 3RO: 1RO at its end makes a SET with 2RO and 3RO",
        ["1RO 2RO 3RO [1RO]"],
    )
    board(
        "cubed-down",
        "1GO and 1PO are laid below the 1RO of a lying line",
        ["1RO 2RO 3RO", "[1GO] . .", "[1PO] . ."],
    )


if __name__ == "__main__":
    draw_all()
