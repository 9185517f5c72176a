"""What goes wrong, as an answer: every failure has a code, a sentence and a status."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from tercet import misfits
from tercet.codec import to_json
from tercet.server.budgets import TooMuch, over
from tercet.server.people.people import PeopleError
from tercet.server.protocol import Failure
from tercet.server.reviews.reviews import NotReviewed
from tercet.server.store import Unavailable
from tercet.server.web.headers import NOT_KEPT, SECURITY_HEADERS
from tercet.sets import TercetError

logger = logging.getLogger("tercet.http")

STATUS = {
    "bad_token": 401,
    "token_ended": 401,
    "missing_scope": 403,
    "bots_by_token": 403,
    "not_for_bots": 403,
    "kicked": 403,
    "played_already": 409,
    "seated_already": 409,
    "not_online": 409,
    "challenge_over": 409,
    "too_many": 429,
    "too_many_challenges": 429,
    "day_not_over": 403,
    "no_such_day": 404,
    "run_running": 409,
    "not_by_token": 403,
    "not_the_host": 403,
    "too_fast": 429,
    "too_many_reviews": 429,
    "review_waits": 409,
    "wrong_password": 401,
    "wrong_old_password": 401,
    "name_taken": 409,
    "registered_already": 409,
    "server_full": 503,
}
CODES = {401: "not_signed_in", 403: "other_origin", 404: "not_found", 405: "wrong_method", 413: "too_large"}


def _on_tercet_error(_request: Request[Any, Any, Any], error: TercetError) -> Response[Failure]:
    code = error.code if isinstance(error, PeopleError | TooMuch | NotReviewed) else "bad_request"
    if code == "too_many_tokens":
        over("tokens_per_person")
    return Response(Failure(code, str(error)), status_code=STATUS.get(code, 400))


def _on_unavailable(_request: Request[Any, Any, Any], _error: Unavailable) -> Response[Failure]:
    return Response(Failure("store_unavailable", "the store cannot be reached; try again"), status_code=503)


def _on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[Failure]:
    code = CODES.get(error.status_code, "bad_request")
    if code == "too_large":
        over("body_bytes")
    return Response(Failure(code, _detail(request, error)), status_code=error.status_code)


def _on_deep_nesting(_request: Request[Any, Any, Any], _error: RecursionError) -> Response[Failure]:
    return Response(Failure("bad_request", "JSON is nested too deeply"), status_code=400)


def _on_broken_text(_request: Request[Any, Any, Any], _error: UnicodeDecodeError) -> Response[Failure]:
    return Response(Failure("bad_request", "the body is not UTF-8"), status_code=400)


def _on_failure(_request: Request[Any, Any, Any], error: Exception) -> Response[Failure]:
    logger.error("a request failed", exc_info=error, extra={"status": 500})
    return Response(Failure("internal_error", "the server failed; its log says why"), status_code=500)


def _detail(request: Request[Any, Any, Any], error: HTTPException) -> str:
    if error.status_code == 404 and error.detail == "Not Found":
        return "there is nothing at this address; /api/docs lists what there is"
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        key, message = extra[0].get("key", "body"), extra[0].get("message", error.detail)
        return "the body is missing" if message == "'data'" else _misfit(request, str(key), str(message))
    return error.detail


def _misfit(request: Request[Any, Any, Any], key: str, message: str) -> str:
    """What of a query or a body is not as it should be, and how it should be."""
    asked = request.route_handler.parsed_fn_signature.parameters
    if key in asked and key != "data":
        wanted = getattr(asked[key].kwarg_definition, "description", None)
        return misfits.at(key, message, asked[key].raw) + (f" ({wanted})" if wanted else "")
    return misfits.at("" if key == "data" else key, message, asked["data"].raw if "data" in asked else None)


async def refuse(send: Any, code: str, detail: str) -> None:
    """Answer with a failure, without a handler."""
    body = to_json(Failure(code, detail))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        NOT_KEPT,
        *SECURITY_HEADERS,
    ]
    await send({"type": "http.response.start", "status": STATUS[code], "headers": headers})
    await send({"type": "http.response.body", "body": body})


HANDLERS: ExceptionHandlersMap = {
    TercetError: _on_tercet_error,
    Unavailable: _on_unavailable,
    HTTPException: _on_http_exception,
    RecursionError: _on_deep_nesting,
    UnicodeDecodeError: _on_broken_text,
    Exception: _on_failure,
}
