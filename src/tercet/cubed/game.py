"""The rules of the dice game, C1 to C21, as a decider."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import ClassVar, assert_never

from msgspec.structs import replace

from tercet import games
from tercet.cubed import notation
from tercet.cubed.evolve import evolve
from tercet.cubed.judge import judge_lay, judge_opening, judge_replace
from tercet.cubed.placements import Placement
from tercet.cubed.play import (
    Began,
    Begin,
    Call,
    Called,
    Choose,
    Chose,
    CubedCommand,
    CubedEvent,
    Draft,
    Drafted,
    Drew,
    Ended,
    Hint,
    Laid,
    Lay,
    Missed,
    Opened,
    Options,
    Pass,
    Passed,
    Replace,
    Replaced,
    RoundEnded,
    SawNone,
    SeeNone,
    Show,
    State,
    Threw,
)
from tercet.cubed.table import Table
from tercet.editions.dice import Die
from tercet.fairness import Chance
from tercet.games import (
    OF_TABLE,
    CameBack,
    ComeBack,
    Due,
    Refusal,
    StepAway,
    SteppedAway,
    come_or_go,
    counted,
)
from tercet.sets import WILD, Face, is_set

#: So often the dice that lie there for now can be changed in a turn: more often than a hand can, and a log can be long.
DRAFTS_LIMIT = 200


class CubedRules(games.Rules[Options, State, CubedCommand, CubedEvent]):
    name = "cubed"
    title = "Set Cubed"
    min_seats = 2
    max_seats = 4
    counted: ClassVar = {Opened: "turns", Laid: "turns", Passed: "turns"}
    refusals = (
        "answered_already",
        "away_already",
        "barred",
        "call_first",
        "called_by_another",
        "game_over",
        "makes_no_set",
        "no_draft_needed",
        "no_such_seat",
        "no_wild_there",
        "not_away",
        "not_in_hand",
        "not_on_logo",
        "not_the_named_face",
        "not_your_turn",
        "nothing_laid",
        "occupied",
        "off_board",
        "said_already",
        "same_die_twice",
        "same_square_twice",
        "show_first",
        "too_late",
        "too_many_dice",
        "too_many_drafts",
        "wild_not_named",
        "wrong_phase",
    )
    options_type = Options
    state_type = State
    commands = CubedCommand
    events = CubedEvent
    entry_type = games.Entry[CubedEvent]
    hint_type = Hint

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        layout, dice = options.edition.layout, options.edition.dice
        return State(
            options=options,
            seats=seats,
            bag=tuple(range(1, len(dice) + 1)),
            hands=((),) * seats,
            board=(None,) * (layout.rows * layout.cols),
            scores=(0,) * seats,
            throws=(0,) * len(dice),
        )

    def opening(self, state: State) -> CubedCommand:
        return Begin(0)

    def carry_out(self, state: State, command: CubedCommand, at: int, chance: Chance) -> Table | Refusal:
        if not 0 <= command.seat < state.seats:
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = Table(state, at, chance)
        if isinstance(command, OF_TABLE):
            return _come_or_go(table, command)
        expected = _PHASES[type(command)]
        if state.phase != expected:
            return Refusal("wrong_phase", phase=state.phase, expected=expected)
        match command:
            case Begin():
                return _begin(table, command)
            case Call() | Show() | SeeNone():
                return _open(table, command)
            case Replace() | Lay() | Pass():
                return _take_turn(table, command)
            case Draft():
                return _draft(table, command)
            case Choose():
                return _choose(table, command)
            case _ as unreachable:
                assert_never(unreachable)

    def moves(self, state: State, seat: int) -> Iterator[CubedCommand]:
        match state.phase:
            case "start":
                yield Begin(seat)
            case "opening":
                yield from _opening_moves(state, seat)
            case "turn" if seat == state.turn:
                yield from _turn_moves(state, seat)
            case "extra_roll" if seat not in state.answered:
                numbers = [die.number for die in state.hands[seat]]
                for size in range(len(numbers) + 1):
                    yield from (Choose(seat, dice) for dice in combinations(numbers, size))

    def evolve(self, state: State, event: CubedEvent, at: int) -> State:
        return evolve(state, event, at)

    def view(self, state: State, seat: int | None) -> State:
        if state.draft and seat != state.turn:
            return replace(state, draft=())
        if state.phase != "extra_roll":
            return state
        choices = tuple(dice if owner == seat else None for owner, dice in enumerate(state.choices))
        return replace(state, choices=choices)

    def see(self, event: CubedEvent, seat: int | None) -> CubedEvent:
        if isinstance(event, Chose) and event.seat != seat:
            return Chose(event.seat, None)
        if isinstance(event, Drafted) and event.placements and event.seat != seat:
            return Drafted(event.seat, ())
        return event

    def due(self, state: State) -> Due[CubedCommand] | None:
        if state.call is not None:
            return Due(state.call.until, (Show(state.call.seat),))
        if state.until is None:
            return None
        if state.turn is not None:
            laid = Lay(state.turn, state.draft) if state.draft else Pass(state.turn)
            return Due(state.until, (laid,))
        return Due(state.until, tuple(Choose(seat) for seat in _unanswered(state)))

    def cause(self, event: CubedEvent) -> CubedCommand | None:
        match event:
            case Began():
                return Begin(event.seat)
            case Called():
                return Call(event.seat)
            case Missed() | Opened():
                return Show(event.seat, event.placements)
            case SawNone():
                return SeeNone(event.seat)
            case Replaced():
                return Replace(event.seat, event.die.number, event.square)
            case Laid():
                return Lay(event.seat, event.placements)
            case Drafted():
                return Draft(event.seat, event.placements)
            case Passed():
                return Pass(event.seat)
            case Chose():
                return Choose(event.seat, event.dice or ())
            case SteppedAway():
                return StepAway(event.seat)
            case CameBack():
                return ComeBack(event.seat)
            case Drew() | Threw() | RoundEnded() | Ended():
                return None
            case _ as unreachable:
                assert_never(unreachable)

    def waits_for(self, state: State) -> tuple[int, ...]:
        if state.phase == "extra_roll":
            return _unanswered(state)
        return () if state.turn is None else (state.turn,)

    def away(self, state: State) -> frozenset[int]:
        return state.away

    def misses(self, state: State, seat: int) -> bool:
        return state.phase in ("opening", "extra_roll") and not state.options.is_by_post

    def races(self, state: State) -> bool:
        return state.phase == "opening"

    def is_by_post(self, state: State) -> bool:
        return state.options.is_by_post

    def faster(self, refusal: Refusal, event: CubedEvent) -> int | None:
        return event.seat if refusal.code == "called_by_another" and isinstance(event, Called) else None

    def hint(self, state: State, seat: int, strength: int) -> Hint:
        if state.phase == "opening":
            return Hint(dice=_dice_of_a_set(state.hands[seat])[:strength])
        if state.phase == "turn":
            return Hint(placements=state.position(seat).best().placements[:strength])
        return Hint()

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def write_event(self, event: CubedEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> CubedEvent:
        return notation.read_event(text)


_PHASES: dict[type[CubedCommand], str] = {
    Begin: "start",
    Call: "opening",
    Show: "opening",
    SeeNone: "opening",
    Replace: "turn",
    Lay: "turn",
    Draft: "turn",
    Pass: "turn",
    Choose: "extra_roll",
}


def _opening_moves(state: State, seat: int) -> Iterator[CubedCommand]:
    if state.call is None:
        if seat not in state.barred:
            yield Call(seat)
            if seat not in state.none:
                yield SeeNone(seat)
    elif state.call.seat == seat:
        yield Show(seat)
        logo = state.options.edition.layout.logo
        for three in permutations(state.hands[seat], len(logo)):
            for faces in product(*(Face.all() if die.face is WILD else (die.face,) for die in three)):
                yield Show(
                    seat,
                    tuple(
                        Placement(square, face, die.face is WILD, die.number)
                        for square, face, die in zip(logo, faces, three, strict=True)
                    ),
                )


def _turn_moves(state: State, seat: int) -> Iterator[CubedCommand]:
    """Every turn by its faces: of two dice that show the same, either will do."""
    yield Pass(seat)
    layout = state.options.edition.layout
    for cell, lying in enumerate(state.board):
        if lying is not None and lying.wild:
            for die in state.hands[seat]:
                if die.face is lying.face:
                    yield Replace(seat, die.number, layout.square(cell))
    yield from (Lay(seat, turn.placements) for turn in state.position(seat).turns())


def _begin(table: Table, begin: Begin) -> Table:
    table.happen(Began(begin.seat))
    for seat in range(table.state.seats):
        table.draw(seat)
    if not table.somebody_has_a_set():
        table.throw_until_a_set()
    return table


def _open(table: Table, command: Call | Show | SeeNone) -> Table | Refusal:
    state, seat = table.state, command.seat
    if state.call is not None and state.call.seat != seat:
        return Refusal("called_by_another", seat=state.call.seat)
    if isinstance(command, Show):
        shown = judge_opening(state, command, table.at)
        if isinstance(shown, Refusal):
            return shown
        table.happen(shown)
    elif state.call is not None:
        return Refusal("show_first")
    elif seat in state.barred:
        return Refusal("barred")
    elif isinstance(command, Call):
        table.happen(Called(seat))
    elif seat in state.none:
        return Refusal("said_already")
    else:
        table.happen(SawNone(seat))
    table.agree()
    return table


def _come_or_go(table: Table, command: StepAway | ComeBack) -> Table | Refusal:
    state = table.state
    event = come_or_go(state.away, command)
    if isinstance(event, Refusal):
        return event
    table.happen(event)
    if state.phase == "opening":
        table.agree()
    elif state.phase == "extra_roll":
        table.throw_chosen(state.choices)
    return table


def _take_turn(table: Table, command: Replace | Lay | Pass) -> Table | Refusal:
    state = table.state
    if command.seat != state.turn:
        return Refusal("not_your_turn", turn=state.turn)
    if isinstance(command, Pass):
        table.happen(Passed(command.seat, state.position(command.seat).can_lay()))
    elif state.until is not None and table.at > state.until:
        return Refusal("too_late", by_ms=table.at - state.until)
    elif isinstance(command, Replace):
        put = judge_replace(state, command)
        if isinstance(put, Refusal):
            return put
        table.replace_wild(command.seat, put, command.square)
        return table
    else:
        laid = judge_lay(state, command)
        if isinstance(laid, Refusal):
            return laid
        table.happen(laid)
    if table.state.turn == state.first:
        table.end_round()
    return table


def _draft(table: Table, command: Draft) -> Table | Refusal:
    """What may be laid as it is lies there for now; it is judged here, so that it can be laid when the time is up."""
    state = table.state
    if command.seat != state.turn:
        return Refusal("not_your_turn", turn=state.turn)
    if state.until is None:
        return Refusal("no_draft_needed")
    if table.at > state.until:
        return Refusal("too_late", by_ms=table.at - state.until)
    placements = command.placements
    if placements:
        laid = judge_lay(state, Lay(command.seat, placements))
        if isinstance(laid, Refusal):
            return laid
        placements = laid.placements
    if placements == state.draft:
        return table
    if state.drafts >= DRAFTS_LIMIT:
        return Refusal("too_many_drafts")
    table.happen(Drafted(command.seat, placements))
    return table


def _choose(table: Table, command: Choose) -> Table | Refusal:
    state = table.state
    if command.seat in state.answered:
        return Refusal("answered_already")
    if command.dice and state.until is not None and table.at > state.until:
        return Refusal("too_late", by_ms=table.at - state.until)
    if len(set(command.dice)) < len(command.dice):
        return Refusal("same_die_twice")
    for number in command.dice:
        if state.die_in_hand(command.seat, number) is None:
            return Refusal("not_in_hand", die=number)
    chosen = Chose(command.seat, tuple(sorted(command.dice)))
    table.happen(chosen)
    table.throw_chosen((*state.choices[: chosen.seat], chosen.dice, *state.choices[chosen.seat + 1 :]))
    return table


def _unanswered(state: State) -> tuple[int, ...]:
    """Whose answer to the extra roll is waited for."""
    return tuple(seat for seat in counted(state.seats, state.away) if seat not in state.answered)


def _dice_of_a_set(hand: Sequence[Die]) -> tuple[int, ...]:
    """The numbers of three dice in hand that are a SET, if there are any."""
    threes = (three for three in combinations(hand, 3) if is_set(*(die.face for die in three)))
    return tuple(die.number for die in next(threes, ()))


rules = CubedRules()


class Game(games.Game[Options, State, CubedCommand, CubedEvent]):
    """A game of Set Cubed.

    >>> from tercet.fairness import seed_from
    >>> game = Game(["Ann", "Bo"], seed=seed_from("an example"))
    >>> _ = game.do(Begin(0))
    >>> game.state.phase, [len(hand) for hand in game.state.hands], len(game.state.bag)
    ('opening', [5, 5], 32)
    """

    rules = rules
