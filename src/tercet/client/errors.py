"""What goes wrong at this end."""

from __future__ import annotations

from typing import Any

from tercet.sets import TercetError


class ClientError(TercetError):
    """The server said no to a request, or cannot be reached. ``code`` says why; ``status`` is that of HTTP, if there was an answer."""

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class Refusal(TercetError):
    """The table refused a command; nothing has changed."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(str(data))
        self.data = data
        self.code: str = data["code"]
