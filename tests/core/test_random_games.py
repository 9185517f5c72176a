"""Random games of each kind end, replay bit for bit from both forms of their records, and verify.

``TERCET_GAMES=10000 make test`` plays ten thousand of each kind; without it there are as many as fit into
some seconds. And whatever is changed in a record afterwards, `verify` says what and where.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import Card, cards, cubed, games, has_set, puzzles, record, scramble
from tercet.cards.variants import variant_of
from tercet.codec import from_json, to_json
from tercet.fairness import commit, commit_secret, seed_from
from tests.core.random_games import (
    random_card_game,
    random_dice_game,
    random_puzzle_game,
    random_scramble_game,
)

pytestmark = pytest.mark.slow

AnyGame = cards.Game | cubed.Game | scramble.Game | puzzles.Game

#: Played in batches, so that they spread over the machine's cores.
BATCHES = 8
CARD_GAMES = int(os.environ.get("TERCET_GAMES", "240"))
DICE_GAMES = int(os.environ.get("TERCET_GAMES", "80"))
PUZZLE_GAMES = int(os.environ.get("TERCET_GAMES", "48"))
SCRAMBLE_GAMES = int(os.environ.get("TERCET_GAMES", "80"))


def batch(number: int, games: int) -> range:
    return range(number, games, BATCHES)


def check_views(game: games.Game[Any, Any, Any, Any]) -> None:
    """Whoever is told only what they may know comes to the same view, event by event."""
    for seat in (None, *range(len(game.seats))):
        state = game.rules.start(game.options, len(game.seats))
        view = game.rules.view(state, seat)
        for entry in game.log:
            state = game.rules.evolve(state, entry.event, entry.at)
            view = game.rules.evolve(view, game.rules.see(entry.event, seat), entry.at)
            assert view == game.rules.view(state, seat)
        assert state == game.state


def check_records(game: AnyGame) -> None:
    kept = record.of(game, {"Event": "a random game"})
    text, lines = record.write(kept), record.write_json(kept)
    assert record.read(text) == kept
    assert record.read(lines) == kept
    assert record.write(record.read(lines)) == text
    assert record.write_json(record.read(text)) == lines
    *_, (_, state) = record.replay(record.read(text))
    assert state == game.state
    assert to_json(state) == to_json(game.state)
    assert from_json(to_json(state), game.rules.state_type) == game.state
    assert record.verify(record.read(text)) is None


@pytest.mark.parametrize("number", range(BATCHES))
def test_random_card_games_end_replay_and_verify(number: int) -> None:
    for seed in batch(number, CARD_GAMES):
        game = random_card_game(seed)
        assert game.is_over
        check_cards(game)
        check_views(game)
        check_records(game)


@pytest.mark.parametrize("number", range(BATCHES))
def test_random_puzzles_end_replay_and_verify(number: int) -> None:
    for seed in batch(number, PUZZLE_GAMES):
        game = random_puzzle_game(seed)
        assert game.is_over
        check_puzzles(game)
        check_views(game)
        check_records(game)


def check_puzzles(game: puzzles.Game) -> None:
    """Everybody came to the same items, one after the other, and points are right answers."""
    items: dict[int, puzzles.Item] = {}
    for entry in game.log:
        if isinstance(entry.event, puzzles.Answered) and entry.event.next is not None:
            number = entry.event.number + 1
            assert items.setdefault(number, entry.event.next) == entry.event.next
    for runner in game.state.runners:
        assert runner.stopped_at is not None
        if game.options.kind in ("storm", "race", "daily_set"):
            assert runner.score == runner.right


def check_cards(game: cards.Game) -> None:
    """No card is lost or doubled, and the points are the SETs."""
    whole = sorted(variant_of(game.options).pack)
    seen: list[Card] = []
    for entry in game.log:
        match entry.event:
            case cards.Dealt(cards=dealt):
                assert not seen
                seen += dealt
            case cards.Took(dealt=dealt) | cards.Opened(cards=dealt):
                seen += dealt
            case cards.RoundEnded():
                assert sorted(seen) == whole or sum(game.state.taken) == game.options.sets
                seen = []
    if game.options.penalty == "lock":
        assert game.scores == game.state.taken


@pytest.mark.parametrize("number", range(BATCHES))
def test_random_dice_games_end_replay_and_verify(number: int) -> None:
    for seed in batch(number, DICE_GAMES):
        game = random_dice_game(seed)
        assert game.is_over
        check_dice(game)
        check_views(game)
        check_records(game)


def check_dice(game: cubed.Game) -> None:
    """Every die is in the bag, in a hand or on the board, shows one of its faces, and points add up."""
    state, dice = game.state, game.options.edition.dice
    held = [die for hand in state.hands for die in hand]
    lying = [die for die in state.board if die is not None]
    assert sorted([*state.bag, *(die.number for die in (*held, *lying))]) == list(range(1, len(dice) + 1))
    for die in (*held, *lying):
        assert die.wild or die.face in dice[die.number - 1]
    points = [0] * len(game.seats)
    for entry in game.log:
        if isinstance(entry.event, cubed.Laid | cubed.Opened):
            points[entry.event.seat] += entry.event.points
    assert tuple(points) == game.scores
    *_, ended, _ = game.log
    assert isinstance(ended.event, cubed.RoundEnded)
    assert not all(state.hands) or state.idle_rounds == 3


@pytest.mark.parametrize("number", range(BATCHES))
def test_random_scramble_games_end_replay_and_verify(number: int) -> None:
    for seed in batch(number, SCRAMBLE_GAMES):
        game = random_scramble_game(seed)
        assert game.is_over
        check_scramble(game)
        check_views(game)
        check_records(game)


def check_scramble(game: scramble.Game) -> None:
    """Every die is thrown once a round, and taken or left; what is left holds a SET only if all agreed on that."""
    faces, seen, agreed = game.options.edition.dice, list[cubed.Die](), False
    points = [0] * len(game.seats)
    for entry in game.log:
        match entry.event:
            case scramble.Thrown(dice=dice):
                assert sorted(die.number for die in dice) == list(range(1, 43))
                assert all(die.face in faces[die.number - 1] for die in dice)
                thrown = dice
            case scramble.Took(seat=seat, dice=dice):
                seen += dice
                points[seat] += 1
            case scramble.RoundEnded(left=left):
                assert sorted([*seen, *left], key=thrown.index) == list(thrown)
                assert agreed or not has_set(die.face for die in left)
                seen = []
        agreed = isinstance(
            entry.event, scramble.SawNone | scramble.Missed | games.SteppedAway | games.CameBack
        )
    assert tuple(points) == game.scores


def test_random_games_cover_what_can_happen() -> None:
    """The games above are worth something only if everything happens in them."""
    happened = {
        type(entry.event)
        for play in (random_card_game, random_dice_game, random_scramble_game)
        for number in range(20)
        for entry in play(number).log
    }
    assert happened >= {
        *cards.CardEvent.__args__,
        *cubed.CubedEvent.__args__,
        *scramble.ScrambleEvent.__args__,
    }
    ends = {random_dice_game(number).state.idle_rounds == 3 for number in range(60)}
    assert ends == {True, False}


# Tampering


def found(text: str) -> str | None:
    """What reading or verifying a record says against it."""
    try:
        problem = record.verify(record.read(text))
    except record.RecordError as error:
        return str(error)
    return None if problem is None else str(problem)


GAMES: list[Callable[[], AnyGame]] = [
    lambda: random_card_game(1),
    lambda: random_card_game(10),
    lambda: random_dice_game(0),
    lambda: random_dice_game(5),
    lambda: random_scramble_game(3),
    lambda: random_scramble_game(17),
]
game_kinds = pytest.mark.parametrize(
    "play", GAMES, ids=["set", "set-again", "cubed", "cubed-own", "scramble", "scramble-own"]
)


def words_changed(line: str, r: random.Random) -> Iterator[str]:
    """The line with one of its words changed: a seat, a card, a die, a square, a number, a time."""
    for found_word in re.finditer(r"\b\w+\b", line):
        word = found_word[0]
        for letters in ("0123456789", "RGP", "FHE", "DOS", "abcdefghi"):
            for place, letter in enumerate(word):
                if letter in letters:
                    other = r.choice([one for one in letters if one != letter])
                    new = word[:place] + other + word[place + 1 :]
                    yield line[: found_word.start()] + new + line[found_word.end() :]
                    break


@game_kinds
def test_any_word_of_any_line_that_is_changed_is_found(play: Callable[[], AnyGame]) -> None:
    text = record.write(record.of(play()))
    head, _, log = text.partition("\n\n")
    lines = log.strip().split("\n")
    r = random.Random(7)
    assert found(text) is None
    for place in sorted(r.sample(range(len(lines)), min(12, len(lines)))):
        for changed in islice(words_changed(lines[place], r), 12):
            said = found("\n".join([head, "", *lines[:place], changed, *lines[place + 1 :], ""]))
            assert said is not None, changed
            where = re.search(r"line (\d+)( of the file)?|move (\d+)", said)
            assert where is not None, said
            if where[2]:
                assert int(where[1]) == head.count("\n") + 3 + place, said
            elif where[1]:
                assert int(where[1]) == place + 1, f"{changed!r} instead of {lines[place]!r}: {said}"


@game_kinds
def test_lines_dropped_doubled_or_swapped_are_found(play: Callable[[], AnyGame]) -> None:
    text = record.write(record.of(play()))
    head, _, log = text.partition("\n\n")
    lines = log.strip().split("\n")

    def renumbered(new: list[str]) -> str:
        """As a careful forger would: with the numbers put right again."""
        body = [f"{number}. {line.partition('. ')[2]}" for number, line in enumerate(new, 1)]
        return "\n".join([head, "", *body, ""])

    for place in range(0, len(lines), 3):
        dropped = lines[:place] + lines[place + 1 :]
        doubled = lines[: place + 1] + lines[place:]
        swapped = [*lines[:place], *reversed(lines[place : place + 2]), *lines[place + 2 :]]
        for new in (dropped, doubled, swapped):
            if new != lines:
                assert found(renumbered(new)) is not None, lines[place]
                assert found("\n".join([head, "", *new, ""])) is not None
    for count in range(1, len(lines), 7):
        assert found("\n".join([head, "", *lines[:count], ""])) is not None


@game_kinds
def test_every_header_tag_that_is_changed_is_found(play: Callable[[], AnyGame]) -> None:
    text = record.write(record.of(play()))
    tags = [line for line in text.split("\n") if line.startswith("[")]
    for tag in tags:
        name = tag[1:].partition(" ")[0]
        for new in ("9", "x", "{}", "*", "0" * 64, '{"rounds": 7}', '{"turn_seconds": 99}'):
            changed = f"[{name} {json.dumps(new)}]"
            if changed != tag:
                said = found(text.replace(tag, changed))
                assert said is not None, changed
        if name != "Seal":
            assert found(text.replace(tag + "\n", "")) is not None, tag
        assert found(text.replace(tag, f"{tag}\n{tag}")) is not None, tag


@game_kinds
def test_values_changed_in_memory_are_found(play: Callable[[], AnyGame]) -> None:
    game = play()
    kept = record.of(game)
    other = seed_from("another")
    for changed, what in [
        (replace(kept, seed=other), "not the one that the table committed to"),
        (
            replace(kept, seed=other, commitment=commit(other, kept.terms)),
            "should be|is refused|is missing|seal",
        ),
        (replace(kept, secrets=(other, *kept.secrets[1:])), "secret of seat 1 is not the one"),
        (
            replace(
                kept,
                secrets=(other, *kept.secrets[1:]),
                commitments=(commit_secret(other, kept.terms), *kept.commitments[1:]),
            ),
            "should be|is refused|is missing|seal",
        ),
        (replace(kept, terms=replace(kept.terms, number=2)), "not the one that the table committed to"),
        (replace(kept, called_off=kept.called_off + 1), "header: what stands here was changed"),
        (replace(kept, tags={"Event": "another"}), "header: what stands here was changed"),
        (replace(kept, result=tuple(score + 1 for score in game.scores)), "result"),
        (replace(kept, result=None), "is not what the log leads to"),
        (replace(kept, seed=None), "not revealed"),
        (replace(kept, seats=("Zoe", *kept.seats[1:])), "header: what stands here was changed"),
        (replace(kept, log=kept.log[:-1]), "is missing|seal"),
        (replace(kept, log=kept.log[1:]), "."),
        (replace(kept, seal="0" * len(kept.seal or "")), "seal"),
    ]:
        problem = record.verify(changed)
        assert problem is not None
        assert re.search(what, str(problem)), problem


def test_without_a_seal_the_rules_alone_judge() -> None:
    """Someone may write a record by hand. Then a vote that changed nothing, or a time within the limits, can be
    another without anyone knowing: chance and rules allow both. All chance and every deadline are still checked."""
    kept = replace(record.of(random_dice_game(0)), seal=None)
    assert record.verify(kept) is None
    for place, entry in enumerate(kept.log):
        match entry.event:
            case cubed.Drew(seat, dice) | cubed.Threw(seat, dice):
                die = dice[0]
                face = cubed.Die(die.number, type(die.face)((die.face + 1) % 27))
                changed = replace(entry, event=type(entry.event)(seat, (face, *dice[1:])))
            case _:
                changed = replace(entry, at=entry.at + 10**9)
        problem = record.verify(replace(kept, log=(*kept.log[:place], changed, *kept.log[place + 1 :])))
        assert problem is not None
        if not isinstance(entry.event, cubed.Ended):
            assert problem.line in (0, place + 1, place + 2), problem


def test_replay_says_which_line_cannot_follow() -> None:
    kept = record.of(random_dice_game(0))
    with pytest.raises(record.RecordError, match="line 3 cannot follow"):
        list(
            record.replay(
                replace(kept, log=(*kept.log[:2], replace(kept.log[2], event=cubed.Laid(9, (), 0))))
            )
        )
