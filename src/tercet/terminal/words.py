"""English that all games share: why not, who wins, how many.

The games answer with data; only what stands in ``terminal``, here and in each game's package, speaks to people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tercet.games import Refusal

#: A sentence for each refusal that more than one game gives. Braces take the refusal's details; a seat goes by its name.
COMMON_REFUSALS = {
    "away_already": "That player is away already.",
    "call_first": "Call first, then show.",
    "called_by_another": "{seat} has called: wait for the check.",
    "game_over": "The game is over.",
    "locked_out": "You are locked out until somebody else takes a SET.",
    "no_such_seat": "There is no such seat.",
    "not_away": "That player is not away.",
    "not_over": "The seed stays secret until the game is over.",
    "nothing_to_undo": "Nothing has happened that could be taken back.",
    "nothing_to_take_back": "You have not said that there is no SET.",
    "not_your_turn": "It is {turn}'s turn.",
    "said_already": "You have already said so.",
    "show_first": "You have called: show your SET first.",
    "too_late": "Too late.",
}

#: Details that are seats.
_SEATS = ("seat", "dealer", "turn")


def refusal_words(refusal: Refusal, names: Sequence[str], own: Mapping[str, str]) -> str:
    """Why not, in a sentence; ``own`` are the sentences of the game.

    >>> refusal_words(Refusal("not_your_turn", turn=1), ["Ann", "Bo"], {})
    "It is Bo's turn."
    """
    details = {
        key: names[value] if key in _SEATS and isinstance(value, int) and 0 <= value < len(names)
        else " ".join(value) if isinstance(value, list) else value
        for key, value in refusal.details.items()
    }  # fmt: skip
    return {**COMMON_REFUSALS, **own}[refusal.code].format(**details)


def end_words(scores: Sequence[int], names: Sequence[str]) -> str:
    """How the game ended, in a sentence.

    >>> end_words([3, 5, 5], ["Ann", "Bo", "Cy"])
    'The game is over: Bo and Cy share the win with 5 points.'
    """
    winners = [name for name, score in zip(names, scores, strict=True) if score == max(scores)]
    if len(names) == 1:
        return f"The game is over: {points(scores[0])}."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"The game is over: {' and '.join(winners)} {verb} with {points(max(scores))}."


def points(number: int) -> str:
    return count(number, "point", "points")


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
