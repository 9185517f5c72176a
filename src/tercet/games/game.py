"""One game as it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from html import escape
from typing import Any, ClassVar, Generic, NamedTuple, Self, cast

import msgspec

from tercet.fairness import (
    Chance,
    Seeded,
    SeedError,
    Terms,
    check_secrets,
    check_seed,
    commit,
    commit_secret,
    terms_of,
)
from tercet.games import texts
from tercet.games.legal import Legal
from tercet.games.rules import (
    AnyRules,
    C,
    Command,
    Due,
    E,
    Entry,
    Happening,
    OptionsError,
    Opts,
    Refusal,
    Refused,
    S,
)
from tercet.sets import KindError, of_kind

NAME_LIMIT = 40
#: The largest number of a game at a table.
NUMBER_LIMIT = 10**6


class Outcome(NamedTuple):
    """What follows from the passing of time and then from a command: all that happened, the state after it, and
    why the command is refused, if it is."""

    happenings: list[Happening[Any, Any]]
    state: Any
    refusal: Refusal | None

    def entries(self, last: int) -> list[Entry[Any]]:
        """The log lines of all that happened, after line ``last``."""
        entries = []
        for happened in self.happenings:
            at = happened.at
            for event in happened.events:
                last += 1
                entries.append(Entry(last, at, event))
        return entries


def advance_then_do(
    rules: AnyRules, state: Any, due: Due[Any] | None, command: Command | None, at: int, chance: Chance
) -> Outcome:
    """Let time pass up to this moment, then carry out the command, if there is one.

    ``due`` is the next deadline of the state. A command at the very moment of a deadline is still in time.
    """
    happenings: list[Happening[Any, Any]] = []
    limit = at if command is None else at - 1
    while due is not None and due.at <= limit:
        for deemed in due.commands:
            happened = rules.carry_out(state, deemed, due.at, chance)
            assert not isinstance(happened, Refusal)
            happenings.append(happened)
            state = happened.state
        due = rules.due(state)
    if command is None:
        return Outcome(happenings, state, None)
    outcome = rules.carry_out(state, command, at, chance)
    if isinstance(outcome, Refusal):
        return Outcome(happenings, state, outcome)
    happenings.append(outcome)
    return Outcome(happenings, outcome.state, None)


class Game(Generic[Opts, S, C, E]):
    """One game as it is played: rules, seats, chance, state and log.

    ``seats`` are the players' names; ``options`` may also be plain data, such as ``{"rounds": 1}``. ``secrets`` are what
    the players add to the seed, one a seat. Times are milliseconds since the start; a game that is not told the
    time stands still in time. See `tercet.cards.Game` and `tercet.cubed.Game`.
    """

    rules: ClassVar[Any]

    def __init__(
        self,
        seats: Sequence[str],
        *,
        seed: str,
        options: Opts | Mapping[str, Any] | None = None,
        secrets: Sequence[str] = (),
        table: str = "",
        number: int = 1,
    ) -> None:
        self.seats = check_names(seats)
        self.rules.check_seats(len(self.seats))
        if isinstance(options, self.rules.options_type):
            options = msgspec.structs.asdict(cast("msgspec.Struct", options))
        self.options: Opts = self.rules.read_options({} if options is None else options)
        self.state: S = self.rules.start(self.options, len(self.seats))
        self.log: list[Entry[E]] = []
        check_table(table, number)
        self._table, self._number = table, number
        self.secrets = check_secrets(secrets, len(self.seats))
        try:
            self._seed = check_seed(seed)
        except SeedError as error:
            raise SeedError(f"{error}: tercet.fairness.seed_from('any text') makes one") from None
        self._chance: Chance = Seeded(self._seed, self.secrets)

    @cached_property
    def terms(self) -> Terms:
        """What the commitments are bound to."""
        options = self.rules.describe_options(self.options)
        return terms_of(self.rules.name, options, self._table, self._number)

    @property
    def commitment(self) -> str:
        """The hash of the seed, to be published before play."""
        return commit(self._seed, self.terms)

    @property
    def commitments(self) -> tuple[str, ...]:
        """The hash of each seat's secret, to be published before any secret is shown; empty where there is none."""
        return tuple(commit_secret(secret, self.terms) if secret else "" for secret in self.secrets)

    def reveal(self, *, broken_off: bool = False) -> str:
        """The seed, once the game is over, or is ``broken_off`` and will not go on."""
        if not (self.is_over or broken_off):
            raise self._refused(Refusal("not_over"))
        return self._seed

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.rules.scores(self.state))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, or that lead while the game goes on."""
        return tuple(self.rules.winners(self.state))

    @property
    def due(self) -> Due[C] | None:
        due: Due[C] | None = self.rules.due(self.state)
        return due

    @property
    def legal(self) -> Legal[C]:
        """What the rules allow now: ask with ``in``, iterate, `count`, or narrow it to one seat with `of`."""
        return Legal(self.rules, self.state, self.clock, tuple(range(len(self.seats))))

    @property
    def clock(self) -> int:
        """The time of the last event."""
        return self.log[-1].at if self.log else 0

    def view(self, seat: int | None) -> S:
        """What this seat may know; None for a spectator."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(self.seats)):
            raise KindError(f"give a seat from 0 to {len(self.seats) - 1}, or None, not {seat!r:.40}")
        view: S = self.rules.view(self.state, seat)
        return view

    def do(self, command: C, at: int | None = None) -> list[Entry[E]]:
        """Play a command; what happened, or `Refused`.

        Deadlines that ran out before are dealt with first, also for a command that is then refused.
        """
        if type(command) not in self.rules.command_types:
            given: object = command
            of_it = f" of {self.rules.title}" if isinstance(given, Command) else ""
            raise KindError(f"{command!r:.40} is no command{of_it}: give one, such as {self._example()}")
        if type(command.seat) is not int:
            texts.check(command)
        clock = self.clock
        if at is not None and type(at) is not int:
            _check_time(at)
        try:
            return self._play(command, clock if at is None or at < clock else at)
        except (Refused, TypeError, AttributeError):
            texts.check(command)
            raise

    def _example(self) -> str:
        return repr(next(iter(self.legal), self.rules.opening(self.state)))

    def advance(self, at: int) -> list[Entry[E]]:
        """Let time pass up to and including this moment; what happened by deadlines alone."""
        return self._play(None, _check_time(at))

    def undo(self) -> list[Entry[E]]:
        """Take back the last command, whoever or whatever gave it, with all that followed from it: the lines that are
        gone. Chance stays what it was: the same command brings the same cards again."""
        begin = self._begin_of_last()
        gone, self.log = self.log[begin:], self.log[:begin]
        self.state = self._state_after(self.log)
        return gone

    def _state_after(self, log: Sequence[Entry[E]]) -> S:
        state: S = self.rules.start(self.options, len(self.seats))
        for line in log:
            state = self.rules.evolve(state, line.event, line.at)
        return state

    def _begin_of_last(self) -> int:
        """Where in the log the last command began. An event that a command can bring may also have followed from another one, as the end of
        the time from an answer: so the commands of that moment are carried out once more."""
        rules, log = self.rules, self.log
        caused = [place for place, line in enumerate(log) if rules.cause(line.event) is not None]
        if not caused:
            raise self._refused(Refusal("nothing_to_undo"))
        last = caused[-1]
        place = next(place for place in caused if log[place].at == log[last].at)
        state = self._state_after(log[:place])
        while place < last:
            line = log[place]
            happened = rules.carry_out(state, rules.cause(line.event), line.at, self._chance)
            if isinstance(happened, Refusal) or place + len(happened.events) > last:
                break
            state, place = happened.state, place + len(happened.events)
        return place

    def copy(self) -> Self:
        """The same game once more; what is played in the one does not happen in the other."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.log = self.log.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.copy()  # all but the list of lines is frozen

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_chance"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._chance = Seeded(self._seed, self.secrets)

    @property
    def standing(self) -> str:
        """The points of all, and who has won or whose turn it is, in a line."""
        points = ", ".join(f"{name} {score}" for name, score in zip(self.seats, self.scores, strict=True))
        if self.is_over:
            won = " and ".join(self.seats[seat] for seat in self.winners)
            return (
                f"{self.rules.title}: {points}. {won} {'share the win' if len(self.winners) > 1 else 'wins'}"
            )
        waits = " and ".join(self.seats[seat] for seat in self.rules.waits_for(self.state))
        return f"{self.rules.title}: {points}" + (f". Waiting for {waits}" if waits else "")

    def __str__(self) -> str:
        return f"{self.standing}\n{self.state}"

    def __repr__(self) -> str:
        return f"<{self.standing}, {len(self.log)} lines>"

    def svg(self, **options: Any) -> Any:
        """A picture of the table as it is; what options there are, the state's own ``svg`` says."""
        own: Any = self.state
        return own.svg(**options)

    def _repr_html_(self) -> str:
        drawn = self.svg() if hasattr(self.state, "svg") else f"<pre>{escape(str(self.state))}</pre>"
        return f"<p>{escape(self.standing)}</p>{drawn}"

    def _play(self, command: C | None, at: int) -> list[Entry[E]]:
        outcome = advance_then_do(self.rules, self.state, self.due, command, at, self._chance)
        entries = outcome.entries(len(self.log))
        self.state = outcome.state
        self.log += entries
        if outcome.refusal is not None:
            raise self._refused(outcome.refusal)
        return entries

    def _refused(self, refusal: Refusal) -> Refused:
        return Refused(refusal, why(self.rules.name, refusal, self.seats))


