"""Facts of the dice game, from games that the kernel's greedy players play against each other.

They take the most points now, replace every wild that they can and solve the extra roll exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from tercet.confidence import Mean
from tercet.cubed.bots.rollouts import fits, greedy_games
from tercet.cubed.game import rules
from tercet.editions import Edition
from tercet.games import OptionsError
from tercet.kernel.dice_games import PLACES
from tercet.study.odds import Cell, Odds, Section, in_order

#: Games in one go, at most. The goes' spread gives every fact its standard error, so there are never too few.
BATCH = 100
LEAST_BATCHES = 30

HOUSE = Edition.named("house")

ORDER = ("first", "second", "third", "fourth")


class CubedOdds(Odds):
    """The facts of an edition with so many players."""

    usual_games = 5_000

    def __init__(
        self,
        *,
        players: Annotated[int, "Players of Set Cubed, 2 to 4."] = 2,
        edition: Annotated[Edition, "Board and dice of Set Cubed: a name, or a TOML file."] = HOUSE,
    ) -> None:
        rules.check_seats(players)
        if not fits(edition):
            raise OptionsError(
                f"edition {edition.name} is too large to simulate: at most 26 x 26 squares and 250 dice"
            )
        self.edition, self.players = edition, players
        self.games = 0
        self._counts: list[int] = []
        self._facts: dict[tuple[str, str], Mean] = {}

    @property
    def about(self) -> str:
        return f"{self.players} greedy players"

    @property
    def settings(self) -> dict[str, Any]:
        return {"players": self.players, "edition": self.edition.name}

    def simulate(self, games: int, seed: int, workers: int) -> Iterator[int]:
        def batch(first: int, number: int) -> Sequence[int]:
            table = greedy_games(self.edition, self.players)
            table.games(seed, first, number)
            return table.counted()

        size = max(1, min(BATCH, games // LEAST_BATCHES))
        for counts in in_order(batch, games, size, workers):
            self.add(counts)
            yield self.games

    def add(self, counts: Sequence[int]) -> None:
        """Take what a batch of games has counted."""
        self.games += counts[PLACES["GAMES"]]
        self._counts = list(map(sum, zip(self._counts or [0] * len(counts), counts, strict=True)))
        for what, value in self._values(counts):
            self._facts.setdefault(what, Mean()).add(value)

    def sections(self) -> list[Section]:
        found: dict[str, list[Cell]] = {}
        for (title, what), value in self._values(self._counts):
            error = self._facts[title, what].standard_error
            found.setdefault(title, []).append(Cell(what, value, error))
        return [Section(title, cells) for title, cells in found.items()]

    def _values(self, counts: Sequence[int]) -> Iterator[tuple[tuple[str, str], float]]:
        def count(name: str, more: int = 0) -> int:
            return counts[PLACES[name] + more]

        games, turns = count("GAMES"), count("TURNS")
        for place, name in enumerate(ORDER[: self.players]):
            yield ("Share of wins", f"{name} player"), count("WINS_BY_ORDER", place) / 12 / games
        for place, name in enumerate(ORDER[: self.players]):
            yield ("Points", f"{name} player"), count("POINTS_BY_ORDER", place) / games
        laid = turns - count("PASSES")
        wild_turns = count("WILD_TURNS")
        yield ("Points", "a turn, passes included"), count("POINTS") / turns
        yield ("Points", "a turn with a wild laid"), count("WILD_POINTS") / max(wild_turns, 1)
        plain = count("POINTS") - count("WILD_POINTS")
        yield ("Points", "a turn without a wild laid"), plain / max(laid - wild_turns, 1)
        total = count("POINTS") + count("OPENING_POINTS")
        yield ("Share", "of points that are bonus"), count("BONUS") / total
        yield ("Share", "of turns that pass"), count("PASSES") / turns
        for dice in (1, 2, 3):
            yield ("Share", f"of turns that lay {dice}"), count("LAID", dice) / turns
        yield ("In a game", "rounds"), count("ROUNDS") / games
        yield ("In a game", "throws until somebody has the opening SET"), count("OPENING_THROWS") / games
        yield ("In a game", "rounds after which everybody throws again"), count("RETHROWS") / games
        yield ("In a game", "wilds laid"), count("WILDS_LAID") / games
        yield ("In a game", "wilds replaced"), count("REPLACED") / games
        yield ("In a game", "dice thrown in extra rolls"), count("DICE_THROWN_AGAIN") / games


odds = CubedOdds
