"""`tercet bench`: how fast the hot loops are on this machine."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from tercet.sets import TercetError

#: Where the repository is when Tercet runs from it.
REPOSITORY = Path(__file__).parents[3]


def bench_command(
    rounds: Annotated[int, typer.Option(min=1, help="How often the contestants take turns.")] = 5,
    save: Annotated[bool, typer.Option(help="Keep the results in benchmarks/results.")] = True,
) -> None:
    """Measure the kernel against plain Python and against C, and print the ratios.

    The benchmarks are not part of the package: this is for a Tercet that runs from its repository.

    Example: tercet bench --rounds 3 --no-save
    """
    if not (REPOSITORY / "benchmarks" / "measure.py").is_file():
        raise TercetError("the benchmarks live in the repository of Tercet: there, make bench runs them")
    sys.path.insert(0, str(REPOSITORY))
    import_module("benchmarks.__main__").run(rounds, save)
