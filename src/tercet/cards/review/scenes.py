"""What was missed in a game of Set, in pictures: the table with the SET on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet.cards.play import State
from tercet.cards.review.watching import Life
from tercet.cards.variants import variant_of
from tercet.record import Record, replay
from tercet.study.review import Scene
from tercet.study.review.words import clock

if TYPE_CHECKING:
    from tercet.cards.review.review import Review

#: So many are shown.
SCENES = 6


def scenes(review: Review, record: Record) -> list[Scene]:
    """In the order of the game, those that were missed by most of their usual time."""
    missed = [(life, seat) for life in review.lives for seat in life.missed]
    worst = sorted(missed, key=lambda one: -_lateness(*one))[:SCENES]
    found = []
    state: State = record.rules.start(record.options, len(record.seats))
    for entry, after in replay(record):
        found += [_scene(review, state, *one) for one in worst if one[0].until == entry.seq]
        state = after
    return found


def _lateness(life: Life, seat: int) -> float:
    return life.looked[seat] / (life.expected[seat] or 1.0)


def _scene(review: Review, state: State, life: Life, seat: int) -> Scene:
    title = (
        f"{clock(life.gone)}: {review.players[seat].name} missed this: looked for {life.looked[seat]:.1f} s, "
        f"usually needs {life.expected[seat]:.1f} s"
    )
    if life.by is None:
        went = "It was left when the round ended."
    elif life.went == "taken":
        went = f"{review.players[life.by].name} took it."
    else:
        # in Chain any SET that is taken breaks all others: they need one of its cards
        with_one = "" if variant_of(state.options).is_chained else ", with one of its cards"
        went = f"{review.players[life.by].name} took another{with_one}."
    text = f"{' '.join(map(str, life.cards))}: {went}"
    return Scene(title, text, (("", str(state.svg(marked=life.cards))),))
