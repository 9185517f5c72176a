"""A game with its log: decided by the rules, written to the log, and only then true."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from msgspec import Struct

from tercet.codec import from_json, to_json
from tercet.fairness import Seeded
from tercet.games import Command, Entry, Refusal, advance_then_do
from tercet.server.ids import now_ms
from tercet.server.store import Line, Store
from tercet.server.table import State as TableState

#: How far back a race that was just lost is looked up.
LOOK_BACK = 30


class Plan(Struct):
    """What would happen: log lines, once read and once written, and the state after them; and the refusal of the
    command, if it is refused."""

    entries: list[Entry[Any]]
    lines: list[Line]
    state: Any
    refusal: Refusal | None


class LoggedGame:
    """The state of a game with its log."""

    def __init__(self, table: TableState) -> None:
        assert table.started is not None
        self.id = table.started.id
        self.secrets = table.started.secrets
        self.follow(table)
        self.rules = table.rules
        self.options = self.rules.read_options(table.options)
        self._become(self.rules.start(self.options, len(table.seats)))
        self.log: list[Entry[Any]] = []
        #: The number of the last event.
        self.seq = 0
        #: The last event of each command that was carried out, by the command's own name.
        self.causes: dict[str, int] = {}
        #: Commands of earlier games at the table: who sends one again does not mean this game.
        self.earlier: Container[str | None] = ()
        #: Whether the log goes no further than this, as far as is known.
        self.is_sure = True
        self._chance = Seeded(table.seed, self.secrets)

    def follow(self, table: TableState) -> None:
        """Take over from the table how long the game has stood still, and whether it does now."""
        assert table.started is not None
        #: When the game would have begun, had it never stood still.
        self.start_time = table.started.time + table.started.paused_ms
        #: Where the game's clock stands, if it stands still.
        self._stands_at = None if table.pause is None else float(table.pause.time - self.start_time)

    def passed(self) -> float:
        """Milliseconds since the start in which the game did not stand still."""
        return now_ms() - self.start_time if self._stands_at is None else self._stands_at

    def now(self) -> float:
        """The same, never before the last event."""
        passed = self.passed()
        return max(passed, self.log[-1].at) if self.log else passed

    def plan(self, command: Command | None, at: float, cause: str | None = None) -> Plan:
        """What is due, and then what the command brings, if any; nothing, if it was carried out before."""
        if cause in self.causes or cause in self.earlier:
            return Plan([], [], self.state, None)
        log, seq = self.log, self.seq
        time = int(max(at, log[-1].at)) if log else int(at)
        outcome = advance_then_do(self.rules, self.state, self.due, command, time, self._chance)
        entries = outcome.entries(seq)
        last = seq + len(entries) if outcome.refusal is None else 0
        lines = [
            Line(entry.seq, entry.at, to_json(entry.event).decode(), cause if entry.seq == last else None)
            for entry in entries
        ]
        return Plan(entries, lines, outcome.state, outcome.refusal)

    def take(self, plan: Plan) -> None:
        """The plan is on disk: now it is true."""
        self.log += plan.entries
        self.seq = plan.lines[-1].seq
        if (cause := plan.lines[-1].cause) is not None:
            self.causes[cause] = self.seq
        self._become(plan.state)

    async def catch_up(self, store: Store) -> list[Line]:
        """Read what others have written to the log since; what that is."""
        lines, state = await store.read(self.id, self.seq), self.state
        for line in lines:
            entry = Entry(line.seq, line.at, from_json(line.event, self.rules.events))
            state = self.rules.evolve(state, entry.event, entry.at)
            self.log.append(entry)
            self.seq = line.seq
            if line.cause is not None:
                self.causes[line.cause] = line.seq
        self._become(state)
        self.is_sure = True
        return lines

    def explain(self, refusal: Refusal, at: float) -> Refusal:
        """Whoever lost a race learns who was faster, and by how many milliseconds."""
        for entry in reversed(self.log[-LOOK_BACK:]):
            seat = self.rules.faster(refusal, entry.event)
            if seat is not None:
                earlier = max(0, int(at) - entry.at)
                return Refusal(refusal.code, **{**refusal.details, "seat": seat, "earlier_ms": earlier})
        return refusal

    def due_in(self) -> float | None:
        """Milliseconds until the next deadline, if one runs."""
        return None if self.due is None or self._stands_at is not None else self.due.at - self.passed()

    def _become(self, state: Any) -> None:
        self.state = state
        #: The next deadline, if one runs.
        self.due = self.rules.due(state)
        self.is_over = self.rules.is_over(state)
