"""Boards by an index and by pages without gaps, on every database."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from benchmarks.boards import DATE, KIND, fill, questions
from tercet.server.projections import boards
from tercet.server.store import open_store, schema
from tests.server.projections import test_growth
from tests.server.projections.test_growth import scans, statements
from tests.server.serving import run

PEOPLE = 2000


def test_boards_are_answered_by_an_index(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, PEOPLE)
        with statements(store) as asked:
            for ask in questions(store, "person00000777").values():
                await ask()
            await boards.days_of(store, "person00000777", KIND, DATE, DATE)
            await boards.results_of(store, "daily_set", DATE)
            await boards.has_played(store, "person00000777", KIND, DATE)
        assert len(asked) > 15
        assert await scans(store, asked) == []
        await store.close()

    monkeypatch.setattr(test_growth, "GROWING", (*test_growth.GROWING, "runs", "bests"))
    run(scenario(), seconds=120)


@pytest.mark.parametrize("step", [None, 30], ids=["short", "long"])
def test_pages_have_no_gaps_and_places_are_true(
    database: str, step: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if step is not None:
        monkeypatch.setattr(boards, "LONG", 100)
        monkeypatch.setattr(boards, "STEP", step)

    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 330)
        bests = schema.bests
        async with store.reading() as connection:
            query = (
                select(bests.c.person)
                .where(bests.c.kind == KIND, bests.c.period == "ever")
                .order_by(bests.c.value, bests.c.end_time, bests.c.person)
            )
            everybody = list((await connection.execute(query)).scalars())
        names = [f"Person {int(person.removeprefix('person'))}" for person in everybody]
        found, after = [], None
        while True:
            page = await boards.ask_board(store, KIND, "ever", person=None, after=after, limit=100)
            found += page.lines
            after = page.next
            if after is None:
                break
        assert [line.name for line in found] == names
        assert [line.place for line in found] == list(range(1, 331))
        assert page.count == 330
        for place in (1, 3, 26, 30, 31, 160, 329, 330):
            person = everybody[place - 1]
            page = await boards.ask_board(store, KIND, "ever", person=person, around=True)
            assert page.yours is not None
            assert page.yours.place == place
            mine = [line for line in page.lines if line.you]
            assert [line.place for line in mine] == [place]
            assert [line.name for line in page.lines] == [names[line.place - 1] for line in page.lines]
        await store.close()

    run(scenario(), seconds=120)


def test_only_the_best_of_each_person_stays(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 1)
        async with store.reading() as connection:
            row = (await connection.execute(select(schema.runs))).one()._asdict()
        for number, (value, date) in enumerate(
            [(10**6, DATE), (30_000, "2026-11-19"), (35_000, "2026-12-01")]
        ):
            new = {**row, "game": f"other{number}", "value": value, "date": date}
            async with store.writing(exclusive=True) as connection:
                await boards.enter(connection, schema.bests, [new])
                await boards.enter(connection, schema.bests, [{**new, "value": 1, "reason": "not_finished"}])
        wanted = {
            DATE: row["value"],
            "2026-W47": 30_000,
            "2026-11": 30_000,
            "ever": 30_000,
            "2026-12": 35_000,
        }
        for period, value in wanted.items():
            page = await boards.ask_board(store, KIND, period, person=None)
            assert [line.value for line in page.lines] == [value], period
        await store.close()

    run(scenario())
