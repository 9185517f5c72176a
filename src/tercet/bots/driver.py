"""How a bot sits at a table: it looks, waits as long as a player would, chooses, and acts.

`attend` is that rule, without a clock and without a table: whoever has these asks it what to do next. A table of bots
in the game's own time is `play`; `Bots` drives the bots of a table at which time passes by itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, NamedTuple

from tercet.bots.bot import DEFAULT_TIME_LIMIT, Bot, BotError
from tercet.games import Command, Entry, Game
from tercet.sets import of_kind

#: More choices than any game needs: a bot that plays on and on is told so.
CHOICES_LIMIT = 100_000
#: The time at which a bot acts that has nothing to do until something happens.
NEVER = 1 << 62
#: How long a bot waits before it looks again after its command was refused.
AGAIN_MS = 2000


class Look(NamedTuple):
    """Ask the bot how long it takes on this view; answer with the milliseconds."""


class Wait(NamedTuple):
    """Wait so many milliseconds, or for something to happen (None: only for that); answer whether it did."""

    milliseconds: int | None


class Choose(NamedTuple):
    """Ask the bot what it does on this view; answer with the command, or None."""


class Act(NamedTuple):
    """Play this command; answer whether it was refused."""

    command: Command


Step = Look | Wait | Choose | Act


def attend() -> Generator[Step, Any, None]:
    """What a bot does at a table, step by step, for ever."""
    while True:
        delay = yield Look()
        if (yield Wait(delay)):
            continue
        command = yield Choose()
        if command is None:
            yield Wait(None)
        elif (yield Act(command)):
            yield Wait(AGAIN_MS)


class _Seat:
    """One bot, and when it goes on."""

    def __init__(self, bot: Bot[Any, Any]) -> None:
        self.bot = bot
        self.steps = attend()
        self.step = next(self.steps)
        self.goes_on_at = 0

    def answer(self, answer: Any) -> None:
        self.step = self.steps.send(answer)


class Bots:
    """The bots of a table. Times are the game's; whoever has the clock says what time it is."""

    def __init__(
        self,
        game: Game[Any, Any, Any, Any],
        bots: Iterable[Bot[Any, Any]],
        time_limit: float = DEFAULT_TIME_LIMIT,
    ) -> None:
        self._game = game
        self._seats = [_Seat(bot) for bot in bots]
        self._time_limit = time_limit

    def next_time(self, now: int) -> int | None:
        """When the next bot acts if nothing happens before; None if none of them has anything to do."""
        for seat in self._seats:
            while isinstance(seat.step, Look):
                seat.answer(seat.bot.delay(self._game.view(seat.bot.seat)))
                self._set_alarm(seat, now)
        first = min((seat.goes_on_at for seat in self._seats), default=NEVER)
        return None if first == NEVER else first

    def act(self, now: int) -> list[Entry[Any]]:
        """Let the bot act whose time has come, if there is one; what happened.

        What a bot raises, and `Refused` for what the rules do not allow it, gets a note that names the bot.
        """
        seat = min(self._seats, key=lambda seat: (seat.goes_on_at, seat.bot.seat), default=None)
        if seat is None or seat.goes_on_at > now:
            return []
        try:
            return self._go_on(seat, now)
        except Exception as error:
            error.add_note(f"{seat.bot.name} at seat {seat.bot.seat + 1} failed")
            raise

    def wake(self) -> None:
        """Something happened: all look again."""
        for seat in self._seats:
            if isinstance(seat.step, Wait):
                seat.answer(True)

    def _go_on(self, seat: _Seat, now: int) -> list[Entry[Any]]:
        seat.answer(False)
        if isinstance(seat.step, Choose):
            seat.answer(seat.bot.choose(self._game.view(seat.bot.seat), self._time_limit))
        if not isinstance(seat.step, Act):
            self._set_alarm(seat, now)
            return []
        entries = self._game.do(seat.step.command, at=now)
        seat.answer(False)
        self.wake()
        return entries

    def _set_alarm(self, seat: _Seat, now: int) -> None:
        if isinstance(seat.step, Wait):
            wait = seat.step.milliseconds
            seat.goes_on_at = NEVER if wait is None else now + wait


def play(
    game: Game[Any, Any, Any, Any], bots: Sequence[Bot[Any, Any]], time_limit: float = DEFAULT_TIME_LIMIT
) -> None:
    """Play the game to its end with a bot at every seat, in the game's own time: nobody waits for a clock.

    Deadlines of the game run as they do at a table. Raises RuntimeError when no bot has anything to do.
    """
    of_kind(bots, Sequence, "a bot for each seat in a list, as bots.make makes them")
    if not bots:
        raise BotError("no bots: give one for each seat, as bots.make makes them")
    for bot in bots:
        of_kind(bot, Bot, "bots, as bots.make makes them")
        if getattr(bot, "game", game.rules.name) != game.rules.name:
            raise BotError(f"{bot!r} plays {bot.game}, and this is {game.rules.name}")
    seats = sorted(bot.seat for bot in bots)
    if seats != list(range(len(game.seats))):
        raise BotError(
            f"there are bots for the seats {', '.join(map(str, seats))}: give one for each from 0 to {len(game.seats) - 1}"
        )
    table, clock = Bots(game, bots, time_limit), game.clock
    for _ in range(CHOICES_LIMIT):
        if game.is_over:
            return
        next_time = table.next_time(clock)
        due = game.due
        if due is not None and (next_time is None or due.at < next_time):
            clock = due.at
            game.advance(clock)
            table.wake()
        elif next_time is None:
            break
        else:
            clock = next_time
            table.act(clock)
    names = ", ".join(bot.name for bot in bots)
    raise RuntimeError(f"{names}: nobody does anything, and the game is not over")
