"""Who listens to the news of their own account, and how they hear them, from whatever node they come.

News go over the bus as they are. Should one be lost, it is found by looking: `look` compares what somebody was told with what
is written down.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from time import monotonic

import msgspec

from tercet import games
from tercet.server import protocol
from tercet.server.clock import Clock
from tercet.server.news.challenges import open_challenges
from tercet.server.people.people import Visitor
from tercet.server.projections.queries import games_of
from tercet.server.projections.writer import Projector
from tercet.server.protocol import (
    ChallengeNews,
    GameBegan,
    GameEnded,
    GameSummary,
    Hello,
    Me,
    OnlineBot,
    PersonalNews,
    Pong,
)
from tercet.server.socket.connection import PING_SECONDS, Connection
from tercet.server.socket.transport import Socket
from tercet.server.store import Store, Unavailable

logger = logging.getLogger("tercet.news")

#: What has begun is written down within so many seconds: until then it is not missed there.
WRITTEN_SECONDS = 10.0
#: So many games that are over are remembered for each who listens.
ENDED_KEPT = 1000
#: So many bots of a node are shown to others.
BOTS_SHOWN = 500

_decode = msgspec.json.Decoder(Pong).decode


class Listener:
    """Somebody who listens, and what they know."""

    def __init__(self, connection: Connection, plays: tuple[str, ...]) -> None:
        self.connection = connection
        self.plays = plays
        #: News that came before they were greeted.
        self._early: list[PersonalNews] | None = []
        #: The running games that they know of, and since when; the ones that are over; the challenges as they know them.
        self._running: dict[str, tuple[float, GameBegan]] = {}
        self._ended: dict[str, None] = {}
        self._challenges: dict[str, tuple[str, str | None]] = {}

    def greet(self, hello: Hello) -> None:
        for game in hello.games:
            self._running[game.id] = (monotonic(), _began(game))
        for challenge in hello.challenges:
            self._challenges[challenge.id] = (challenge.status, challenge.table)
        self.connection.tell_first(hello)
        early, self._early = self._early or [], None
        for news in early:
            self.tell(news)

    def tell(self, news: PersonalNews) -> None:
        """Pass it on, unless it is known."""
        if self._early is not None:
            self._early.append(news)
        elif self._is_new(news):
            self.connection.tell(news)

    def _is_new(self, news: PersonalNews) -> bool:
        match news:
            case GameBegan():
                if news.id in self._running or news.id in self._ended:
                    return False
                self._running[news.id] = (monotonic(), news)
            case GameEnded():
                if news.id in self._ended:
                    return False
                self._running.pop(news.id, None)
                self._ended[news.id] = None
                if len(self._ended) > ENDED_KEPT:
                    del self._ended[next(iter(self._ended))]
            case ChallengeNews():
                now = (news.challenge.status, news.challenge.table)
                if self._challenges.get(news.challenge.id) == now:
                    return False
                self._challenges[news.challenge.id] = now
        return True

    def compare(self, running: Iterable[GameSummary], challenges: Iterable[protocol.Challenge]) -> None:
        """Tell what was missed, from what is written down."""
        found = {game.id: _began(game) for game in running}
        for began in found.values():
            self.tell(began)
        late = monotonic() - WRITTEN_SECONDS
        for since, began in list(self._running.values()):
            if began.id not in found and since < late:
                self.tell(GameEnded(table=began.table, id=began.id, game=began.game, result=None))
        for challenge in challenges:
            self.tell(ChallengeNews(challenge=challenge))


def _began(game: GameSummary) -> GameBegan:
    return GameBegan(
        table=game.table, id=game.id, game=game.game, names=tuple(player.name for player in game.players)
    )


class News:
    """Everybody who listens by this node."""

    def __init__(self, store: Store, clock: Clock, projector: Projector) -> None:
        self._store = store
        self._clock = clock
        self._projector = projector
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        #: Told what people hear here, for those who listen by other nodes.
        self.tell_others: Callable[[frozenset[str], PersonalNews], None] = lambda _people, _news: None
        #: Told that other bots are here than before.
        self.bots_changed: Callable[[], None] = lambda: None
        #: The bots that other nodes have.
        self.bots_elsewhere: Callable[[], Iterable[OnlineBot]] = lambda: ()
        self._pinging = asyncio.create_task(self._ping_forever())

    def tell(self, people: Collection[str], news: PersonalNews) -> None:
        """Something has happened to these people."""
        self.take(frozenset(people), news)
        self.tell_others(frozenset(people), news)

    def take(self, people: frozenset[str], news: PersonalNews) -> None:
        """Something has happened to these people, here or on another node."""
        for listener in {one for person in people for one in self._listeners.get(person, ())}:
            listener.tell(news)

    # --- bots that are there ---

    def bots_here(self) -> tuple[OnlineBot, ...]:
        found: dict[str, OnlineBot] = {}
        for listener in self._all():
            visitor = listener.connection.visitor
            can_play = visitor.by_token and visitor.may("challenge") and visitor.may("play")
            if visitor.program and can_play and visitor.account is not None:
                found[visitor.account] = OnlineBot(visitor.account, visitor.name, listener.plays)
        return tuple(found.values())[:BOTS_SHOWN]

    def bots(self) -> list[OnlineBot]:
        """All bots that can be challenged, by whatever node they listen."""
        found = {bot.account: bot for bot in (*self.bots_elsewhere(), *self.bots_here())}
        return sorted(found.values(), key=lambda bot: bot.account.casefold())

    # --- listening ---

    async def attend(self, connection: Connection, socket: Socket, query: dict[str, list[str]]) -> str | None:
        """Tell somebody the news until they are gone; why that cannot be, if it cannot."""
        visitor = connection.visitor
        listener = Listener(connection, _plays(query.get("games", [""])[0]))
        for person in visitor.ids:
            self._listeners[person].add(listener)
        try:
            try:
                hello = await self._hello(visitor)
            except Unavailable:
                return "store_unavailable"
            listener.greet(hello)
            if visitor.program:
                self.bots_changed()
            while not connection.is_ending and (text := await socket.receive()) is not None:
                try:
                    connection.pong(_decode(text).number)
                except (msgspec.DecodeError, UnicodeError, RecursionError):
                    connection.end("bad_message")
                socket.count_frame()
        finally:
            socket.let_go()
            for person in visitor.ids:
                self._listeners[person].discard(listener)
                if not self._listeners[person]:
                    del self._listeners[person]
            if visitor.program:
                self.bots_changed()
        return None

    async def _hello(self, visitor: Visitor) -> Hello:
        await self._projector.flush()
        running, challenges = await self._written(visitor)
        me = Me(visitor.id, visitor.name, visitor.account, visitor.program)
        return Hello(version=protocol.VERSION, you=me, games=tuple(running), challenges=tuple(challenges))

    async def look(self) -> None:
        """Find what somebody should have heard and has not."""
        for listener in self._all():
            listener.compare(*await self._written(listener.connection.visitor))

    async def _written(self, visitor: Visitor) -> tuple[list[GameSummary], list[protocol.Challenge]]:
        """The running games and the challenges of somebody, as they are written down."""
        running = await games_of(self._store, visitor.id, running=True)
        self._clock.show(running)
        return running, await open_challenges(self._store, self._clock, visitor.ids)

    def _all(self) -> set[Listener]:
        return {listener for listeners in self._listeners.values() for listener in listeners}

    async def _ping_forever(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            for listener in self._all():
                listener.connection.ping()

    async def stop(self) -> None:
        self._pinging.cancel()
        await asyncio.gather(self._pinging, return_exceptions=True)
        for listener in self._all():
            listener.connection.end("restart")


def _plays(wanted: str) -> tuple[str, ...]:
    """What a bot says it plays; everything, if it says nothing that there is."""
    known = games.names()
    return tuple(name for name in wanted.split(",") if name in known) or tuple(known)
