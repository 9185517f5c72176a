"""A progress bar for what takes longer than a second, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

#: Shorter than this needs no bar.
PATIENCE_SECONDS = 1.0


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items as they are; a bar on standard error counts them.

    There is none where standard error is no terminal, or where the answers go to one themselves.
    """
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    began = time.monotonic()
    iterator = iter(items)
    count = 0
    for item in iterator:
        yield item
        count += 1
        if time.monotonic() - began > PATIENCE_SECONDS:
            break
    else:
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn  # noqa: PLC0415

    columns = (what, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(what, total=total, completed=count)
        for item in iterator:
            yield item
            progress.advance(bar)
