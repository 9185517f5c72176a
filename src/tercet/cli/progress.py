"""A progress bar for what takes longer than a second, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

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
    with make_bar(what) as progress:
        bar = progress.add_task(what, total=total, completed=count)
        for item in iterator:
            yield item
            progress.advance(bar)


def make_bar(what: str, *, time_left: bool = False) -> Progress:
    """A bar on standard error, which is gone when it is done; with the time that it has taken, or that is left."""
    from rich import progress  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    clock = progress.TimeRemainingColumn() if time_left else progress.TimeElapsedColumn()
    columns = (what, progress.BarColumn(), progress.MofNCompleteColumn(), clock)
    return progress.Progress(*columns, console=Console(stderr=True), transient=True)
