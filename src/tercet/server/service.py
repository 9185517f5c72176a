"""The parts of a running server, put together."""

from __future__ import annotations

from msgspec import Struct

from tercet.server.bots.thinking import Thinkers
from tercet.server.limits import Buckets, Rates
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
    rates: Rates

    @property
    def guests(self) -> Buckets:
        return self.rates.guests

    @property
    def logins(self) -> Buckets:
        return self.rates.logins

    @classmethod
    async def start(cls, settings: Settings) -> Service:
        """Open the store and take up what was going on; `StoreError` or `BusError` if that cannot be."""
        limits = settings.limits
        rates = Rates(limits)
        store = await open_store(settings.database)
        people = await People.open(store)
        sessions = Sessions(people, settings.origins, settings.secure)
        bus = await open_bus(settings.bus, people.space()) if settings.bus else None
        thinkers = Thinkers(settings.workers)
        rooms = Rooms(store, limits, thinkers, bus)
        rooms.projector.merged(await people.owners())
        await rooms.start()
        return cls(
            settings=settings,
            store=store,
            people=people,
            sessions=sessions,
            rooms=rooms,
            entrance=Entrance(rooms, sessions, limits, rates),
            thinkers=thinkers,
            rates=rates,
        )

    async def stop(self) -> None:
        await self.rooms.stop()
        self.thinkers.close()
        await self.store.close()
