"""What goes wrong at this end."""

from __future__ import annotations

from typing import Any

from tercet.server.protocol.refusals import CLOSE_REASONS
from tercet.sets import TercetError


class ClientError(TercetError):
    """The server said no to a request, or cannot be reached. ``code`` says why; ``status`` is that of HTTP, if there was an answer."""

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def closed(where: str, reason: str) -> ClientError:
    """The server has ended a line, or never took it up, for one of the reasons of the protocol."""
    words = CLOSE_REASONS.get(reason)
    return ClientError(reason, f"{where}: {reason}" + (f": {words}" if words else ""))


class Refusal(TercetError):
    """The table refused a command; nothing has changed. ``words`` say why to a person."""

    def __init__(self, data: dict[str, Any], words: str = "") -> None:
        super().__init__(f"{data['code']}: {words}" if words else str(data))
        self.data = data
        self.code: str = data["code"]
