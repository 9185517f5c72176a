"""Who plays at a server, for tests."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from tercet import cards, cubed, record
from tercet.client import Refusal, RemoteTable
from tercet.codec import to_json
from tercet.games import Command
from tercet.sets import find_sets, is_set

#: A game of cards that goes on for as long as anybody plays.
OPTIONS = {"rounds": 100, "auto_deal": True, "penalty": "point"}


async def play_cards(table: RemoteTable) -> None:
    """Take every SET there is."""
    while not table.is_over:
        state = table.state
        found = find_sets(state.table)
        seat = table.seat
        assert seat is not None
        try:
            if state.phase == "play" and state.call is None and found:
                await table.play(cards.Call(seat))
                await table.play(cards.Show(seat, found[0]))
            elif state.phase == "play" and state.call is None and seat not in state.none:
                await table.play(cards.SeeNone(seat))
            else:
                await table.changed()
        except Refusal:
            await asyncio.sleep(0)


async def play_cubed(table: RemoteTable) -> None:
    """Open if possible, lay the best turn, keep all dice."""
    while not table.is_over:
        state: cubed.State = table.state
        seat = table.seat
        assert seat is not None
        try:
            if state.phase == "opening" and state.call is None and seat not in state.none | state.barred:
                await open_or_see_none(table, seat)
            elif state.phase == "turn" and state.turn == seat:
                best = state.position(seat).best().placements
                await table.play(cubed.Lay(seat, best) if best else cubed.Pass(seat))
            elif state.phase == "extra_roll" and seat not in state.answered:
                await table.play(cubed.Choose(seat))
            else:
                await table.changed()
        except Refusal:
            await asyncio.sleep(0)


async def open_or_see_none(table: RemoteTable, seat: int) -> None:
    hand = table.state.hands[seat]
    plain = [die for die in hand if str(die.face) != "W"]
    threes = [(a, b, c) for a in plain for b in plain for c in plain if a.number < b.number < c.number]
    found = next((three for three in threes if is_set(*(die.face for die in three))), None)
    if found is None:
        await table.play(cubed.SeeNone(seat))
        return
    await table.play(cubed.Call(seat))
    logo = table.state.options.edition.layout.logo
    placements = tuple(
        cubed.Placement(square, die.face, die=die.number) for square, die in zip(logo, found, strict=True)
    )
    await table.play(cubed.Show(seat, placements))


async def until_extra_roll(table: RemoteTable) -> None:
    while table.state.phase != "extra_roll":
        state, seat = table.state, table.seat
        assert seat is not None
        try:
            if state.phase == "opening" and state.call is None and seat not in state.none | state.barred:
                await open_or_see_none(table, seat)
            elif state.phase == "turn" and state.turn == seat:
                best = state.position(seat).best().placements
                await table.play(cubed.Lay(seat, best) if best else cubed.Pass(seat))
            else:
                await table.changed()
        except Refusal:
            await asyncio.sleep(0)


class Player:
    """Plays without end, and remembers what the server has acknowledged."""

    def __init__(self, table: RemoteTable) -> None:
        self.table = table
        self.acknowledged: list[tuple[int, Command]] = []

    async def play(self) -> None:
        while True:
            state, seat = self.table.state, self.table.seat
            assert seat is not None
            try:
                if state.phase == "deal" and state.dealer == seat:
                    await self._do(cards.Deal(seat))
                elif state.phase == "play" and state.call is None:
                    await self._do(cards.Call(seat))
                    # When the answer comes only after a restart, the round may be over.
                    for found in find_sets(self.table.state.table)[:1]:
                        await self._do(cards.Show(seat, found))
            except Refusal:
                pass
            await asyncio.sleep(random.random() / 50)

    async def _do(self, command: Command) -> None:
        seq = await self.table.play(command)
        assert seq is not None
        self.acknowledged.append((seq, command))


def cause_of(table: RemoteTable, seq: int) -> Command | None:
    """The command whose last event has this number: the cause of the last event up to it that has one."""
    for entry in reversed(table.log[:seq]):
        command = table.rules.cause(entry.event)
        if command is not None:
            return command  # type: ignore[no-any-return]
    return None


async def check(tables: list[RemoteTable], players: Sequence[Player]) -> None:
    """Everybody has seen the same log without gaps, and it holds all that was acknowledged, once."""
    last = max(table.seq for table in tables)
    for table in tables:
        await table.until(lambda table=table: table.seq >= last)  # type: ignore[misc]
        assert [entry.seq for entry in table.log] == list(range(1, len(table.log) + 1))
        assert table.log[:last] == tables[0].log[:last]
    for player in players:
        numbers = [seq for seq, _ in player.acknowledged]
        assert len(set(numbers)) == len(numbers)
        for seq, command in player.acknowledged:
            assert cause_of(player.table, seq) == command
    client = tables[0]._client
    assert tables[0].game is not None
    kept = record.read(await client.record(tables[0].game))
    assert list(kept.log)[:last] == tables[0].log[:last]
    replayed = list(record.replay(kept))[last - 1][1]
    if len(kept.log) == last == tables[0].seq:
        assert to_json(replayed) == to_json(tables[0].state)
