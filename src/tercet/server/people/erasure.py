"""Erasing a person: the games stay, the name goes."""

from __future__ import annotations

from sqlalchemy import select, update

from tercet.codec import to_json
from tercet.server import protocol
from tercet.server.ids import now_ms
from tercet.server.logged.table import read_event, seated_at, stream_of
from tercet.server.people.people import People, Visitor
from tercet.server.room.rooms import Rooms
from tercet.server.store import Store, schema
from tercet.server.table import Sat

NAMELESS = "Player"


async def erase(store: Store, rooms: Rooms, people: People, visitor: Visitor) -> None:
    """Leave all tables, take the name out of their logs, and delete the person."""
    ids = {visitor.id, *visitor.former}
    await rooms.projector.flush()
    for code in await seated_at(store, ids):
        room = await rooms.find(code)
        if room is not None and room.identity(visitor) in room.state.people():
            await room.manage(visitor, protocol.Leave(), "forget me")
        await rooms.unload(code)
        await _rename(store, code, ids)
        rooms.rewritten(code)
    await rooms.projector.flush()
    await people.delete(visitor)


async def _rename(store: Store, code: str, ids: set[str]) -> None:
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
        # A rebuild that is under way reads the table once more.
        update(schema.tables)
        .where(schema.tables.c.code == code)
        .values(version=0, changed_time=int(now_ms())),
    )
