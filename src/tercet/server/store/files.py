"""The files of a database are their owner's alone: they hold seeds of running games."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tercet.server.settings import data_folder

logger = logging.getLogger("tercet.store")

#: What SQLite puts beside a database; it gives these the mode of the database.
BESIDE = ("", "-wal", "-shm", "-journal")


def make(path: Path) -> bool:
    """Make the file, and its folder, if they are not there, for the owner alone; whether the file is new."""
    folder = path.parent
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    if not path.exists():
        # Never open one that is there: closing it would take away the locks that SQLite holds in this process, and another
        # process might then delete the log of changes beneath it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            return True
    return False


def make_private(path: Path) -> None:
    """Take away the rights of others to a database, and to its folder if that is Tercet's: its data folder, or one with nothing
    else in it."""
    for ending in BESIDE:
        _take_from_others(Path(f"{path}{ending}"))
    if _is_ours(path.parent, path.name):
        _take_from_others(path.parent)


def remove(path: Path) -> None:
    """Take away a database that nothing has open."""
    for ending in BESIDE:
        Path(f"{path}{ending}").unlink(missing_ok=True)


@contextmanager
def served(path: Path, *, together: bool) -> Iterator[bool]:
    """Note beside the database that a server has it, as long as this process lives; whether it may. One alone may, or any number
    that serve it ``together``."""
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:  # Windows: nobody is told
        yield True
        return
    # Not the database itself: closing it would take away the locks that SQLite holds in this process.
    file = os.open(f"{path}-server", os.O_RDWR | os.O_CREAT, 0o600)
    may = True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if together else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        may = False
    except OSError:
        pass  # a file system that knows no such notes
    try:
        yield may
    finally:
        os.close(file)


def _is_ours(folder: Path, name: str) -> bool:
    if folder.resolve() == data_folder().resolve():
        return True
    try:
        return all(one.name.startswith(name) for one in folder.iterdir())
    except OSError:
        return False


def _take_from_others(path: Path) -> None:
    try:
        found = path.stat()
        shared = stat.S_IMODE(found.st_mode) & 0o077
        if shared and not found.st_mode & stat.S_ISVTX:
            path.chmod(stat.S_IMODE(found.st_mode) & ~0o077)
    except FileNotFoundError:
        return
    except OSError as error:
        logger.warning("others can read the database", extra={"reason": error.strerror})
