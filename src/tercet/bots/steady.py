"""Bots that look at what they leave to the others: hands are open, so the others' replies can be seen."""

from __future__ import annotations

from collections.abc import Sequence

from tercet import kernel
from tercet.bots.bot import Deadline, register
from tercet.bots.dice import Greedy
from tercet.bots.sight import Sight, Turn
from tercet.cubed.play import Lay, Pass, Replace, State

#: So many of the turns with most points `steady` looks at more closely.
CANDIDATES = 40
#: Seconds that the uncompiled kernel may take to solve an extra roll.
PLAIN_ROLL_SECONDS = 5.0


@register
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
        replying = players_to_come(view)
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


@register
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
        sight = Sight.of(view)
        dice = view.hands[self.seat]
        if not sight.in_kernel or not (kernel.COMPILED or time_limit > PLAIN_ROLL_SECONDS):
            return super().extra_roll(view, time_limit)
        sides = [view.options.edition.dice[die.number - 1] for die in dice]
        thrown, _ = sight.solve_extra_roll(
            b"".join(map(bytes, sides)),
            bytes(faces.index(die.face) for die, faces in zip(dice, sides, strict=True)),
        )
        return [die.number for place, die in enumerate(dice) if thrown >> place & 1]


def players_to_come(view: State) -> list[int]:
    """The seats that have a turn in this round after the one whose turn it is."""
    assert view.turn is not None
    seats = []
    seat = (view.turn + 1) % view.seats
    while seat != view.first:
        seats.append(seat)
        seat = (seat + 1) % view.seats
    return seats
