"""`tercet review`: what finished games teach."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len

from tercet import codec
from tercet.cli.app import complain
from tercet.cli.progress import make_bar
from tercet.cli.records import read_record
from tercet.cli.text import InputError
from tercet.sets import TercetError
from tercet.study.plots import check_plot, plot_chart
from tercet.study.review import (
    ByPlayer,
    Chart,
    Progress,
    Review,
    ReviewError,
    Sheet,
    Unfinished,
    Untrue,
    review,
    unwatched,
    write,
)
from tercet.study.review.page import label, page
from tercet.terminal.screen import Screen

#: A line of a chart: the lowest first; and the same where the terminal has digits only.
BARS, DIGITS = "▁▂▃▄▅▆▇█", "01234567"
#: How many columns a line of a chart takes at most.
WIDTH = 60

#: A review under the name of its file.
Named = tuple[str, Review]


def review_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="GAME", help="Records of finished games; - reads one from standard input."),
    ],
    number: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=1_000_000,
            help="How many games are played out for each decision, where any are: more is deeper.",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="The review as JSON; of several games all reviews, and the sums by player."
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write it as one page that needs nothing else."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw how the game went, as PNG or SVG by the file's ending.")
    ] = None,
) -> None:
    """Review finished games: what was missed, which choices were mistakes, how fast and how sure everybody was.

    Several games are summed up by player; `--html` and `--json` have every one of them in full. A file that cannot be reviewed is
    named, and the others are reviewed all the same. The exit code is 0 if all were, 1 if a record does not agree with
    itself, 2 if a file is no record or its game has no review, 3 if a game is not finished; the highest of these for several.

    Example: tercet review game.txt --html review.html
    """
    if len(set(files)) < len(files):
        raise InputError("the same file is given twice")
    if plot is not None:
        check_plot(plot)
        if len(files) > 1:
            raise InputError("a plot is of one game: give one file")
    if html is not None and not html.absolute().parent.is_dir():
        raise InputError(f"{html}: there is no folder {html.parent}")
    reviews, code = _review_all(files, number)
    together = _together(reviews) if len(files) > 1 else {}
    if html is not None and reviews:
        html.write_text(
            page([(_shown(Path(file).name), one) for file, one in reviews], together.values()),
            encoding="utf-8",
        )
    if plot is not None and reviews:
        plot_chart(plot, reviews[0][1].chart())
    if as_json:
        _print_json(files, reviews, together)
    elif len(files) > 1:
        _print_sums(reviews, together)
    else:
        for _, one in reviews:
            _print_review(one)
    if code:
        raise typer.Exit(code)


def _review_all(files: Sequence[str], number: int | None) -> tuple[list[Named], int]:
    """The reviews of all that can be, and the exit code for those that cannot."""
    reviews: list[Named] = []
    codes = {0}
    with _bar(len(files)) as watch:
        for place, file in enumerate(files):
            try:
                reviews.append((file, review(read_record(file), number, watch(place))))
            except ReviewError as error:
                codes.add(_code(error))
                complain(f"{_shown(file)}: {error}")
            except TercetError as error:
                codes.add(2)
                complain(str(error))
    return reviews, max(codes)


@contextmanager
def _bar(files: int) -> Iterator[Callable[[int], Progress]]:
    """A bar on standard error, if that is a terminal; what each file tells it."""
    if not sys.stderr.isatty():
        yield lambda _: unwatched
        return
    with make_bar("Reviewing", time_left=True) as bar:
        task = bar.add_task("", total=files)

        def watch(place: int) -> Progress:
            return lambda done, total: bar.update(task, completed=place + done / total)

        yield watch


def _shown(file: str) -> str:
    return "standard input" if file == "-" else file


def _code(error: ReviewError) -> int:
    if isinstance(error, Untrue):
        return 1
    return 3 if isinstance(error, Unfinished) else 2


def _together(reviews: Sequence[Named]) -> dict[str, ByPlayer]:
    """The sums of each game."""
    found: dict[str, list[Review]] = {}
    for _, one in reviews:
        found.setdefault(one.game, []).append(one)
    return {game: type(some[0]).by_player(some) for game, some in found.items()}


def _print_json(files: Sequence[str], reviews: Sequence[Named], together: dict[str, ByPlayer]) -> None:
    if len(files) == 1:
        for _, one in reviews:
            typer.echo(write(one))
        return
    data = {
        "reviews": [{"file": file, "review": one} for file, one in reviews],
        "by_player": {game: some.rows for game, some in together.items()},
    }
    typer.echo(codec.to_json(data).decode())


def _print_sums(reviews: Sequence[Named], together: dict[str, ByPlayer]) -> None:
    screen = Screen()
    for game, some in together.items():
        played = sum(one.game == game for _, one in reviews)
        screen.print(f"{game}: {played} game{'' if played == 1 else 's'}")
        _print_sheet(screen, some.sheet)


def _print_review(one: Review) -> None:
    screen = Screen()
    for line in one.summary():
        screen.print(line)
    _print_chart(screen, one.chart())
    for sheet in one.sheets():
        _print_sheet(screen, sheet)


def _print_sheet(screen: Screen, sheet: Sheet) -> None:
    """Every column as wide as it needs; in a narrow terminal the lines break, and nothing is lost."""
    columns = list(zip(sheet.headings, *sheet.lines, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    screen.print()
    screen.print((sheet.title, "bold"))
    for style, line in zip(("dim", *("" for _ in sheet.lines)), (sheet.headings, *sheet.lines), strict=True):
        cells = []
        for heading, text, width in zip(sheet.headings, line, widths, strict=True):
            gap = " " * (width - cell_len(text))
            cells.append(gap + text if heading in sheet.numbers else text + gap)
        screen.print(("  ".join(cells).rstrip(), style))


def _print_chart(screen: Screen, chart: Chart) -> None:
    """A line a player, as high as it stood at each moment."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return
    end = max(x for x, _ in points)
    low = min(0.0, *(y for _, y in points))
    top = chart.top if chart.top is not None else max(1.0, *(y for _, y in points))
    bars = BARS if "utf" in (sys.stdout.encoding or "").lower() else DIGITS
    widest = max(cell_len(line.player) for line in chart.lines)
    screen.print()
    screen.print((f"{chart.title}: {chart.up}, {end:.1f} {chart.across}", "bold"))
    for line in chart.lines:
        shown, place = "", 0
        for column in range(1, WIDTH + 1):
            while place + 1 < len(line.points) and line.points[place + 1][0] <= end * column / WIDTH:
                place += 1
            height = (line.points[place][1] - low) / (top - low)
            shown += bars[min(int(height * len(bars)), len(bars) - 1)]
        name = line.player + " " * (widest - cell_len(line.player))
        screen.print(f"{name}  {shown} {label(chart, line.points[-1][1])}")
