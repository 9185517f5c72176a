"""Nobody waits for the absent: real sockets, all games (T1 to T5)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tercet import cards, cubed, record, scramble
from tercet.client import Client, ClientError, Refusal, RemoteTable
from tercet.games import CameBack, Entry, SteppedAway
from tercet.server.protocol import Leave, Pause, Ready, Resume, Sit, StandIn, TableSummary
from tests.server.serving import Serving, run, seated, serving
from tests.web import strategy

#: Nobody is given much time.
QUICK = {"away_seconds": 0.3, "stand_in_seconds": 0.6, "seat_grace_seconds": 0.5}
STRATEGY: dict[str, Callable[[Any, int], Any]] = {
    "set": strategy.play_cards,
    "cubed": strategy.play_dice,
    "scramble": strategy.play_scramble,
}


@asynccontextmanager
async def played(
    database: str, game: str, names: list[str], limits: dict[str, Any], **settings: Any
) -> AsyncIterator[tuple[Serving, list[RemoteTable]]]:
    """A server with these limits, and people at a table there whose game has begun."""
    async with serving(database, limits=limits) as server, seated(server, game, names, **settings) as tables:
        yield server, tables


async def go_away(table: RemoteTable) -> None:
    """As a browser that is closed."""
    await table.__aexit__(None, None, None)


def same_browser(table: RemoteTable, server: Serving | None = None) -> Client:
    copy = Client(server.url if server else table._client.url)
    copy._cookie = table._client._cookie
    return copy


def happened(table: RemoteTable, kind: type[Any]) -> list[Any]:
    return [entry.event for entry in table.log if isinstance(entry.event, kind)]


async def hear(table: RemoteTable, kind: type[Any], times: int = 1) -> None:
    await table.until(lambda: len(happened(table, kind)) >= times)


async def eventually(holds: Callable[[], bool], seconds: float = 30) -> None:
    async def wait() -> None:
        while not holds():
            await asyncio.sleep(0.02)

    await asyncio.wait_for(wait(), seconds)


async def verified(table: RemoteTable) -> record.Record:
    """The record of the game so far; if its seed is known, it must be right."""
    assert table.game is not None
    kept = record.read(await table._client.record(table.game))
    assert kept.seed is None or record.verify(kept) is None
    return kept


# --- T1: the game goes on ---


def test_t1_set_goes_on_without_who_left(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo", "Cy"], QUICK) as (_server, (ann, bo, cy)):
            await go_away(cy)
            for table in (ann, bo):
                await table.play(cards.SeeNone(table.seat or 0))
            await hear(ann, cards.Opened)
            assert happened(ann, SteppedAway) == [SteppedAway(2)]
            assert happened(ann, cards.SawNone) == [cards.SawNone(0), cards.SawNone(1)], (
                "nobody speaks for Cy"
            )
            async with same_browser(cy).join(cy.code) as back:
                await hear(back, CameBack)
                assert back.seat == 2
                assert back.state.away == frozenset()
                await ann.play(cards.SeeNone(0))
                await bo.play(cards.SeeNone(1))
                with pytest.raises(TimeoutError):
                    await ann.until(lambda: len(happened(ann, cards.Opened)) > 1, 0.5)
                await back.play(cards.SeeNone(2))
                await hear(ann, cards.Opened, 2)

    run(scenario(), 90)


def test_t1_scramble_goes_on_without_who_left(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "scramble", ["Ann", "Bo"], QUICK, options={"rounds": 2}) as (
            _server,
            (ann, bo),
        ):
            await go_away(bo)
            await ann.play(scramble.SeeNone(0))
            await hear(ann, scramble.RoundEnded)
            assert ann.state.thrower == 1
            await ann.play(scramble.Throw(0))  # in Bo's place
            await ann.play(scramble.SeeNone(0))
            await ann.until(lambda: ann.table.last is not None)
            assert (await verified(ann)).result == (0, 0)

    run(scenario(), 90)


async def level(tables: list[RemoteTable]) -> None:
    """Wait until all have heard the same."""
    last = max(table.seq for table in tables)
    for table in tables:
        await table.until(lambda table=table: table.seq >= last)  # type: ignore[misc]


async def play_until(tables: list[RemoteTable], phase: str) -> None:
    """Let them play by their strategy until the game gets there."""
    for _ in range(200):
        await level(tables)
        if tables[0].state.phase == phase:
            return
        for table in tables:
            command = STRATEGY[table.table.game](table.state, table.seat or 0)
            if command is not None:
                await table.play(command)
                break
    raise AssertionError(f"it never came to {phase}")


def test_t1_set_cubed_goes_on_without_who_left(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "cubed", ["Ann", "Bo"], QUICK | {"stand_in_seconds": 60}) as (
            _server,
            (ann, bo),
        ):
            await play_until([ann, bo], "extra_roll")
            await go_away(bo)
            await ann.play(cubed.Choose(0, ()))
            await hear(ann, SteppedAway)
            await ann.until(lambda: ann.state.phase == "turn")
            assert happened(ann, cubed.Chose)[-1].seat == 0, "nobody chooses for Bo"
            async with same_browser(bo).join(bo.code) as back:
                await hear(back, CameBack)
                await play_until([ann, back], "extra_roll")
                await ann.play(cubed.Choose(0, ()))
                assert ann.state.phase == "extra_roll", "Bo is asked again"
                await back.play(cubed.Choose(1, ()))

    run(scenario(), 90)


def test_t1_the_opening_race_goes_on(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "cubed", ["Ann", "Bo", "Cy"], QUICK) as (_server, (ann, bo, cy)):
            await ann.play(cubed.SeeNone(0))
            await bo.play(cubed.SeeNone(1))
            await go_away(cy)
            await ann.until(lambda: ann.state.away == {2} and not ann.state.none)
            events = [entry.event for entry in ann.log]
            assert isinstance(events[events.index(SteppedAway(2)) + 1], cubed.Threw)

    run(scenario(), 90)


def test_t1_nobody_says_of_themselves_or_others_that_they_are_away(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server, seated(server, "set", ["Ann", "Bo"]) as (ann, bo):
            for seat, kind in [(0, "step_away"), (1, "step_away"), (0, "come_back")]:
                with pytest.raises(Refusal, match="bad_command"):
                    await ann._ask({"type": "play", "command": {"do": kind, "seat": seat}})
            assert bo.state.away == frozenset()

    run(scenario())


def test_t1_a_page_that_is_loaded_again_is_not_away(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo"], {"away_seconds": 5}) as (_server, (ann, bo)):
            await go_away(bo)
            async with same_browser(bo).join(bo.code) as back:
                await ann.play(cards.SeeNone(0))
                await back.play(cards.SeeNone(1))
                await hear(ann, cards.Opened)
                assert not happened(ann, SteppedAway)

    run(scenario())


def test_t1_after_a_restart_nobody_waits_for_who_does_not_come_back(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, limits=QUICK) as server, seated(server, "set", ["Ann", "Bo"]) as players:
            ann, bo = players
        async with serving(database, limits=QUICK) as server, same_browser(ann, server).join(ann.code) as ann:
            if ann.table.paused:
                await ann.manage(Resume())
            await ann.play(cards.SeeNone(0))
            await hear(ann, cards.Opened)
            assert happened(ann, SteppedAway) == [SteppedAway(1)]
        async with serving(database, limits=QUICK) as server, same_browser(bo, server).join(bo.code) as bo:
            if bo.table.paused:
                await bo.manage(Resume())
            await hear(bo, CameBack)
            await bo.until(lambda: bo.state.away <= {0})

    run(scenario(), 90)


def test_t1_a_line_that_died_without_a_word_is_noticed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who does not answer for a while is gone, though the socket looks open; an answer brings them back."""
    monkeypatch.setattr("tercet.server.room.rooms.PLAYER_PING_SECONDS", 0.2)
    monkeypatch.setattr("tercet.server.socket.connection.SILENT_SECONDS", 0.5)

    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo"], QUICK) as (server, (ann, bo)):
            answering = bo._send_text
            monkeypatch.setattr(bo, "_send_text", _say_nothing)
            await hear(ann, SteppedAway)
            assert [one.quality for one in ann.present if one.name == "Bo"] == ["offline"]
            monkeypatch.setattr(bo, "_send_text", answering)
            await answering(json.dumps({"type": "pong", "number": bo_ping(server, bo)}))
            await hear(ann, CameBack)

    async def _say_nothing(_text: str) -> None:
        pass

    def bo_ping(server: Serving, bo: RemoteTable) -> int:
        room = server.service.rooms.rooms[bo.code]
        (connection,) = (one for one in room.connections if one.person == bo.you.id)
        return connection._ping_number

    run(scenario(), 90)


