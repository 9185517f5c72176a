"""`tercet bench`: how fast the hot loops are on this machine."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from tercet.cli import app
from tercet.sets import TercetError


def bench_command(
    rounds: Annotated[int, typer.Option(min=1, help="How often the contestants take turns.")] = 5,
    save: Annotated[bool, typer.Option(help="Keep the results in benchmarks/results.")] = True,
) -> None:
    """Measure the kernel against plain Python and against C, and print the ratios.

    The benchmarks are not part of the package: this is for a Tercet that runs from its repository.

    Example: tercet bench --rounds 3 --no-save
    """
    if not app.BENCHMARKS.is_file():
        raise TercetError("the benchmarks live in the repository of Tercet: there, make bench runs them")
    sys.path.insert(0, str(app.BENCHMARKS.parents[1]))
    import_module("benchmarks.__main__").run(rounds, save)
