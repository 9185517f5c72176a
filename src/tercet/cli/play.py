"""`tercet play`: a game in the terminal."""

from __future__ import annotations

import os
import re
from random import Random
from secrets import token_hex
from typing import Annotated, Any

import typer

from tercet import bots, codec, fairness, games, record
from tercet.bots.driver import Bots
from tercet.cli.options import complete_game, known_games, read_options
from tercet.cli.pace import FastPace, Keyboard, LivePace
from tercet.cli.session import Session
from tercet.cli.text import InputError, claim_file
from tercet.fairness import Promise
from tercet.games import Game
from tercet.terminal.desk import Desk, Quit
from tercet.terminal.screen import Screen


def play_command(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar=f"[{known_games()}]",
            help="The game; you are asked if you do not say.",
            autocompletion=complete_game,
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="NAME|bot:LEVEL",
            help="A player, in the order of the seats: a person's name, or a bot. Give it once for each seat.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "--options",
            "-o",
            metavar="KEY=VALUE",
            help="How the table plays, such as rounds=1 or edition=dutch (or a TOML file).",
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Keep the record there: as JSON lines if the name ends in .jsonl, else as text.",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help="Play the game of this seed again: 64 hexadecimal digits, or any text.",
        ),
    ] = None,
    secret: Annotated[
        list[str] | None,
        typer.Option(
            "--secret",
            metavar="TEXT",
            help="What a player adds to the seed, in the order of the seats: 64 hexadecimal digits, or any text.",
        ),
    ] = None,
    practice: Annotated[bool, typer.Option("--practice", help="Hints are allowed.")] = False,
    fast: Annotated[
        bool,
        typer.Option(
            "--fast", help="Do not wait for anybody: with the same seed and the same lines, the same game."
        ),
    ] = False,
    think: Annotated[
        float, typer.Option("--think", metavar="SECONDS", min=0.01, max=600, help="How long a bot may think.")
    ] = 2.0,
) -> None:
    """Play a game in the terminal, people and bots mixed. Type ? in the game for help.

    Example: tercet play cubed --seat Ann --seat bot:greedy --record game.txt
    """
    play(game, seat, option, file, seed, secret, practice=practice, fast=fast, think_seconds=think)


def play(
    name: str | None = None,
    seats: list[str] | None = None,
    options: list[str] | None = None,
    file: str | None = None,
    seed: str | None = None,
    secrets: list[str] | None = None,
    *,
    practice: bool = False,
    fast: bool = False,
    think_seconds: float = bots.DEFAULT_TIME_LIMIT,
) -> None:
    """Set up a table, play, and keep the record."""
    if name is not None:
        find_desk(name)
    screen, keyboard = Screen(), Keyboard()
    try:
        name = name or ask_game(screen, keyboard)
    except EOFError:
        return
    names, levels = read_seats(name, seats or ["Player", "bot:"])
    if seed is None and not secrets:
        secrets = [token_hex(32) if place not in levels else "" for place in range(len(names))]
    seed = read_seed(seed)
    added = [read_seed(text) if text else "" for text in secrets or ()]
    table = games.find(name)(names, seed=seed, options=read_options(name, options or []), secrets=added)
    players = [bots.make(name, level, place, Random(f"{seed} {place}")) for place, level in levels.items()]
    people = [place for place in range(len(names)) if place not in levels]
    promise = promise_of(table, people)
    if file is not None:
        claim_file(file)
        claim_file(promise_file(file))
        with open(promise_file(file), "w", encoding="utf-8") as out:
            out.write(codec.to_json(promise).decode())
    desk = find_desk(name)(names, people, screen)
    pace = FastPace(keyboard) if fast else LivePace(keyboard)
    driver = Bots(table, players, think_seconds)
    session = Session(table, desk, driver, pace, hints=practice or len(names) == 1)
    screen.print((f"{table.rules.title}: {', '.join(names)}. Type ? for help, quit to leave.", "bold"))
    screen.print(f"The seed is fixed and revealed at the end. Its commitment: {table.commitment}")
    if screen.colour and (legend := desk.legend()):
        screen.print(legend)
    try:
        session.run()
    except Quit:
        screen.print("You leave the table, and the game is broken off.")
    finally:
        keep_record(table, promise, file, screen, record.bot_tags(levels))


