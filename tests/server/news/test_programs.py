"""Programs that play: the example and the bridge as real processes, whole games of each kind; and programs that do not behave."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import bots, cards, cubed, games
from tercet.client import ChallengeNews, Client, ClientError, Leave, Refusal, SyncClient
from tercet.client.bridge import Bridge, BridgeError, Manners, understand
from tercet.client.table import RemoteTable
from tercet.codec import to_json
from tercet.fairness import seed_from
from tercet.games import OfTable
from tercet.server.protocol import Scope, Sit
from tercet.sets import KindError
from tests.server.news.people import program
from tests.server.serving import Serving, run, serving
from tests.server.test_seats import SHORT

ROOT = Path(__file__).parents[3]
OPTIONS: dict[str, dict[str, Any]] = {"set": SHORT, "cubed": {}}
#: Those who play against them: quick ones.
RIVALS = {"set": bots.find("set", "champion"), "cubed": bots.find("cubed", "greedy")}

PAGE = (ROOT / "docs/bot-api.md").read_text("utf-8")
#: The program of the page about bots, as it stands there.
(SIMPLE,) = re.findall(r"^```python\n(import json\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


#: A remark that no table takes: whoever makes it is told so, and plays on.
SAYS_NOTHING = """print('{"do": "say", "text": ""}', flush=True)\n"""


async def begin(*arguments: str, **environment: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, env={**os.environ, **environment}, stdout=PIPE, stderr=PIPE
    )


async def bridge(server: Serving, code: str, written: str, tmp_path: Path, *options: str) -> Process:
    """A bridge that plays as a guest at a table, with this program."""
    file = tmp_path / "program.py"
    file.write_text(written, "utf-8")
    where = ("--server", server.url, "--name", "Robo", "--table", code)
    return await begin("-m", "tercet", "bridge", *where, *options, "--", sys.executable, str(file))


async def ended(process: Process) -> tuple[int, str, str]:
    out, errors = await process.communicate()
    return process.returncode or 0, out.decode(), errors.decode()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["set", "cubed"])
def test_the_example_plays_a_whole_game_by_a_challenge(game: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, robo = await server.client("Ann"), await program(server, "Robo")
            assert robo._token is not None
            process = await begin("examples/network_bot.py", server.url, TERCET_TOKEN=robo._token)
            try:
                while not await ann.bots():
                    await asyncio.sleep(0.05)
                made = await ann.challenge("Robo", game, OPTIONS[game])
                scores = await ann.play_challenge(made, RIVALS, Random(1))
                assert process.stdout is not None
                assert (await process.stdout.readline()).decode().strip() == str(scores)
                (played,) = [line for line in await ann.my_games() if line.end_time is not None]
                assert {player.name for player in played.players} == {"Ann", "Robo"}
            finally:
                process.kill()
                await process.wait()

    run(scenario())


def test_the_example_is_short_and_stands_on_its_page() -> None:
    example = (ROOT / "examples/network_bot.py").read_text("utf-8")
    assert len(example.splitlines()) <= 40
    assert example in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("game", ["set", "cubed"])
def test_a_program_plays_a_whole_game_over_the_bridge(game: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table(game, people=2, options=OPTIONS[game])
            process = await bridge(server, code, SAYS_NOTHING + SIMPLE, tmp_path)
            scores = await ann.play_game(code, RIVALS, Random(1))
            status, out, errors = await ended(process)
            assert (status, errors) == (0, "")
            assert (
                out
                == f"table {code}: " + ", ".join(f"{name} {score}" for name, score in scores.items()) + "\n"
            )

    run(scenario())


def tell_program(monkeypatch: pytest.MonkeyPatch, seat: int, state: object, moves: list[Any]) -> None:
    """Run the program of the page here, with how the game stands; it prints what it does."""
    told = ({"type": "start", "seat": seat}, {"type": "state", "state": state, "moves": moves})
    monkeypatch.setattr(sys, "stdin", StringIO("".join(to_json(one).decode() + "\n" for one in told)))
    exec(SIMPLE, {})


def test_two_such_programs_play_the_dice_game_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = cubed.Game(["Robo", "Bobo"], seed=seed_from("two programs"))
    game.do(cubed.Begin(0))
    while not game.is_over:
        before = len(game.log)
        for seat in range(2):
            moves = list(islice((move for move in game.legal if move.seat == seat), 100))
            tell_program(monkeypatch, seat, game.state, moves)
            for line in capsys.readouterr().out.splitlines():
                wish = understand(line.encode(), game.rules, seat)
                assert wish.command is not None
                game.do(wish.command)  # type: ignore[arg-type]
        assert len(game.log) > before
    assert len(game.log) < 1000
    assert sum(game.scores) > 20


def test_such_a_program_leaves_nobody_waiting_where_there_must_be_a_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 21 cards nobody may say that there is no SET: when the other one is locked out, only the program can go on."""

    class Simple(bots.Bot[cards.State, cards.CardCommand]):
        name = "simple"

        def delay(self, view: cards.State) -> int:
            return 5

        def choose(self, view: cards.State, time_limit: float = 2) -> cards.CardCommand | None:
            moves = [move for move in game.legal if move.seat == self.seat]
            tell_program(monkeypatch, self.seat, view, moves)
            said = capsys.readouterr().out
            return understand(said.encode(), game.rules, self.seat).command if said else None  # type: ignore[return-value]

    options = cards.Options(only="red", auto_deal=True, rounds=1)
    game = cards.Game(["Robo", "Ann"], options=options, seed=seed_from("x5"))
    game.do(cards.Deal(0))
    bots.play(game, [Simple(0, Random(5)), RIVALS["set"](1, Random(5))])
    assert any(isinstance(entry.event, cards.Missed) and entry.event.seat == 0 for entry in game.log)


