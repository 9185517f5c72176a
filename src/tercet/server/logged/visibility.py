"""What one seat sees of a game; None is a spectator. Hardly anything looks different from seat to seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from tercet.codec import to_json
from tercet.games import Entry, Rules
from tercet.server import protocol
from tercet.server.logged.game import LoggedGame
from tercet.server.socket.transport import encode
from tercet.server.store import Line

#: So many events of a long game are written at a time.
PAGE = 1000

AnyRules = Rules[Any, Any, Any, Any]


def hides(rules: AnyRules, entries: Iterable[Entry[Any]]) -> bool:
    """Whether some seat may know more of this than a spectator; never, where the rules leave `see` as it is."""
    if type(rules).see is Rules.see:
        return False
    return any(rules.see(entry.event, None) is not entry.event for entry in entries)


class Written(Struct, frozen=True, gc=False):
    """An entry with its event as it stands in the log: it need not be encoded again."""

    seq: int
    at: int
    event: Raw


def frame_events(
    game: LoggedGame, entries: Sequence[Entry[Any]], lines: Sequence[Line]
) -> Callable[[int | None], bytes]:
    """These events of a game as each seat is told them: the same bytes for all who may know the same."""
    now = int(game.now())
    if not hides(game.rules, entries):
        written = tuple([Written(line.seq, line.at, Raw(line.event)) for line in lines])
        framed = encode(protocol.Events(game=game.id, entries=written, now=now))
        return lambda _seat: framed
    frames: list[tuple[list[Entry[Any]], bytes]] = []

    def frame_for(seat: int | None) -> bytes:
        seen = list(see(game.rules, entries, seat))
        for known, framed in frames:
            if known == seen:
                return framed
        frames.append((seen, encode(protocol.Events(game=game.id, entries=tuple(seen), now=now))))
        return frames[-1][1]

    return frame_for


class Pages:
    """The events of a long game as JSON: most of it is written once, for all who come in."""

    def __init__(self) -> None:
        self._game = ""
        self._pages: list[bytes] = []

    def write(self, game: LoggedGame) -> Raw | None:
        """All events, if the game is long and everybody may know the same of it."""
        if len(game.log) < 2 * PAGE or type(game.rules).see is not Rules.see:
            return None
        if self._game != game.id:
            self._game, self._pages = game.id, []
        for first in range(len(self._pages) * PAGE, len(game.log) - PAGE + 1, PAGE):
            self._pages.append(to_json(game.log[first : first + PAGE])[1:-1])
        rest = to_json(game.log[len(self._pages) * PAGE :])[1:-1]
        return Raw(b"[" + b",".join([*self._pages, rest] if rest else self._pages) + b"]")


def see(rules: AnyRules, entries: Iterable[Entry[Any]], seat: int | None) -> Iterator[Entry[Any]]:
    """These events, as far as the seat may know them."""
    for entry in entries:
        event = rules.see(entry.event, seat)
        yield entry if event is entry.event else replace(entry, event=event)