def find_desk(game: str) -> type[Desk[Any, Any, Any]]:
    """How this game is shown and played in a terminal."""
    part = games.part(game, "terminal")
    if part is None:
        raise InputError(f"{game} cannot be played or shown in a terminal")
    desk: type[Desk[Any, Any, Any]] = part.desk
    return desk


def ask_game(screen: Screen, keyboard: Keyboard) -> str:
    """Which game? The first is the usual."""
    titles = {
        name: games.find(name).rules.title for name in games.names() if games.has_part(name, "terminal")
    }
    known, offered = list(titles), [f"{number} {title}" for number, title in enumerate(titles.values(), 1)]
    numbers = [str(number) for number in range(1, len(known) + 1)]
    screen.print(f"Which game? {', '.join(offered)}")
    while True:
        screen.print(f"{_either(numbers)} (Enter for 1, q to leave): ", end="")
        line = (keyboard.line() or "").lower()
        if line in ("q", "quit"):
            raise EOFError
        if line in known:
            return line
        if line in ("", *numbers):
            return known[int(line or 1) - 1]
        screen.print(f"Please type {_either([offer.replace(' ', ' for ', 1) for offer in offered])}.")


def _either(words: list[str]) -> str:
    """ "1, 2 or 3"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def read_seats(game: str, seats: list[str]) -> tuple[list[str], dict[int, str]]:
    """The name at each seat, and the level of each bot by its seat."""
    names: list[str] = []
    levels: dict[int, str] = {}
    for place, text in enumerate(seats):
        name = text
        if text.startswith("bot:"):
            level = text.removeprefix("bot:") or bots.usual(game)
            bots.find(game, level)
            levels[place] = level
            alike = list(levels.values()).count(level)
            name = level if alike == 1 else f"{level} {alike}"
        names.append(name)
    return names, levels


def read_seed(text: str | None) -> str:
    """A new seed, the one that is given, or the one that any text makes."""
    if text is None:
        return token_hex(32)
    return text if re.fullmatch(r"[0-9a-f]{64}", text) else fairness.seed_from(text)


def promise_of(table: Game[Any, Any, Any, Any], people: list[int]) -> Promise:
    """What the table promises before play to the first of the people at the keyboard."""
    seat = next(iter(people), None)
    return Promise(
        terms=table.terms,
        commitment=table.commitment,
        commitments=table.commitments,
        seat=seat,
        secret="" if seat is None else table.secrets[seat],
    )


def promise_file(file: str) -> str:
    """Where the promise is kept beside the record.

    >>> promise_file("games/one.txt")
    'games/one.promise.json'
    """
    return f"{os.path.splitext(file)[0]}.promise.json"


def keep_record(
    table: Game[Any, Any, Any, Any],
    promise: Promise,
    file: str | None,
    screen: Screen,
    tags: dict[str, str],
) -> None:
    """Write the record, reveal the seed, and check the game against it and against what was promised."""
    kept = record.of(table, tags, broken_off=not table.is_over)
    if file is not None:
        with open(file, "w", encoding="utf-8") as out:
            out.write(record.write_json(kept) if file.endswith(".jsonl") else record.write(kept))
    wrong = [step.what for step in record.prove(kept, promise).steps if step.verdict == "wrong"]
    screen.print(f"The seed was {kept.seed}.")
    if wrong:
        screen.print("\n".join(wrong))
    else:
        screen.print("Verified: every card, draw and throw follows from what was promised before play.")
    if file is not None:
        screen.print(f"The record is in {file}, what was promised in {promise_file(file)}.")
