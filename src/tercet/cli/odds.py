"""`tercet odds`: the numbers of both games."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tercet import codec
from tercet.cli.screen import wide_console
from tercet.cli.text import read_text
from tercet.cubed.bots.rollouts import fits
from tercet.editions.edition import Edition
from tercet.games import OptionsError
from tercet.study.dice_facts import DiceFacts, gather
from tercet.study.odds import POLICIES, Cell, Counts, Policy, Section, sections, simulate
from tercet.study.plots import check_plot, plot_sections

CARD_GAMES, DICE_GAMES = 1_000_000, 5_000
#: How often a right number is off by more than three standard errors.
BEYOND_THREE = 0.0027


def odds_command(
    game: Annotated[Literal["set", "cubed"], typer.Argument(help="The card game or the dice game.")] = "set",
    number: Annotated[
        int | None,
        typer.Option(
            "--games", min=1, max=10**10, help="Games to simulate: 1,000,000 of Set, 5,000 of Set Cubed."
        ),
    ] = None,
    policy: Annotated[
        Literal["random", "first"],
        typer.Option(help="Which SET the table takes: a random one, or the first by place."),
    ] = "random",
    players: Annotated[int, typer.Option(min=2, max=4, help="Players of Set Cubed.")] = 2,
    edition: Annotated[
        str, typer.Option(help="Board and dice of Set Cubed: a name, or a TOML file.")
    ] = "house",
    seed: Annotated[int, typer.Option(min=0, max=2**32, help="The same seed gives the same numbers.")] = 81,
    workers: Annotated[
        int, typer.Option(min=1, max=256, help="Threads; the numbers are the same with any number.")
    ] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the numbers, as PNG or SVG by the file's ending.")
    ] = None,
) -> None:
    """Simulate games, and show the odds beside what is known exactly or from larger simulations.

    Example: tercet odds set --games 200000
    """
    if plot is not None:
        check_plot(plot)
    if game == "set":
        found, data = _cards(number or CARD_GAMES, policy, seed, workers)
    else:
        found, data = _dice(number or DICE_GAMES, players, _edition(edition), seed, workers)
    if as_json:
        typer.echo(codec.to_json({**data, "sections": [_plain(section) for section in found]}).decode())
    else:
        _show(found, data)
    if plot is not None:
        plot_sections(plot, found)


def _cards(games: int, policy: Policy, seed: int, workers: int) -> tuple[list[Section], dict[str, Any]]:
    counts = Counts(policy)
    _watch(simulate(counts, games, seed, workers), games)
    return sections(counts), {"game": "set", "games": games, "policy": policy, "seed": seed}


def _dice(
    games: int, players: int, edition: Edition, seed: int, workers: int
) -> tuple[list[Section], dict[str, Any]]:
    if not fits(edition):
        raise OptionsError(
            f"edition {edition.name} is too large to simulate: at most 26 x 26 squares and 250 dice"
        )
    facts = DiceFacts(edition, players)
    _watch(gather(facts, games, seed, workers), games)
    data = {"game": "cubed", "games": games, "players": players, "edition": edition.name, "seed": seed}
    return facts.sections(), data


def _edition(name: str) -> Edition:
    return Edition.read(read_text(name)) if name.endswith(".toml") else Edition.named(name)


def _watch(done: Iterator[int], total: int) -> None:
    """Wait with a bar on standard error, if that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=total)
        for number in done:
            progress.update(task, completed=number)


def _plain(section: Section) -> dict[str, Any]:
    return {"title": section.title, "cells": [{**cell._asdict(), "off": cell.off} for cell in section.cells]}


def _show(found: Sequence[Section], data: dict[str, Any]) -> None:
    console = wide_console()
    what = (
        f"taking {POLICIES[data['policy']]}" if data["game"] == "set" else f"{data['players']} greedy players"
    )
    console.print(f"{data['games']:,} games, {what}, seed {data['seed']}")
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
            f"chance alone takes one of so many beyond 3 with {by_chance:.0%} of all seeds."
        )


def _row(cell: Cell, is_known: bool) -> list[str]:
    row = [cell.what, f"{cell.simulated:.6f}", f"{cell.error:.6f}"]
    if not is_known:
        return row
    if cell.known is None or cell.off is None:
        return [*row, "", "", ""]
    return [*row, f"{cell.known:.6f}", "exact" if cell.exact else "simulated", f"{cell.off:.1f}"]
