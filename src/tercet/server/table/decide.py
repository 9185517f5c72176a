"""What follows from a command about a table, or why it is refused."""

from __future__ import annotations

import unicodedata
from typing import Any, assert_never

from tercet import games
from tercet.codec import to_json
from tercet.fairness import commit, commit_secret
from tercet.games import OptionsError, Refusal
from tercet.games.runs import find_run
from tercet.server.protocol import (
    AddSeat,
    Allow,
    Change,
    Close,
    Commit,
    HandOver,
    Kick,
    Leave,
    Pause,
    Ready,
    RemoveSeat,
    Resume,
    Reveal,
    Sit,
    StandIn,
    Start,
    TableCommand,
)
from tercet.server.protocol.words import holds_nul
from tercet.server.table.evolve import evolve
from tercet.server.table.words import (
    Allowed,
    AnyTableEvent,
    Asking,
    Began,
    BotSat,
    CalledOff,
    Changed,
    Closed,
    Committed,
    HostChanged,
    Kicked,
    Paused,
    Resumed,
    Revealed,
    SaidReady,
    Sat,
    SeatAdded,
    SeatRemoved,
    StartBegan,
    Starting,
    State,
    Stood,
)

#: How long everybody's client may take to commit and to reveal (F1).
START_MS = 10_000


def decide(state: State, command: TableCommand, asking: Asking) -> list[AnyTableEvent] | Refusal:
    """What follows from a command: events, or why not."""
    if state.phase == "closed":
        return Refusal("table_closed")
    if (asking.known_as | {asking.person}) & state.banned:
        return Refusal("kicked")
    match command:
        case Sit():
            return _decide_sit(state, command, asking)
        case Leave():
            seat = state.seat_of(asking.person)
            return Refusal("no_seat") if seat is None else _vacate(state, seat, asking)
        case Ready():
            return _decide_ready(state, command, asking)
        case Commit():
            return _decide_commit(state, command, asking)
        case Reveal():
            return _decide_reveal(state, command, asking)
        case StandIn():
            return _decide_stand_in(state, command, asking)
        case Pause():
            return _decide_pause(state, asking)
        case Resume():
            return _decide_resume(state, asking)
        case Start():
            return _decide_start(state, asking) if _may_start(state, asking) else Refusal("not_the_host")
    if asking.person != state.host:
        return Refusal("not_the_host")
    match command:
        case AddSeat():
            return _decide_add_seat(state, command, asking)
        case RemoveSeat():
            return _decide_remove_seat(state, command)
        case Kick():
            return _decide_kick(state, command, asking)
        case Allow():
            if command.person not in state.banned:
                return Refusal("no_such_person")
            return [Allowed(person=command.person)]
        case HandOver():
            if state.seat_of(command.person) is None:
                return Refusal("no_such_person")
            return [HostChanged(person=command.person)]
        case Change():
            return _decide_change(state, command)
        case Close():
            return [Closed(time=asking.time)]
        case _ as unreachable:
            assert_never(unreachable)


def _is_same(name: str, other: str) -> bool:
    """Whether two names look alike to those who sit together: case and width do not count."""
    key, other_key = (unicodedata.normalize("NFKC", one).casefold() for one in (name, other))
    return key == other_key


