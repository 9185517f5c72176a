"""`tercet cubed`: the turns of a position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, TextIO

import msgspec
import typer

from tercet import codec
from tercet.cli.app import new_app
from tercet.cli.progress import track
from tercet.cli.text import InputError, open_text
from tercet.cubed import Position
from tercet.sets import TercetError

app = new_app(help="Positions of Set Cubed: every legal turn, and the best.")

File = Annotated[
    str, typer.Argument(metavar="POSITION.json", help="A position as JSON; - reads standard input.")
]


@app.command("turns")
def turns_command(
    file: File,
    batch: Annotated[
        bool, typer.Option("--batch", help="Positions as JSON lines; answer each as soon as it is read.")
    ] = False,
    _: Annotated[bool, typer.Option("--json", help="Accepted; the answer is JSON anyway.")] = False,
) -> None:
    """Print every legal turn of a position once, as JSON lines, the best first.

    A file with several positions as JSON lines gives one line each, {"turns": {"2GS@b2 2GD@a3": 9}}; with
    --batch a single position does too.

    Example: echo '{"board": {"d5": "1RO", "e5": "2RO", "f5": "3RO"}, "hand": ["1GO", "1PO"]}' | tercet cubed turns -
    """
    with open_text(file) as lines:
        positions = read_positions(lines)
        if not batch:
            first = next(positions, None)
            if first is None:
                raise InputError("there is no position in it")
            second = next(positions, None)
            if second is None:
                out = [f'{{"turn":"{turn}","score":{score}}}\n' for turn, score in first.scores().items()]
                typer.echo("".join(out), nl=False)
                return
            positions = chain([first, second], positions)
        for position in track(positions, "positions"):
            typer.echo(codec.to_json({"turns": position.scores()}).decode())


@app.command("best")
def best_command(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON lines.")] = False,
) -> None:
    """Print the turn that scores most, and its points; a pass, -, where no die can be laid.

    A file with several positions as JSON lines gives one line each.

    Example: tercet cubed best position.json
    """
    with open_text(file) as lines:
        empty = True
        for position in track(read_positions(lines), "positions"):
            empty = False
            best = position.best()
            if as_json:
                typer.echo(codec.to_json({"turn": str(best), "score": best.score}).decode())
            else:
                typer.echo(f"{best} = {best.score}")
        if empty:
            raise InputError("there is no position in it")


def read_positions(lines: TextIO) -> Iterator[Position]:
    """The positions of a file: one, on as many lines as it likes, or one a line."""
    several = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not several and not _is_json(line):
            yield Position.read(line + lines.read())
            return
        try:
            yield Position.read(line)
        except TercetError as error:
            raise InputError(f"line {number}: {error}") from None
        several = True


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True
