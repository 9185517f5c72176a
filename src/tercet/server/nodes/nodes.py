"""Several nodes on one database: which others are alive, and what of a table is on them.

A node that has a table open listens to the table's topic. There it hears that the logs have grown, what is said, and
who is connected elsewhere. A node that has not been heard of for a while is taken for dead, and with it all that it
said. Of the nodes that have a table open, the one that opened it first plays the bots and calls the deadlines; the
others come in a moment later should it not. Two that do the same thing at once do no harm: the log takes one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from time import monotonic
from typing import Protocol

import msgspec

from tercet.server.ids import new_id
from tercet.server.nodes.bus import Bus
from tercet.server.nodes.elsewhere import OpenTable, OtherNodes
from tercet.server.nodes.notes import (
    Alive,
    AnyNote,
    Ended,
    Forgotten,
    Note,
    Reviewed,
    Rewritten,
    Stopped,
    Told,
    decode,
    encode,
)
from tercet.server.protocol import OnlineBot, PersonalNews, ReviewNews

logger = logging.getLogger("tercet.nodes")

#: Seconds between two signs of life, and after which a silent node is taken for dead.
BEAT_SECONDS = 1.5
LOST_SECONDS = 6.0

#: The topic of all nodes; a table's topic is its code.
EVERYBODY = "nodes"


class OpenTables(Protocol):
    """What the other nodes' notes do to all tables here."""

    def people_here(self) -> Collection[str]:
        """Whoever is at a table by this node."""

    def bots_here(self) -> tuple[OnlineBot, ...]:
        """The bots that listen by this node."""

    def take_told(self, people: frozenset[str], news: PersonalNews) -> None:
        """On another node something has happened to these people."""

    def take_over(self) -> None:
        """A node is gone: see to the tables that nobody has open."""

    def take_ended(self, sessions: frozenset[str]) -> None:
        """On another node these sessions have ended."""

    def take_forgotten(self, people: frozenset[str]) -> None:
        """On another node these people were erased."""

    def read_anew(self, code: str) -> None:
        """A table's log is not what it was."""


class Nodes:
    """This node, and the others that have been heard of lately."""

    def __init__(self, bus: Bus, tables: OpenTables) -> None:
        self.id = new_id()
        self.tables = tables
        self._bus = bus
        self._open: dict[str, OtherNodes] = {}
        #: When each of the others was last heard of.
        self._heard: dict[str, float] = {}
        #: How many people each of them said that it has at tables.
        self._people: dict[str, int] = {}
        #: The bots that listen by each of them.
        self._bots: dict[str, tuple[OnlineBot, ...]] = {}
        bus.subscribe(EVERYBODY, self)
        self._beating = asyncio.create_task(self._beat_forever())

    @property
    def is_heard(self) -> bool:
        return self._bus.is_up

    @property
    def count(self) -> int:
        """How many nodes there are, with this one."""
        return 1 + len(self._heard)

    @property
    def people_elsewhere(self) -> int:
        """How many people are at tables by other nodes."""
        return sum(self._people.values())

    def bots_elsewhere(self) -> list[OnlineBot]:
        return [bot for bots in self._bots.values() for bot in bots]

    def join(self, code: str, room: OpenTable) -> OtherNodes:
        """Open a table also to the notes of the others."""
        table = self._open[code] = OtherNodes(self, code, room)
        self._bus.subscribe(code, table)
        return table

    def leave(self, code: str, table: OtherNodes) -> None:
        if self._open.get(code) is table:
            del self._open[code]
            self._bus.unsubscribe(code)

    def publish(self, topic: str, note: Note) -> None:
        self._bus.publish(topic, encode(note))

    def tell_ended(self, sessions: frozenset[str]) -> None:
        """These sessions have ended here."""
        self.publish(EVERYBODY, Ended(node=self.id, sessions=sessions))

    def tell_people(self, people: frozenset[str], news: PersonalNews) -> None:
        """Something has happened here to these people."""
        self.publish(EVERYBODY, Told(node=self.id, people=people, news=news))

    def tell_forgotten(self, people: frozenset[str]) -> None:
        """These people were erased here."""
        self.publish(EVERYBODY, Forgotten(node=self.id, people=people))

    def tell_rewritten(self, code: str) -> None:
        """A table's log is not what it was."""
        self.publish(code, Rewritten(node=self.id))

    def tell_reviewed(self, code: str, news: ReviewNews) -> None:
        """So far has the review of a game of this table come."""
        self.publish(code, Reviewed(node=self.id, news=news))

    async def stop(self) -> None:
        """Say goodbye."""
        self._beating.cancel()
        await asyncio.gather(self._beating, return_exceptions=True)
        self.publish(EVERYBODY, Stopped(node=self.id))
        await self._bus.close()

    def read(self, note: bytes) -> AnyNote | None:
        """A note of another node, which is alive then; None for one's own and for what is none."""
        try:
            heard: AnyNote = decode(note)
        except (msgspec.DecodeError, UnicodeError):
            logger.warning("a note made no sense", extra={"size": len(note)})
            return None
        if heard.node == self.id:
            return None
        if heard.node not in self._heard and not isinstance(heard, Stopped):
            self._heard[heard.node] = monotonic()
            logger.info("another node is there", extra={"node": heard.node})
            for table in self._open.values():
                table.announce(asks=True)
        self._heard[heard.node] = monotonic()
        return heard

    # --- the topic of all nodes ---

    def tune_in(self) -> None:
        self.beat()

    def hear(self, note: bytes) -> None:
        heard = self.read(note)
        if isinstance(heard, Alive):
            self._people[heard.node], self._bots[heard.node] = heard.people, heard.bots
        elif isinstance(heard, Stopped):
            self._lose(heard.node)
        elif isinstance(heard, Ended):
            self.tables.take_ended(heard.sessions)
        elif isinstance(heard, Told):
            self.tables.take_told(heard.people, heard.news)
        elif isinstance(heard, Forgotten):
            self.tables.take_forgotten(heard.people)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self.beat()
            latest = monotonic() - LOST_SECONDS
            for node in [node for node, heard in self._heard.items() if heard < latest]:
                self._lose(node)

    def beat(self) -> None:
        """Give a sign of life."""
        people, bots = len(self.tables.people_here()), self.tables.bots_here()
        self.publish(EVERYBODY, Alive(node=self.id, people=people, bots=bots))

    def _lose(self, node: str) -> None:
        self._people.pop(node, None)
        self._bots.pop(node, None)
        if self._heard.pop(node, None) is None:
            return
        logger.warning("a node is gone", extra={"node": node})
        for table in list(self._open.values()):
            table.lose(node)
        # While the bus is away everybody seems gone: then nobody takes over.
        if self.is_heard and all(self.id < other for other in self._heard):
            self.tables.take_over()
