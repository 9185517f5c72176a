"""`tercet arena`: bots against each other."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tercet import codec
from tercet.cli.options import complete_game, known_games, read_options
from tercet.cli.text import claim_file
from tercet.confidence import Interval
from tercet.study.arena import EVEN, Group, Match, Tally, find_game, load_modules, settle
from tercet.study.plots import History, check_plot, plot_arena
from tercet.terminal.screen import wide_console

VERDICTS = {
    "stronger": "{name} is stronger than the others.",
    "weaker": "{name} is weaker than the others.",
    "even": "{name} and the others are even, to within {even:.0%}.",
    None: "Not settled: {name} may be stronger or weaker. More games would tell.",
}


def arena_command(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="One bot for each seat, two or more. The question is how good the first one is.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar=known_games(),
            help="The game; without it, the first that has these bots.",
            autocompletion=complete_game,
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--games", min=1, help="At most this many games, in whole rotations of the seats.")
    ] = 1000,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "arena",
    workers: Annotated[
        int, typer.Option(min=1, max=256, help="Processes; the result is the same with any number.")
    ] = os.cpu_count() or 1,
    to_the_end: Annotated[
        bool, typer.Option("--to-the-end", help="Play all games, also when the question is settled.")
    ] = False,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0.001, help="Seconds for one choice; without it, bots take what they need."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", metavar="KEY=VALUE", help="How the games are played, such as rounds=1."
        ),
    ] = None,
    edition: Annotated[
        str | None, typer.Option(help="The same as --option edition=…: a name, or a TOML file.")
    ] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A Python file, or a module, that registers bots of your own."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write the points of every game there.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option("--records", help="Write the record of every game there, one after the other."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw how the win rate settles, as PNG or SVG by the file's ending.")
    ] = None,
) -> None:
    """Let bots play against each other, with the same luck on every seat.

    Each deal or set of dice is played once from every rotation of the seats, and counts as one observation. The
    95 % intervals hold at every moment (a confidence sequence), so the games stop as soon as the answer is clear.

    `master:400` is a master that plays out no more than 400 games for one choice.

    Example: tercet arena expert steady --games 400
    """
    modules = tuple(load or ())
    load_modules(modules)
    if game is None:
        game = find_game(names)
    given = [*(option or ()), *([f"edition={edition}"] if edition is not None else ())]
    match = Match(
        game=game,
        bots=tuple(names),
        options=tuple(read_options(game, given).items()),
        seed=seed,
        time_limit=math.inf if time_limit is None else time_limit,
        modules=modules,
        recorded=records is not None,
    )
    match.check()
    if records is not None:
        claim_file(str(records))
    if plot is not None:
        check_plot(plot)
    groups = math.ceil(number / len(names))
    history = History()
    tally = Tally(match)
    with ExitStack() as stack:
        writer = csv.writer(stack.enter_context(csv_file.open("w", newline=""))) if csv_file else None
        if writer:
            writer.writerow(["group", "rotation", *match.players])
        written = stack.enter_context(records.open("w", encoding="utf-8")) if records else None
        for group in _watched(settle(tally, groups, workers, early=not to_the_end), groups, tally):
            history.add(tally.games, tally.win_rate[names[0]])
            if writer:
                writer.writerows(
                    [group.number, place, *scores] for place, scores in enumerate(group.scores, 1)
                )
            if written:
                written.writelines(f"{text}\n" for text in group.records)
    if as_json:
        typer.echo(codec.to_json(tally.data()).decode())
    else:
        _show(tally)
    if plot is not None:
        plot_arena(plot, tally, history)


def _watched(settling: Iterator[Group], groups: int, tally: Tally) -> Iterator[Group]:
    """The same groups, with a bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=groups * len(tally.match.bots))
        for group in settling:
            name = tally.names[0]
            rate = tally.win_rate[name]
            description = f"{name} wins {rate.mean:.1%}, {_percents(rate.interval)}"
            progress.update(task, completed=tally.games, description=description)
            yield group


def _show(tally: Tally) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("bot")
    for heading in ("wins", "95 % interval", "margin", "95 % interval", "points"):
        table.add_column(heading, justify="right")
    for name in tally.names:
        wins, margin = tally.win_rate[name], tally.margin[name]
        table.add_row(
            name,
            f"{wins.mean:.1%}",
            _percents(wins.interval),
            f"{margin.mean:+.2f}",
            _points(margin.interval),
            f"{tally.points[name].mean:.1f}",
        )
    console = wide_console()
    console.print(table)
    seats = len(tally.match.bots)
    console.print(
        f"{tally.games} games: {tally.groups} x {seats} rotations of the seats with the same luck. "
        f"A fair share is {tally.fair:.1%}."
    )
    console.print(VERDICTS[tally.verdict].format(name=tally.names[0], even=EVEN))


def _percents(interval: Interval) -> str:
    if math.isinf(interval.low):
        return "too few games"
    return f"{max(interval.low, 0):.1%} to {min(interval.high, 1):.1%}"


def _points(interval: Interval) -> str:
    return "too few games" if math.isinf(interval.low) else f"{interval.low:+.2f} to {interval.high:+.2f}"
