"""A game as a learner meets it: numbered actions, a vector to look at, and whose decision it is.

What the numbers mean, each game says itself in its module ``learning`` (`Encoding`). What no learner decides, the deal and the race for
the opening SET, a bot does for everybody.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from operator import index
from random import Random
from typing import Any, ClassVar

from tercet import bots, games
from tercet.extras import needs
from tercet.fairness import Chance
from tercet.games import Command, OptionsError, Refusal
from tercet.sets import KindError, TercetError, of_kind

with needs("rl"):
    import numpy as np

Vector = np.ndarray[Any, np.dtype[np.float32]]
Mask = np.ndarray[Any, np.dtype[np.int8]]


#: The numbers of a vector lie between this and as far below nothing.
REACH = 10


class Encoding(ABC):
    """How a game is put into numbers. Action 0 is always allowed: to wait, to pass, to keep all dice."""

    name: ClassVar[str]
    #: How many actions there are, and how long the vector is for two players; each further player adds so many.
    actions: ClassVar[int]
    length: ClassVar[int]
    length_a_player: ClassVar[int]
    #: The options of the game, as plain data, unless others are given; and the bot for what nobody decides.
    options: ClassVar[dict[str, Any]]
    stand_in: ClassVar[str]
    #: Whether something is hidden from a seat.
    hides: ClassVar[bool] = False

    @abstractmethod
    def decides(self, state: Any, seat: int) -> bool:
        """Whether this seat has a decision to make."""

    @abstractmethod
    def mask(self, state: Any, seat: int) -> Mask:
        """1 for each action that is allowed."""

    @abstractmethod
    def command(self, state: Any, seat: int, action: int) -> Command | None:
        """What an action does; None if it does nothing. An action that is not allowed does what action 0 does."""

    @abstractmethod
    def observe(self, state: Any, seat: int) -> Vector:
        """What this seat sees."""

    def see(self, state: Any, seat: int) -> Vector:
        """The same within `REACH`: points have no end, the space of a learner has."""
        seen = self.observe(state, seat)
        return seen.clip(-REACH, REACH, out=seen)

    def size(self, seats: int) -> int:
        """The length of the vector."""
        return self.length + (seats - 2) * self.length_a_player


def learnable() -> list[str]:
    """The games that can be learned: those whose package has a module ``learning``."""
    return [name for name in games.names() if games.has_part(name, "learning")]


def encoding_of(game: str) -> Encoding:
    """How this game is put into numbers."""
    part = games.part(game, "learning")
    if part is None:
        raise OptionsError(f"{game} cannot be learned; there are {', '.join(learnable())}")
    encoding: Encoding = part.ENCODING
    return encoding


def read_options(encoding: Encoding, options: Mapping[str, Any] | None) -> Any:
    """The options of the game as it is learned, with what is given changed."""
    if options is not None:
        of_kind(options, Mapping, "options in a dict, as in {'rounds': 1}")
    return games.find(encoding.name).rules.read_options({**encoding.options, **(options or {})})


def whole(action: Any) -> int:
    """An action as a number; an error for what is none."""
    try:
        return index(action)
    except TypeError:
        raise KindError(f"an action is a whole number, as in the action_mask, not {action!r:.40}") from None


def whole_seed(seed: Any) -> int:
    """A seed as a number, NumPy's numbers among them; an error for what is none."""
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    raise KindError(f"a seed is a whole number from 0 on, not {seed!r:.40}")


def check_cycles(cycles: int) -> int:
    """After how many rounds of decisions it all ends."""
    of_kind(cycles, int, "a number of cycles as max_cycles")
    if cycles < 1:
        raise TercetError(f"max_cycles is {cycles}: at least one cycle")
    return cycles


def check_mode(mode: str | None) -> str | None:
    """How an environment is drawn: as text, or not at all."""
    if mode not in (None, "ansi"):
        raise TercetError(f"render_mode is 'ansi', which is text, or None, not {mode!r:.40}")
    return mode