def _decide_sit(state: State, sit: Sit, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.seat_of(asking.person) is not None:
        return Refusal("seated_already")
    if state.run is not None and asking.program:
        return Refusal("not_for_bots")
    if state.run is not None and asking.is_running:
        return Refusal("run_running")
    if any(_is_same(seat.name, asking.name) for seat in state.seats if seat.person is not None):
        return Refusal("name_taken", name=asking.name)
    free = state.open_seats()
    if state.phase == "playing":
        # Whoever had a seat in this game may come back to it, if a bot has it now, and to no other.
        own = state.began_on(asking.known_as | {asking.person})
        if own is None and not state.late_join:
            return Refusal("no_late_join")
        free = [number for number, seat in enumerate(state.seats) if seat.bot and own in (None, number)]
    added: list[AnyTableEvent] = []
    if not free and state.phase == "gathering" and len(state.seats) < _most_at_run(state):
        # The open seats went when the race began; whoever comes late is in the next one.
        free, added = [len(state.seats)], [SeatAdded()]
    if not free:
        return Refusal("table_full")
    if sit.seat is not None and sit.seat not in free:
        return Refusal("seat_taken", seat=sit.seat)
    seat = free[0] if sit.seat is None else sit.seat
    sat = Sat(seat=seat, person=asking.person, name=asking.name, program=asking.program, after=asking.seq)
    return [*added, sat]


def _most_at_run(state: State) -> int:
    """How many can be in a run; nothing if it is none."""
    return 0 if state.run is None else find_run(state.run.kind).most_seats


def _decide_ready(state: State, command: Ready, asking: Asking) -> list[AnyTableEvent] | Refusal:
    seat = state.seat_of(asking.person)
    if seat is None:
        return Refusal("no_seat")
    if state.phase != "gathering":
        return Refusal("game_running")
    said = SaidReady(seat=seat, ready=command.ready)
    after = evolve(state, said)
    if state.start is not None:
        return [said] if command.ready else [*_call_off(state, asking), said]
    if not after.open_seats() and all(seat.ready for seat in after.seats):
        begun = _decide_start(after, asking)
        return [said] if isinstance(begun, Refusal) else [said, *begun]
    return [said]


def _may_start(state: State, asking: Asking) -> bool:
    """The host; and while the host is gone, everybody with a seat."""
    is_seated = state.seat_of(asking.person) is not None
    return asking.person == state.host or (is_seated and state.host in asking.gone)


def _decide_start(state: State, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    if state.start is not None:
        return Refusal("starting")
    if state.run is not None and asking.is_running:
        return Refusal("run_running")
    if state.is_daily and state.last is not None:
        return Refusal("run_over")
    left_out = _leave_out(state, asking)
    for event in left_out:
        state = evolve(state, event)
    taken = len(state.seats) - len(state.open_seats())
    try:
        state.rules.start(state.rules.read_options(state.options), taken)
    except OptionsError:
        return Refusal("too_few_players", needed=state.rules.min_seats)
    if not state.people():
        return Refusal("too_few_players", needed=1)
    removed = [SeatRemoved(seat=seat) for seat in reversed(state.open_seats())]
    begun = StartBegan(until=asking.time + START_MS)
    if state.is_daily:  # its luck is the same for all: nobody adds a secret
        return [*left_out, *removed, begun, Began(game=asking.new_game, time=asking.time)]
    return [*left_out, *removed, begun]


def _leave_out(state: State, asking: Asking) -> list[AnyTableEvent]:
    """A game begins without those who are away (T1)."""
    away = asking.away - {asking.person}
    here = [person for person in state.people() if person not in away]
    stood: list[AnyTableEvent] = [
        Stood(seat=seat) for seat in state.people_seats() if state.seats[seat].person in away
    ]
    if state.host not in away or not here:
        return stood
    return [*stood, HostChanged(person=asking.person if asking.person in here else here[0])]


def _decide_commit(state: State, command: Commit, asking: Asking) -> list[AnyTableEvent] | Refusal:
    seat = state.seat_of(asking.person)
    if seat is None:
        return Refusal("no_seat")
    if state.start is None or command.to != commit(state.seed, state.terms):
        return Refusal("no_such_start")
    if state.run is not None and asking.is_running:
        return Refusal("run_running")
    if state.start.commitments[seat]:
        return Refusal("committed_already")
    return [Committed(seat=seat, commitment=command.commitment)]


def _decide_reveal(state: State, command: Reveal, asking: Asking) -> list[AnyTableEvent] | Refusal:
    seat = state.seat_of(asking.person)
    if seat is None:
        return Refusal("no_seat")
    if state.start is None or command.to != commit(state.seed, state.terms) or not state.is_committed():
        return Refusal("no_such_start")
    if state.run is not None and asking.is_running:
        return Refusal("run_running")
    if commit_secret(command.secret, state.terms) != state.start.commitments[seat]:
        return Refusal("wrong_secret")
    if state.start.secrets[seat]:
        return []
    revealed = Revealed(seat=seat, secret=command.secret)
    after = evolve(state, revealed).start
    assert after is not None
    if all(after.secrets[other] for other in state.people_seats()):
        return [revealed, Began(game=asking.new_game, time=asking.time)]
    return [revealed]


def call_off(state: State, asking: Asking) -> list[AnyTableEvent]:
    """What follows when the time for a start is up: nothing, if none is under way or it still has time. If only those who are
    away were silent, the next start begins at once, without them."""
    if state.start is None or asking.time < state.start.until:
        return []
    silent = _silent(state, state.start)
    off = CalledOff(why="silent", silent=silent, seed=asking.new_seed, time=asking.time)
    if any(state.seats[seat].person not in asking.away for seat in silent):
        return [off]
    begun = _decide_start(evolve(state, off), asking)
    return [off] if isinstance(begun, Refusal) else [off, *begun]


def _silent(state: State, start: Starting) -> tuple[int, ...]:
    """The seats that have not done their part of a start."""
    done = start.secrets if state.is_committed() else start.commitments
    return tuple(seat for seat in state.people_seats() if not done[seat])


def _call_off(state: State, asking: Asking) -> list[AnyTableEvent]:
    """Whatever ends a start before the game begins is counted: it might be somebody who knows what was coming."""
    if state.start is None:
        return []
    return [CalledOff(why="changed", silent=(), seed=asking.new_seed, time=asking.time)]


def _decide_add_seat(state: State, command: AddSeat, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    if state.start is not None:
        return Refusal("starting")
    most = _most_at_run(state) or state.rules.max_seats
    if command.bot is not None and command.bot not in asking.bots:
        return Refusal("no_such_bot", bot=command.bot)
    if len(state.seats) >= most:
        # There is no room for another seat, but a bot may take one that is open.
        if command.bot is None or not state.open_seats():
            return Refusal("table_full")
        return [BotSat(seat=state.open_seats()[0], bot=command.bot)]
    added: list[AnyTableEvent] = [SeatAdded()]
    if command.bot is not None:
        added.append(BotSat(seat=len(state.seats), bot=command.bot))
    return added


def _decide_remove_seat(state: State, command: RemoveSeat) -> list[AnyTableEvent] | Refusal:
    if state.phase != "gathering":
        return Refusal("game_running")
    if state.start is not None:
        return Refusal("starting")
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
    if seat is not None and _is_theirs(state, seat, asking):
        return Refusal("still_here", seat=seat)
    left = [] if seat is None else _vacate(state, seat, asking)
    return [Kicked(person=command.person), *left]


def _decide_stand_in(state: State, command: StandIn, asking: Asking) -> list[AnyTableEvent] | Refusal:
    is_host = asking.person == state.host
    if not is_host and (state.seat_of(asking.person) is None or state.phase != "playing"):
        return Refusal("not_the_host")
    if command.seat >= len(state.seats):
        return Refusal("no_such_seat", seat=command.seat)
    if command.bot is not None and command.bot not in asking.bots:
        return Refusal("no_such_bot", bot=command.bot)
    if state.seats[command.seat].person == asking.person:
        return Refusal("not_yourself")
    if _is_theirs(state, command.seat, asking) or (not is_host and command.seat not in asking.missed):
        return Refusal("still_here", seat=command.seat)
    return [
        *_call_off(state, asking),
        BotSat(seat=command.seat, bot=command.bot or stand_in(state, asking.bots), after=asking.seq),
    ]


def _decide_pause(state: State, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.seat_of(asking.person) is None:
        return Refusal("no_seat")
    if state.phase != "playing":
        return Refusal("no_game")
    if state.run is not None:
        return Refusal("clock_runs")
    if len(state.people()) > 1:
        return Refusal("not_alone")
    return [] if state.pause else [Paused(why="wanted", time=asking.time)]


def _decide_resume(state: State, asking: Asking) -> list[AnyTableEvent] | Refusal:
    if state.seat_of(asking.person) is None:
        return Refusal("no_seat")
    return [Resumed(time=asking.time)] if state.pause else []


def _is_theirs(state: State, seat: int, asking: Asking) -> bool:
    """A seat in play belongs to its person while they are here or on the way back: nobody takes it from them."""
    return state.phase == "playing" and state.seats[seat].person in asking.present


def _decide_change(state: State, command: Change) -> list[AnyTableEvent] | Refusal:
    options = state.options
    if state.run is not None:
        return Refusal("fixed_run")
    if command.options is not None:
        if state.phase != "gathering":
            return Refusal("game_running")
        if state.start is not None:
            return Refusal("starting")
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
        quick_bots=or_else(command.quick_bots, state.quick_bots),
    )
    return [changed]


def _vacate(state: State, seat: int, asking: Asking) -> list[AnyTableEvent]:
    """Somebody goes: in a running game a bot plays on, and another person becomes host."""
    person = state.seats[seat].person
    others = [other for other in state.people() if other != person]
    events: list[AnyTableEvent]
    if state.phase == "playing":
        bot = stand_in(state, asking.bots)
        events = [BotSat(seat=seat, bot=bot, after=asking.seq, given_up=True)]
    else:
        events = [*_call_off(state, asking), Stood(seat=seat)]
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
    described = rules.describe_options(options)
    if holds_nul(to_json(described)):
        raise OptionsError("options: a text in them holds a NUL")
    return described
