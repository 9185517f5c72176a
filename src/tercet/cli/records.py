"""`tercet verify` and `tercet record convert`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from tercet import codec, games, record
from tercet.cli.app import new_app
from tercet.cli.text import open_text
from tercet.fairness import read_promise
from tercet.record import Proof, Record, Step
from tercet.sets import TercetError

app = new_app(help="Records of games: change their form.")

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, as text or as JSON lines; - reads standard input.")
]


def read_record(file: str) -> Record:
    with open_text(file) as text:
        return record.read(text.read())


#: How the three steps are called, and what the exit code says of a record that is not all of a finished game.
STEPS = {
    "itself": "agrees with itself",
    "promised": "is what was promised before play",
    "secret": "has your own secret in it",
}
VERDICTS = {"proved": "yes", "wrong": "NO", "open": "open"}
STATES = {
    "finished": "",
    "broken_off": "The game was broken off: this is a record as far as it went.",
    "unfinished": "The game is not finished: its seed is still secret.",
    "unsealed": "The record has no seal: times, votes and names may have been changed.",
}


def verify_command(
    file: File,
    promise: Annotated[
        str | None,
        typer.Option(
            "--promise",
            metavar="FILE",
            help="What your client kept when the game began; see docs/fairness.md.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> None:
    """Check every shuffle, draw and throw of a game against its seed and secrets, and every move against the rules.

    Three steps: the record agrees with itself; it is what was promised before play; your own secret is in it. The
    last two need what your client kept. The exit code is 0 if all that was asked is proved, 1 if something is wrong,
    2 if FILE is no record, 3 if the game is not finished or the record has no seal.

    FILE may also be the puzzle of a day that is over, as a server tells it (/api/daily/KIND/DAY): then it is checked that the seed is the one
    that was committed to, and that the puzzle follows from it.

    Example: tercet verify game.txt --promise ~/.local/share/tercet/promises/tercet.example-K7QXRM-1.json
    """
    with open_text(file) as opened:
        content = opened.read()
    if (day := _read_day(content)) is not None:
        _verify_day(*day, as_json=as_json)
        return
    kept = None
    if promise is not None:
        with open_text(promise) as text:
            kept = read_promise(text.read())
    proof = record.prove(record.read(content), kept)
    if as_json:
        steps = {name: codec.to_data(getattr(proof, name)) for name in STEPS}
        typer.echo(codec.to_json({"ok": _exit_code(proof) == 0, "state": proof.state, **steps}).decode())
    else:
        for line in _report(proof):
            typer.echo(line)
    if code := _exit_code(proof):
        raise typer.Exit(code)


def _read_day(content: str) -> tuple[Any, Any] | None:
    """The puzzle of a day, and the game's module that knows of such; None if this is something else."""
    for made in filter(None, (games.part(name, "days") for name in games.names())):
        try:
            return codec.from_json(content, made.OpenDay), made
        except (msgspec.DecodeError, TercetError):
            continue
    return None


def _verify_day(day: Any, made: Any, *, as_json: bool) -> None:
    wrong = made.check(day)
    if as_json:
        typer.echo(codec.to_json({"ok": wrong is None, "day": day.day, "what": wrong}).decode())
    else:
        typer.echo(
            f"NO: {wrong}" if wrong else f"ok\nyes: the puzzle of {day.day} is the one that was committed to"
        )
    if wrong:
        raise typer.Exit(1)


def _report(proof: Proof) -> Iterator[str]:
    if not proof.is_wrong and proof.state == "finished":
        yield "ok"
    for name, said in STEPS.items():
        step: Step = getattr(proof, name)
        yield f"{VERDICTS[step.verdict]}: {said}{'' if step.verdict == 'proved' else f': {step.what}'}"
    if STATES[proof.state]:
        yield STATES[proof.state]


def _exit_code(proof: Proof) -> int:
    if proof.is_wrong:
        return 1
    return 0 if proof.state == "finished" else 3


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
        Form | None, typer.Option("--to", help="The form to write; without it, the other one.")
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
