"""`tercet bench`: how fast the hot loops are on this machine."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from tercet.sets import TercetError


def bench_command(
    rounds: Annotated[int, typer.Option(min=1, help="How often the contestants take turns.")] = 5,
    save: Annotated[bool, typer.Option(help="Keep the results in benchmarks/results.")] = True,
) -> None:
    """Measure the kernel against plain Python and against C, and print the ratios.

    The benchmarks are not installed with the package: call this in a copy of the repository.

    Example: tercet bench --rounds 3 --no-save
    """
    if find_spec("benchmarks") is None or find_spec("benchmarks.measure") is None:
        raise TercetError("the benchmarks live in the repository: call this there, or make bench")
    import_module("benchmarks.__main__").run(rounds, save)
