"""`tercet review`: what finished games teach."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len

from tercet import codec, record, records
from tercet.cli.app import complain
from tercet.cli.progress import make_bar
from tercet.cli.text import InputError, open_text
from tercet.record import Record
from tercet.sets import TercetError
from tercet.study.plots import check_plot, plot_chart
from tercet.study.review import (
    GAMES_LIMIT,
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
from tercet.study.review.page import Named, label, page
from tercet.study.review.words import count
from tercet.terminal.screen import Screen

#: A line of a chart: the lowest first; and the same where the terminal has digits only.
BARS, DIGITS = "▁▂▃▄▅▆▇█", "01234567"
#: How many columns a line of a chart takes at most.
WIDTH = 60
#: Before what goes below a line that is too short for it.
INDENT = " " * 6


def review_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME", help="Files with one record of a finished game or many; - reads standard input."
        ),
    ],
    number: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=GAMES_LIMIT,
            help="How many games are played out for each decision, shared among its choices: more is deeper.",
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
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw how the game went, as PNG or SVG by the file's ending; of one game only. Needs tercet[study].",
        ),
    ] = None,
) -> None:
    """Review finished games: what was missed, which choices were mistakes, how fast and how sure everybody was.

    Several games, in one file or many, are summed up by player; `--html` and `--json` have every one of them in full. A game that
    cannot be reviewed is named, and the others are reviewed all the same. The exit code is 0 if all were, 1 if a record does not agree with
    itself, 2 if a file is no record or its game has no review, 3 if a game is not finished; the highest of these for several.

    Example: tercet review game.txt --html review.html
    """
    if len(set(files)) < len(files):
        raise InputError("the same file is given twice")
    if html is not None and not html.absolute().parent.is_dir():
        raise InputError(f"{html}: there is no folder {html.parent}")
    several = len(files) > 1
    if plot is not None and not several:
        check_plot(plot)
    found, unread = _read_all(files)
    several = several or len(found) > 1
    if plot is not None and several:
        raise InputError("a plot is of one game, and here are several: leave --plot out")
    reviews, code = _review_all(found, number)
    together = _together(reviews) if several else {}
    if html is not None and reviews:
        html.write_text(page(reviews, together.values()), encoding="utf-8")
    if plot is not None and reviews:
        plot_chart(plot, reviews[0].review.chart())
    if as_json:
        _print_json(reviews, together, several=several)
    elif several:
        _print_sums(reviews, together)
    else:
        for one in reviews:
            _print_review(one.review)
    if code := max(code, unread):
        raise typer.Exit(code)


def _read_all(files: Sequence[str]) -> tuple[list[tuple[str, Record]], int]:
    """Every record of every file under its name, and the exit code for what is none."""
    found: list[tuple[str, Record]] = []
    code = 0
    for file in files:
        try:
            with open_text(file) as lines:
                texts = list(records.cut(lines)) or [(1, "")]
        except TercetError as error:
            code = 2
            complain(str(error))
            continue
        for number, (start, text) in enumerate(texts, 1):
            name = _shown(file) if len(texts) == 1 else f"{_shown(file)}, game {number}"
            try:
                found.append((name, record.read(text, start)))
            except TercetError as error:
                code = 2
                complain(f"{name}: {error}")
    return found, code


def _review_all(found: Sequence[tuple[str, Record]], number: int | None) -> tuple[list[Named], int]:
    """The reviews of all that can be, and the exit code for those that cannot."""
    reviews: list[Named] = []
    codes = {0}
    with _bar([len(one.log) for _, one in found]) as watch:
        for place, (name, one) in enumerate(found):
            try:
                reviews.append(Named(name, review(one, number, watch(place)), one))
            except ReviewError as error:
                codes.add(_code(error))
                complain(f"{name}: {error}")
            except TercetError as error:
                codes.add(2)
                complain(f"{name}: {error}")
    return reviews, max(codes)


@contextmanager
def _bar(lines: Sequence[int]) -> Iterator[Callable[[int], Progress]]:
    """A bar on standard error, if that is a terminal, over the lines of all games; what each game tells it."""
    if not sys.stderr.isatty():
        yield lambda _: unwatched
        return
    with make_bar("Reviewing", time_left=True) as bar:
        task = bar.add_task("", total=sum(lines))

        def watch(place: int) -> Progress:
            before = sum(lines[:place])
            return lambda done, total: bar.update(task, completed=before + lines[place] * done // total)

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
    for _, one, _ in reviews:
        found.setdefault(one.game, []).append(one)
    return {game: type(some[0]).by_player(some) for game, some in found.items()}


def _print_json(reviews: Sequence[Named], together: dict[str, ByPlayer], *, several: bool) -> None:
    if not several:
        for one in reviews:
            typer.echo(write(one.review))
        return
    data = {
        "reviews": [{"file": one.name, "review": one.review} for one in reviews],
        "by_player": {game: some.rows for game, some in together.items()},
    }
    typer.echo(codec.to_json(data).decode())


def _print_sums(reviews: Sequence[Named], together: dict[str, ByPlayer]) -> None:
    screen = Screen()
    for game, some in together.items():
        screen.print(f"{game}: {count(sum(one.review.game == game for one in reviews), 'game')}")
        _print_sheet(screen, some.sheet)


def _print_review(one: Review) -> None:
    screen = Screen()
    for line in one.summary():
        screen.print(line)
    _print_chart(screen, one.chart())
    for sheet in one.sheets():
        _print_sheet(screen, sheet)


def _print_sheet(screen: Screen, sheet: Sheet) -> None:
    """Every column as wide as it needs. What does not fit beside the others in a terminal goes below them, indented."""
    columns = list(zip(sheet.headings, *sheet.lines, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    shelves = _shelves(widths, screen.width) if sys.stdout.isatty() else [range(len(widths))]
    screen.print()
    screen.print((sheet.title, "bold"))
    for style, line in zip(("dim", *("" for _ in sheet.lines)), (sheet.headings, *sheet.lines), strict=True):
        cells = []
        for heading, text, width in zip(sheet.headings, line, widths, strict=True):
            gap = " " * (width - cell_len(text))
            cells.append(gap + text if heading in sheet.numbers else text + gap)
        for shelf in shelves:
            text = "  ".join(cells[place] for place in shelf).rstrip()
            if text or not shelf[0]:
                screen.print((INDENT + text if shelf[0] else text, style))


def _shelves(widths: Sequence[int], wide: int) -> list[range]:
    """Which columns stand beside each other.

    >>> _shelves([10, 10, 10, 10], 36)
    [range(0, 3), range(3, 4)]
    """
    found, begin, used = [], 0, 0
    for place, width in enumerate(widths):
        if place > begin and used + width > wide:
            found.append(range(begin, place))
            begin, used = place, len(INDENT)
        used += width + 2
    return [*found, range(begin, len(widths))]


def _print_chart(screen: Screen, chart: Chart) -> None:
    """A line a player, as high as it stood at each moment."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return
    begin, end = chart.begin, chart.end
    low = min(0.0, *(y for _, y in points))
    top = chart.top if chart.top is not None else max(1.0, *(y for _, y in points))
    bars = BARS if "utf" in (sys.stdout.encoding or "").lower() else DIGITS
    widest = max(cell_len(line.player) for line in chart.lines)
    screen.print()
    screen.print((chart.heading, "bold"))
    for line in chart.lines:
        shown, place = "", 0
        for column in range(1, WIDTH + 1):
            while (
                place + 1 < len(line.points)
                and line.points[place + 1][0] <= begin + (end - begin) * column / WIDTH
            ):
                place += 1
            height = (line.points[place][1] - low) / (top - low)
            shown += bars[min(int(height * len(bars)), len(bars) - 1)]
        name = line.player + " " * (widest - cell_len(line.player))
        screen.print(f"{name}  {shown} {label(chart, line.points[-1][1])}")
