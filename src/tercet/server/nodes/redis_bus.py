"""The bus over Redis (or Valkey) pub/sub: it comes back by itself when Redis was away."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from random import random
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tercet.server.nodes.bus import BusError, Listener, without_password

logger = logging.getLogger("tercet.bus")

#: After so many seconds of silence Redis is asked for a sign of life, and after so many more given up.
QUIET_SECONDS = 2.0
#: Seconds before Redis is tried again: at first, and at most.
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
#: So many notes wait at most; what is more is lost, and found by looking.
OUTBOX = 10_000

_AWAY = (RedisError, OSError, TimeoutError)


class RedisBus:
    """One connection that listens, one that publishes many notes at once."""

    def __init__(self, redis: Redis, space: str) -> None:
        self.is_up = False
        #: Whether it was said that it is away: once, however long that lasts.
        self._said_away = False
        self._redis = redis
        self._prefix = f"tercet:{space}:"
        self._listeners: dict[str, Listener] = {}
        self._outbox: list[tuple[str, bytes]] = []
        self._wanted: set[str] = set()
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen_forever()), asyncio.create_task(self._send_forever())]
        self._pubsub: PubSub | None = None

    @classmethod
    async def open(cls, address: str, space: str) -> RedisBus:
        """With a Redis that has answered once; `BusError` if it does not."""
        try:
            redis = Redis.from_url(
                address,
                protocol=2,
                socket_connect_timeout=3,
                socket_timeout=3,
                retry=Retry(NoBackoff(), 0),
            )
        except (ValueError, TypeError) as error:
            raise BusError(f"cannot use the bus {without_password(address)}: {error}") from None
        try:
            await redis.ping()
        except (*_AWAY, ValueError, TypeError) as error:
            await redis.aclose()
            reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            raise BusError(f"cannot reach the bus {without_password(address)}: {reason}") from None
        return cls(redis, space)

    def publish(self, topic: str, note: bytes) -> None:
        if self.is_up and len(self._outbox) < OUTBOX:
            self._outbox.append((self._prefix + topic, note))
            self._wake.set()

    def subscribe(self, topic: str, listener: Listener) -> None:
        self._listeners[self._prefix + topic] = listener
        self._changed(topic)

    def unsubscribe(self, topic: str) -> None:
        self._listeners.pop(self._prefix + topic, None)
        self._changed(topic)

    def _changed(self, topic: str) -> None:
        self._wanted.add(self._prefix + topic)
        self._wake.set()

    async def close(self) -> None:
        """Send what waits, and go."""
        with suppress(*_AWAY):
            await self._send()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    # --- speaking ---

    async def _send_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._send()
            except _AWAY:
                # The listening side notices too, and once it is back everybody looks for what was missed.
                await asyncio.sleep(FIRST_WAIT)
                self._wake.set()

    async def _send(self) -> None:
        pubsub = self._pubsub
        if pubsub is None:
            return
        channels, self._wanted = self._wanted, set()
        try:
            if begun := [channel for channel in channels if channel in self._listeners]:
                await pubsub.subscribe(*begun)
            if ended := [channel for channel in channels if channel not in self._listeners]:
                await pubsub.unsubscribe(*ended)
        except _AWAY:
            self._wanted |= channels
            raise
        notes, self._outbox = self._outbox, []
        if notes:
            async with self._redis.pipeline(transaction=False) as pipeline:
                for channel, note in notes:
                    pipeline.publish(channel, note)
                await pipeline.execute()

    # --- listening ---

    async def _listen_forever(self) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await self._listen(pubsub)
            except _AWAY as error:
                if self.is_up:
                    wait = FIRST_WAIT
                if not self._said_away:
                    self._said_away = True
                    logger.warning(
                        "the bus is away; games go on, and the database is asked what other machines do",
                        extra={"reason": type(error).__name__},
                    )
            except Exception:
                logger.exception("the bus failed")
            self._pubsub, self.is_up = None, False
            self._outbox.clear()
            await asyncio.sleep(wait * (0.5 + random()))
            wait = min(2 * wait, LONGEST_WAIT)

    async def _listen(self, pubsub: PubSub) -> None:
        self._wanted.clear()
        # The bare prefix is nobody's topic: so there is always one to be confirmed.
        await pubsub.subscribe(self._prefix, *self._listeners)
        self._pubsub = pubsub
        self._wake.set()  # for topics that were asked for meanwhile
        asked = False
        while True:
            message = await pubsub.get_message(timeout=QUIET_SECONDS)
            if message is not None:
                asked = False
                self._take(message)
            elif asked:
                raise TimeoutError
            else:
                await pubsub.ping()
                asked = True

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind not in ("message", "subscribe"):
            return
        channel = message["channel"].decode()
        listener = self._listeners.get(channel)
        if kind == "message":
            if listener is not None:
                listener.hear(message["data"])
            return
        if not self.is_up:
            self.is_up = True
            if self._said_away:
                self._said_away = False
                # As loud as what it takes back: a host who has read the one looks for the other.
                logger.warning("the bus is back")
        if listener is not None:
            listener.tune_in()
