"""Reviews on a server: asked for or by itself, told to the table, kept without names, and never in the way."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tercet import cubed, record
from tercet.client import Client, ClientError, Refusal
from tercet.cubed.review import Review as DiceReview
from tercet.server.protocol import Close, Ready, ReviewNews, ReviewState
from tercet.server.store import schema
from tests.server.players import play_cards, play_cubed
from tests.server.serving import run, serving

#: A review is made by itself, however busy the machine is; few games, so that it is quick.
EAGER = {"review_load": 10_000, "review_games": 32, "messages_per_second": 10_000, "message_burst": 10_000}
#: None is made by itself.
LAZY = {**EAGER, "review_load": 0}


async def play(client: Client, game: str = "set", news: list[ReviewNews] | None = None) -> str:
    """Play a whole game against a bot; its id."""
    options = {"auto_deal": True, "rounds": 1} if game == "set" else {}
    bot = "casual" if game == "set" else "greedy"
    code = await client.create_table(game, bots=[bot], options=options, quick_bots=True)
    async with client.join(code) as table:
        if news is not None:
            table.listeners.append(lambda m: news.append(m) if isinstance(m, ReviewNews) else None)
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        await (play_cards if game == "set" else play_cubed)(table)
        await table.until(lambda: table.table.last is not None)
        assert table.game is not None
        if news is not None:
            await table.until(lambda: any(one.ready for one in news), 200)
        return table.game


async def state_of(client: Client, game: str) -> ReviewState:
    found: ReviewState = await client.request("GET", f"/api/games/{game}/review", kind=ReviewState)
    return found


async def ask(client: Client, game: str, **body: Any) -> ReviewState:
    found: ReviewState = await client.request("POST", f"/api/games/{game}/review", body, kind=ReviewState)
    return found


def test_a_game_with_people_is_reviewed_by_itself_and_the_table_is_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits=EAGER) as server:
            ann = await server.client("Ann")
            news: list[ReviewNews] = []
            game = await play(ann, "cubed", news)
            assert news[-1] == ReviewNews(game=game, ready=True)
            stranger = Client(server.url)
            state = await state_of(stranger, game)
            assert (state.game, state.making, state.problem, state.games) == ("cubed", None, None, 32)
            assert state.review is not None
            assert [player["name"] for player in state.review["players"]] == ["Ann", "Greedy"]
            assert state.left is None
            assert [one.review for one in await ann.my_games()] == ["ready"]
            seen = await ann.review(game)
            assert isinstance(seen, DiceReview)
            assert len(seen.decisions) > 10
            assert (await state_of(ann, game)).left == 50  # what is there costs nothing

    run(scenario())


def test_a_turn_is_tried_out_and_judged_as_the_review_does(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits=LAZY) as server:
            ann = await server.client("Ann")
            game = await play(ann, "cubed")
            seen = await ann.review(game)
            assert isinstance(seen, DiceReview)
            decision = next(one for one in seen.decisions if one.kind == "turn")
            judged = await ann.what_if(game, decision.line, cubed.Pass(0))
            assert (judged.line, judged.seat, judged.chosen.text) == (decision.line, decision.seat, "pass")
            assert judged.chosen.points == 0
            # what was played comes out as it did in the review, however deep that is
            played = record.read(await ann.record(game))
            command = cubed.rules.cause(played.log[decision.line - 1].event)
            assert command is not None
            assert await ann.what_if(game, decision.line, command) == decision
            with pytest.raises(Refusal, match="wrong_phase"):
                await ann.what_if(game, decision.line, cubed.Choose(0))
            for line, command in ((1, cubed.Pass(0)), (9999, cubed.Pass(0))):
                with pytest.raises(ClientError) as none:
                    await ann.what_if(game, line, command)
                assert none.value.code == "no_what_if"
            body = {"line": decision.line, "command": {"do": "dance"}}
            with pytest.raises(ClientError) as bad:
                await ann.request("POST", f"/api/games/{game}/review/what-if", body)
            assert bad.value.code == "bad_request"

    run(scenario())


def test_whoever_asks_is_told_why_not(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {**LAZY, "reviews_per_day": 1}
        async with serving(tmp_path / "t.db", review_nice=0, limits=limits) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", bots=["casual"])
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                assert table.game is not None
                await refused(ann, table.game, "not_finished")
                await table.manage(Close())
                await refused(ann, table.game, "broken_off")
            code = await ann.create_table("scramble", bots=["casual"])
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                assert table.game is not None
                await refused(ann, table.game, "no_review")
            await refused(ann, "nonsense", "not_found")
            first, second = await play(ann), await play(ann)
            seen = await ann.review(first)
            assert seen.result
            with pytest.raises(ClientError) as no_more:
                await ann.review(second)
            assert no_more.value.code == "too_many_reviews"
            assert (await ask(ann, first)).review is not None
            assert (await state_of(ann, second)).left == 0
            with pytest.raises(ClientError) as nothing:
                await ann.what_if(first, 5, cubed.Pass(0))
            assert nothing.value.code == "no_what_if"
            with pytest.raises(ClientError) as unknown:
                await ask(Client(server.url), second)
            assert unknown.value.code == "not_signed_in"

    async def refused(client: Client, game: str, code: str) -> None:
        with pytest.raises(ClientError) as asked:
            await ask(client, game)
        assert asked.value.code == code
        if code == "not_found":
            return
        assert (await state_of(client, game)).problem == code

    run(scenario())


def test_one_at_a_time_and_again_by_a_new_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits={**LAZY, "reviews_at_once": 0}) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            first, second = await play(ann), await play(ann)
            assert (await ask(ann, first)).making is not None
            with pytest.raises(ClientError) as waits:
                await ask(ann, second)
            assert waits.value.code == "review_waits"
            queued = await ask(bo, second)
            assert queued.making is not None
            assert queued.making.ahead == 1
            assert {game.review for game in await ann.my_games()} == {"making"}
            export = await ann.request("GET", "/api/me/export")
            assert [one["game"] for one in export["reviews"]] == [first]
        # Whoever starts again goes on with what was asked for.
        async with serving(tmp_path / "t.db", review_nice=0, limits=LAZY) as server:
            bo = await server.client("Bo")
            for game in (first, second):
                assert (await ready(bo, game)).review is not None
            async with server.service.store.writing() as connection:
                await connection.execute(update(schema.reviews).values(engine="0"))
            state = await state_of(bo, first)
            assert (state.review, state.problem) == (None, None)
        async with serving(tmp_path / "t.db", review_nice=0, limits=EAGER) as server:
            bo = await server.client("Bo")
            for game in (first, second):
                again = (await ready(bo, game)).review
                assert again is not None
                assert again["engine"] != "0"

    run(scenario())


async def ready(client: Client, game: str) -> ReviewState:
    while (state := await state_of(client, game)).review is None:
        assert state.problem is None
        await asyncio.sleep(0.1)
    return state


def test_no_name_stays_in_a_review(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, review_nice=0, limits=LAZY) as server:
            ann, bo = await server.client("Ann Unmistakable"), await server.client("Bo")
            game = await play(ann)
            assert (await ann.review(game)).players[0].name == "Ann Unmistakable"
            await ann.request("DELETE", "/api/me")
            assert (await bo.review(game)).players[0].name == "Player 1"
            async with server.service.store.reading() as connection:
                for kept in schema.metadata.sorted_tables:
                    for row in await connection.execute(select(kept)):
                        assert "Unmistakable" not in repr(tuple(row)), kept.name
                assert not (await connection.execute(select(schema.reviews_asked))).all()

    run(scenario())
