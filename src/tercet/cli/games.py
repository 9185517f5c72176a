"""`tercet games`: many recorded games, filtered and in other forms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from tercet import codec, games, record, records
from tercet.cli.options import complete_game, known_games
from tercet.cli.text import InputError, claim_file, open_text
from tercet.extras import needs
from tercet.record import Record

BATCH = 1000


class Form(StrEnum):
    TEXT = "text"
    JSON = "json"
    ROWS = "rows"
    PARQUET = "parquet"


def games_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files with one record or many; - reads standard input."),
    ],
    game: Annotated[
        str | None,
        typer.Option(metavar=known_games(), help="Only this game.", autocompletion=complete_game),
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="Only with this player; more than one: with all of them.")
    ] = None,
    winner: Annotated[
        str | None, typer.Option(help="Only those that this player won, alone or with others.")
    ] = None,
    finished: Annotated[bool, typer.Option("--finished", help="Only games that came to their end.")] = False,
    verified: Annotated[
        bool, typer.Option("--verified", help="Only games that agree with their seed; takes a while.")
    ] = False,
    skip: Annotated[int, typer.Option(min=0, help="Leave out this many first.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="No more than this many.")] = None,
    to: Annotated[
        Form,
        typer.Option(
            "--to",
            help="text and json are records, rows is one line of JSON a game, parquet a table of the same rows.",
        ),
    ] = Form.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-O", help="Write there instead of to standard output.")
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Only say how many there are.")] = False,
) -> None:
    """Choose among recorded games, and write them in another form. Games are read one at a time, however many there are.

    Example: tercet games arena.txt --winner expert --to rows > won.jsonl
    """
    tests = _tests(game, player or [], winner, finished, verified)
    found = (one for one in _read(files) if all(test(one) for test in tests))
    chosen = islice(found, skip, None if limit is None else skip + limit)
    if count:
        typer.echo(sum(1 for _ in chosen))
        return
    if to is Form.PARQUET and output is None and sys.stdout.isatty():
        raise InputError("a Parquet file is not for a terminal: say where to write it with --output FILE")
    if output is not None:
        claim_file(str(output))
    with ExitStack() as stack:
        stream: BinaryIO = sys.stdout.buffer if output is None else stack.enter_context(output.open("wb"))
        if to is Form.PARQUET:
            write_parquet(chosen, stream)
        else:
            stream.writelines(_WRITERS[to](one).encode() for one in chosen)


_WRITERS: dict[Form, Callable[[Record], str]] = {
    Form.TEXT: lambda one: record.write(one) + "\n",
    Form.JSON: record.write_json,
    Form.ROWS: lambda one: codec.to_json(records.row(one)).decode() + "\n",
}


def _read(files: Iterable[str]) -> Iterator[Record]:
    for file in files:
        with open_text(file) as lines:
            yield from records.read_all(lines)


def _tests(
    game: str | None, players: list[str], winner: str | None, finished: bool, verified: bool
) -> list[Callable[[Record], bool]]:
    tests: list[Callable[[Record], bool]] = []
    if game is not None:
        games.find(game)
        tests.append(lambda one: one.game == game)
    if players:
        tests.append(lambda one: set(players) <= set(one.seats))
    if finished or winner is not None:
        tests.append(lambda one: one.result is not None)
    if winner is not None:
        tests.append(lambda one: winner in [one.seats[seat] for seat in records.row(one)["winners"]])
    if verified:
        tests.append(lambda one: record.verify(one) is None)
    return tests


def write_parquet(found: Iterable[Record], stream: BinaryIO) -> None:
    """The rows as a Parquet file, some at a time."""
    with needs("parquet"):
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415
    texts, numbers = pa.list_(pa.string()), pa.list_(pa.int64())
    kinds: dict[str, Any] = {
        "game": pa.string(),
        "table": pa.string(),
        "number": pa.int64(),
        "seats": texts,
        "result": numbers,
        "winners": numbers,
        "finished": pa.bool_(),
        "options": pa.string(),
        "seed": pa.string(),
        "commitment": pa.string(),
        "secrets": texts,
        "duration_ms": pa.int64(),
        "times": numbers,
        "moves": texts,
        "tags": pa.string(),
    }
    schema = pa.schema(list(kinds.items()))
    rows = (records.row(one) for one in found)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := list(islice(rows, BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
