"""Erasing a person: the games stay, the name goes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace
from sqlalchemy import bindparam, select, text, update

from tercet.codec import from_json, to_json
from tercet.server import protocol
from tercet.server.ids import new_id
from tercet.server.logged.table import code_of, seated_at, stream_of
from tercet.server.people.people import People, Visitor
from tercet.server.projections import queries
from tercet.server.projections.writer import note_changed
from tercet.server.room.rooms import Rooms
from tercet.server.store import Store, schema
from tercet.server.table import Sat

NAMELESS = "Player"
#: So many tables are seen to at a time: others are served in between.
PAGE = 50


async def erase(store: Store, rooms: Rooms, people: People, visitor: Visitor) -> None:
    """Leave all tables, take the name out of their logs, and delete the person."""
    await rooms.projector.flush()
    for person in visitor.ids:
        async for codes in seated_at(store, person, PAGE):
            closed = await queries.closed_tables(store, codes)
            await _leave(rooms, visitor, [code for code in codes if code not in closed])
            await _rename(store, rooms, visitor, codes)
    await people.delete(visitor)  # from here on nobody comes in as this person
    later = [room.code for room in rooms.rooms.values() if visitor.ids & set(room.state.people())]
    await _leave(rooms, visitor, later)  # they sat down there meanwhile
    await _rename(store, rooms, visitor, later)
    rooms.forget(visitor.ids)


async def _leave(rooms: Rooms, visitor: Visitor, codes: Sequence[str]) -> None:
    for code in codes:
        room = await rooms.find(code)
        if room is not None and room.identity(visitor) in room.state.people():
            await room.manage(visitor, protocol.Leave(), f"forget me {new_id()}")


async def _rename(store: Store, rooms: Rooms, visitor: Visitor, codes: Sequence[str]) -> None:
    """The one change ever made to a log. Names decide nothing, so every record still verifies."""
    for code in codes:
        await rooms.unload(code)
    await rooms.projector.flush()
    await _rewrite(store, codes, visitor.ids)
    for code in codes:
        rooms.rewritten(code)


async def _rewrite(store: Store, codes: Sequence[str], ids: Collection[str]) -> None:
    log = schema.log
    sitting_down = select(log.c.stream, log.c.seq, log.c.event).where(
        log.c.stream.in_([stream_of(code) for code in codes]), text(schema.IS_SITTING_DOWN)
    )
    await store.settle()
    async with store.writing(exclusive=True) as connection:
        sat: dict[str, dict[int, Sat]] = {code: {} for code in codes}
        for stream, seq, line in await connection.execute(sitting_down):
            sat[code_of(stream)][seq] = from_json(line, Sat)
        names, lines = {}, []
        for code, events in sat.items():
            taken = {event.name for event in events.values() if event.person not in ids}
            number = next(number for number in range(1, 1000) if f"{NAMELESS} {number}" not in taken)
            names[code] = f"{NAMELESS} {number}"
            for seq, event in events.items():
                if event.person in ids:
                    nameless = replace(event, name=names[code])
                    lines.append({"of": stream_of(code), "number": seq, "new": to_json(nameless).decode()})
        if not lines:
            return
        await connection.execute(_NEW_LINE, lines)
        named = [{"of": code, "who": one, "new": name} for code, name in names.items() for one in ids]
        await connection.execute(_NEW_PLAYER, named)
        await connection.execute(_NEW_HOST, named)
        await note_changed(connection, codes)


_log, _players, _tables = schema.log, schema.players, schema.tables
_NEW_LINE = (
    update(_log)
    .where(_log.c.stream == bindparam("of"), _log.c.seq == bindparam("number"))
    .values(event=bindparam("new"))
)
_NEW_PLAYER = (
    update(_players)
    .where(
        _players.c.game.in_(select(schema.games.c.id).where(schema.games.c.code == bindparam("of"))),
        _players.c.person == bindparam("who"),
    )
    .values(name=bindparam("new"))
)
_NEW_HOST = (
    update(_tables)
    .where(_tables.c.code == bindparam("of"), _tables.c.host == bindparam("who"))
    .values(host_name=bindparam("new"))
)
