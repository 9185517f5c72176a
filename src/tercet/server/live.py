"""A game that is being played: decided by the rules, written to the log, and only then true."""

from __future__ import annotations

from time import monotonic
from typing import Any, NamedTuple

from tercet import cards, cubed
from tercet.codec import from_json, to_json
from tercet.fairness import Seeded
from tercet.games import Command, Entry, Refusal, number_events
from tercet.server import metrics
from tercet.server.ids import now_ms
from tercet.server.store import Conflict, Line, Store
from tercet.server.table import State as TableState

#: What the table does by itself to set a game going.
OPENING: dict[str, Command] = {"set": cards.Deal(0), "cubed": cubed.Begin(0)}


class Plan(NamedTuple):
    """What would happen: log lines, the state after them, and the refusal of the command, if it is refused."""

    entries: list[Entry[Any]]
    state: Any
    refusal: Refusal | None


class LiveGame:
    """The state of a game with its log. One task at a time may call `play` and `catch_up`."""

    def __init__(self, table: TableState, store: Store) -> None:
        assert table.playing is not None
        self.id = table.playing.id
        self.entropy = table.playing.entropy
        self.start_time = table.playing.time
        self.rules = table.rules
        self.options = self.rules.read_options(table.options)
        self.state = self.rules.start(self.options, len(table.seats))
        self.log: list[Entry[Any]] = []
        #: The last event of each command that was carried out, by the command's own name.
        self.causes: dict[str, int] = {}
        self._chance = Seeded(table.seed, self.entropy)
        self._store = store
        self._sure = True

    @property
    def seq(self) -> int:
        return len(self.log)

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    def now(self) -> float:
        """Milliseconds since the start, never before the last event."""
        now = now_ms() - self.start_time
        return max(now, self.log[-1].at) if self.log else max(now, 0)

    async def play(self, command: Command | None, at: float, cause: str | None = None) -> Refusal | None:
        """Carry out what is due and then the command, if any; on return it is on disk and in the state."""
        if not self._sure:
            await self.catch_up()
        while True:
            if cause is not None and cause in self.causes:
                return None
            plan = self._plan(command, int(max(at, self.log[-1].at if self.log else 0)))
            if not plan.entries:
                return plan.refusal
            lines = [Line(entry.seq, entry.at, to_json(entry.event).decode()) for entry in plan.entries]
            if plan.refusal is None:
                lines[-1] = lines[-1]._replace(cause=cause)
            try:
                self._sure = False
                begun = monotonic()
                await self._store.append(self.id, self.seq, lines)
                metrics.appends.add(monotonic() - begun)
                self._sure = True
            except Conflict:
                await self.catch_up()
                continue
            self.log += plan.entries
            self.state = plan.state
            self._remember(lines[-1])
            return plan.refusal

    async def catch_up(self) -> None:
        """Read what others have written to the log since."""
        for line in await self._store.read(self.id, self.seq):
            entry = Entry(line.seq, line.at, from_json(line.event, self.rules.events))
            self.state = self.rules.evolve(self.state, entry.event, entry.at)
            self.log.append(entry)
            self._remember(line)
        self._sure = True

    def doubt(self) -> None:
        """Others may have written to the log: look before the next command is decided."""
        self._sure = False

    def due_in(self) -> float | None:
        """Milliseconds until the next deadline, if one runs."""
        due = self.rules.due(self.state)
        return None if due is None else due.at - (now_ms() - self.start_time)

    def waits_for(self) -> list[int]:
        """The seats that hold up everybody else: whose turn it is, who has not answered."""
        state = self.state
        if not isinstance(state, cubed.State):
            return []
        if state.phase == "extra_roll":
            return [seat for seat in range(state.seats) if seat not in state.answered]
        return [] if state.turn is None else [state.turn]

    def _plan(self, command: Command | None, at: int) -> Plan:
        rules, state = self.rules, self.state
        entries: list[Entry[Any]] = []

        def happen(outcome: Any, when: int) -> None:
            nonlocal state
            for entry in number_events(outcome, when, self.seq + len(entries)):
                state = rules.evolve(state, entry.event, when)
                entries.append(entry)

        # A command at the very moment of a deadline is still in time.
        limit = at if command is None else at - 1
        while (due := rules.due(state)) is not None and due.at <= limit:
            for deemed in due.commands:
                happen(rules.decide(state, deemed, due.at, self._chance), due.at)
        if command is None:
            return Plan(entries, state, None)
        outcome = rules.decide(state, command, at, self._chance)
        if isinstance(outcome, Refusal):
            return Plan(entries, state, outcome)
        happen(outcome, at)
        return Plan(entries, state, None)

    def _remember(self, line: Line) -> None:
        if line.cause is not None:
            self.causes[line.cause] = line.seq
