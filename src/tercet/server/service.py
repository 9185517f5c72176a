"""The parts of a running server, put together."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from time import monotonic

from msgspec import Struct

from tercet.server.bots.thinking import Thinkers
from tercet.server.budgets import Buckets, Rates
from tercet.server.clock import SEEN_SECONDS, Clock
from tercet.server.news.challenges import Challenges
from tercet.server.news.news import News
from tercet.server.nodes.bus import open_bus
from tercet.server.people.people import People
from tercet.server.people.throttle import Throttle
from tercet.server.reviews.reviews import Reviews
from tercet.server.room.rooms import Rooms
from tercet.server.runs.days import Days
from tercet.server.settings import Settings
from tercet.server.socket.entrance import Entrance
from tercet.server.store import Store, Unavailable, open_store
from tercet.server.web.sessions import Sessions

logger = logging.getLogger("tercet.service")

#: How often it is looked for sessions that have ended elsewhere: while the bus is away, and while it is there.
LOOK_SECONDS = 2.0
LOOK_ANYWAY_SECONDS = 20.0


class Service(Struct):
    """Everything that answers a request."""

    settings: Settings
    store: Store
    clock: Clock
    people: People
    sessions: Sessions
    rooms: Rooms
    news: News
    challenges: Challenges
    entrance: Entrance
    thinkers: Thinkers
    reviews: Reviews
    rates: Rates
    logins: Throttle
    days: Days
    watching: asyncio.Task[None] | None = None

    @property
    def guests(self) -> Buckets:
        return self.rates.guests

    @classmethod
    async def start(cls, settings: Settings) -> Service:
        """Open the store and take up what was going on; `StoreError` or `BusError` if that cannot be."""
        limits = settings.limits
        rates = Rates(limits)
        store = await open_store(settings.database)
        clock = await Clock.start(store)
        people = await People.open(store)
        sessions = Sessions(people, settings.origins, settings.secure, settings.path)
        bus = await open_bus(settings.bus, people.space()) if settings.bus else None
        thinkers = Thinkers(settings.workers)
        rooms = Rooms(store, limits, thinkers, bus)
        news = News(store, clock, rooms.projector)
        challenges = Challenges(store, clock, people, rooms, limits, news.tell)
        entrance = Entrance(rooms, news, sessions, people, limits, rates)
        rooms.tell_people, rooms.take_told, rooms.bots_here = news.tell, news.take, news.bots_here
        rooms.when_ended = people.signed_in.take_ended
        if rooms.nodes is not None:
            people.signed_in.tell_others = rooms.nodes.tell_ended
            news.tell_others = rooms.nodes.tell_people
            news.bots_changed = rooms.nodes.beat
            news.bots_elsewhere = rooms.nodes.bots_elsewhere
        await people.signed_in.tidy()
        reviews = Reviews(store, rooms, thinkers, limits, rates, clock, settings.review_nice)
        await reviews.start()
        await rooms.start()
        service = cls(
            settings=settings,
            store=store,
            clock=clock,
            people=people,
            sessions=sessions,
            rooms=rooms,
            news=news,
            challenges=challenges,
            entrance=entrance,
            thinkers=thinkers,
            reviews=reviews,
            rates=rates,
            logins=Throttle(limits.logins_per_minute),
            days=Days(store, thinkers, settings.days),
        )
        service.days.start()
        service.watching = asyncio.create_task(service._watch())
        return service

    async def _watch(self) -> None:
        """Write down that the server is there, and look for sessions that ended where it could not be heard."""
        looked = noted = monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                nodes = self.rooms.nodes
                quiet = LOOK_SECONDS if nodes is not None and not nodes.is_heard else LOOK_ANYWAY_SECONDS
                if monotonic() - looked >= quiet:
                    looked = monotonic()
                    await self.entrance.look_for_ended()
                    if nodes is not None:
                        await self.news.look()
                await self.people.signed_in.end_expired()
                if monotonic() - noted >= SEEN_SECONDS - LOOK_SECONDS:
                    noted = monotonic()
                    await self.clock.note()
            except Unavailable:
                logger.warning("the store cannot be reached")

    async def stop(self) -> None:
        if self.watching is not None:
            self.watching.cancel()
            await asyncio.gather(self.watching, return_exceptions=True)
        await self.days.stop()
        await self.challenges.stop()
        await self.news.stop()
        await self.reviews.stop()
        await self.rooms.stop()
        with suppress(Unavailable):
            await self.clock.note()
        self.thinkers.close()
        await self.store.close()
