"""A table with its people: who comes and goes, what is done about the table, and who is told.

The game that goes on there is a `LiveGame`. One thing at a time happens at a table, in the order in which it came; an
event is on disk before it is sent to anybody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import Any

from tercet import bots
from tercet.games import Refusal
from tercet.server import metrics, protocol, table
from tercet.server.bots.thinking import Thinkers
from tercet.server.budgets import AtOnce, over
from tercet.server.ids import new_game_id, new_seed, now_ms, today
from tercet.server.limits import Limits
from tercet.server.logged.game import LoggedGame
from tercet.server.logged.table import read_causes, read_event, stream_of, write_events
from tercet.server.nodes.elsewhere import Elsewhere
from tercet.server.people.people import Visitor
from tercet.server.projections.writer import Projector
from tercet.server.room.attendance import Attendance
from tercet.server.room.chat import Chat, Word
from tercet.server.room.clients import Clients
from tercet.server.room.live_game import PATIENCE_MS, LiveGame
from tercet.server.room.turnstile import Turnstile
from tercet.server.socket.connection import Connection
from tercet.server.socket.transport import encode
from tercet.server.store import Conflict, Rejected, Store, Unavailable
from tercet.server.table import (
    AnyTableEvent,
    Asking,
    Began,
    Closed,
    Finished,
    Paused,
    Resumed,
)

logger = logging.getLogger("tercet.tables")

#: So many commands of earlier games are remembered at a table, the newest.
PLAYED_KEPT = 20_000
#: Whom a start still waits for is told after so long: most starts are over by then.
START_TOLD_SECONDS = 0.3


async def _find_none(_people: frozenset[str]) -> None:
    """For a table that is on its own."""


class Room:
    """A table in memory. `Rooms` makes and loads them."""

    def __init__(
        self,
        state: table.State,
        version: int,
        store: Store,
        thinkers: Thinkers,
        projector: Projector,
        limits: Limits,
        hinting: AtOnce,
    ) -> None:
        #: Let the tables be known where these people play against the clock.
        self.find_runs: Callable[[frozenset[str]], Coroutine[Any, Any, None]] = _find_none
        #: Whether one of these people plays against the clock at another table than this.
        self.is_running: Callable[[frozenset[str], str], bool] = lambda _people, _code: False
        #: While the beginning of a game is written: those who play may begin no run elsewhere meanwhile.
        self.is_beginning = False
        #: What few may do at the same time, at all tables together.
        self.hinting = hinting
        self.state = state
        self.version = version
        self.live: LiveGame | None = None
        self.connections: set[Connection] = set()
        self.turnstile = Turnstile()
        self.elsewhere = Elsewhere()
        self.idle_since = now_ms()
        self.chat = Chat(limits)
        self.clients = Clients(self)
        self.attendance = Attendance(self, limits)
        self._store = store
        self._thinkers = thinkers
        self._projector = projector
        #: The names of all commands that were carried out about the table; and of those of its games so far.
        self._causes: set[str] = set()
        self._played: dict[str | None, None] = {}
        #: Whether that is all that is known, also after a restart.
        self.remembers = state.last is None
        self._looking = False
        self._look_at_table = False
        self._tasks: set[asyncio.Task[None]] = set()
        #: Told what has happened to the people at this table.
        self.tell_people: Callable[[Collection[str], protocol.PersonalNews], None] = lambda _people, _news: (
            None
        )
        #: Told the table and the id of a game that has ended here.
        self.when_over: Callable[[table.State, str], None] = lambda _state, _game: None
        #: What calls off a start that takes too long.
        self._start_timer: asyncio.TimerHandle | None = None
        #: What tells everybody about a table that has changed a little.
        self._telling: asyncio.TimerHandle | None = None

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def code(self) -> str:
        return self.state.code

    @property
    def game(self) -> LoggedGame | None:
        """The game that goes on here, if one does, as far as it has come."""
        return None if self.live is None else self.live.game

    @property
    def is_playing(self) -> bool:
        """Whether a game goes on here: not one that is over, of which the end is still to be written."""
        return self.state.phase == "playing" and (self.game is None or not self.game.is_over)

    async def remember_commands(self) -> None:
        """Look up the commands of the game before: a client that lost the answer may still send one again."""
        last = self.state.last
        if not self.remembers and last is not None:
            self._keep_played(await read_causes(self._store, last.game))
        self.remembers = True

    def take_causes(self, causes: Iterable[str]) -> None:
        """These commands about the table were carried out before it was opened here."""
        self._causes.update(causes)

    def _keep_played(self, causes: Iterable[str]) -> None:
        self._played |= dict.fromkeys(causes)
        while len(self._played) > PLAYED_KEPT:
            del self._played[next(iter(self._played))]

    # --- who is here ---

    def identity(self, visitor: Visitor) -> str:
        """The id under which somebody is known here: maybe that of the guest they were when they sat down."""
        known = {visitor.id, *visitor.former} & {*self.state.people(), self.state.host}
        return min(known) if known and visitor.id not in known else visitor.id

    def tell_presence(self) -> None:
        """Tell everybody who is here, if that is news."""
        self.attendance.tell()

    def tell_all(self, message: protocol.FromServer) -> None:
        framed = encode(message)
        for connection in self.connections:
            connection.tell_frame(framed)

    def by_itself(self, event: AnyTableEvent, holds: Callable[[], bool]) -> None:
        """As `write_if`, as soon as that can be."""
        self._start(self.write_if(event, holds))

    async def write_if(self, event: AnyTableEvent, holds: Callable[[], bool]) -> None:
        """Let the table do something by itself, if there is still reason to when nothing else happens."""
        async with self.turnstile:
            try:
                await self._write(lambda: [event] if self.state.phase != "closed" and holds() else None)
            except Unavailable:
                logger.warning("the store cannot be reached", extra={"table": self.code})

    # --- what players do ---

    async def manage(
        self, visitor: Visitor, command: protocol.TableCommand, command_id: str
    ) -> Refusal | None:
        """Carry out a command about the table; tell everybody what changed."""
        person = self.identity(visitor)
        cause = f"{person}:{command_id}"

        def decide() -> list[AnyTableEvent] | Refusal | None:
            done = cause in self._causes
            return None if done else table.decide(self.state, command, self._asking(person, visitor))

        asked = now_ms()
        async with self.turnstile:
            if now_ms() - asked > PATIENCE_MS:
                return Refusal("store_unavailable")
            try:
                if not self.elsewhere.is_heard:
                    await self.catch_up()
                if self.state.run is not None:
                    await self.find_runs(visitor.ids)
                refusal = await self._write(decide, cause)
            except Rejected:
                return Refusal("failed")
            except Unavailable:
                return Refusal("store_unavailable")
            if refusal is not None and refusal.code == "still_here":
                over("seat_grace_seconds")
                return self._when_free(refusal, person)
            return refusal

    def _when_free(self, refusal: Refusal, person: str) -> Refusal:
        """Whoever asks for the seat of somebody who has left is told in how many seconds to ask again, if that is known."""
        gone = next((one for one in self.attendance.gone() if one.seat == refusal.details.get("seat")), None)
        left = None if gone is None else gone.host_ms if person == self.state.host else gone.anybody_ms
        if left is None:
            return refusal
        return Refusal(refusal.code, **{**refusal.details, "seconds": -(-left // 1000)})

    def _asking(self, person: str, visitor: Visitor) -> Asking:
        gone, away = self.attendance.gone_and_away()
        return Asking(
            person,
            visitor.name,
            int(now_ms()),
            new_game_id(),
            new_seed(),
            tuple(bots.names(self.state.game)),
            self.attendance.here_or_coming(),
            visitor.ids,
            frozenset(self.attendance.missed),
            gone,
            away,
            self.state.run is not None and self.is_running(visitor.ids, self.code),
            visitor.program,
            0 if self.game is None else self.game.seq,
        )

    async def _write(
        self, decide: Callable[[], list[AnyTableEvent] | Refusal | None], cause: str | None = None
    ) -> Refusal | None:
        """Let what ``decide`` says happen, and ask it again when another node was first. None: there is nothing to do."""
        while True:
            decided = decide()
            if decided is None or isinstance(decided, Refusal):
                return decided
            try:
                await self._happen(decided, cause)
                return None
            except Conflict:
                await self.catch_up()

    async def _happen(self, events: list[AnyTableEvent], cause: str | None = None) -> None:
        """Write table events to the log, then let them be true."""
        lines = write_events(events, self.version, int(now_ms()), cause)
        before = self.state
        self.is_beginning = any(isinstance(event, Began) for event in events)
        try:
            await self._store.append(stream_of(self.code), self.version, lines)
            if cause is not None:
                self._causes.add(cause)
            for event in events:
                self._evolve(event)
                if isinstance(event, table.CalledOff):
                    metrics.called_off[event.why] += 1
        finally:
            self.is_beginning = False
        try:
            await self._after_table_events(events, is_ours=True)
        finally:
            game = self.game
            self.elsewhere.news(self.version, game.id if game else None, game.seq if game else 0)
        self._tell_people(before, events)

    def _tell_people(self, before: table.State, events: Iterable[AnyTableEvent]) -> None:
        """Tell those who play that a game has begun or ended, wherever they are."""
        code, game, started = self.code, self.state.game, self.state.started
        for event in events:
            if isinstance(event, Began) and started is not None:
                began = protocol.GameBegan(table=code, id=started.id, game=game, names=self.state.names)
                self.tell_people(self.state.people(), began)
            elif isinstance(event, Finished | Closed) and before.started is not None:
                result = self.state.last if isinstance(event, Finished) else None
                ended = protocol.GameEnded(table=code, id=before.started.id, game=game, result=result)
                self.tell_people(before.people(), ended)

    def _evolve(self, event: AnyTableEvent) -> None:
        self.state = table.evolve(self.state, event)
        self.version += 1

    async def catch_up(self) -> None:
        """Read what others have written to the table's log since."""
        events: list[AnyTableEvent] = []
        lines = await self._store.read(stream_of(self.code), self.version)
        if lines and self.live is not None:
            await self.live.catch_up()  # how it went on comes before its end
        for line in lines:
            event = read_event(line)
            if isinstance(event, Finished) and self.game is not None and self._is_on(self.game):
                self._projector.note_end(self.state, self.game, event)
            self._evolve(event)
            events.append(event)
            if line.cause is not None:
                self._causes.add(line.cause)
        if events:
            await self._after_table_events(events)

    def _is_on(self, game: LoggedGame) -> bool:
        return self.state.started is not None and self.state.started.id == game.id

    async def _after_table_events(self, events: list[AnyTableEvent], *, is_ours: bool = False) -> None:
        if self._is_only_a_part(events):
            if self._telling is None:
                self._telling = asyncio.get_running_loop().call_later(START_TOLD_SECONDS, self._tell_table)
            return
        self.clients.place_all()
        if self.live is not None and any(isinstance(event, Paused | Resumed) for event in events):
            self.live.pause_or_resume()
        self._tell_table()
        self.clients.send_away()
        self.tell_presence()
        self.watch_start()
        if any(isinstance(event, Finished | Closed) for event in events):
            self._stop_game()
        if any(isinstance(event, Began) for event in events) and self.state.phase == "playing":
            await self.resume(is_new=is_ours)
            self.clients.tell_game()
        elif self.live is not None:
            if newcomers := {event.person for event in events if isinstance(event, table.Sat)}:
                self.clients.tell_game(newcomers)  # who takes over a seat sees it from there
            self.live.seat_bots()
        self._projector.note(self.state, self.version, self.game)

    def _is_only_a_part(self, events: list[AnyTableEvent]) -> bool:
        """Whether a start has come no further than that one more has done their part of it."""
        if self.state.start is None:
            return False
        part = table.Revealed if self.state.is_committed() else table.Committed
        return all(isinstance(event, part) for event in events)

    def _tell_table(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        self.tell_all(protocol.TableChanged(table=table.show(self.state, self.version)))

    # --- the start of a game ---

    def watch_start(self) -> None:
        """See to it that a start which takes too long is called off; its deadline stands in the log."""
        if self._start_timer is not None:
            self._start_timer.cancel()
            self._start_timer = None
        if self.state.start is not None:
            seconds = max(self.state.start.until - now_ms(), 0) / 1000 + self.elsewhere.patience
            self._start_timer = asyncio.get_running_loop().call_later(
                seconds, lambda: self._start(self._call_off())
            )

    async def _call_off(self) -> None:
        async with self.turnstile:
            try:
                await self._write(
                    lambda: table.call_off(self.state, self._asking("", Visitor("", ""))) or None
                )
            except Unavailable:
                self._start_timer = asyncio.get_running_loop().call_later(
                    1, lambda: self._start(self._call_off())
                )
                return
            self.watch_start()

    # --- the game that goes on ---

    async def resume(self, *, is_new: bool = False) -> None:
        """Set the table's game going, from wherever its log ends; that of a new game is known to be empty."""
        self.watch_start()
        if self.state.started is None or self.state.phase != "playing":
            return
        game = LoggedGame(self.state)
        game.earlier = self._played
        live = LiveGame(self, game, self._store, self._thinkers, self._projector)
        await live.open(is_new=is_new)
        self.live = live
        await live.resume()
        if live.game.is_over:
            await self.finish(live.game)
        if self.live is live:
            live.seat_bots()

    async def finish(self, game: LoggedGame) -> None:
        """Write that the game is over. `Unavailable` if that cannot be done now."""
        finished = Finished(
            scores=tuple(game.rules.scores(game.state)),
            winners=tuple(game.rules.winners(game.state)),
            seed=new_seed(),
            time=int(now_ms()),
            date=today(),
            first=self.state.is_gentle,
        )
        self._projector.note_end(self.state, game, finished)
        played = self.state
        try:
            await self._happen([finished])
        except Conflict:
            await self.catch_up()
        else:
            self.when_over(played, game.id)

    def _stop_game(self) -> None:
        if self.live is not None:
            self.live.stop()
            self._keep_played(self.live.game.causes)
            self.live = None

    def is_busy(self, within_ms: float) -> bool:
        """Whether something will happen here soon although nobody is connected."""
        return self.state.start is not None or (self.live is not None and self.live.is_busy(within_ms))

    async def close(self) -> None:
        """Take the table out of memory. Its logs stay, and it can be loaded again."""
        self.elsewhere.close()
        self.attendance.stop()
        for timer in (self._start_timer, self._telling):
            if timer is not None:
                timer.cancel()
        async with self.turnstile:
            self._stop_game()

    # --- what other nodes do ---

    def hear_news(self, version: int, game: str | None, seq: int) -> None:
        """The logs go that far: look, if that is further than here."""
        known = self.game
        if version > self.version:
            self.look_again()
        elif known is not None and known.id == game and seq > known.seq:
            self.look_again(table=False)

    def look_again(self, *, table: bool = True) -> None:
        """Read what others may have written, as soon as nothing else happens here."""
        self._look_at_table |= table
        if not self._looking:
            self._looking = True
            self._start(self._look())

    async def _look(self) -> None:
        async with self.turnstile:
            self._looking = False
            table, self._look_at_table = self._look_at_table, False
            await self._refresh(table)

    async def refresh(self) -> None:
        """Read what others have written to both logs, and tell everybody. Without the store, next time."""
        async with self.turnstile:
            await self._refresh(table=True)

    async def _refresh(self, table: bool) -> None:
        try:
            if table:
                await self.catch_up()
            if self.live is not None:
                await self.live.catch_up()
        except Unavailable:
            if self.game is not None:
                self.game.is_sure = False

    def change_hands(self) -> None:
        """Bots and deadlines are this node's business now, or not any more."""
        self._start(self._change_hands())

    async def _change_hands(self) -> None:
        async with self.turnstile:  # no bot is in the middle of something
            if self.live is not None:
                self.live.change_hands()

    # --- chat ---

    def say(self, connection: Connection, message: protocol.Say | protocol.React) -> Refusal | None:
        """Pass on what somebody says to all who want to hear it."""
        word = self.chat.word_of(connection, message) if self.state.chat else Refusal("chat_off")
        if isinstance(word, Refusal):
            return word
        self.hear_said(word)
        self.elsewhere.said(word)
        return None

    def mute(self, connection: Connection, message: protocol.Mute) -> Refusal | None:
        """Let a client hear nothing more of somebody who is here or was heard here, or of anybody."""
        person = message.person
        if not message.muted:
            connection.muted.discard(person)
            return None
        known = {
            None,
            *(one.person for one in self.attendance.present),
            *(said.person for said in self.chat.said),
        }
        if person not in known:
            return Refusal("no_such_person")
        connection.muted.add(person)
        return None

    def recent_chat(self) -> tuple[protocol.Said, ...]:
        return tuple(self.chat.said)

    def hear_said(self, word: Word) -> None:
        """Pass on what was said, perhaps on another node."""
        self.chat.pass_on(word, self.connections)

    def hear_history(self, said: Iterable[protocol.Said]) -> None:
        """Pass on what was said on another node while it could not be heard."""
        for missed in self.chat.missed(said):
            self.hear_said(protocol.Chat(said=missed))
