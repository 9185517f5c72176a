"""Reviews as HTML: a fragment for notebooks, and a page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from tercet.record import Record
from tercet.study.review.contract import ByPlayer, Chart, Line, Review, Scene, Sheet

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 72, 12, 16, 36
XMLNS = ' xmlns="http://www.w3.org/2000/svg"'
#: How large a mistake is drawn on the chart.
SIZES = {"small": 3, "medium": 4, "large": 6}

#: The first stays readable on either ground; so do the others, in the order in which they are told apart best.
COLOURS = ("#3b7dd8", "#d9822b", "#2e9e5b", "#c0479b", "#8a6fd1", "#b5a125", "#2aa1b3", "#9c6b52")

STYLE = """
:root { color-scheme: light dark; --ink: #1c1b1a; --soft: #6b6862; --ground: #fbfaf7; --line: #dcd8cf;
  --small: #8a6d00; --medium: #b34e00; --large: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece9e2; --soft: #a39f96; --ground: #1a1a1c; --line: #3a3a3e;
    --small: #d9b94a; --medium: #f0914a; --large: #f2807a }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .5rem } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
ul { padding-inline-start: 1.25rem }
.wide { overflow-x: auto; background:
  linear-gradient(to right, var(--ground) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--ground) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--line), transparent) 0 0 / 1rem 100% no-repeat scroll,
  linear-gradient(to left, var(--line), transparent) 100% 0 / 1rem 100% no-repeat scroll }
