"""A budget for everything: each is documented, told and counted."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.frames import Opcode

import tercet.server
from tercet.client import ClientError, Refusal
from tercet.codec import to_json
from tercet.games import Entry
from tercet.server import budgets, limits, metrics
from tercet.server.budgets import AtOnce, Bucket, Buckets, TooMuch
from tercet.server.ids import now_ms
from tercet.server.limits import Limits
from tercet.server.logged.game import LoggedGame
from tercet.server.logged.visibility import Pages
from tercet.server.protocol import NewTable, PersonSeat
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.server.protocol.words import holds_nul
from tercet.server.room.room import Room
from tercet.server.socket.transport import Meter
from tercet.server.web import failures, guard
from tests.hostile.attacker import frame
from tests.server.serving import run, seated, serving

ROOT = Path(__file__).parents[2]
SOURCE = Path(tercet.server.__file__).parent


def test_the_page_for_hosts_has_them_all() -> None:
    page = (ROOT / "docs/hosting.md").read_text("utf-8")
    assert limits.insert(page) == page, "write it: python -m tercet.server.limits docs/hosting.md"
    for name in Limits.__struct_fields__:
        assert f"`{name}`" in page


def test_every_budget_is_counted_when_it_runs_out() -> None:
    """By its name, in a call that says so: over, a bucket, or a few at once."""
    counted = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                counted.add(node.value)
    #: After these somebody is not waited for any more, or something waits, and nobody ran out of anything.
    waits = {
        "away_seconds",
        "challenge_seconds",
        "gathering_minutes",
        "idle_seconds",
        "listed_minutes",
        "playing_hours",
        "review_load",
        "reviews_at_once",
        "stand_in_seconds",
    }
    missing = {name for name in Limits.__struct_fields__ if not name.endswith("_burst")} - counted
    assert missing <= waits


def test_what_a_budget_tells_is_what_is_told() -> None:
    statuses = {
        **failures.STATUS,
        **guard.STATUS,
        **{code: status for status, code in failures.CODES.items()},
    }
    told = re.findall(r"(\d+) `(\w+)`", limits.page())
    assert len(told) > 20
    for number, code in told:
        wanted = CLOSE_CODES[code] if len(number) == 4 else statuses.get(code, 400)
        assert int(number) == wanted or (number, code) == ("431", "too_large")


def test_budgets_are_in_the_metrics() -> None:
    budgets.over("fragments")
    assert b'tercet_budgets_spent_total{budget="fragments"}' in metrics.write(0, 0)


def test_many_keys_are_forgotten_when_they_are_full_again() -> None:
    buckets = Buckets("fragments", 1e9, 1)
    for number in range(25_000):
        assert buckets.take(str(number))
    assert len(buckets._buckets) < 20_001
    assert not Buckets("fragments", 0, 0).take("x")


def test_a_few_at_once_and_some_wait() -> None:
    async def scenario() -> None:
        gate, going, most = AtOnce("records_at_once", 2), 0, 0

        async def work() -> str:
            nonlocal going, most
            async with gate:
                going += 1
                most = max(most, going)
                await asyncio.sleep(0.005)
                going -= 1
            return "done"

        told = await asyncio.gather(*(work() for _ in range(30)), return_exceptions=True)
        assert most == 2
        assert sum(one == "done" for one in told) == 22
        assert sum(isinstance(one, TooMuch) and one.code == "server_full" for one in told) == 8
        tasks = [asyncio.create_task(work()) for _ in range(10)]
        await asyncio.sleep(0)
        for task in tasks[1:6]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert await work() == "done"

    run(scenario())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_meter_follows_frames_however_they_are_cut(size: int) -> None:
    frames = [frame(Opcode.TEXT, b"x" * length) for length in (0, 1, 125, 126, 300, 65535, 65536, 70000)]
    frames += [frame(Opcode.TEXT, b"a", fin=False), frame(Opcode.PING, b"b"), frame(Opcode.CONT, b"c")]
    meter = Meter(Limits(frame_burst=10**9))
    for one in frames:
        for first in range(0, len(one), size):
            assert meter.follow(one[first : first + size]) is None
        assert meter.is_at_frame
    assert meter.is_between
    everything = b"".join(frames)
    assert meter.follow(everything[: len(everything) // 2]) is None
    assert meter.follow(everything[len(everything) // 2 :]) is None
    assert meter.is_between


def test_whole_messages_cost_nothing_and_everything_else_a_drop() -> None:
    meter = Meter(Limits(frames_per_second=0, frame_burst=3))
    for _ in range(10):
        assert meter.follow(frame(Opcode.TEXT, b"hello") * 16) is None
    assert meter.follow(frame(Opcode.PING) * 3) is None
    assert meter.follow(frame(Opcode.PING)) == "frames_per_second"
    assert meter.follow(frame(Opcode.TEXT, b"hello") * 17) == "frames_per_second"


def test_texts_with_nul() -> None:
    for text in ({"id": "a\0"}, {"a": [{"b": "\0"}]}, {"a": "\\\0"}):
        assert holds_nul(json.dumps(text))
        assert holds_nul(json.dumps(text).encode())
    for fine in ({"id": "\\u0000"}, {"id": "\\\\u0000"}, {"id": "u0000"}):
        assert not holds_nul(json.dumps(fine))


def test_a_very_long_game_can_be_joined(tmp_path: Path) -> None:
    """20,000 events are more than may wait for a client; the first message may take its time."""

    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "set", ["Ann", "Bo"]) as [ann, _bo],
        ):
            room = server.service.rooms.rooms[ann.code]
            assert room.game is not None
            shown = room.game.log[0]
            room.game.log += [Entry(number, shown.at, shown.event) for number in range(2, 20_001)]
            room.game.seq = 20_000
            cy = await server.client("Cy")
            address = f"ws{server.url.removeprefix('http')}/api/tables/{ann.code}/socket"
            pages = Pages()
            for end in (1999, 2000, 2001, 3000, 20_000):
                game = LoggedGame(room.state)
                game.log = room.game.log[:end]
                written = pages.write(game)
                assert (written is None) == (end < 2000)
                assert written is None or bytes(written) == to_json(game.log)
            async with connect(
                address, additional_headers=cy.headers(), proxy=None, max_size=None, max_queue=1
            ) as socket:
                welcome = json.loads(await socket.recv())
                assert [entry["seq"] for entry in welcome["game"]["entries"]] == list(range(1, 20_001))
                await socket.send('{"type":"say","id":"1","text":"hello"}')
                kinds = set()
                while "accepted" not in kinds:
                    kinds.add(json.loads(await asyncio.wait_for(socket.recv(), 10))["type"])
                assert "bye" not in kinds

    run(scenario(), seconds=90)


def test_who_does_not_take_a_long_first_message_is_cut_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        tight = {"outbox_bytes": 1000, "outbox_seconds": 1}
        async with (
            serving(tmp_path / "t.db", limits=tight) as server,
            seated(server, "set", ["Ann"]) as [ann],
        ):
            room = server.service.rooms.rooms[ann.code]
            assert room.game is not None
            shown = room.game.log[0]
            room.game.log += [Entry(number, shown.at, shown.event) for number in range(2, 60_001)]
            cy = await server.client("Cy")
            address = f"ws{server.url.removeprefix('http')}/api/tables/{ann.code}/socket"
            sleeper = await connect(
                address,
                additional_headers=cy.headers(),
                proxy=None,
                max_queue=1,
                ping_interval=None,
                max_size=None,
            )
            sleeper.transport.pause_reading()
            for _ in range(100):
                await asyncio.sleep(0.1)
                if all(one.visitor.name != "Cy" or one.is_ending for one in room.connections):
                    break
            else:
                raise AssertionError("still there")
            sleeper.transport.abort()

    run(scenario(), seconds=60)


def test_a_hundred_tables_at_once_are_counted_one_by_one(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, limits={"tables_per_person": 5}) as server:
            ann = await server.service.people.new_guest("Ann")
            wanted = NewTable(game="set", seats=[PersonSeat()])
            made = await asyncio.gather(
                *(server.service.rooms.create(ann, wanted) for _ in range(100)), return_exceptions=True
            )
            assert sum(isinstance(one, Room) for one in made) == 5
            assert {one.code for one in made if isinstance(one, TooMuch)} == {"too_many_tables"}

    run(scenario())


def test_a_row_without_a_table_is_taken_away_at_the_next_start(tmp_path: Path) -> None:
    """The row of a new table is written before its log: between the two, the server may stop."""
    from tercet.server.projections.queries import lobby
    from tercet.server.projections.rows import table_row
    from tercet.server.projections.writer import reserve

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2, public=True)
            row = table_row(server.service.rooms.rooms[code].state, 2, int(now_ms()))
            await reserve(server.service.store, {**row, "code": "XXXXXX"}, ["nobody"], 1)
        async with serving(tmp_path / "t.db") as server:
            while [one.code for one in await lobby(server.service.store)] != [code]:
                await asyncio.sleep(0.1)

    run(scenario())


def test_a_seated_player_comes_back_to_a_full_table_and_the_greediest_makes_way(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"sockets_per_table": 6}) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2)
            greedy, modest, late = [await server.client(name) for name in ("Greedy", "Modest", "Late")]
            address = f"ws{server.url.removeprefix('http')}/api/tables/{code}/socket"

            async def come(client: Any) -> Any:
                socket = await connect(address, additional_headers=client.headers(), proxy=None)
                return socket, json.loads(await socket.recv())["type"]

            sockets = [await come(client) for client in (greedy, greedy, greedy, greedy, modest, modest)]
            assert {kind for _, kind in sockets} == {"welcome"}
            assert (await come(ann))[1] == "welcome"
            assert (await come(late))[1] == "welcome"
            await asyncio.wait_for(sockets[0][0].wait_closed(), 10)
            assert (sockets[0][0].close_code, sockets[0][0].close_reason) == (4429, "too_many")
            for socket, _ in sockets:
                await socket.close()

    run(scenario())


def test_messages_are_counted_by_person_over_all_sockets(tmp_path: Path) -> None:
    async def scenario() -> None:
        few = {"messages_per_second": 0.01, "message_burst": 8}
        async with serving(tmp_path / "t.db", limits=few) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2)
            refused = 0
            for _ in range(3):
                async with ann.join(code) as table:
                    for _ in range(5):
                        try:
                            await table._ask({"type": "mute", "person": None})
                        except Refusal as refusal:
                            refused += refusal.code == "too_fast"
            assert refused == 7

    run(scenario())


def test_a_bucket_that_is_empty_says_so() -> None:
    bucket = Bucket(0, 1)
    assert not bucket.is_empty
    bucket.take()
    assert bucket.is_empty


def test_who_guesses_codes_keeps_nobody_away_who_has_a_seat(tmp_path: Path) -> None:
    """They may share an address."""

    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"misses_per_minute": 2}) as server:
            ann, mal = await server.client("Ann"), await server.client("Mal")
            code = await ann.create_table("set", people=2)
            for wanted in ("not_found", "not_found", "too_fast"):
                with pytest.raises(ClientError) as caught:
                    await mal.request("GET", "/api/tables/BBBBBB")
                assert caught.value.code == wanted
            async with ann.join(code) as table:
                assert table.table.code == code

    run(scenario())
