"""Reviews that were begun are finished, by somebody, once: after a kill of the process, of the server, or of another node."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tercet.client import Client
from tercet.server import metrics
from tercet.server.protocol import ReviewNews
from tercet.server.reviews import kept, reviewer
from tests.server.conftest import new_database
from tests.server.processes import ServerProcess, ValkeyProcess
from tests.server.reviews.test_reviews import LAZY, ask, play, ready, state_of
from tests.server.serving import Serving, run, serving


async def until_begun(client: Client, game: str) -> None:
    while (making := (state := await state_of(client, game)).making) is None or not making.done:
        assert state.review is None, "it was over before anybody looked"
        await asyncio.sleep(0.05)


async def kill_reviewer(server: Serving) -> None:
    """Until it is seen that it died."""
    (one,) = server.service.reviews._reviewers
    while (killed := one._process) is None:
        await asyncio.sleep(0.05)
    killed.kill()
    while one._process is killed:
        await asyncio.sleep(0.05)


def test_a_killed_process_is_started_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {**LAZY, "review_games": 600}
        async with serving(tmp_path / "t.db", review_nice=0, limits=limits) as server:
            ann = await server.client("Ann")
            game = await play(ann, "cubed")
            await ask(ann, game)
            await until_begun(ann, game)
            await kill_reviewer(server)
            assert (await ready(ann, game)).review is not None

    run(scenario(), 400)


def test_a_review_that_ends_its_process_three_times_has_failed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits={**LAZY, "review_games": 1200}) as server:
            ann = await server.client("Ann")
            game = await play(ann, "cubed")
            await ask(ann, game)
            for _ in range(3):
                await until_begun(ann, game)
                await kill_reviewer(server)
            while (state := await state_of(ann, game)).making is not None:
                await asyncio.sleep(0.05)
            assert state.problem == "review_failed"
            again = await ask(ann, game)  # and then, perhaps, it goes well
            assert again.making is not None

    run(scenario(), 400)


@pytest.mark.slow
def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {**LAZY, "review_games": 300}
        server = ServerProcess(tmp_path / "t.db", review_nice=0, limits=limits)
        await server.start()
        try:
            ann = Client(server.url)
            await ann.sign_in("Ann")
            game = await play(ann, "cubed")
            await ask(ann, game)
            await until_begun(ann, game)
            server.kill()
            await server.start()
            state = await state_of(ann, game)
            assert state.making is not None or state.review is not None
            assert (await ready(ann, game)).review is not None
        finally:
            server.kill()

    run(scenario(), 400)


def test_several_nodes_make_a_review_once_and_all_hear_of_it(
    postgres: str, valkey: ValkeyProcess, tmp_path: Path
) -> None:
    database = new_database(postgres, f"reviews_{tmp_path.name}")

    async def scenario() -> None:
        before = metrics.reviews["ready"]
        async with (
            serving(database, bus=valkey.url, review_nice=0, limits={**LAZY, "reviews_at_once": 0}) as front,
            serving(database, bus=valkey.url, review_nice=0, limits=LAZY),
            serving(database, bus=valkey.url, review_nice=0, limits=LAZY),
        ):
            ann = await front.client("Ann")
            game = await play(ann)
            (summary,) = await ann.my_games()
            news: list[ReviewNews] = []
            async with ann.join(summary.table) as table:
                table.listeners.append(lambda m: news.append(m) if isinstance(m, ReviewNews) else None)
                await ask(ann, game)
                await table.until(lambda: any(one.ready for one in news), 200)
            assert (await state_of(ann, game)).review is not None
        assert metrics.reviews["ready"] == before + 1

    run(scenario(), 400)


def test_a_review_that_a_dead_node_had_taken_is_made_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is seen at it no more. (The name in the queue is nobody's.)"""
    monkeypatch.setattr(kept, "LOST_MS", 2000)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits={**LAZY, "reviews_at_once": 0}) as server:
            ann = await server.client("Ann")
            game = await play(ann)
            await ask(ann, game)
            assert await kept.take(server.service.store, "the dead one", by_itself=False) is not None
            assert await kept.take(server.service.store, "another", by_itself=False) is None
            while (job := await kept.take(server.service.store, "another", by_itself=False)) is None:
                await asyncio.sleep(0.2)
            assert (job.game, job.tries) == (game, 2)
            assert not await kept.see(server.service.store, "the dead one", job, 1, 2)
            assert not await kept.keep(server.service.store, "the dead one", job, None, b"", None)

    run(scenario(), 200)


def test_a_process_without_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewer, "IDLE_SECONDS", 0.1)

    async def scenario() -> None:
        one = reviewer.Reviewer(0)
        answer = await one.ask(reviewer.Wanted("this is no record", None, 10))
        assert answer.problem == "cannot_review"
        process = one._process
        assert process is not None
        await asyncio.to_thread(process.join, 30)
        assert not process.is_alive()

    run(scenario(), 100)
