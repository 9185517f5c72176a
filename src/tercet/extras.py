"""What the core does without: each part that needs further packages, and the command that installs them.

Every entry to such a part imports them inside `needs`, so that whoever lacks one reads one and the same sentence.

>>> with needs("rl"):
...     import no_such_package
Traceback (most recent call last):
tercet.extras.MissingExtra: the learning environments need no_such_package, which is not installed: pip install 'tercet[rl]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tercet.sets import TercetError

#: The extras of pyproject.toml that are for users, each with how its sentence begins.
EXTRAS = {
    "cli": "the command line needs",
    "client": "the client needs",
    "server": "the server needs",
    "study": "plots need",
    "parquet": "Parquet files need",
    "rl": "the learning environments need",
    "openspiel": "the games for OpenSpiel need",
}


class MissingExtra(TercetError, ModuleNotFoundError):
    """A package that an optional part needs is not installed. ``extra`` is the part, ``name`` the package."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"{EXTRAS[extra]} {package}, which is not installed: pip install 'tercet[{extra}]'")
        self.extra, self.name = extra, package


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports of what ``extra`` installs: `MissingExtra` if it is not there."""
    try:
        yield
    except MissingExtra:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "tercet"):
            raise
        raise MissingExtra(extra, package) from None
