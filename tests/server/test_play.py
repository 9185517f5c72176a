"""People and bots at tables, over a real socket."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tercet import cards, cubed, record
from tercet.client import ClientError, Refusal
from tercet.server.protocol import AddSeat, Close, HandOver, Kick, Leave, Ready, Sit, StandIn, Start
from tests.server.players import play_cards, play_cubed, until_extra_roll
from tests.server.serving import run, seated, serving


@pytest.mark.parametrize(("game", "bot"), [("set", "champion"), ("cubed", "greedy")])
def test_a_whole_game_against_a_bot_verifies_from_its_record(tmp_path: Path, game: str, bot: str) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = await server.client("Ann")
            options = {"auto_deal": True, "rounds": 1} if game == "set" else {}
            code = await client.create_table(game, bots=[bot], options=options, quick_bots=True)
            async with client.join(code) as table:
                commitment = table.table.commitment
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                assert table.game is not None
                early = record.read(await client.record(table.game))
                assert early.seed is None
                await (play_cards if game == "set" else play_cubed)(table)
                await table.until(lambda: table.table.last is not None)
                for form in ("text", "json"):
                    played = record.read(await client.record(table.game, form))
                    assert record.verify(played) is None
                    assert played.commitment == commitment
                    assert table.promise is not None
                    assert record.prove(played, table.promise).is_wrong is False
                    assert {step.verdict for step in record.prove(played, table.promise).steps} == {"proved"}
                    assert played.result == table.state.scores
                assert table.table.last is not None
                assert table.table.last.seed == played.seed
                assert table.table.commitment != commitment
            (mine,) = await client.my_games()
            assert [player.you for player in mine.players] == [True, False]
            assert mine.end_time is not None

    run(scenario())


def test_two_people_play_and_see_the_same(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "set", ["Ann", "Bo"], options={"rounds": 1, "only": "red"}) as tables,
        ):
            await asyncio.gather(*map(play_cards, tables))
            ann, bo = tables
            assert ann.state == bo.state
            assert ann.log == bo.log
            # Once more with the same people.
            first = ann.game
            for table in tables:
                await table.manage(Ready())
            await bo.until(lambda: bo.game != first and bo.state.phase == "play")

    run(scenario())


def test_the_extra_roll_is_hidden_until_all_have_answered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "cubed", ["Ann", "Bo"]) as (ann, bo),
        ):
            spectator = await server.client("Cy")
            async with spectator.join(ann.code) as third:
                players = asyncio.gather(*(until_extra_roll(table) for table in (ann, bo)))
                await players
                number = ann.state.hands[0][0].number
                await ann.play(cubed.Choose(0, (number,)))
                await bo.until(lambda: 0 in bo.state.answered)
                await third.until(lambda: 0 in third.state.answered)
                assert ann.state.choices[0] == (number,)
                assert bo.state.choices[0] is None
                assert third.state.choices[0] is None
                assert bo.log[-1].event == cubed.Chose(0, None)
                assert third.log[-1].event == cubed.Chose(0, None)
                assert ann.game is not None
                assert record.read(await spectator.record(ann.game)).log[-1].event == cubed.Chose(0, None)
                # Who comes back in the middle sees no more than before.
                async with (await server.client("Di")).join(ann.code) as fourth:
                    assert fourth.state.choices[0] is None
                    assert fourth.log[-1].event == cubed.Chose(0, None)

    run(scenario())


@pytest.mark.parametrize("claim", ["call", "instant"])
def test_the_example_bot_plays_also_when_nobody_else_does_anything(tmp_path: Path, claim: str) -> None:
    bot = Path(__file__).parents[2] / "examples" / "network_bot.py"

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2, options={"claim": claim, "auto_deal": True})
            async with ann.join(code) as table:
                await table.manage(Ready())
                robo = await asyncio.create_subprocess_exec(sys.executable, str(bot), server.url, code)
                try:
                    await table.until(lambda: table.state is not None and table.state.scores[1] >= 2, 60)
                finally:
                    robo.kill()
                    await robo.wait()

    run(scenario(), seconds=90)


def test_host_tools(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo, cy = [await server.client(name) for name in ("Ann", "Bo", "Cy")]
            code = await ann.create_table("set", people=3)
            async with ann.join(code) as host, bo.join(code) as guest, cy.join(code) as other:
                await guest.manage(Sit())
                await other.manage(Sit(seat=2))
                for command in (Start(), AddSeat(), Kick("x"), HandOver("x"), Close()):
                    with pytest.raises(Refusal, match="not_the_host"):
                        await guest.manage(command)
                assert bo.me is not None
                assert cy.me is not None
                await host.manage(AddSeat(bot="casual"))
                await host.manage(Kick(cy.me.id))
                with pytest.raises(ClientError, match="kicked"):
                    await other.until(lambda: False, 5)
                await host.manage(Start())
                await guest.until(lambda: guest.game is not None)
                assert guest.names == ("Ann", "Bo", "Casual")
                with pytest.raises(Refusal, match="still_here"):
                    await host.manage(StandIn(1, "quick"))
                await guest.manage(Leave())
                await guest.until(lambda: guest.table.seats[1].bot == "casual")
                await host.manage(StandIn(1, "quick"))
                await guest.until(lambda: guest.table.seats[1].bot == "quick")
                await guest.manage(Sit(seat=1))  # late join: back on the seat
                await guest.until(lambda: guest.table.seats[1].name == "Bo")
                await host.manage(HandOver(bo.me.id))
                await guest.until(lambda: guest.table.host == bo.me.id)  # type: ignore[union-attr]
                await host.manage(Leave())
                await guest.until(lambda: guest.table.seats[0].bot is not None)
                await guest.manage(Close())
                with pytest.raises(ClientError, match="closed"):
                    await guest.until(lambda: False, 5)
            with pytest.raises(ClientError, match="no_such_table"):
                async with cy.join(code):
                    pass

    run(scenario())


def test_chat_mute_and_switch(tmp_path: Path) -> None:
    from tercet.server.protocol import Change, Chat

    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "set", ["Ann", "Bo"]) as (ann, bo),
        ):
            heard: list[str] = []
            bo.listeners.append(
                lambda message: heard.append(message.said.text) if isinstance(message, Chat) else None
            )
            await ann.say("hello")
            await bo.until(lambda: heard == ["hello"])
            await bo._ask({"type": "mute", "person": ann.you.id})
            await ann.say("nobody hears this")
            await bo._ask({"type": "mute", "person": ann.you.id, "muted": False})
            await ann.say("again")
            await bo.until(lambda: heard == ["hello", "again"])
            await ann.manage(Change(chat=False))
            with pytest.raises(Refusal, match="chat_off"):
                await bo.say("psst")

    run(scenario())


def test_a_bot_makes_way_for_a_person_of_its_name(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = await server.client("Casual")
            code = await client.create_table("set", bots=["casual", "casual"])
            async with client.join(code) as table:
                names = [seat.name for seat in table.table.seats]
                assert names[0] == "Casual"
                assert len(set(names)) == 3
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                assert table.game is not None
                assert record.read(await client.record(table.game)).seats == tuple(names)

    run(scenario())


def test_a_newcomer_takes_over_a_bots_seat_where_the_table_allows_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            for late_join in (True, False):
                code = await ann.create_table("set", bots=["beginner"], late_join=late_join)
                async with ann.join(code) as host, bo.join(code) as late:
                    await host.manage(Ready())
                    await late.until(lambda: late.game is not None)
                    if late_join:
                        await late.manage(Sit())
                        await late.until(lambda: late.seat == 1)
                        await late.play(cards.Call(1))
                        await host.until(lambda: host.state.call is not None)
                    else:
                        with pytest.raises(Refusal, match="no_late_join"):
                            await late.manage(Sit())

    run(scenario())


def test_result_and_record_name_those_who_sat_there_at_the_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            code = await ann.create_table(
                "set", bots=["beginner", "casual"], options={"only": "red", "auto_deal": True, "rounds": 1}
            )
            async with ann.join(code) as host, bo.join(code) as late:
                await host.manage(Ready())
                await late.until(lambda: late.game is not None)
                assert late.game is not None
                before = record.read(await ann.record(late.game))
                assert before.seats == ("Ann", "Beginner", "Casual")
                assert {name: text for name, text in before.tags.items() if name.startswith("Bot")} == {
                    "Bot2": "beginner",
                    "Bot3": "casual",
                }
                await late.manage(Sit())
                await late.until(lambda: late.seat == 1)
                assert late.names == ("Ann", "Bo", "Casual")
                await play_cards(late)
                await late.until(lambda: late.table.last is not None)
                last = late.table.last
                assert last is not None
                assert (last.names, last.bots) == (("Ann", "Bo", "Casual"), (None, None, "casual"))
                await host.manage(AddSeat(bot="quick"))  # who sits down after the end did not play
                after = record.read(await ann.record(last.game))
                assert after.seats == last.names
                assert "Bot2" not in after.tags
                assert record.verify(after) is None

    run(scenario())
