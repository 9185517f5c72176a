"""Nobody waits for the absent, whichever node they were at; and nobody is taken for absent because a node cannot see them (T1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tercet import cards
from tercet.client import Refusal
from tercet.games import CameBack, SteppedAway
from tercet.server.protocol import Pause, Ready, Resume, Sit, Start
from tests.server.processes import ValkeyProcess
from tests.server.serving import Serving, run, seated, serving
from tests.server.test_absent import QUICK, eventually, go_away, happened, hear, same_browser


@asynccontextmanager
async def two_nodes(
    folder: Path, valkey: ValkeyProcess, **limits: float
) -> AsyncIterator[tuple[Serving, Serving]]:
    database = str(folder / "two.db")
    async with (
        serving(database, bus=valkey.url, limits=QUICK | limits) as one,
        serving(database, bus=valkey.url, limits=QUICK | limits) as two,
    ):
        yield one, two


@pytest.mark.slow
def test_t1_who_left_one_node_is_not_waited_for_at_the_other(valkey: ValkeyProcess, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            two_nodes(tmp_path, valkey) as (one, two),
            seated([one.url, two.url], "set", ["Ann", "Bo"]) as (ann, bo),
        ):
            await go_away(bo)
            await ann.play(cards.SeeNone(0))
            await hear(ann, cards.Opened)
            assert happened(ann, SteppedAway) == [SteppedAway(1)], "once, though two nodes know of it"
            client = same_browser(bo, one)  # by the other node this time
            async with client.join(bo.code) as back:
                await hear(back, CameBack)
                await hear(ann, CameBack)
                assert ann.state.away == frozenset()

    run(scenario())


@pytest.mark.slow
def test_t1_without_a_bus_nobody_is_taken_for_gone(valkey: ValkeyProcess, tmp_path: Path) -> None:
    """Each node sees only its own people then, and so cannot say who is missing."""

    async def scenario() -> None:
        async with (
            two_nodes(tmp_path, valkey) as (one, two),
            seated([one.url, two.url], "set", ["Ann", "Bo"]) as (ann, bo),
        ):
            rooms = [node.service.rooms.rooms[ann.code] for node in (one, two)]
            valkey.kill()
            await eventually(lambda: not any(room.elsewhere.is_heard for room in rooms))
            await eventually(lambda: not any(room.elsewhere.present for room in rooms), 30)
            for _ in range(3):
                for room in rooms:
                    room.tell_presence()
                    assert room.attendance.judge().marks == ()
                await asyncio.sleep(QUICK["away_seconds"])
            valkey.start()
            await eventually(lambda: all(room.elsewhere.present for room in rooms), 60)
            await ann.play(cards.SeeNone(0))
            await bo.play(cards.SeeNone(1))
            await hear(ann, cards.Opened)
            assert not happened(ann, SteppedAway)

    run(scenario(), 180)


@pytest.mark.slow
def test_t1_a_host_at_the_other_node_is_not_taken_for_gone(valkey: ValkeyProcess, tmp_path: Path) -> None:
    """Nobody else may start a game then: not where the table has just been opened, and not without a bus."""

    async def scenario() -> None:
        async with two_nodes(tmp_path, valkey, away_seconds=60) as (one, two):
            ann, bo = await one.client("Ann"), await two.client("Bo")
            code = await ann.create_table("set", people=2)
            async with ann.join(code):
                room = await two.service.rooms.find(code)
                assert room is not None
                assert room.attendance.gone_and_away() == (frozenset(), frozenset())
                async with bo.join(code) as table:
                    await table.manage(Sit())
                    await eventually(lambda: bool(room.elsewhere.present))
                    valkey.kill()
                    await eventually(lambda: not room.elsewhere.is_heard and not room.elsewhere.present)
                    with pytest.raises(Refusal, match="not_the_host"):
                        await table.manage(Start())

    run(scenario(), 180)


@pytest.mark.slow
def test_t4_a_pause_holds_on_both_nodes(valkey: ValkeyProcess, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_nodes(tmp_path, valkey) as (one, two):
            ann = await one.client("Ann")
            code = await ann.create_table("set", bots=["champion"])
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None and bool(table.state.table))
                onlooker = await two.client("Olga")
                async with onlooker.join(code) as looking:
                    await table.manage(Pause())
                    await looking.until(lambda: looking.table.paused == "wanted")
                    assert not any(_plays(node, code) for node in (one, two))
                    seq = table.seq
                    await table.manage(Resume())
                    await looking.until(lambda: looking.table.paused is None)
                    await eventually(lambda: any(_plays(node, code) for node in (one, two)))
                    assert table.seq >= seq

    run(scenario())


def _plays(node: Serving, code: str) -> bool:
    """Whether bots play here."""
    live = node.service.rooms.rooms[code].live
    return live is not None and bool(live._bots.seated)
