"""How each event changes a table, and what of it everybody may know."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from tercet.fairness import commit
from tercet.server import protocol
from tercet.server.protocol import Result, Seat, SentAway, TakenOver
from tercet.server.table.words import (
    GENTLY,
    Allowed,
    AnyTableEvent,
    Began,
    BotSat,
    CalledOff,
    Changed,
    Closed,
    Committed,
    Emptied,
    Finished,
    HostChanged,
    Kicked,
    Opened,
    Paused,
    Resumed,
    Revealed,
    SaidReady,
    Sat,
    SeatAdded,
    SeatRemoved,
    Sitter,
    StartBegan,
    StartedGame,
    Starting,
    State,
    Stood,
    Visited,
)

#: So many of those who were sent away are shown, the last ones.
SENT_AWAY_SHOWN = 20


def _bot_name(seats: tuple[Seat, ...], seat: int, bot: str) -> str:
    """``Expert``, or ``Expert 2`` where there is one already; how it plays, after a colon, is no part of its name."""
    taken = {other.name for number, other in enumerate(seats) if number != seat}
    plain = bot.partition(":")[0].replace("_", " ").replace("-", " ").capitalize()
    return next(
        name for name in (plain, *(f"{plain} {number}" for number in range(2, 99))) if name not in taken
    )


def _make_way(state: State, newcomer: int) -> State:
    """A bot that has the newcomer's name takes another one."""
    seats = state.seats
    for number, seat in enumerate(seats):
        if number != newcomer and seat.bot is not None and seat.name == seats[newcomer].name:
            renamed = replace(seat, name=_bot_name(seats, number, seat.bot))
            state = replace(state, seats=_at(state.seats, number, renamed))
    return state


def _seat(
    name: str = "", person: str | None = None, bot: str | None = None, *, program: bool = False
) -> Seat:
    return Seat(name=name, person=person, bot=bot, ready=bot is not None, program=program)


def _put(state: State, seat: int, sitting: Seat, after: int = 0, *, given_up: bool = False) -> State:
    """With somebody else on this seat, in a running game after this event of it."""
    if state.phase == "playing":
        sitters = _at(state.sitters, seat, (*state.sitters[seat], _sitter(sitting, after, given_up)))
        return replace(state, seats=_at(state.seats, seat, sitting), sitters=sitters)
    return replace(state, seats=_at(state.seats, seat, sitting))


def _sitter(seat: Seat, after: int = 0, given_up: bool = False) -> Sitter:
    return Sitter(seat.name, seat.person, seat.bot, after, given_up)


def _taken_over(state: State) -> tuple[TakenOver, ...]:
    return tuple(
        TakenOver(
            seat,
            tuple(sitter.name for sitter in sitters[:-1]),
            tuple(sitter.bot for sitter in sitters[:-1]),
            tuple(sitter.after for sitter in sitters[1:]),
        )
        for seat, sitters in enumerate(state.sitters)
        if len(sitters) > 1
    )


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
        quick_bots=opened.quick_bots,
        time=opened.time,
        seed=opened.seed,
        run=opened.run,
        seats=(_seat(),) * len(opened.seats),
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
            sitting = _seat(event.name, person=event.person, program=event.program)
            state = _put(state, event.seat, sitting, event.after)
            return _make_way(state, event.seat)
        case BotSat():
            name = _bot_name(state.seats, event.seat, event.bot)
            return _put(state, event.seat, _seat(name, bot=event.bot), event.after, given_up=event.given_up)
        case Stood():
            return _put(state, event.seat, _seat())
        case SaidReady():
            seat = replace(state.seats[event.seat], ready=event.ready)
            return replace(state, seats=_at(state.seats, event.seat, seat))
        case SeatAdded():
            return replace(state, seats=(*state.seats, _seat()))
        case SeatRemoved():
            return replace(state, seats=state.seats[: event.seat] + state.seats[event.seat + 1 :])
        case HostChanged():
            return replace(state, host=event.person)
        case Kicked():
            place = state.seat_of(event.person)
            away = SentAway(event.person, "" if place is None else state.seats[place].name)
            return replace(state, sent_away=(*state.sent_away, away))
        case Allowed():
            left = tuple(away for away in state.sent_away if away.person != event.person)
            return replace(state, sent_away=left)
        case Changed():
            return replace(
                state,
                options=event.options,
                public=event.public,
                late_join=event.late_join,
                chat=event.chat,
                quick_bots=event.quick_bots,
            )
        case StartBegan():
            nothing = ("",) * len(state.seats)
            return replace(state, start=Starting(event.until, nothing, nothing))
        case Committed():
            assert state.start is not None
            commitments = _at(state.start.commitments, event.seat, event.commitment)
            return replace(state, start=replace(state.start, commitments=commitments))
        case Revealed():
            assert state.start is not None
            secrets = _at(state.start.secrets, event.seat, event.secret)
            return replace(state, start=replace(state.start, secrets=secrets))
        case CalledOff():
            seats = tuple(
                replace(seat, ready=False) if number in event.silent else seat
                for number, seat in enumerate(state.seats)
            )
            called_off = state.called_off + 1
            return replace(state, start=None, seats=seats, seed=event.seed, called_off=called_off)
        case Began():
            assert state.start is not None
            luck = state.start
            started = StartedGame(event.game, state.called_off, luck.commitments, luck.secrets, event.time)
            sitters = tuple((_sitter(seat),) for seat in state.seats)
            return replace(state, phase="playing", start=None, started=started, sitters=sitters)
        case Finished():
            assert state.started is not None
            last = Result(
                state.started.id,
                state.names,
                state.bots,
                event.scores,
                event.winners,
                "" if state.is_daily else state.seed,
                _taken_over(state),
            )
            seats = tuple(replace(seat, ready=seat.bot is not None) for seat in state.seats)
            if event.first:
                seats = tuple(replace(seat, bot=seat.bot and seat.bot.removesuffix(GENTLY)) for seat in seats)
            return replace(
                state,
                phase="gathering",
                practice=state.practice and not event.first,
                started=None,
                last=last,
                seed=state.seed if state.is_daily else event.seed,
                seats=seats,
                number=state.number + 1,
                called_off=0,
                sitters=(),
                pause=None,
            )
        case Closed():
            return replace(state, phase="closed", start=None)
        case Paused():
            return replace(state, pause=event)
        case Resumed():
            assert state.started is not None
            assert state.pause is not None
            stood_still = state.started.paused_ms + event.time - state.pause.time
            return replace(state, started=replace(state.started, paused_ms=stood_still), pause=None)
        case Emptied():
            return replace(state, empty_since=event.time)
        case Visited():
            return replace(state, empty_since=None)
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
        quick_bots=state.quick_bots,
        phase=state.phase,
        seats=state.seats,
        number=state.number,
        commitment=commit(state.seed, state.terms),
        called_off=state.called_off,
        start=_show_start(state),
        playing=state.started.id if state.started else None,
        paused=None if state.pause is None else state.pause.why,
        last=state.last,
        sent_away=state.sent_away[-SENT_AWAY_SHOWN:],
        run=state.run,
        taken_over=_taken_over(state),
    )


def _show_start(state: State) -> protocol.Starting | None:
    """How far the start has got; the list of commitments only when all are there, and never a secret."""
    start = state.start
    if start is None:
        return None
    is_committed = state.is_committed()
    done = start.secrets if is_committed else start.commitments
    return protocol.Starting(
        stage="revealing" if is_committed else "committing",
        commitments=start.commitments,
        waits_for=tuple(seat for seat in state.people_seats() if not done[seat]),
        until_time=start.until,
    )
