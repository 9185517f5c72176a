"""Runs against the clock on a real server: they begin, count, are refused and left off, and can be taken back."""

from __future__ import annotations

import asyncio
from io import StringIO
from itertools import combinations
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from sqlalchemy import insert, select

from tercet import puzzles, record
from tercet.cli.runs import _play_there
from tercet.client import Client, ClientError, Refusal, RemoteTable
from tercet.codec import from_json, to_data, to_json
from tercet.cubed import read_turn
from tercet.games.race import SeeNone
from tercet.games.runs import find_run, runs
from tercet.puzzles import days
from tercet.puzzles.items import solutions
from tercet.server.ids import today
from tercet.server.projections.rebuild import rebuild
from tercet.server.protocol import (
    Board,
    Change,
    Daily,
    MyRuns,
    Pause,
    PersonalData,
    Sit,
    Start,
)
from tercet.server.room import rooms
from tercet.server.run import run as serve
from tercet.server.runs import begin as server_begin
from tercet.server.runs import days as server_days
from tercet.server.runs.days import AHEAD, Days, days_from, read_file
from tercet.server.settings import Settings, SettingsError
from tercet.server.store import Unavailable, schema
from tests.server.runs.playing import answer_to, begin, playing, solve, take_sets
from tests.server.serving import run, serving


async def ask_board(client: Client, kind: str, query: str = "") -> Board:
    board: Board = await client.request("GET", f"/api/boards/{kind}?{query}", kind=Board)
    return board


async def my_runs(client: Client, kind: str) -> MyRuns:
    mine: MyRuns = await client.request("GET", f"/api/me/runs?kind={kind}", kind=MyRuns)
    return mine


async def register(client: Client, name: str) -> None:
    await client.request("POST", "/api/account", {"name": name, "password": "a long password"})


def shown_in(daily: Daily) -> list[str]:
    assert daily.puzzle is not None
    return list(daily.puzzle["shown"])


async def begun(table: RemoteTable) -> None:
    await table.until(lambda: table.game is not None and table.state.phase == "play")


async def lined_up(table: RemoteTable) -> None:
    await table.until(lambda: table.game is not None and table.state.phase == "line")


async def until_over(table: RemoteTable) -> None:
    await table.until(lambda: table.table.last is not None)


