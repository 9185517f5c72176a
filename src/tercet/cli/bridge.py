"""``tercet bridge``: any program on this machine plays on a server."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from shutil import which
from typing import Annotated

import typer

from tercet import games
from tercet.cli.runs import SERVER
from tercet.client import ChallengeNews, Client, ClientError, GameBegan, Hello, Leave, Refusal
from tercet.client.bridge import Bridge, BridgeError, Manners
from tercet.server.protocol import Challenge, Decline, Me

#: Seconds that the others at a table have to be ready.
READY_SECONDS = 300.0
#: Why a challenge was declined.
DECLINED: dict[Decline, str] = {
    "no": "no more is said",
    "later": "there is no time right now",
    "game": "this game is not played there",
    "options": "it is not played with these options",
}


def bridge_command(
    program: Annotated[
        list[str], typer.Argument(metavar="PROGRAM", help="The program and what it is given, after --.")
    ],
    server: Annotated[str, typer.Option(help="The server.")] = SERVER,
    token: Annotated[
        str | None,
        typer.Option(help="The token of a bot's account; better kept in TERCET_TOKEN.", show_default=False),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Play one game at this table.")] = None,
    name: Annotated[str | None, typer.Option(help="Without a token: play as a guest of this name.")] = None,
    challenge: Annotated[str | None, typer.Option(help="Challenge this account, and play.")] = None,
    game: Annotated[
        list[str] | None, typer.Option(help="A game that the program plays; otherwise all.")
    ] = None,
    count: Annotated[int, typer.Option(min=0, help="Stop after this many games; 0: never.")] = 0,
    at_once: Annotated[int, typer.Option(min=1, max=16, help="How many games at a time.")] = 1,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Seconds that the program may think about a turn.")
    ] = 60.0,
    restarts: Annotated[int, typer.Option(min=0, help="How often it may be started again in a game.")] = 2,
    moves: Annotated[int, typer.Option(min=0, help="Show it the first legal commands.")] = 100,
) -> None:
    """Let any program play on a server, by lines of JSON on its standard input and output.

    A process is started for each game. Without --table or --challenge it waits for challenges.

    Example: tercet bridge --name Robo --table K7QXRM -- python3 my_bot.py
    """
    token = token or os.environ.get("TERCET_TOKEN")
    for wanted in game or ():
        games.find(wanted)
    if token is None and (name is None or table is None):
        raise BridgeError(
            "no token: make one on the page Account and set TERCET_TOKEN, or play as a guest with --name NAME --table CODE"
        )
    if which(program[0]) is None:
        raise BridgeError(f"cannot start {program[0]}: {_why_not(program[0])}")
    manners = Manners(patience=patience, restarts=restarts, moves=moves)
    running = _Running(Client(server, token=token), program, manners, tuple(game or ()), count, at_once)
    asyncio.run(running.run(table, name, challenge))


def _why_not(program: str) -> str:
    if os.path.isfile(program):
        return "it may not be executed; chmod +x lets it, or name what runs it, as in -- python3 my_bot.py"
    return "it is a folder" if os.path.isdir(program) else "there is no such program"


class _Running:
    """The games that the program plays."""

    def __init__(
        self,
        client: Client,
        program: list[str],
        manners: Manners,
        plays: tuple[str, ...],
        count: int,
        at_once: int,
    ) -> None:
        self._client = client
        self._program = program
        self._manners = manners
        self._plays = plays
        self._count = count
        self._at_once = at_once
        self._games: dict[str, asyncio.Task[None]] = {}
        self._played = 0
        self._enough = asyncio.Event()

    async def run(self, table: str | None, name: str | None, challenge: str | None) -> None:
        client = self._client
        me = (
            await client.sign_in(name)
            if name is not None
            else await client.request("GET", "/api/session", kind=Me)
        )
        if name is None:
            await self._check_scopes(by_challenge=table is None)
        if table is not None:
            await self._play(table.upper())
            return
        listening = asyncio.create_task(self._listen(me, challenge))
        enough = asyncio.create_task(self._enough.wait())
        try:
            await asyncio.wait([listening, enough], return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
        finally:
            for task in (listening, enough, *self._games.values()):
                task.cancel()
            await asyncio.gather(listening, enough, *self._games.values(), return_exceptions=True)

    async def _check_scopes(self, by_challenge: bool) -> None:
        """A token that may not do what it is here for is told so at once: to a request that needs the scope, and does nothing."""
        for path in ("/api/tables/none/seat", *(["/api/challenges/none"] if by_challenge else [])):
            try:
                await self._client.request("DELETE", path)
            except ClientError as error:
                if error.code == "missing_scope":
                    raise

    async def _listen(self, me: Me, challenge: str | None) -> None:
        async for news in self._client.events(self._plays):
            match news:
                case Hello():
                    typer.echo(f"{me.name} is at {self._client.url}" + _advice(me))
                    for running in news.games:
                        self._begin(running.table)
                    for waiting in news.challenges:
                        await self._consider(me, waiting, may_be_over=True)
                    if challenge is not None:
                        made = await self._client.challenge(
                            challenge, (self._plays or tuple(games.names()))[0]
                        )
                        typer.echo(f"{challenge} is challenged to {made.game}")
                        challenge = None
                case ChallengeNews():
                    await self._consider(me, news.challenge)
                case GameBegan():
                    self._begin(news.table)

    async def _consider(self, me: Me, challenge: Challenge, may_be_over: bool = False) -> None:
        other = challenge.challenger.name if challenge.challenged.id == me.id else challenge.challenged.name
        if challenge.status == "accepted" and challenge.table is not None:
            self._begin(challenge.table, may_be_over)
        elif challenge.status == "open" and challenge.challenged.id == me.id:
            is_free = len(self._games) < self._at_once
            try:
                if is_free and (not self._plays or challenge.game in self._plays):
                    await self._client.accept(challenge.id)
                else:
                    await self._client.decline(challenge.id, "game" if is_free else "later")
            except ClientError as error:
                typer.echo(f"the challenge of {other}: {error}", err=True)
        elif challenge.status != "open":
            reason = challenge.reason
            why = "" if reason is None else f": {reason}: {DECLINED[reason]}"
            typer.echo(f"the challenge with {other} was {challenge.status}{why}")
            if challenge.challenger.id == me.id:
                self._over()

    def _begin(self, code: str, may_be_over: bool = False) -> None:
        if code not in self._games:
            self._games[code] = asyncio.create_task(self._play_one(code, may_be_over))

    async def _play_one(self, code: str, may_be_over: bool) -> None:
        """``may_be_over``: it was accepted a while ago, and may have been played and closed since; then it is no game of this run."""
        counts = True
        try:
            await self._play(code)
        except (ClientError, Refusal, BridgeError, TimeoutError) as error:
            if may_be_over and isinstance(error, ClientError) and error.code == "no_such_table":
                counts = False
            else:
                typer.echo(f"table {code}: {str(error).removeprefix(f'table {code}: ')}", err=True)
        finally:
            del self._games[code]
            if counts:
                self._over()

    def _over(self) -> None:
        self._played += 1
        if self._count and self._played >= self._count:
            self._enough.set()

    async def _play(self, code: str) -> None:
        async with self._client.join(code) as table:
            await table.begin(READY_SECONDS)
            bridge = Bridge(
                table,
                self._program,
                self._manners,
                lambda text: typer.echo(f"table {code}: {text}", err=True),
            )
            if await bridge.play():
                scores = zip(table.names, table.rules.scores(table.state), strict=True)
                typer.echo(f"table {code}: " + ", ".join(f"{name} {score}" for name, score in scores))
                with suppress(Refusal, ClientError):  # the seat, or the table, may be gone already
                    await table.manage(Leave())


def _advice(me: Me) -> str:
    return (
        ", and waits for challenges"
        if me.program
        else "; as it is no bot's account, only bots can challenge it"
    )
