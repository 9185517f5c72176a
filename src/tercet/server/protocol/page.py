"""The protocol as a page of the documentation: ``python -m tercet.server.protocol.page > docs/protocol.md``."""

from __future__ import annotations

import re

from tercet import games
from tercet.server import protocol
from tercet.server.protocol.refusals import CLOSE_CODES, CLOSE_REASONS
from tercet.server.protocol.typescript import interfaces, prefix, unions

INTRODUCTION = f"""# The table's protocol

<!-- Written by `python -m tercet.server.protocol.page` from src/tercet/server/protocol; do not edit. -->

Everything about people, tables and records goes over the [HTTP API](hosting.md#for-programs); playing goes over one
WebSocket a table:

```
/api/tables/CODE/socket?game=ID&seen=SEQ
```

Who you are is in the session cookie or in a bearer token (`Authorization: Bearer …`). Each message is one JSON text.
This is version {protocol.VERSION} of the protocol; new fields may be added to what the server sends, so ignore what
you do not know.

1. The server greets with `welcome`: the table, and the running game as you may see it.
2. Take a seat with `manage` and `sit`, say `ready`. When everybody is ready the game begins: `game_started`.
3. Send `play` with a command of the game. The answer is `accepted` or `refused`, always, with the id that you chose.
4. Everybody, you included, gets what happened as `events`. Each entry has its number, without gaps, and says all that
   you need to go on from the state you have: `rules.evolve` in Python, `web/src/games` in TypeScript, each a page long.
   The whole state comes again with every `welcome`.
5. Answer each `ping` with a `pong`.
6. When the line breaks, connect again with the id of the game and the number of the last event you saw: `welcome` brings
   the events after it. Send again what was not answered, under the same id: the server does nothing twice.

A refusal is data: a code and what goes with it, such as `{{"code": "not_on_table", "card": "2GHS"}}`. Whoever lost a race is told
`seat` and `earlier_ms`: who was faster, and by how many milliseconds.

## Without a WebSocket

The same over plain HTTP, a message a line (NDJSON):

| | |
|---|---|
| `GET /api/tables/CODE/stream?game=ID&seen=SEQ` | what the table's socket says, for as long as you read it; while you do you are at the table |
| `POST /api/tables/CODE/commands` | what you would say, as the body; the answer is `accepted`, `refused` or `hint`, each by 200 |
| `GET /api/events?games=set,cubed` | your own news: `hello`, then challenges, and games that begin and end |

An empty line comes when nothing else has for seven seconds, so that no proxy takes the answer for ended: pass over it. A stream ends
with `bye`, and so does a socket; connect again unless its reason is for good. Your own news also come over a WebSocket, `/api/events/socket`, with a
`ping` now and then. Sockets and streams are counted together (`sockets_per_person`). [Bots over the network](bot-api.md) shows how a bot lives by them.

`tercet.client` speaks all this for Python; `web/src/protocol.ts` holds the same types for TypeScript.
"""

_SECTIONS = {
    "From you": "ClientMessage",
    "Commands about the table": "TableCommand",
    "From the server": "ServerMessage",
    "Your own news": "PersonalMessage",
}


def _sections() -> dict[str, str]:
    """The title of each section, and the union that it lists."""
    sections = dict(_SECTIONS)
    for name in games.names():
        rules = games.find(name).rules
        sections[f"Commands of {rules.title}"] = f"{prefix(rules)}Command"
        sections[f"Events of {rules.title}"] = f"{prefix(rules)}Event"
    return sections


def write() -> str:
    """The whole page."""
    types, parts = interfaces(), unions()
    listed = {name for names in parts.values() for name in names}
    sections = [INTRODUCTION]
    for title, union in _sections().items():
        sections.append(f"## {title}\n\n" + "\n".join(_block(types[name]) for name in parts[union]))
    others = [_block(text) for name, text in types.items() if name not in listed]
    sections.append("## What they hold, and the bodies of the HTTP API\n\n" + "\n".join(others))
    rows = [
        f"| {code} | `{reason}` | {CLOSE_REASONS[reason]} |"
        for reason, code in sorted(CLOSE_CODES.items(), key=lambda c: c[1])
    ]
    sections.append(
        "\n".join(["## When the server closes the socket", "", "| Code | Reason | |", "|---|---|---|", *rows])
    )
    return "\n".join(sections) + "\n"


def _block(interface: str) -> str:
    text = re.sub(r"^export ", "", interface, flags=re.MULTILINE)
    return f"```ts\n{text}\n```\n"


if __name__ == "__main__":
    print(write(), end="")
