"""A stream of lines read as a program without any library of ours would: one request, a line at a time."""

from __future__ import annotations

import asyncio
import json
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from tercet.client import Client


class Lines:
    """``GET path`` and whatever comes back, as it comes."""

    def __init__(self, url: str, path: str, token: str | None = None, cookie: str | None = None) -> None:
        self._at = urlsplit(url)
        self._path = path
        self._headers = {"Host": self._at.netloc}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        if cookie is not None:
            self._headers["Cookie"] = cookie
        self.is_of_table = path.startswith("/api/tables")
        self.status = 0
        self.headers: dict[str, str] = {}

    @classmethod
    def of(cls, client: Client, path: str) -> Self:
        """As this client would come."""
        return cls(client.url, path, client._token, client._cookie)

    async def __aenter__(self) -> Self:
        assert self._at.hostname is not None
        self._reader, self._writer = await asyncio.open_connection(
            self._at.hostname, self._at.port, limit=2**24
        )
        lines = [f"GET {self._path} HTTP/1.1", *(f"{name}: {value}" for name, value in self._headers.items())]
        self._writer.write("\r\n".join([*lines, "", ""]).encode())
        self.status = int((await self._reader.readline()).split()[1])
        while (line := (await self._reader.readline()).strip()) != b"":
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()
        self._rest = b""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    async def line(self) -> bytes | None:
        """The next line, perhaps an empty one; None at the end."""
        while b"\n" not in self._rest:
            if "content-length" in self.headers:
                self._rest += await self._reader.readexactly(int(self.headers["content-length"])) + b"\n"
                continue
            size = (await self._reader.readline()).strip()
            if not size or int(size, 16) == 0:
                return None
            self._rest += await self._reader.readexactly(int(size, 16))
            await self._reader.readexactly(2)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    async def next(self, kind: str | None = None) -> Any:
        """The next message, or the next of this type; None at the end."""
        while (line := await self.line()) is not None:
            if line:
                message = json.loads(line)
                if kind in (None, message.get("type")):
                    return message
        return None
