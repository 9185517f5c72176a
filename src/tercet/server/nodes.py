"""Several nodes on one database: which others are alive, and what of a table is on them.

A node that has a table open listens to the table's topic. There it hears that the logs have grown, what is said, and
who is connected elsewhere. A node that has not been heard of for a while is taken for dead, and with it all that it
said. Of the nodes that have a table open, the one that opened it first plays the bots and calls the deadlines; the
others come in a moment later should it not. Two that do the same thing at once do no harm: the log takes one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from random import random
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import Struct

from tercet.server import protocol
from tercet.server.bus import Bus
from tercet.server.ids import new_id, now_ms
from tercet.server.protocol import Present, Said

logger = logging.getLogger("tercet.nodes")

#: Seconds between two signs of life, and after which a silent node is taken for dead.
BEAT_SECONDS = 1.5
LOST_SECONDS = 6.0
#: Seconds that a node which has opened a table waits to hear whether another plays its bots.
SETTLE_SECONDS = 0.5
#: Seconds that a node waits for the one in charge to call a deadline.
PATIENCE_SECONDS = 1.0

#: The topic of all nodes; a table's topic is its code.
EVERYBODY = "nodes"


class Note(Struct, frozen=True, kw_only=True, array_like=True, tag=True):
    """What one node tells the others; ``node`` is who says it."""

    node: str


class Alive(Note, frozen=True):
    """A sign of life, to everybody."""


class Stopped(Note, frozen=True):
    """The node goes, to everybody."""


class Merged(Note, frozen=True):
    """These guests are these accounts now, to everybody."""

    owners: dict[str, str]


class News(Note, frozen=True):
    """The logs of the table and of its game go that far."""

    version: int
    game: str | None
    seq: int


class Open(Note, frozen=True):
    """The node has had the table open since then, with these people; ``asks`` for the same of the others."""

    since: float
    present: tuple[Present, ...]
    asks: bool = False


class Shut(Note, frozen=True):
    """The node does not have the table open any more."""


class Heard(Note, frozen=True):
    """Something was said at the table."""

    said: Said | None = None
    reaction: protocol.Reaction | None = None


class History(Note, frozen=True):
    """What was said lately, for a node that asked or may have missed it."""

    said: tuple[Said, ...]


class Rewritten(Note, frozen=True):
    """A name was taken out of the table's log: read it anew."""


AnyNote = Alive | Stopped | Merged | News | Open | Shut | Heard | History | Rewritten
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyNote).decode


class OpenTable(Protocol):
    """What the other nodes' notes do to a table here."""

    def hear_news(self, version: int, game: str | None, seq: int) -> None:
        """The logs go that far: look, if that is further than here."""

    def look_again(self) -> None:
        """Something may have been missed: look."""

    def tell_presence(self) -> None:
        """Who is here has changed."""

    def hear_said(self, message: protocol.Chat | protocol.Reaction) -> None:
        """Something was said elsewhere."""

    def hear_history(self, said: Iterable[Said]) -> None:
        """This was said elsewhere lately; perhaps it is known here."""

    def recent_chat(self) -> tuple[Said, ...]:
        """What was said lately."""

    def change_hands(self) -> None:
        """This node may be in charge now, or not any more."""


class OpenTables(Protocol):
    """What the other nodes' notes do to all tables here."""

    def take_over(self) -> None:
        """A node is gone: see to the tables that nobody has open."""

    def take_merged(self, owners: dict[str, str]) -> None:
        """On another node these guests have become these accounts."""

    def read_anew(self, code: str) -> None:
        """A table's log is not what it was."""


class Elsewhere:
    """A table on other nodes; this one: there are no other nodes."""

    #: Whether there may be other nodes at all.
    is_shared = False

    @property
    def is_heard(self) -> bool:
        """Whether other nodes' news come in; otherwise only looking helps."""
        return True

    @property
    def in_charge(self) -> bool:
        """Whether bots are played and deadlines called here."""
        return True

    @property
    def patience(self) -> float:
        """Seconds that a deadline is left to the node in charge."""
        return 0.0

    @property
    def present(self) -> tuple[Present, ...]:
        """Who is connected to other nodes."""
        return ()

    def news(self, version: int, game: str | None, seq: int) -> None:
        """This node has written to the logs."""

    def here(self, present: tuple[Present, ...]) -> None:
        """These people are connected to this node."""

    def said(self, message: protocol.Chat | protocol.Reaction) -> None:
        """Somebody at this node said something."""

    def close(self) -> None:
        """The table goes out of memory here."""