async def refused(work: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        await work
    return refusal.value.code


async def failed(work: Any) -> str:
    with pytest.raises(ClientError) as error:
        await work
    return error.value.code


def test_a_sprint_is_measured_and_enters_the_boards(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            async with playing(ann, "sprint_ten") as table:
                assert table.table.run is not None
                assert table.table.run.kind == "sprint_ten"
                await take_sets(table)
                await until_over(table)
                assert table.table.last is not None
                game = table.table.last.game
            mine = await my_runs(ann, "sprint_ten")
            assert (mine.count, mine.runs[0].game, mine.runs[0].reason) == (1, game, None)
            assert mine.best is not None
            assert mine.best.points == 10
            assert 6000 <= mine.best.time_ms < 60_000
            assert mine.average_ms == mine.best.time_ms
            # a guest has a place, which nobody else sees
            board = await ask_board(ann, "sprint_ten")
            assert (board.lines, board.listed, board.count) == ([], False, 0)
            assert board.yours is not None
            assert board.yours.place == 1
            await register(ann, "Ann")
            bo = await server.client("Bo")
            for period in ("day", "week", "month", "ever"):
                board = await ask_board(bo, "sprint_ten", f"period={period}")
                assert [(line.place, line.name, line.game, line.you) for line in board.lines] == [
                    (1, "Ann", game, False)
                ]
            kept = record.read(await bo.record(game))
            assert record.verify(kept) is None
            assert kept.tags["Run"] == "sprint_ten"

    run(play())


def test_another_run_while_one_goes_on_is_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            # a table for another run, made before, cannot begin either
            waiting = await begin(ann, "race")
            async with playing(ann, "storm") as table, ann.join(waiting.code) as other:
                assert await failed(begin(ann, "sprint")) == "run_running"
                assert await refused(other.manage(Start())) == "run_running"
                # asked for again, it is the same one: its clock has run on
                again = await begin(ann, "storm")
                assert (again.code, again.resumed) == (table.code, True)
                assert await refused(table.manage(Pause())) == "clock_runs"
                assert await refused(table.manage(Change(options={"kind": "race"}))) == "fixed_run"
                bo = await server.client("Bo")
                async with playing(bo, "storm"), bo.join(waiting.code) as race:
                    assert await refused(race.manage(Sit())) == "run_running"

    run(play())


def test_of_two_runs_that_start_at_once_one_begins(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            storm, race = await begin(ann, "storm"), await begin(ann, "race")
            async with ann.join(storm.code) as one, ann.join(race.code) as other:
                await asyncio.gather(one.manage(Start()), other.manage(Start()))
                while not (one.game or other.game):
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.5)  # for the other one to begin, if it did
                assert (one.game is None) != (other.game is None)

    run(play())


def test_a_run_that_sleeps_goes_on_too(database: str) -> None:
    """Its table is not in memory where the next is to begin: nobody has been there for long, or another node has it."""

    async def play() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            waiting, theirs = await begin(ann, "race"), await begin(bo, "race")
            async with playing(ann, "sprint") as sleeping:
                pass
            await server.service.rooms.projector.flush()
            await server.service.rooms.unload(sleeping.code)
            async with ann.join(waiting.code) as table:
                assert await refused(table.manage(Start())) == "run_running"
            # at a race of somebody else's, too
            async with ann.join(theirs.code) as table:
                await server.service.rooms.unload(sleeping.code)
                assert await refused(table.manage(Sit())) == "run_running"
            await server.service.rooms.unload(sleeping.code)
            assert await failed(begin(ann, "storm")) == "run_running"
            await ann.close_table(sleeping.code)
            async with playing(ann, "storm"):
                pass

    run(play())


def test_a_run_that_is_over_keeps_nobody_from_the_next(tmp_path: Path) -> None:
    """Its player knows that it is over a moment before that is written."""

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, written = await server.client("Ann"), asyncio.Event()

            async def stop(table: RemoteTable) -> None:
                room = server.service.rooms.rooms[table.code]
                finish = room.finish

                async def wait(game: Any) -> None:
                    await written.wait()
                    await finish(game)

                room.finish = wait  # type: ignore[method-assign]
                await table.play(puzzles.Stop(0))
                assert table.is_over

            try:
                async with playing(ann, "daily_set") as table:
                    await stop(table)
                    await server.service.rooms.projector.flush()
                    again = await begin(ann, "daily_set")
                    assert (again.code == table.code, again.reason) == (False, "played_before")
                async with playing(ann, "storm") as table:
                    await stop(table)
                    again = await begin(ann, "storm")
                    assert (again.code, again.resumed) == (table.code, False)
                async with playing(ann, "sprint"):
                    pass
            finally:
                written.set()

    run(play())


def test_answers_sent_again_too_soon_or_ahead_are_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            async with playing(ann, "storm") as table:
                first = answer_to(table)
                ahead = puzzles.Answer(0, 2, (1,))
                assert await refused(table.play(ahead)) == "not_reached"
                await asyncio.sleep(0.15)
                # in one go: the next is answered before anybody can have seen it
                sent = await asyncio.gather(
                    table.play(first), table.play(first), table.play(ahead), return_exceptions=True
                )
                codes = [one.code for one in sent if isinstance(one, Refusal)]
                assert codes == ["answered_already", "too_soon"]
                assert table.state.runners[0].score == 1
                assert await refused(table.play(puzzles.Answer(3, 2, (1,)))) == "not_your_seat"

    run(play())


def test_the_clock_runs_while_the_line_is_lost(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db", limits={"away_seconds": 0.2}) as server:
            ann = await server.client("Ann")
            async with playing(ann, "race") as table:
                await solve(table, 1)
                code, until = table.code, table.state.runners[0].until
            await asyncio.sleep(1.0)
            room = await server.service.rooms.find(code)
            assert room is not None
            assert room.state.pause is None
            async with ann.join(code) as table:
                assert table.state.runners[0].until == until
                await solve(table, 1)
                assert table.state.runners[0].score == 2
                assert table.log[-1].at > 1600

    run(play())


def test_faster_than_a_hand_and_given_up_are_left_off(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            await register(ann, "Ann")
            async with playing(ann, "sprint_ten") as table:
                await take_sets(table, 0.01)
            async with playing(ann, "daily_set") as table:
                await solve(table, 2)
                await table.play(puzzles.Stop(0))
                await until_over(table)
            assert (await my_runs(ann, "sprint_ten")).runs[0].reason == "faster_than_a_hand"
            mine = await my_runs(ann, "daily_set")
            assert (mine.runs[0].reason, mine.streak, mine.best) == ("not_finished", 0, None)
            assert (await ask_board(ann, "sprint_ten")).yours is None
            assert (await ask_board(ann, "daily_set")).yours is None

    run(play())


def test_z8_no_cards_come_in_a_sprint_while_there_is_a_set(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            for kind in [run.name for run in runs().values() if run.game == "set"]:
                async with playing(ann, kind) as table:
                    before = table.state
                    assert await refused(table.play(SeeNone(0))) == "there_is_a_set"
                    assert table.state == before
                    await ann.close_table(table.code)

    run(play())


def test_a_day_counts_once_and_keeps_its_secret(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            await register(ann, "Ann")
            before: Daily = await ann.request("GET", "/api/daily/daily_set/today", kind=Daily)
            assert (before.seed, before.solutions, before.begun, before.yours) == (None, [], False, None)
            async with playing(ann, "daily_set") as table:
                assert table.table.commitment == before.commitment
                assert list(table.state.items[0].shown) == shown_in(before)
                code = table.code
                await asyncio.sleep(0.6)
                wrong = next(
                    picks
                    for picks in combinations(range(12), 3)
                    if picks not in solutions(table.state.items[0])
                )
                await table.play(puzzles.Answer(0, 1, wrong))
                await solve(table, 6)
                await until_over(table)
                assert table.table.last is not None
                game = table.table.last.game
                assert table.table.last.seed == ""
                assert await refused(table.manage(Start())) == "run_over"
            after: Daily = await ann.request("GET", "/api/daily/daily_set/today", kind=Daily)
            assert after.begun
            assert after.yours is not None
            assert after.yours.reason is None
            assert [(line.name, line.place) for line in after.best] == [("Ann", 1)]
            assert (after.results.played, after.results.solved) == (1, 1)
            mine = await my_runs(ann, "daily_set")
            assert mine.streak == 1
            # there is one time, everywhere: with what the error added
            counts = after.yours.time_ms + 10_000
            assert (after.yours.value, after.results.middle_ms, mine.average_ms) == (counts, counts, counts)
            puzzle = await server.service.days.find("daily_set", today())
            assert puzzle is not None
            seed = puzzle.seed
            kept = await ann.record(game)
            assert seed not in kept
            assert record.read(kept).seed is None
            assert await failed(bo.record(game)) == "day_not_over"
            again = await begin(ann, "daily_set")
            assert (again.code != code, again.reason) == (True, "played_before")
            async with playing(ann, "daily_set") as table:
                await solve(table, 6)
                await until_over(table)
            assert (await my_runs(ann, "daily_set")).runs[0].reason == "played_before"
            assert (await ask_board(ann, "daily_set")).lines[0].game == game
            assert await failed(begin(ann, "daily_set", day="2999-01-01")) == "no_such_day"
            assert await failed(begin(ann, "storm", day=today())) == "no_such_day"

    run(play())


def test_two_requests_at_once_make_one_table_for_a_day(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            made = await asyncio.gather(*(begin(ann, "daily_set") for _ in range(6)))
            assert len({one.code for one in made}) == 1

    run(play())


def test_a_table_that_let_its_day_pass_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, day = await server.client("Ann"), today()
            first = await begin(ann, "daily_set")
            assert first.reason is None
            monkeypatch.setattr(server_begin, "today", lambda: days_from(day, 2)[1])
            again = await begin(ann, "daily_set", day=day)
            assert (again.code, again.reason) == (first.code, "day_over")

    run(play())


def test_a_table_for_the_day_is_found_again_behind_many_others(database: str) -> None:
    async def play() -> None:
        async with serving(database, limits={"runs_per_person": 100}) as server:
            ann = await server.client("Ann")
            created = await begin(ann, "daily_set")
            tables = schema.tables
            await (
                server.service.rooms.projector.flush()
            )  # the table's row is written a moment after its event
            async with server.service.store.writing(exclusive=True) as connection:
                row = (await connection.execute(select(tables).where(tables.c.code == created.code))).one()
                others = [
                    {
                        **row._asdict(),
                        "code": f"OTHER{number}",
                        "day": f"2020-01-{number:02}",
                        "created_time": row.created_time + number,
                    }
                    for number in range(1, 61)
                ]
                await connection.execute(insert(tables), others)
            assert (await begin(ann, "daily_set")).code == created.code

    run(play())


def test_a_table_that_came_to_nothing_is_not_in_the_way_for_ever(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            store = server.service.store

            async def fail(*_: Any) -> None:
                raise Unavailable

            with monkeypatch.context() as broken:
                broken.setattr(store, "append", fail)
                assert await failed(begin(ann, "daily_set")) == "store_unavailable"
                broken.setattr(rooms, "rebuild_tables", fail)
                assert await failed(begin(bo, "daily_set")) == "store_unavailable"
            assert (await begin(ann, "daily_set")).reason is None
            # the row of the other one could not be taken away: it is now
            assert await failed(begin(bo, "daily_set")) == "store_unavailable"
            assert (await begin(bo, "daily_set")).reason is None

    run(play())


def test_a_day_begun_and_left_does_not_count_again(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            async with playing(ann, "daily_set") as table:
                code = table.code
            assert (await begin(ann, "daily_set")).resumed
            await ann.close_table(code)
            assert (await begin(ann, "daily_set")).reason == "played_before"

    run(play())


def test_a_race_of_three_is_on_the_board_and_bots_are_not(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            people = [await server.client(name) for name in ("Ann", "Bo")]
            for client, name in zip(people, ("Ann", "Bo"), strict=True):
                await register(client, name)
            created = await begin(people[0], "race")
            async with people[0].join(created.code) as ann, people[1].join(created.code) as bo:
                await bo.manage(Sit())
                room = await server.service.rooms.find(created.code)
                assert room is not None
                from tercet.server.protocol import AddSeat

                await ann.manage(AddSeat(bot="champion"))
                await ann.manage(Start())
                for table in (ann, bo):
                    await begun(table)
                assert len(ann.state.runners) == 3
                await solve(ann, 3)
                await solve(bo, 2)
                assert len(bo.state.items) == 3
                for table in (ann, bo):
                    await table.play(puzzles.Stop(table.seat or 0))
                room = await server.service.rooms.find(created.code)
                assert room is not None
                assert room.live is not None
                await room.live.play(puzzles.Stop(2), room.live.game.now())
                await ann.until(lambda: ann.table.last is not None)
                # The open seats went when it began; whoever comes late is in the next one.
                assert len(ann.table.seats) == 3
                async with (await server.client("Cy")).join(created.code) as cy:
                    await cy.manage(Sit())
                    await ann.until(lambda: [seat.name for seat in ann.table.seats][3:] == ["Cy"])
            board = await ask_board(people[0], "race", "among=company")
            assert [line.name for line in board.lines] == ["Ann", "Bo"]
            assert board.lines[0].points == 3

    run(play())


def test_t1_a_race_and_the_next_one_begin_without_those_who_have_gone(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db", limits={"away_seconds": 0}) as server:
            ann, bo, cy = [await server.client(name) for name in ("Ann", "Bo", "Cy")]
            code = (await begin(ann, "race")).code
            async with bo.join(code) as second:
                async with ann.join(code) as host:
                    await second.manage(Sit())
                    async with cy.join(code) as third:
                        await third.manage(Sit())
                        assert await refused(second.manage(Start())) == "not_the_host"
                    await host.until(lambda: seen(host) == 2)
                    await host.manage(Start())
                    for table in (host, second):
                        await begun(table)
                    assert [seat.name for seat in host.table.seats] == ["Ann", "Bo"]
                    for table in (host, second):
                        await table.play(puzzles.Stop(table.seat or 0))
                    await until_over(second)
                await second.until(lambda: seen(second) == 1)
                await second.manage(Start())
                await second.until(lambda: second.table.number == 2 and second.table.playing is not None)
                assert [seat.name for seat in second.table.seats] == ["Bo"]
                assert second.table.host == second.table.seats[0].person

    def seen(table: RemoteTable) -> int:
        return sum(one.quality != "offline" for one in table.present)

    run(play())


def test_of_a_race_nobody_sees_more_than_they_have_come_to(tmp_path: Path) -> None:
    """Not before it begins, not by looking on or by coming late, and not by what others answer."""

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            people = [await server.client(name) for name in ("Ann", "Bo", "Cy")]
            code = (await begin(people[0], "race")).code
            async with people[0].join(code) as ann, people[1].join(code) as bo, people[2].join(code) as cy:
                await bo.manage(Sit())
                await ann.manage(Start())
                for table in (ann, bo, cy):
                    await lined_up(table)
                    assert table.state.items == ()
                for command in (puzzles.Begin(0), puzzles.Answer(0, 1, (0,))):
                    assert await refused(ann.play(command)) == "not_begun"
                for table in (ann, bo, cy):
                    await begun(table)
                assert await refused(cy.manage(Sit())) == "no_late_join"
                await solve(ann, 2)
                assert await refused(bo.play(puzzles.Answer(1, 2, (0,)))) == "not_reached"
                await cy.until(lambda: cy.state.runners[0].number == 3)
                await bo.until(lambda: bo.state.runners[0].number == 3)
                assert [len(table.state.items) for table in (ann, bo, cy)] == [3, 1, 0]
                answers = [
                    entry.event
                    for table in (bo, cy)
                    for entry in table.log
                    if isinstance(entry.event, puzzles.Answered)
                ]
                assert len(answers) == 4, "two answers, each told to two"
                assert {(event.picks, event.placements, event.next) for event in answers} == {
                    (None, None, None)
                }
                kept = record.read(await people[2].record(cy.game or ""))
                assert kept.seed is None
                assert all(getattr(entry.event, "next", None) is None for entry in kept.log)

    run(play())


def test_deleting_an_account_takes_its_runs_off_and_the_export_has_them(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            await register(ann, "Ann")
            async with playing(ann, "storm") as table:
                await solve(table, 3)
                await table.play(puzzles.Stop(0))
                await until_over(table)
            data: PersonalData = await ann.request("GET", "/api/me/export", kind=PersonalData)
            assert [(one.kind, one.points) for one in data.runs] == [("storm", 3)]
            assert len((await ask_board(bo, "storm")).lines) == 1
            await ann.request("DELETE", "/api/me")
            board = await ask_board(bo, "storm", "period=ever")
            assert (board.lines, board.count) == ([], 0)

    run(play())


def test_nobody_stands_on_a_board_by_the_name_of_another(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann, eve = await server.client("Ann"), await server.client("Eve")
            await register(ann, "Ann")
            await register(eve, "Eve")
            async with playing(eve, "storm") as table:
                await solve(table, 1)
                await table.play(puzzles.Stop(0))
                await until_over(table)
            await eve.request("PATCH", "/api/session", {"name": "Ann"})
            for client in (ann, eve):
                board = await ask_board(client, "storm")
                assert [line.name for line in board.lines] == ["Eve"]
            assert board.yours is not None
            assert board.yours.name == "Eve"

    run(play())


def test_what_a_guest_achieved_is_the_accounts_after_logging_in(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            await register(ann, "Ann")
            guest = await server.client("Somebody")
            async with playing(guest, "storm") as table:
                await solve(table, 2)
                await table.play(puzzles.Stop(0))
                await until_over(table)
            await guest.request("POST", "/api/login", {"name": "Ann", "password": "a long password"})
            board = await ask_board(guest, "storm")
            assert [(line.name, line.points, line.you) for line in board.lines] == [("Ann", 2, True)]

    run(play())


def test_a_day_played_again_as_a_guest_does_not_count_after_logging_in(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            await register(ann, "Ann")
            guest = await server.client("Somebody")
            for client, moment in ((ann, 0.9), (guest, 0.6)):
                async with playing(client, "daily_set") as table:
                    await solve(table, 6, moment)
                    await until_over(table)
            board = await ask_board(ann, "daily_set", "period=ever")
            (first,) = board.lines
            second = (await my_runs(guest, "daily_set")).runs[0]
            assert (second.reason, second.value < first.value) == (None, True)
            await guest.request("POST", "/api/login", {"name": "Ann", "password": "a long password"})
            for _ in range(2):
                for period in ("day", "week", "month", "ever"):
                    assert (await ask_board(ann, "daily_set", f"period={period}")).lines == [first]
                reasons = {one.game: one.reason for one in (await my_runs(ann, "daily_set")).runs}
                assert reasons == {first.game: None, second.game: "played_before"}
                daily: Daily = await ann.request("GET", "/api/daily/daily_set/today", kind=Daily)
                assert (daily.results.played, daily.results.solved) == (1, 1)
                await rebuild(server.service.store)

    run(play())


@pytest.mark.parametrize("is_left", [False, True], ids=["goes on", "is closed"])
def test_of_a_guests_try_and_the_accounts_the_one_that_began_first_counts(
    database: str, *, is_left: bool
) -> None:
    """Whoever has looked by one of them does not solve it by the other, in whatever order they end."""

    async def play() -> None:
        async with serving(database) as server:
            ann, guest = await server.client("Ann"), await server.client("Somebody")
            await register(ann, "Ann")
            looked, solved = await begin(ann, "daily_set"), await begin(guest, "daily_set")
            async with ann.join(looked.code) as table:
                await table.manage(Start())
                await begun(table)
                async with guest.join(solved.code) as other:
                    await other.manage(Start())
                    await begun(other)
                    await solve(other, 6)
                    await until_over(other)
                assert (await my_runs(guest, "daily_set")).runs[0].reason is None
                if is_left:
                    await ann.close_table(looked.code)
                await guest.request("POST", "/api/login", {"name": "Ann", "password": "a long password"})
                late = (await my_runs(ann, "daily_set")).runs[0]
                assert late.reason == "played_before"
                if not is_left:
                    await solve(table, 6)
                    await until_over(table)
            for _ in range(2):
                board = await ask_board(ann, "daily_set", "period=ever")
                mine = (await my_runs(ann, "daily_set")).runs
                assert [line.game for line in board.lines] == [one.game for one in mine if one.reason is None]
                assert (
                    [one.reason for one in mine] == ["played_before"] if is_left else [None, "played_before"]
                )
                assert (late.game in [line.game for line in board.lines]) is False
                daily: Daily = await ann.request("GET", "/api/daily/daily_set/today", kind=Daily)
                assert (daily.results.played, daily.results.solved) == ((0, 0) if is_left else (1, 1))
                await rebuild(server.service.store)

    run(play())


def test_of_two_tables_for_a_day_that_became_one_persons_the_first_to_begin_counts(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann, guest = await server.client("Ann"), await server.client("Somebody")
            await register(ann, "Ann")
            tables = [await begin(client, "daily_set") for client in (guest, ann)]
            assert [one.reason for one in tables] == [None, None]
            await guest.request("POST", "/api/login", {"name": "Ann", "password": "a long password"})
            async with ann.join(tables[0].code) as looked:
                await looked.manage(Start())
                await begun(looked)
            await ann.close_table(tables[0].code)
            async with ann.join(tables[1].code) as table:
                await table.manage(Start())
                await begun(table)
                await solve(table, 6)
                await until_over(table)
            for _ in range(2):
                assert [one.reason for one in (await my_runs(ann, "daily_set")).runs] == ["played_before"]
                assert (await ask_board(ann, "daily_set", "period=ever")).yours is None
                await rebuild(server.service.store)

    run(play())


def test_rebuilding_makes_the_same_boards(database: str) -> None:

    async def play() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            await register(ann, "Ann")
            async with playing(ann, "storm") as table:
                await solve(table, 2)
                await table.play(puzzles.Stop(0))
                await until_over(table)
            board, mine = await ask_board(ann, "storm"), await my_runs(ann, "storm")
            await rebuild(server.service.store)
            assert await ask_board(ann, "storm") == board
            assert await my_runs(ann, "storm") == mine

    run(play())


def test_rebuilding_brings_no_run_of_a_deleted_person_back(database: str) -> None:
    async def play() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            async with playing(ann, "daily_set") as table:
                await table.play(puzzles.Stop(0))
                await until_over(table)
            daily: Daily = await bo.request("GET", "/api/daily/daily_set/today", kind=Daily)
            assert daily.results.played == 1
            await ann.request("DELETE", "/api/me")
            for _ in range(2):
                daily = await bo.request("GET", "/api/daily/daily_set/today", kind=Daily)
                assert daily.results.played == 0
                async with server.service.store.reading() as connection:
                    assert (await connection.execute(select(schema.runs))).all() == []
                await rebuild(server.service.store)

    run(play())


def test_pages_of_others_may_read_days_and_why_there_is_none(tmp_path: Path) -> None:
    asked = {
        "daily_set/today": 200,
        "daily_set?month=2026-13": 400,
        "daily_set/2999-01-01": 404,
        "chess/today": 400,
    }

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            for path, status in asked.items():
                assert await asyncio.to_thread(shared, f"{server.url}/api/daily/{path}") == (status, "*")

    run(play())


def shared(url: str) -> tuple[int, str | None]:
    """What is answered, and who may read it."""
    try:
        answer = urlopen(url)
    except HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers["Access-Control-Allow-Origin"]


@pytest.mark.parametrize("typed", ["", "quit\n"])
def test_a_day_begins_in_the_terminal_only_for_who_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    """It can be tried once; and it says which day it is, which is not everywhere the same."""
    monkeypatch.setattr("sys.stdin", StringIO(typed))

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            await _play_there(server.url, "Ann", find_run("daily_set"), None)
            async with server.service.store.reading() as connection:
                assert (await connection.execute(select(schema.games))).first() is None

    run(play())
    assert f"Daily Set, {today()}. An error adds 10 seconds." in capsys.readouterr().out


class Typing:
    """Lines that come no faster than from a hand."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    def readline(self) -> str:
        sleep(0.2)
        return next(self._lines, "")


def test_the_terminal_says_what_a_turn_of_the_day_is_worth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> Any:
        async with serving(tmp_path / "t.db") as server:
            puzzle: Any = await server.service.days.find("daily_cubed", today())
            monkeypatch.setattr("sys.stdin", Typing("\n", f"{puzzle.turns[1].turn}\n"))
            await _play_there(server.url, "Ann", find_run("daily_cubed"), None)
            return puzzle.turns

    best, second, *_ = run(play())
    words = f"Your turn wins {second.chance:.1%} of the games, the best one {best.chance:.1%}: {best.turn}."
    assert words in capsys.readouterr().out


def test_who_is_not_signed_in_sees_boards_and_days(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            nobody = Client(server.url)
            assert (await ask_board(nobody, "sprint", "period=week")).yours is None
            daily: Daily = await nobody.request("GET", "/api/daily/daily_set/today", kind=Daily)
            assert len(shown_in(daily)) == 12
            assert await failed(nobody.request("GET", "/api/boards/nonsense")) == "bad_request"
            assert await failed(nobody.request("GET", "/api/boards/sprint?among=company")) == "bad_request"
            assert await failed(nobody.request("GET", "/api/boards/sprint?after=x")) == "bad_request"
            for after in (f"{10**30}.0.0.x", f"0.{-(2**63)}.0.x", f"0.0.{2**63}.x", "0.0.0.%00"):
                asked = nobody.request("GET", f"/api/boards/sprint?after={after}")
                assert await failed(asked) == "bad_request"
            assert await failed(nobody.request("GET", "/api/boards/sprint?on=2026-13-01")) == "bad_request"
            assert await failed(nobody.request("GET", "/api/daily/sprint")) == "no_such_day"
            assert await failed(nobody.request("POST", "/api/runs", {"kind": "sprint"})) == "not_signed_in"

    run(play())


def test_a_day_of_dice_counts_the_chance_to_win(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            puzzle: Any = await server.service.days.find("daily_cubed", today())
            assert puzzle is not None
            best, other = puzzle.turns[0], puzzle.turns[-1]
            for client, name, turn in ((ann, "Ann", best.turn), (bo, "Bo", other.turn)):
                await register(client, name)
                before: Daily = await client.request("GET", "/api/daily/daily_cubed/today", kind=Daily)
                assert before.turns == []
                assert before.puzzle is not None
                assert before.puzzle["position"]["phase"] == "turn"
                async with playing(client, "daily_cubed") as table:
                    await asyncio.sleep(0.6)
                    placements = read_turn(turn) if turn != "-" else ()
                    if placements:
                        await table.play(puzzles.Answer(0, 1, placements=placements))
                    else:
                        await table.play(puzzles.Stop(0))
                    await until_over(table)
            after: Daily = await ann.request("GET", "/api/daily/daily_cubed/today", kind=Daily)
            assert after.best[0].name == "Ann"
            assert after.results.solved == 1
            assert {one.turn: one.chosen for one in after.turns}[best.turn] == 1
            assert after.seed is None

    run(play())


def test_a_past_day_is_open_and_does_not_count(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            await server.service.days.make_missing("daily_set", ["2026-01-05"])
            ann = await server.client("Ann")
            found: Daily = await ann.request("GET", "/api/daily/daily_set/2026-01-05", kind=Daily)
            assert found.seed is not None
            assert len(found.solutions) == 6
            text = (await ann._send("GET", "/api/daily/daily_set/2026-01-05", None)).decode()
            assert days.check(from_json(text, days.OpenDay)) is None
            assert (await begin(ann, "daily_set", day="2026-01-05")).reason == "day_over"
            async with playing(ann, "daily_set", day="2026-01-05") as table:
                await solve(table, 6)
                await until_over(table)
                assert table.table.last is not None
                game = table.table.last.game
            assert (await my_runs(ann, "daily_set")).runs[0].reason == "day_over"
            kept = record.read(await (await server.client("Bo")).record(game))
            assert kept.seed == found.seed
            assert record.verify(kept) is None
            assert kept.commitment == found.commitment

    run(play())


def test_what_is_given_up_is_never_solved_and_played_once_on_its_day(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            await server.service.days.make_missing("daily_set", ["2026-01-05"])
            ann = await server.client("Ann")
            for day, played in (("2026-01-05", 0), (today(), 1), (today(), 1)):
                async with playing(ann, "daily_set", day=day) as table:
                    await table.play(puzzles.Stop(0))
                    await until_over(table)
                found: Daily = await ann.request("GET", f"/api/daily/daily_set/{day}", kind=Daily)
                assert found.yours is not None
                assert found.yours.reason == "not_finished"
                assert (found.results.played, found.results.solved) == (played, 0)
            assert [one.reason for one in (await my_runs(ann, "daily_set")).runs] == ["not_finished"] * 3

    run(play())


def test_puzzles_made_beforehand_are_taken_from_a_file(tmp_path: Path) -> None:
    async def play() -> None:
        made = days.make_puzzle("daily_set", "2999-01-01", lambda: "ab" * 32)
        file = tmp_path / "days.jsonl"
        file.write_bytes(to_json(made) + b"\n")
        async with serving(tmp_path / "t.db", days=str(file)) as server:
            while (found := await server.service.days.find("daily_set", "2999-01-01")) is None:
                await asyncio.sleep(0.1)
            assert found == made
            shown = await (await server.client("Ann")).request(
                "GET", "/api/daily/daily_set/2999-01-01", kind=Daily
            )
            assert (shown.puzzle, shown.seed, shown.commitment) == (None, None, made.commitment)

    run(play())


def line_of_day(**changed: Any) -> str:
    """A line of a file of days, as it should be but for this."""
    return to_json(
        {"kind": "daily_set", "day": "2999-01-01", "seed": "ab" * 32, "turns": []} | changed
    ).decode()


def dice_of_day(**changed: Any) -> str:
    """The same, of dice; with a turn of the puzzle changed."""
    known = days._pool()[0]
    best, *others = (to_data(turn) for turn in known.turns)
    return line_of_day(kind="daily_cubed", seed=known.seed, turns=[best | changed, *others])


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["not json"], "line 2: JSON is malformed"),
        (
            ['{"kind": "daily_chess"}'],
            "line 2: this is no puzzle of a day; tercet puzzles make writes such a file",
        ),
        (['{"kind": "daily_set", "day": "2999-01-01"}'], "line 2: 'seed' is missing"),
        (["5"], "line 2: this is no puzzle of a day"),
        ([line_of_day(day="soon")], "line 2: 'soon' is not a day: write it as in 2026-11-17"),
        ([line_of_day(day="2999-02-29")], "line 2: '2999-02-29' is not a day"),
        ([line_of_day(day="29990101")], "line 2: '29990101' is not a day"),
        ([line_of_day(seed="zz")], "line 2: a seed is 64 hexadecimal digits"),
        ([line_of_day(commitment="00" * 32)], "line 2: the seed is not the one that was committed to"),
        ([line_of_day(), "", line_of_day(seed="cd" * 32)], "line 4: daily_set has a puzzle for 2999-01-01"),
        (
            [line_of_day(day="2999-01-02"), line_of_day(seed="cd" * 32)],
            "line 3: 2999-01-01 comes after 2999-01-02",
        ),
        ([line_of_day(), line_of_day(day="2999-01-02")], "line 3: an earlier line has this seed already"),
        ([line_of_day(kind="daily_cubed")], "line 2: a puzzle of dice says what its turns are worth"),
        ([line_of_day(turns=to_data(days._pool()[0].turns))], "line 2: a puzzle of cards has no turns"),
        ([dice_of_day(turn="1RO@a1")], "line 2: the turn 1RO@a1 cannot be laid"),
        ([dice_of_day(points=99)], "points, not 99"),
        ([dice_of_day(chance=0.01)], "line 2: the best turn comes first"),
    ],
)
def test_a_wrong_file_of_puzzles_stops_the_server_before_it_begins(
    tmp_path: Path, lines: list[str], words: str
) -> None:
    file = tmp_path / "days.jsonl"
    file.write_text("\n".join(["", *lines, line_of_day(day="2999-12-31", seed="ef" * 32)]) + "\n")
    with pytest.raises(SettingsError) as raised:
        serve(Settings(database=str(tmp_path / "t.db"), days=str(file)))
    assert words in str(raised.value)
    assert str(raised.value).startswith(f"days: {file}: line ")
    assert not (tmp_path / "t.db").exists()


def test_a_file_of_puzzles_of_both_kinds_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "days.jsonl"
    file.write_text(f"{line_of_day()}\n{dice_of_day()}\n{line_of_day(day='2999-01-02', seed='cd' * 32)}\n")
    assert [puzzle.kind for puzzle in read_file(str(file))] == ["daily_set", "daily_cubed", "daily_set"]


def test_a_file_of_puzzles_is_tried_again_when_the_database_was_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "days.jsonl"
    file.write_text(line_of_day())
    monkeypatch.setattr(server_days, "FIRST_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(server_days, "LOOK_SECONDS", 0.01)
    real, away = Days.keep, [True]

    async def keep(made: Days, puzzles: Any) -> int:
        if away:
            away.clear()
            raise Unavailable
        return await real(made, puzzles)

    monkeypatch.setattr(Days, "keep", keep)

    async def play() -> None:
        async with serving(tmp_path / "t.db", days=str(file)) as server:
            while await server.service.days.find("daily_set", "2999-01-01") is None:
                await asyncio.sleep(0.01)

    run(play())


def test_a_day_is_searched_for_once_for_all_who_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when whoever asked first is gone; after a failure it is tried again."""
    monkeypatch.setattr(days, "ready_made", lambda *_args, **_kwargs: None)
    made = days.make_puzzle("daily_set", today(), lambda: "ab" * 32)

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            searches: list[asyncio.Future[Any]] = []

            def work(*_given: Any) -> asyncio.Future[Any]:
                searches.append(asyncio.get_running_loop().create_future())
                return searches[-1]

            monkeypatch.setattr(server.service.thinkers, "work", work)
            search, waiting = server.service.days._search, 0

            async def wait(kind: str, day: str) -> int:
                nonlocal waiting
                waiting += 1
                return await search(kind, day)

            monkeypatch.setattr(server.service.days, "_search", wait)

            async def ask(count: int) -> list[asyncio.Task[Any]]:
                before = waiting
                asking = [
                    asyncio.create_task(server.service.days.find("daily_set", today())) for _ in range(count)
                ]
                while waiting < before + count or searches[-1].done():
                    await asyncio.sleep(0.01)
                return asking

            first, *others = await ask(5)
            first.cancel()
            searches[0].set_exception(OSError("no process"))
            assert all(
                isinstance(one, OSError) for one in await asyncio.gather(*others, return_exceptions=True)
            )
            first, *others = await ask(5)
            first.cancel()
            searches[1].set_result(made)
            assert await asyncio.gather(*others) == [made] * 4
            assert len(searches) == 2

    run(play())


def test_a_week_is_committed_to_ahead(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            made = server.service.days
            wanted = days_from(today(), AHEAD)
            while await made.missing("daily_set", wanted):
                await asyncio.sleep(0.1)
            found = await made.between("daily_set", wanted[0], wanted[-1])
            assert len({one.seed for one in found}) == AHEAD
            assert await made.keep(found) == 0

    run(play())


@pytest.mark.slow
@pytest.mark.long
def test_of_dice_only_a_first_day_is_one_that_others_may_know(tmp_path: Path) -> None:
    known = {one.seed for one in days._pool()}

    async def play() -> None:
        async with serving(tmp_path / "t.db") as server:
            made = server.service.days
            first, second, *_ = wanted = days_from(today(), AHEAD)
            while first in await made.missing("daily_cubed", wanted):
                await asyncio.sleep(0.1)
            assert await made.missing("daily_cubed", wanted) == wanted[1:]
            assert await made.make_missing("daily_cubed", wanted, searches=1) == 1
            found = await made.between("daily_cubed", first, wanted[-1])
            assert [(one.day, one.seed in known) for one in found] == [(first, True), (second, False)]
            assert found[1].turns

    run(play())
