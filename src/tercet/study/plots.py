"""Pictures of what was measured. Needs matplotlib, which comes with ``pip install tercet[study]``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tercet.sets import TercetError
from tercet.study.intervals import LEAST, Mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tercet.study.arena import Tally

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


def new_axes(path: Path) -> tuple[Any, Axes]:
    """An empty picture; `PlotError` if it could not be written in the end."""
    check_path(path)
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise PlotError("plots need matplotlib: pip install 'tercet[study]'") from None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def check_path(path: Path) -> None:
    if path.suffix.lower() not in ENDINGS:
        raise PlotError(f"{path}: a plot is a file that ends in {' or '.join(ENDINGS)}")
    if not path.parent.is_dir():
        raise PlotError(f"{path}: there is no folder {path.parent}")


def plot_arena(path: Path, tally: Tally, history: History) -> None:
    """How the first bot's win rate settled."""
    figure, axes = new_axes(path)
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