class OtherNodes(Elsewhere):
    """A table on the other nodes of the bus."""

    is_shared = True

    def __init__(self, nodes: Nodes, code: str, room: OpenTable) -> None:
        self._nodes = nodes
        self._code = code
        self._room = room
        self._since = now_ms()
        self._here: tuple[Present, ...] = ()
        self._others: dict[str, Open] = {}
        self._settled = False
        self._settling = asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settle)

    # --- what is asked here ---

    @property
    def is_heard(self) -> bool:
        return self._nodes.is_heard

    @property
    def in_charge(self) -> bool:
        mine = (self._since, self._nodes.id)
        return self._settled and all(mine < (other.since, node) for node, other in self._others.items())

    @property
    def patience(self) -> float:
        return 0.0 if self.in_charge else PATIENCE_SECONDS * (1 + random())

    @property
    def present(self) -> tuple[Present, ...]:
        return tuple(present for other in self._others.values() for present in other.present)

    # --- what happens here ---

    def news(self, version: int, game: str | None, seq: int) -> None:
        self._publish(News(node=self._nodes.id, version=version, game=game, seq=seq))

    def here(self, present: tuple[Present, ...]) -> None:
        if present != self._here:
            self._here = present
            self.announce()

    def said(self, message: protocol.Chat | protocol.Reaction) -> None:
        if isinstance(message, protocol.Chat):
            self._publish(Heard(node=self._nodes.id, said=message.said))
        else:
            self._publish(Heard(node=self._nodes.id, reaction=message))

    def announce(self, *, asks: bool = False) -> None:
        """Say that the table is open here; and maybe ask who else has it open."""
        self._publish(Open(node=self._nodes.id, since=self._since, present=self._here, asks=asks))

    def close(self) -> None:
        self._settling.cancel()
        self._publish(Shut(node=self._nodes.id))
        self._nodes.leave(self._code, self)

    def _publish(self, note: Note) -> None:
        self._nodes.publish(self._code, note)

    def _settle(self) -> None:
        self._settled = True
        self._room.change_hands()

    # --- what is heard ---

    def tune_in(self) -> None:
        self.announce(asks=True)
        self._tell_history()
        self._room.look_again()

    def _tell_history(self) -> None:
        if recent := self._room.recent_chat():
            self._publish(History(node=self._nodes.id, said=recent))

    def hear(self, note: bytes) -> None:
        heard = self._nodes.read(note)
        match heard:
            case News():
                self._room.hear_news(heard.version, heard.game, heard.seq)
            case Open():
                self._take(heard)
                if heard.asks:
                    self.announce()
                    self._tell_history()
            case Shut():
                self.lose(heard.node)
            case Heard(said=Said() as said):
                self._room.hear_said(protocol.Chat(said=said))
            case Heard(reaction=protocol.Reaction() as reaction):
                self._room.hear_said(reaction)
            case History():
                self._room.hear_history(heard.said)
            case Rewritten():
                self._nodes.tables.read_anew(self._code)
            case _:
                pass

    def _take(self, opened: Open) -> None:
        before = self._others.get(opened.node)
        self._others[opened.node] = opened
        if before is None or before.since != opened.since:
            self._room.change_hands()
        if before is None or before.present != opened.present:
            self._room.tell_presence()

    def lose(self, node: str) -> None:
        """That node does not have the table open any more; what it wrote last may not have been told."""
        if self._others.pop(node, None) is not None:
            self._room.look_again()
            self._room.change_hands()
            self._room.tell_presence()


class Nodes:
    """This node, and the others that have been heard of lately."""

    def __init__(self, bus: Bus, tables: OpenTables) -> None:
        self.id = new_id()
        self.tables = tables
        self._bus = bus
        self._open: dict[str, OtherNodes] = {}
        #: When each of the others was last heard of.
        self._heard: dict[str, float] = {}
        bus.subscribe(EVERYBODY, self)
        self._beating = asyncio.create_task(self._beat_forever())

    @property
    def is_heard(self) -> bool:
        return self._bus.is_up

    @property
    def count(self) -> int:
        """How many nodes there are, with this one."""
        return 1 + len(self._heard)

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
        self._bus.publish(topic, _encode(note))

    def tell_merged(self, owners: dict[str, str]) -> None:
        """Guests have become accounts here."""
        self.publish(EVERYBODY, Merged(node=self.id, owners=owners))

    def tell_rewritten(self, code: str) -> None:
        """A table's log is not what it was."""
        self.publish(code, Rewritten(node=self.id))

    async def stop(self) -> None:
        """Say goodbye."""
        self._beating.cancel()
        await asyncio.gather(self._beating, return_exceptions=True)
        self.publish(EVERYBODY, Stopped(node=self.id))
        await self._bus.close()

    def read(self, note: bytes) -> AnyNote | None:
        """A note of another node, which is alive then; None for one's own and for what is none."""
        try:
            heard: AnyNote = _decode(note)
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
        self.publish(EVERYBODY, Alive(node=self.id))

    def hear(self, note: bytes) -> None:
        heard = self.read(note)
        if isinstance(heard, Stopped):
            self._lose(heard.node)
        elif isinstance(heard, Merged):
            self.tables.take_merged(heard.owners)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self.publish(EVERYBODY, Alive(node=self.id))
            latest = monotonic() - LOST_SECONDS
            for node in [node for node, heard in self._heard.items() if heard < latest]:
                self._lose(node)

    def _lose(self, node: str) -> None:
        if self._heard.pop(node, None) is None:
            return
        logger.warning("a node is gone", extra={"node": node})
        for table in list(self._open.values()):
            table.lose(node)
        # While the bus is away everybody seems gone: then nobody takes over.
        if self.is_heard and all(self.id < other for other in self._heard):
            self.tables.take_over()
