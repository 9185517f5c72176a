"""English for what the games say as data: refusals and events. Nothing else in the package speaks to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tercet import cards, cubed
from tercet.cubed import write_turn
from tercet.games import Refusal
from tercet.sets import explain

#: A sentence for every refusal code of both games. Braces take the refusal's details; a seat goes by its name.
REFUSALS = {
    "already_dealt": "The cards are dealt already.",
    "always_a_set": "{cards} cards always hold a SET: look again.",
    "answered_already": "You have already chosen for this extra roll.",
    "barred": "After a wrong call, wait for the next throw.",
    "call_first": "Call first, then show.",
    "called_by_another": "{seat} has called: wait for the check.",
    "game_over": "The game is over.",
    "locked_out": "You are locked out until somebody else takes a SET.",
    "makes_no_set": "The die on {square} is in no new SET.",
    "no_call_needed": "At this table nobody calls: just show three cards.",
    "no_such_seat": "There is no such seat.",
    "bad_command": "This game has no such command.",
    "no_wild_there": "No wild lies on {square}.",
    "not_dealt": "{dealer} has not dealt yet.",
    "not_in_hand": "That die is not in your hand.",
    "not_on_logo": "The opening SET goes on the logo: {logo}.",
    "not_on_table": "{card} is not on the table.",
    "not_over": "The seed stays secret until the game is over.",
    "not_the_dealer": "{dealer} deals.",
    "not_the_named_face": "The wild on {square} stands for {named}: only a die that shows {named} can take its place.",
    "not_your_turn": "It is the turn of {turn}.",
    "nothing_laid": "No die is laid: lay one, or pass.",
    "nothing_to_take_back": "You have not said that there is no SET.",
    "occupied": "A die lies on {square} already.",
    "off_board": "{square} is not on the board.",
    "said_already": "You have said so already.",
    "same_card_twice": "The same card twice: show three different ones.",
    "same_die_twice": "The same die twice.",
    "same_square_twice": "Two dice on {square}.",
    "show_first": "You have called: show three first.",
    "there_is_a_set": "Look again: there is a SET.",
    "wrong_number": "Show {needed} cards, not {count}.",
    "one_of_last": "Show one card of the SET taken last and two from the table.",
    "too_late": "Too late.",
    "too_many_dice": "At most {most} dice a turn, not {count}.",
    "wild_not_named": "Say what the wild on {square} stands for, as in *2GS@{square}.",
    "wrong_phase": "Not now: the game is in another phase.",
}

#: Details that are seats.
_SEATS = ("seat", "dealer", "turn")


def refusal_words(refusal: Refusal, names: Sequence[str]) -> str:
    """Why not, in a sentence."""
    details = {
        key: names[value] if key in _SEATS and isinstance(value, int) and 0 <= value < len(names)
        else " ".join(value) if isinstance(value, list) else value
        for key, value in refusal.details.items()
    }  # fmt: skip
    return REFUSALS[refusal.code].format(**details)


def narrate(event: cards.CardEvent | cubed.CubedEvent, names: Sequence[str]) -> str:
    """What happened, in a sentence."""
    if isinstance(event, cards.CardEvent):
        return _narrate_cards(event, names)
    return _narrate_dice(event, names)


def _narrate_cards(event: cards.CardEvent, names: Sequence[str]) -> str:
    match event:
        case cards.Dealt():
            return f"{names[event.dealer]} deals round {event.round}."
        case cards.Called():
            return f"{names[event.seat]}: Set!"
        case cards.Took():
            return f"{names[event.seat]} takes {_join(event.cards)}."
        case cards.Missed(cards=()):
            return f"{names[event.seat]} shows nothing."
        case cards.Missed():
            return f"{names[event.seat]} shows {_join(event.cards)}. {explain(*event.cards)}."
        case cards.SawNone():
            return f"{names[event.seat]} sees no SET."
        case cards.TookBack():
            return f"{names[event.seat]} looks again."
        case cards.Opened():
            return f"Three more cards: {_join(event.cards)}."
        case cards.Shuffled():
            return "The cards change places."
        case cards.RoundEnded():
            return f"The round is over. Left on the table: {_join(event.left) or 'nothing'}."
        case cards.Ended():
            return _narrate_end(event.scores, names)
        case _ as unreachable:
            assert_never(unreachable)


def _narrate_dice(event: cubed.CubedEvent, names: Sequence[str]) -> str:
    match event:
        case cubed.Began():
            return "Everybody draws five dice and throws. Who sees a SET first?"
        case cubed.Drew():
            return f"{names[event.seat]} draws and throws {_faces(event.dice)}."
        case cubed.Threw():
            return f"{names[event.seat]} throws again: {_faces(event.dice)}."
        case cubed.Called():
            return f"{names[event.seat]}: Set!"
        case cubed.Missed(placements=()):
            return f"{names[event.seat]} shows nothing."
        case cubed.Missed():
            faces = [placement.face for placement in event.placements]
            return f"{names[event.seat]} shows {_join(faces)}. {explain(*faces)}."
        case cubed.SawNone():
            return f"{names[event.seat]} sees no SET."
        case cubed.Opened():
            return f"{names[event.seat]} opens with {write_turn(event.placements)}: {_points(event.points)}."
        case cubed.Replaced():
            return (
                f"{names[event.seat]} puts {event.die.face} in place of the wild on {event.square}, "
                f"throws it and gets {event.taken.face}."
            )
        case cubed.Laid():
            return f"{names[event.seat]} lays {write_turn(event.placements)}: {_points(event.points)}."
        case cubed.Passed():
            return f"{names[event.seat]} passes."
        case cubed.RoundEnded(then="extra_roll"):
            return f"Round {event.round} is over. Before the next: the extra roll."
        case cubed.RoundEnded(then="rethrow"):
            return f"Round {event.round} is over, and nobody could lay a die: everybody throws again."
        case cubed.RoundEnded():
            return f"Round {event.round} is over."
        case cubed.Chose(dice=None):
            return f"{names[event.seat]} has chosen."
        case cubed.Chose(dice=()):
            return f"{names[event.seat]} keeps all dice."
        case cubed.Chose():
            return f"{names[event.seat]} throws {_count(len(event.dice or ()), 'die', 'dice')} once more."
        case cubed.Ended():
            return _narrate_end(event.scores, names)
        case _ as unreachable:
            assert_never(unreachable)


def _narrate_end(scores: Sequence[int], names: Sequence[str]) -> str:
    winners = [name for name, score in zip(names, scores, strict=True) if score == max(scores)]
    if len(names) == 1:
        return f"The game is over: {_points(scores[0])}."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"The game is over: {' and '.join(winners)} {verb} with {_points(max(scores))}."


def _points(count: int) -> str:
    return _count(count, "point", "points")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _join(things: Sequence[object]) -> str:
    return " ".join(map(str, things))


def _faces(dice: Sequence[cubed.Die]) -> str:
    return _join([die.face for die in dice])
