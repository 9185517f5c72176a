"""What a person's own stream tells: challenges, and games that begin and end. Bots live by it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tercet.server.protocol.challenges import Challenge
from tercet.server.protocol.http import GameSummary, Me
from tercet.server.protocol.server import Bye, FromServer, Ping, Result
from tercet.server.protocol.words import GameName


class OnlineBot(Struct, frozen=True):
    """A bot that can be challenged now: its login name, its name at tables, and what it plays."""

    account: Annotated[str, Meta(max_length=80)]
    name: str
    games: tuple[GameName, ...]


class Hello(FromServer):
    """The first line of your stream: who you are, your games that are running, and your challenges that are open or just accepted."""

    version: int
    you: Me
    games: tuple[GameSummary, ...]
    challenges: tuple[Challenge, ...]


class ChallengeNews(FromServer):
    """A challenge of yours, or to you, is new or has changed: see its ``status``."""

    challenge: Challenge


class GameBegan(FromServer):
    """A game has begun in which you play, whoever started it: come to its ``table``."""

    table: str
    id: str
    game: GameName
    names: tuple[str, ...]


class GameEnded(FromServer):
    """A game of yours is over; without a ``result``, it was broken off, or how it ended is in your games."""

    table: str
    id: str
    game: GameName
    result: Result | None


PersonalNews = ChallengeNews | GameBegan | GameEnded
PersonalMessage = Hello | ChallengeNews | GameBegan | GameEnded | Ping | Bye
