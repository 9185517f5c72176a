"""What nodes tell each other over the bus."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tercet.server import protocol
from tercet.server.protocol import OnlineBot, PersonalNews, Present, Said


class Note(Struct, frozen=True, kw_only=True, array_like=True, tag=True):
    """What one node tells the others; ``node`` is who says it."""

    node: str


class Alive(Note, frozen=True):
    """A sign of life, to everybody; ``people`` are at tables by this node, and ``bots`` listen by it."""

    people: int = 0
    bots: tuple[OnlineBot, ...] = ()


class Stopped(Note, frozen=True):
    """The node goes, to everybody."""


class Ended(Note, frozen=True):
    """These sessions are over, to everybody. An id alone opens nothing."""

    sessions: frozenset[str]


class Forgotten(Note, frozen=True):
    """These people are erased, to everybody: forget what they said."""

    people: frozenset[str]


class Told(Note, frozen=True):
    """Something has happened to these people, to everybody."""

    people: frozenset[str]
    news: PersonalNews


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


class Reviewed(Note, frozen=True):
    """How far the review of a game of the table has come."""

    news: protocol.ReviewNews


class Rewritten(Note, frozen=True):
    """A name was taken out of the table's log: read it again."""


AnyNote = (
    Alive | Stopped | Ended | Forgotten | Told | News | Open | Shut | Heard | History | Reviewed | Rewritten
)
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyNote).decode
