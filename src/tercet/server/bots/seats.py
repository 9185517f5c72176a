"""The bots of one game, each on its seat."""

from __future__ import annotations

from collections.abc import Mapping

from tercet.server.bots.player import BotPlayer, Moment, Play, Waits
from tercet.server.bots.thinking import Asker, Thinkers
from tercet.server.logged.game import LoggedGame


class BotSeats:
    """Seats bots and sends them away as the table says."""

    def __init__(
        self, game: LoggedGame, play: Play, waits: Waits, thinkers: Thinkers, moment: Moment
    ) -> None:
        self._game = game
        self._play = play
        self._waits = waits
        self._thinkers = thinkers
        self._moment = moment
        #: Whoever plays now, by seat.
        self.seated: dict[int, BotPlayer] = {}

    def seat(self, wanted: Mapping[int, str], host: str = "") -> None:
        """From now on these bots play, by seat, and no others; what they think is the host's share."""
        for seat, bot in list(self.seated.items()):
            if wanted.get(seat) != bot.name:
                self.seated.pop(seat).stop()
        for seat, name in wanted.items():
            if seat not in self.seated:
                game = self._game
                asker = Asker(f"{game.id} {seat}", game.rules.name, name, seat, game.id, host)
                self.seated[seat] = BotPlayer(
                    asker, game, self._play, self._waits, self._thinkers, self._moment
                )

    @property
    def are_busy(self) -> bool:
        """Whether one of them is about to act."""
        return any(bot.is_busy for bot in self.seated.values())
