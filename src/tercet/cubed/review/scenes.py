"""The costliest decisions of a dice game in pictures: what was played beside the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet.cubed.play import State
from tercet.cubed.review.watching import Choice, Decision
from tercet.record import Record, replay
from tercet.study.review import Scene
from tercet.study.review.words import count

if TYPE_CHECKING:
    from tercet.cubed.review.review import Review

#: So many are shown.
SCENES = 6


def scenes(review: Review, record: Record) -> list[Scene]:
    """In the order of the game."""
    worst = sorted((one for one in review.decisions if one.mark), key=lambda one: -one.loss)[:SCENES]
    wanted = {one.line: one for one in worst}
    found = []
    state: State = record.rules.start(record.options, len(record.seats))
    for entry, after in replay(record):
        if (decision := wanted.get(entry.seq)) is not None:
            found.append(_scene(review, state, decision))
        state = after
    return found


def _scene(review: Review, state: State, decision: Decision) -> Scene:
    seat = decision.seat
    scores = " : ".join(map(str, state.scores))
    title = f"Round {decision.round}, {review.players[seat].name}, {decision.kind}: −{decision.loss:.1f} % ({decision.mark})"
    text = f"Line {decision.line}, at {scores}, {count(len(state.bag), 'die', 'dice')} in the bag."
    position = state.position(seat)
    if decision.kind in ("turn", "opening"):
        pictures = tuple(
            (f"{word}: {_told(one)}", str(position.svg(turn="" if one.text == "pass" else one.text)))
            for word, one in (("Played", decision.chosen), ("Best", decision.best))
        )
    else:
        pictures = (
            (f"Played: {_told(decision.chosen)}. Best: {_told(decision.best)}.", str(position.svg())),
        )
    return Scene(title, text, pictures)


def _told(choice: Choice) -> str:
    points = "" if choice.points is None else f", {count(choice.points, 'point')}"
    return f"{choice.text}{points}, {choice.value:.1%} to win"
