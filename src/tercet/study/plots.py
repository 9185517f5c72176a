"""Pictures of what was measured. Needs matplotlib, which comes with ``pip install 'tercet[study]'``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tercet.confidence import LEAST, Mean
from tercet.extras import MissingExtra, needs
from tercet.sets import TercetError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tercet.study.arena import Tally
    from tercet.study.odds import Section
    from tercet.study.review import Chart

ENDINGS = (".png", ".svg")


class PlotError(TercetError):
    """A picture that cannot be drawn."""


class Point(NamedTuple):
    games: int
    mean: float
    low: float
    high: float


class History:
    """How a mean settled, in at most a few hundred points whatever the number of games."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self._step = 1
        self._seen = 0

    def add(self, games: int, mean: Mean) -> None:
        self._seen += 1
        if mean.count < LEAST or self._seen % self._step:
            return
        self.points.append(Point(games, mean.mean, *mean.interval))
        if len(self.points) == 400:
            self.points = self.points[1::2]
            self._step *= 2


def check_plot(path: Path) -> None:
    """`PlotError` if no picture could be written there, said before anything is measured for it."""
    if path.suffix.lower() not in ENDINGS:
        raise PlotError(f"{path}: a plot is a file that ends in {' or '.join(ENDINGS)}")
    if not path.parent.is_dir():
        raise PlotError(f"{path}: there is no folder {path.parent}")
    if find_spec("matplotlib") is None:
        raise MissingExtra("study", "matplotlib")


def _figure(size: tuple[float, float]) -> Figure:
    with needs("study"):
        from matplotlib.figure import Figure  # noqa: PLC0415

    return Figure(figsize=size, layout="constrained")


def plot_arena(path: Path, tally: Tally, history: History) -> None:
    """How the first bot's win rate settled."""
    check_plot(path)
    figure = _figure((8, 4.5))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    games = [point.games for point in history.points]
    axes.fill_between(
        games, [p.low for p in history.points], [p.high for p in history.points], alpha=0.25, lw=0
    )
    axes.plot(games, [point.mean for point in history.points])
    axes.axhline(tally.fair, color="grey", ls="--", lw=1)
    axes.set_xlabel("games")
    axes.set_ylabel("win rate")
    axes.set_title(
        f"{tally.names[0]} against {', '.join(tally.match.bots[1:])}, with the interval that always holds"
    )
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    figure.savefig(path, dpi=150)


def plot_sections(path: Path, sections: Sequence[Section]) -> None:
    """One small picture a section: what was simulated, and what is known as a ring around it."""
    check_plot(path)
    figure = _figure((12, 2.6 * ((len(sections) + 1) // 2)))
    figure.suptitle("Dots: simulated, with three standard errors. Rings: known.", fontsize=10)
    for place, section in enumerate(sections, 1):
        axes = figure.add_subplot((len(sections) + 1) // 2, 2, place)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(section.title, loc="left", fontsize=10)
        heights = range(len(section.cells))
        axes.errorbar(
            [cell.simulated for cell in section.cells],
            heights,
            xerr=[3 * cell.error for cell in section.cells],
            fmt="o",
            ms=3,
        )
        known = [(cell.known, at) for at, cell in enumerate(section.cells) if cell.known is not None]
        axes.scatter(
            [value for value, _ in known], [at for _, at in known], s=60, facecolors="none", edgecolors="grey"
        )
        axes.set_yticks(heights, [cell.what for cell in section.cells], fontsize=7)
        axes.invert_yaxis()
    figure.savefig(path, dpi=150)


def plot_chart(path: Path, chart: Chart) -> None:
    """How a game went, a line a player."""
    check_plot(path)
    figure = _figure((9, 4.5))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    for line in chart.lines:
        axes.plot(
            [x for x, _ in line.points],
            [y for _, y in line.points],
            # a name that begins with an underscore would be left out, and one with dollars taken for a formula
            label=" " * line.player.startswith("_") + line.player.replace("$", r"\$"),
            drawstyle="steps-post" if chart.steps else "default",
        )
    axes.set_title(chart.title)
    axes.set_xlabel(chart.across)
    axes.set_ylabel(chart.up)
    axes.set_xlim(left=0)
    if chart.top is not None:
        axes.set_ylim(0, chart.top)
    if chart.is_share:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
