"""What each event of the dice game changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, assert_never

from msgspec.structs import replace

from tercet.cubed.play import (
    Began,
    Called,
    Chose,
    CubedEvent,
    Drafted,
    Drew,
    Ended,
    Laid,
    Missed,
    Opened,
    Passed,
    PendingCall,
    Replaced,
    RoundEnded,
    SawNone,
    State,
    Threw,
)
from tercet.editions.dice import Die
from tercet.games import CameBack, SteppedAway, away_after

T = TypeVar("T")


def evolve(state: State, event: CubedEvent, at: int) -> State:
    """The state after the event; what happens most often comes first."""
    match event:
        case Laid():
            return _lay(state, event, at)
        case Drew():
            drawn = {die.number for die in event.dice}
            return replace(
                state,
                bag=tuple([number for number in state.bag if number not in drawn]),
                hands=_set(state.hands, event.seat, state.hands[event.seat] + event.dice),
                throws=_count(state.throws, event.dice),
            )
        case Threw():
            shown = {die.number: die for die in event.dice}
            hand = tuple(shown.get(die.number, die) for die in state.hands[event.seat])
            hands, throws = _set(state.hands, event.seat, hand), _count(state.throws, event.dice)
            if state.phase == "opening":
                return replace(state, hands=hands, throws=throws, barred=frozenset(), none=frozenset())
            return replace(state, hands=hands, throws=throws)
        case Chose():
            state = replace(
                state,
                answered=state.answered | {event.seat},
                choices=_set(state.choices, event.seat, event.dice),
            )
            return _begin_round(state, at) if state.all_answered else state
        case RoundEnded():
            return _end_round(state, event, at)
        case Passed():
            return replace(
                state,
                turn=(event.seat + 1) % state.seats,
                until=_limit(at, state.options.turn_seconds),
                draft=(),
                drafts=0,
                could_lay=state.could_lay or event.could_lay,
            )
        case Drafted():
            return replace(state, draft=event.placements, drafts=state.drafts + 1)
        case Replaced():
            hand = tuple(die for die in state.hands[event.seat] if die.number != event.die.number)
            return replace(
                state,
                board=_set(state.board, state.options.edition.layout.cell(event.square), event.die),
                hands=_set(state.hands, event.seat, (*hand, event.taken)),
                throws=_count(state.throws, (event.taken,)),
                draft=(),
                could_lay=state.could_lay or event.could_lay,
            )
        case Began():
            return replace(state, phase="opening")
        case Called():
            until = at + state.options.show_seconds * 1000
            return replace(state, call=PendingCall(event.seat, until), none=state.none - {event.seat})
        case Missed():
            return replace(state, call=None, barred=state.barred | {event.seat})
        case SawNone():
            return replace(state, none=state.none | {event.seat})
        case Opened():
            state = replace(
                state, phase="turn", call=None, barred=frozenset(), none=frozenset(), first=event.seat
            )
            return _lay(state, event, at)
        case Ended():
            return replace(state, phase="over", turn=None, until=None)
        case SteppedAway() | CameBack():
            state = replace(state, away=away_after(state.away, event))
            return _begin_round(state, at) if state.phase == "extra_roll" and state.all_answered else state
        case _ as unreachable:
            assert_never(unreachable)


def _lay(state: State, event: Opened | Laid, at: int) -> State:
    board, cells = list(state.board), state.options.edition.layout.cells
    for placement in event.placements:
        assert placement.die is not None
        board[cells[placement.square]] = Die(placement.die, placement.face, placement.wild)
    gone = {placement.die for placement in event.placements}
    hand = tuple([die for die in state.hands[event.seat] if die.number not in gone])
    return replace(
        state,
        turn=(event.seat + 1) % state.seats,
        until=_limit(at, state.options.turn_seconds),
        draft=(),
        drafts=0,
        board=tuple(board),
        hands=_set(state.hands, event.seat, hand),
        scores=_set(state.scores, event.seat, state.scores[event.seat] + event.points),
        laid=True,
    )


def _end_round(state: State, event: RoundEnded, at: int) -> State:
    if state.laid:
        idle_rounds, rethrows = 0, 0
    elif state.could_lay:
        idle_rounds, rethrows = state.idle_rounds + 1, 0
    else:
        idle_rounds, rethrows = state.idle_rounds, state.rethrows + 1
    state = replace(state, laid=False, could_lay=False, idle_rounds=idle_rounds, rethrows=rethrows)
    if event.then == "end":
        return state
    state = replace(state, round=state.round + 1)
    if event.then == "rethrow":
        return _begin_round(state, at)
    return replace(
        state,
        phase="extra_roll",
        turn=None,
        until=_limit(at, state.options.extra_seconds),
        answered=frozenset(),
        choices=(None,) * state.seats,
    )


def _begin_round(state: State, at: int) -> State:
    until = _limit(at, state.options.turn_seconds)
    return replace(state, phase="turn", turn=state.first, until=until, choices=())


def _limit(at: int, seconds: int | None) -> int | None:
    return None if seconds is None else at + seconds * 1000


def _count(throws: tuple[int, ...], dice: Iterable[Die]) -> tuple[int, ...]:
    """One throw more for each of these dice."""
    counts = list(throws)
    for die in dice:
        counts[die.number - 1] += 1
    return tuple(counts)


def _set(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])
