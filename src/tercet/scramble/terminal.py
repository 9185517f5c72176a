"""Scramble in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.editions import Die
from tercet.games.lines import join
from tercet.games.race import Called, Ended, SawNone, TookBack
from tercet.scramble.play import Missed, RoundEnded, ScrambleEvent, Show, State, Throw, Thrown, Took
from tercet.scramble.sight import easy_set
from tercet.sets import Face, explain
from tercet.terminal.desk import Say
from tercet.terminal.race import RaceDesk
from tercet.terminal.screen import Piece, strip
from tercet.terminal.words import count, end_words

#: Dice in a row of the table: six rows and a bit fit into any terminal.
ROW = 6

#: A sentence for each refusal that only this game gives.
REFUSALS = {
    "already_thrown": "The dice have been thrown already.",
    "no_call_needed": "At this table nobody calls: just show your dice.",
    "not_on_table": "Die {die} is not on the table any more.",
    "not_the_thrower": "{seat} throws.",
    "not_thrown": "{seat} has not thrown yet.",
    "same_die_twice": "The same die twice: show different ones.",
    "wrong_number": "Show {needed} dice, not {count}.",
}


class ScrambleDesk(RaceDesk[State, Throw, Show, ScrambleEvent]):
    manual = """\
  Enter        call "Set!"; then type your dice within the time
  1 5 9        the dice in these places, or their faces: 1RO 2GS W;
               without calling first, this calls and shows at once
  none         you see no SET; when all say so, the round is over
  back         let me look again: take back "none"
  table        draw the table again
  hint         show a SET (in practice)
  quit         leave; the record is kept
Several people at one keyboard begin with their number: "2" calls,
"2 none", "2 1 5 9".
Dice: number, colour (R G P), shape (D diamond, O oval, S squiggle);
W is a wild and stands for whatever completes the SET."""

    refusals = REFUSALS
    quiet = (Called, Missed, SawNone, TookBack)
    begins, things, show = "throw", "dice", Show

    def draw(self, state: State, news: Sequence[ScrambleEvent] = ()) -> None:
        if state.phase == "play":
            self._draw_dice(state)
        to_come = count(state.options.rounds - state.round, "round", "rounds")
        self.draw_points(
            state.scores, f"{count(len(state.lying), 'die', 'dice')} on the table, {to_come} to come"
        )

    def _draw_dice(self, state: State) -> None:
        """The dice with their places, counted from 1; nothing moves when some are taken."""
        for start in range(0, len(state.dice), ROW):
            row: list[Piece] = []
            for place, die in enumerate(state.dice[start : start + ROW], start + 1):
                if die is None:
                    row.append(" " * (13 if self.screen.colour else 9))
                else:
                    row += [f"{place:3} ", *self.screen.symbol(die.face), "  "]
            self.screen.print(strip(row))

    def narrate(self, state: State, event: ScrambleEvent) -> str:
        match event:
            case Thrown():
                return f"{self.names[event.thrower]} throws round {event.round}."
            case Took():
                return f"{self.names[event.seat]} takes {_faces(event.dice)}."
            case Missed(dice=()):
                return f"{self.names[event.seat]} shows nothing."
            case Missed():
                why = explain(*(die.face for die in event.dice))
                return f"{self.names[event.seat]} shows {_faces(event.dice)}. {why}."
            case RoundEnded():
                return f"The round is over. Left on the table: {_faces(event.left) or 'nothing'}."
            case Ended():
                return end_words(event.scores, self.names)
            case _:
                return self.tell(state, event)

    def begin(self, state: State) -> Throw:
        return Throw(state.thrower)

    def read_show(self, state: State, seat: int, words: Sequence[str]) -> Show:
        if len(words) != 3:
            raise Say("Three dice, by their places as in 1 5 9, or by their faces; ? for help.")
        numbers: list[int] = []
        for word in words:
            numbers.append(_read_die(state, word, numbers))
        return Show(seat, tuple(numbers))

    def hint(self, state: State) -> str:
        found = easy_set(state.lying)
        if not found:
            return "There is no SET: say none."
        return f"A SET: {join([state.dice.index(die) + 1 for die in found])}."


def _faces(dice: Sequence[Die]) -> str:
    return join([die.face for die in dice])


def _read_die(state: State, word: str, others: Sequence[int]) -> int:
    """The number of the die on a place, or of the first that shows this face and is not named yet."""
    if word.isascii() and word.isdecimal():
        place = int(word[:9])
        die = state.dice[place - 1] if 1 <= place <= len(state.dice) else None
        if die is None:
            raise Say(f"No die lies on place {word[:9]}.")
        return die.number
    face = Face(word)
    for die in state.lying:
        if die.face is face and die.number not in others:
            return die.number
    raise Say(f"No {'other ' * bool(others)}die on the table shows {face}.")


desk = ScrambleDesk
