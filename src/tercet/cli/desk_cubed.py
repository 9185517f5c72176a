"""The dice game at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from tercet import cubed
from tercet.cli.board import draw_board, draw_hand, draw_scores, squares_of
from tercet.cli.session import Desk, Say
from tercet.cli.words import refusal_words
from tercet.cubed import Die, Placement, Square
from tercet.cubed.judge import take_from_hand
from tercet.games import Command, Entry, Refusal
from tercet.sets import WILD, Face, find_sets, third


class CubedDesk(Desk):
    manual = """\
The opening: who first sees a SET among the own dice, begins.
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

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._laid: list[Placement] = []

    @property
    def _state(self) -> cubed.State:
        state: cubed.State = self.game.state
        return state

    def start(self) -> Command:
        return cubed.Begin(0)

    def draw(self, news: Sequence[Entry[Any]] = ()) -> None:
        if news:
            self._laid.clear()
            if not any(isinstance(entry.event, _TABLE_EVENTS) for entry in news):
                return
        state, layout = self._state, self._state.options.edition.layout
        lying = {layout.square(cell): (die.face, die.wild) for cell, die in enumerate(state.board) if die}
        lying |= {placement.square: (placement.face, placement.wild) for placement in self._laid}
        marked = {placement.square for placement in self._laid}
        for entry in news:
            marked |= squares_of(entry.event)
        draw_board(self.screen, layout, lying, marked)
        for seat, name in enumerate(self.game.seats):
            used = {placement.die for placement in self._laid} if seat == state.turn else ()
            draw_hand(self.screen, name, state.hands[seat], used)
        draw_scores(self.screen, state, self.game.seats)

    def prompt(self) -> str:
        state = self._state
        match state.phase:
            case "opening" if state.call is not None:
                caller = self.game.seats[state.call.seat]
                return (
                    f"{caller}, your three dice:" if state.call.seat in self.people else f"{caller} shows …"
                )
            case "opening":
                call = "Your number" if len(self.people) > 1 else "Enter"
                return f"{call} for Set!, none, or ? for help:"
            case "turn" if (seat := self._mover()) is not None:
                name = self.game.seats[seat]
                return (
                    f"{name}, Enter to confirm, or go on:"
                    if self._laid
                    else f"{name}, your turn (? for help):"
                )
            case "extra_roll" if (seat := self._chooser()) is not None:
                return f"{self.game.seats[seat]}, extra roll: which dice (1 3, all), Enter to keep:"
            case _:
                return ""

    def _mover(self) -> int | None:
        """The person whose turn it is."""
        return self._state.turn if self._state.turn in self.people else None

    def _chooser(self) -> int | None:
        return next((seat for seat in self.people if seat not in self._state.answered), None)

    def answer(self, line: str) -> list[Command]:
        state = self._state
        if state.phase == "opening":
            return self._answer_opening(line)
        if (seat := self._mover()) is not None:
            return self._answer_turn(seat, line)
        if state.phase == "extra_roll" and (seat := self._chooser()) is not None:
            return [cubed.Choose(seat, self._read_choice(seat, line))]
        raise Say("Wait for the others.")

    def _read_choice(self, seat: int, line: str) -> tuple[int, ...]:
        """The dice to throw once more."""
        if line.lower() in ("-", "keep", "none"):
            return ()
        hand = self._state.hands[seat]
        dice = hand if line.lower() == "all" else self._pick(seat, line.replace(",", " ").split())
        return tuple(die.number for die in dice)

    def _answer_opening(self, line: str) -> list[Command]:
        state = self._state
        if state.call is not None and state.call.seat in self.people:
            return [cubed.Show(state.call.seat, self._read_opening(state.call.seat, line))]
        seat, rest = self.speaker(line)
        match rest.lower():
            case "":
                return [cubed.Call(seat)]
            case "n" | "none":
                return [cubed.SeeNone(seat)]
        return [cubed.Call(seat), cubed.Show(seat, self._read_opening(seat, rest))]

    def _read_opening(self, seat: int, line: str) -> tuple[Placement, ...]:
        if line in ("-", "nothing"):
            return ()
        words = line.replace(",", " ").split()
        if len(words) != 3:
            raise Say("Three dice, by place as in 1 3 4, or by face; ? for help.")
        named = [Face(word[1:]) if word.startswith("*") else None for word in words]
        dice = self._pick(seat, ["W" if word.startswith("*") else word for word in words])
        faces = name_wilds([name or die.face for name, die in zip(named, dice, strict=True)])
        logo = self._state.options.edition.layout.logo
        return tuple(
            Placement(square, face, die.face is WILD, die.number)
            for square, face, die in zip(logo, faces, dice, strict=True)
        )

    def _answer_turn(self, seat: int, line: str) -> list[Command]:
        match line.lower():
            case "":
                if not self._laid:
                    raise Say("Lay a die as in 2GS@e5, or pass.")
                return [cubed.Lay(seat, tuple(self._laid))]
            case "-" | "pass" | "p":
                return [cubed.Pass(seat)]
            case "u" | "undo":
                if not self._laid:
                    raise Say("There is nothing to take back.")
                self._laid.pop()
                self.draw()
                return self._say_worth(seat)
            case "clear":
                self._laid.clear()
                self.draw()
                return []
        if ">" in line:
            return [self._read_replace(seat, line)]
        self._lay(seat, line.split())
        self.draw()
        return self._say_worth(seat)

    def _read_replace(self, seat: int, line: str) -> Command:
        if self._laid:
            raise Say("Wilds are replaced before any die is laid: clear first.")
        die, _, square = line.partition(">")
        return cubed.Replace(seat, self._pick(seat, [die.strip()])[0].number, Square(square.strip()))

    def _lay(self, seat: int, words: Sequence[str]) -> None:
        """Put these with the dice already laid, if they can lie there at all."""
        laid = [*self._laid, *(self._read_placement(seat, word) for word in words)]
        judged = self._state.position(seat).judge(laid)
        if isinstance(judged, Refusal) and judged.code != "makes_no_set":
            raise Say(refusal_words(judged, self.game.seats))
        taken = take_from_hand(self._state, seat, laid)
        if isinstance(taken, Refusal):
            raise Say(refusal_words(taken, self.game.seats))
        numbers = {placement.square: placement.die for placement in taken}
        self._laid = [replace(placement, die=numbers[placement.square]) for placement in laid]

    def _read_placement(self, seat: int, word: str) -> Placement:
        place, at, square = word.partition("@")
        if not (at and place.isascii() and place.isdecimal()):
            return Placement.read(word)
        die = self._pick(seat, [place])[0]
        return Placement(Square(square), die.face, die.face is WILD, die.number)

    def _say_worth(self, seat: int) -> list[Command]:
        """What the dice laid so far score, or why they may not lie so."""
        if not self._laid:
            return []
        judged = self._state.position(seat).judge(self._laid)
        if isinstance(judged, Refusal):
            raise Say(f"Not yet: {refusal_words(judged, self.game.seats)}")
        runs = ", ".join("-".join(map(str, found.squares)) for found in judged.sets)
        bonus = f", {judged.bonus} of them bonus" if judged.bonus else ""
        raise Say(f"{judged.score} points so far{bonus}: new SETs {runs}. Enter to confirm.")

    def _pick(self, seat: int, words: Sequence[str]) -> list[Die]:
        """Dice of this hand by place, face, or face and number; each once."""
        left = list(self._state.hands[seat])
        hand, picked = tuple(left), []
        for word in words:
            number = re.fullmatch(r"(?:\w+)?#(\d{1,4})", word, re.ASCII)
            if word.isascii() and word.isdecimal():
                if not 1 <= int(word) <= len(hand):
                    raise Say(f"There is no die {word[:9]}: you have {len(hand)}.")
                die = hand[int(word) - 1]
                found = die if die in left else None
            elif number:
                found = next((die for die in left if die.number == int(number[1])), None)
            else:
                face = Face(word)
                found = min(
                    (die for die in left if die.face is face), key=lambda die: die.number, default=None
                )
            if found is None:
                raise Say(f"{word[:20]} is not in your hand, or not twice.")
            left.remove(found)
            picked.append(found)
        return picked

    def hint(self) -> str:
        state = self._state
        if (seat := self._mover()) is not None:
            return self._hint_turn(seat)
        if state.phase == "opening":
            hands = {seat: find_sets([die.face for die in state.hands[seat]]) for seat in self.people}
            seen = [
                f"{self.game.seats[seat]}: {' '.join(map(str, found[0]))}."
                for seat, found in hands.items()
                if found
            ]
            return " ".join(seen) or "There is no SET: say none."
        return "Keep dice that fit together and throw the others."

    def _hint_turn(self, seat: int) -> str:
        best = self._state.position(seat).best()
        if best.placements:
            return f"The most points now: {best} = {best.score}."
        layout = self._state.options.edition.layout
        for cell, lying in enumerate(self._state.board):
            for die in self._state.hands[seat]:
                if lying is not None and lying.wild and lying.face is die.face:
                    return f"Replace a wild: {die.face}>{layout.square(cell)}."
        return "Nothing can be laid: pass."


def name_wilds(faces: Sequence[Face]) -> list[Face]:
    """The faces of a SET with its wilds named, where the others leave no doubt or all are alike."""
    plain = [face for face in faces if face is not WILD]
    if len(plain) == 3:
        return plain
    name = third(plain[0], plain[1]) if len(plain) == 2 else plain[0] if plain else Face.all()[0]
    return [name if face is WILD else face for face in faces]


_TABLE_EVENTS = (cubed.Drew, cubed.Threw, cubed.Opened, cubed.Laid, cubed.Replaced, cubed.Ended)
