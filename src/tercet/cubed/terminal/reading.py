"""What people type in the dice game: dice by place or by face, squares, placements."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tercet.cubed.placements import Placement
from tercet.cubed.play import Replace, State
from tercet.editions import Die, Square
from tercet.sets import WILD, Face, third
from tercet.terminal.desk import Say


def read_opening(state: State, seat: int, line: str) -> tuple[Placement, ...]:
    """Three dice for the logo squares, in their order."""
    if line in ("-", "nothing"):
        return ()
    words = line.replace(",", " ").split()
    if len(words) != 3:
        raise Say("Three dice, by place as in 1 3 4, or by face; ? for help.")
    named = [Face(word[1:]) if word.startswith("*") else None for word in words]
    dice = pick(state.hands[seat], ["W" if word.startswith("*") else word for word in words])
    faces = name_wilds([name or die.face for name, die in zip(named, dice, strict=True)])
    return tuple(
        Placement(square, face, die.face is WILD, die.number)
        for square, face, die in zip(state.options.edition.layout.logo, faces, dice, strict=True)
    )


def read_placement(hand: Sequence[Die], word: str) -> Placement:
    """A die on a square: ``2GS@e5``, or ``3@e5`` for the third in hand."""
    place, at, square = word.partition("@")
    if not (at and place.isascii() and place.isdecimal()):
        return Placement.read(word)
    die = pick(hand, [place])[0]
    return Placement(Square(square), die.face, die.face is WILD, die.number)


def read_replace(state: State, seat: int, line: str) -> Replace:
    """A die in the place of a wild: ``2GS>e5``."""
    die, _, square = line.partition(">")
    return Replace(seat, pick(state.hands[seat], [die.strip()])[0].number, Square(square.strip()))


def read_choice(hand: Sequence[Die], line: str) -> tuple[int, ...]:
    """The numbers of the dice to throw once more."""
    if line.lower() in ("-", "keep", "none"):
        return ()
    dice = hand if line.lower() == "all" else pick(hand, line.replace(",", " ").split())
    return tuple(die.number for die in dice)


def pick(hand: Sequence[Die], words: Sequence[str]) -> list[Die]:
    """Dice of this hand by place, face, or face and number; each once."""
    left, picked = list(hand), []
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
            found = min((die for die in left if die.face is face), key=lambda die: die.number, default=None)
        if found is None:
            raise Say(f"{word[:20]} is not in your hand, or not twice.")
        left.remove(found)
        picked.append(found)
    return picked


def name_wilds(faces: Sequence[Face]) -> list[Face]:
    """The faces of a SET with its wilds named, where the others leave no doubt or all are alike."""
    plain = [face for face in faces if face is not WILD]
    if len(plain) == 3:
        return plain
    name = third(plain[0], plain[1]) if len(plain) == 2 else plain[0] if plain else Face.all()[0]
    return [name if face is WILD else face for face in faces]
