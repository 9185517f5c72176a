"""Several players at once: exactly one is first, and everybody is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tercet import cards
from tercet.client import Refusal, RemoteTable
from tercet.sets import find_sets
from tests.server.serving import run, seated, serving

OPTIONS = {"rounds": 100, "auto_deal": True}
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


async def call(table: RemoteTable) -> dict[str, object] | None:
    """None if this was the first call; otherwise the refusal."""
    assert table.seat is not None
    try:
        await table.play(cards.Call(table.seat))
    except Refusal as refusal:
        return refusal.data
    return None


async def race(tables: list[RemoteTable]) -> None:
    """All call in the same moment; the winner takes a SET."""
    first = tables[0]
    if first.state.phase == "deal":
        dealer = tables[first.state.dealer]
        await dealer.play(cards.Deal(first.state.dealer))
    seq = max(table.seq for table in tables)
    await asyncio.gather(*(table.until(lambda table=table: table.seq >= seq) for table in tables))  # type: ignore[misc]
    outcomes = await asyncio.gather(*map(call, tables))
    winners = [table for table, outcome in zip(tables, outcomes, strict=True) if outcome is None]
    assert len(winners) == 1
    winner = winners[0]
    for outcome in outcomes:
        if outcome is not None:
            assert outcome["code"] == "called_by_another"
            assert outcome["seat"] == winner.seat
            assert isinstance(outcome["earlier_ms"], int)
            assert 0 <= outcome["earlier_ms"] < 5000
    assert winner.seat is not None
    await winner.play(cards.Show(winner.seat, find_sets(winner.state.table)[0]))


async def races(server_path: Path, players: int, rounds: int) -> None:
    async with (
        serving(
            server_path / f"{players}.db", limits={"messages_per_second": 1e6, "message_burst": 10**6}
        ) as server,
        seated(server, "set", NAMES[:players], options=OPTIONS) as tables,
    ):
        for _ in range(rounds):
            await race(tables)
        last = max(table.seq for table in tables)
        await asyncio.gather(*(table.until(lambda table=table: table.seq == last) for table in tables))  # type: ignore[misc]
        assert all(table.state == tables[0].state for table in tables)
        assert all(table.log == tables[0].log for table in tables)
        assert sum(tables[0].state.taken) == rounds
        room = next(iter(server.service.rooms.rooms.values()))
        assert room.game is not None
        assert room.game.state == tables[0].state


@pytest.mark.parametrize("players", [2, 5, 8])
def test_exactly_one_call_wins(tmp_path: Path, players: int) -> None:
    run(races(tmp_path, players, rounds=30))


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_exactly_one_call_wins_a_thousand_times(tmp_path: Path, players: int) -> None:
    run(races(tmp_path, players, rounds=143), seconds=300)


def test_who_is_late_for_the_cards_learns_who_took_them(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "set", ["Ann", "Bo"], options={"claim": "instant", "auto_deal": True}) as (
                ann,
                bo,
            ),
        ):
            found = find_sets(ann.state.table)[0]
            first, second = await asyncio.gather(
                ann.play(cards.Show(0, found)), bo.play(cards.Show(1, found)), return_exceptions=True
            )
            assert isinstance(first, int)
            assert isinstance(second, Refusal)
            assert second.code == "not_on_table"
            assert second.data["seat"] == 0
            assert second.data["earlier_ms"] >= 0

    run(scenario())
