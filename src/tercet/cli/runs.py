"""`tercet sprint` and `tercet daily`: playing against the clock in the terminal."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

import typer
from platformdirs import user_data_path

from tercet import games
from tercet.bots.driver import Bots
from tercet.cli.pace import FastPace, Keyboard, LivePace
from tercet.cli.play import find_desk, read_seed
from tercet.cli.session import Session
from tercet.cli.text import InputError, read_day
from tercet.games import Refusal
from tercet.games.runs import Measured, Run, find_run, measure, runs
from tercet.sets import TercetError
from tercet.terminal.desk import Quit, Say
from tercet.terminal.screen import Screen
from tercet.terminal.words import count

if TYPE_CHECKING:
    from tercet.client import RemoteTable
    from tercet.server.protocol import RunSummary, TurnValue

SERVER = "http://localhost:8000"
_DAILY = [one.name for one in runs().values() if one.daily]
_ALONE = [one.name for one in runs().values() if not one.daily]

Server = Annotated[
    str | None,
    typer.Option(
        "--server", metavar="URL", help="Play there, and get on its boards; TERCET_TOKEN says who you are."
    ),
]
Name = Annotated[str, typer.Option("--name", help="What you are called there as a guest.")]


def sprint_command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="[KIND]",
            help="What to play: " + ", ".join(_ALONE),
            autocompletion=lambda incomplete: [name for name in _ALONE if name.startswith(incomplete)],
        ),
    ] = "sprint",
    server: Server = None,
    name: Name = "Player",
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Play the run of this seed; it is not kept as a best."),
    ] = None,
    fast: Annotated[
        bool, typer.Option("--fast", help="Do not wait for the clock; for trying things out.")
    ] = False,
) -> None:
    """Play against the clock, alone: the whole deck, ten SETs, a storm of items, eight boards of dice.

    Here at the keyboard your best times are kept for you alone; with --server the server keeps the time, and its boards.

    Example: tercet sprint sprint_ten
    """
    run = find_run(kind)
    if run.daily:
        raise InputError("the puzzle of the day is on a server: tercet daily")
    if server is not None:
        asyncio.run(_play_there(server, name, run, None))
        return
    _play_here(run, seed, fast=fast)


def daily_command(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help=" or ".join(_DAILY))] = _DAILY[0],
    server: Server = None,
    name: Name = "Player",
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="DAY", help="A past day, as in 2026-11-16; it does not count."),
    ] = None,
) -> None:
    """Play the puzzle of the day on a server, the same for all.

    Example: tercet daily --server https://tercet.example --name Ann
    """
    if kind not in _DAILY:
        way = f": tercet sprint {kind}" if kind in _ALONE else f"; there are {' and '.join(_DAILY)}"
        raise InputError(f"{kind} is not a daily puzzle{way}")
    asked_day = None if day is None else read_day(day).isoformat()
    asked = server or os.environ.get("TERCET_SERVER")
    from tercet.client import ClientError  # noqa: PLC0415

    try:
        asyncio.run(_play_there(asked or SERVER, name, find_run(kind), asked_day))
    except ClientError as error:
        if error.code != "unreachable" or asked:
            raise
        raise InputError(
            f"{error}; the puzzle of the day is on a server: name one with --server URL, or start one with tercet serve"
        ) from None


# --- at this keyboard ---


def _play_here(run: Run, seed: str | None, *, fast: bool) -> None:
    screen = Screen()
    screen.print((f"{run.title}. {run.costs}".strip(), "bold"))
    screen.print("Type ? for help, quit to leave.")
    if not fast and not _begins(screen):
        return
    keyboard = Keyboard()
    secrets = [] if seed is not None else [token_hex(32)]
    table = games.find(run.game)(["Player"], seed=read_seed(seed), options=dict(run.options), secrets=secrets)
    desk = find_desk(run.game)(["Player"], [0], screen)
    session = Session(
        table, desk, Bots(table, [], 1.0), FastPace(keyboard) if fast else LivePace(keyboard), hints=False
    )
    try:
        session.run()
    except Quit:
        screen.print("You stopped before the end: no time is kept.")
        return
    measured = measure(run, table.options, table.log, 0)
    screen.print(_words(run, measured))
    if splits := _splits(run, table.options, table.log):
        screen.print(splits)
    if measured.reason is not None:
        screen.print("It does not count: it was not played to the end, or was faster than a hand can move.")
    elif seed is None and not fast:
        screen.print(_keep_best(run, measured))


def _begins(screen: Screen) -> bool:
    """Whether somebody is there and wants to: a day can be tried once."""
    screen.print("Press Enter to begin: the clock runs from then on. ", end="")
    line = sys.stdin.readline()
    return line != "" and not _leaves(line)


def _leaves(line: str) -> bool:
    return line.strip().lower() in ("q", "quit", "exit")


def _words(run: Run, measured: Measured | RunSummary) -> str:
    """What counts, and how it comes about."""
    seconds, points = measured.time_ms / 1000, count(measured.points, "point", "points")
    errors = count(measured.errors, "error", "errors")
    if run.order == "points":
        return f"{points} in {seconds:.1f} seconds{f', {errors}' if measured.errors else ''}."
    added = measured.value - measured.time_ms
    how = f" ({seconds:.1f} + {added // 1000}{f' for {errors}' if measured.errors else ''})" if added else ""
    return f"{measured.value / 1000:.1f} seconds{how}, {points}."


def _chances(run: Run, done: RunSummary, best: TurnValue) -> str:
    """What counts where turns are compared, which is not their points."""
    days = games.part(run.game, "days")
    assert days is not None
    yours = days.chance_of(done.value)
    return f"Your turn wins {yours:.1%} of the games, the best one {best.chance:.1%}: {best.turn}."


def _splits(run: Run, options: Any, log: Sequence[Any]) -> str:
    """When so much of it was done, by the time that counts."""
    if run.order != "time":
        return ""
    known = [measure(run, options, log[:number], 0) for number in range(1, len(log) + 1)]
    done = [after.value for before, after in pairwise(known) if after.points > before.points]
    step = 5 if len(done) > 12 else 2
    shown = [place for place in range(1, len(done) + 1) if place % step == 0 or place == len(done)]
    parts = [f"{place} in {done[place - 1] / 1000:.1f}" for place in shown]
    return f"Splits: {', '.join(parts)}." if len(parts) > 1 else ""


def _keep_best(run: Run, measured: Measured) -> str:
    """Compare with what was achieved here before, and keep the best, the last and the sum."""
    file = Path(os.environ.get("TERCET_BESTS") or user_data_path("tercet") / "bests.json")
    try:
        known: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    before = known.get(run.name)
    best = measured.value if before is None else min(before["best"], measured.value)
    played = 1 + (0 if before is None else before["count"])
    known[run.name] = {"best": best, "last": measured.value, "count": played}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(known), "utf-8")
    if before is None:
        return "Your first: the one to beat."
    best = before["best"]
    if run.order == "points":
        return "Your best so far!" if measured.value < best else "Your best stands."
    if measured.value < best:
        return f"Your best so far! The old one was {best / 1000:.1f} seconds."
    return f"Your best stands: {best / 1000:.1f} seconds."


# --- on a server ---


async def _play_there(server: str, name: str, run: Run, day: str | None) -> None:
    from tercet.client import Client  # noqa: PLC0415
    from tercet.client import Refusal as Refused  # noqa: PLC0415
    from tercet.server.protocol import Board, Daily, MyRuns, RunCreated, Start  # noqa: PLC0415

    screen = Screen()
    token = os.environ.get("TERCET_TOKEN") or None
    async with Client(server, token=token) as client:
        if token is None:
            await client.sign_in(name)
        wanted = {"kind": run.name, **({"day": day} if day else {})}
        created: RunCreated = await client.request("POST", "/api/runs", wanted, kind=RunCreated)
        if created.reason is not None:
            screen.print(f"This will be on no board: {created.reason.replace('_', ' ')}.")
        async with client.join(created.code) as table:
            if table.table.phase != "playing":
                its = table.table.run.day if table.table.run is not None else None
                title = f"{run.title}, {its}" if its else run.title
                screen.print((f"{title}. {run.costs}".strip(), "bold"))
                if not await asyncio.to_thread(_begins, screen):
                    return
                await table.manage(Start())
            await table.until(lambda: table.game is not None and table.log != [])
            try:
                await _attend(table, screen, Refused)
            except Quit:
                back = (
                    "Come back with the same command." if token else "As a guest you cannot come back to it."
                )
                screen.print(f"You have left; the clock goes on. {back}")
                return
            await table.until(lambda: table.table.last is not None)
        mine: MyRuns = await client.request("GET", f"/api/me/runs?kind={run.name}", kind=MyRuns)
        if mine.last is not None:
            screen.print(_words(run, mine.last))
            if mine.last.day is not None and mine.last.reason != "not_finished":
                path = f"/api/daily/{run.name}/{mine.last.day}"
                told: Daily = await client.request("GET", path, kind=Daily)
                if told.turns:
                    screen.print(_chances(run, mine.last, told.turns[0]))
            if mine.last.reason is not None:
                screen.print(f"Not on the board: {mine.last.reason.replace('_', ' ')}.")
                return
        board: Board = await client.request("GET", f"/api/boards/{run.name}", kind=Board)
        if board.yours is not None and board.listed:
            screen.print(f"Today: place {board.yours.place} of {board.count}.")


async def _attend(table: RemoteTable, screen: Screen, refused: type[Any]) -> None:
    """Show the game, and send what is typed, until it is over."""
    desk = find_desk(table.table.game)(table.names, [table.seat or 0], screen)
    shown = 0
    typed: asyncio.Task[str] | None = None
    while not table.is_over:
        if len(table.log) > shown:
            for entry in table.log[shown:]:
                screen.print(desk.narrate(table.state, entry.event))
            shown = len(table.log)
            desk.draw(table.state)
            screen.print(desk.prompt(table.state))
        typed = typed or asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
        changed = asyncio.create_task(table.changed())
        await asyncio.wait({typed, changed}, return_when=asyncio.FIRST_COMPLETED)
        if not changed.done():
            changed.cancel()
        if not typed.done():
            continue
        line, typed = typed.result(), None
        if line == "" or _leaves(line):
            raise Quit
        if line.strip() in ("?", "help"):
            screen.print(desk.manual)
            continue
        try:
            for command in desk.answer(table.state, line.strip()):
                await table.play(command)
        except refused as refusal:
            details = {key: value for key, value in refusal.data.items() if key != "code"}
            screen.print(desk.refuse(Refusal(refusal.code, **details)))
        except (Say, TercetError) as error:
            screen.print(str(error))
    for entry in table.log[shown:]:
        screen.print(desk.narrate(table.state, entry.event))
