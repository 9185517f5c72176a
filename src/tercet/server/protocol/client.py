"""What a client says over a table's socket."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tercet.server.protocol.words import (
    CHAT_LIMIT,
    BotName,
    CommandId,
    GameCommand,
    GameOptions,
    Hash,
    PersonId,
    SeatNumber,
    snake,
)


class FromClient(Struct, tag_field="type", tag=snake, kw_only=True, forbid_unknown_fields=True):
    """What a client says. Each ``id`` is of the client's own choice and is answered by accepted or refused. A
    command that was accepted is not carried out again under the same id: who lost the connection before the
    answer came may safely send it once more."""


class Play(FromClient):
    """A command of the game, given by your own seat."""

    id: CommandId
    command: GameCommand


class Manage(FromClient):
    """A command about the table."""

    id: CommandId
    command: TableCommand


class Say(FromClient):
    id: CommandId
    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LIMIT)]


class React(FromClient):
    id: CommandId
    reaction: Literal["well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye"]


class Mute(FromClient):
    """Hear no more chat and reactions from this person, or from anybody (None); or hear them again."""

    id: CommandId
    person: PersonId | None = None
    muted: bool = True


class AskHint(FromClient):
    """Practice tables: ``strength`` 1 to 3 tells that much of a SET or of a good turn."""

    id: CommandId
    strength: Annotated[int, Meta(ge=1, le=3)] = 1


class Pong(FromClient):
    number: int


class Order(Struct, frozen=True, tag_field="do", tag=snake, forbid_unknown_fields=True):
    """What somebody wants of the table, apart from the game."""


class Sit(Order, frozen=True):
    """Take an open seat (any, if none is named); in a running game with late join also a bot's. Whoever had a seat in the
    game comes back to that one only."""

    seat: SeatNumber | None = None


class Leave(Order, frozen=True):
    """Give up your seat. In a running game a bot plays on for you."""


class Ready(Order, frozen=True):
    """Ready for the next game, or not after all. The game starts when everybody is ready."""

    ready: bool = True


class Commit(Order, frozen=True):
    """Your client's part of the luck, still hidden; sent by itself while the start is ``committing``.

    ``to`` is the table's commitment, which it answers. The first of a seat counts.
    """

    to: Hash
    commitment: Hash


class Reveal(Order, frozen=True):
    """The secret behind your commitment, sent by itself while the start is ``revealing``: after the list of all
    commitments has been checked and kept."""

    to: Hash
    secret: Hash


class Start(Order, frozen=True):
    """Host, or while the host is gone anybody with a seat: start without waiting. Open seats are taken away, and those of people
    who are away, too."""


class AddSeat(Order, frozen=True):
    """Host: one more seat, for a person or for a bot."""

    bot: BotName | None = None


class RemoveSeat(Order, frozen=True):
    """Host: take away an open seat or a bot's, before the game."""

    seat: SeatNumber


class Kick(Order, frozen=True):
    """Host: send somebody away, until you allow them back. In a running game a bot plays on; but whoever plays and
    is connected, or was a moment ago, cannot be sent away before its end."""

    person: PersonId


class Allow(Order, frozen=True):
    """Host: whoever was sent away may come back."""

    person: PersonId


class HandOver(Order, frozen=True):
    """Host: make somebody with a seat the host."""

    person: PersonId


class StandIn(Order, frozen=True):
    """Host: a bot plays on for somebody who is missing; if none is named, one like those at the table. In a running game a seat
    belongs to its person while they are connected, or were a moment ago. Everybody with a seat may ask for it once the game has
    waited for that person for a while: ``missed`` of presence."""

    seat: SeatNumber
    bot: BotName | None = None


class Pause(Order, frozen=True):
    """Let the running game stand still, its clock and its bots; only for who plays without other people."""


class Resume(Order, frozen=True):
    """Let a game go on that stands still."""


class Change(Order, frozen=True):
    """Host: other options between two games, or other settings of the table at any time."""

    options: GameOptions | None = None
    public: bool | None = None
    late_join: bool | None = None
    chat: bool | None = None
    quick_bots: bool | None = None


class Close(Order, frozen=True):
    """Host: end the table, and with it a running game."""


TableCommand = (
    Sit
    | Leave
    | Ready
    | Commit
    | Reveal
    | Start
    | AddSeat
    | RemoveSeat
    | Kick
    | Allow
    | HandOver
    | StandIn
    | Pause
    | Resume
    | Change
    | Close
)
ClientMessage = Play | Manage | Say | React | Mute | AskHint | Pong
