"""Random commands by random seats over real sockets: the server stands, refusals change nothing, and the log
replays to the state that clients see."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet import cards, cubed
from tercet.client import Refusal, RemoteTable
from tercet.codec import from_json, to_json
from tercet.editions.squares import Square
from tercet.games import Command
from tercet.sets import Card, Face, find_sets
from tests.server.serving import Serving, run, seated, serving

SEATS = st.integers(-1, 3)
CARDS = st.sampled_from(list(Card.all()))
PLACEMENTS = st.builds(
    cubed.Placement,
    st.sampled_from([Square(text) for text in ("a1", "d5", "e5", "f5", "e4", "e6", "d4", "i9", "z99")]),
    st.sampled_from([*Face.all(), Face("W")]),
    st.booleans(),
    st.none() | st.integers(-1, 50),
)


class FromTable:
    """Three cards of the table as it is then: the first SET, or some that may be none."""

    def __init__(self, seat: int, picks: list[int] | None) -> None:
        self.seat = seat
        self.picks = picks

    def command(self, state: cards.State) -> Command:
        found = find_sets(state.table)
        if self.picks is None:
            return cards.Show(self.seat, found[0] if found else ())
        table = state.table or Card.all()
        return cards.Show(self.seat, tuple(table[pick % len(table)] for pick in self.picks))

    def __repr__(self) -> str:
        return f"FromTable({self.seat}, {self.picks})"


class FromHand:
    """What a player might do with the dice in hand."""

    def __init__(self, seat: int, pick: int) -> None:
        self.seat = seat
        self.pick = pick

    def command(self, state: cubed.State) -> Command:
        hand = state.hands[self.seat % state.seats]
        if state.phase == "opening":
            dice = (hand * 2)[self.pick % 5 : self.pick % 5 + 3]
            logo = state.options.edition.layout.logo
            laid = tuple(
                cubed.Placement(s, die.face, die=die.number) for s, die in zip(logo, dice, strict=True)
            )
            return cubed.Show(self.seat, laid) if state.call else cubed.Call(self.seat)
        if state.phase == "extra_roll":
            return cubed.Choose(self.seat, tuple(die.number for die in hand[: self.pick % 6]))
        turns = state.position(self.seat % state.seats).turns()[:5]
        if not turns:
            return cubed.Pass(self.seat)
        return cubed.Lay(self.seat, turns[self.pick % len(turns)].placements)

    def __repr__(self) -> str:
        return f"FromHand({self.seat}, {self.pick})"


CARD_COMMANDS = st.one_of(
    st.builds(cards.Deal, SEATS),
    st.builds(cards.Call, SEATS),
    st.builds(cards.Call, SEATS),
    st.builds(FromTable, SEATS, st.none() | st.lists(st.integers(0, 20), max_size=4)),
    st.builds(FromTable, SEATS, st.none()),
    st.builds(cards.Show, SEATS, st.lists(CARDS, max_size=4).map(tuple)),
    st.builds(cards.SeeNone, SEATS),
    st.builds(cards.TakeBack, SEATS),
)
CUBED_COMMANDS = st.one_of(
    st.builds(FromHand, st.integers(0, 1), st.integers(0, 30)),
    st.builds(FromHand, st.integers(0, 1), st.integers(0, 30)),
    st.builds(cubed.Begin, SEATS),
    st.builds(cubed.SeeNone, SEATS),
    st.builds(cubed.Pass, SEATS),
    st.builds(cubed.Lay, SEATS, st.lists(PLACEMENTS, max_size=4).map(tuple)),
    st.builds(cubed.Show, SEATS, st.lists(PLACEMENTS, max_size=4).map(tuple)),
    st.builds(cubed.Replace, SEATS, st.integers(-1, 50), st.sampled_from([Square("e5"), Square("z99")])),
    st.builds(cubed.Choose, SEATS, st.lists(st.integers(-1, 50), max_size=6).map(tuple)),
)


async def settle(tables: list[RemoteTable]) -> None:
    last = max(table.seq for table in tables)
    for table in tables:
        await table.until(lambda table=table: table.seq >= last)  # type: ignore[misc]


async def do_anything(server: Serving, game: str, steps: list[tuple[int, Any]]) -> None:
    async with seated(server, game, ["Ann", "Bo"]) as tables:
        for who, step in steps:
            table = tables[who]
            if table.table.phase != "playing":
                break
            command = step.command(table.state) if hasattr(step, "command") else step
            before, seq = to_json(table.state), table.seq
            try:
                await table.play(command)
            except Refusal:
                changed = table.seq != seq  # by a deadline, which comes before the command
                if not changed and to_json(table.state) != before:
                    pytest.fail("a refused command changed the state")
            await settle(tables)
        assert to_json(tables[0].rules.view(tables[0].state, None)) == to_json(
            tables[1].rules.view(tables[1].state, None)
        )
        room = server.service.rooms.rooms[tables[0].code]
        live = room.game
        if live is not None:
            for table in tables:
                assert to_json(live.rules.view(live.state, table.seat)) == to_json(table.state)
            replayed = live.rules.start(live.options, len(room.state.seats))
            for line in await server.service.store.read(live.id):
                event = from_json(line.event, live.rules.events)
                replayed = live.rules.evolve(replayed, event, line.at)
            assert replayed == live.state


async def many(path: Path, game: str, examples: int) -> None:
    """One server for all examples: whatever happens at one table must not harm the next."""
    commands = CARD_COMMANDS if game == "set" else CUBED_COMMANDS
    async with serving(path / "t.db", limits={"guests_per_minute": 1e6, "message_burst": 10_000}) as server:
        loop = asyncio.get_running_loop()

        @settings(max_examples=examples, deadline=None, database=None)
        @given(st.lists(st.tuples(st.integers(0, 1), commands), max_size=40))
        def check(steps: list[tuple[int, Any]]) -> None:
            asyncio.run_coroutine_threadsafe(do_anything(server, game, steps), loop).result(250)

        await asyncio.to_thread(check)


@pytest.mark.parametrize("game", ["set", "cubed"])
def test_anything_may_be_tried(tmp_path: Path, game: str) -> None:
    run(many(tmp_path, game, examples=12))


@pytest.mark.long
@pytest.mark.parametrize("game", ["set", "cubed"])
def test_anything_may_be_tried_many_times(tmp_path: Path, game: str) -> None:
    run(many(tmp_path, game, examples=200), seconds=900)
