"""Challenges over HTTP: to bots and from bots."""

from __future__ import annotations

from litestar import Controller, delete, get, post
from litestar.params import JSONBody

from tercet.codec import to_json
from tercet.games import OptionsError
from tercet.server.budgets import over
from tercet.server.protocol import Challenge, Declining, NewChallenge, OnlineBot
from tercet.server.web.asking import ANY_TOKEN, CHALLENGE, Here, Id, Who


class ChallengesApi(Controller):
    """A game for two, of whom at least one is a bot. What becomes of it both hear in their streams, `GET /api/events`."""

    path = "/api"
    tags = ("challenges",)

    @get("/bots", summary="The bots that can be challenged", sync_to_thread=False, opt=ANY_TOKEN)
    def online(self, service: Here) -> list[OnlineBot]:
        """Accounts of bots whose programs listen now."""
        return service.news.bots()

    @get("/challenges", summary="My challenges", opt=CHALLENGE)
    async def mine(self, service: Here, visitor: Who) -> list[Challenge]:
        """By me and to me, as far as they are open or were just accepted."""
        return await service.challenges.mine(visitor)

    @post("/challenges", summary="Challenge somebody", opt=CHALLENGE)
    async def challenge(self, service: Here, visitor: Who, data: JSONBody[NewChallenge]) -> Challenge:
        """A bot that listens; or, for a bot, any account. After two minutes without an answer it expires."""
        if len(to_json(data.options)) > service.settings.limits.options_bytes:
            over("options_bytes")
            raise OptionsError("options: there is too much in them")
        service.rates.challenges.check(visitor.id, "you challenge too many; wait a minute")
        return await service.challenges.make(visitor, data, service.news.bots())

    @post("/challenges/{challenge:str}/accept", summary="Accept a challenge", status_code=200, opt=CHALLENGE)
    async def accept(self, service: Here, visitor: Who, challenge: Id) -> Challenge:
        """Both have a seat at its ``table`` then; the game begins when both are there and ready."""
        return await service.challenges.accept(visitor, challenge)

    @post("/challenges/{challenge:str}/decline", summary="Decline one", status_code=200, opt=CHALLENGE)
    async def decline(
        self, service: Here, visitor: Who, challenge: Id, data: JSONBody[Declining]
    ) -> Challenge:
        return await service.challenges.decline(visitor, challenge, data.reason)

    @delete("/challenges/{challenge:str}", summary="Take one back", status_code=200, opt=CHALLENGE)
    async def cancel(self, service: Here, visitor: Who, challenge: Id) -> Challenge:
        return await service.challenges.cancel(visitor, challenge)
