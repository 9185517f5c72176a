"""Reviews of finished games over HTTP. Whoever may see a game's record may see its review."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody

from tercet.server.people.people import Visitor
from tercet.server.protocol import AskForReview, Judged, ReviewState, WhatIf
from tercet.server.service import Service
from tercet.server.web.asking import ANY_TOKEN, READ, Here, Id, Where, Who, check_misses


class ReviewsApi(Controller):
    """What finished games teach."""

    path = "/api/games/{game:str}/review"
    tags = ("reviews",)

    @get(summary="The review of a game", opt=ANY_TOKEN)
    async def review(
        self, request: Request[Any, Any, Any], where: Where, service: Here, game: Id
    ) -> ReviewState:
        """As far as there is one: look again while it is being made, or hear of it at the table."""
        return await _state(service, where, game, await service.sessions.visitor(request.scope))

    @post(summary="Ask for a review", status_code=200, opt=READ)
    async def ask(
        self, where: Where, service: Here, visitor: Who, game: Id, data: JSONBody[AskForReview]
    ) -> ReviewState:
        """One at a time, and so many a day; what is there or being made already costs nothing."""
        check_misses(service, where)
        service.rates.reviews.check(where, "too many reviews for your address; wait a minute")
        if await service.reviews.ask(game, visitor, deeper=data.deeper) is None:
            raise _missed(service, where)
        return await _state(service, where, game, visitor)

    @post("/what-if", summary="Try out another turn", status_code=200, opt=READ)
    async def what_if(
        self, where: Where, service: Here, visitor: Who, game: Id, data: JSONBody[WhatIf]
    ) -> Judged:
        """In the place of a decision of a finished game, judged as the review does."""
        check_misses(service, where)
        service.rates.what_ifs.check(visitor.id, "you try out too much at once; wait a minute")
        judged = await service.reviews.what_if(game, data)
        if judged is None:
            raise _missed(service, where)
        return judged


async def _state(service: Service, where: str, game: str, visitor: Visitor | None) -> ReviewState:
    check_misses(service, where)
    found = await service.reviews.state(game, visitor, where)
    if found is None:
        raise _missed(service, where)
    return found


def _missed(service: Service, where: str) -> NotFoundException:
    service.rates.misses.take(where)
    return NotFoundException("no game has this id")
