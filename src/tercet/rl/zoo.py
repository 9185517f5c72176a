"""The games as PettingZoo environments."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from tercet.extras import needs
from tercet.rl.table import REACH, Luck, Table, check_cycles, check_mode, whole, whole_seed
from tercet.sets import TercetError, of_kind

with needs("rl"):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv

Seen = dict[str, Any]


class _Tables:
    """What both kinds of environment share."""

    table: Table
    max_cycles: int
    metadata: dict[str, Any]

    def __init__(
        self,
        game: str,
        seats: int = 2,
        max_cycles: int = 1000,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__()
        self.table = Table(game, seats, options)
        self.max_cycles, self.strict = check_cycles(max_cycles), strict
        self.render_mode = check_mode(render_mode)
        self.metadata = {**self.metadata, "name": f"tercet_{game}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = Random()
        size, actions = self.table.encoding.size(seats), self.table.encoding.actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-REACH, REACH, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        seat = self._seats.get(agent)
        if seat is None:
            raise TercetError(f"there is no agent {agent!r:.40}; there are {', '.join(self.possible_agents)}")
        return seat

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            seed = whole_seed(seed)
            self._random = Random(seed)
            self.np_random, _ = seeding.np_random(seed)
        self.agents = list(self.possible_agents)
        self.table.reset(Luck(self._random))
        self._first_cycle = self.table.cycle

    def _see(self, agent: str) -> Seen:
        seat, table = self._seat(agent), self.table
        mask = table.mask(seat)
        return {
            "observation": table.observe(seat),
            "action_mask": mask if mask.flags.writeable else mask.copy(),
        }

    def _number(self, seat: int, action: Any) -> int:
        """The action as a number. In a strict environment one that is not allowed is an error, otherwise it does what action 0 does."""
        number = None if action is None else whole(action)
        if self.strict and (
            number is None
            or not 0 <= number < self.table.encoding.actions
            or not self.table.mask(seat)[number]
        ):
            raise TercetError(
                f"action {action!r:.20} is not allowed to {self.possible_agents[seat]}: ask the action_mask"
            )
        return number or 0

    @property
    def _is_late(self) -> bool:
        return self.table.cycle - self._first_cycle >= self.max_cycles

    def render(self) -> str:
        """The table as text."""
        return str(self.table.state)

    def close(self) -> None:
        """There is nothing to close."""


class AEC(_Tables, AECEnv[str, Seen, int]):  # type: ignore[misc]
    """One seat acts after the other. Rewards are the points that a seat wins less those that the others win on average.

    An action that the mask does not allow does what action 0 does; in a ``strict`` environment it is an error.
    """

    metadata = {"render_modes": ["ansi"], "name": "tercet", "is_parallelizable": False}  # noqa: RUF012

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self.table.acting
        self.agent_selection = self.possible_agents[0 if seat is None else seat]

    def observe(self, agent: str) -> Seen:
        return self._see(agent)

    def step(self, action: int | None) -> None:
        if not hasattr(self, "agent_selection"):
            raise TercetError("call reset before step")
        if not self.agents:
            raise TercetError("the game is over: call reset before the next step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        worth = self.table.act(self._number(self._seats[agent], action))
        for seat, other in enumerate(self.possible_agents):
            self.rewards[other] = worth[seat]
            self._cumulative_rewards[other] += worth[seat]
        if self.table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._is_late:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()


class Together(_Tables, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """All act at once; who is first, chance says. Where it is not a seat's decision, what it does is passed over. ``strict`` as in `AEC`."""

    metadata = {"render_modes": ["ansi"], "name": "tercet"}  # noqa: RUF012

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        self._begin(seed)
        self._cycles = 0
        return {agent: self._see(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        table = self.table
        if not hasattr(self, "_cycles"):
            raise TercetError("call reset before step")
        of_kind(actions, Mapping, "the actions by agent, as in {'player_0': 0}")
        agents, deciding = self.agents, set(table.queue)
        chosen = {self._seat(agent): action for agent, action in actions.items()}
        worth = table.act_together(
            {seat: self._number(seat, action) for seat, action in chosen.items() if seat in deciding}
        )
        self._cycles += 1
        over, late = table.is_over, self._cycles >= self.max_cycles
        if over or late:
            self.agents = []
        return (
            {agent: self._see(agent) for agent in agents},
            {agent: worth[self._seats[agent]] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late and not over),
            {agent: {} for agent in agents},
        )
