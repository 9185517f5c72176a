"""What the terminal can show: colours and symbols, or plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from tercet.extras import needs
from tercet.sets import Card, Face, Symbol

if TYPE_CHECKING:
    from rich.console import Console

#: By shape and fill. The squiggle is drawn as a square: of all that fonts have it can be told apart best.
GLYPHS = {
    "diamond": {"full": "◆", "hatched": "◈", "empty": "◇"},
    "oval": {"full": "●", "hatched": "◍", "empty": "○"},
    "squiggle": {"full": "■", "hatched": "▨", "empty": "□"},
}
#: Readable on dark and on light ground, and apart in the 16 colours of old terminals.
COLOURS = {"red": "#e5484d", "green": "#2ea043", "purple": "#a667f0"}

#: A piece of a line: plain, or with a style.
Piece = str | tuple[str, str]


class Screen:
    """Lines for standard output. Without a terminal, or with NO_COLOR, they are plain text."""

    @cached_property
    def colour(self) -> bool:
        """Whether colours and symbols can be shown."""
        if not sys.stdout.isatty():
            return False
        console = self._console
        unicode = "utf" in (sys.stdout.encoding or "").lower()
        return unicode and console.color_system is not None and not console.no_color

    @cached_property
    def _console(self) -> Console:
        with needs("cli"):
            from rich.console import Console  # noqa: PLC0415
        return Console(highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        return self._console.width if sys.stdout.isatty() else 80

    def print(self, *pieces: Piece | list[Piece], end: str = "\n") -> None:
        line = [piece for part in pieces for piece in (part if isinstance(part, list) else [part])]
        if not self.colour:
            print(
                *(piece if isinstance(piece, str) else piece[0] for piece in line),
                sep="",
                end=end,
                flush=True,
            )
            return
        from rich.text import Text  # noqa: PLC0415

        self._console.print(Text.assemble(*line), end=end, soft_wrap=True)

    def legend(self) -> list[Piece]:
        """What the symbols mean, for a screen that shows them."""
        shapes = ", ".join(f"{fills['full']} {shape}" for shape, fills in GLYPHS.items())
        fills = ", ".join(f"{glyph} {fill}" for fill, glyph in GLYPHS["diamond"].items())
        return [(f"{shapes}; {fills}", "dim")]

    def style(self, symbol: Symbol) -> str:
        values = symbol.values
        return f"bold {COLOURS[values['colour']]}" if values else "bold"

    def glyphs(self, symbol: Symbol) -> str:
        """Its symbols side by side, as on the card or die; plain text where they cannot be shown."""
        if not self.colour or (isinstance(symbol, Face) and symbol.is_wild):
            return str(symbol)
        values = symbol.values
        return GLYPHS[values["shape"]][values.get("fill", "full")] * int(values["number"])

    def symbol(self, symbol: Symbol) -> list[Piece]:
        """A card or a face: its symbols and its text, always equally wide."""
        text = str(symbol)
        if not self.colour:
            return [f"{text:{_width(symbol)}}"]
        return [(f"{self.glyphs(symbol):3}", self.style(symbol)), f" {text:{_width(symbol)}}"]

    def symbols(self, symbols: Iterable[Symbol]) -> list[Piece]:
        """Several in one line."""
        line: list[Piece] = []
        for symbol in symbols:
            line += [*self.symbol(symbol), "  " if self.colour else " "]
        return strip(line)


def _width(symbol: Symbol) -> int:
    return 4 if isinstance(symbol, Card) else 3


def strip(line: list[Piece]) -> list[Piece]:
    """Without spaces at the end."""
    while line and isinstance(line[-1], str) and not line[-1].strip():
        line.pop()
    if line and isinstance(line[-1], str):
        line[-1] = line[-1].rstrip()
    return line


def wide_console() -> Console:
    """A console for tables of numbers: in a narrow terminal their lines break, and no digit is lost."""
    with needs("cli"):
        from rich.console import Console  # noqa: PLC0415
    usual = Console().width
    return Console(highlight=False, soft_wrap=True, width=max(usual, 80))