# --- T2, T3: bots play on, and give the seat back ---


def test_t3_anybody_at_the_table_lets_a_bot_take_the_turn_of_who_is_gone(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "cubed", ["Ann", "Bo", "Cy"], QUICK) as (server, players):
            await play_until(list(players), "turn")
            turn = players[0].state.turn
            gone = players[turn]
            others = [one for one in players if one is not gone]
            asker = next(one for one in others if one.you.id != one.table.host)
            with pytest.raises(Refusal, match="still_here"):
                await asker.manage(StandIn(turn))
            await go_away(gone)
            onlooker = await server.client("Olga")
            async with onlooker.join(gone.code) as looking:
                await asker.until(lambda: asker.missed == (turn,))
                with pytest.raises(Refusal, match="not_the_host"):
                    await looking.manage(StandIn(turn))
            await asker.manage(StandIn(turn))
            await asker.until(lambda: asker.state.turn != turn, 60)
            assert asker.missed == ()
            taken = asker.table.seats[turn]
            assert taken.bot == "steady"
            (mine,) = await same_browser(gone).my_games()
            assert [place for place, one in enumerate(mine.players) if one.you and one.bot] == [turn]
            assert not mine.your_turn
            async with same_browser(gone).join(gone.code) as back:
                assert back.seat is None
                assert await own_seat(back) == turn
                late = await server.client("Late")
                async with late.join(gone.code) as other:
                    assert await own_seat(other) is None
                with pytest.raises(Refusal, match="seat_taken"):
                    await back.manage(Sit((turn + 1) % 3))
                await back.manage(Sit(turn))
                await back.until(lambda: back.seat == turn)
                (handed,) = back.table.taken_over
                assert (handed.seat, handed.bots) == (turn, (None, "steady"))
                assert 0 < handed.until[0] <= handed.until[1]
                assert json.loads((await verified(back)).tags[f"Until{turn + 1}"]) == list(handed.until)

    run(scenario())


