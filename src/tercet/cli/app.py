"""The command and its subcommands. A subcommand's module is imported when it is called, not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, cast

import typer
import typer.core

from tercet import __version__
from tercet.extras import needs
from tercet.sets import TercetError


class Place(NamedTuple):
    """Where a subcommand is: its module, in it the function or the group of functions, and a line of help."""

    module: str
    part: str
    help: str


#: The subcommands in the order in which `tercet --help` lists them. Those of parts that are not there are left out.
COMMANDS = {
    "play": Place("tercet.cli.play", "play_command", "Play in the terminal, people and bots mixed."),
    "sprint": Place("tercet.cli.runs", "sprint_command", "Play against the clock, alone."),
    "daily": Place("tercet.cli.runs", "daily_command", "Play the puzzle of the day on a server."),
    "serve": Place("tercet.cli.serve", "serve_command", "Serve tables to browsers, with the site."),
    "bridge": Place("tercet.cli.bridge", "bridge_command", "Let any program play on a server."),
    "sets": Place("tercet.cli.sets", "sets_command", "Find every SET among cards or faces."),
    "explain": Place("tercet.cli.sets", "explain_command", "Say why three are a SET, or why not."),
    "edition": Place("tercet.cli.edition", "app", "Check and show boards and dice."),
    "replay": Place("tercet.cli.replay", "replay_command", "Show a recorded game, move by move."),
    "review": Place("tercet.cli.review", "review_command", "Say what finished games teach."),
    "verify": Place("tercet.cli.records", "verify_command", "Check a recorded game against its seed."),
    "record": Place("tercet.cli.records", "app", "Change the form of a record."),
    "games": Place("tercet.cli.games", "games_command", "Choose among recorded games, in any form."),
    "odds": Place("tercet.cli.odds", "odds_command", "Compute the odds of the games."),
    "arena": Place("tercet.cli.arena", "arena_command", "Let bots play against each other."),
    "bench": Place("tercet.cli.bench", "bench_command", "Measure how fast the hot loops are here."),
    "backup": Place("tercet.cli.serve", "backup_command", "Copy the database of a table server."),
    "restore": Place("tercet.cli.serve", "restore_command", "Fill an empty database from such a copy."),
    "rebuild": Place("tercet.cli.serve", "rebuild_command", "Compute again what follows from the games."),
}


#: No part of the package: where it runs from its repository, they are there.
BENCHMARKS = Path(__file__).parents[3] / "benchmarks" / "measure.py"


class LazyCommands(Mapping[str, Any]):
    """The subcommands by name, those of the games after ours; looking one up imports it."""

    @cached_property
    def places(self) -> dict[str, Place]:
        """All that there are; the games themselves are not imported for it."""
        own = {name: place for name, place in COMMANDS.items() if find_spec(place.module)}
        if not BENCHMARKS.is_file():
            del own["bench"]
        return own | {name: place for name, place in _places_of_games().items() if name not in own}

    def __getitem__(self, name: str) -> Any:
        place = COMMANDS.get(name) or self.places[name]
        with needs("cli"):
            found = getattr(import_module(place.module), place.part)
        if not isinstance(found, typer.Typer):
            single = new_app()
            single.command(name)(found)
            found = single
        command = typer.main.get_command(found)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def _places_of_games() -> dict[str, Place]:
    """A game whose package has ``commands`` gets them under its name."""
    from tercet.games import catalogue  # noqa: PLC0415

    return {
        name: Place(f"{catalogue.package(name)}.commands", "app", f"Commands for the game {name}.")
        for name in catalogue.names()
        if catalogue.has_part(name, "commands")
    }


class LazyGroup(typer.core.TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._lazy = LazyCommands()
        self.commands = cast("Any", self._lazy)

    def list_commands(self, _: Any) -> list[str]:
        return list(self._lazy)

    def format_commands(self, _: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.help) for name, place in self._lazy.places.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """For the Tab key: the names alone, for which no subcommand need be imported."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        item = cast("Any", typer.core).CompletionItem
        return [
            item(name, help=place.help)
            for name, place in self._lazy.places.items()
            if name.startswith(incomplete)
        ]


def new_app(**settings: Any) -> typer.Typer:
    """A Typer with our settings: for `tercet` itself and for each group of subcommands."""
    return typer.Typer(
        add_completion="cls" in settings,  # of `tercet` itself: its subcommands are completed by it
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
        **settings,
    )


app = new_app(cls=LazyGroup, invoke_without_command=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tercet {__version__}, kernel {kernel_kind()}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Set and the games around it: play them, study them, script them.

    Without a command: the site on this machine, as with `tercet serve`; or, where the server is not
    installed, a game in the terminal, as with `tercet play`.

    Example: tercet sets 1RFD 1GES 2GHD 3PED
    """
    if context.invoked_subcommand is None:
        if find_spec("litestar") is None:
            from tercet.cli.play import play  # noqa: PLC0415

            play()
        else:
            from tercet.cli.serve import serve_command  # noqa: PLC0415

            serve_command()


def kernel_kind() -> str:
    """Whether the hot loops are compiled."""
    if find_spec("tercet.kernel") is None:
        return "absent"
    return "compiled" if import_module("tercet.kernel").COMPILED else "not compiled"


def run(args: list[str] | None = None) -> NoReturn:
    """What `tercet.cli.main` does once it has found that the command line is installed."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number instead of a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = app(args, prog_name="tercet", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        code = complain(f"{error.format_message().replace('Value error, ', '')}{_way_out(error)}")
    except TercetError as error:
        code = complain(str(error))
    except ModuleNotFoundError as error:
        code = complain(f"this needs the Python package {error.name}, which is not installed")
    except (BrokenPipeError, SystemExit) as end:
        code = 0
        if not isinstance(end, SystemExit) or end.code:
            # Nobody reads on (Typer leaves in that case): nothing more to say, also not when Python flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 141
    except OSError as error:
        code = complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _open_closed_streams() -> None:
    """Where the caller closed standard input or output, Python has None: nothing to read, nobody to tell."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def complain(text: str) -> int:
    """One line on standard error; the exit code for bad input."""
    print("tercet:", " ".join(text.split()), file=sys.stderr)
    return 2


def _way_out(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else f" (see {context.command_path} --help)"
