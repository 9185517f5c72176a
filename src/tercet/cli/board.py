"""The tables of both games as lines of a terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tercet import cards, cubed
from tercet.cli.screen import Piece, Screen, strip
from tercet.cubed import Layout, Square
from tercet.editions.dice import Die
from tercet.sets import Face


def draw_cards(screen: Screen, state: cards.State) -> None:
    """The open cards with their places, counted from 1."""
    table = state.table
    row_length = state.options.table // 3
    for start in range(0, len(table), row_length):
        row: list[Piece] = []
        for place, card in enumerate(table[start : start + row_length], start + 1):
            row += [f"{place:4} ", *screen.symbol(card), "    "]
        screen.print(strip(row))


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


def draw_hand(screen: Screen, name: str, hand: Sequence[Die], used: Collection[int | None] = ()) -> None:
    """The dice in hand with their places, counted from 1; those whose numbers are used are left out.

    Dice that show the same also have their number.
    """
    line: list[Piece] = [f"{name if len(name) < 12 else name[:10] + '…':11} "]
    faces = [die.face for die in hand]
    for place, die in enumerate(hand, 1):
        if die.number in used:
            continue
        number = f"#{die.number}" if faces.count(die.face) > 1 else ""
        line += [(f"{place} ", "dim"), *screen.symbol(die.face), f"{number:3}  "]
    screen.print(strip(line))


def draw_state(
    screen: Screen, state: cards.State | cubed.State, names: Sequence[str], marked: Collection[Square] = ()
) -> None:
    """The whole table of either game."""
    if isinstance(state, cards.State):
        draw_cards(screen, state)
    else:
        layout = state.options.edition.layout
        lying = {layout.square(cell): (die.face, die.wild) for cell, die in enumerate(state.board) if die}
        draw_board(screen, layout, lying, marked)
        screen.print()
        for name, hand in zip(names, state.hands, strict=True):
            draw_hand(screen, name, hand)
    draw_scores(screen, state, names)


def draw_scores(screen: Screen, state: cards.State | cubed.State, names: Sequence[str]) -> None:
    """The points of all, and what is left to come."""
    points = ", ".join(f"{name} {score}" for name, score in zip(names, state.scores, strict=True))
    left = (
        f"{len(state.deck)} cards in the deck"
        if isinstance(state, cards.State)
        else f"{len(state.bag)} dice in the bag"
    )
    screen.print((f"Points: {points}. {left}.", "bold"))


def squares_of(event: object) -> set[Square]:
    """Where this event put dice."""
    match event:
        case cubed.Laid() | cubed.Opened():
            return {placement.square for placement in event.placements}
        case cubed.Replaced():
            return {event.square}
        case _:
            return set()
