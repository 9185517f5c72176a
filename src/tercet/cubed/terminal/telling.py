"""What happens in the dice game, and what may not, in English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tercet.cubed.placements import write_turn
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
    Replaced,
    RoundEnded,
    SawNone,
    Threw,
)
from tercet.editions import Die
from tercet.games import CameBack, SteppedAway
from tercet.games.lines import join
from tercet.sets import explain
from tercet.terminal.words import count, end_words, points

#: A sentence for each refusal that only this game gives.
REFUSALS = {
    "answered_already": "You have already chosen for this extra roll.",
    "barred": "After a wrong call, wait for the next throw.",
    "makes_no_set": "The die on {square} is in no new SET.",
    "no_draft_needed": "There is no time limit, so nothing is laid by itself.",
    "no_wild_there": "No wild lies on {square}.",
    "not_in_hand": "That die is not in your hand.",
    "not_on_logo": "The opening SET goes on the logo: {logo}.",
    "not_the_named_face": "The wild on {square} stands for {named}: only a die that shows {named} can take its place.",
    "nothing_laid": "No die is laid: lay one, or pass.",
    "occupied": "There is a die on {square} already.",
    "off_board": "{square} is not on the board.",
    "same_die_twice": "The same die twice.",
    "same_square_twice": "Two dice on {square}.",
    "too_many_dice": "At most {most} dice a turn, not {count}.",
    "too_many_drafts": "The dice that lie there for now were changed too often.",
    "wild_not_named": "Say what the wild on {square} stands for, as in *2GS@{square}.",
    "wrong_phase": "Not now: something else comes first.",
}


def narrate(event: CubedEvent, names: Sequence[str]) -> str:
    match event:
        case Began():
            return "Everybody draws five dice and throws. Who sees a SET first?"
        case Drew():
            return f"{names[event.seat]} draws and throws {_faces(event.dice)}."
        case Threw():
            return f"{names[event.seat]} throws again: {_faces(event.dice)}."
        case Called():
            return f"{names[event.seat]}: Set!"
        case Missed(placements=()):
            return f"{names[event.seat]} shows nothing."
        case Missed():
            faces = [placement.face for placement in event.placements]
            return f"{names[event.seat]} shows {join(faces)}. {explain(*faces)}."
        case SawNone():
            return f"{names[event.seat]} sees no SET."
        case Opened():
            return f"{names[event.seat]} opens with {write_turn(event.placements)}: {points(event.points)}."
        case Replaced():
            return (
                f"{names[event.seat]} puts {event.die.face} in place of the wild on {event.square}, "
                f"throws it and gets {event.taken.face}."
            )
        case Laid():
            return f"{names[event.seat]} lays {write_turn(event.placements)}: {points(event.points)}."
        case Drafted(placements=()):
            return f"{names[event.seat]} has nothing lying for now."
        case Drafted():
            return f"{names[event.seat]} has {write_turn(event.placements)} lying for now."
        case Passed():
            return f"{names[event.seat]} passes."
        case RoundEnded(then="extra_roll"):
            return f"Round {event.round} is over. Before the next: the extra roll."
        case RoundEnded(then="rethrow"):
            return f"Round {event.round} is over, and nobody could lay a die: everybody throws again."
        case RoundEnded():
            return f"Round {event.round} is over."
        case Chose(dice=None):
            return f"{names[event.seat]} has chosen."
        case Chose(dice=()):
            return f"{names[event.seat]} keeps all dice."
        case Chose():
            return f"{names[event.seat]} throws {count(len(event.dice or ()), 'die', 'dice')} once more."
        case Ended():
            return end_words(event.scores, names)
        case SteppedAway():
            return f"{names[event.seat]} is away; the game goes on."
        case CameBack():
            return f"{names[event.seat]} is back."
        case _ as unreachable:
            assert_never(unreachable)


def _faces(dice: Sequence[Die]) -> str:
    return join([die.face for die in dice])
