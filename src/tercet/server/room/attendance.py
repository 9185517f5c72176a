"""Who is at a table and since when others are gone, and what follows from that: nobody waits for the absent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tercet.server import protocol
from tercet.server.ids import now_ms
from tercet.server.limits import Limits
from tercet.server.room.live_game import Answer, Move
from tercet.server.room.presence import who_is_here
from tercet.server.table import Emptied, Paused, Visited
from tercet.server.table.absence import Patience, Verdict, judge

if TYPE_CHECKING:
    from tercet.server.room.room import Room

#: When nodes hear of each other again, so long passes at most until each knows who is at the others.
DEAF_MS = 3000
#: A game by post at which nobody is closes after so long.
CLOSE_BY_POST_MS = 62 * 86_400_000


class Attendance:
    """Tells everybody who is here, and tells the game who is not."""

    def __init__(self, room: Room, limits: Limits) -> None:
        self._room = room
        #: When each person was last seen here. Whoever was not seen since the table was opened here may be on the way.
        self._last_seen: dict[str, float] = {}
        self._opened_here = now_ms()
        #: For so long after the last sign of somebody who plays, they are taken to be on the way back.
        self.grace_ms = 1000 * limits.seat_grace_seconds
        self._limits = limits
        self._patience = Patience(1000 * limits.away_seconds, 1000 * limits.stand_in_seconds)
        self.present: tuple[protocol.Present, ...] = ()
        self.missed: tuple[int, ...] = ()
        #: Of the seats that were told as gone, for which anybody may soon ask for a bot.
        self._told_gone: dict[int, bool] = {}
        #: Whether all who have a seat are here, and whether any of them is.
        self._all_here = True
        self._is_attended = False
        #: While nobody can say who is connected elsewhere, and a moment longer, nobody is taken for gone.
        self._deaf_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    # --- who is here ---

    def here(self) -> set[str]:
        """Who is connected, to whatever node, and gives signs of life."""
        room = self._room
        here = {one.person for one in room.connections if one.quality != "offline"}
        here.update(one.person for one in room.elsewhere.present if one.quality != "offline")
        return here

    def here_or_coming(self) -> frozenset[str]:
        """Who is here, or was so lately that they may be on the way back."""
        here, since = self.here(), now_ms() - self.grace_ms
        for person in self._room.state.people():
            if self._last_seen.get(person, self._opened_here) > since:
                here.add(person)
        return frozenset(here)

    def gone_and_away(self) -> tuple[frozenset[str], frozenset[str]]:
        """Those with a seat who are not here, as far as this node knows who is at the others; and of them those who have been gone for
        so long that nobody waits for them."""
        seats = self._room.state.seats
        gone = {seats[number].person or "": since for number, since in self._gone().items()}
        away = frozenset(one for one, since in gone.items() if since >= self._patience.away)
        knows = now_ms() >= max(self._deaf_until, self._opened_here + DEAF_MS)
        return (frozenset(gone) if knows else away), away

    def is_empty(self) -> bool:
        """Whether nobody is at the table, not even to look on."""
        return not self._room.connections and not self._room.elsewhere.present

    def is_attended(self) -> bool:
        """Whether somebody who plays is here."""
        return not self.here().isdisjoint(self._room.state.people())

    def see(self, person: str, time: float) -> None:
        """Somebody gave a last sign of life then."""
        self._last_seen[person] = max(time, self._last_seen.get(person, 0))

    def _gone(self) -> dict[int, float]:
        """The seats of those who are not here, and for how many milliseconds they have been gone."""
        room, now = self._room, now_ms()
        here = self.here()
        seats = room.state.seats
        gone = {
            number: seat.person
            for number, seat in enumerate(seats)
            if seat.person is not None and seat.person not in here
        }
        if not room.elsewhere.is_heard:
            self._deaf_until = now + DEAF_MS
        if now < self._deaf_until:
            for person in gone.values():
                self.see(person, now)
        return {
            number: now - self._last_seen.get(person, self._opened_here) for number, person in gone.items()
        }

    # --- what follows ---

    def judge(self) -> Verdict:
        """What the game should do about those who are gone."""
        game = self._room.game
        if game is None or self._room.state.phase != "playing":
            return Verdict()
        gone = self._gone()
        self._all_here = not gone
        return judge(self._room.state, game.state, gone, self._patience)

    def gone(self, verdict: Verdict | None = None) -> tuple[protocol.Gone, ...]:
        """The seats of the running game whose people are not here, and how long it takes until a bot may play on."""
        if self._room.game is None or self._room.state.phase != "playing":
            return ()
        waited_for = (verdict or self.judge()).waited_for
        if self._all_here:
            return ()
        patience = max(self.grace_ms, self._patience.stand_in)
        return tuple(
            protocol.Gone(
                seat,
                max(0, int(self.grace_ms - since)),
                max(0, int(patience - since)) if seat in waited_for else None,
            )
            for seat, since in self._gone().items()
        )

    def look(self) -> None:
        """Something happened in the game: perhaps it would wait now for somebody who is gone."""
        if not self._all_here:
            self.tell()

    def tell(self) -> None:
        """Tell everybody who is here, if that is news, and the game what follows from it."""
        room = self._room
        if room.elsewhere.is_shared:
            room.elsewhere.here(who_is_here(room.connections, with_times=room.state.run is not None))
        present = who_is_here(
            room.connections,
            room.state.seats,
            room.elsewhere.present,
            with_times=room.state.run is not None,
        )
        if present != self.present:
            self._note_who_left(present)
        verdict = self.judge()
        gone = self.gone(verdict)
        told_gone = {one.seat: one.anybody_ms is not None for one in gone}
        if (present, verdict.missed, told_gone) != (self.present, self.missed, self._told_gone):
            self.present, self.missed, self._told_gone = present, verdict.missed, told_gone
            room.tell_all(protocol.Presence(present=present, missed=verdict.missed, gone=gone))
        if self._is_attended != (is_attended := self.is_attended()):
            self._is_attended = is_attended
            if room.live is not None:
                room.live.seat_bots()
        self._follow(verdict, is_late=False)

    def _note_who_left(self, present: Iterable[protocol.Present]) -> None:
        still = {one.person for one in present if one.quality != "offline"}
        silent = {one.person: one.heard for one in self._room.connections if one.quality == "offline"}
        for one in self.present:
            if one.quality != "offline" and one.person not in still:
                self.see(one.person, silent.get(one.person, now_ms()))

    def _follow(self, verdict: Verdict, *, is_late: bool) -> None:
        """Do what follows, if that is this node's business or the one in charge has had its time; and look again later."""
        room = self._room
        self.stop()
        again = verdict.again
        if verdict.marks or verdict.pauses:
            if not (is_late or room.elsewhere.in_charge):
                again = 0.0
            elif room.live is not None:
                for mark in verdict.marks:
                    room.live.begin(Move(mark, room.live.game.now(), _no_matter))
                if verdict.pauses:
                    paused = Paused(why="nobody_here", time=int(now_ms()))
                    room.by_itself(paused, lambda: self.judge().pauses)
        if again is not None:
            seconds = again / 1000 + room.elsewhere.patience
            self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self.tell()
        if not self._room.elsewhere.in_charge:
            self._follow(self.judge(), is_late=True)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # --- nobody at all ---

    def note_visit(self) -> None:
        """Somebody comes in: if the table was empty, it is so no longer."""
        room = self._room
        if room.state.empty_since is not None:
            room.by_itself(Visited(), lambda: room.state.empty_since is not None)

    async def note_empty(self) -> None:
        """Nobody has been here for a while: take the table out of the lobby."""
        room = self._room
        emptied = Emptied(time=int(now_ms()))
        await room.write_if(emptied, lambda: self.is_empty() and room.state.empty_since is None)

    def closes_at(self) -> float | None:
        """When this table closes if nobody comes; None while somebody is here, or was a moment ago."""
        state, game = self._room.state, self._room.game
        if state.empty_since is None or state.phase == "closed":
            return None
        if state.phase == "gathering":
            return state.empty_since + 60_000 * self._limits.gathering_minutes
        if game is not None and game.rules.is_by_post(game.state):
            return state.empty_since + CLOSE_BY_POST_MS
        return state.empty_since + 3_600_000 * self._limits.playing_hours


def _no_matter(_answer: Answer, _told: bytes) -> None:
    """It is looked at again: whatever became of it shows then."""
