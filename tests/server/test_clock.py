"""The server's time goes on whatever the machine's clock does: put back at a restart, or put far ahead."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import cards
from tercet.client import Client
from tercet.server.clock import DRIFT_MS, UNSEEN_MS, Clock, Era, go_on
from tercet.server.ids import now_ms
from tercet.server.protocol import Ready
from tercet.server.store import open_store
from tests.server.processes import ServerProcess
from tests.server.serving import run

HOUR = 3_600_000
DAY = 24 * HOUR

times = st.integers(0, 2**45)


@given(times, st.lists(st.tuples(st.integers(0, 100 * DAY), times), max_size=20))
def test_time_never_goes_back_and_never_leaps(wall: int, restarts: list[tuple[int, int]]) -> None:
    """Whatever the clock shows at each start: time goes on from when the server was last seen, a little at most."""
    era = go_on(None, wall)
    for ran, shown in restarts:
        seen = era.seen + ran
        after = go_on(Era(era.since, era.ahead, seen), shown)
        assert seen <= after.seen <= seen + UNSEEN_MS
        assert after.since >= era.since
        if after.since != era.since:
            assert after.since >= after.seen
            assert after.ahead == shown - after.seen
        else:
            assert abs(shown - after.ahead - after.seen) <= DRIFT_MS
        era = after


def test_a_quick_restart_counts_as_it_is() -> None:
    last = Era(since=0, ahead=0, seen=50 * DAY)
    assert go_on(last, 50 * DAY + 4000).seen == 50 * DAY + 4000


def test_after_a_jump_the_next_restart_is_like_any_other() -> None:
    last = Era(since=0, ahead=0, seen=50 * DAY)
    jumped = go_on(last, 113 * DAY)
    seen = jumped.seen + HOUR
    again = go_on(Era(jumped.since, jumped.ahead, seen), 113 * DAY + HOUR + 4000)
    assert again.seen == seen + 4000
    assert again.since == jumped.since


def test_people_are_shown_the_time_on_the_wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        shift = 0
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + shift * 1_000_000)
        store = await open_store(str(tmp_path / "t.db"))
        first = await Clock.start(store)
        early = int(now_ms())
        shift = 63 * DAY
        second = await Clock.start(store)
        late = int(now_ms())
        assert 0 <= late - early <= UNSEEN_MS + 5000
        assert first.wall(early) == second.wall(early) == early
        assert abs(second.wall(late) - (real() // 1_000_000 + shift)) < 5000
        shift = -HOUR
        third = await Clock.start(store)
        await asyncio.sleep(0.01)
        latest = int(now_ms())
        assert late <= latest <= late + UNSEEN_MS + 5000
        assert abs(third.wall(latest) - (real() // 1_000_000 + shift)) < 5000
        assert third.wall(early) == early
        await store.close()
        monkeypatch.undo()
        other = await open_store(str(tmp_path / "other.db"))
        await Clock.start(other)  # the process has one time: back to that of the machine
        await other.close()

    run(scenario())


_SHIFTED = """
import sys, time
real, shift = time.time_ns, int(sys.argv[4]) * 1_000_000
time.time_ns = lambda: real() + shift
time.time = lambda: time.time_ns() / 1e9
from tercet.server.run import run
from tercet.server.settings import load
run(load(environment={}, port=int(sys.argv[1]), database=sys.argv[2], bus=sys.argv[3] or None, workers=1))
"""


class ShiftedServer(ServerProcess):
    """A server on a machine whose clock is wrong by so much."""

    async def start(self, shift: int = 0) -> None:
        arguments = [sys.executable, "-c", _SHIFTED, str(self.port), self.database, self._bus, str(shift)]
        self._process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 90
        while not await asyncio.to_thread(self._answers):
            assert self._process.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not answer"
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("shift", [-HOUR, 63 * DAY], ids=["an hour back", "63 days ahead"])
def test_a_clock_that_jumps_at_a_restart(tmp_path: Path, shift: int) -> None:
    """A call that is not shown runs out at its time, and the game goes on: neither stuck nor played out."""

    async def scenario() -> None:
        server = ShiftedServer(tmp_path / "t.db")
        await server.start()
        try:
            ann = Client(server.url)
            await ann.sign_in("Ann")
            code = await ann.create_table("set", options={"show_seconds": 10, "auto_deal": True})
            idle = await ann.create_table("set", people=2)
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None and bool(table.state.table))
                await asyncio.sleep(0.2)
                await table.play(cards.Call(0))
                server.kill()
                await server.start(shift)
                begun = time.monotonic()
                await table.until(lambda: table.state.call is None, 40)
                assert time.monotonic() - begun < 30
                assert not table.is_over
                assert table.table.phase == "playing"
            async with ann.join(idle) as table:  # nobody has forgotten it
                assert table.table.phase == "gathering"
            (listed, *_) = await ann.my_games()
            assert listed.end_time is None
        finally:
            server.kill()

    run(scenario(), 200)
