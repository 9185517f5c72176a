"""The board of an edition as lines of a terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tercet.editions import Layout, Square
from tercet.sets import Face
from tercet.terminal.screen import Piece, Screen


def draw_board(
    screen: Screen,
    layout: Layout,
    lying: Mapping[Square, tuple[Face, bool]],
    marked: Collection[Square] = (),
) -> None:
    """The board: dice, wilds with a *, bonus squares, the logo; the marked dice stand out."""
    squares = [[Square.at(row, col) for col in range(layout.cols)] for row in range(layout.rows)]
    letters = [str(square)[: -len("1")] for square in squares[0]]
    screen.print("    ", *(f"{letter:^6}" for letter in letters))
    for number, row in enumerate(squares, 1):
        line: list[Piece] = [f"{number:3} "]
        for square in row:
            if square in lying:
                line += _die_cell(screen, *lying[square], square in marked)
            else:
                line.append(_empty_cell(layout, square))
        screen.print(line)


def _die_cell(screen: Screen, face: Face, wild: bool, marked: bool) -> list[Piece]:
    text = f"{'*' * wild}{screen.glyphs(face)}"
    if screen.colour:
        style = screen.style(face) + (" reverse" if marked else "")
        before = (5 - len(text)) // 2
        return [" " * before, (text, style), " " * (6 - before - len(text))]
    return [f"{f'>{text}' if marked else f' {text}':6}"]


def _empty_cell(layout: Layout, square: Square) -> Piece:
    if square in layout.bonus:
        return (f"{f'+{layout.bonus[square]}':^5} ", "bold yellow")
    return (f"{'( )' if square in layout.logo else '.':^5} ", "dim")
