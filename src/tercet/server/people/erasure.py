"""Erasing a person: the games stay, the name goes."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, insert, select, update

from tercet.codec import to_json
from tercet.server import protocol
from tercet.server.ids import new_id
from tercet.server.logged.table import read_event, seated_at, stream_of
from tercet.server.people.people import People, Visitor
from tercet.server.room.rooms import Rooms
from tercet.server.store import Store, schema
from tercet.server.table import Sat

NAMELESS = "Player"


async def erase(store: Store, rooms: Rooms, people: People, visitor: Visitor) -> None:
    """Leave all tables, take the name out of their logs, and delete the person."""
    await rooms.projector.flush()
    for code in await seated_at(store, visitor.ids):
        await _leave(store, rooms, visitor, code)
    await rooms.projector.flush()
    await people.delete(visitor)  # from here on nobody comes in as this person
    for code in [room.code for room in rooms.rooms.values() if visitor.ids & set(room.state.people())]:
        await _leave(store, rooms, visitor, code)  # they sat down there meanwhile
    rooms.forget(visitor.ids)


async def _leave(store: Store, rooms: Rooms, visitor: Visitor, code: str) -> None:
    room = await rooms.find(code)
    if room is not None and room.identity(visitor) in room.state.people():
        await room.manage(visitor, protocol.Leave(), f"forget me {new_id()}")
    await rooms.unload(code)
    await rooms.projector.flush()
    await _rename(store, code, visitor.ids)
    rooms.rewritten(code)


async def _rename(store: Store, code: str, ids: Collection[str]) -> None:
    """The one change ever made to a log. Names decide nothing, so every record still verifies."""
    stream = stream_of(code)
    events = {line.seq: read_event(line) for line in await store.read(stream)}
    taken = {event.name for event in events.values() if isinstance(event, Sat)}
    number = next(number for number in range(1, 1000) if f"{NAMELESS} {number}" not in taken)
    nameless = f"{NAMELESS} {number}"
    await store.rewrite(
        stream,
        {
            seq: to_json(Sat(seat=event.seat, person=event.person, name=nameless)).decode()
            for seq, event in events.items()
            if isinstance(event, Sat) and event.person in ids
        },
        update(schema.players)
        .where(
            schema.players.c.person.in_(ids),
            schema.players.c.game.in_(select(schema.games.c.id).where(schema.games.c.code == code)),
        )
        .values(name=nameless),
        update(schema.tables)
        .where(schema.tables.c.code == code, schema.tables.c.host.in_(ids))
        .values(host_name=nameless),
        # A rebuild that is under way reads the table once more.
        delete(schema.changed).where(schema.changed.c.code == code),
        insert(schema.changed).values(code=code),
    )
