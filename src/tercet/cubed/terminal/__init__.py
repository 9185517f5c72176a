"""The dice game in a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from tercet.cubed.judge import take_from_hand
from tercet.cubed.placements import Placement
from tercet.cubed.play import (
    Began,
    Call,
    Called,
    Choose,
    Chose,
    CubedCommand,
    CubedEvent,
    Drafted,
    Laid,
    Lay,
    Missed,
    Opened,
    Pass,
    Passed,
    Replaced,
    RoundEnded,
    SawNone,
    SeeNone,
    Show,
    State,
)
from tercet.cubed.terminal import telling
from tercet.cubed.terminal.reading import read_choice, read_opening, read_placement, read_replace
from tercet.editions import Die, Square
from tercet.games import Refusal
from tercet.sets import find_sets
from tercet.terminal.board import draw_board
from tercet.terminal.desk import Desk, Say
from tercet.terminal.screen import Piece, Screen, strip


class CubedDesk(Desk[State, CubedCommand, CubedEvent]):
    manual = """\
The opening: whoever first sees a SET among their own dice begins.
  Enter        call "Set!"; then type your three dice, by place (1 3 4) or face,
               in the order in which they go on the logo
  none         you see no SET
A turn: lay up to three dice, each in a new SET, one by one or all at once.
  2GS@e5       lay the die that shows 2GS on e5 (or 3@e5: your third die)
  *2GS@e5      lay a wild that stands for 2GS
  undo, clear  take back the last die, or all
  Enter        confirm what you have laid
  2GS>e5       before laying: put 2GS in place of the wild on e5 that stands
               for 2GS, and throw the wild
  pass         lay nothing (also -)
