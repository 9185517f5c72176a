"""The command and its subcommands. A subcommand's module is imported when it is called, not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from tercet.sets import TercetError

#: Name, module, and in it the function or the group of functions.
COMMANDS = (
    ("play", "tercet.cli.play", "play_command"),
    ("sets", "tercet.cli.sets", "sets_command"),
    ("explain", "tercet.cli.sets", "explain_command"),
    ("cubed", "tercet.cli.cubed", "app"),
    ("edition", "tercet.cli.edition", "app"),
    ("replay", "tercet.cli.replay", "replay_command"),
    ("verify", "tercet.cli.records", "verify_command"),
    ("record", "tercet.cli.records", "app"),
    ("odds", "tercet.cli.odds", "odds_command"),
    ("arena", "tercet.cli.arena", "arena_command"),
)


class LazyCommands(Mapping[str, Any]):
    """The subcommands by name; looking one up imports it."""

    def __init__(self) -> None:
        self._places = {name: (module, part) for name, module, part in COMMANDS if find_spec(module)}

    def __getitem__(self, name: str) -> Any:
        module, part = self._places[name]
        found = getattr(import_module(module), part)
        if not isinstance(found, typer.Typer):
            single = new_app()
            single.command(name)(found)
            found = single
        command = typer.main.get_command(found)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class LazyGroup(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("Any", LazyCommands())

    def list_commands(self, _: Any) -> list[str]:
        return list(self.commands)


def new_app(**settings: Any) -> typer.Typer:
    """A Typer with our settings: for `tercet` itself and for each group of subcommands."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
        **settings,
    )


app = new_app(cls=LazyGroup, invoke_without_command=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tercet {version()}, kernel {kernel_kind()}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """The games Set and Set Cubed: play them, study them, script them.

    Without a command: a game in the terminal, as with `tercet play`.

    Example: tercet sets 1RFD 1GES 2GHD 3PED
    """
    if context.invoked_subcommand is None:
        from tercet.cli.play import play  # noqa: PLC0415

        play()


def version() -> str:
    from importlib.metadata import PackageNotFoundError  # noqa: PLC0415
    from importlib.metadata import version as installed  # noqa: PLC0415

    try:
        return installed("tercet")
    except PackageNotFoundError:
        return "(not installed)"


def kernel_kind() -> str:
    """Whether the hot loops are compiled."""
    if find_spec("tercet.kernel") is None:
        return "absent"
    return "compiled" if import_module("tercet.kernel").COMPILED else "not compiled"


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code: 0 done, 1 the answer is no, 2 bad input."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a ? instead of a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = app(args, prog_name="tercet", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        code = complain(f"{error.format_message()}{_way_out(error)}")
    except TercetError as error:
        code = complain(str(error))
    except BrokenPipeError:
        # Nobody reads on: nothing more to say, also not when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except OSError as error:
        code = complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def complain(text: str) -> int:
    """One line on standard error; the exit code for bad input."""
    print("tercet:", " ".join(text.split()), file=sys.stderr)
    return 2


def _way_out(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else f" (see {context.command_path} --help)"
