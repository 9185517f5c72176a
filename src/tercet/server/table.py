"""A table as a decider: who sits where, who is host, and when a game begins and ends.

A table's truth is its log, as a game's is. The seed of the coming game stands in that log, so `show` decides
what leaves the server: the commitment before and during the game, the seed only after it.
"""

from __future__ import annotations

from typing import Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from tercet import games
from tercet.fairness import commit
from tercet.games import OptionsError, Refusal
from tercet.server import protocol
from tercet.server.protocol import (
    AddSeat,
    Change,
    Close,
    HandOver,
    Kick,
    Leave,
    Ready,
    RemoveSeat,
    Result,
    Seat,
    Sit,
    StandIn,
    Start,
    TableCommand,
    snake,
)


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake):
    """What happened at a table."""


class Opened(TableEvent, frozen=True):
    """A table is made. ``seats`` are bots' names, or None for a person."""

    code: str
    game: Literal["set", "cubed"]
    options: dict[str, Any]
    host: str
    public: bool
    late_join: bool
    practice: bool
    chat: bool
    seats: tuple[str | None, ...]
    seed: str
    time: int


class Sat(TableEvent, frozen=True):
    seat: int
    person: str
    name: str


class BotSat(TableEvent, frozen=True):
    seat: int
    bot: str


class Stood(TableEvent, frozen=True):
    """The seat is open again."""

    seat: int


class SaidReady(TableEvent, frozen=True):
    seat: int
    ready: bool
    entropy: str


class SeatAdded(TableEvent, frozen=True):
    pass


class SeatRemoved(TableEvent, frozen=True):
    seat: int


class HostChanged(TableEvent, frozen=True):
    person: str


class Kicked(TableEvent, frozen=True):
    person: str


class Changed(TableEvent, frozen=True):
    options: dict[str, Any]
    public: bool
    late_join: bool
    chat: bool


class Began(TableEvent, frozen=True):
    """A game begins with those who have a seat; the game's own log is called ``game``."""

    game: str
    time: int