def test_t3_who_asks_too_early_is_told_when_to_ask(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo"], {}) as (_server, (ann, bo)):
            await go_away(bo)
            await ann.until(lambda: any(one.quality == "offline" for one in ann.present))
            with pytest.raises(Refusal, match="still_here") as refused:
                await ann.manage(StandIn(1))
            assert 0 < refused.value.data["seconds"] <= 30
            waiting = [await ann._client.create_table("set", people=2) for _ in range(2)]
            found = await ann._client.request("GET", "/api/me/tables", kind=list[TableSummary])
            assert {one.code for one in found} == set(waiting), "those that wait, not the one that plays"

    run(scenario(), 60)


async def own_seat(table: RemoteTable) -> int | None:
    """As the server says when somebody comes in."""
    async with table._client.join(table.code) as again:
        got: list[Any] = []
        again.listeners.append(lambda message: got.append(getattr(message, "game", None)))
        assert again._socket is not None
        await again._socket.close()
        await again.until(lambda: bool(got))
        own: int | None = next(game for game in got if game is not None).own_seat
        return own


def test_t3_a_turn_with_a_time_limit_is_left_to_the_clock(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "cubed", ["Ann", "Bo"], QUICK, options={"turn_seconds": 5}) as (
            _server,
            players,
        ):
            await play_until(list(players), "turn")
            turn = players[0].state.turn
            gone, here = players[turn], players[1 - turn]
            missed: list[int] = []

            def note_who_is_missed(_message: object) -> None:
                if (here.state.phase, here.state.turn) == ("turn", turn):
                    missed.extend(here.missed)

            here.listeners.append(note_who_is_missed)
            await go_away(gone)
            await here.until(lambda: here.state.turn != turn or here.state.phase != "turn", 30)
            assert missed == []
            assert happened(here, cubed.Passed)[-1].seat == turn

    run(scenario(), 90)


# --- T4: nothing runs on for nobody ---


def test_t4_against_bots_a_game_stands_still_while_its_player_is_away(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, limits=QUICK) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", bots=["champion"])
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None and bool(table.state.table))
            room = server.service.rooms.rooms[code]
            await eventually(lambda: room.state.pause is not None)
            assert room.live is not None
            assert not room.live._bots.seated
            seq = room.live.game.seq
            await asyncio.sleep(0.5)
            async with ann.join(code) as table:
                assert table.table.paused == "nobody_here"
                assert table.seq == seq
                with pytest.raises(Refusal, match="paused"):
                    await table.play(cards.SeeNone(0))
                await table.manage(Resume())
                await table.until(lambda: table.table.paused is None)
                await eventually(lambda: bool(room.live and room.live._bots.seated))
                await table.play(cards.SeeNone(0))

    run(scenario(), 90)


