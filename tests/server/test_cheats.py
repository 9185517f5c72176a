"""Everything that somebody might try, one by one. A refusal changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tercet import cards, cubed
from tercet.client import ClientError, Refusal, RemoteTable
from tercet.games import Command
from tercet.sets import Card, Face, find_sets, is_set
from tests.server.players import until_extra_roll
from tests.server.serving import Serving, run, seated, serving


@asynccontextmanager
async def two_at_cards(path: Path, **options: Any) -> AsyncIterator[tuple[Serving, RemoteTable, RemoteTable]]:
    async with (
        serving(path / "t.db") as server,
        seated(server, "set", ["Ann", "Bo"], options=options) as (ann, bo),
    ):
        yield server, ann, bo


async def refused(table: RemoteTable, command: Command) -> dict[str, Any]:
    """The refusal of this command, which has changed nothing."""
    before, seq = table.state, table.seq
    with pytest.raises(Refusal) as caught:
        await table.play(command)
    assert (table.state, table.seq) == (before, seq)
    return caught.value.data


async def ask(table: RemoteTable, message: dict[str, Any]) -> Any:
    return await table._ask(message)


def no_set(table: tuple[Card, ...]) -> tuple[Card, ...]:
    return next(three for three in combinations(table, 3) if not is_set(*three))


def test_cards_not_on_the_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (_, ann, _bo):
            await ann.play(cards.Call(0))
            on = ann.state.table
            off = next(card for card in Card.all() if card not in on)
            assert (await refused(ann, cards.Show(0, (*on[:2], off))))["code"] == "not_on_table"
            assert (await refused(ann, cards.Show(0, (on[0],) * 3)))["code"] == "same_card_twice"
            assert (await refused(ann, cards.Show(0, on[:2])))["code"] == "wrong_number"
            assert (await refused(ann, cards.Show(0, on[:4])))["code"] == "wrong_number"

    run(scenario())


def test_a_wrong_set_locks_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path, auto_deal=True) as (_, ann, bo):
            await ann.play(cards.Call(0))
            await ann.play(cards.Show(0, no_set(ann.state.table)))
            await ann.until(lambda: 0 in ann.state.locked)
            assert ann.state.scores == (0, 0)
            assert (await refused(ann, cards.Call(0)))["code"] == "locked_out"
            await bo.play(cards.Call(1))
            await bo.play(cards.Show(1, find_sets(bo.state.table)[0]))
            await ann.play(cards.Call(0))

    run(scenario())


def test_27_wrong_claims_in_a_row(tmp_path: Path) -> None:
    """As fast as the line allows: the first locks out, the others change nothing."""

    async def scenario() -> None:
        async with two_at_cards(tmp_path, claim="instant") as (_, ann, _bo):
            threes = [three for three in combinations(ann.state.table, 3) if not is_set(*three)][:27]
            outcomes = await asyncio.gather(
                *(ann.play(cards.Show(0, three)) for three in threes), return_exceptions=True
            )
            assert isinstance(outcomes[0], int)
            assert [outcome.code for outcome in outcomes[1:] if isinstance(outcome, Refusal)] == [
                "locked_out"
            ] * 26
            assert [type(entry.event) for entry in ann.log] == [cards.Dealt, cards.Missed]

    run(scenario())


def test_acting_for_another_seat(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (server, ann, bo):
            assert (await refused(ann, cards.Call(1)))["code"] == "not_your_seat"
            assert (await refused(ann, cards.Call(7)))["code"] == "not_your_seat"
            assert (await refused(ann, cards.Call(-1)))["code"] == "not_your_seat"
            async with (await server.client("Cy")).join(ann.code) as spectator:
                assert (await refused(spectator, cards.Call(0)))["code"] == "no_seat"
            await bo.play(cards.Call(1))
            await ann.until(lambda: ann.state.call is not None)
            shown = cards.Show(0, ann.state.table[:3])
            assert (await refused(ann, shown))["code"] == "called_by_another"

    run(scenario())


def test_before_the_start_and_after_the_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", options={"only": "red", "auto_deal": True})
            async with ann.join(code) as table:
                with pytest.raises(Refusal, match="no_game"):
                    await table.play(cards.Call(0))
                await ask(table, {"type": "manage", "command": {"do": "ready"}})
                await table.until(lambda: table.game is not None)
                while not table.is_over:
                    await table.play(cards.Call(0))
                    await table.play(cards.Show(0, find_sets(table.state.table)[0]))
                await table.until(lambda: table.table.phase == "gathering")
                with pytest.raises(Refusal, match="no_game"):
                    await table.play(cards.Call(0))

    run(scenario())


def test_replayed_and_forged_command_ids(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path, auto_deal=True) as (_, ann, bo):

            async def send(table: RemoteTable, name: str, command: Command) -> dict[str, Any]:
                """The answer to a command with an id of our own choice."""
                got: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

                def listen(message: Any) -> None:
                    if getattr(message, "id", None) == name and not got.done():
                        got.set_result(message)

                table.listeners.append(listen)
                text = {"type": "play", "id": name, "command": json.loads(cards_json(command))}
                assert table._socket is not None
                await table._socket.send(json.dumps(text))
                answer = await got
                table.listeners.remove(listen)
                return answer

            before = ann.seq
            first: Any = await send(ann, "1", cards.Call(0))
            again: Any = await send(ann, "1", cards.Call(0))
            assert first == again  # the same answer, and nothing happened
            assert ann.seq == before + 1
            await ann.play(cards.Show(0, find_sets(ann.state.table)[0]))
            seq = ann.seq
            assert await send(ann, "1", cards.Call(0)) == first
            assert ann.seq == seq
            # The id that Ann used is Ann's: for Bo it is a new one, and brings Bo's own command.
            forged: Any = await send(bo, "1", cards.Call(1))
            assert forged.seq == seq + 1

    run(scenario())


def cards_json(command: Command) -> bytes:
    from tercet.codec import to_json

    return to_json(command)


def test_dice_cheats(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            seated(server, "cubed", ["Ann", "Bo"]) as (ann, bo),
        ):
            assert (await refused(ann, cubed.Pass(0)))["code"] == "wrong_phase"
            assert (await refused(ann, cubed.Begin(0)))["code"] == "wrong_phase"
            assert (await refused(ann, cubed.Choose(0, (1,))))["code"] == "wrong_phase"
            assert (await refused(ann, cubed.Show(0, ())))["code"] == "call_first"
            await asyncio.gather(until_extra_roll(ann), until_extra_roll(bo))
            foreign = bo.state.hands[1][0].number
            assert (await refused(ann, cubed.Choose(0, (foreign,))))["code"] == "not_in_hand"
            mine = ann.state.hands[0][0].number
            assert (await refused(ann, cubed.Choose(0, (mine, mine))))["code"] == "same_die_twice"
            await ann.play(cubed.Choose(0))
            assert (await refused(ann, cubed.Choose(0, (mine,))))["code"] == "answered_already"
            await bo.play(cubed.Choose(1))
            await ann.until(lambda: ann.state.phase == "turn")
            on, off = (ann, bo) if ann.state.turn == 0 else (bo, ann)
            await off.until(lambda: off.state.phase == "turn")
            seat, other = on.seat, off.seat
            assert seat is not None
            assert other is not None
            assert (await refused(off, cubed.Pass(other)))["code"] == "not_your_turn"
            turns = on.state.position(seat).turns()
            if turns:
                (placement, *_) = turns[0].placements
                stranger = next(
                    face for face in Face.all() if all(die.face is not face for die in on.state.hands[seat])
                )
                strange = cubed.Placement(placement.square, stranger)
                code = (await refused(on, cubed.Lay(seat, (strange,))))["code"]
                assert code in ("not_in_hand", "makes_no_set")
                taken = on.state.options.edition.layout.logo[0]
                assert (await refused(on, cubed.Lay(seat, (cubed.Placement(taken, placement.face),))))[
                    "code"
                ] == "occupied"
                wild = cubed.Placement(placement.square, Face("W"))
                assert (await refused(on, cubed.Lay(seat, (wild,))))["code"] == "wild_not_named"
                twice = cubed.Placement(placement.square, Face("1RO"), wild=True)
                renamed = cubed.Placement(placement.square, Face("2GS"), wild=True)
                assert (await refused(on, cubed.Lay(seat, (twice, renamed))))["code"] == "same_square_twice"

    run(scenario())


def test_another_origin_and_another_cookie(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (server, ann, _bo):
            address = f"ws{server.url.removeprefix('http')}/api/tables/{ann.code}/socket"
            client = ann._client

            async def turned_away(headers: dict[str, str]) -> int | None:
                async with connect(address, additional_headers=headers, proxy=None) as socket:
                    with pytest.raises(ConnectionClosed):
                        await socket.recv()
                    return socket.close_code

            cookie = client.headers()["Cookie"]
            assert await turned_away({"Cookie": cookie, "Origin": "https://evil.example"}) == 4403
            assert await turned_away({}) == 4401
            assert await turned_away({"Cookie": "tercet=forged.0.1.abc"}) == 4401
            assert await turned_away({"Cookie": cookie[:-2] + "xx"}) == 4401
            assert await turned_away({"Authorization": "Bearer tercet_nothing"}) == 4410
            client.headers = lambda: {"Cookie": cookie, "Origin": "https://evil.example"}  # type: ignore[method-assign]
            with pytest.raises(ClientError) as refused_:
                await client.create_table("set")
            assert refused_.value.code == "other_origin"

    run(scenario())


def test_nothing_hidden_leaves_the_server(tmp_path: Path) -> None:
    """The seed of a running game is in no answer and no message; the deck has no order to be read."""

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", public=True, bots=["beginner"], options={"auto_deal": True})
            async with ann.join(code) as table:
                heard: list[str] = []
                table.listeners.append(lambda message: heard.append(repr(message)))
                await ask(table, {"type": "manage", "command": {"do": "ready"}})
                await table.until(lambda: table.game is not None and table.state.phase == "play")
                await table.play(cards.Call(0))
                await table.play(cards.Show(0, find_sets(table.state.table)[0]))
                seed = server.service.rooms.rooms[code].state.seed
                paths = ["/api/tables", f"/api/tables/{code}", "/api/me/games", "/api/me/export", "/health"]
                paths += [f"/api/games/{table.game}/record?form=json", f"/api/games/{table.game}/record"]
                answers = [(await ann._send("GET", path, None)).decode() for path in [*paths, "/metrics"]]
                assert all(seed not in text for text in [*answers, *heard])
                deck = table.state.deck
                assert list(deck) == sorted(deck)

    run(scenario())


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "0", '"x"', "{}", '{"type":"welcome"}', '{"type":"play"}', '{"type":"play","id":1}', "\ud83d",
     '{"type":"say","id":"1","text":""}', '{"type":"play","id":"1","command":{},"extra":1}', "x" * 9000,
     '{"type":"play","id":"1","command":' * 200, '{"type":' + '{"a":' * 1500],
)  # fmt: skip
def test_bad_messages_close_the_socket_and_nothing_else(tmp_path: Path, text: str) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (server, ann, bo):
            address = f"ws{server.url.removeprefix('http')}/api/tables/{ann.code}/socket"
            async with connect(address, additional_headers=ann._client.headers(), proxy=None) as socket:
                await socket.send(text.encode("utf-8", "surrogatepass"))
                await asyncio.wait_for(socket.wait_closed(), 5)
            await bo.play(cards.Call(1))

    run(scenario())


def test_bad_commands_are_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (_, ann, _bo):
            wrong: list[Any] = [
                {},
                {"do": "call"},
                {"do": "fly", "seat": 0},
                {"do": "call", "seat": "0"},
                [],
                None,
                7,
            ]
            wrong += [{"do": "show", "seat": 0, "cards": cards_} for cards_ in (["XXXX"], [1], "1RFD")]
            for command in wrong:
                with pytest.raises(Refusal, match="bad_command"):
                    await ask(ann, {"type": "play", "command": command})

    run(scenario())


def test_a_flood_is_slowed_down(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_at_cards(tmp_path) as (_, ann, bo):
            outcomes = await asyncio.gather(
                *(ann.play(cards.TakeBack(0)) for _ in range(300)), return_exceptions=True
            )
            codes = {outcome.code for outcome in outcomes if isinstance(outcome, Refusal)}
            assert codes == {"nothing_to_take_back", "too_fast"}
            await bo.play(cards.Call(1))

    run(scenario())
