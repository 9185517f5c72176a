"""A person on a server, over HTTP; tables are joined from here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from http.client import InvalidURL
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

from msgspec import DecodeError

from tercet.bots import Bot
from tercet.client.errors import ClientError, Refusal, closed
from tercet.client.lines import CANNOT_OPEN, TEMPORARY, Patience, open_line
from tercet.client.promises import usual_promises
from tercet.client.table import RemoteTable
from tercet.codec import from_data, from_json, to_data
from tercet.extras import needs
from tercet.games import Command, why
from tercet.games import Refusal as GameRefusal
from tercet.games import find as find_game
from tercet.server import protocol
from tercet.server.protocol import (
    SCOPES,
    Bye,
    Challenge,
    ChallengeNews,
    Decline,
    GameBegan,
    GameEnded,
    GameSummary,
    Hello,
    Leave,
    Me,
    OnlineBot,
    PersonalMessage,
    Ping,
    ReviewState,
    Scope,
    TableSummary,
    Token,
)
from tercet.sets import KindError, of_kind
from tercet.study.review import Review, review_type
from tercet.study.review import read as read_review

with needs("client"):
    from websockets.exceptions import ConnectionClosed

#: Seconds between two looks at a review that is being made.
REVIEW_WAIT = 1.0
#: Seconds between two looks at whether a challenge has been answered.
ANSWER_WAIT = 0.5
#: What somebody is told whom the server does not know.
NOT_SIGNED_IN = (
    "the server does not know you: sign_in(name) comes in as a guest, log_in to an account; or give a token"
)
#: What a person's own stream tells.
News = Hello | ChallengeNews | GameBegan | GameEnded
#: The class of the bot that plays each game, by the game's name.
Kinds = Mapping[str, type[Bot[Any, Any]]]


class Client:
    """A person on a server. ``token``: a bearer token, for programs that act for an account. ``promises``: the folder
    in which is kept what the server promised before each game, for ``tercet verify --promise``; None keeps it only
    in memory (`RemoteTable.promise`)."""

    def __init__(
        self, url: str, token: str | None = None, promises: str | Path | None = "data folder"
    ) -> None:
        of_kind(url, str, "the address of a server, as in 'http://localhost:8000'")
        self.url = url.rstrip("/")
        if not _is_address(self.url):
            raise ClientError("bad_address", f"{url!r:.80} is no address: write it as http://localhost:8000")
        self.promises = (
            None if promises is None else usual_promises() if promises == "data folder" else Path(promises)
        )
        self.me: Me | None = None
        self._token = None if token is None else _check_token(token)
        self._cookie: str | None = None
        local = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
        self._opener: OpenerDirector = build_opener(*([ProxyHandler({})] if local else []))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def sign_in(self, name: str) -> Me:
        """Come in as a guest."""
        self.me = await self.request("POST", "/api/session", {"name": name}, kind=Me)
        return self.me

    async def log_in(self, name: str, password: str) -> Me:
        """Come back to an account."""
        self.me = await self.request("POST", "/api/login", {"name": name, "password": password}, kind=Me)
        return self.me

    async def create_table(
        self,
        game: str,
        *,
        people: int = 1,
        bots: Sequence[str] = (),
        options: dict[str, Any] | None = None,
        **settings: Any,
    ) -> str:
        """A new table with so many seats for people and these bots; its code.

        ``options`` are those of the game. ``settings`` are the table's own, such as ``public=True``, ``practice=True``,
        ``quick_bots=True`` and ``chat=False`` (`NewTable` in the protocol)."""
        if isinstance(bots, str) or not isinstance(bots, Sequence):
            raise KindError(f"give the bots in a list, as in ['quick'], not {bots!r:.40}")
        seats = [{"kind": "person"}] * people + [{"kind": "bot", "bot": bot} for bot in bots]
        wanted = {"game": game, "seats": seats, "options": options or {}, **settings}
        created = await self.request("POST", "/api/tables", wanted, kind=protocol.TableCreated)
        return str(created.code)

    async def close_table(self, code: str) -> None:
        """Close a table that you host, and with it its game."""
        await self._send("DELETE", f"/api/tables/{code}", None)

    async def leave_table(self, code: str) -> None:
        """Give up your seat there; in a running game a bot plays on for you."""
        await self._send("DELETE", f"/api/tables/{code}/seat", None)

    async def lobby(self) -> list[TableSummary]:
        """Public tables."""
        found: list[TableSummary] = await self.request("GET", "/api/tables", kind=list[TableSummary])
        return found

    async def my_games(self, before: str | None = None) -> list[GameSummary]:
        """The latest games, a page of them; ``before`` names the last one of the page before."""
        query = "" if before is None else f"?{urlencode({'before': before})}"
        found: list[GameSummary] = await self.request("GET", f"/api/me/games{query}", kind=list[GameSummary])
        return found

    async def new_token(self, label: str, scopes: Sequence[Scope] = SCOPES, days: int | None = None) -> Token:
        """A token for a program: what it may do, and for how many days (None: until it is revoked). Its secret is shown this once."""
        wanted = {"label": label, "scopes": list(scopes), "days": days}
        token: Token = await self.request("POST", "/api/tokens", wanted, kind=Token)
        return token

    async def become_bot(self) -> Me:
        """Make your account, with which nobody has played, a bot's, for good; not by a token."""
        self.me = await self.request("POST", "/api/account/bot", kind=Me)
        return self.me

    # --- challenges ---

    async def bots(self) -> list[OnlineBot]:
        """The bots that can be challenged now."""
        found: list[OnlineBot] = await self.request("GET", "/api/bots", kind=list[OnlineBot])
        return found

    async def challenges(self) -> list[Challenge]:
        """Your challenges and those to you that are open, or were just accepted."""
        found: list[Challenge] = await self.request("GET", "/api/challenges", kind=list[Challenge])
        return found

    async def challenge(self, to: str, game: str, options: dict[str, Any] | None = None) -> Challenge:
        """Challenge a bot that is there, or as a bot anybody with an account, by login name."""
        return await self._challenge("POST", "", {"to": to, "game": game, "options": options or {}})

    async def accept(self, challenge: str) -> Challenge:
        """Accept a challenge: you have a seat at its ``table`` then."""
        return await self._challenge("POST", f"/{challenge}/accept")

    async def decline(self, challenge: str, reason: Decline = "no") -> Challenge:
        """Decline a challenge to you: ``no``, ``later``, or not this ``game`` or these ``options``."""
        return await self._challenge("POST", f"/{challenge}/decline", {"reason": reason})

    async def cancel(self, challenge: str) -> Challenge:
        """Take back a challenge of yours."""
        return await self._challenge("DELETE", f"/{challenge}")

    async def _challenge(self, method: str, path: str, body: Any = None) -> Challenge:
        found: Challenge = await self.request(method, f"/api/challenges{path}", body, kind=Challenge)
        return found

    async def events(self, games: Sequence[str] = ()) -> AsyncIterator[News]:
        """Your news, as they come: `Hello`, then challenges, and games that begin and end. A bot that listens can be challenged to these
        games (to all, if none are named). A lost connection is taken up again, with another `Hello`; `ClientError` when there is
        no use in that."""
        for game in games:
            find_game(game)
        query = urlencode({"games": ",".join(games)})
        patience = Patience("cannot listen")
        while True:
            try:
                async with open_line(self, f"/api/events/socket?{query}") as socket:
                    patience.opened()
                    try:
                        async for text in socket:
                            patience.heard()
                            message = from_json(text, PersonalMessage)
                            if isinstance(message, Ping):
                                await socket.send(json.dumps({"type": "pong", "number": message.number}))
                            elif not isinstance(message, Bye):
                                yield message
                            elif message.reason not in TEMPORARY:
                                raise closed("the stream ended", message.reason)
                    except ConnectionClosed:
                        pass
                    patience.ended(socket)
            except CANNOT_OPEN as error:
                patience.not_opened(error)
            await patience.wait()

    async def record(self, game: str, form: str = "text") -> str:
        """The record of a game; `tercet.record.read` reads it."""
        return (await self._send("GET", f"/api/games/{game}/record?form={form}", None)).decode()

    async def review(self, game: str, *, deeper: bool = False, seconds: float = 600) -> Review:
        """What a finished game teaches: waits so long until it has been reviewed. ``deeper``: by four times as many games as the
        review that is there, if it plays any out."""
        state = await self._review_state("POST", game, {"deeper": deeper})
        last = asyncio.get_running_loop().time() + seconds
        while state.making is not None:
            if asyncio.get_running_loop().time() > last:
                raise ClientError("too_slow", f"the review is not ready after {seconds:g} seconds")
            await asyncio.sleep(REVIEW_WAIT)
            state = await self._review_state("GET", game, None)
        if state.problem is not None:
            raise ClientError(state.problem, f"the game cannot be reviewed: {state.problem}")
        if state.review is None:
            raise ClientError("review_failed", "the review came to nothing; ask again")
        return read_review(json.dumps(state.review))

    async def _review_state(self, method: str, game: str, body: Any) -> ReviewState:
        state: ReviewState = await self.request(method, f"/api/games/{game}/review", body, kind=ReviewState)
        return state

    async def what_if(self, game: str, line: int, command: Command) -> Any:
        """What another command would have been worth than the one in this line of a finished game's record, as a decision of
        its review; `Refusal` if the rules do not allow it."""
        body = {"line": line, "command": to_data(command)}
        judged = await self.request("POST", f"/api/games/{game}/review/what-if", body, kind=protocol.Judged)
        if judged.refusal is not None:
            details = {key: value for key, value in judged.refusal.items() if key != "code"}
            raise Refusal(
                judged.refusal, why(judged.game, GameRefusal(judged.refusal["code"], **details), ())
            )
        kind = review_type(judged.game).judged
        return from_data(judged.judged, kind) if kind is not None else judged.judged

    def join(self, code: str) -> RemoteTable:
        """A table, as an async context manager."""
        return RemoteTable(self, code)

    async def play_game(
        self, code: str, kinds: Kinds, random: Random, seconds: float = 300
    ) -> dict[str, int]:
        """Play one game at a table by a bot, and leave: the class of the bot by the name of the game. Takes a seat there, unless you have
        one, and gives the others so many seconds to be ready. The scores by name; `ClientError` if nothing comes of it."""
        async with self.join(code) as table:
            kind = kinds.get(table.table.game)
            if kind is None:
                raise ClientError("other_game", f"table {code} plays {table.table.game}")
            seat = await table.begin(seconds)
            await table.play_as(kind(seat, random))
            with suppress(Refusal, ClientError):  # the seat, or the table, may be gone already
                await table.manage(Leave())
            return dict(zip(table.names, table.rules.scores(table.state), strict=True))

    async def play_challenge(
        self,
        challenge: Challenge,
        kinds: Kinds,
        random: Random,
        seconds: float = 300,
    ) -> dict[str, int]:
        """Accept a challenge to you, or wait until one of yours is accepted, and play it as `play_game` does. `ClientError` if it is not."""
        me = self.me or await self.request("GET", "/api/session", kind=Me)
        is_mine = challenge.challenger.id == me.id
        accepted = await (self._answered(challenge) if is_mine else self.accept(challenge.id))
        return await self.play_game(str(accepted.table), kinds, random, seconds)

    async def _answered(self, challenge: Challenge) -> Challenge:
        """A challenge of ours when it has been accepted; one that is neither open nor accepted is not told of any more."""
        while challenge.status != "accepted":
            await asyncio.sleep(ANSWER_WAIT)
            name, ours = (
                challenge.challenged.name,
                [one for one in await self.challenges() if one.id == challenge.id],
            )
            if not ours:
                raise ClientError("challenge_over", f"{name} has not accepted the challenge")
            (challenge,) = ours
        return challenge

    async def request(self, method: str, path: str, body: Any = None, *, kind: Any = Any) -> Any:
        """Any request of the HTTP API; `ClientError` if the server says no."""
        answer = await self._send(method, path, body)
        try:
            return from_json(answer, kind)
        except DecodeError:
            raise ClientError("no_tercet", f"there is no Tercet at {self.url}: is the path right?") from None

    async def _send(self, method: str, path: str, body: Any) -> bytes:
        request = Request(f"{self.url}/{path.removeprefix('/')}", method=method, headers=self.headers())
        if body is not None:
            request.data = json.dumps(to_data(body)).encode()
            request.add_header("Content-Type", "application/json")
        return await asyncio.to_thread(self._open, request)

    def _open(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=30) as answer:
                cookies: SimpleCookie = SimpleCookie(answer.headers.get("Set-Cookie", ""))
                for name, morsel in cookies.items():
                    self._cookie = f"{name}={morsel.value}"
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            try:
                with error:
                    failure = from_json(error.read(), protocol.Failure)
            except DecodeError:
                told = f"there is no Tercet at {self.url}, which answers {error.code}: is the path right?"
                raise ClientError("http", told, error.code) from None
            detail = NOT_SIGNED_IN if failure.code == "not_signed_in" else failure.detail
            raise ClientError(failure.code, detail, error.code) from None
        except (InvalidURL, UnicodeEncodeError):
            raise ClientError("bad_address", f"{request.selector!r:.80} is no address on a server") from None
        except (URLError, OSError) as error:
            raise ClientError("unreachable", f"cannot reach {self.url}: {_said(error)}") from None

    def headers(self) -> dict[str, str]:
        """The headers that say who we are."""
        if self._token is not None:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": self._cookie} if self._cookie is not None else {}


def _said(error: OSError) -> object:
    """What is wrong with a connection; urllib says "urlopen error" before it."""
    return error.reason if isinstance(error, URLError) else error


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname and parts.port != 0) and " " not in url
        )
    except ValueError:  # half an IPv6 address, or a port that is no number
        return False


def _check_token(token: str) -> str:
    """The token without the end of the line that a file has; it is a secret, so no message shows it."""
    if not isinstance(token, str):
        raise KindError("give the token as a text")
    token = token.strip()
    if not token.isascii() or not token.isprintable() or " " in token or not token:
        raise ClientError("bad_token", "this is no token: it is one word, as the page Account shows it once")
    return token