class Finished(TableEvent, frozen=True):
    """The game is over; ``seed`` is that of the next one."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seed: str
    time: int


class Closed(TableEvent, frozen=True):
    time: int


AnyTableEvent = (
    Opened
    | Sat
    | BotSat
    | Stood
    | SaidReady
    | SeatAdded
    | SeatRemoved
    | HostChanged
    | Kicked
    | Changed
    | Began
    | Finished
    | Closed
)


class Playing(Struct, frozen=True):
    """The running game: what was agreed when it began."""

    id: str
    names: tuple[str, ...]
    entropy: tuple[str, ...]
    time: int


class State(Struct, frozen=True, kw_only=True):
    """A table between two events. ``seed`` is secret until the game is over."""

    code: str
    game: Literal["set", "cubed"]
    options: dict[str, Any]
    host: str
    public: bool
    late_join: bool
    practice: bool
    chat: bool
    time: int
    seed: str
    phase: Literal["gathering", "playing", "closed"] = "gathering"
    seats: tuple[Seat, ...]
    entropy: tuple[str, ...]
    banned: frozenset[str] = frozenset()
    playing: Playing | None = None
    last: Result | None = None

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.game).rules
        return rules

    def seat_of(self, person: str) -> int | None:
        return next((number for number, seat in enumerate(self.seats) if seat.person == person), None)

    def open_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.person is None and seat.bot is None]

    def people(self) -> list[str]:
        return [seat.person for seat in self.seats if seat.person is not None]


class Asking(Struct, frozen=True):
    """What the shell hands in with a command: who asks, the time, fresh ids and seeds, the bots there are."""

    person: str
    name: str
    time: int
    new_game: str
    bots: tuple[str, ...]


def decide(state: State, command: TableCommand, asking: Asking) -> list[AnyTableEvent] | Refusal:
    """What follows from a command: events, or why not."""
    if state.phase == "closed":
        return Refusal("table_closed")
    if asking.person in state.banned:
        return Refusal("kicked")
    match command:
        case Sit():
            return _decide_sit(state, command, asking)
        case Leave():
            seat = state.seat_of(asking.person)
            return Refusal("no_seat") if seat is None else _vacate(state, seat, asking)
        case Ready():
            return _decide_ready(state, command, asking)
    if asking.person != state.host:
        return Refusal("not_the_host")
    match command:
        case Start():
            return _decide_start(state, asking)
        case AddSeat():
            return _decide_add_seat(state, command, asking)
        case RemoveSeat():
            return _decide_remove_seat(state, command)
        case Kick():
            return _decide_kick(state, command, asking)
        case HandOver():
            if state.seat_of(command.person) is None:
                return Refusal("no_such_person")
            return [HostChanged(person=command.person)]
        case StandIn():
            return _decide_stand_in(state, command, asking)
        case Change():
            return _decide_change(state, command)
        case Close():
            return [Closed(time=asking.time)]
        case _ as unreachable:
            assert_never(unreachable)


def _decide_sit(state: State, sit: Sit, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.seat_of(asking.person) is not None:
        return Refusal("seated_already")
    if any(seat.name == asking.name for seat in state.seats if seat.person is not None):
        return Refusal("name_taken", name=asking.name)
    playing = state.phase == "playing"
    if playing and not state.late_join:
        return Refusal("no_late_join")
    free = [number for number, seat in enumerate(state.seats) if seat.bot] if playing else state.open_seats()
    if not free:
        return Refusal("table_full")
    if sit.seat is not None and sit.seat not in free:
        return Refusal("seat_taken", seat=sit.seat)
    seat = free[0] if sit.seat is None else sit.seat
    return [Sat(seat=seat, person=asking.person, name=asking.name)]


def _decide_ready(state: State, command: Ready, asking: Asking) -> list[AnyTableEvent] | Refusal:
    seat = state.seat_of(asking.person)
    if seat is None:
        return Refusal("no_seat")
    if state.phase != "gathering":
        return Refusal("game_running")
    if not command.entropy.isprintable():
        return Refusal("bad_entropy")
    said = SaidReady(seat=seat, ready=command.ready, entropy=command.entropy)
    after = evolve(state, said)
    if not after.open_seats() and all(seat.ready for seat in after.seats):
        begun = _decide_start(after, asking)
        return [said] if isinstance(begun, Refusal) else [said, *begun]
    return [said]


def _decide_start(state: State, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    taken = len(state.seats) - len(state.open_seats())
    try:
        state.rules.start(state.rules.read_options(state.options), taken)
    except OptionsError:
        return Refusal("too_few_players", needed=state.rules.min_seats)
    if not state.people():
        return Refusal("too_few_players", needed=1)
    removed = [SeatRemoved(seat=seat) for seat in reversed(state.open_seats())]
    return [*removed, Began(game=asking.new_game, time=asking.time)]


def _decide_add_seat(state: State, command: AddSeat, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    if len(state.seats) >= state.rules.max_seats:
        return Refusal("table_full")
    added: list[AnyTableEvent] = [SeatAdded()]
    if command.bot is not None:
        if command.bot not in asking.bots:
            return Refusal("no_such_bot", bot=command.bot)
        added.append(BotSat(seat=len(state.seats), bot=command.bot))
    return added


def _decide_remove_seat(state: State, command: RemoveSeat) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    if command.seat >= len(state.seats):
        return Refusal("no_such_seat", seat=command.seat)
    if state.seats[command.seat].person is not None:
        return Refusal("seat_taken", seat=command.seat)
    return [SeatRemoved(seat=command.seat)]


def _decide_kick(state: State, command: Kick, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if command.person == asking.person:
        return Refusal("not_yourself")
    if command.person in state.banned:
        return Refusal("no_such_person")
    seat = state.seat_of(command.person)
    left = [] if seat is None else _vacate(state, seat, asking)
    return [Kicked(person=command.person), *left]


def _decide_stand_in(state: State, command: StandIn, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if command.seat >= len(state.seats):
        return Refusal("no_such_seat", seat=command.seat)
    if command.bot not in asking.bots:
        return Refusal("no_such_bot", bot=command.bot)
    if state.seats[command.seat].person == asking.person:
        return Refusal("not_yourself")
    return [BotSat(seat=command.seat, bot=command.bot)]


def _decide_change(state: State, command: Change) -> list[AnyTableEvent] | Refusal:
    options = state.options
    if command.options is not None:
        if state.phase != "gathering":
            return Refusal("game_running")
        try:
            options = check_options(state.rules, command.options)
        except OptionsError as error:
            return Refusal("bad_options", why=str(error))

    def or_else(wanted: bool | None, usual: bool) -> bool:
        return usual if wanted is None else wanted

    changed = Changed(
        options=options,
        public=or_else(command.public, state.public),
        late_join=or_else(command.late_join, state.late_join),
        chat=or_else(command.chat, state.chat),
    )
    return [changed]


def _vacate(state: State, seat: int, asking: Asking) -> list[AnyTableEvent]:
    """Somebody goes: in a running game a bot plays on, and another person becomes host."""
    person = state.seats[seat].person
    others = [other for other in state.people() if other != person]
    events: list[AnyTableEvent]
    if state.phase == "playing":
        events = [BotSat(seat=seat, bot=stand_in(state, asking.bots))]
    else:
        events = [Stood(seat=seat)]
    if not others:
        events.append(Closed(time=asking.time))
    elif person == state.host:
        events.append(HostChanged(person=others[0]))
    return events


def stand_in(state: State, bots: tuple[str, ...]) -> str:
    """The bot that plays on for somebody who left: as good as the ones at the table, else a middling one."""
    return next((seat.bot for seat in state.seats if seat.bot), bots[len(bots) // 2])


def check_options(rules: games.Rules[Any, Any, Any, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The options as they are kept; `OptionsError` if no game can be played with them."""
    options = rules.read_options(data)
    rules.start(options, rules.max_seats)
    return rules.describe_options(options)


