"""Bots have fair shares of the processes in which they think."""

from __future__ import annotations

import asyncio
from random import Random
from time import monotonic
from typing import Any

from tercet import bots, cubed
from tercet.bots.driver import play
from tercet.server import metrics
from tercet.server.bots import queue, thinking
from tercet.server.bots.queue import Question, Queue
from tercet.server.bots.thinking import Asker, Thinkers
from tercet.server.protocol import BotsWaiting, Ready
from tests.server.serving import run, serving


def ask(table: str, person: str, *, is_short: bool = False) -> Question:
    return Question(table, person, is_short)


def order(waiting: Queue[Question], cost: dict[str, float], count: int) -> list[str]:
    """Who thinks one after the other, when everybody asks again at once."""
    found = []
    for _ in range(count):
        question = waiting.take(now=0)
        assert question is not None
        found.append(question.table)
        waiting.charge(question, cost[question.person])
        waiting.add(ask(question.table, question.person), now=0)
    return found


def test_many_tables_of_one_person_share_what_one_table_of_another_has() -> None:
    waiting: Queue[Question] = Queue()
    for number in range(20):
        waiting.add(ask(f"Ann {number}", "Ann"), now=0)
    waiting.add(ask("Bo", "Bo"), now=0)
    found = order(waiting, {"Ann": 1.0, "Bo": 1.0}, 40)
    assert 19 <= found.count("Bo") <= 21
    assert {f"Ann {number}" for number in range(19)} <= set(found)


def test_whoever_thinks_a_moment_goes_before_those_who_think_long() -> None:
    waiting: Queue[Question] = Queue()
    for number in range(20):
        for _ in range(3):
            waiting.add(ask(f"table {number}", f"person {number}"), now=0)
    order(waiting, dict.fromkeys((f"person {number}" for number in range(20)), 2.0), 100)
    waiting.add(ask("quick", "quick"), now=0)
    question = waiting.take(now=0)
    assert question is not None
    assert question.table == "quick"


def test_short_questions_come_first_and_whoever_has_waited_long_is_not_forgotten() -> None:
    waiting: Queue[Question] = Queue()
    waiting.add(ask("old", "Ann"), now=0)
    waiting.charge(ask("old", "Ann"), 1000)
    for number in range(5):
        waiting.add(ask(f"{number}", "Bo"), now=100)
    waiting.add(ask("short", "Ann", is_short=True), now=100)
    found = [taken.table for _ in range(3) if (taken := waiting.take(now=100)) is not None]
    assert found == ["short", "old", "0"]


def test_the_more_wait_the_less_each_may_think() -> None:
    waiting: Queue[Question] = Queue()
    assert waiting.time_limit() == queue.TIME_LIMIT
    limits = []
    for number in range(100):
        waiting.add(ask(f"{number}", f"{number}"), now=0)
        limits.append(waiting.time_limit())
    assert limits == sorted(limits, reverse=True)
    assert limits[19] < 0.25
    assert limits[-1] == queue.LEAST


def middle_of_a_game(seats: int) -> Any:
    """A view for whoever's turn it is, with much to think about."""
    game = cubed.Game([f"P{seat}" for seat in range(seats)], seed="ab" * 32)
    players = [bots.make("cubed", "greedy", seat, Random(1)) for seat in range(seats)]
    whole = cubed.Game([f"P{seat}" for seat in range(seats)], seed="ab" * 32)
    play(whole, players)
    for entry in whole.log:
        if game.state.phase == "turn" and entry.seq > 6:
            break
        game.state = game.rules.evolve(game.state, entry.event, entry.at)
    return game.state


def test_a_greedy_bot_acts_soon_while_twenty_tables_of_masters_think() -> None:
    """With a real worker: 20 tables with three masters each, all of whom ask again and again."""

    async def scenario() -> None:
        thinkers = Thinkers(1)
        view = middle_of_a_game(4)
        seat = cubed.rules.waits_for(view)[0]
        done = 0

        async def keep_thinking(table: int, number: int) -> None:
            nonlocal done
            asker = Asker(
                f"{table} {number}", "cubed", "master", seat, f"table {table}", f"person {table % 10}"
            )
            while True:
                assert await thinkers.choose(asker, view, lambda _ahead: None) is not None
                done += 1

        tasks = [asyncio.create_task(keep_thinking(table, n)) for table in range(20) for n in range(3)]
        while done < 3:
            await asyncio.sleep(0.1)
        asker = Asker("greedy", "cubed", "greedy", seat, "greedy's table", "somebody")
        begun, thoughts = monotonic(), -done
        for _ in range(3):
            await thinkers.delay(asker, view)
            assert await thinkers.choose(asker, view, lambda _ahead: None) is not None
        took, thoughts = (monotonic() - begun) / 3, thoughts + done
        assert thinkers.waiting >= 50
        # On a busy machine a thought takes long: then the bot waits for as few of them.
        assert took < 5 or thoughts <= 18, (took, thoughts)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        thinkers.close()

    run(scenario())


def test_people_hear_that_a_bot_waits_and_that_it_does_no_more(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(thinking, "TELL_SECONDS", 0.02)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            thinkers = server.service.thinkers
            ann = await server.client("Ann")
            code = await ann.create_table("cubed", people=1, bots=["greedy", "greedy"])
            heard: list[int | None] = []
            async with ann.join(code) as table:
                table.listeners.append(
                    lambda said: heard.append(said.ahead) if isinstance(said, BotsWaiting) else None
                )
                view = middle_of_a_game(4)
                seat = cubed.rules.waits_for(view)[0]

                async def keep_thinking(number: int) -> None:
                    asker = Asker(f"busy {number}", "cubed", "master", seat, f"busy {number}", f"Bo {number}")
                    while True:
                        await thinkers.choose(asker, view, lambda _ahead: None)

                busy = [asyncio.create_task(keep_thinking(number)) for number in range(3)]
                await table.manage(Ready())
                await table.until(lambda: len(heard) > 1 and heard[-1] is None, seconds=60)
                assert isinstance(heard[0], int)
                written = metrics.write(1, 1, 1, thinkers.waiting).decode()
                assert "tercet_bots_waiting " in written
                assert "tercet_bot_wait_seconds_count" in written
                for task in busy:
                    task.cancel()
                await asyncio.gather(*busy, return_exceptions=True)

    run(scenario(), seconds=100)
