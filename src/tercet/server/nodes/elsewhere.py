"""A table as it is on other nodes: who is there, who plays its bots, and what was written and said."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import random
from typing import TYPE_CHECKING, Protocol

from tercet.server import protocol
from tercet.server.ids import now_ms
from tercet.server.nodes.notes import Heard, History, News, Note, Open, Reviewed, Rewritten, Shut
from tercet.server.protocol import Present, Said

if TYPE_CHECKING:
    from tercet.server.nodes.nodes import Nodes

#: Seconds that a node which has opened a table waits to hear whether another plays its bots.
SETTLE_SECONDS = 0.5
#: Seconds that a node waits for the one in charge to call a deadline.
PATIENCE_SECONDS = 1.0


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

    def tell_all(self, message: protocol.FromServer) -> None:
        """Tell everybody who is at the table here."""

    def hear_history(self, said: Iterable[Said]) -> None:
        """This was said elsewhere lately; perhaps it is known here."""

    def recent_chat(self) -> tuple[Said, ...]:
        """What was said lately."""

    def change_hands(self) -> None:
        """This node may be in charge now, or not any more."""


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
            case Reviewed():
                self._room.tell_all(heard.news)
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
