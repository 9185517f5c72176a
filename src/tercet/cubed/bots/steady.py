"""Bots that look at what they leave to the others: hands are open, so the others' replies can be seen."""

from __future__ import annotations

from collections.abc import Sequence

from tercet import kernel
from tercet.bots.bot import Deadline
from tercet.cubed.bots.simple import Greedy
from tercet.cubed.evolve import evolve
from tercet.cubed.play import Lay, Pass, Passed, Replace, State
from tercet.cubed.sight import Sight, Turn

#: So many of the turns with most points `steady` looks at more closely.
CANDIDATES = 40
#: Seconds that the uncompiled kernel may take to solve an extra roll.
PLAIN_ROLL_SECONDS = 5.0


class Steady(Greedy):
    name = "steady"
    about = "weighs points against what they open for the next players"

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        deadline = Deadline(0.8 * time_limit)
        sight, hand = Sight.of(view), self.faces(view)
        exchange = self.best_exchange(view, sight, hand)
        if exchange is not None:
            return exchange
        turns = self.candidates(sight, hand)
        if not turns:
            return Pass(self.seat)
        replying = yet_to_play(evolve(view, Passed(self.seat, True), 0))
        most, best = float("-inf"), turns[0]
        for turn in turns:
            value = turn.score - self.replies(view, sight.after(turn.puts), replying)
            if value > most:
                most, best = value, turn
            if deadline.is_over:
                break
        return self.lay(view, sight, best.puts)

    def candidates(self, sight: Sight, hand: Sequence[int]) -> list[Turn]:
        return sight.turns(hand)[:CANDIDATES]

    def replies(self, view: State, sight: Sight, replying: Sequence[int]) -> float:
        """What the next players could score on this board at once, on average over the others."""
        scores = [sight.best_score([int(die.face) for die in view.hands[seat]]) for seat in replying]
        return sum(scores) / (view.seats - 1)


class Expert(Steady):
    name = "expert"
    about = "searches the round to its end and solves the extra roll exactly"

    def candidates(self, sight: Sight, hand: Sequence[int]) -> list[Turn]:
        return sight.turns(hand)

    def replies(self, view: State, sight: Sight, replying: Sequence[int]) -> float:
        """What the next players will score in this round, each on the board that the one before leaves."""
        total = 0
        for seat in replying:
            reply = sight.best([int(die.face) for die in view.hands[seat]])
            if reply is not None:
                total += reply.score
                sight = sight.after(reply.puts)
        return total / (view.seats - 1)

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        if not self.can_solve(view, time_limit):
            return super().extra_roll(view, time_limit)
        thrown, _ = self.solve_roll(view)
        return [die.number for place, die in enumerate(view.hands[self.seat]) if thrown >> place & 1]

    def can_solve(self, view: State, time_limit: float) -> bool:
        """Whether there is time to solve the extra roll."""
        return Sight.of(view).in_kernel and (kernel.COMPILED or time_limit > PLAIN_ROLL_SECONDS)

    def solve_roll(self, view: State) -> tuple[int, Sequence[int]]:
        """The dice to throw, as bits, and 7,776 x the expected best score for every choice of dice."""
        dice = view.hands[self.seat]
        sides = [view.options.edition.dice[die.number - 1] for die in dice]
        shown = bytes(faces.index(die.face) for die, faces in zip(dice, sides, strict=True))
        return Sight.of(view).solve_extra_roll(b"".join(map(bytes, sides)), shown)


def yet_to_play(state: State) -> list[int]:
    """The seats that still have a turn in this round: the one whose turn it is, and those after it."""
    seats = []
    seat = state.turn
    while seat is not None and seat != state.first:
        seats.append(seat)
        seat = (seat + 1) % state.seats
    return seats