class Luck:
    """Chance from a random source of one's own: faster than from a committed seed, and as exactly repeatable."""

    __slots__ = ("_randrange",)

    def __init__(self, random: Random) -> None:
        self._randrange = random.randrange

    def below(self, count: int, label: str) -> int:
        return self._randrange(count)


class Table:
    """One game. Seats act in a cycle, each cycle begun by the next seat, and only those that have a decision to make."""

    def __init__(self, game: str, seats: int = 2, options: Mapping[str, Any] | None = None) -> None:
        self.encoding = encoding_of(game)
        self.rules = games.find(game).rules
        self.rules.check_seats(seats)
        self.seats = seats
        self.options = read_options(self.encoding, options)
        self.stand_ins = [bots.make(game, self.encoding.stand_in, seat, Random(0)) for seat in range(seats)]
        self.reset(Luck(Random(0)), begin=False)

    def reset(self, chance: Chance, *, begin: bool = True) -> None:
        """A new game with this chance, up to the first decision."""
        self.chance = chance
        self.state: Any = self.rules.start(self.options, self.seats)
        self.cycle = -1
        self.queue: list[int] = []
        if begin:
            self.go_on()

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    @property
    def acting(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return self.queue[0] if self.queue else None

    def act(self, action: int) -> list[float]:
        """Let the one whose decision it is do this; what it is worth to each seat."""
        seat = self.queue.pop(0)
        before = self.state.scores
        command = self.encoding.command(self.state, seat, action)
        if command is not None:
            self.carry_out(command)
        self.go_on()
        return self.worth(before)

    def act_together(self, actions: dict[int, int]) -> list[float]:
        """Let all act at once: who is first, chance says; whose cards are gone has lost the race."""
        before = self.state.scores
        commands = {seat: self.encoding.command(self.state, seat, action) for seat, action in actions.items()}
        waiting = list(commands)
        while waiting:
            first = self.chance.below(len(waiting), "who is first") if len(waiting) > 1 else 0
            command = commands[waiting.pop(first)]
            if command is not None:
                self.carry_out(command)
        self.queue = []
        self.go_on()
        return self.worth(before)

    def carry_out(self, command: Command) -> None:
        happened = self.rules.carry_out(self.state, command, 0, self.chance)
        if not isinstance(happened, Refusal):
            self.state = happened.state

    def go_on(self) -> None:
        """Play what nobody decides, up to the next decision."""
        decides = self.encoding.decides
        while self.queue and not decides(self.state, self.queue[0]):
            self.queue.pop(0)
        while not self.queue and not self.is_over:
            self.cycle += 1
            first = self.cycle % self.seats
            order = (*range(first, self.seats), *range(first))
            self.queue = [seat for seat in order if decides(self.state, seat)]
            if not self.queue:
                self.play_by_itself()
        if self.is_over:
            self.queue = []

    def play_by_itself(self) -> None:
        """One command that nobody decides; whose it is where several could, is chance."""
        ready = []
        for bot in self.stand_ins:
            bot.random.seed(0)
            command = bot.choose(self.rules.view(self.state, bot.seat))
            if command is not None:
                ready.append(command)
        if not ready:
            raise RuntimeError("nobody has anything to do, and the game is not over")
        self.carry_out(ready[self.chance.below(len(ready), "who is first")] if len(ready) > 1 else ready[0])

    def worth(self, before: Sequence[int]) -> list[float]:
        """What changed: a seat's new points less the mean of the others'. All seats together get nothing."""
        after = self.state.scores
        if after is before or after == before:
            return [0.0] * self.seats
        gained = [new - old for new, old in zip(after, before, strict=True)]
        total, others = sum(gained), max(1, self.seats - 1)
        return [points - (total - points) / others for points in gained]

    def view(self, seat: int) -> Any:
        return self.rules.view(self.state, seat)

    def observe(self, seat: int) -> Vector:
        return self.encoding.see(self.view(seat), seat)

    def mask(self, seat: int) -> Mask:
        return self.encoding.mask(self.state, seat)
