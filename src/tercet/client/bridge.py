"""The bridge: a program of any kind plays a game at a table by lines of JSON on its standard input and output.

The program is told what happens, a line for each message, and answers with commands of the game as the protocol has them. It may
be slow, silent, wrong or dead: the bridge tells it what is wrong, starts it again some times, and then gives up its seat.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from tercet.client.errors import ClientError, Refusal
from tercet.client.table import RemoteTable
from tercet.codec import from_data, reason, to_json
from tercet.games import AnyRules, Command, OfTable
from tercet.server.protocol import Leave
from tercet.sets import KindError, TercetError

VERSION = 1
#: The longest line that a program may write, in bytes.
LINE_LIMIT = 65536
#: So many lines that make no sense, or that the game refuses, and none between them that is good, are too many.
MOST_ERRORS = 50
#: Seconds that a program has to end when its game is over, and when it is asked to.
END_SECONDS = 2.0
#: Seconds to wait when the server says that a program is too fast.
TOO_FAST_SECONDS = 0.5


#: In a race a program may say nothing for so many times as long as in a turn, while nothing happens.
RACE = 4


class BridgeError(TercetError):
    """A program that cannot be started, or does not do its part."""


class Wish(NamedTuple):
    """What a program wants: to play a command, to say something, or (neither) to leave. ``name`` is its own name for it."""

    command: Command | None = None
    text: str | None = None
    name: Any = None


def understand(line: bytes, rules: AnyRules, seat: int) -> Wish:
    """What a program means by a line; `BridgeError`, with what is wrong, if it means nothing.

    >>> from tercet import games
    >>> understand(b'{"do": "call", "id": 7}', games.find("set").rules, 1)
    Wish(command=Call(seat=1), text=None, name=7)
    >>> understand(b'{"do": "dance"}', games.find("set").rules, 1)
    Traceback (most recent call last):
    ...
    tercet.client.bridge.BridgeError: do: 'dance' is not known; there are deal, call, show, see_none, take_back, step_away, come_back
    """
    try:
        said = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BridgeError(f"this is no JSON: {error}") from None
    if not isinstance(said, dict):
        raise BridgeError('a line is an object, such as {"do": "pass"}')
    name = said.pop("id", None)
    if isinstance(name, dict | list):
        raise BridgeError("an id is a number or a text")
    match said:
        case {"do": "leave"}:
            return Wish(name=name)
        case {"do": "say", "text": str(text)}:
            return Wish(text=text, name=name)
        case {"do": "say"}:
            raise BridgeError('say what? {"do": "say", "text": "…"}')
    if said.setdefault("seat", seat) != seat:
        raise BridgeError(f"your seat is {seat}")
    try:
        command = from_data(said, rules.commands)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise BridgeError(reason(error, rules.commands)) from None
    if isinstance(command, OfTable):
        raise BridgeError("only the table says that")
    return Wish(command=command, name=name)


class Manners(Struct, frozen=True, kw_only=True):
    """How a program is treated: seconds that it may think about a turn, how often it is started again in a game, and how many legal
    commands it is shown."""

    patience: float = 60.0
    restarts: int = 2
    moves: int = 100


class Bridge:
    """Lets a program play a game that has begun at a table, until it is over."""

    def __init__(
        self,
        table: RemoteTable,
        program: Sequence[str],
        manners: Manners,
        note: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._table = table
        self._program = program
        self._manners = manners
        self._note = note
        self._news = asyncio.Event()
        #: When the program was last told how the game stands, and has said nothing since.
        self._asked: float | None = None

    async def play(self) -> bool:
        """Whether the program, or one that took its place, played to the end; otherwise the seat was given up."""
        table = self._table
        listener = lambda _message: self._news.set()  # noqa: E731
        table.listeners.append(listener)
        try:
            for attempt in range(1 + self._manners.restarts):
                try:
                    if await self._play_once():
                        return True
                    break  # it wants to leave
                except BridgeError as error:
                    again = attempt < self._manners.restarts
                    self._note(f"{error}; {'it is started again' if again else 'it gives up its seat'}")
            with suppress(Refusal, ClientError):
                await table.manage(Leave())
            return False
        finally:
            table.listeners.remove(listener)

    async def _play_once(self) -> bool:
        """Play with one process; whether the game is over. `BridgeError` if the program does not do its part."""
        process = await start(self._program)
        try:
            tasks = [
                asyncio.create_task(work)
                for work in (self._tell(process), self._listen(process), self._watch())
            ]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                first = next(task for task in tasks if task in done)
                is_over = first.result()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            return is_over
        finally:
            await end(process)

    # --- to the program ---

    async def _tell(self, process: Process) -> bool:
        """Tell the program how the game goes, as fast as it reads: what it was too slow for comes in one line."""
        table = self._table
        await self._write(
            process,
            type="start",
            version=VERSION,
            game=table.table.game,
            table=table.code,
            seat=table.seat,
            names=table.names,
            options=table.table.options,
        )
        told = 0
        while True:
            self._news.clear()
            if table.seq > told or not told:
                entries, told = [entry for entry in table.log if entry.seq > told], table.seq
                most = self._manners.moves
                moves = list(islice(table.legal, most + 1))
                await self._write(
                    process,
                    type="state",
                    seq=told,
                    state=table.state,
                    events=entries,
                    moves=moves[:most],
                    more=len(moves) > most,
                )
                self._asked = asyncio.get_running_loop().time()
            if table.is_over and table.table.phase != "playing":
                break
            if table.seat is None:
                raise ClientError("no_seat", "the seat is somebody else's by now")
            await self._news.wait()
        scores, winners = table.rules.scores(table.state), table.rules.winners(table.state)
        with suppress(BridgeError):  # it may have gone already
            await self._write(process, type="over", names=table.names, scores=scores, winners=winners)
        return True

    async def _write(self, process: Process, **message: Any) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(to_json(message) + b"\n")
            async with asyncio.timeout(self._manners.patience):
                await process.stdin.drain()
        except TimeoutError:
            raise BridgeError("the program does not read what it is told") from None
        except OSError:
            await self._say_how_it_ended(process)

    # --- from the program ---

    async def _listen(self, process: Process) -> bool:
        """Carry out what the program says, one thing after the other; False when it wants to leave."""
        assert process.stdout is not None
        errors = 0
        while errors <= MOST_ERRORS:
            try:
                line = await process.stdout.readline()
            except ValueError:
                raise BridgeError(f"the program wrote a line of more than {LINE_LIMIT} bytes") from None
            if not line:
                if self._table.is_over:
                    await asyncio.Event().wait()  # its part is done
                await self._say_how_it_ended(process)
            if not line.strip():
                continue
            self._asked = None
            if self._table.seat is None:
                raise ClientError("no_seat", "the seat is somebody else's by now")
            try:
                wish = understand(line, self._table.rules, self._table.seat)
            except BridgeError as error:
                errors += 1
                await self._write(process, type="error", why=str(error))
                continue
            if wish == Wish(name=wish.name):
                return False
            errors = 0 if await self._carry_out(process, wish) else errors + 1
        raise BridgeError(f"the program said {errors} things in a row that cannot be done")

    async def _carry_out(self, process: Process, wish: Wish) -> bool:
        """Whether it could be done."""
        name = {} if wish.name is None else {"id": wish.name}
        try:
            if wish.command is not None:
                seq = await self._play(wish.command)
                await self._write(process, type="accepted", seq=seq, **name)
            else:
                await self._table.say(wish.text or "")
                await self._write(process, type="accepted", **name)
        except Refusal as refusal:
            await self._write(process, type="refused", refusal=refusal.data, **name)
            return False
        except KindError as error:
            await self._write(process, type="error", why=str(error), **name)
            return False
        return True

    async def _play(self, command: Command) -> int | None:
        """Play a command, again if the server says that it came too fast: no `state` follows then that the program could answer.
        When something has happened meanwhile, one does."""
        while True:
            before = self._table.seq
            try:
                return await self._table.play(command)
            except Refusal as refusal:
                if refusal.code != "too_fast":
                    raise
                await asyncio.sleep(TOO_FAST_SECONDS)
                if self._table.seq != before:
                    raise

    async def _say_how_it_ended(self, process: Process) -> None:
        try:
            async with asyncio.timeout(END_SECONDS):
                status = await process.wait()
        except TimeoutError:
            raise BridgeError("the program has closed its output, or its input") from None
        raise BridgeError(
            f"the program ended with status {status}"
            if status >= 0
            else f"the program was ended by signal {-status}"
        )

    async def _watch(self) -> bool:
        """`BridgeError` when the game waits for the program for too long."""
        table, loop = self._table, asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(self._manners.patience / 4, 1.0))
            if table.is_over or self._asked is None or not table.legal:
                continue
            # In a race one may well say nothing; but when nobody does for long, somebody should say that there is none.
            is_waited_for = table.seat in table.rules.waits_for(table.state)
            patience = self._manners.patience * (1 if is_waited_for else RACE)
            if loop.time() - self._asked > patience:
                raise BridgeError("the program has not answered in time")


async def start(program: Sequence[str]) -> Process:
    """The program in a process, and a group of processes, of its own."""
    try:
        return await asyncio.create_subprocess_exec(
            *program, stdin=PIPE, stdout=PIPE, limit=LINE_LIMIT, start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise BridgeError(f"cannot start {program[0]}: {getattr(error, 'strerror', None) or error}") from None


async def end(process: Process) -> None:
    """Let the program end by itself, then ask it to, then end it, with whatever it has started."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    # A process has ended only when its pipe has, too: what it still writes is read, and thrown away.
    emptying = asyncio.create_task(_empty(process.stdout))
    for ending in (None, signal.SIGTERM, signal.SIGKILL):
        if ending is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, ending)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await process.wait()
            break
    with suppress(ProcessLookupError, PermissionError):  # what it has left behind
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(END_SECONDS):
            await emptying


async def _empty(pipe: asyncio.StreamReader) -> None:
    while await pipe.read(LINE_LIMIT):
        pass
