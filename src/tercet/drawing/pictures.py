"""Whole pictures: rows of cards or dice, and boards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tercet.drawing.shapes import (
    CARD,
    COLOURS,
    DIE,
    HATCHING,
    INK,
    OUTLINES,
    PAPER,
    STAR,
    WIDTH,
    WILD_MARK,
)
from tercet.editions import Layout, Square
from tercet.sets import WILD, Card, Face, KindError, Symbol, TercetError, of_kind

EDGE, SOFT, GLOW, CLOTH, LINE = "#b9b8ae", "#70746a", "#e8b23f", "#e1e4d8", "#bcc1ad"
FONT = 'font-family="system-ui, sans-serif"'
GAP = 10
LABEL = 22


class Picture(str):
    """An SVG text that a notebook shows as the picture it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Write it into a file, whose name ends in .svg."""
        if Path(path).suffix.lower() != ".svg":
            raise TercetError(f"{Path(path).name!r:.40}: a picture is SVG, so let the name end in .svg")
        Path(path).write_text(self, encoding="utf-8")


def draw(things: Any, **options: Any) -> Picture:
    """A picture of cards, faces or dice, in a row or as text, or of whatever can draw itself.

    Options are those of `draw_rows`, or of the thing's own ``svg``.
    """
    if isinstance(things, str):
        things = _read(things)
    own = getattr(things, "svg", None)
    if own is not None:
        picture: Picture = own(**options)
        return picture
    of_kind(things, Iterable, "cards, faces or dice, in a list or as text, or something that has svg()")
    return draw_rows(list(things), **options)


def _read(text: str) -> list[Any]:
    words = text.replace(",", " ").split()
    kind = Card if all(len(word) == 4 and "#" not in word and "*" not in word for word in words) else Face
    return [kind(word.lstrip("*").partition("#")[0]) for word in words]


def draw_rows(
    things: Sequence[Any],
    *,
    columns: int | None = None,
    size: float = 80,
    labels: bool = False,
    marked: Collection[Any] = (),
    title: str | None = None,
) -> Picture:
    """Cards, faces or dice in rows. ``size`` is the height of one, ``labels`` writes each one's text below it,
    ``marked`` are framed, ``columns`` are in a row (all of them, if it is not given). None leaves a place empty."""
    of_kind(things, Sequence, "cards, faces or dice in a list")
    if columns is not None:
        of_kind(columns, int, "a whole number of columns")
    if columns is not None and columns < 1:
        raise TercetError(f"columns is a whole number from 1 on, not {columns!r:.40}")
    if isinstance(marked, str):
        marked = _read(marked)
    of_kind(marked, Collection, "what is marked in a list, or as text")
    across = max(1, columns or len(things))
    wide = max((_width(thing) for thing in things if thing is not None), default=100)
    step_x, step_y = wide + GAP, 100 + GAP + LABEL * bool(labels)
    parts = []
    for place, thing in enumerate(things):
        if thing is None:
            continue
        x, y = GAP / 2 + place % across * step_x, GAP / 2 + place // across * step_y
        left = x + (wide - _width(thing)) / 2
        parts.append(f'<g transform="translate({left:g} {y:g})">{symbol(thing, thing in marked)}</g>')
        if labels:
            parts.append(_text(str(thing), x + wide / 2, y + 117, 16))
    rows = -(-len(things) // across)
    words = title if title is not None else ", ".join(caption(thing) for thing in things if thing is not None)
    return _whole(across * step_x, max(1, rows) * step_y, _check_size(size) / 100, words, parts)


def draw_board(
    layout: Layout,
    lying: Mapping[Square, tuple[Face, bool]] | Mapping[str, tuple[Face, bool]] | None = None,
    *,
    hand: Iterable[Any] = (),
    marked: Collection[Square | str] = (),
    size: float = 36,
    coordinates: bool = True,
    labels: bool = False,
    title: str | None = None,
) -> Picture:
    """A board with what lies on it, a wild as the face it stands for; the ``marked`` squares framed, and a ``hand``
    below. ``size`` is that of a square; without ``coordinates`` its edges stay bare, and ``labels`` writes
    every face below its die."""
    of_kind(layout, Layout, "the layout of a board, as Edition.named('house').layout is")
    of_kind(lying or {}, Mapping, "what lies there in a dict")
    lain = {_square(at): lies for at, lies in (lying or {}).items()}
    for square, lies in lain.items():
        given: object = lies
        if not isinstance(given, tuple) or len(given) != 2:
            raise KindError(
                f"{square} has {lies!r:.40}: give a face and whether it is a wild, as in (Face('2GS'), False)"
            )
    framed = set(map(_square, marked.split() if isinstance(marked, str) else marked))
    left, top, cell = (40, 34, 110) if coordinates else (6, 6, 110)
    wide, high = layout.cols * cell, layout.rows * cell
    parts = [f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{CLOTH}"/>']
    for number in range(layout.rows * layout.cols):
        square = layout.square(number)
        x, y = left + square.col * cell, top + square.row * cell
        parts.append(
            f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{PAPER if square in layout.logo else "none"}" '
            f'stroke="{LINE}" stroke-width="2"/>'
        )
        if square in lain:
            inside = die(*lain[square], square in framed)
            shrunk = " translate(9 0) scale(.82)" if labels else ""
            parts.append(f'<g transform="translate({x + 5} {y + 5}){shrunk}">{inside}</g>')
            if labels:
                parts.append(_text(str(lain[square][0]), x + cell / 2, y + 105, 15))
        elif square in layout.bonus:
            parts.append(_text(f"+{layout.bonus[square]}", x + cell / 2, y + 70, 40))
    for col in range(layout.cols if coordinates else 0):
        letters = str(layout.square(col)).rstrip("0123456789")
        parts.append(_text(letters, left + (col + 0.5) * cell, top - 9, 24))
    numbered = range(layout.rows if coordinates else 0)
    parts += [_text(str(row + 1), left / 2, top + (row + 0.6) * cell, 24) for row in numbered]
    held = list(hand)
    for place, thing in enumerate(held):
        x, y = left + 5 + place * cell, top + high + 20
        parts.append(f'<g transform="translate({x} {y})">{symbol(thing)}</g>')
    words = title
    if words is None:
        words = (
            "; ".join(f"{square}: {caption(face)}" for square, (face, _) in sorted(lain.items()))
            or "an empty board"
        )
        if held:
            words += "; in hand: " + ", ".join(map(caption, held))
    return _whole(left + wide + 6, top + high + 6 + 124 * bool(held), _check_size(size) / cell, words, parts)


def _square(given: Square | str) -> Square:
    return given if isinstance(given, Square) else Square(given)


def _check_size(size: float) -> float:
    of_kind(size, (int, float), "a size in pixels")
    if not 0 < size < inf:
        raise TercetError(f"size is a number of pixels above 0, not {size!r:.40}")
    return size


def caption(thing: Any) -> str:
    """What a card or a face is called.

    >>> caption(Card("2GHS")), caption(WILD)
    ('2 green hatched squiggles', 'wild')
    """
    face = _face(thing)
    if face is WILD:
        return "wild"
    values = face.values
    return " ".join(values.values()) + "s" * ("shape" in values and values.get("number", "1") != "1")


def symbol(thing: Any, marked: bool = False) -> str:
    """One card, or one die with this face, in its box; dice and placements go by what they show."""
    face = _face(thing)
    if isinstance(face, Face):
        return die(face, getattr(thing, "wild", False), marked)
    return card(face, marked)


def card(face: Symbol, marked: bool = False) -> str:
    """A card, 150 by 100. Of any symbol what can be drawn is drawn, and the rest is written."""
    values = face.values
    count = int(values.get("number", "1"))
    body = _paper(CARD["width"], CARD["height"], 9, marked)
    if not values.keys() <= {"number", "colour", "fill", "shape"}:
        return body + _text(str(face), CARD["width"] / 2, 58, 24)
    for place in range(count):
        x = CARD["width"] / 2 - WIDTH / 2 + (place - (count - 1) / 2) * CARD["step"]
        body += f'<g transform="translate({x:g} {CARD["top"]:g})">{_shape(values)}</g>'
    return body


def die(face: Face, wild: bool = False, marked: bool = False) -> str:
    """The upper face of a die, 100 by 100; a wild on the board has a mark."""
    body = _paper(DIE["size"], DIE["size"], 16, marked)
    if face is WILD:
        return body + "".join(
            f'<path d="{path}" fill="none" stroke="{COLOURS[colour]}" stroke-width="13" stroke-linecap="round"/>'
            for colour, path in STAR.items()
        )
    values = face.values
    count, scale = int(values["number"]), DIE["scale"]
    for place in range(count):
        x = 50 - (WIDTH / 2 - (place - (count - 1) / 2) * DIE["step"]) * scale
        body += f'<g transform="translate({x:g} {DIE["top"]:g}) scale({scale:g})">{_shape(values)}</g>'
    if wild:
        body += (
            '<rect x="5" y="5" width="90" height="90" rx="13" fill="none" stroke="#6b6f62" stroke-width="2.5" '
            f'stroke-dasharray="5 5"/><path d="{WILD_MARK}" stroke="{INK}" stroke-width="3" stroke-linecap="round"/>'
        )
    return body


def _face(thing: Any) -> Symbol:
    face = thing if isinstance(thing, Symbol) else getattr(thing, "face", None)
    if not isinstance(face, Symbol):
        raise KindError(f"{thing!r:.40} cannot be drawn: give cards, faces or dice, or their text")
    return face


def _width(thing: Any) -> float:
    return DIE["size"] if isinstance(_face(thing), Face) else CARD["width"]


def _shape(values: Mapping[str, str]) -> str:
    ink = COLOURS.get(values.get("colour", ""), INK)
    shape, fill = values.get("shape", "oval"), values.get("fill", "full")
    body = (
        f'<path d="{OUTLINES[shape]}" fill="{ink if fill == "full" else "none"}" stroke="{ink}" stroke-width="3" '
        'stroke-linejoin="round"/>'
    )
    if fill == "hatched":
        body += f'<path d="{HATCHING[shape]}" fill="none" stroke="{ink}" stroke-width="2"/>'
    return body


def _paper(width: float, height: float, corner: float, marked: bool) -> str:
    edge, thick = (GLOW, 7) if marked else (EDGE, 1.5)
    return (
        f'<rect x="1" y="1" width="{width - 2:g}" height="{height - 2:g}" rx="{corner:g}" fill="{PAPER}" '
        f'stroke="{edge}" stroke-width="{thick:g}"/>'
    )


def _text(text: str, x: float, y: float, size: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" {FONT} font-size="{size:g}" fill="{SOFT}">{escape(text)}</text>'


def _whole(width: float, height: float, scale: float, title: str, parts: Iterable[str]) -> Picture:
    of_kind(title, str, "a title as text")
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width * scale:g}" '
        f'height="{height * scale:g}" role="img"><title>{escape(title)}</title>' + "".join(parts) + "</svg>"
    )