def why(game: str, refusal: Refusal, names: Sequence[str]) -> str:
    """Why not, in a sentence to players of these names; nothing where the game has no words for it."""
    try:
        return str(_desk(game).why(refusal, names))
    except (AttributeError, LookupError):
        return ""


@cache
def _desk(name: str) -> Any:
    """What speaks to people about this game, if anything does."""
    from tercet.games import catalogue  # noqa: PLC0415

    terminal = catalogue.part(name, "terminal") if name in catalogue.names() else None
    return getattr(terminal, "desk", None)


def _check_time(at: int) -> int:
    of_kind(at, int, "whole milliseconds since the start of the game")
    return at


def check_table(table: str, number: int) -> None:
    """The name of a table, empty for none, and the how-manieth game it is there: what a commitment can be bound to."""
    of_kind(table, str, "the name of the table as text")
    of_kind(number, int, "the number of the game at its table")
    if len(table) > NAME_LIMIT or not table.isprintable():
        raise OptionsError(f"a table's name has at most {NAME_LIMIT} printable characters")
    if not 1 <= number <= NUMBER_LIMIT:
        raise OptionsError(f"games are numbered from 1 to {NUMBER_LIMIT}, not {number}")


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names fit for seats: not empty, one line, not too long, each once."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise KindError(f"give the players' names in a list, as in ['Ann', 'Bo'], not {names!r:.40}")
    for name in names:
        of_kind(name, str, "names of players")
        if not name.strip() or len(name) > NAME_LIMIT or not name.isprintable():
            raise OptionsError(f"{name[:NAME_LIMIT]!r} is not a name: 1 to {NAME_LIMIT} printable characters")
    if len(set(names)) < len(names):
        raise OptionsError(f"two players have the same name: {', '.join(names)}")
    return tuple(names)
