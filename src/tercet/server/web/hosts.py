"""Which names this server is called by. A page of another site can make its own name lead to this machine (DNS rebinding),
and would then be taken for ours; a number cannot be made to lead elsewhere."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

from tercet.codec import to_json
from tercet.server.protocol import Failure
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.server.web import wrong_name
from tercet.server.web.headers import NOT_KEPT, SECURITY_HEADERS

#: These say nothing about anybody, and those who watch a server call it by many names.
FOR_ANYBODY = ("/health",)


class Hosts:
    """``allowed`` are further names, ``*`` for all; ``listening`` is what the server listens on, maybe a name."""

    def __init__(self, allowed: tuple[str, ...], listening: str) -> None:
        machine = socket.gethostname().lower()
        self._any = "*" in allowed
        self._names = {"localhost", machine, f"{machine}.local", listening.lower(), *allowed}

    def allow(self, scope: Any) -> bool:
        """Whether this request calls the server by a name of its own. Programs of old may give none."""
        if self._any or scope["path"] in FOR_ANYBODY:
            return True
        return all(self.knows(value.decode("latin-1")) for name, value in scope["headers"] if name == b"host")

    def knows(self, host: str) -> bool:
        """Whether a ``Host`` header names this server.

        >>> hosts = Hosts(("club.example",), "0.0.0.0")
        >>> [
        ...     hosts.knows(host)
        ...     for host in ("club.example", "Club.Example:8000", "localhost:1", "[::1]:8000", "10.0.0.7")
        ... ]
        [True, True, True, True, True]
        >>> [
        ...     hosts.knows(host)
        ...     for host in ("evil.example", "club.example.evil", "", "[::1", "10.0.0.7.evil.example")
        ... ]
        [False, False, False, False, False]
        """
        name, _, port = (
            host.lower().rpartition(":") if ":" in host.rpartition("]")[2] else (host.lower(), "", "")
        )
        if port and not (port.isascii() and port.isdigit()):
            return False
        name = name.removesuffix(".")
        if name in self._names or name.endswith(".localhost"):
            return True
        try:
            if name.startswith("["):
                return name.endswith("]") and bool(ipaddress.IPv6Address(name[1:-1]))
            return bool(ipaddress.IPv4Address(name))
        except ValueError:
            return False


async def turn_away(scope: Any, receive: Any, send: Any) -> None:
    """Say that this is not the server that was asked for, and how its host can change that."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": CLOSE_CODES["wrong_host"], "reason": "wrong_host"})
        return
    detail = (
        "this server does not know that name; if it is yours, say so in its settings:"
        " hosts = ['club.example'], or TERCET_HOSTS=club.example"
    )
    asked = dict(scope["headers"])
    if b"text/html" in asked.get(b"accept", b""):
        host, accepted = (asked.get(name, b"").decode("latin-1") for name in (b"host", b"accept-language"))
        kind, body = b"text/html; charset=utf-8", wrong_name.write(host, accepted)
    else:
        kind, body = b"application/json", to_json(Failure("wrong_host", detail))
    policy = f"default-src 'none'; style-src {wrong_name.STYLE_POLICY}; frame-ancestors 'none'"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        NOT_KEPT,
        *SECURITY_HEADERS[1:],
        (b"content-security-policy", policy.encode()),
    ]
    await send({"type": "http.response.start", "status": 421, "headers": headers})
    await send({"type": "http.response.body", "body": body})