def _bot_name(seats: tuple[Seat, ...], seat: int, bot: str) -> str:
    """``Expert``, or ``Expert 2`` where there is one already."""
    taken = {other.name for number, other in enumerate(seats) if number != seat}
    plain = bot.replace("_", " ").replace("-", " ").capitalize()
    return next(
        name for name in (plain, *(f"{plain} {number}" for number in range(2, 99))) if name not in taken
    )


def _seat(name: str = "", person: str | None = None, bot: str | None = None) -> Seat:
    return Seat(name=name, person=person, bot=bot, ready=bot is not None)


def _put(state: State, seat: int, sitting: Seat) -> State:
    """With somebody else on this seat; what the one before said for the next game is gone."""
    entropy = _at(state.entropy, seat, "") if state.phase == "gathering" else state.entropy
    return replace(state, seats=_at(state.seats, seat, sitting), entropy=entropy)


def _at(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def begin(opened: Opened) -> State:
    """The state of a new table."""
    state = State(
        code=opened.code,
        game=opened.game,
        options=opened.options,
        host=opened.host,
        public=opened.public,
        late_join=opened.late_join,
        practice=opened.practice,
        chat=opened.chat,
        time=opened.time,
        seed=opened.seed,
        seats=(_seat(),) * len(opened.seats),
        entropy=("",) * len(opened.seats),
    )
    for number, bot in enumerate(opened.seats):
        if bot is not None:
            state = evolve(state, BotSat(seat=number, bot=bot))
    return state


def evolve(state: State, event: AnyTableEvent) -> State:
    """The state after an event."""
    match event:
        case Opened():
            return begin(event)
        case Sat():
            return _put(state, event.seat, _seat(event.name, person=event.person))
        case BotSat():
            name = _bot_name(state.seats, event.seat, event.bot)
            return _put(state, event.seat, _seat(name, bot=event.bot))
        case Stood():
            return _put(state, event.seat, _seat())
        case SaidReady():
            seat = replace(state.seats[event.seat], ready=event.ready)
            entropy = _at(state.entropy, event.seat, event.entropy)
            return replace(state, seats=_at(state.seats, event.seat, seat), entropy=entropy)
        case SeatAdded():
            return replace(state, seats=(*state.seats, _seat()), entropy=(*state.entropy, ""))
        case SeatRemoved():
            seats = state.seats[: event.seat] + state.seats[event.seat + 1 :]
            entropy = state.entropy[: event.seat] + state.entropy[event.seat + 1 :]
            return replace(state, seats=seats, entropy=entropy)
        case HostChanged():
            return replace(state, host=event.person)
        case Kicked():
            return replace(state, banned=state.banned | {event.person})
        case Changed():
            return replace(
                state,
                options=event.options,
                public=event.public,
                late_join=event.late_join,
                chat=event.chat,
            )
        case Began():
            names = tuple(seat.name for seat in state.seats)
            playing = Playing(event.game, names, state.entropy, event.time)
            return replace(state, phase="playing", playing=playing)
        case Finished():
            assert state.playing is not None
            last = Result(state.playing.id, state.playing.names, event.scores, event.winners, state.seed)
            seats = tuple(replace(seat, ready=seat.bot is not None) for seat in state.seats)
            return replace(
                state,
                phase="gathering",
                playing=None,
                last=last,
                seed=event.seed,
                seats=seats,
                entropy=("",) * len(seats),
            )
        case Closed():
            return replace(state, phase="closed")
        case _ as unreachable:
            assert_never(unreachable)


def show(state: State, version: int) -> protocol.Table:
    """What everybody at the table may know."""
    return protocol.Table(
        code=state.code,
        version=version,
        game=state.game,
        options=state.options,
        host=state.host,
        public=state.public,
        late_join=state.late_join,
        practice=state.practice,
        chat=state.chat,
        phase=state.phase,
        seats=state.seats,
        commitment=commit(state.seed),
        playing=state.playing.id if state.playing else None,
        last=state.last,
    )
