"""A game from outside plays everywhere: nothing but its own folder, `tests/toy`, knows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tercet import bots, games, record
from tercet.bots import bot
from tercet.client import Client, Ready
from tercet.client import Refusal as RemoteRefusal
from tercet.fairness import seed_from
from tercet.games import catalogue
from tercet.server.protocol import Sit, StandIn
from tercet.server.run import run as serve
from tercet.server.settings import Settings
from tercet.sets import TercetError
from tests.cli.command import answer, run
from tests.server.processes import ServerProcess
from tests.server.serving import run as run_async
from tests.toy import Say


@pytest.fixture(autouse=True)
def _plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game is known here, and in every process that is started from here."""
    monkeypatch.setenv(catalogue.PLUGINS, "tests.toy")
    catalogue._packages.cache_clear()
    yield
    catalogue._packages.cache_clear()
    bot._known.pop("toy", None)


def test_it_is_one_of_the_games() -> None:
    assert games.names()[-1] == "toy"
    assert bots.usual("toy") == "counter"
    (goal,) = games.find("toy").rules.options_schema()
    assert (goal.name, goal.kind, goal.default, goal.most) == ("goal", "number", 10, 100)


@pytest.mark.parametrize("package", ["no_such_package", "json", "..toy"])
def test_a_package_without_a_game_is_named_before_a_server_begins(
    package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(catalogue.PLUGINS, f" tests.toy, {package}")
    with pytest.raises(
        TercetError, match=rf"^TERCET_PLUGINS: {re.escape(package)} is no package with a game in it: "
    ):
        serve(Settings(port=0, database=str(tmp_path / "t.db")))
    assert not any(tmp_path.iterdir())


def test_its_bots_play_it_and_its_record_verifies() -> None:
    game = games.find("toy")(["Ann", "Bo", "Cy"], seed=seed_from("toy"), options={"goal": 20})
    bots.play(game, [bots.make("toy", "counter", seat, Random(seat)) for seat in range(3)])
    assert sum(game.scores) == 20
    kept = record.of(game)
    assert kept.seal is not None
    assert record.verify(record.read(record.write(kept))) is None
    assert record.read(record.write_json(kept)) == kept


def test_a_person_plays_it_in_the_terminal(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    lines = "hint\n7\nfour\n?\n" + "".join(f"{number}\n" for number in range(1, 10))
    args = ("--seat", "Ann", "--seat", "bot:", "--practice", "--fast", "--seed", "a", "--option", "goal=9")
    shown = answer("play", "toy", *args, "--record", file, stdin=lines)
    for expected in (
        "Count to Ten: Ann, counter.",
        "Ann, the next number:",
        "That is not the next number.",
        "A number, please.",
        "Type the next number.",
        "counter: 2!",
        "The game is over: Ann wins with 5 points.",
        "Verified",
    ):
        assert expected in shown
    assert answer("verify", file).startswith("ok\n")
    assert "Ann: 9!" in answer("replay", file)
    assert json.loads(answer("replay", file, "--json").splitlines()[-1])["state"]["phase"] == "over"
    as_json = answer("record", "convert", file)
    assert answer("record", "convert", "-", stdin=as_json) == Path(file).read_text()


def test_the_terminal_offers_it_and_says_what_is_wrong() -> None:
    shown = answer("play", stdin="9\ntoy\nquit\n")
    assert f"{len(games.names())} Count to Ten" in shown
    assert "toy" in answer("play", "--help")
    for line in ("play toy --option colour=red", "play toy --option goal=0", "arena counter greedy"):
        done = run(*line.split())
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there are odds for" in run("odds", "toy").stderr


def test_it_has_an_arena() -> None:
    told = json.loads(answer("arena", "counter", "counter", "--games", "4", "--workers", "2", "--json"))
    assert told["game"] == "toy"
    assert told["results"]["counter"]["points"]["mean"] == 5


def test_it_is_played_over_the_network(tmp_path: Path) -> None:
    async def play() -> None:
        server = ServerProcess(tmp_path / "toy.db")
        await server.start()
        try:
            await _play_at(server.url)
        finally:
            assert server.stop()

    run_async(play(), 120)


async def _play_at(url: str) -> None:
    ann = Client(url)
    await ann.sign_in("Ann")
    code = await ann.create_table("toy", bots=["counter"], options={"goal": 12}, quick_bots=True)
    async with ann.join(code) as table:
        await table.manage(Ready())
        while not table.is_over:
            await table.until(
                lambda: table.is_over or (table.state is not None and table.state.turn == table.seat)
            )
            if not table.is_over:
                assert table.seat is not None
                with pytest.raises(RemoteRefusal, match="not_next"):
                    await table.play(Say(table.seat, 99))
                await table.play(Say(table.seat, table.state.number + 1))
        assert sum(table.state.scores) == 12
        assert table.game is not None
        kept = record.read(await ann.record(table.game))
    assert record.verify(kept) is None
    assert kept.seal is not None


def test_t3_it_waits_for_nobody_who_is_gone(tmp_path: Path) -> None:
    """It knows nothing of who is away; still anybody at its table may let a bot play on."""

    async def play() -> None:
        limits = {"away_seconds": 0.2, "stand_in_seconds": 0.4, "seat_grace_seconds": 0.1}
        server = ServerProcess(tmp_path / "toy.db", limits=limits)
        await server.start()
        try:
            await _go_away_at(server.url)
        finally:
            assert server.stop()

    run_async(play(), 120)


async def _go_away_at(url: str) -> None:
    ann, bo = Client(url), Client(url)
    await ann.sign_in("Ann")
    await bo.sign_in("Bo")
    code = await ann.create_table("toy", people=2, options={"goal": 12})
    async with ann.join(code) as first, bo.join(code) as second:
        await second.manage(Sit())
        for table in (first, second):
            await table.manage(Ready())
        for table in (first, second):
            await table.until(lambda table=table: table.state is not None and table.state.phase == "count")  # type: ignore[misc]
        turn = first.state.turn
        gone, here = (first, second) if turn == 0 else (second, first)
        await gone.__aexit__(None, None, None)
        await here.until(lambda: here.missed == (turn,))
        await here.manage(StandIn(turn))
        await here.until(lambda: here.state.turn != turn)
        assert here.table.seats[turn].bot == "counter"
