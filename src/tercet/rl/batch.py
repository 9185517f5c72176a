"""Many tables at once, on arrays: for learners that want hundreds of thousands of steps a second.

`CardTables` has the card game as `tercet.rl.set_v0` has it for one seat alone: three places are taken, the gaps are filled, more cards come while there is no
SET, a mistake costs a point. The kernel finds the tables without a SET. `DiceTables` has the dice game of `tercet.rl.cubed_v0`, with actions, masks and vectors as there; all of it
is played by the kernel. A table that is over begins again by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet import kernel
from tercet.cards.learning import PLACES, THREES
from tercet.cubed.learning import CubedEncoding
from tercet.editions.edition import Edition
from tercet.rl.table import whole_seed
from tercet.sets import TercetError, of_kind

Array = np.ndarray[Any, Any]

NONE = 81
_THIRD = np.full((NONE + 1, NONE + 1), NONE, dtype=np.uint8)
_DIGITS = np.array([[card // 27, card // 9 % 3, card // 3 % 3, card % 3] for card in range(81)])
_THIRD[:81, :81] = (-(_DIGITS[:, None] + _DIGITS[None]) % 3) @ np.array([27, 9, 3, 1])
_THREES = np.array([(0, 0, 0), *THREES])
OPEN = 12


def _whole(actions: Any, count: int, kinds: int) -> Array:
    """An action for each of so many tables, as an array of whole numbers; there are so many kinds of actions."""
    given = np.asarray(actions)
    if given.size != count:
        raise TercetError(f"{given.size} actions for {count} tables")
    if given.shape != (count,):
        raise TercetError(f"give the actions as an array of the shape ({count},), not {given.shape}")
    if given.dtype.kind not in "iu":
        raise TercetError(f"actions are whole numbers from 0 to {kinds - 1}")
    return np.ascontiguousarray(given, dtype=np.int64)


class CardTables:
    """``count`` tables. ``tables`` are the cards on each, 81 where none lies; ``sizes`` how many they are; ``taken`` the SETs so far.

    >>> many = CardTables(1000, seed=1)
    >>> actions = many.find()
    >>> rewards, over = many.step(actions)
    >>> int(rewards.sum()), many.tables.shape
    (1000, (1000, 21))
    """

    def __init__(self, count: int, seed: int = 0) -> None:
        of_kind(count, int, "a number of tables")
        if count < 1:
            raise TercetError(f"many tables of cards: {count} tables: at least one")
        self.count = count
        self._random = np.random.default_rng(whole_seed(seed))
        self.tables = np.full((count, PLACES), NONE, dtype=np.uint8)
        self.sizes = np.zeros(count, dtype=np.int64)
        self.taken = np.zeros(count, dtype=np.int64)
        self._decks = np.zeros((count, 81), dtype=np.uint8)
        self._dealt = np.zeros(count, dtype=np.int64)
        self._rows = np.arange(count)
        self._deal(self._rows)

    def _deal(self, rows: Array) -> None:
        """New games at these tables."""
        if not len(rows):
            return
        self._decks[rows] = self._random.permuted(
            np.broadcast_to(np.arange(81, dtype=np.uint8), (len(rows), 81)), axis=1
        )
        self.tables[rows] = NONE
        self.tables[rows, :OPEN] = self._decks[rows, :OPEN]
        self.sizes[rows], self._dealt[rows], self.taken[rows] = OPEN, OPEN, 0
        self._open(rows)

    def _open(self, rows: Array) -> Array:
        """Three more cards where there is no SET; the tables where none is left to open, which are over."""
        over = []
        while len(rows):
            rows = self._without_set(rows)
            ended = (self._dealt[rows] >= 81) | (self.sizes[rows] > PLACES - 3)
            over.append(rows[ended])
            rows = rows[~ended]
            for place in range(3):
                self.tables[rows, self.sizes[rows] + place] = self._decks[rows, self._dealt[rows] + place]
            self.sizes[rows] += 3
            self._dealt[rows] += 3
        return np.concatenate(over) if over else rows

    def _without_set(self, rows: Array) -> Array:
        found = []
        sizes = self.sizes[rows]
        for size in np.unique(sizes):
            alike = rows[sizes == size]
            if size < 3:
                found.append(alike)
                continue
            counts = kernel.count_sets_on_each(self.tables[alike, :size].tobytes(), int(size))
            found.append(alike[np.frombuffer(counts, dtype=np.uint16) == 0])
        return np.concatenate(found) if found else rows

    def step(self, actions: Array) -> tuple[Array, Array]:
        """One action for each table, as in `tercet.rl.set_v0`; the reward of each, and whether its game was over and a new one began."""
        actions = _whole(actions, self.count, len(_THREES))
        if actions.min() < 0 or actions.max() >= len(_THREES):
            raise TercetError(f"actions are whole numbers from 0 to {len(_THREES) - 1}")
        rewards = np.zeros(self.count, dtype=np.float32)
        places = _THREES[actions]
        claimed = self._rows[(actions > 0) & (places[:, 2] < self.sizes)]
        three = places[claimed]
        a, b, c = (self.tables[claimed, three[:, place]] for place in range(3))
        right = _THIRD[a, b] == c
        rewards[claimed] = np.where(right, 1, -1)
        rows, three = claimed[right], three[right]
        self.taken[rows] += 1
        full = (self.sizes[rows] <= OPEN) & (self._dealt[rows] < 81)
        filled, gaps = rows[full], three[full]
        for place in range(3):
            self.tables[filled, gaps[:, place]] = self._decks[filled, self._dealt[filled] + place]
        self._dealt[filled] += 3
        self._close_gaps(rows[~full], three[~full])
        over = np.zeros(self.count, dtype=bool)
        ended = self._open(rows)
        over[ended] = True
        self._deal(ended)
        return rewards, over

    def _close_gaps(self, rows: Array, three: Array) -> None:
        """The last cards of a table move into the gaps that stay."""
        if not len(rows):
            return
        index = np.arange(len(rows))[:, None]
        tables = self.tables[rows]
        tables[index, three] = NONE
        sizes = self.sizes[rows] - 3
        held = np.arange(PLACES)[None, :]
        gap = (tables == NONE) & (held < sizes[:, None])
        mover = (tables != NONE) & (held >= sizes[:, None])
        tables[gap] = tables[mover]
        tables[held >= sizes[:, None]] = NONE
        self.tables[rows], self.sizes[rows] = tables, sizes

    def masks(self) -> Array:
        """1 for each action that is allowed at each table."""
        return (_THREES[:, 2] < self.sizes[:, None]).astype(np.int8)

    def find(self) -> Array:
        """The action that takes the first SET of each table: a player who sees everything."""
        found = np.zeros(self.count, dtype=np.int64)
        cards = self.tables
        for row in range(self.count):
            size = int(self.sizes[row])
            found[row] = _ACTION[kernel.find_set_places(cards[row, :size].tobytes())[0]]
        return found


_ACTION = {three: action for action, three in enumerate(THREES, 1)}


class DiceTables:
    """``count`` tables of the dice game, each with ``players`` seats that act one after the other.

    Arrays of what lies there: ``lies`` (a face for each square, 28 more for a wild that stands for it, 55 for none) and ``dice`` (which die, from 0), ``acting`` (whose decision it is),
    ``asks`` (whether it is the extra roll), ``scores``, and ``final``, the scores of the game before. They change with every step: copy what you keep.

    Table *t* plays the games *t*, *t* + ``count``, *t* + 2 ``count`` … of the seed, and a game is the same whatever is played beside it.

    >>> many = DiceTables(100, seed=1)
    >>> points, over = many.step(many.best())
    >>> points.shape, int(points.max(axis=1).sum()), many.masks().shape, many.observe().shape
    ((100, 2), 354, (100, 100), (100, 1257))
    """

    def __init__(self, count: int, players: int = 2, seed: int = 0, edition: Edition | str = "house") -> None:
        of_kind(count, int, "a number of tables")
        of_kind(players, int, "a number of players")
        if isinstance(edition, str):
            edition = Edition.named(edition)
        of_kind(edition, Edition, "an edition, or the name of one")
        layout, luck = edition.layout, whole_seed(seed)
        one, two, three = map(layout.cell, layout.logo)
        try:
            self._steps = kernel.DiceSteps(
                b"".join(bytes(faces) for faces in edition.dice),
                layout.rows,
                layout.cols,
                (one, two, three),
                bytes(layout.bonus_by_cell),
                edition.wild == "never",
                players,
                count,
                luck,
            )
        except ValueError as error:
            raise TercetError(f"many tables of dice: {error}") from None
        self.count, self.players = count, players
        steps = self._steps
        self.lies: Array = np.asarray(steps.lies).reshape(count, layout.rows * layout.cols)
        self.dice: Array = np.asarray(steps.die_at).reshape(self.lies.shape)
        self.scores: Array = np.asarray(steps.scores).reshape(count, players)
        self.final: Array = np.asarray(steps.final).reshape(count, players)
        self.acting, self.asks = np.asarray(steps.acting), np.asarray(steps.asks)
        self._masks = np.asarray(steps.masks).reshape(count, CubedEncoding.actions)
        self._rows = np.arange(count)
        self._seen = np.zeros((count, CubedEncoding().size(players)), dtype=np.float32)

    def step(self, actions: Array) -> tuple[Array, Array]:
        """One action for each table, by whoever is to act there; the reward of each seat, and whether the game was over and a new one began."""
        acted = self.acting.copy()
        chosen: Any = _whole(actions, self.count, CubedEncoding.actions)
        points, over = self._steps.step(chosen)
        gained = np.asarray(points, dtype=np.float32)
        rewards = np.repeat(-gained[:, None] / (self.players - 1), self.players, axis=1)
        rewards[self._rows, acted] = gained
        return rewards, np.asarray(over, dtype=bool)

    def masks(self) -> Array:
        """1 for each action that is allowed at each table, for whoever is to act. The same array each time, to be read only."""
        return self._masks

    def observe(self) -> Array:
        """What whoever is to act sees at each table. The same array each time: copy what you keep."""
        flat: Any = self._seen.reshape(-1)
        self._steps.see(flat, self._seen.shape[1])
        return self._seen

    def random(self, source: np.random.Generator) -> Array:
        """An allowed action for each table, each with the same chance."""
        of_kind(source, np.random.Generator, "a source of luck, as in numpy.random.default_rng(1)")
        found: Array = np.argmax(self._masks * source.random(self._masks.shape, dtype=np.float32), axis=1)
        return found

    def best(self) -> Array:
        """The turn with the most points for each table; a pass where there is none, and dice are kept."""
        return (self._masks[:, 1] > 0).astype(np.int64)

    def hand(self, table: int, seat: int) -> list[tuple[int, int]]:
        """The dice of a hand: the number of each in the edition, from 1, and the face that it shows."""
        return [(die + 1, face) for die, face in self._steps.dice_of(table, seat)]
