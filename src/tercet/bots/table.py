"""A table of bots that play a game to its end, in the game's own time: nobody waits for a clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.bots.bot import DEFAULT_TIME_LIMIT, Bot
from tercet.games import Game

#: More choices than any game needs: a bot that plays on and on is told so.
CHOICES_LIMIT = 100_000


def play(
    game: Game[Any, Any, Any, Any], bots: Sequence[Bot[Any, Any]], time_limit: float = DEFAULT_TIME_LIMIT
) -> None:
    """Play the game to its end with a bot at every seat; the one whose delay is over first acts first.

    Deadlines of the game run as they do at a table. Raises RuntimeError when no bot has anything to do; what a bot
    raises, and `Refused` for what the rules do not allow it, gets a note that names the bot.
    """
    clock = game.clock
    acts_at: dict[int, int] = {}
    for _ in range(CHOICES_LIMIT):
        if game.is_over:
            return
        for bot in bots:
            if bot.seat not in acts_at:
                acts_at[bot.seat] = clock + bot.delay(game.view(bot.seat))
        bot = min(bots, key=lambda bot: (acts_at[bot.seat], bot.seat))
        due = game.due
        if due is not None and due.at < acts_at[bot.seat]:
            clock = due.at
            game.advance(clock)
            acts_at.clear()
            continue
        if acts_at[bot.seat] == NEVER:
            break
        clock = acts_at[bot.seat]
        try:
            command = bot.choose(game.view(bot.seat), time_limit)
            if command is not None:
                game.do(command, at=clock)
        except Exception as error:
            error.add_note(f"{bot.name} at seat {bot.seat + 1} failed")
            raise
        if command is None:
            acts_at[bot.seat] = NEVER
        else:
            acts_at.clear()
    raise RuntimeError(
        f"{', '.join(bot.name for bot in bots)}: nobody does anything, and the game is not over"
    )


#: The time at which a bot acts that has nothing to do on this view.
NEVER = 1 << 62
