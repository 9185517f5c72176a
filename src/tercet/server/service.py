"""The parts of a running server, put together."""

from __future__ import annotations

from msgspec import Struct

from tercet.server.bots.thinking import Thinkers
from tercet.server.limits import Buckets
from tercet.server.nodes.bus import open_bus
from tercet.server.people.people import People
from tercet.server.room.rooms import Rooms
from tercet.server.settings import Settings
from tercet.server.socket.entrance import Entrance
from tercet.server.store import Store, open_store
from tercet.server.web.sessions import Sessions


class Service(Struct):
    """Everything that answers a request."""

    settings: Settings
    store: Store
    people: People
    sessions: Sessions
    rooms: Rooms
    entrance: Entrance
    thinkers: Thinkers
    guests: Buckets
    logins: Buckets

    @classmethod
    async def start(cls, settings: Settings) -> Service:
        """Open the store and take up what was going on; `StoreError` or `BusError` if that cannot be."""
        limits = settings.limits
        store = await open_store(settings.database)
        people = await People.open(store)
        sessions = Sessions(people, settings.origins, settings.secure)
        bus = await open_bus(settings.bus, people.space()) if settings.bus else None
        thinkers = Thinkers(settings.workers)
        rooms = Rooms(store, limits, thinkers, bus)
        await rooms.start()
        return cls(
            settings=settings,
            store=store,
            people=people,
            sessions=sessions,
            rooms=rooms,
            entrance=Entrance(rooms, sessions, limits),
            thinkers=thinkers,
            guests=Buckets(limits.guests_per_minute / 60, max(1, int(limits.guests_per_minute))),
            logins=Buckets(limits.logins_per_minute / 60, max(1, int(limits.logins_per_minute))),
        )

    async def stop(self) -> None:
        await self.rooms.stop()
        self.thinkers.close()
        await self.store.close()
