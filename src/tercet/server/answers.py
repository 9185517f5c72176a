"""How a refusal is told."""

from __future__ import annotations

from tercet import cards, cubed
from tercet.games import Refusal
from tercet.server import protocol
from tercet.server.connection import Connection
from tercet.server.live import LiveGame

#: How far back a race that was just lost is looked up.
LOOK_BACK = 30


def refuse(connection: Connection, command_id: str, refusal: Refusal) -> None:
    connection.tell(protocol.Refused(id=command_id, refusal=refusal.data))


def explain_race(game: LiveGame, refusal: Refusal, received: float) -> Refusal:
    """Who lost a race learns who was faster, and by how many milliseconds."""
    for entry in reversed(game.log[-LOOK_BACK:]):
        event = entry.event
        match refusal.code:
            case "called_by_another":
                won = isinstance(event, cards.Called | cubed.Called)
            case "not_on_table":
                won = isinstance(event, cards.Took) and refusal.details["card"] in map(str, event.cards)
            case _:
                return refusal
        if won:
            earlier = max(0, int(received) - entry.at)
            return Refusal(refusal.code, **{**refusal.details, "seat": event.seat, "earlier_ms": earlier})
    return refusal
