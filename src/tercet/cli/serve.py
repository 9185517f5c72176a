"""`tercet serve` and what belongs to it: the table server, its backups and its projections."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tercet.cli.progress import make_bar
from tercet.extras import needs
from tercet.sets import TercetError

if TYPE_CHECKING:
    from tercet.server.projections.rebuild import Progress, Rebuilt
    from tercet.server.store import Store

T = TypeVar("T")

#: How often a rebuild says how far it is, where there is no terminal.
SAY_SECONDS = 5

Database = Annotated[
    str | None,
    typer.Option("--db", metavar="PLACE", help="A file, or postgresql://user@host/name."),
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="Settings as TOML (docs/hosting.md).")
]


def serve_command(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any.")] = None,
    db: Database = None,
    bus: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="redis://host, where several servers on one database meet."),
    ] = None,
    settings: SettingsFile = None,
    browser: Annotated[bool, typer.Option(help="Open the site in the browser.")] = True,
) -> None:
    """Serve tables where people and bots play, with the site.

    Settings also come from the environment: TERCET_HOST, TERCET_PORT, TERCET_DATABASE, …

    Example: tercet serve --host 0.0.0.0 --no-browser
    """
    with needs("server"):
        from tercet.server.run import run  # noqa: PLC0415
        from tercet.server.settings import load  # noqa: PLC0415

    run(load(settings, host=host, port=port, database=db, bus=bus), browser=browser)


def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to put it, such as tercet.backup.gz.")],
    db: Database = None,
    settings: SettingsFile = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there already.")] = False,
) -> None:
    """Write a backup of the server's database, also while it runs.

    Example: tercet backup friday.backup.gz
    """
    with needs("server"):
        from tercet.server.backup import backup  # noqa: PLC0415

    count = asyncio.run(_with_store(db, settings, lambda store: backup(store, file, force=force)))
    typer.echo(f"{file}: {count} rows")


def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `tercet backup` wrote.")],
    db: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Fill an empty database from a backup; SQLite and PostgreSQL take each other's.

    Example: tercet restore friday.backup.gz --db new.db
    """
    with needs("server"):
        from tercet.server.backup import restore  # noqa: PLC0415

    if not file.is_file():
        raise TercetError(f"there is no file {file}")
    count = asyncio.run(_with_store(db, settings, lambda store: restore(store, file), create=True))
    typer.echo(f"{count} rows restored")


def rebuild_command(db: Database = None, settings: SettingsFile = None) -> None:
    """Make lobby, my games and statistics again from the logs, also while the server runs.

    Nobody sees anything of it until all is done; stopped, it goes on the next time where it was.

    Example: tercet rebuild
    """
    with needs("server"):
        from tercet.server.projections.rebuild import rebuild  # noqa: PLC0415

    def work(show: Progress) -> Rebuilt:
        return asyncio.run(_with_store(db, settings, lambda store: rebuild(store, show)))

    done = _with_progress(work)
    typer.echo(f"{done.tables} tables, {done.games} games")
    if done.unread:
        unread = ", ".join(done.unread)
        typer.echo(
            f"tercet: the logs of these tables cannot be read, and they keep their rows: {unread}", err=True
        )
        raise typer.Exit(1)


def _with_progress(work: Callable[[Progress], T]) -> T:
    """A bar on a terminal; elsewhere a line every few seconds, if it takes so long."""
    if sys.stderr.isatty():
        with make_bar("Tables", time_left=True) as bars:
            bar = bars.add_task("Tables")
            return work(lambda done, _games, total: bars.update(bar, completed=done, total=total))
    said = time.monotonic()

    def say(done: int, games: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > SAY_SECONDS:
            said = time.monotonic()
            typer.echo(f"{done} of {total} tables, {games} games", err=True)

    return work(say)


async def _with_store(
    db: str | None, settings: Path | None, work: Callable[[Store], Awaitable[T]], *, create: bool = False
) -> T:
    with needs("server"):
        from tercet.server.settings import is_postgres, load  # noqa: PLC0415
        from tercet.server.store import Unavailable, files, open_store  # noqa: PLC0415

    place = load(settings, database=db).database
    is_new = create and not is_postgres(place) and not Path(place).exists()
    store = await open_store(place, create=create)
    is_for_nothing = False
    try:
        return await work(store)
    except BaseException as error:
        with suppress(Unavailable):
            is_for_nothing = is_new and await store.is_empty()
        if isinstance(error, Unavailable):
            raise TercetError(f"the database went away ({error}); try again when it is back") from None
        raise
    finally:
        await store.close()
        if is_for_nothing:
            files.remove(Path(place))
