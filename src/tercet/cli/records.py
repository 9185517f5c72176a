"""`tercet verify` and `tercet record convert`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tercet import codec, record
from tercet.cli.app import new_app
from tercet.cli.text import open_text
from tercet.record import Record

app = new_app(help="Records of games: change their form.")

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, as text or as JSON lines; - reads standard input.")
]


def read_record(file: str) -> Record:
    with open_text(file) as text:
        return record.read(text.read())


def verify_command(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> None:
    """Check every shuffle, draw and throw of a finished game against its seed, and every move against the rules.

    The exit code is 0 if all is right, 1 if not, 2 if FILE is no record.

    Example: tercet verify game.txt
    """
    problem = record.verify(read_record(file))
    if as_json:
        where = {} if problem is None else {"line": problem.line, "what": problem.what}
        typer.echo(codec.to_json({"ok": problem is None, **where}).decode())
    else:
        typer.echo("ok" if problem is None else str(problem))
    if problem is not None:
        raise typer.Exit(1)


class Form(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.callback()
def keep_group() -> None:
    """With one subcommand Typer would otherwise leave its name out."""


@app.command("convert")
def convert_command(
    file: File,
    to: Annotated[
        Form | None, typer.Option("--to", help="The form to write; the other one if not said.")
    ] = None,
) -> None:
    """Print a record in its other form: text for people, JSON lines for programs.

    Example: tercet record convert game.txt > game.jsonl
    """
    with open_text(file) as stream:
        text = stream.read()
        found = record.read(text)
    if to is None:
        to = Form.TEXT if text.lstrip().startswith("{") else Form.JSON
    typer.echo(record.write(found) if to is Form.TEXT else record.write_json(found), nl=False)