.small td { color: var(--small) } .medium td { color: var(--medium) } .large td { color: var(--large); font-weight: 600 }
.scene { margin: 1.5rem 0 } .scene p { margin: 0 0 .5rem; color: var(--soft) } .boards { display: flex; flex-wrap: wrap; gap: 1rem }
.boards figure { margin: 0; flex: 1 1 18rem; max-width: 26rem } .boards figcaption { font-size: .9rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .2rem .7rem .2rem 0; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--soft) } .number { text-align: end }
svg { display: block; width: 100%; height: auto; max-width: 60rem } .chart text { fill: var(--soft); font-size: 12px }
@media (max-width: 40rem) { .chart text { font-size: 20px } }
svg .axis { stroke: var(--line) } .key span { margin-inline-end: 1.2rem; white-space: nowrap }
.key i { display: inline-block; width: 1.2rem; height: .25rem; margin-inline-end: .4rem; vertical-align: middle }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem }
"""


class Named(NamedTuple):
    """A review under the name of its file, and the record that it is of."""

    name: str
    review: Review
    record: Record


def page(reviews: Sequence[Named], together: Iterable[ByPlayer] = ()) -> str:
    """One page with all of these reviews, after the tables of several games."""
    engines = ", ".join(dict.fromkeys(f"{one.review.game} {one.review.engine}" for one in reviews))
    parts = [f"<h1>{'Review' if len(reviews) == 1 else f'{len(reviews)} games reviewed'}</h1>"]
    parts += [sheet_html(one.sheet) for one in together]
    for one in reviews:
        parts += [
            f"<section><h2>{escape(heading(one.review, one.record))}</h2><p>{escape(one.name)}</p>",
            _figure(one.review.chart()),
            _lines(one.review),
            *map(_scene, one.review.scenes(one.record)),
            *map(sheet_html, one.review.sheets()),
            "</section>",
        ]
    parts.append(f"<footer>Reviewed by Tercet (engine {escape(engines)}).</footer>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Tercet: review</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def heading(review: Review, record: Record) -> str:
    """Which game it was, when, and who won."""
    top = max(review.result)
    winners = [
        player.name for player, points in zip(review.players, review.result, strict=True) if points == top
    ]
    won = f"{winners[0]} won" if len(winners) == 1 else f"{' and '.join(winners)} shared the win"
    points = ", ".join(
        f"{player.name} {points}" for player, points in zip(review.players, review.result, strict=True)
    )
    date = f", {record.tags['Date']}" if "Date" in record.tags else ""
    return f"{record.rules.title}{date}: {won} ({points})"


def fragment(review: Review) -> str:
    """The lines and the tables of one review."""
    return _lines(review) + "".join(map(sheet_html, review.sheets()))


def _lines(review: Review) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in review.summary())
    return f"<ul>{lines}</ul>"


def _scene(scene: Scene) -> str:
    # a drawing within a page needs no address of what SVG is
    pictures = "".join(
        f"<figure>{svg.replace(XMLNS, '', 1)}<figcaption>{escape(word)}</figcaption></figure>"
        for word, svg in scene.pictures
    )
    return (
        f'<div class="scene"><h3>{escape(scene.title)}</h3><p>{escape(scene.text)}</p>'
        f'<div class="boards">{pictures}</div></div>'
    )


def sheet_html(sheet: Sheet) -> str:
    places = [' class="number"' if heading in sheet.numbers else "" for heading in sheet.headings]
    head = "".join(
        f'<th scope="col"{place}>{escape(heading)}</th>'
        for heading, place in zip(sheet.headings, places, strict=True)
    )
    body = "".join(
        f"<tr{_marked(sheet, line)}>"
        + "".join(f"<td{place}>{escape(text)}</td>" for text, place in zip(line, places, strict=True))
        + "</tr>"
        for line in sheet.lines
    )
    return (
        f'<h3>{escape(sheet.title)}</h3><div class="wide">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _marked(sheet: Sheet, line: Sequence[str]) -> str:
    """A mistake has the colour of its size."""
    size = line[sheet.headings.index("mark")] if "mark" in sheet.headings else ""
    return f' class="{size}"' if size in SIZES else ""


def _figure(chart: Chart) -> str:
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return ""
    begin, end = chart.begin, max(chart.end, chart.begin + 0.001)
    low = min(0.0, *(y for _, y in points))
    top = chart.top if chart.top is not None else max(1.0, *(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * (x - begin) / (end - begin)
        return round(across, 1), round(TOP + (HEIGHT - TOP - BOTTOM) * (top - y) / (top - low), 1)

    axes = "".join(
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{place(0, value)[1]}" y2="{place(0, value)[1]}"/>'
        f'<text x="{LEFT - 6}" y="{place(0, value)[1] + 4}" text-anchor="end">{label(chart, value)}</text>'
        for value in ticks(low, top)
    )
    drawn = "".join(
        f'<polyline fill="none" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2" stroke-linejoin="round" '
        f'points="{" ".join("{},{}".format(*place(x, y)) for x, y in corners(line, chart.steps, end))}"/>'
        for number, line in enumerate(chart.lines)
    )
    key = "".join(
        f'<span><i style="background:{COLOURS[number % len(COLOURS)]}"></i>{escape(line.player)}</span>'
        for number, line in enumerate(chart.lines)
    )
    marks = "".join(
        f'<circle cx="{place(one.x, one.y)[0]}" cy="{place(one.x, one.y)[1]}" r="{SIZES[one.size]}" fill="var(--{one.size})" '
        f'stroke="{COLOURS[one.player % len(COLOURS)]}"><title>{escape(chart.lines[one.player].player)}, {one.size}</title></circle>'
        for one in chart.marks
    )
    names = ", ".join(line.player for line in chart.lines)
    return (
        f'<figure style="margin:0"><svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(f"{chart.title}: {names}")}">{axes}{drawn}{marks}'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{escape(chart.length)}</text>'
        f'<text x="{LEFT}" y="{HEIGHT - 8}">{escape(chart.up)}</text></svg>'
        f'<figcaption class="key">{key}</figcaption></figure>'
    )


def ticks(low: float, top: float) -> list[float]:
    """Three to six round values between these.

    >>> ticks(0, 37), ticks(-3, 1), ticks(0, 1)
    ([0, 10, 20, 30], [-3, -2, -1, 0, 1], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    step = next(
        size * 10**power
        for power in range(-3, 9)
        for size in (1, 2, 5)
        if (top - low) / (size * 10**power) <= 5.5
    )
    return [round(number * step, 6) for number in range(ceil(low / step), floor(top / step) + 1)]


def label(chart: Chart, value: float) -> str:
    """A value of the chart in words."""
    return f"{value:.0%}" if chart.is_share else f"{value:.4g}"


def corners(line: Line, steps: bool, end: float) -> Iterator[tuple[float, float]]:
    """The points of a line, with the corners of its steps, up to the end of the game."""
    if not steps or not line.points:
        yield from line.points
        return
    yield line.points[0]
    for (_, y), (x, then) in pairwise(line.points):
        yield x, y
        yield x, then
    yield end, line.points[-1][1]
