"""The games for OpenSpiel, with every chance as a node of its own: importing this registers ``python_tercet_set`` and ``python_tercet_cubed``.

A draw from a deck of 60 cards is a chance node with 60 outcomes of equal probability. Parameters are ``players`` and ``max_cycles``: after so many
rounds of decisions the game is over. Returns are a seat's points less the mean of the others', so they sum to nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from tercet.extras import needs
from tercet.rl.table import Luck, Table, check_cycles, encoding_of, learnable

with needs("openspiel"):
    import pyspiel


class _Wanted(Exception):
    """A chance that is not known yet: one of so many."""

    def __init__(self, count: int) -> None:
        self.count = count


class _Script:
    """The outcomes so far; whoever wants another one is told to wait for it."""

    def __init__(self, drawn: tuple[int, ...]) -> None:
        self._left = iter(drawn)

    def below(self, count: int, label: str) -> int:
        if count == 1:
            return 0
        found = next(self._left, None)
        if found is None:
            raise _Wanted(count)
        return found


class _Now(NamedTuple):
    """Where a game is: after the last decision, what was then chosen, and the luck since; ``wanted`` outcomes come next."""

    state: Any
    cycle: int
    queue: tuple[int, ...]
    action: int | None = None
    drawn: tuple[int, ...] = ()
    wanted: int = 0

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self


def _kind(name: str) -> Any:
    return pyspiel.GameType(
        short_name=f"python_tercet_{name}",
        long_name=f"Tercet {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if encoding_of(name).hides
        else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, "max_cycles": 200},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games; `pyspiel.load_game("python_tercet_set(players=3)")` makes one."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"players": 2, "max_cycles": 200, **(params or {})}
        self.table = Table(self.name, given["players"])
        self.max_cycles = check_cycles(given["max_cycles"])
        encoding = self.table.encoding
        points = 10.0 * self.max_cycles + 1000
        super().__init__(
            _KINDS[self.name],
            pyspiel.GameInfo(
                num_distinct_actions=encoding.actions,
                max_chance_outcomes=81,
                num_players=given["players"],
                min_utility=-points,
                max_utility=points,
                utility_sum=0.0,
                max_game_length=2 * self.max_cycles * given["players"] + 100,
            ),
            given,
        )

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.table)


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        table = game.table
        table.reset(Luck.__new__(Luck), begin=False)
        self._now = _go_on(table, _Now(table.state, -1, ()))

    @property
    def table(self) -> Table:
        """The game's one table, put to where this state is."""
        table: Table = self.get_game().table
        table.state, table.cycle, table.queue = self._now.state, self._now.cycle, list(self._now.queue)
        return table

    @property
    def _is_late(self) -> bool:
        return bool(self._now.cycle >= self.get_game().max_cycles)

    def is_terminal(self) -> bool:
        return not self._now.wanted and (self._is_late or self.table.is_over)

    def current_player(self) -> int:
        if self._now.wanted:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self._now.queue[0]

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.table.mask(player))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = self._now.wanted
        return [(outcome, 1 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        now = self._now
        if now.wanted:
            now = now._replace(drawn=(*now.drawn, action), wanted=0)
        else:
            now = now._replace(action=action)
        self._now = _go_on(self.table, now)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"luck {action}"
        table = self.table
        command = table.encoding.command(table.state, player, action)
        return f"{action}: {'wait' if command is None else command}"

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return self.table.worth((0,) * self.num_players())

    def __str__(self) -> str:
        return f"{self._now.state}\n{' '.join(map(str, self._now.state.scores))} {self._now.drawn} {self._now.queue}"


def _go_on(table: Table, now: _Now) -> _Now:
    """Carry out what was chosen, with the luck that is known: to the next decision, or to the chance that is missing."""
    table.state, table.cycle, table.queue = now.state, now.cycle, list(now.queue)
    table.chance = _Script(now.drawn)
    try:
        if now.action is None:
            table.go_on()
        else:
            table.act(now.action)
    except _Wanted as wanted:
        return now._replace(wanted=wanted.count)
    return _Now(table.state, table.cycle, tuple(table.queue))


class SpielObserver:
    """What a seat sees, as OpenSpiel wants it."""

    def __init__(self, table: Table) -> None:
        self.tensor = np.zeros(table.encoding.size(table.seats), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state.table.observe(player)

    def string_from(self, state: SpielState, player: int) -> str:
        table = state.table
        return f"{table.view(player)}\n{' '.join(map(str, table.state.scores))}"


_KINDS = {name: _kind(name) for name in learnable()}

for _name, _game_type in _KINDS.items():
    pyspiel.register_game(_game_type, type(f"Tercet{_name.title()}", (SpielGame,), {"name": _name}))
