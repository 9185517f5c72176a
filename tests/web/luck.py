"""Luck that a test can choose: the server's seed is known, and so are the secrets of clients without a random source."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from tercet import cubed
from tercet.games import Command
from tests.web import strategy
from tests.web.browsing import Visitor
from tests.web.players import DicePlayer
from tests.web.serving import SEED
from tests.web.tables import begin, dice_table, sign_in

Luck = tuple[int, int]
NAMES = ("Ada", "Ben")


def game_with(luck: Luck) -> cubed.Game:
    """The game that two people play whose clients have these numbers for every byte of their secrets."""
    game = cubed.Game(NAMES, seed=SEED, secrets=[f"{byte:02x}" * 32 for byte in luck])
    game.do(cubed.Begin(0))
    return game


def luck_for(wanted: Callable[[cubed.Game], bool]) -> Luck:
    """The first luck with which the game begins as wanted."""
    return next(luck for luck in product(range(256), range(1, 256)) if wanted(game_with(luck)))


def opened(game: cubed.Game, wanted: Callable[[cubed.State], bool] = lambda _state: True) -> bool:
    """Whether Ada can open as `strategy` does, and Ben then has such a turn."""
    for _ in range(2):
        command: Command | None = strategy.play_dice(game.state, 0)
        if not isinstance(command, cubed.Call | cubed.Show):
            return False
        game.do(command)
    return game.state.turn == 1 and wanted(game.state)


def two_with_luck(luck: Luck, ada: Visitor, ben: Visitor, **options: Any) -> list[DicePlayer]:
    """Ada and Ben at a table of the dice game that has begun with this luck."""
    visitors = [ada, ben]
    for visitor, name, byte in zip(visitors, NAMES, luck, strict=True):
        visitor.context.add_init_script(f"crypto.getRandomValues = (array) => array.fill({byte})")
        sign_in(visitor, name)
    players = dice_table(visitors, **options)
    begin(*players)
    return players


def ben_to_move(luck: Luck, ada: Visitor, ben: Visitor, **options: object) -> list[DicePlayer]:
    """As above, with Ada's opening SET on the logo."""
    players = two_with_luck(luck, ada, ben, **options)
    for _ in range(2):
        players[0].act()
    players[1].until(lambda: players[1].state.turn == 1)
    players[1].page.get_by_role("button", name="Pass").wait_for()
    return players
