"""Boards by an index and by pages without gaps, on every database."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from benchmarks.boards import DATE, KIND, fill, questions
from tercet.server.projections import boards
from tercet.server.projections.rows import GameRows
from tercet.server.projections.writer import write_rows
from tercet.server.store import open_store, schema
from tercet.server.store.many import insert_new
from tests.server.serving import run
from tests.server.statements import GROWING, scans, statements

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

    monkeypatch.setattr("tests.server.statements.GROWING", (*GROWING, "runs", "bests"))
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
            for limit in (1, 2, 3, 4):
                page = await boards.ask_board(store, KIND, "ever", person=person, around=True, limit=limit)
                first = max(1, place - limit // 2)
                assert [line.place for line in page.lines] == list(range(first, min(first + limit, 331)))
                assert [line.name for line in page.lines if line.you] == [names[place - 1]]
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


def test_of_a_day_the_run_that_counts_is_shown_else_one_that_was_finished(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 1)
        async with store.reading() as connection:
            row = (await connection.execute(select(schema.runs))).one()._asdict()
        tries = [("not_finished", 1), ("played_before", 300), ("played_before", 200), (None, 400)]
        for number, (reason, value) in enumerate(tries):
            new = {
                **row,
                "game": f"try{number}",
                "kind": "daily_set",
                "day": DATE,
                "reason": reason,
                "value": value,
            }
            async with store.writing(exclusive=True) as connection:
                await insert_new(connection, schema.runs, [new])
            shown = (await boards.days_of(store, row["person"], "daily_set", DATE, DATE))[DATE]
            assert shown.value == (1, 300, 200, 400)[number]
        await store.close()

    run(scenario())


def test_all_days_that_were_solved_are_counted(database: str) -> None:
    days = [
        f"20{year}-{month:02}-{day:02}" for year in (24, 25) for month in range(1, 13) for day in range(1, 11)
    ]

    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 1)
        async with store.reading() as connection:
            row = (await connection.execute(select(schema.runs))).one()._asdict()
        rows = [{**row, "game": f"of{day}", "kind": "daily_set", "day": day, "reason": None} for day in days]
        given_up = {**rows[0], "game": "given_up", "day": DATE, "reason": "not_finished"}
        async with store.writing(exclusive=True) as connection:
            await insert_new(connection, schema.runs, [*rows, given_up])
        mine = await boards.runs_of(store, row["person"], "daily_set", DATE, limit=1)
        assert (mine.solved, len(mine.runs)) == (len(days), 1)
        await store.close()

    run(scenario())


def test_company_is_not_used_up_by_games_played_alone(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "COMPANY_GAMES", 2)
    me, *others = (f"person{number:08}" for number in range(4))

    def played(number: int, *people: str | None) -> list[dict[str, object]]:
        """A game of these people, the later the higher its number; None is a bot, or somebody who was deleted."""
        fixed = {
            "bot": None,
            "points": 0,
            "won": False,
            "sets": 0,
            "turns": 0,
            "played_ms": 0,
            "counts": True,
        }
        return [
            {
                **fixed,
                "game": f"game{number}",
                "seat": seat,
                "person": person,
                "name": "",
                "start_time": number,
            }
            for seat, person in enumerate(people)
        ]

    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 4)
        rows = [*played(1, me, others[0]), *played(2, others[1], me), *played(3, me, None, others[2])]
        alone = [row for number in range(4, 9) for row in played(number, me, None)]
        async with store.writing(exclusive=True) as connection:
            await insert_new(connection, schema.players, [*rows, *alone])
        page = await boards.ask_board(store, KIND, "ever", person=me, among="company")
        assert {line.name for line in page.lines} == {"Person 0", "Person 2", "Person 3"}
        await store.close()

    run(scenario())


@pytest.mark.parametrize("has_ended", [True, False], ids=["ended", "left"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_first_try_of_a_day_counts_in_whatever_order_rows_are_written(
    database: str, order: tuple[int, ...], *, has_ended: bool
) -> None:
    """As a rebuild does, in the order of the codes of tables. Whoever has left the first has had it, too."""

    async def scenario() -> None:
        store = await open_store(database)
        await fill(store, 2)
        people = schema.people
        async with store.writing(exclusive=True) as connection:
            run_row = (await connection.execute(select(schema.runs).limit(1))).one()._asdict()
            account = run_row["person"]
            is_guest = people.c.id != account
            await connection.execute(update(people).where(is_guest).values(merged_into=account))
            (guest,) = (await connection.execute(select(people.c.id).where(is_guest))).scalars()
            for number in order:
                ids = {"code": f"TABLE{number}", "game": "puzzles"}
                fixed = {"host_name": "", "public": False, "options": "{}", "version": 1, "run": "daily_set"}
                counts = {"people": 1, "bots": 0, "open_seats": 0, "created_time": 0, "changed_time": 0}
                host = account if number == 1 else guest
                table = {**ids, **fixed, **counts, "day": DATE, "host": host, "phase": "closed"}
                times = {"start_time": number, "end_time": 10 - number}
                game = {
                    **ids,
                    **times,
                    "id": f"try{number}",
                    "practice": False,
                    "waits_for": "",
                    "public": False,
                }
                run = {
                    **run_row,
                    **times,
                    "kind": "daily_set",
                    "day": DATE,
                    "game": game["id"],
                    "value": 300 - number,
                }
                ended = has_ended or number > 0
                game["end_time"] = game["end_time"] if ended else None
                await write_rows(connection, [table], [GameRows(game, [], [run] if ended else [])])
        counted = ["try0"] if has_ended else []
        for period in (DATE, "ever"):
            page = await boards.ask_board(store, "daily_set", period, person=None)
            assert [line.game for line in page.lines] == counted
        results, _ = await boards.results_of(store, "daily_set", DATE)
        assert (results.played, results.solved) == (len(counted), len(counted))
        await store.close()

    run(scenario())
