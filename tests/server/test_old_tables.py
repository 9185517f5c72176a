"""Tables from before clients had secrets (F1): they can be read, their games go on, and what can be checked is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tercet import cards, cubed, games, record
from tercet.codec import to_json
from tercet.fairness import seed_from
from tercet.games import Game
from tercet.server.store import Line, Store, open_store
from tercet.sets import find_sets
from tests.server.serving import run, serving

SEED = seed_from("old")


def opened(game: str, options: dict[str, Any], people: int) -> dict[str, Any]:
    return {
        "kind": "opened", "code": "OLDONE", "game": game, "options": options, "host": "ann", "public": False,
        "late_join": True, "practice": False, "chat": True, "seats": [None] * people, "seed": SEED, "time": 1000,
    }  # fmt: skip


def table_log(
    game: str, options: dict[str, Any], entropy: str = "", scores: list[int] | None = None
) -> list[Any]:
    """As the server wrote it then."""
    events = [
        opened(game, options, 2),
        {"kind": "sat", "seat": 0, "person": "ann", "name": "Ann"},
        {"kind": "sat", "seat": 1, "person": "bo", "name": "Bo"},
        {"kind": "said_ready", "seat": 0, "ready": True, "entropy": entropy},
        {"kind": "said_ready", "seat": 1, "ready": True, "entropy": ""},
        {"kind": "began", "game": "oldgame", "time": 2000},
    ]
    if scores is not None:
        events.append(
            {"kind": "finished", "scores": scores, "winners": [0], "seed": seed_from("next"), "time": 3000}
        )
    return events


async def write(database: str, table: list[Any], game: Game[Any, Any, Any, Any]) -> None:
    store: Store = await open_store(database)
    lines = [Line(number, 2000, json.dumps(event), None) for number, event in enumerate(table, 1)]
    await store.append("table OLDONE", 0, lines)
    await store.append(
        "oldgame", 0, [Line(entry.seq, entry.at, to_json(entry.event).decode(), None) for entry in game.log]
    )
    await store.close()


def played_out() -> cards.Game:
    game = cards.Game(["Ann", "Bo"], seed=SEED, options={"rounds": 1, "only": "red", "auto_deal": True})
    game.do(cards.Deal(0))
    while not game.is_over:
        game.do(cards.Call(0))
        game.do(cards.Show(0, find_sets(game.state.table)[0]))
    return game


@pytest.mark.parametrize("entropy", ["", "my lucky number"])
def test_a_finished_game_can_be_read_and_what_can_be_checked_is(database: str, entropy: str) -> None:
    async def scenario() -> None:
        game = played_out()
        options = {"rounds": 1, "only": "red", "auto_deal": True}
        await write(database, table_log("set", options, entropy, list(game.scores)), game)
        await rebuilt(database)
        async with serving(database) as server:
            eve = await server.client("Eve")
            kept = record.read(await eve.record("oldgame"))
            assert kept.log == tuple(game.log)
            assert kept.result == game.scores
            proof = record.prove(kept)
            # Nobody but the server of then can compute luck in which something typed is mixed.
            assert proof.itself.verdict == ("open" if entropy else "proved")
            async with eve.join("OLDONE") as table:
                assert table.table.number == 2
                assert table.table.last is not None
                assert table.table.last.names == ("Ann", "Bo")

    run(scenario())


async def rebuilt(database: str) -> None:
    """The rows of lobby and games, which were not written with the logs."""
    from tercet.server.projections.rebuild import rebuild

    store = await open_store(database)
    await rebuild(store, {})
    await store.close()


def test_a_running_game_goes_on_with_an_edition_as_it_was_named_then(database: str) -> None:
    async def scenario() -> None:
        game = cubed.Game(["Ann", "Bo"], seed=SEED)
        game.do(cubed.Begin(0))
        await write(database, table_log("cubed", {"edition": "house:e783621495"}), game)
        await rebuilt(database)
        async with serving(database) as server:
            eve = await server.client("Eve")
            async with eve.join("OLDONE") as table:
                assert table.state == game.view(None)
                assert table.table.phase == "playing"
            kept = record.read(await eve.record("oldgame"))
            assert kept.options == game.options
            assert kept.seed is None

    run(scenario())


def test_every_built_in_edition_of_then_is_known() -> None:
    for name, then in (("house", "house:e783621495"), ("dutch", "dutch:8052d60d78")):
        options = games.find("cubed").rules.read_options({"edition": then})
        assert options == cubed.Options(edition=cubed.Edition.named(name))
