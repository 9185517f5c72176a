"""What clients say at a table: understood, carried out and answered."""

from __future__ import annotations

import asyncio

import msgspec

from tercet.codec import from_json
from tercet.games import Refusal
from tercet.server import metrics, protocol
from tercet.server.answers import explain_race, refuse
from tercet.server.connection import Connection
from tercet.server.hints import hint
from tercet.server.room import Room


async def hear(room: Room, connection: Connection, message: protocol.ClientMessage) -> None:
    """Carry out a message and answer it."""
    match message:
        case protocol.Play():
            await _hear_play(room, connection, message)
        case protocol.Manage():
            await _hear_manage(room, connection, message)
        case protocol.Say() | protocol.React():
            told = room.chat.hear(connection, message, room.connections, room.state.chat)
            if told is not None:
                room.elsewhere.said(told)
        case protocol.Mute():
            (connection.muted.add if message.muted else connection.muted.discard)(message.person)
            connection.tell(protocol.Accepted(id=message.id))
        case protocol.AskHint():
            await _hear_ask_hint(room, connection, message)
        case protocol.Pong():
            pass


async def _hear_play(room: Room, connection: Connection, message: protocol.Play) -> None:
    game = room.game
    if game is None:
        refuse(connection, message.id, Refusal("no_game"))
        return
    received = game.now()
    try:
        command = from_json(message.command, game.rules.commands)
    except (msgspec.ValidationError, ValueError) as error:
        refuse(connection, message.id, Refusal("bad_command", why=str(error)[:200]))
        return
    if connection.seat is None:
        refuse(connection, message.id, Refusal("no_seat"))
    elif command.seat != connection.seat:
        refuse(connection, message.id, Refusal("not_your_seat", seat=connection.seat))
    else:
        cause = f"{connection.person}:{message.id}"
        refusal = await room.play(game, command, received, cause)
        metrics.answered(room.state.game, refusal.code if refusal else "accepted", game.now() - received)
        if refusal is None:
            connection.tell(protocol.Accepted(id=message.id, seq=game.causes.get(cause)))
        else:
            refuse(connection, message.id, explain_race(game, refusal, received))


async def _hear_manage(room: Room, connection: Connection, message: protocol.Manage) -> None:
    refusal = await room.manage(connection.visitor, message.command, message.id)
    if refusal is None:
        connection.tell(protocol.Accepted(id=message.id))
    else:
        refuse(connection, message.id, refusal)


async def _hear_ask_hint(room: Room, connection: Connection, message: protocol.AskHint) -> None:
    seat = connection.seat
    if not room.state.practice:
        refuse(connection, message.id, Refusal("not_practice"))
    elif room.game is None:
        refuse(connection, message.id, Refusal("no_game"))
    elif seat is None:
        refuse(connection, message.id, Refusal("no_seat"))
    else:
        state = room.game.state
        connection.tell(await asyncio.to_thread(hint, message.id, state, seat, message.strength))
