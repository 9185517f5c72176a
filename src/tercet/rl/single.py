"""One seat of a game against bots, for Gymnasium: ``gymnasium.make("tercet/Set-v0")`` after ``import tercet.rl``.

A race has no turns: there the learner acts once in every ``tick_ms`` of the game's own time, while the bots look as long as people of
their level do. In the dice game it acts when it is its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from tercet import bots, games
from tercet.bots import DEFAULT_TIME_LIMIT, Bot
from tercet.bots.driver import Bots
from tercet.extras import needs
from tercet.fairness import seed_from
from tercet.games import Refused
from tercet.rl.table import REACH, Encoding, Mask, check_mode, encoding_of, read_options, whole, whole_seed
from tercet.sets import KindError, TercetError, of_kind

with needs("rl"):
    import gymnasium
    from gymnasium import spaces


class _StandIn(Bot[Any, Any]):
    """Does at the learner's seat what no learner decides."""

    name, game, about = "stand-in", "", ""

    def __init__(self, bot: Bot[Any, Any], encoding: Encoding) -> None:
        super().__init__(bot.seat, bot.random)
        self._bot, self._encoding = bot, encoding

    def delay(self, view: Any) -> int:
        return 0 if self._encoding.decides(view, self.seat) else self._bot.delay(view)

    def choose(self, view: Any, time_limit: float = DEFAULT_TIME_LIMIT) -> Any:
        return None if self._encoding.decides(view, self.seat) else self._bot.choose(view, time_limit)


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """The learner sits at ``seat``; the ``opponents`` are bots by their names, on the other seats in order.

    The reward is what the seat has won since its last decision, less what the others have won on average.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        opponents: Sequence[str] = (),
        seat: int = 0,
        tick_ms: int = 1000,
        max_steps: int = 2000,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.encoding = encoding_of(game)
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            raise KindError(
                f"give the opponents in a list, as in ['{bots.usual(game)}'], not {opponents!r:.40}"
            )
        self.opponents = tuple(opponents) or (bots.usual(game),)
        self.seat, self.tick_ms, self.max_steps = seat, tick_ms, max_steps
        self.render_mode = check_mode(render_mode)
        self._kind = games.find(game)
        self._rules = self._kind.rules
        seats = len(self.opponents) + 1
        self._rules.check_seats(seats)
        for name in self.opponents:
            bots.find(game, name)
        if type(seat) is not int or not 0 <= seat < seats:
            raise KindError(f"give a seat from 0 to {seats - 1}, not {seat!r:.40}")
        of_kind(max_steps, int, "a number of steps as max_steps")
        of_kind(tick_ms, int, "whole milliseconds as tick_ms")
        if tick_ms < 1:
            raise TercetError(f"tick_ms is {tick_ms}: at least one millisecond")
        self._options = read_options(self.encoding, options)
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-REACH, REACH, (self.encoding.size(seats),), np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=None if seed is None else whole_seed(seed))
        luck = str(self.np_random.integers(2**62))
        names = [*self.opponents[: self.seat], "learner", *self.opponents[self.seat :]]
        self.game = self._kind(
            [f"{name} {place}" for place, name in enumerate(names, 1)],
            seed=seed_from(luck),
            options=self._options,
        )
        players: list[Bot[Any, Any]] = []
        for place, name in enumerate(names):
            own = place == self.seat
            known = self.encoding.stand_in if own else name
            bot = bots.make(self._rules.name, known, place, Random(f"{luck} {place}"))
            players.append(_StandIn(bot, self.encoding) if own else bot)
        self._bots = Bots(self.game, players)
        self._clock, self._steps = 0, 0
        self._run(0)
        self._scores = self.game.scores
        return self._see(), {}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        self._check_begun()
        command = self.encoding.command(self.game.state, self.seat, whole(action))
        if command is not None:
            try:
                self.game.do(command, at=self._clock)
            except Refused:
                command = None
            self._bots.wake()
        self._steps += 1
        self._run(self.tick_ms if self._rules.is_race else 0)
        reward, over = self._gain(), self.game.is_over
        return self._see(), reward, over, not over and self._steps >= self.max_steps, {}

    def _check_begun(self) -> None:
        if not hasattr(self, "game"):
            raise TercetError("call reset first")

    def _run(self, tick: int) -> None:
        """Let the others play, up to the learner's next decision."""
        game, until = self.game, self._clock + tick
        while not game.is_over:
            waits = self.encoding.decides(game.state, self.seat)
            if waits and not tick:
                return
            due, next_time = game.due, self._bots.next_time(self._clock)
            at = min(
                [time for time in (due.at if due else None, next_time) if time is not None], default=until
            )
            if waits and at >= until:
                self._clock = until
                return
            self._clock = max(self._clock, at)
            if due is not None and due.at <= at:
                game.advance(due.at)
                self._bots.wake()
            else:
                self._bots.act(self._clock)

    def _gain(self) -> float:
        before, after = self._scores, self.game.scores
        self._scores = after
        gained = [new - old for new, old in zip(after, before, strict=True)]
        own = gained[self.seat]
        return own - (sum(gained) - own) / (len(gained) - 1)

    def _see(self) -> dict[str, Any]:
        view = self.game.view(self.seat)
        return {
            "observation": self.encoding.see(view, self.seat),
            "action_mask": self.action_masks().copy(),
        }

    def action_masks(self) -> Mask:
        """What is allowed now, by the name that some libraries ask for."""
        self._check_begun()
        return self.encoding.mask(self.game.state, self.seat)

    def render(self) -> str:
        """The table as text."""
        self._check_begun()
        return str(self.game)
