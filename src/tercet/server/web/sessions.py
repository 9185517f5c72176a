"""Who is asking: the cookie of a browser or the bearer token of a program; and from which site."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tercet.server.budgets import source
from tercet.server.people.people import People, PeopleError, Visitor
from tercet.server.people.signed_in import SESSION_SECONDS

COOKIE = "tercet"


class Sessions:
    """Reads the headers of an ASGI scope. ``origins`` are further sites that may use this server, which is at ``path``."""

    def __init__(self, people: People, origins: tuple[str, ...], secure: bool, path: str = "") -> None:
        self._people = people
        self._origins = origins
        self._secure = secure
        self._path = path

    async def visitor(self, scope: Any) -> Visitor | None:
        """Who is asking, if they are known; `PeopleError` for a token that is none."""
        authorization = _header(scope, b"authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            if scheme.lower() != "bearer":
                raise PeopleError("bad_token", "the header Authorization must be: Bearer TOKEN")
            return await self._people.by_token(token.strip())
        cookie = self.cookie(scope)
        return None if cookie is None else await self._people.by_cookie(cookie)

    def cookie(self, scope: Any) -> str | None:
        """The value of the session cookie."""
        return read_cookie(_header(scope, b"cookie") or "")

    def is_same_origin(self, scope: Any) -> bool:
        """Whether this comes from our own site, or from no site at all (a program)."""
        origin = _header(scope, b"origin")
        if origin is None or origin in self._origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:  # half an IPv6 address, for instance
            return False
        # Anybody on the way may have written a page that came over HTTP. Over HTTPS it is ours, whatever a proxy in
        # front, of which we were not told, makes of it.
        is_https = self._secure or scope.get("scheme") in ("https", "wss")
        if parts.scheme != "https" and (parts.scheme != "http" or is_https):
            return False
        host = _header(scope, b"host") or ""
        return _without_port(parts.netloc.lower(), parts.scheme) == _without_port(host.lower(), parts.scheme)

    def why_not(self, scope: Any) -> str:
        """What whoever runs this server can do about a page that is not of the same origin."""
        origin, host = f"{_header(scope, b'origin')!r:.80}", f"{_header(scope, b'host')!r:.80}"
        return (
            f"a page at {origin} may not use this server, which was called {host}: let the proxy pass on Host and"
            " X-Forwarded-Proto, or set TERCET_ORIGINS"
        )

    def cookie_header(self, value: str | None) -> str:
        """The header that sets the session cookie, or takes it away (None)."""
        parts = [f"{COOKIE}={value or ''}", f"Path={self._path}/", "HttpOnly", "SameSite=Lax"]
        parts.append(f"Max-Age={SESSION_SECONDS if value else 0}")
        if self._secure:
            parts.append("Secure")
        return "; ".join(parts)


def address(scope: Any) -> str:
    """The address of the client, for counting."""
    client = scope.get("client")
    return source(str(client[0])) if client else "unknown"


def read_cookie(header: str) -> str | None:
    """The value of our cookie. Python's own reader takes a time that grows with the square of what it reads.

    >>> read_cookie('a="x; y"; tercet=value'), read_cookie("nottercet=1"), read_cookie('tercet="v"')
    ('value', None, 'v')
    """
    for part in header.split(";"):
        name, _, value = part.partition("=")
        if name.strip() == COOKIE:
            return value.strip().strip('"')
    return None


def _header(scope: Any, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def _without_port(host: str, scheme: str) -> str:
    """Without the port that goes without saying."""
    return host.removesuffix(":443" if scheme == "https" else ":80")