The extra roll: the places of the dice to throw once more (1 3), or all;
Enter keeps them.
At any time: table, hint (in practice), quit (the record is kept).
Several people at one keyboard begin with their number in the opening:
"2" calls, "2 none".
Faces: number, colour (R G P), shape (D diamond, O oval, S squiggle);
W is a wild, and *2GS a wild that stands for 2GS."""

    refusals = telling.REFUSALS
    quiet = (Began, Called, Missed, SawNone, Passed, RoundEnded, Chose, Drafted)

    def __init__(self, names: Sequence[str], people: Sequence[int], screen: Screen) -> None:
        super().__init__(names, people, screen)
        self._laid: list[Placement] = []
        self._laid_on: State | None = None

    def legend(self) -> list[Piece]:
        return self.screen.legend()

    def _laid_so_far(self, state: State) -> list[Placement]:
        """The dice laid in this turn and not yet confirmed; none once anything has happened."""
        if state != self._laid_on:
            self._laid, self._laid_on = [], state
        return self._laid

    def draw(self, state: State, news: Sequence[CubedEvent] = ()) -> None:
        layout, laid = state.options.edition.layout, self._laid_so_far(state)
        lying = {layout.square(cell): (die.face, die.wild) for cell, die in enumerate(state.board) if die}
        lying |= {placement.square: (placement.face, placement.wild) for placement in laid}
        marked = {placement.square for placement in laid}
        for event in news:
            marked |= _squares_of(event)
        draw_board(self.screen, layout, lying, marked)
        for seat, name in enumerate(self.names):
            used = {placement.die for placement in laid} if seat == state.turn else ()
            _draw_hand(self.screen, name, state.hands[seat], used)
        self.draw_points(state.scores, f"{len(state.bag)} dice in the bag")

    def narrate(self, state: State, event: CubedEvent) -> str:
        return telling.narrate(event, self.names)

    def prompt(self, state: State) -> str:
        match state.phase:
            case "opening" if state.call is not None:
                caller = self.names[state.call.seat]
                return (
                    f"{caller}, your three dice:" if state.call.seat in self.people else f"{caller} shows …"
                )
            case "opening":
                call = "Your number" if len(self.people) > 1 else "Enter"
                return f"{call} for Set!, none, or ? for help:"
            case "turn" if (seat := self._mover(state)) is not None:
                name = self.names[seat]
                return (
                    f"{name}, Enter to confirm, or go on:"
                    if self._laid_so_far(state)
                    else f"{name}, your turn (? for help):"
                )
            case "extra_roll" if (seat := self._chooser(state)) is not None:
                return f"{self.names[seat]}, extra roll: which dice (1 3, all), Enter to keep:"
            case _:
                return ""

    def _mover(self, state: State) -> int | None:
        """The person whose turn it is."""
        return state.turn if state.turn in self.people else None

    def _chooser(self, state: State) -> int | None:
        return next((seat for seat in self.people if seat not in state.answered), None)

    def answer(self, state: State, line: str) -> list[CubedCommand]:
        if state.phase == "opening":
            return self._answer_opening(state, line)
        if (seat := self._mover(state)) is not None:
            return self._answer_turn(state, seat, line)
        if state.phase == "extra_roll" and (seat := self._chooser(state)) is not None:
            return [Choose(seat, read_choice(state.hands[seat], line))]
        raise Say("Wait for the others.")

    def _answer_opening(self, state: State, line: str) -> list[CubedCommand]:
        if state.call is not None and state.call.seat in self.people:
            return [Show(state.call.seat, read_opening(state, state.call.seat, line))]
        seat, rest = self.speaker(line)
        match rest.lower():
            case "":
                return [Call(seat)]
            case "n" | "none":
                return [SeeNone(seat)]
        return [Call(seat), Show(seat, read_opening(state, seat, rest))]

    def _answer_turn(self, state: State, seat: int, line: str) -> list[CubedCommand]:
        laid = self._laid_so_far(state)
        match line.lower():
            case "":
                if not laid:
                    raise Say("Lay a die as in 2GS@e5, or pass.")
                return [Lay(seat, tuple(laid))]
            case "-" | "pass" | "p":
                return [Pass(seat)]
            case "u" | "undo":
                if not laid:
                    raise Say("There is nothing to take back.")
                laid.pop()
                self.draw(state)
                return self._say_worth(state, seat)
            case "clear":
                laid.clear()
                self.draw(state)
                return []
        if ">" in line:
            if laid:
                raise Say("Wilds are replaced before any die is laid: clear first.")
            return [read_replace(state, seat, line)]
        self._lay(state, seat, line.split())
        self.draw(state)
        return self._say_worth(state, seat)

    def _lay(self, state: State, seat: int, words: Sequence[str]) -> None:
        """Put these with the dice already laid, if they can lie there at all."""
        hand = state.hands[seat]
        laid = [*self._laid_so_far(state), *(read_placement(hand, word) for word in words)]
        judged = state.position(seat).judge(laid)
        if isinstance(judged, Refusal) and judged.code != "makes_no_set":
            raise Say(self.refuse(judged))
        taken = take_from_hand(state, seat, laid)
        if isinstance(taken, Refusal):
            raise Say(self.refuse(taken))
        numbers = {placement.square: placement.die for placement in taken}
        self._laid = [replace(placement, die=numbers[placement.square]) for placement in laid]

    def _say_worth(self, state: State, seat: int) -> list[CubedCommand]:
        """What the dice laid so far score, or why they may not lie so."""
        laid = self._laid_so_far(state)
        if not laid:
            return []
        judged = state.position(seat).judge(laid)
        if isinstance(judged, Refusal):
            raise Say(f"Not yet: {self.refuse(judged)}")
        runs = ", ".join("-".join(map(str, found.squares)) for found in judged.sets)
        bonus = f", {judged.bonus} of them bonus" if judged.bonus else ""
        raise Say(f"{judged.score} points so far{bonus}: new SETs {runs}. Enter to confirm.")

    def hint(self, state: State) -> str:
        if (seat := self._mover(state)) is not None:
            return _hint_turn(state, seat)
        if state.phase == "opening":
            hands = {seat: find_sets([die.face for die in state.hands[seat]]) for seat in self.people}
            seen = [
                f"{self.names[seat]}: {' '.join(map(str, found[0]))}."
                for seat, found in hands.items()
                if found
            ]
            return " ".join(seen) or "There is no SET: say none."
        return "Keep dice that fit together and throw the others."


def _hint_turn(state: State, seat: int) -> str:
    best = state.position(seat).best()
    if best.placements:
        return f"The most points now: {best} = {best.score}."
    layout = state.options.edition.layout
    for cell, lying in enumerate(state.board):
        for die in state.hands[seat]:
            if lying is not None and lying.wild and lying.face is die.face:
                return f"Replace a wild: {die.face}>{layout.square(cell)}."
    return "Nothing can be laid: pass."


def _draw_hand(screen: Screen, name: str, hand: Sequence[Die], used: Collection[int | None] = ()) -> None:
    """The dice in hand with their places, counted from 1; those whose numbers are used are left out.

    Dice that show the same also have their number.
    """
    line: list[Piece] = [f"{name if len(name) < 12 else name[:10] + '…':11} "]
    faces = [die.face for die in hand]
    for place, die in enumerate(hand, 1):
        if die.number in used:
            continue
        number = f"#{die.number}" if faces.count(die.face) > 1 else ""
        line += [(f"{place} ", "dim"), *screen.symbol(die.face), f"{number:3}  "]
    screen.print(strip(line))


def _squares_of(event: CubedEvent) -> set[Square]:
    """Where this event put dice."""
    match event:
        case Laid() | Opened():
            return {placement.square for placement in event.placements}
        case Replaced():
            return {event.square}
        case _:
            return set()


desk = CubedDesk
