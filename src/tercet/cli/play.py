"""`tercet play`: a game in the terminal."""

from __future__ import annotations

import os
import re
import secrets
from random import Random
from typing import Annotated, Any

import msgspec
import typer

from tercet import bots, codec, fairness, games, record
from tercet.cli.desk_cards import CardsDesk
from tercet.cli.desk_cubed import CubedDesk
from tercet.cli.edition import read_edition
from tercet.cli.pace import FastPace, Keyboard, LivePace
from tercet.cli.screen import Screen
from tercet.cli.session import Desk, Quit, Session
from tercet.cli.text import InputError
from tercet.games import Game

#: Who sits opposite when nobody is named.
USUAL_BOT = {"set": "casual", "cubed": "greedy"}
DESKS: dict[str, type[Desk]] = {"set": CardsDesk, "cubed": CubedDesk}


def play_command(
    game: Annotated[
        str | None, typer.Argument(metavar="[set|cubed]", help="The game; you are asked if you do not say.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="NAME|bot:LEVEL",
            help="A player, in the order of the seats: a person's name, or a bot. Give it once a seat.",
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
    entropy: Annotated[
        list[str] | None,
        typer.Option(
            "--entropy", metavar="TEXT", help="What a player adds to the seed, in the order of the seats."
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
    """Play Set or Set Cubed in the terminal, people and bots mixed. Type ? in the game for help.

    Example: tercet play cubed --seat Ann --seat bot:greedy --record game.txt
    """
    play(game, seat, option, file, seed, entropy, practice=practice, fast=fast, think_seconds=think)


def play(
    name: str | None = None,
    seats: list[str] | None = None,
    options: list[str] | None = None,
    file: str | None = None,
    seed: str | None = None,
    entropy: list[str] | None = None,
    *,
    practice: bool = False,
    fast: bool = False,
    think_seconds: float = bots.DEFAULT_TIME_LIMIT,
) -> None:
    """Set up a table, play, and keep the record."""
    if name is not None:
        games.find(name)
    screen, keyboard = Screen(), Keyboard()
    try:
        name = name or ask_game(screen, keyboard)
    except EOFError:
        return
    seed = read_seed(seed)
    names, levels = read_seats(name, seats or ["Player", "bot:"])
    table = games.find(name)(
        names, seed=seed, options=read_options(name, options or []), entropy=entropy or ()
    )
    players = {
        place: bots.make(name, level, place, Random(f"{seed} {place}")) for place, level in levels.items()
    }
    people = [place for place in range(len(names)) if place not in players]
    if file is not None:
        claim_file(file)
    desk = DESKS[name](table, people, screen)
    pace = FastPace(keyboard) if fast else LivePace(keyboard)
    session = Session(desk, players, pace, hints=practice or len(names) == 1, think_seconds=think_seconds)
    screen.print((f"{TITLES[name]}: {', '.join(names)}. Type ? for help, quit to leave.", "bold"))
    screen.print(f"The seed is fixed and revealed at the end. Its SHA-256: {table.commitment}")
    if screen.colour:
        screen.print(screen.legend())
    try:
        session.run()
    except Quit:
        screen.print("You leave the table. The game is not over, so its seed stays secret.")
    finally:
        keep_record(table, file, screen)


TITLES = {"set": "Set", "cubed": "Set Cubed"}


def ask_game(screen: Screen, keyboard: Keyboard) -> str:
    """Which game? The first is the usual."""
    known = list(TITLES)
    screen.print(
        "Which game? " + ", ".join(f"{number} {TITLES[name]}" for number, name in enumerate(known, 1))
    )
    while True:
        screen.print("1 or 2 (Enter for 1, q to leave): ", end="")
        line = (keyboard.line() or "").lower()
        if line in ("q", "quit"):
            raise EOFError
        if line in known:
            return line
        if line in ("", "1", "2"):
            return known[int(line or 1) - 1]
        screen.print("Please type 1 for Set or 2 for Set Cubed.")


def read_seats(game: str, seats: list[str]) -> tuple[list[str], dict[int, str]]:
    """The name at each seat, and the level of each bot by its seat."""
    names: list[str] = []
    levels: dict[int, str] = {}
    for place, text in enumerate(seats):
        name = text
        if text.startswith("bot:"):
            level = text.removeprefix("bot:") or USUAL_BOT[game]
            bots.find(game, level)
            levels[place] = level
            alike = list(levels.values()).count(level)
            name = level if alike == 1 else f"{level} {alike}"
        names.append(name)
    return names, levels


def read_options(game: str, texts: list[str]) -> Any:
    """Options from texts such as ``rounds=2``."""
    rules = games.find(game).rules
    known = {field.name for field in msgspec.structs.fields(rules.options_type)}
    data: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            raise InputError(f"option {text[:40]!r}: write KEY=VALUE with one of {', '.join(sorted(known))}")
        if key in data:
            raise InputError(f"option {key} is there twice")
        data[key] = value
    if "edition" in data:
        data["edition"] = read_edition(data["edition"]).to_plain()
    return rules.read_options(codec.to_data(_loosen(data, rules.options_type, game)))


def _loosen(data: dict[str, Any], kind: type[Any], game: str) -> dict[str, Any]:
    """Numbers, yes and no where the option is one: on the command line all is text."""
    try:
        options = msgspec.convert(
            data, kind, strict=False, dec_hook=lambda kind, value: kind.from_plain(value)
        )
    except msgspec.ValidationError as error:
        raise games.OptionsError(f"options of {game}: {error}") from None
    return {key: getattr(options, key) for key in data}


def read_seed(text: str | None) -> str:
    """A new seed, the one that is given, or the one that any text makes."""
    if text is None:
        return secrets.token_hex(32)
    return text if re.fullmatch(r"[0-9a-f]{64}", text) else fairness.seed_from(text)


def claim_file(name: str) -> None:
    """Make sure before the game that its record can be kept, and that no other is lost."""
    if os.path.isfile(name) and os.path.getsize(name):
        raise InputError(f"{name}: there is something in it already; keep the record in another file")
    with open(name, "a", encoding="utf-8"):
        pass


def keep_record(table: Game[Any, Any, Any, Any], file: str | None, screen: Screen) -> None:
    """Write the record, reveal the seed, and check the game against it."""
    kept = record.of(table)
    if file is not None:
        with open(file, "w", encoding="utf-8") as out:
            out.write(record.write_json(kept) if file.endswith(".jsonl") else record.write(kept))
    if kept.seed is not None:
        problem = record.verify(kept)
        screen.print(f"The seed was {kept.seed}.")
        screen.print(
            "Verified: every card, draw and throw follows from it." if problem is None else str(problem)
        )
    if file is not None:
        screen.print(f"The record is in {file}.")
