"""`tercet verify` and `tercet record convert`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from tercet import codec, games, record, records
from tercet.cli.app import new_app
from tercet.cli.text import InputError, open_text
from tercet.fairness import read_promise
from tercet.record import Proof, Record, Step
from tercet.sets import TercetError

app = new_app(help="Records of games: change their form.")

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, as text or as JSON lines; - reads standard input.")
]


def read_record(file: str) -> Record:
    with open_text(file) as text:
        return read_one(
            text.read(),
            "tercet games FILE --skip 4 --limit 1 takes out the fifth, to be kept in another file",
        )


def read_one(text: str, for_many: str) -> Record:
    """The record that is all of this text; whoever has many of them is told what there is for those."""
    try:
        return record.read(text)
    except record.RecordError:
        if _holds_many(text):
            raise record.RecordError(f"there are several games in it: {for_many}") from None
        raise


def _holds_many(text: str) -> bool:
    return sum(map(records.begins, text.splitlines())) > 1


#: How the three steps are called, and what the exit code says of a record that is not all of a finished game.
STEPS = {
    "itself": "is consistent",
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

    Three steps: the record is consistent; it is what was promised before play; your own secret is in it. The
    last two need what your client kept. The exit code is 0 if all that was asked is proved, 1 if something is wrong,
    2 if FILE is no record, 3 if the game is not finished or the record has no seal.

    If there are several games in FILE, each that is not in order is named, and the last line says how many are.

    FILE may also be the puzzle of a day that is over, as a server tells it (/api/daily/KIND/DAY): then it is checked that the seed is the one
    that was committed to, and that the puzzle follows from it.

    Example: tercet verify game.txt --promise ~/.local/share/tercet/promises/tercet.example-K7QXRM-1.json
    """
    with open_text(file) as opened:
        content = opened.read()
        if (day := _read_day(content)) is not None:
            _verify_day(*day, as_json=as_json)
            return
        if (secret := _read_secret_day(content)) is not None:
            typer.echo(secret)
            raise typer.Exit(3)
        if _holds_many(content):
            _verify_all(content, promise, as_json=as_json)
            return
        found = record.read(content)
    kept = None
    if promise is not None:
        with open_text(promise) as text:
            kept = read_promise(text.read())
    proof = record.prove(found, kept)
    if as_json:
        steps = {name: codec.to_data(getattr(proof, name)) for name in STEPS}
        typer.echo(codec.to_json({"ok": _exit_code(proof) == 0, "state": proof.state, **steps}).decode())
    else:
        for line in _report(proof):
            typer.echo(line)
    if code := _exit_code(proof):
        raise typer.Exit(code)


def _verify_all(content: str, promise: str | None, *, as_json: bool) -> None:
    """Every game by itself; the exit code is that of the worst."""
    if promise is not None:
        raise InputError(
            "there are several games in it, and a promise is for one: tercet games FILE --skip 4 --limit 1"
        )
    codes: list[int] = []
    for number, found in enumerate(records.read_all(content.splitlines()), 1):
        proof = record.prove(found, None)
        codes.append(_exit_code(proof))
        if as_json:
            told = {
                "game": number,
                "ok": codes[-1] == 0,
                "state": proof.state,
                "itself": codec.to_data(proof.itself),
            }
            typer.echo(codec.to_json(told).decode())
        elif codes[-1]:
            typer.echo(f"game {number}: {proof.itself.what if proof.is_wrong else STATES[proof.state]}")
    if not as_json:
        typer.echo("ok" if not any(codes) else "NO" if 1 in codes else "open")
        typer.echo(f"{codes.count(0)} of {len(codes)} games are finished and agree with themselves")
    if any(codes):
        raise typer.Exit(1 if 1 in codes else 3)


def _read_day(content: str) -> tuple[Any, Any] | None:
    """The puzzle of a day, and the game's module that knows of such; None if this is something else."""
    for made in filter(None, (games.part(name, "days") for name in games.names())):
        try:
            return codec.from_json(content, made.OpenDay), made
        except (msgspec.DecodeError, TercetError):
            continue
    return None


class _SecretDay(msgspec.Struct):
    """The puzzle of a day as a server tells it before the day is over."""

    day: str
    commitment: str
    seed: None


def _read_secret_day(content: str) -> str | None:
    try:
        found = codec.from_json(content, _SecretDay)
    except msgspec.DecodeError:
        return None
    return (
        f"open: the seed of {found.day} is secret until the day is over; its commitment is {found.commitment}"
    )


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
        found = read_one(text, "tercet games FILE --to json, or --to text, writes them all")
    if to is None:
        to = Form.TEXT if text.lstrip().startswith("{") else Form.JSON
    typer.echo(record.write(found) if to is Form.TEXT else record.write_json(found), nl=False)
