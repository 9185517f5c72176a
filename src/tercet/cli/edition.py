"""`tercet edition`: boards and dice."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from tercet import codec
from tercet.cli.app import new_app
from tercet.cli.text import open_text
from tercet.editions import Edition, built_in_names, template
from tercet.sets import WILD
from tercet.terminal.board import draw_board
from tercet.terminal.screen import Screen

app = new_app(help="Editions of Set Cubed: their boards and dice.")

Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


@app.command("check")
def check_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An edition as TOML; - reads standard input.")],
    as_json: Json = False,
) -> None:
    """Check whether an edition can be played with.

    Example: tercet edition check my-box.toml
    """
    with open_text(file) as text:
        edition = Edition.read(text.read())
    if as_json:
        typer.echo(codec.to_json(summary(edition)).decode())
    else:
        typer.echo(f"ok: {describe(edition)}")


@app.command("list")
def list_command(as_json: Json = False) -> None:
    """List the editions that come with Tercet.

    Example: tercet edition list
    """
    editions = [Edition.named(name) for name in built_in_names()]
    if as_json:
        typer.echo(codec.to_json([summary(edition) for edition in editions]).decode())
        return
    for edition in editions:
        typer.echo(describe(edition))


@app.command("template")
def template_command() -> None:
    """Print an edition to fill in with the board and the dice of your own box.

    Example: tercet edition template > my-box.toml
    """
    typer.echo(template(), nl=False)


@app.command("show")
def show_command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="One of `tercet edition list`, or a TOML file.")
    ],
    as_json: Json = False,
) -> None:
    """Draw the board of an edition and list its dice.

    Example: tercet edition show house
    """
    edition = read_edition(name)
    if as_json:
        dice = [" ".join(map(str, faces)) for faces in edition.dice]
        typer.echo(codec.to_json({**summary(edition), "dice": dice}).decode())
        return
    screen = Screen()
    screen.print(describe(edition))
    if edition.note:
        screen.print(edition.note.strip())
    screen.print()
    draw_board(screen, edition.layout, {})
    screen.print()
    for number, faces in enumerate(edition.dice, 1):
        screen.print(f"die {number:2}  ", screen.symbols(faces))


def read_edition(name: str) -> Edition:
    """A built-in edition by its name, or one from a TOML file."""
    if not name.endswith(".toml"):
        return Edition.named(name)
    with open_text(name) as text:
        return Edition.read(text.read())


def describe(edition: Edition) -> str:
    """An edition in one line."""
    layout = edition.layout
    bonus = _count(len(layout.bonus), "bonus square")
    wilds = _count(sum(WILD in faces for faces in edition.dice), "wild")
    return (
        f"{edition.name} ({edition.title or 'no title'}): board {layout.rows}x{layout.cols}, {bonus}, "
        f"{len(edition.dice)} dice, {wilds}, wild scores {edition.wild}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def summary(edition: Edition) -> dict[str, object]:
    """An edition as plain data, its dice counted."""
    layout = edition.layout
    faces = Counter(str(face) for die in edition.dice for face in die)
    return {
        "name": edition.name,
        "title": edition.title,
        "fingerprint": edition.fingerprint,
        "size": [layout.rows, layout.cols],
        "logo": layout.logo,
        "bonus": {str(square): points for square, points in layout.bonus.items()},
        "wild": edition.wild,
        "dice_count": len(edition.dice),
        "faces": dict(sorted(faces.items())),
    }
