"""Forgetting a person: the games stay, the name goes."""

from __future__ import annotations

from sqlalchemy import select, update

from tercet.codec import from_json, to_json
from tercet.server import protocol
from tercet.server.people import People, Visitor
from tercet.server.rooms import Rooms
from tercet.server.store import Store, schema
from tercet.server.table import AnyTableEvent, Sat

NAMELESS = "Player"


async def forget(store: Store, rooms: Rooms, people: People, visitor: Visitor) -> None:
    """Leave all tables, take the name out of their logs, and delete the person."""
    ids = {visitor.id, *visitor.former}
    await rooms.projector.flush()
    for code in await _tables_of(store, ids):
        room = await rooms.find(code)
        if room is not None and room.identity(visitor) in room.state.people():
            await room.manage(visitor, protocol.Leave(), "forget me")
        await rooms.unload(code)
        await _rename(store, code, ids)
        rooms.rewritten(code)
    await rooms.projector.flush()
    await people.delete(visitor)


async def _tables_of(store: Store, ids: set[str]) -> list[str]:
    log = schema.log
    query = select(log.c.stream, log.c.event).where(
        log.c.stream.like("table %"), log.c.event.like('{"kind":"sat",%')
    )
    found = []
    await store.settle()
    async with store.reading() as connection:
        for stream, text in await connection.execute(query):
            event = from_json(text, AnyTableEvent)
            if isinstance(event, Sat) and event.person in ids and stream not in found:
                found.append(stream)
    return [stream.removeprefix("table ") for stream in found]


async def _rename(store: Store, code: str, ids: set[str]) -> None:
    """The one change ever made to a log. Names decide nothing, so every record still verifies."""
    log = schema.log
    lines = await store.read(f"table {code}")
    events: list[tuple[int, AnyTableEvent]] = [
        (line.seq, from_json(line.event, AnyTableEvent)) for line in lines
    ]
    taken = {event.name for _, event in events if isinstance(event, Sat)}
    number = next(number for number in range(1, 1000) if f"{NAMELESS} {number}" not in taken)
    async with store.writing() as connection:
        for seq, event in events:
            if isinstance(event, Sat) and event.person in ids:
                nameless = Sat(seat=event.seat, person=event.person, name=f"{NAMELESS} {number}")
                await connection.execute(
                    update(log)
                    .where(log.c.stream == f"table {code}", log.c.seq == seq)
                    .values(event=to_json(nameless).decode())
                )
        await connection.execute(
            update(schema.players)
            .where(
                schema.players.c.person.in_(ids),
                schema.players.c.game.in_(select(schema.games.c.id).where(schema.games.c.code == code)),
            )
            .values(name=f"{NAMELESS} {number}")
        )