BAD: dict[str, tuple[str, str]] = {
    "dies": ("import sys; sys.exit(3)", "the program ended with status 3"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "the program was ended by signal 9"),
    "says nothing": ("import time; time.sleep(600)", "the program has not answered in time"),
    "writes without end": (
        "import sys\nwhile True: sys.stdout.write('x' * 4096)",
        "the program wrote a line of more than 65536 bytes",
    ),
    "talks nonsense": (
        "while True: print('{nonsense', flush=True)",
        "the program said 51 things in a row that cannot be done",
    ),
    "asks for what is not allowed": (
        'while True: print(\'{"do": "choose"}\', flush=True)',
        "the program said 51 things in a row that cannot be done",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BAD)
def test_whoever_does_not_behave_gives_up_the_seat(kind: str, tmp_path: Path) -> None:
    """The game goes on: a bot of the server takes the seat."""
    written, why = BAD[kind]

    async def scenario() -> None:
        limits = {"messages_per_second": 10_000, "message_burst": 10_000}
        async with serving(tmp_path / "t.db", limits=limits) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("cubed", people=2, quick_bots=True)
            restarts = 1 if kind == "dies" else 0
            options = ("--patience", "0.5", "--restarts", str(restarts))
            process = await bridge(server, code, written, tmp_path, *options)
            async with ann.join(code) as table:
                seat = await table.begin()
                playing = asyncio.create_task(table.play_as(RIVALS["cubed"](seat, Random(1))))
                await table.until(lambda: table.table.seats[1 - seat].bot is not None, 100)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            status, _out, errors = await ended(process)
            assert status == 0
            expected = [f"table {code}: {why}; it is started again"] * restarts
            expected.append(f"table {code}: {why}; it gives up its seat")
            assert errors.splitlines() == expected

    run(scenario())


class _Busy:
    """A table whose server finds the first commands too fast; ``goes_on``: something happens meanwhile."""

    def __init__(self, times: int, goes_on: bool) -> None:
        self.seq, self._times, self._goes_on, self.played = 1, times, goes_on, 0

    async def play(self, _command: object) -> int:
        self.played += 1
        if self.played <= self._times:
            self.seq += self._goes_on
            raise Refusal({"code": "too_fast"})
        return self.seq + 1


def test_what_came_too_fast_is_sent_again_unless_the_game_has_gone_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that answers each `state` once would otherwise wait for the next one for ever."""
    monkeypatch.setattr("tercet.client.bridge.TOO_FAST_SECONDS", 0.0)
    for goes_on, played in ((False, 4), (True, 1)):
        table: Any = _Busy(3, goes_on)
        playing = Bridge(table, ["cat"], Manners())._play(cards.Call(0))
        if goes_on:
            with pytest.raises(Refusal, match="too_fast"):
                run(playing)
        else:
            assert run(playing) == 2
        assert table.played == played


def test_a_challenge_that_was_played_before_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            bo, robo = await program(server, "Bo"), await program(server, "Robo")
            assert robo._token is not None
            news = bo.events()
            await anext(news)
            accepted = await bo.accept((await robo.challenge("Bo", "set")).id)
            for one in (bo, robo):
                async with one.join(str(accepted.table)) as table:
                    await table.manage(Leave())
            here = ("-m", "tercet", "bridge", "--server", server.url, "--challenge", "Bo", "--count", "1")
            process = await begin(*here, "--", "cat", TERCET_TOKEN=robo._token)
            async for told in news:
                if isinstance(told, ChallengeNews) and told.challenge.id != accepted.id:
                    await bo.decline(told.challenge.id)
                    break
            status, out, errors = await ended(process)
            assert (status, errors) == (0, "")
            assert "the challenge with Bo was declined" in out.splitlines()[-1]

    run(scenario())


def test_whoever_is_cancelled_while_they_wait_does_not_go_on() -> None:
    """In Python 3.11 `asyncio.wait_for` forgets it if the waiting is over in the same moment: a bridge that had to end then played
    a game that it had just taken up again to its end."""

    async def cancel_after(steps: int) -> None:
        table = RemoteTable(Client("http://localhost"), "K7QXRM")
        waiting = asyncio.create_task(table.until(lambda: table.reconnections > 0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        table.reconnections = 1
        table._changed.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        is_cancelled = waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled() == is_cancelled

    async def scenario() -> None:
        for steps in range(6):
            await cancel_after(steps)

    run(scenario())


def test_a_game_that_was_played_counts_also_when_the_seat_is_gone(tmp_path: Path) -> None:
    """Two programs with one token: the second to leave has no seat any more."""

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, robo = await server.client("Ann"), await program(server, "Robo")
            again = Client(server.url, token=robo._token)
            code = await ann.create_table("set", people=2, options=SHORT)
            async with robo.join(code) as table:
                await table.manage(Sit())
            players = [one.play_game(code, RIVALS, Random(n)) for n, one in enumerate((ann, robo, again))]
            scores = await asyncio.gather(*players)
            assert scores == [scores[0]] * 3

    run(scenario())


def test_a_bridge_that_cannot_be_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            here = ("-m", "tercet", "bridge", "--server", server.url)
            for arguments, environment, words in (
                ((*here, "--", "cat"), {}, "no token: make one on the page Account and set TERCET_TOKEN"),
                ((*here, "--", "no-such-program"), {"TERCET_TOKEN": "x"}, "cannot start no-such-program"),
                ((*here, "--", __file__), {"TERCET_TOKEN": "x"}, "it may not be executed; chmod +x lets it"),
                ((*here, "--", "cat"), {"TERCET_TOKEN": "x"}, "there is no such token; make a new one"),
                ((*here, "--game", "chess", "--", "cat"), {"TERCET_TOKEN": "x"}, "chess"),
                (
                    (*here, "--name", "Robo", "--table", "NOSUCH", "--", "cat"),
                    {},
                    "table NOSUCH: no_such_table",
                ),
            ):
                status, out, errors = await ended(await begin(*arguments, **environment))
                assert (status, out) == (2, "")
                assert words in errors
                assert "Traceback" not in errors

    run(scenario())


def test_a_token_without_the_scope_is_refused_at_the_start(tmp_path: Path) -> None:
    scopes: list[tuple[list[Scope], str, tuple[str, ...]]] = [
        (["read"], "this token may read, and not play", ()),
        (["read", "play"], "this token may read and play, and not challenge", ()),
        (["read"], "this token may read, and not play", ("--table", "BBBBBB")),
    ]

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            for number, (allowed, words, where) in enumerate(scopes):
                robo = await program(server, f"Robo{number}", allowed)
                assert robo._token is not None
                here = ("-m", "tercet", "bridge", "--server", server.url, *where, "--", "cat")
                status, out, errors = await ended(await begin(*here, TERCET_TOKEN=robo._token))
                told = f"{words}; make one that may on the page Account, or by POST /api/tokens"
                assert (status, out, errors) == (2, "", f"tercet: {told}\n")

    run(scenario())


def test_the_bridge_says_why_a_challenge_was_declined(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            bo, robo = await program(server, "Bo"), await program(server, "Robo")
            assert robo._token is not None
            news = bo.events()
            await anext(news)
            here = ("-m", "tercet", "bridge", "--server", server.url, "--challenge", "Bo", "--count", "1")
            process = await begin(*here, "--", "cat", TERCET_TOKEN=robo._token)
            told = await anext(news)
            assert isinstance(told, ChallengeNews)
            await bo.decline(told.challenge.id, "options")
            status, out, errors = await ended(process)
            assert (status, errors) == (0, "")
            why = "declined: options: it is not played with these options"
            assert out.splitlines()[-1] == f"the challenge with Bo was {why}"

    run(scenario())


def test_the_client_says_what_to_do(tmp_path: Path) -> None:
    async def told(work: Coroutine[Any, Any, Any]) -> str:
        with pytest.raises(ClientError) as raised:
            await work
        return str(raised.value)

    async def listen(client: Client) -> None:
        await anext(client.events())

    async def join(client: Client) -> None:
        async with client.join("NOSUCH"):
            pass

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            url, ann = server.url, await server.client("Ann")
            stranger, wrong = Client(url), Client(url, token="tercet_secret\n")
            assert await told(Client(f"{url}/nowhere").lobby()) == (
                f"there is no Tercet at {url}/nowhere: is the path right?"
            )
            assert "sign_in(name) comes in as a guest" in await told(stranger.my_games())
            assert await told(wrong.my_games()) == (
                "there is no such token; make a new one on the page Account, or by POST /api/tokens"
            )
            assert await told(listen(wrong)) == (
                "cannot listen: bad_token: There is no such token: make one on the page Account."
            )
            assert (await told(listen(stranger))).startswith("cannot listen: not_signed_in: Nobody knows you")
            assert await told(join(ann)) == (
                "table NOSUCH: no_such_table: No table has this code, or it is closed."
            )
            code = await ann.create_table("set", options=SHORT)
            async with ann.join(code) as table:
                assert repr(table) == f"<table {code} at {url}>"
                seat = await table.begin()
                with pytest.raises(Refusal) as refused:
                    await table.play(cards.Show(seat, table.state.table[:3]))
                assert str(refused.value) == "call_first: Call first, then show."
                for text, why in (
                    ("", "text: give a text of at least 1 character"),
                    ("x" * 201, "text: give a text of at most 200 characters"),
                    ("a\0b", "no text may hold a NUL"),
                ):
                    with pytest.raises(KindError) as unsaid:
                        await table.say(text)
                    assert str(unsaid.value) == why
                await table.say("The line is still open.")
            assert await told(ann.record("x y")) == (
                "'/api/games/x y/record?form=text' is no address on a server"
            )

    run(scenario())
    for address in (
        "localhost:8105",
        "club.example",
        "http://",
        "http://[::1",
        "http://localhost:abc",
        "http://a b",
    ):
        with pytest.raises(ClientError, match="is no address: write it as http://localhost:8000"):
            Client(address)
    with pytest.raises(KindError, match=r"give the bots in a list, as in \['quick'\], not 'quick'"):
        run(Client("http://localhost").create_table("set", bots="quick"))
    for token in ("tercet_sec\nret", "tercet sec ret", ""):
        with pytest.raises(ClientError) as raised:
            Client("http://localhost", token=token)
        assert str(raised.value) == "this is no token: it is one word, as the page Account shows it once"


def test_the_client_without_await(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            code = await asyncio.to_thread(_play_in_sync, server.url)
            assert await server.service.rooms.find(code) is None  # both have left

    run(scenario())


def _play_in_sync(url: str) -> str:
    with SyncClient(url) as client:
        client.sign_in("Ann")
        code = client.create_table("set", options=SHORT)
        with client.join(code) as table:
            seat = table.begin()
            assert table.legal.count() > 0
            table.play_as(RIVALS["set"](seat, Random(1)))
            assert table.is_over
            assert table.log[-1].seq == len(table.log)
        assert [game.table for game in client.my_games()] == [code]
        assert next(client.events()).you.name == "Ann"  # type: ignore[union-attr]
        client.leave_table(code)
    with pytest.raises(ClientError, match="closed"):
        client.lobby()
    return code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
words = st.sampled_from(
    ["call", "show", "lay", "pass", "choose", "see_none", "leave", "say", "step_away", "draft"]
)
objects = st.fixed_dictionaries(
    {"do": words | st.text()},
    optional=dict.fromkeys(
        ("seat", "id", "cards", "placements", "dice", "text", "die", "square"), json_values
    ),
)


@given(
    st.binary() | json_values.map(to_json) | objects.map(to_json),
    st.sampled_from(games.names()),
    st.integers(0, 3),
)
def test_every_line_is_understood_or_told_why_not(line: bytes, game: str, seat: int) -> None:
    try:
        wish = understand(line, games.find(game).rules, seat)
    except BridgeError:
        return
    assert wish.command is None or wish.command.seat == seat
    assert not isinstance(wish.command, OfTable)


def test_what_is_wrong_with_a_line_is_said_in_words() -> None:
    for line, why in (
        (b'{"do": null}', "do: give a text, not null"),
        (b'{"do": ["call"]}', "do: give a text, not a list"),
        (b'{"do": {}}', "do: give a text, not an object"),
        (b'{"do": "say"}', 'say what? {"do": "say", "text": "…"}'),
        (b'{"do": "say", "text": 1}', 'say what? {"do": "say", "text": "…"}'),
    ):
        with pytest.raises(BridgeError) as told:
            understand(line, games.find("set").rules, 0)
        assert str(told.value) == why


def test_very_deep_lines_are_told_why_not() -> None:
    rules = games.find("set").rules
    for line in (
        b"[" * 100_000,
        b'{"do":' * 50_000,
        b'{"do": "show", "cards": ' + b"[" * 2000 + b"]" * 2000 + b"}",
    ):
        with pytest.raises(BridgeError):
            understand(line, rules, 0)
