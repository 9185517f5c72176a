"""Draw the pictures of the documentation: python docs/draw.py writes docs/images/*.svg.

Cards and dice are given in the notation of the games, and drawn as everywhere (`tercet.drawing`). Every picture is labelled with
the notation, so that nothing hangs on telling red from green.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tercet import Card, Face
from tercet.cubed import Layout, Square
from tercet.drawing import Picture, draw_board, draw_rows

IMAGES = Path(__file__).parent / "images"


def save(name: str, picture: Picture) -> None:
    (IMAGES / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")


def cards(name: str, *rows: str) -> None:
    """Rows of cards, side by side."""
    across = len(rows[0].split())
    save(name, draw_rows(Card.read(" ".join(rows)), columns=across, labels=True))


def dice(name: str, row: str) -> None:
    save(name, draw_rows(Face.read(row), size=70, labels=True))


class Part(Layout):
    """A part of a board, which may be smaller than a board can be."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.logo, self.bonus = rows, cols, (), {}


def board(name: str, title: str, rows: Sequence[str]) -> None:
    """Part of a board: `.` is an empty square, `[2GS]` a die laid this turn."""
    texts = {
        Square.at(y, x): text
        for y, row in enumerate(rows)
        for x, text in enumerate(row.split())
        if text != "."
    }
    lying = {square: (Face(text.strip("[]")), False) for square, text in texts.items()}
    marked = [square for square, text in texts.items() if text.startswith("[")]
    layout = Part(len(rows), len(rows[0].split()))
    save(name, draw_board(layout, lying, marked=marked, size=80, coordinates=False, labels=True, title=title))


def draw_all() -> None:
    IMAGES.mkdir(exist_ok=True)
    save("tercet", draw_rows([*Card.read("1RFD 2GHO 3PES"), *Face.read("2RS 2GS 2PS")], labels=True))
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