def test_t4_a_pause_stops_clock_and_bots_and_survives_a_restart(database: str) -> None:
    async def scenario() -> None:
        options = {"show_seconds": 3}
        async with played(database, "set", ["Ann"], {}, bots=["beginner"], options=options) as (
            server,
            (ann,),
        ):
            await ann.play(cards.Call(0))
            until = ann.state.call.until
            await ann.manage(Pause())
            assert ann.table.paused == "wanted"
        async with serving(database) as server, same_browser(ann, server).join(ann.code) as ann:
            assert ann.table.paused == "wanted"
            room = server.service.rooms.rooms[ann.code]
            assert room.live is not None
            before = room.live.game.now()
            await asyncio.sleep(0.3)
            assert room.live.game.now() == before < until
            assert room.live.game.due_in() is None
            await ann.manage(Resume())
            await hear(ann, cards.Missed)
            missed: Entry[Any] = next(entry for entry in ann.log if isinstance(entry.event, cards.Missed))
            assert missed.at == until, "no time has passed in the game"

    run(scenario(), 90)


def test_t4_nobody_pauses_for_others(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server, seated(server, "set", ["Ann", "Bo"]) as (ann, bo):
            for table in (ann, bo):
                with pytest.raises(Refusal, match="not_alone"):
                    await table.manage(Pause())

    run(scenario())


def test_t4_a_game_by_post_goes_on_without_anybody(database: str) -> None:
    async def scenario() -> None:
        options, limits = {"turn_seconds": 3600}, QUICK | {"away_seconds": 0}
        async with played(database, "cubed", ["Ann", "Bo"], limits, options=options) as (server, (ann, bo)):
            await play_until([ann, bo], "extra_roll")
            await go_away(bo)
            await ann.until(lambda: "offline" in [one.quality for one in ann.present])
            await ann.play(cubed.Choose(0, ()))
            assert ann.state.phase == "extra_roll", "Bo has the time that was agreed"
            room = server.service.rooms.rooms[ann.code]
            await go_away(ann)
            await eventually(room.attendance.is_empty)
            assert not room.attendance.judge().pauses
            assert room.state.pause is None

    run(scenario(), 90)


# --- T5: empty tables ---

SHORT = QUICK | {"listed_minutes": 0.005, "gathering_minutes": 0.03, "playing_hours": 0.0005}


async def listed(client: Client) -> list[str]:
    return [table.code for table in await client.lobby()]


async def swept(server: Serving, holds: Callable[[], Any]) -> None:
    """Sweep, as the server does every 20 seconds, until it holds."""
    for _ in range(200):
        await server.service.rooms.sweep()
        await server.service.rooms.projector.flush()
        found = holds()
        if await found if asyncio.iscoroutine(found) else found:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("in vain")


def test_t5_a_table_without_anybody_leaves_the_lobby_and_closes(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, limits=SHORT | {"gathering_minutes": 5}) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            code = await ann.create_table("set", people=2, public=True)

            async def is_listed() -> bool:
                return code in await listed(bo)

            async def is_gone() -> bool:
                return not await is_listed()

            async with ann.join(code):
                await swept(server, is_listed)
            await swept(server, is_gone)
            async with ann.join(code) as table:  # somebody comes back, and all is well
                await swept(server, is_listed)
                await table.until(lambda: table.table.version >= 4)
        async with serving(database, limits=SHORT) as server:
            bo = Client(server.url)
            await bo.sign_in("Bo")
            kept = await bo.create_table("set", people=2)

            async def is_closed() -> bool:
                return await server.service.rooms.find(code) is None

            async with bo.join(kept):
                await server.service.rooms.unload(code)
                await swept(server, is_closed)
                assert await server.service.rooms.find(kept) is not None
            with pytest.raises(ClientError, match="no_such_table"):
                async with bo.join(code):
                    pass

    run(scenario(), 90)


def test_t5_a_game_without_anybody_closes_later_and_reveals_its_seed(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo"], SHORT, public=True) as (server, (ann, bo)):
            client, game, code = ann._client, ann.game, ann.code
            assert game is not None
            for table in (ann, bo):
                await go_away(table)

            async def is_closed() -> bool:
                return await server.service.rooms.find(code) is None

            await swept(server, is_closed)
            kept = record.read(await client.record(game))
            assert kept.seed is not None
            assert kept.result is None
            assert record.verify(kept) is None
            (mine,) = await client.my_games()
            assert mine.broken_off

    run(scenario(), 90)


# --- my games ---


def test_one_closes_or_leaves_ones_own_games_without_going_there(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "set", ["Ann", "Bo"], {}) as (server, (ann, bo)):
            host, guest, code, game = ann._client, bo._client, ann.code, ann.game
            assert game is not None
            for table in (ann, bo):
                await go_away(table)
            assert [one.hosted for one in await host.my_games()] == [True]
            assert [one.hosted for one in await guest.my_games()] == [False]
            with pytest.raises(ClientError, match="host") as refused:
                await guest.close_table(code)
            assert refused.value.code == "not_the_host"
            await guest.leave_table(code)
            with pytest.raises(ClientError) as refused:
                await guest.leave_table(code)
            assert refused.value.code == "no_seat"
            stranger = await server.client("Cy")
            with pytest.raises(ClientError):
                await stranger.close_table("ZZZZZZ")
            await host.close_table(code.lower())
            (mine,) = await host.my_games()
            assert (mine.broken_off, mine.hosted, mine.your_turn) == (True, False, False)
            kept = record.read(await host.record(game))
            assert kept.seed is not None
            assert record.verify(kept) is None

    run(scenario(), 90)


def test_leaving_is_no_way_to_take_over_somebody_who_is_here(database: str) -> None:
    async def scenario() -> None:
        async with played(database, "cubed", ["Ann", "Bo", "Cy"], QUICK) as (_server, (ann, bo, cy)):
            await play_until([ann, bo, cy], "turn")
            await cy.manage(Leave())
            for seat in (0, 1):
                with pytest.raises(Refusal, match="seat_taken"):
                    await cy.manage(Sit(seat))

    run(scenario(), 90)
