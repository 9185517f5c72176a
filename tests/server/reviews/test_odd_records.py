"""Whatever record comes to the process that reviews: a clear answer, and it is there for the next one."""

from __future__ import annotations

import asyncio
import json
import zlib
from pathlib import Path

import pytest

from tercet import bots, cards, cubed, kernel, record
from tercet.fairness import seed_from
from tercet.server.limits import Limits
from tercet.server.protocol import Leave, Ready, Sit
from tercet.server.reviews.reviewer import Answer, Reviewer, Tried, Wanted
from tests.bots.tables import SEATS, dice_game, scramble_game, seated
from tests.server.players import play_cards
from tests.server.reviews.test_reviews import LAZY
from tests.server.serving import run, serving
from tests.server.web.test_editions import SMALL

pytestmark = pytest.mark.skipif(not kernel.COMPILED, reason="needs the compiled kernel to be quick")

HUGE = SMALL.replace("[7, 9]", "[30, 30]")


def card_game(players: int = 2, **options: int) -> cards.Game:
    names = [f"Player {number}" for number in range(players)]
    game = cards.Game(names, seed=seed_from("odd"), options=options)
    bots.play(game, seated("set", ["regular"] * players))
    return game


def own_edition(text: str) -> cubed.Game:
    """A game on a board of somebody's own."""
    return dice_game(["greedy", "greedy"], edition=json.loads(json.dumps(cubed.Edition.read(text).whole())))


def unfinished(*, broken_off: bool) -> str:
    game = cubed.Game(SEATS[:2], seed=seed_from("odd"))
    game.do(cubed.Begin(0))
    return record.write_json(record.of(game, broken_off=broken_off))


def test_every_record_gets_a_clear_answer() -> None:
    dice = record.write_json(record.of(dice_game(["greedy", "greedy"])))
    lines = dice.splitlines()
    laid = next(n for n, line in enumerate(lines) if '"laid"' in line)
    tampered = [*lines[:laid], lines[laid].replace('"points":', '"points":1'), *lines[laid + 1 :]]
    texts = {
        unfinished(broken_off=False): "not_finished",
        unfinished(broken_off=True): "broken_off",
        "\n".join(lines[:-3]): "cannot_review",
        "\n".join(tampered): "cannot_review",
        '[Event "Chess"]\n\n1. e4 e5': "cannot_review",
        "": "cannot_review",
        record.write_json(record.of(scramble_game(["quick", "quick"], rounds=1))): "no_review",
        record.write_json(record.of(own_edition(HUGE))): "cannot_review",
        record.write_json(record.of(own_edition(SMALL))): None,
        record.write_json(record.of(dice_game(["greedy"] * 4))): None,
        record.write_json(record.of(card_game(rounds=100))): None,
    }

    async def scenario() -> None:
        reviewer = Reviewer(0)
        for text, code in texts.items():
            answer = await reviewer.ask(Wanted(text, 8, 600))
            assert answer.problem == code, answer.detail
            if code is None:
                assert json.loads(zlib.decompress(answer.content))["players"] == []
            else:
                assert answer.detail
        too_long = await reviewer.ask(Wanted(dice, 8, 0))
        assert too_long == Answer(
            b"", "too_long", "a review may take 0 seconds here, and this one needs more"
        )
        lay = {"do": "lay", "seat": 0, "placements": []}
        assert (await reviewer.ask(Tried(dice, 1, lay, 8))).problem == "no_what_if"
        process = reviewer._process
        assert process is not None
        assert process.is_alive(), "one process has answered it all"
        reviewer.close()

    run(scenario())


def test_eight_players_and_a_hundred_rounds_stay_within_bounds() -> None:
    """As much as ten of its hundred rounds take, ten times."""
    text = record.write_json(record.of(card_game(8, rounds=10)))

    async def scenario() -> None:
        reviewer = Reviewer(0)
        answer = await reviewer.ask(Wanted(text, None, 600))
        reviewer.close()
        assert answer.problem is None
        assert 10 * len(answer.content) < Limits().review_bytes / 4

    run(scenario(), 200)


def test_a_seat_that_changed_hands_is_told_and_counts_for_nobody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", review_nice=0, limits=LAZY) as server:
            ann, bo, cy = [await server.client(name) for name in ("Ann", "Bo", "Cy")]
            options = {"auto_deal": True, "rounds": 1}
            code = await ann.create_table("set", people=2, options=options)
            async with ann.join(code) as table, bo.join(code) as other, cy.join(code) as late:
                await other.manage(Sit())
                await asyncio.gather(*(one.manage(Ready()) for one in (table, other)))
                await table.until(lambda: table.game is not None)
                await other.manage(Leave())
                await late.manage(Sit(1))
                await asyncio.gather(play_cards(table), play_cards(late))
                await table.until(lambda: table.table.last is not None)
                assert table.game is not None
                seen = await ann.review(table.game)
        assert [(one.name, one.before, one.counts) for one in seen.players] == [
            ("Ann", (), True),
            ("Cy", seen.players[1].before, False),
        ]
        assert seen.players[1].before[0] == "Bo"

    run(scenario())
