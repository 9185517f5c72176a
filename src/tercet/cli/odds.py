"""`tercet odds`: the numbers of the games."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tercet import codec, games
from tercet.cli.edition import read_edition
from tercet.cli.text import InputError
from tercet.editions import Edition
from tercet.study.odds import Cell, Odds, Section
from tercet.study.plots import check_plot, plot_sections
from tercet.terminal.screen import wide_console

#: How often a right number is off by more than three standard errors.
BEYOND_THREE = 0.0027


@cache
def all_odds() -> dict[str, type[Odds]]:
    """Those of each game that has some."""
    parts = {name: games.part(name, "odds") for name in games.names()}
    return {name: part.odds for name, part in parts.items() if part is not None}


def _usual_games() -> str:
    return ", ".join(
        f"{odds.usual_games:,} of {games.find(name).rules.title}" for name, odds in all_odds().items()
    )


def odds_command(
    game: Annotated[
        str,
        typer.Argument(metavar=f"[{'|'.join(all_odds())}]", help="The game; the first if you do not say."),
    ] = next(iter(all_odds())),
    number: Annotated[
        int | None,
        typer.Option("--games", min=1, max=10**10, help=f"Games to simulate: {_usual_games()}."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32, help="The same seed gives the same numbers.")] = 81,
    workers: Annotated[
        int, typer.Option(min=1, max=256, help="Threads; the numbers are the same with any number.")
    ] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the numbers, as PNG or SVG by the file's ending.")
    ] = None,
    **settings: Any,
) -> None:
    """Simulate games, and show the odds beside what is known exactly or from larger simulations.

    Example: tercet odds set --games 200000
    """
    if game not in all_odds():
        raise InputError(f"there are odds for {', '.join(all_odds())}, not for {game[:20]!r}")
    if plot is not None:
        check_plot(plot)
    kind = all_odds()[game]
    wanted = {name: value for name, value in settings.items() if value is not None}
    odds = kind(**{name: wanted[name] for name in inspect.signature(kind).parameters if name in wanted})
    games_wanted = number or kind.usual_games
    _watch(odds.simulate(games_wanted, seed, workers), games_wanted)
    found = odds.sections()
    data = {"game": game, "games": games_wanted, **odds.settings, "seed": seed}
    if as_json:
        typer.echo(codec.to_json({**data, "sections": [_plain(section) for section in found]}).decode())
    else:
        _show(found, f"{games_wanted:,} games, {odds.about}, seed {seed}")
    if plot is not None:
        plot_sections(plot, found)


def _offer_settings() -> None:
    """Let the command take what the odds of any game can be told."""
    signature = inspect.signature(odds_command, eval_str=True)
    *own, _ = signature.parameters.values()
    offered = {}
    for odds in all_odds().values():
        hints = get_type_hints(odds.__init__, include_extras=True)
        for name, setting in inspect.signature(odds).parameters.items():
            kind, meaning = hints[name].__origin__, hints[name].__metadata__[0]
            is_edition = kind is Edition
            usual = setting.default.name if is_edition else str(setting.default)
            reading: Any = {"parser": read_edition, "metavar": "NAME"} if is_edition else {}
            option = typer.Option(help=meaning, show_default=usual, **reading)
            offered[name] = setting.replace(default=None, annotation=Annotated[kind | None, option])
    odds_command.__annotations__ |= {one.name: one.annotation for one in offered.values()}
    shown = signature.replace(parameters=[*own, *offered.values()])
    odds_command.__signature__ = shown  # type: ignore[attr-defined]


_offer_settings()


def _watch(done: Iterator[int], total: int) -> None:
    """Wait with a bar on standard error, if that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=total)
        for number in done:
            progress.update(task, completed=number)


def _plain(section: Section) -> dict[str, Any]:
    return {"title": section.title, "cells": [{**cell._asdict(), "off": cell.off} for cell in section.cells]}


def _show(found: Sequence[Section], title: str) -> None:
    console = wide_console()
    console.print(title)
    for section in found:
        table = Table(box=None, pad_edge=False, title=section.title, title_justify="left", title_style="bold")
        table.add_column("", min_width=26)
        is_known = any(cell.known is not None for cell in section.cells)
        for heading in ("simulated", "±", *(("known", "", "off by") if is_known else ())):
            table.add_column(heading, justify="right", no_wrap=True)
        for cell in section.cells:
            table.add_row(*_row(cell, is_known))
        console.print()
        console.print(table)
    offs = [cell.off for section in found for cell in section.cells if cell.off is not None]
    if offs:
        console.print()
        by_chance = 1 - (1 - BEYOND_THREE) ** len(offs)
        console.print(
            f"{len(offs)} numbers are known. The farthest is off by {max(offs):.1f} standard errors; "
            f"with that many, chance alone takes one beyond 3 for {by_chance:.0%} of all seeds."
        )


def _row(cell: Cell, is_known: bool) -> list[str]:
    row = [cell.what, f"{cell.simulated:.6f}", f"{cell.error:.6f}"]
    if not is_known:
        return row
    if cell.known is None or cell.off is None:
        return [*row, "", "", ""]
    return [*row, f"{cell.known:.6f}", "exact" if cell.exact else "simulated", f"{cell.off:.1f}"]
