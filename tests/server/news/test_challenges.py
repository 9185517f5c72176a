"""Challenges, from every side; bots' accounts; and what both mean to the lists of people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.client import Client, ClientError, Ready, Refusal, Sit
from tercet.server.protocol import Chat, Said
from tests.server.news.lines import Lines
from tests.server.news.people import PASSWORD, account, program
from tests.server.processes import ValkeyProcess
from tests.server.serving import run, serving
from tests.server.web.test_api import play_one

SHORT = {"only": "red", "auto_deal": True, "rounds": 1}


async def refused(asked: Awaitable[Any]) -> str:
    with pytest.raises(ClientError) as no:
        await asked
    return no.value.code


async def challenge_of(lines: Lines, status: str) -> Any:
    while True:
        challenge = (await lines.next("challenge_news"))["challenge"]
        if challenge["status"] == status:
            return challenge


def test_a_challenge_is_accepted_and_played(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann, robo = await server.client("Ann"), await program(server, "Robo")
            assert await refused(ann.challenge("Robo", "set")) == "not_online"
            async with (
                Lines.of(robo, "/api/events?games=set,cubed") as news,
                Lines.of(ann, "/api/events") as hers,
            ):
                assert (await news.next())["you"]["program"]
                (bot,) = await ann.bots()
                assert (bot.account, bot.name, bot.games) == ("Robo", "Robo", ("set", "cubed"))
                assert await refused(ann.challenge("Robo", "scramble")) == "other_games"
                made = await ann.challenge("robo", "set", SHORT)
                heard = await challenge_of(news, "open")
                assert (heard["id"], heard["challenger"]["name"]) == (made.id, "Ann")
                accepted = await robo.accept(made.id)
                code = str(accepted.table)
                assert (await challenge_of(hers, "accepted"))["table"] == code
                async with ann.join(code) as table, Lines.of(robo, f"/api/tables/{code}/stream") as stream:
                    assert table.table.host == table.you.id
                    assert [(seat.name, seat.program) for seat in table.table.seats] == [
                        ("Ann", False),
                        ("Robo", True),
                    ]
                    assert (await stream.next())["type"] == "welcome"
                    async with robo.join(code) as his:
                        await his.manage(Ready())
                        await table.manage(Ready())
                        await table.until(lambda: table.game is not None)
                        began = await news.next("game_began")
                        assert (began["table"], began["id"]) == (code, table.game)
                        assert (await stream.next("game_started"))["game"]["seat"] == 1
                        await ann.close_table(code)
                        ended = await news.next("game_ended")
                        assert (ended["id"], ended["result"]) == (table.game, None)
                        assert (await stream.next("bye"))["reason"] == "closed"

    run(scenario())


def test_other_ways_that_a_challenge_goes(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {"challenge_seconds": 1.0, "challenges_open": 2}
        async with serving(tmp_path / "t.db", limits=limits) as server:
            ann, robo, bo = (
                await server.client("Ann"),
                await program(server, "Robo"),
                await account(server, "Bo"),
            )
            async with Lines.of(robo, "/api/events") as news:
                await news.next("hello")
                one = await ann.challenge("Robo", "set")
                assert await refused(bo.accept(one.id)) == "challenge_over"  # it is not his
                assert await refused(ann.accept(one.id)) == "challenge_over"
                assert (await robo.decline(one.id, "later")).reason == "later"
                assert await refused(robo.accept(one.id)) == "challenge_over"
                assert await refused(ann.play_challenge(one, {}, Random())) == "challenge_over"
                two = await ann.challenge("Robo", "cubed")
                assert (await ann.cancel(two.id)).status == "cancelled"
                await challenge_of(news, "cancelled")
                assert await refused(robo.decline(two.id)) == "challenge_over"
                three = await ann.challenge("Robo", "set")
                await ann.challenge("Robo", "set")
                assert await refused(ann.challenge("Robo", "set")) == "too_many_challenges"
                assert (await challenge_of(news, "expired"))["id"] == three.id
                assert await refused(robo.accept(three.id)) == "challenge_over"

                assert await refused(ann.challenge("Nobody", "set")) == "no_such_account"
                assert await refused(ann.challenge("Bo", "set")) == "no_bot"
                assert await refused(robo.challenge("Robo", "set")) == "not_yourself"
                assert await refused(ann.challenge("Robo", "chess")) == "bad_request"
                assert await refused(ann.challenge("Robo", "set", {"only": "blue"})) == "bad_request"
                namesake = await server.client("Robo")
                assert await refused(namesake.challenge("Robo", "set")) == "name_taken"
                of_bot = await robo.challenge("Bo", "set")  # a person may be challenged by a bot
                assert [waiting.id for waiting in await bo.challenges()] == [of_bot.id]
                table = (await bo.accept(of_bot.id)).table
                assert table is not None
                async with bo.join(table) as at_table:
                    assert at_table.table.host == at_table.you.id

    run(scenario())


def test_a_challenge_outlives_the_server(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, robo = await server.client("Ann"), await program(server, "Robo")
            async with Lines.of(robo, "/api/events") as news:
                await news.next("hello")
                made = await ann.challenge("Robo", "set")
        async with serving(tmp_path / "t.db") as server:
            again = Client(server.url, token=robo._token)
            async with Lines.of(again, "/api/events") as news:
                (known,) = (await news.next("hello"))["challenges"]
                assert known["id"] == made.id
            assert (await again.accept(made.id)).status == "accepted"

    run(scenario())


def test_a_challenge_reaches_a_bot_on_another_node(tmp_path: Path, valkey: ValkeyProcess) -> None:
    async def scenario() -> None:
        database = tmp_path / "t.db"
        async with serving(database, bus=valkey.url) as one, serving(database, bus=valkey.url) as two:
            await until(lambda: all(node.service.rooms.nodes.count == 2 for node in (one, two)))  # type: ignore[union-attr]
            ann, robo = await one.client("Ann"), await program(two, "Robo")
            async with Lines.of(robo, "/api/events") as news, Lines.of(ann, "/api/events") as hers:
                await hers.next("hello")
                await news.next("hello")
                await until(lambda: bool(one.service.news.bots()))
                made = await ann.challenge("Robo", "set", SHORT)
                await challenge_of(news, "open")
                code = str((await robo.accept(made.id)).table)
                assert (await challenge_of(hers, "accepted"))["table"] == code
                async with ann.join(code) as table, robo.join(code) as his:
                    await his.manage(Ready())
                    await table.manage(Ready())
                    assert (await news.next("game_began"))["table"] == code
                    assert (await hers.next("game_began"))["table"] == code
                    # A note that was lost is found by looking.
                    two.service.rooms.nodes.tables.take_told = lambda _people, _news: None  # type: ignore[union-attr, method-assign]
                    another = await ann.challenge("Robo", "set", SHORT)
                    await two.service.news.look()
                    assert (await challenge_of(news, "open"))["id"] == another.id
            await until(lambda: not one.service.news.bots())

    run(scenario())


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0.02)


def test_only_an_account_that_nobody_played_with_becomes_a_bot(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            guest = await server.client("Guest")
            assert await refused(guest.become_bot()) == "no_account"
            ann = await account(server, "Ann")
            await play_one(server, ann)
            assert await refused(ann.become_bot()) == "played_already"
            bo = await account(server, "Bo")
            code = await bo.create_table("set", people=2)
            assert await refused(bo.become_bot()) == "seated_already"
            await bo.leave_table(code)
            assert (await bo.become_bot()).program
            assert (await bo.become_bot()).program  # twice is as good as once
            assert (await bo.request("GET", "/api/session"))["program"]

    run(scenario())


def test_a_bot_is_a_bot_from_then_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            robo = await program(server, "Robo")
            by_hand = await server.client("Somebody")
            played = await play_one(server, by_hand)
            await by_hand.log_in("Robo", PASSWORD)
            assert played not in {
                game.id for game in await by_hand.my_games()
            }  # no person's game becomes its own
            assert await refused(by_hand.create_table("set")) == "bots_by_token"
            assert await refused(by_hand.challenge("Robo", "set")) == "bots_by_token"
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2, public=True)
            async with by_hand.join(code) as table:
                with pytest.raises(Refusal) as no:
                    await table.manage(Sit())
                assert no.value.code == "bots_by_token"
            assert await refused(robo.request("POST", "/api/runs", {"kind": "sprint"})) == "not_for_bots"
            async with robo.join(code) as table:
                await table.manage(Sit())
                await table.until(lambda: table.table.seats[1].program)
                assert (await ann.request("GET", "/api/company"))["people"] == 0
                await server.service.rooms.projector.flush()
                (line,) = await ann.lobby()
                assert (line.people, line.bots, line.open_seats) == (1, 1, 0)
                assert [sitting.program for sitting in line.sitting] == [False, True]
            run_code = (await ann.request("POST", "/api/runs", {"kind": "sprint"}))["code"]
            async with robo.join(run_code) as table, ann.join(run_code) as hers:
                with pytest.raises(Refusal) as full:
                    await table.manage(Sit())
                assert full.value.code == "not_for_bots"
                assert hers.seat is None or hers.table.seats[0].person

    run(scenario())


def test_streams_have_budgets(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(
            tmp_path / "t.db", limits={"sockets_per_person": 2, "joins_per_minute": 3}
        ) as server:
            ann = await server.client("Ann")
            async with Lines.of(ann, "/api/events") as one:
                await one.next("hello")
                async with Lines.of(ann, "/api/events") as two:
                    await two.next("hello")
                    async with Lines.of(ann, "/api/events") as three:
                        assert three.status == 429
                        assert (await three.next())["code"] == "too_many"
            await until(lambda: server.service.rooms.sockets == 0)
            async with Lines.of(ann, "/api/events") as four:
                assert four.status == 200
            async with Lines.of(ann, "/api/events") as five:
                assert (five.status, (await five.next())["code"]) == (429, "too_fast")
            bo = await server.client("Bo")
            async with Lines.of(bo, "/api/tables/NOSUCH/stream") as none:
                assert (none.status, (await none.next())["code"]) == (404, "not_found")

    run(scenario())


def test_a_silent_stream_is_kept_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tercet.server.socket.lines.KEEP_ALIVE_SECONDS", 0.1)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            async with Lines.of(ann, "/api/events") as lines:
                await lines.next("hello")
                assert [await lines.line() for _ in range(3)] == [b"", b"", b""]

    run(scenario())


def test_whoever_takes_nothing_is_cut_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {
            "outbox_bytes": 2000,
            "chat_per_second": 1000,
            "chat_burst": 100_000,
            "table_chat_per_second": 1000,
        }
        limits |= {"table_chat_burst": 100_000, "messages_per_second": 100_000, "message_burst": 100_000}
        async with serving(tmp_path / "t.db", limits=limits) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            code = await ann.create_table("set", people=2)
            async with ann.join(code) as table, Lines.of(bo, f"/api/tables/{code}/stream"):
                await table.until(lambda: len(table.present) == 2)
                (stream,) = [one for one in server.service.rooms.rooms[code].connections if not one.hears]
                while not stream.is_ending:
                    stream.tell(Chat(said=Said("x", "x", "x" * 1000, 0)))
                    await asyncio.sleep(0)

    run(scenario())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
wishes = st.fixed_dictionaries(
    {},
    optional={
        "to": json_values | st.just("Robo"),
        "game": json_values | st.just("set"),
        "options": json_values,
    },
)


@settings(max_examples=5, deadline=None)
@given(
    bodies=st.lists(
        st.tuples(st.sampled_from(["challenges", "challenges/x/decline", "tokens"]), wishes | json_values),
        min_size=30,
        max_size=60,
    )
)
def test_whatever_is_asked_is_answered(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[tuple[str, Any]]
) -> None:
    async def scenario() -> None:
        limits = {"challenges_per_minute": 10_000}
        async with serving(tmp_path_factory.mktemp("any") / "t.db", limits=limits) as server:
            ann = await server.client("Ann")
            for path, body in bodies:
                status, code = 201, ""
                try:
                    await ann.request("POST", f"/api/{path}", body)
                except ClientError as error:
                    status, code = error.status, error.code
                assert status in (201, 400, 404, 409, 413, 429), (path, body, code)

    run(scenario())
