"""Lines to a server: how one is opened, and when one that has ended is opened again."""

from __future__ import annotations

from asyncio import sleep
from random import random
from time import monotonic
from typing import TYPE_CHECKING

from tercet.client.errors import ClientError, closed
from tercet.extras import needs
from tercet.server.protocol.refusals import CLOSE_CODES

with needs("client"):
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import InvalidHandshake, InvalidStatus

if TYPE_CHECKING:
    from tercet.client.http import Client

#: Seconds before a lost line is opened again: at first, and at most.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
#: After a line that was open for so many seconds the next wait is the first again.
LASTING = 0.5
#: After so many lines in a row on which nothing was heard, there is no use in another.
SILENT_LINES = 8
#: Reasons of the server that are worth another try.
TEMPORARY = ("slow", "restart")
#: Codes with which it says that it will be back: we try for as long as that takes.
PATIENT = tuple(CLOSE_CODES[reason] for reason in (*TEMPORARY, "store_unavailable", "too_fast"))
#: Codes below 4400 with which it closes for good, also without a word.
FINAL = (CLOSE_CODES["kicked"], CLOSE_CODES["signed_out"])
#: What is raised when a line cannot be opened.
CANNOT_OPEN = (OSError, InvalidHandshake, TimeoutError)
#: Those answers from 400 to 499 to the wish for a line that are worth another try.
TRY_AGAIN = (408, 425, 429)


def open_line(client: Client, path: str) -> connect:
    """A WebSocket there, as an async context manager. The first message has a whole game in it, so none is too long."""
    address = f"ws{client.url.removeprefix('http')}{path}"
    return connect(address, additional_headers=client.headers(), proxy=None, compression=None, max_size=None)


class Patience:
    """How long to wait between the lines to one place, and when to give up. ``where`` begins what is said then."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._wait = FIRST_WAIT
        self._silent = 0
        self._opened = 0.0
        self._was_open = False
        self._has_heard = False

    def opened(self) -> None:
        self._opened, self._was_open, self._has_heard = monotonic(), True, False

    def not_opened(self, error: OSError | InvalidHandshake) -> None:
        """`ClientError` if the line is turned away for good, or if nobody is there and never was. Who was there may come back."""
        status = error.response.status_code if isinstance(error, InvalidStatus) else 0
        if 400 <= status < 500 and status not in TRY_AGAIN:
            raise ClientError(
                "http",
                f"{self._where}: the line was turned away with status {status}; is the address right?",
                status,
            )
        if not self._was_open and isinstance(error, OSError) and not isinstance(error, TimeoutError):
            raise ClientError("unreachable", f"{self._where}: cannot reach the server: {error}")

    def heard(self) -> None:
        self._has_heard, self._silent = True, 0

    def ended(self, socket: ClientConnection) -> None:
        """`ClientError` if the server has closed the line for good, or if one after the other ends before anything was heard."""
        code, reason = socket.close_code or 1006, socket.close_reason
        if 4400 <= code < 4500 or code in FINAL:
            raise closed(self._where, reason or "refused")
        if self._has_heard:
            if monotonic() - self._opened >= LASTING:
                self._wait = FIRST_WAIT
        elif code not in PATIENT:
            self._silent += 1
            if self._silent == SILENT_LINES:
                why = f"{code} {reason}" if reason else f"{code}"
                raise ClientError(
                    "no_line",
                    f"{self._where}: {SILENT_LINES} times the line ended before a message came, at last with code {why}; "
                    "is something between you and the server that ends it?",
                )

    async def wait(self) -> None:
        """Longer each time, and never as long as others."""
        await sleep(self._wait * (0.5 + random()))
        self._wait = min(2 * self._wait, LONGEST_WAIT)
