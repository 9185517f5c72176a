"""`tercet replay`: a recorded game, move by move."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from tercet import codec, record
from tercet.cli.play import find_desk
from tercet.cli.records import File, read_record
from tercet.cli.text import InputError
from tercet.games import Entry
from tercet.record import Record, write_time
from tercet.terminal.screen import Screen


def replay_command(
    file: File,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Only the table after move N.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after every move; q ends.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Each move and the state after it as a JSON line.")
    ] = False,
) -> None:
    """Show a recorded game: every move and the table after it.

    Example: tercet replay game.txt --at 12
    """
    found = read_record(file)
    if at is not None and not 1 <= at <= len(found.log):
        raise InputError(f"there is no move {at}: the record has {len(found.log)}")
    if step and file == "-":
        raise InputError("--step reads the keyboard, so the record must be a file")
    shown = (one for one in record.replay(found) if at is None or one[0].seq == at)
    if as_json:
        for entry, state in shown:
            line = found.rules.write_event(entry.event)
            data = {"seq": entry.seq, "at": entry.at, "line": line, "event": entry.event, "state": state}
            typer.echo(codec.to_json(data).decode())
        return
    draw_replay(found, shown, step=step, always=at is not None)


def draw_replay(found: Record, shown: Iterator[tuple[Entry[Any], Any]], *, step: bool, always: bool) -> None:
    """Tell every move, and draw the table where it looks different after it, or always."""
    screen = Screen()
    desk = find_desk(found.game)(found.seats, (), screen)
    result = "not finished" if found.result is None else " ".join(map(str, found.result))
    screen.print((f"{found.game}: {', '.join(found.seats)}. Result: {result}.", "bold"))
    for entry, state in shown:
        screen.print()
        screen.print(f"{entry.seq}. {write_time(entry.at)} ", (desk.narrate(state, entry.event), "bold"))
        if always or not isinstance(entry.event, desk.quiet):
            desk.draw(state, [entry.event])
        if step:
            screen.print("Enter for the next move, q to end: ", end="")
            if sys.stdin.readline().strip().lower() not in ("", "n"):
                return
