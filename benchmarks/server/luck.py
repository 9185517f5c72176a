"""A client's part in the start of a game, always with the same secret: so a script that knows the seed knows the luck."""

from __future__ import annotations

import json
from typing import Any

from tercet.fairness import commit_secret, seed_from, terms_of


def secret_of(seat: int) -> str:
    return seed_from(f"seat {seat}")


class Part:
    """Commits and reveals for one wire, as the table asks for it."""

    def __init__(self) -> None:
        self._person = ""
        self._done: set[tuple[str, str]] = set()

    def answers(self, text: bytes) -> bytes | None:
        """What to say to this message, if anything."""
        if text.startswith(b'{"type":"welcome"'):
            welcome = json.loads(text)
            self._person = welcome["you"]["id"]
            return self._answer(welcome["table"])
        if text.startswith(b'{"type":"table_changed"') and b'"start":{' in text:
            return self._answer(json.loads(text)["table"])
        return None

    def _answer(self, table: dict[str, Any]) -> bytes | None:
        start, to = table["start"], table["commitment"]
        people = [seat["person"] for seat in table["seats"]]
        if start is None or self._person not in people or (to, start["stage"]) in self._done:
            return None
        self._done = {(known, stage) for known, stage in self._done if known == to} | {(to, start["stage"])}
        secret = secret_of(people.index(self._person))
        if start["stage"] == "committing":
            terms = terms_of(table["game"], table["options"], table["code"], table["number"])
            command = {"do": "commit", "to": to, "commitment": commit_secret(secret, terms)}
        else:
            command = {"do": "reveal", "to": to, "secret": secret}
        name = f"{command['do']} {table['number']}"
        return json.dumps({"type": "manage", "id": name, "command": command}).encode()
