"""All tables of this server: those in memory, and those that wait in their logs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from tercet import bots, games
from tercet.server import protocol, table
from tercet.server.bots.thinking import Thinkers
from tercet.server.budgets import AtOnce, TooMuch, over
from tercet.server.ids import new_code, new_seed, now_ms
from tercet.server.limits import Limits
from tercet.server.logged.table import read_event, stream_of, write_events
from tercet.server.nodes.bus import Bus
from tercet.server.nodes.nodes import Nodes
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.projections import queries
from tercet.server.projections.rebuild import rebuild_tables
from tercet.server.projections.rows import table_row
from tercet.server.projections.writer import Projector, release, reserve
from tercet.server.protocol import AtRun, BotSeat, NewTable
from tercet.server.room.attendance import CLOSE_BY_POST_MS
from tercet.server.room.room import Room
from tercet.server.socket.connection import PLAYER_PING_SECONDS
from tercet.server.store import Conflict, Rejected, Store, Unavailable

logger = logging.getLogger("tercet.tables")

MINUTE = 60_000
#: How long a table without anybody stays in memory; sooner, if a deadline is further off than that.
KEEP_MS = 2 * MINUTE
SWEEP_SECONDS = 20
#: How often the logs are looked at for what other nodes wrote: while the bus is away, and while it is there.
POLL_SECONDS = 2
POLL_ANYWAY_SECONDS = 20


class Rooms:
    """Finds tables by their code and keeps in memory those where something is going on."""

    def __init__(self, store: Store, limits: Limits, thinkers: Thinkers, bus: Bus | None = None) -> None:
        self.nodes = None if bus is None else Nodes(bus, self)
        self._store = store
        self._limits = limits
        self._thinkers = thinkers
        self.projector = Projector(store)
        self.rooms: dict[str, Room] = {}
        self.sockets = 0
        #: Told which sessions have ended on other nodes.
        self.when_ended: Callable[[frozenset[str]], None] = lambda _sessions: None
        #: Told the table and the id of a game that has ended here.
        self.when_over: Callable[[table.State, str], None] = lambda _state, _game: None
        #: Told what has happened to people, here and on other nodes; and the bots that listen here.
        self.tell_people: Callable[[Collection[str], protocol.PersonalNews], None] = lambda _people, _news: (
            None
        )
        self.take_told: Callable[[frozenset[str], protocol.PersonalNews], None] = lambda _people, _news: None
        self.bots_here: Callable[[], tuple[protocol.OnlineBot, ...]] = lambda: ()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        #: Tables that are not in memory but have a deadline, and when (milliseconds since 1970).
        self._sleeping: dict[str, float] = {}
        self._being_made = 0
        self._hinting = AtOnce("hints_at_once", limits.hints_at_once)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take up all running games where they were."""
        self._tasks = [
            asyncio.create_task(self._take_up()),
            asyncio.create_task(self._sweep_forever()),
            asyncio.create_task(self._ping_forever()),
        ]
        if self.nodes is not None:
            self._tasks.append(asyncio.create_task(self._poll_forever(self.nodes)))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in list(self.rooms.values()):
            for connection in room.connections:
                connection.end("restart")
            await room.close()
        if self.nodes is not None:
            await self.nodes.stop()
        await self.projector.close()

    def people_here(self) -> frozenset[str]:
        """Whoever is connected to a table by this node, but for bots."""
        return frozenset(
            connection.person
            for room in self.rooms.values()
            for connection in room.connections
            if not connection.visitor.program
        )

    def count_people(self) -> int:
        """How many people are at tables; one who is so by two nodes counts twice."""
        return len(self.people_here()) + (self.nodes.people_elsewhere if self.nodes is not None else 0)

    async def create(
        self, visitor: Visitor, wanted: NewTable, run: AtRun | None = None, seed: str | None = None
    ) -> Room:
        """A new table, with the visitor as its host on the first seat for a person. ``run``: to play against the clock there, with
        this seed if it is that of a day. `AnotherRun` if the visitor has such a table already."""
        if run is not None and visitor.program:
            raise PeopleError(
                "not_for_bots", "the boards are people's: a bot does not play against the clock"
            )
        rules = games.find(wanted.game).rules
        rules.check_seats(len(wanted.seats))
        options = table.check_options(rules, wanted.options)
        seats = tuple(seat.bot if isinstance(seat, BotSeat) else None for seat in wanted.seats)
        for bot in filter(None, seats):
            bots.find(wanted.game, bot)
        if None not in seats:
            raise PeopleError("no_seat", "a table needs a seat for you")
        if len(self.rooms) + self._being_made >= self._limits.tables:
            over("tables")
            raise TooMuch("server_full", "there are too many tables; try again later")
        self._being_made += 1
        try:
            room = await self._make(visitor, wanted, options, seats, run, seed)
        finally:
            self._being_made -= 1
        logger.info("table opened", extra={"table": room.code, "game": room.state.game})
        return room

    async def _make(
        self,
        visitor: Visitor,
        wanted: NewTable,
        options: dict[str, Any],
        seats: tuple[str | None, ...],
        run: AtRun | None,
        seed: str | None,
    ) -> Room:
        limit = self._limits.tables_per_person if run is None else self._limits.runs_per_person
        while True:
            opened = table.Opened(
                code=new_code(),
                game=wanted.game,
                options=options,
                host=visitor.id,
                public=wanted.public,
                late_join=wanted.late_join,
                practice=wanted.practice,
                chat=wanted.chat,
                quick_bots=wanted.quick_bots,
                seats=seats,
                seed=seed or new_seed(),
                time=int(now_ms()),
                run=run,
            )
            state = table.begin(opened)
            asking = table.Asking(visitor.id, visitor.name, opened.time, "", "", (), program=visitor.program)
            sat = table.decide(state, protocol.Sit(), asking)
            assert isinstance(sat, list)
            lines = write_events([opened, *sat], 0, opened.time)
            for event in sat:
                state = table.evolve(state, event)
            # The row comes first, for it is what is counted, by this node and by others. Should nothing come of it,
            # it is taken away again.
            row = table_row(state, len(lines), opened.time)
            counts = run is not None and run.day is not None and run.reason is None
            hosted = await reserve(self._store, row, visitor.ids, limit, is_only=counts)
            if hosted is None:  # that code is taken
                continue
            if hosted >= limit:
                over("tables_per_person" if run is None else "runs_per_person")
                raise TooMuch("too_many_tables", "you host too many tables; close one first")
            try:
                await self._store.append(stream_of(opened.code), 0, lines)
            except Conflict:  # that code is taken, but has no row
                await release(self._store, opened.code)
                continue
            except Rejected:
                await release(self._store, opened.code)
                raise
            except Unavailable:
                with suppress(Unavailable, SQLAlchemyError):
                    await self.mend([opened.code])
                raise
            room = self.rooms[state.code] = self._room(state, len(lines))
            # Whoever made rows again from the logs just now, a node that starts or a rebuild, knew of no such table.
            self.projector.note(state, room.version, None)
            return room

    def _room(self, state: table.State, version: int) -> Room:
        room = Room(state, version, self._store, self._thinkers, self.projector, self._limits, self._hinting)
        room.find_runs = self.find_runs
        room.is_running = self.is_running
        room.when_over = self.when_over
        room.tell_people = self.tell_people
        if self.nodes is not None:
            room.elsewhere = self.nodes.join(state.code, room)
        return room

    async def find_runs(self, people: frozenset[str]) -> None:
        """Let this node know the tables where these people play against the clock: those that sleep, and those of other nodes."""
        for code in await queries.running_runs(self._store, people):
            await self.find(code, just_look=True)

    def is_running(self, people: frozenset[str], code: str) -> bool:
        """Whether one of these people plays against the clock, as far as this node knows, at another table than this."""
        return any(other != code for other in self.running(people))

    def running(self, people: frozenset[str]) -> list[str]:
        """The tables where one of these people plays against the clock, as far as this node knows."""
        return [
            room.code
            for room in self.rooms.values()
            if room.state.run is not None
            and (room.is_beginning or room.is_playing)
            and not people.isdisjoint(room.state.people())
        ]

    async def mend(self, codes: Sequence[str]) -> None:
        """Make the rows of these tables again from their logs: those of which nothing was written have none."""
        await rebuild_tables(self._store, codes)

    async def find(self, code: str, *, just_look: bool = False) -> Room | None:
        """The table of this code, if there is one and it is not closed.

        ``just_look``: as it is known here, though another node may know more; that costs the table nothing.
        """
        room = self.rooms.get(code)
        while room is not None and self.nodes is not None and not just_look:
            # A node that died may have written what it could tell nobody any more.
            await room.refresh()
            if self.rooms.get(code) is room:
                break
            room = self.rooms.get(code)
        if room is None:
            if code not in self._loading:
                self._loading[code] = asyncio.create_task(self._load(code))
            try:
                room = await asyncio.shield(self._loading[code])
            finally:
                self._loading.pop(code, None)
        return None if room is None or room.state.phase == "closed" else room

    async def unload(self, code: str) -> None:
        """Take a table out of memory, with everybody at it, so that it is read again from its log."""
        room = self.rooms.pop(code, None)
        if room is not None:
            for connection in room.connections:
                connection.end("restart")
            await room.close()

    async def _load(self, code: str) -> Room | None:
        state: table.State | None = None
        lines = await self._store.read(stream_of(code))
        for line in lines:
            event = read_event(line)
            state = table.begin(event) if isinstance(event, table.Opened) else _evolve(state, event)
        if state is None:
            return None
        room = self._room(state, len(lines))
        room.take_causes(line.cause for line in lines if line.cause is not None)
        try:
            async with room.turnstile:
                await room.catch_up()
                await room.resume()
        except Unavailable:
            await room.close()
            raise
        self.projector.note(room.state, room.version, room.game)
        if room.state.phase != "closed":
            self._sleeping.pop(code, None)
            self.rooms[code] = room
        else:
            room.elsewhere.close()
        return room

    # --- what other nodes do ---

    def take_over(self) -> None:
        """A node is gone: see to the tables that nobody has open."""
        self._begin(self._take_up())

    def take_ended(self, sessions: frozenset[str]) -> None:
        """On another node these sessions have ended."""
        self.when_ended(sessions)

    def forget(self, people: frozenset[str]) -> None:
        """These people are erased: what they said is forgotten on every node."""
        self.take_forgotten(people)
        if self.nodes is not None:
            self.nodes.tell_forgotten(people)

    def take_forgotten(self, people: frozenset[str]) -> None:
        """On another node these people were erased."""
        for room in self.rooms.values():
            room.chat.forget(people)

    def tell_reviewed(self, code: str, news: protocol.ReviewNews) -> None:
        """Tell everybody at a table, on every node, how far the review of one of its games has come."""
        if (room := self.rooms.get(code)) is not None:
            room.tell_all(news)
        if self.nodes is not None:
            self.nodes.tell_reviewed(code, news)

    def rewritten(self, code: str) -> None:
        """A name was taken out of a table's log: let no node keep it."""
        if self.nodes is not None:
            self.nodes.tell_rewritten(code)

    def read_anew(self, code: str) -> None:
        """On another node a name was taken out of the table's log."""
        self._begin(self.unload(code))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks = [task for task in self._tasks if not task.done()]
        self._tasks.append(asyncio.create_task(work))

    async def _poll_forever(self, nodes: Nodes) -> None:
        polled = 0.0
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not nodes.is_heard or now_ms() - polled > POLL_ANYWAY_SECONDS * 1000:
                polled = now_ms()
                try:
                    await self.poll()
                except Unavailable:
                    continue

    async def poll(self) -> None:
        """Look which of the open tables others have written to, with one question for all of them."""
        rooms = list(self.rooms.values())
        streams = [stream_of(room.code) for room in rooms]
        streams += [room.game.id for room in rooms if room.game is not None]
        if not streams:
            return
        ends = await self._store.ends(streams)
        for room in rooms:
            game = room.game.id if room.game is not None else ""
            room.hear_news(ends.get(stream_of(room.code), 0), game, ends.get(game, 0))

    # --- what goes on by itself ---

    async def _take_up(self) -> None:
        """See to tables with a game, and then to those of the lobby, which shows who sits there, and lets go of those
        to which nobody comes back. Other tables that gather wait in their logs."""
        running = dict(await queries.running_games(self._store))
        for code in await queries.lagging_tables(self._store):
            try:
                await rebuild_tables(self._store, [code])
            except Exception:  # whatever is wrong with this one, the others must be seen to
                logger.exception("a table was not read again", extra={"table": code})
        codes = await queries.playing_tables(self._store) + await queries.listed_tables(self._store)
        for code in codes:
            try:
                if code not in self.rooms and code not in self._sleeping:
                    room = await self.find(code)
                    game = room.game.id if room is not None and room.game is not None else None
                    if running.get(code, game) != game:  # its end came just before a crash
                        await rebuild_tables(self._store, [code])
            except Unavailable:
                logger.warning("a table was not taken up", extra={"table": code})
                self._sleeping[code] = now_ms() + 10_000
            except Exception:
                logger.exception("a table cannot be taken up", extra={"table": code})
        if codes:
            logger.info("tables taken up", extra={"count": len(codes)})

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
            except Unavailable:
                logger.warning("the store cannot be reached")

    async def sweep(self) -> None:
        """Wake the tables whose time has come; put those to sleep where nothing goes on; close the abandoned ones."""
        now = now_ms()
        soon = now + 2 * SWEEP_SECONDS * 1000
        for code in [code for code, due in self._sleeping.items() if due < soon]:
            await self.find(code)
        gathering = now - self._limits.gathering_minutes * MINUTE
        for code in await queries.stale_tables(self._store, int(gathering), int(now - CLOSE_BY_POST_MS)):
            await self.find(code)
        for room in list(self.rooms.values()):
            if not room.connections:
                await self._look_after(room, now)

    async def _look_after(self, room: Room, now: float) -> None:
        """A table at which nobody is, at least not here."""
        idle = now - room.idle_since
        closes_at = room.attendance.closes_at()
        if closes_at is not None and closes_at <= now:
            logger.info("an abandoned table is closed", extra={"table": room.code})
            await room.manage(Visitor(room.state.host, ""), protocol.Close(), f"idle {int(now)}")
        elif room.state.empty_since is None and idle > self._limits.listed_minutes * MINUTE:
            await room.attendance.note_empty()
        if room.connections:  # somebody came meanwhile
            return
        is_noted = room.state.empty_since is not None or not room.attendance.is_empty()
        if room.state.phase == "closed" or (is_noted and idle > KEEP_MS and not room.is_busy(KEEP_MS)):
            await self._put_to_sleep(room)

    async def _put_to_sleep(self, room: Room) -> None:
        due_in = room.game.due_in() if room.game is not None else None
        wakes_at = [room.attendance.closes_at(), None if due_in is None else now_ms() + due_in]
        if any(time is not None for time in wakes_at):
            self._sleeping[room.code] = min(time for time in wakes_at if time is not None)
        # Nobody can be on the way in: who finds a table joins it in the same breath.
        self.rooms.pop(room.code, None)
        await room.close()

    async def _ping_forever(self) -> None:
        while True:
            for everybody in (True, False, False):
                await asyncio.sleep(PLAYER_PING_SECONDS)
                for room in list(self.rooms.values()):
                    if everybody or (room.live is not None and room.connections):
                        self._ping(room, everybody)

    def _ping(self, room: Room, everybody: bool) -> None:
        """Ask everybody at a table for a sign of life, or only those who play."""
        for connection in list(room.connections):
            if everybody or connection.seat is not None:
                connection.ping()
        room.tell_presence()


def _evolve(state: table.State | None, event: table.AnyTableEvent) -> table.State:
    assert state is not None
    return table.evolve(state, event)
