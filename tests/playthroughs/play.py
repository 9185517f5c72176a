"""How a playthrough is played and written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from tercet import WILD, Face, cards, cubed, games, is_set, puzzles, scramble, third
from tercet.codec import to_data
from tercet.cubed import Placement, Position
from tercet.fairness import Seeded, seed_from
from tercet.games import Refused
from tercet.puzzles.items import solutions

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Bo", "Cy", "Di", "Eva", "Flo", "Gus", "Hal", "Ida", "Jon")

OWN_EDITION = {
    "name": "small",
    "title": "Seven by seven",
    "extends": "house",
    "wild": "later",
    "size": [7, 7],
    "logo": ["d3", "d4", "d5"],
    "bonus": {"a1": 5, "g7": 5, "d1": 2, "d7": 2},
}

#: The game, the number of players, the options.
VARIANTS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "set-call-2": ("set", 2, {"rounds": 1}),
    "set-alone": ("set", 1, {}),
    "set-8-simplified": ("set", 8, {"only": "oval", "show_seconds": 3}),
    "set-simplified-9": ("set", 3, {"only": "2", "table": 9}),
    "set-simplified-12": ("set", 2, {"only": "empty"}),
    "set-instant": ("set", 4, {"rounds": 1, "claim": "instant"}),
    "set-instant-point": ("set", 5, {"rounds": 1, "claim": "instant", "penalty": "point"}),
    "set-auto-deal": ("set", 6, {"rounds": 1, "auto_deal": True}),
    "set-honest-none": ("set", 7, {"rounds": 1, "honest_none": True, "show_seconds": 30}),
    "set-penalty-point": ("set", 2, {"rounds": 1, "penalty": "point"}),
    "set-chain": ("set", 2, {"rounds": 1, "variant": "chain"}),
    "set-ultra": ("set", 3, {"rounds": 1, "variant": "ultra"}),
    "set-ghost": ("set", 2, {"rounds": 1, "variant": "ghost"}),
    "set-shuffle": ("set", 2, {"rounds": 1, "variant": "shuffle"}),
    "set-junior": ("set", 2, {"rounds": 1, "variant": "junior", "table": 9}),
    "set-ten": ("set", 1, {"rounds": 1, "claim": "instant", "auto_deal": True, "sets": 10}),
    "cubed-house-2": ("cubed", 2, {}),
    "cubed-house-3": ("cubed", 3, {}),
    "cubed-house-4": ("cubed", 4, {}),
    "cubed-dutch": ("cubed", 2, {"edition": "dutch"}),
    "cubed-own-edition": ("cubed", 2, {"edition": OWN_EDITION}),
    "cubed-time-limits": ("cubed", 3, {"extra_seconds": 30, "turn_seconds": 20, "show_seconds": 4}),
    "scramble-alone": ("scramble", 1, {"rounds": 2}),
    "scramble-2": ("scramble", 2, {"rounds": 1}),
    "scramble-rounds": ("scramble", 3, {"rounds": 3}),
    "scramble-dutch": ("scramble", 4, {"rounds": 1, "edition": "dutch"}),
    "scramble-agreed-end": ("scramble", 5, {"rounds": 1, "auto_end": False}),
    "scramble-instant": ("scramble", 6, {"rounds": 1, "claim": "instant"}),
    "scramble-long-show": ("scramble", 7, {"rounds": 1, "show_seconds": 30}),
    "scramble-own-edition": ("scramble", 8, {"rounds": 1, "edition": OWN_EDITION, "show_seconds": 3}),
    "scramble-instant-agreed": ("scramble", 2, {"rounds": 2, "claim": "instant", "auto_end": False}),
    "puzzles-storm": ("puzzles", 1, {}),
    "puzzles-daily": ("puzzles", 1, {"kind": "daily_set", "day": "2026-11-17"}),
    "puzzles-boards": ("puzzles", 2, {"kind": "boards"}),
    **{f"puzzles-race-{players}": ("puzzles", players, {"kind": "race"}) for players in range(3, 11)},
}


class Mood:
    """Reproducible whims: numbers from a seed, whatever the version of Python."""

    def __init__(self, name: str) -> None:
        self._chance = Seeded(seed_from(f"mood of {name}"))
        self._count = 0

    def below(self, count: int) -> int:
        self._count += 1
        return self._chance.below(count, f"whim {self._count}")

    def pick(self, things: Sequence[Any]) -> Any:
        return things[self.below(len(things))]

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0


def playthrough(name: str) -> str:
    """The whole game of a variant as text."""
    return tell(new_game(name), name)


def new_game(name: str) -> games.Game[Any, Any, Any, Any]:
    game_name, players, options = VARIANTS[name]
    kind = games.find(game_name)
    return kind(NAMES[:players], seed=seed_from(name), options=kind.rules.read_options(options))


def tell(game: games.Game[Any, Any, Any, Any], name: str) -> str:
    """Play a new game of a variant to its end, and say how it went."""
    game_name, players, _ = VARIANTS[name]
    mood = Mood(name)
    lines = [f"{name}: {game_name} for {players}, options {game.rules.describe_options(game.options)}"]
    lines += _values(game, None)
    at = 0
    while not game.is_over:
        at = max(at, game.clock) + mood.below(6000)
        lines += _advance(game, at)
        lines += _do(game, _COMMANDS[game_name](game, mood), at)
    return "\n".join(lines) + "\n"


def _advance(game: games.Game[Any, Any, Any, Any], at: int) -> Iterator[str]:
    before = game.state
    entries = game.advance(at)
    yield from _told(game, before, entries)


def _do(game: games.Game[Any, Any, Any, Any], command: games.Command | None, at: int) -> Iterator[str]:
    if command is None:
        return
    before = game.state
    try:
        entries = game.do(command, at)
    except Refused as refused:
        yield f"{at} {to_data(command)} is refused: {refused.refusal.data}"
        return
    yield from _told(game, before, entries)


def _told(
    game: games.Game[Any, Any, Any, Any], before: Any, entries: Sequence[games.Entry[Any]]
) -> Iterator[str]:
    """Each event, and every value that is not what it was."""
    state = before
    for entry in entries:
        yield f"{entry.seq}. {entry.at} {game.rules.write_event(entry.event)}"
        last, state = state, game.rules.evolve(state, entry.event, entry.at)
        yield from _changes(game, last, state)


def _values(game: games.Game[Any, Any, Any, Any], last: Any) -> Iterator[str]:
    yield from _changes(game, last, game.state)


def _changes(game: games.Game[Any, Any, Any, Any], last: Any, state: Any) -> Iterator[str]:
    old = {} if last is None else dict(_public(game, last))
    for name, value in _public(game, state):
        if name not in old:
            yield f"  {name} {value}"
        elif old[name] != value:
            yield f"  {name} {_difference(old[name], value)}"


def _public(game: games.Game[Any, Any, Any, Any], state: Any) -> Iterator[tuple[str, Any]]:
    """Every public value of a state: its fields as a spectator sees them, and what the rules say of it."""
    seen = game.rules.view(state, None)
    for name in state.__struct_fields__:
        if name != "options":
            yield name, _plain(getattr(seen, name))
    due = game.rules.due(state)
    yield "due", None if due is None else f"{due.at} {[to_data(command) for command in due.commands]}"
    yield "winners", game.rules.winners(state)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, msgspec.Struct) and not isinstance(value, cubed.Die):
        return to_data(value)
    return value if value is None or type(value) in (int, bool) else str(value)


def _difference(old: Any, new: Any) -> str:
    """Long lists by what became of them, all else as it is."""
    if not (isinstance(new, tuple) and len(old) > 12):
        return str(new)
    if len(new) == len(old):
        return ", ".join(
            f"[{place}] {one}" for place, (was, one) in enumerate(zip(old, new, strict=True)) if was != one
        )
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    return f"{len(new)}: without {' '.join(map(str, gone))}; with {' '.join(map(str, come)) or 'nothing new'}"


def _card_command(game: Any, mood: Mood) -> cards.CardCommand | None:
    state: cards.State = game.state
    seat = mood.below(state.seats)
    if state.phase == "over":
        return None
    if state.phase == "deal":
        return cards.Deal(state.dealer) if mood.one_in(2) or state.deal_due is None else None
    variant = cards.variant_of(state.options)
    found = variant.groups(state.table, state.last)
    if state.call is None and state.options.claim == "call":
        return cards.Call(seat) if found and not mood.one_in(5) else _vote(state, seat, mood)
    seat = seat if state.call is None else state.call.seat
    if found and not mood.one_in(6):
        return cards.Show(seat, mood.pick(found))
    if state.call is None and not mood.one_in(4):
        return _vote(state, seat, mood)
    if mood.one_in(2):
        return None
    first = mood.below(len(state.table) - 2)
    return cards.Show(seat, (*state.last[:1], *state.table)[first : first + variant.size])


def _vote(state: cards.State, seat: int, mood: Mood) -> cards.CardCommand:
    undecided = [one for one in range(state.seats) if one not in state.none]
    if mood.one_in(8):
        return cards.TakeBack(seat)
    return cards.SeeNone(mood.pick(undecided))


def _scramble_command(game: Any, mood: Mood) -> scramble.ScrambleCommand | None:
    state: scramble.State = game.state
    seat = mood.below(state.seats)
    if state.phase == "over":
        return None
    if state.phase == "deal":
        return scramble.Throw(state.thrower) if mood.one_in(2) or state.throw_due is None else None
    found = [three for three in combinations(state.lying, 3) if is_set(*(die.face for die in three))]
    if state.call is None and state.options.claim == "call" and found and not mood.one_in(6):
        return scramble.Call(seat)
    if state.call is not None or (state.options.claim == "instant" and found and not mood.one_in(6)):
        seat = seat if state.call is None else state.call.seat
        if found and not mood.one_in(6):
            return scramble.Show(seat, tuple(die.number for die in mood.pick(found)))
        if mood.one_in(3):
            return None
        return scramble.Show(seat, tuple(mood.pick(state.lying).number for _ in range(3)))
    if mood.one_in(5):
        return scramble.TakeBack(seat)
    return scramble.SeeNone(mood.pick([one for one in range(state.seats) if one not in state.none]))


def _dice_command(game: Any, mood: Mood) -> cubed.CubedCommand | None:
    state: cubed.State = game.state
    seat = mood.below(state.seats)
    match state.phase:
        case "start":
            return cubed.Begin(seat)
        case "opening":
            if state.call is None:
                return cubed.Call(seat) if not mood.one_in(3) else cubed.SeeNone(seat)
            return cubed.Show(state.call.seat, _opening(state, state.call.seat))
        case "turn":
            assert state.turn is not None
            if state.until is not None and mood.one_in(8):
                return None
            return _turn(state, state.turn, mood)
        case "over":
            return None
        case "extra_roll":
            waiting = [one for one in range(state.seats) if one not in state.answered]
            if state.until is not None and mood.one_in(4):
                return None
            seat = mood.pick(waiting)
            return cubed.Choose(seat, tuple(die.number for die in state.hands[seat] if mood.one_in(3)))


def _opening(state: cubed.State, seat: int) -> tuple[Placement, ...]:
    for three in combinations(state.hands[seat], 3):
        faces = [die.face for die in three]
        if is_set(*faces):
            while WILD in faces:
                known = [face for face in faces if face is not WILD]
                named = third(*known) if len(known) == 2 else Face("1RO") if not known else known[0]
                faces[faces.index(WILD)] = named
            logo = state.options.edition.layout.logo
            return tuple(
                Placement(square, face, die.face is WILD, die.number)
                for square, face, die in zip(logo, faces, three, strict=True)
            )
    return ()


def _turn(state: cubed.State, seat: int, mood: Mood) -> cubed.CubedCommand:
    layout = state.options.edition.layout
    for cell, lying in enumerate(state.board):
        for die in state.hands[seat]:
            if lying is not None and lying.wild and lying.face is die.face:
                return cubed.Replace(seat, die.number, layout.square(cell))
    position = state.position(seat)
    one_wild = list(dict.fromkeys(position.hand)) if position.hand.count(WILD) > 1 else position.hand
    turns = Position(state.options.edition, position.board, one_wild).turns()
    if not turns or mood.one_in(10):
        return cubed.Pass(seat)
    placements = turns[min(len(turns) - 1, mood.below(4))].placements
    if state.until is not None and not state.draft and mood.one_in(4):
        return cubed.Draft(seat, placements)
    return cubed.Lay(seat, placements)


def _puzzle_command(game: Any, mood: Mood) -> puzzles.PuzzleCommand | None:
    state: puzzles.State = game.state
    if state.phase == "over":
        return None
    if state.phase in ("start", "line"):
        return puzzles.Begin(0)
    seat = mood.pick([one for one, runner in enumerate(state.runners) if runner.stopped_at is None])
    runner = state.runners[seat]
    item = state.items[runner.number - 1]
    if mood.one_in(50):
        return puzzles.Stop(seat)
    if mood.one_in(12):
        return puzzles.Answer(seat, runner.number + mood.below(3) - 1, (mood.below(13),))
    if item.position is not None:
        turns = item.position.position(item.position.turn or 0).turns()
        return puzzles.Answer(seat, runner.number, (), turns[mood.below(min(len(turns), 3))].placements)
    right = solutions(item)
    if mood.one_in(6):
        return puzzles.Answer(seat, runner.number, (0,) if len(right[0]) == 1 else (0, 1, 2))
    return puzzles.Answer(seat, runner.number, mood.pick(right))


_COMMANDS = {
    "set": _card_command,
    "cubed": _dice_command,
    "scramble": _scramble_command,
    "puzzles": _puzzle_command,
}
