"""F: fairness, and the record."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import Card, cards, cubed, record
from tercet.codec import from_json, to_json
from tercet.cubed import Edition
from tercet.fairness import Promise, Seeded, SeedError, Terms, commit, commit_secret, seed_from, terms_of
from tercet.games import Refused
from tests.core.random_games import random_card_game, random_dice_game
from tests.core.scripted import SEED

OTHER = seed_from("a secret")


def number_by_hand(seed: str, secrets: list[str], count: int, label: str) -> int:
    """The recipe of the docs, written out."""
    text = "\n".join(["tercet 1", *(f"{len(part.encode())}:{part}" for part in secrets)])
    key = hmac.new(bytes.fromhex(seed), text.encode(), hashlib.sha256).digest()
    attempt = 0
    while True:
        block = hmac.new(key, f"{label}/{attempt}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(block[:8], "big")
        if number < 2**64 // count * count:
            return number % count
        attempt += 1


def test_f1_the_table_commits_to_the_seed_and_reveals_it_at_the_end() -> None:
    game = cards.Game(["Ann"], seed=SEED, options=cards.Options(only="red"))
    lines = f'tercet seed\n\n1\nset\n{{"only":"red"}}\n{SEED}'
    assert game.commitment == hashlib.sha256(lines.encode()).hexdigest()
    with pytest.raises(Refused, match="not_over"):
        game.reveal()
    over = random_card_game(3)
    assert commit(over.reveal(), over.terms) == over.commitment


def test_f1_commitments_name_the_table_the_number_the_game_and_the_options() -> None:
    """The bytes of the docs, written out."""
    secret = seed_from("mine")
    game = cubed.Game(["Ann", "Bo"], seed=SEED, secrets=["", secret], table="K7QXRM", number=3)
    house = Edition.named("house").fingerprint
    text = f'tercet secret\nK7QXRM\n3\ncubed\n{{"edition":"house:{house}"}}\n{secret}'
    assert game.commitments == ("", hashlib.sha256(text.encode()).hexdigest())
    terms = Terms("set", '{"rounds":1}', "K7QXRM", 3)
    others = [Terms("scramble", *list_of(terms)[1:]), Terms("set", "{}", "K7QXRM", 3)]
    others += [Terms("set", terms.options, "K7QXRN", 3), Terms("set", terms.options, "K7QXRM", 4)]
    assert len({commit_secret(secret, one) for one in (terms, *others)}) == 5
    assert len({commit(secret, one) for one in (terms, *others)}) == 5


def list_of(terms: Terms) -> list[Any]:
    return [terms.game, terms.options, terms.table, terms.number]


def test_f1_every_card_can_be_derived_again_by_hand() -> None:
    game = cards.Game(["Ann", "Bö"], seed=SEED, secrets=["", OTHER])
    (entry,) = game.do(cards.Deal(0))
    assert isinstance(entry.event, cards.Dealt)
    deck = list(Card.all())
    for number, card in enumerate(entry.event.cards, 1):
        drawn = deck.pop(number_by_hand(SEED, ["", OTHER], len(deck), f"round 1 card {number}"))
        assert card is drawn


def test_f1_every_die_and_throw_can_be_derived_again_by_hand() -> None:
    game = cubed.Game(["Ann", "Bo"], seed=SEED, secrets=[OTHER])
    game.do(cubed.Begin(0))
    dice = Edition.named("house").dice
    bag = list(range(1, 43))
    for entry in game.log[1:3]:
        assert isinstance(entry.event, cubed.Drew)
        for die in entry.event.dice:
            assert die.number == bag.pop(number_by_hand(SEED, [OTHER, ""], len(bag), f"draw {43 - len(bag)}"))
            throw = number_by_hand(SEED, [OTHER, ""], 6, f"die {die.number} throw 1")
            assert die.face is dice[die.number - 1][throw]


def test_f1_each_players_secret_changes_every_card() -> None:
    tables = set()
    for secrets in ([], [OTHER], ["", OTHER], [OTHER, OTHER], [SEED]):
        game = cards.Game(["Ann", "Bo"], seed=SEED, secrets=secrets)
        game.do(cards.Deal(0))
        tables.add(game.state.table)
    assert len(tables) == 5


def test_f1_numbers_are_even() -> None:
    """Chi-square with 80 degrees of freedom; 1 in 10,000 fair sources goes beyond 140."""
    chance = Seeded(SEED)
    counts = Counter(chance.below(81, f"try {number}") for number in range(16_200))
    assert set(counts) == set(range(81))
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 140


def test_f1_no_number_is_favoured_by_an_incomplete_last_block() -> None:
    """With a count just above half of the range nearly every second block must be drawn again."""
    count = 2**63 + 1
    numbers = [Seeded(SEED).below(count, f"try {n}") for n in range(200)]
    assert numbers == [number_by_hand(SEED, [], count, f"try {n}") for n in range(200)]
    first = [number_by_hand(SEED, [], 2**64, f"try {n}") for n in range(200)]
    assert 60 < sum(a != b for a, b in zip(numbers, first, strict=True)) < 140


@pytest.mark.parametrize(
    "seed", ["", "00", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "0" * 64 + "\n", "٠" * 64]
)
def test_f1_a_seed_is_64_hexadecimal_digits(seed: str) -> None:
    with pytest.raises(SeedError, match="64 hexadecimal digits"):
        cards.Game(["Ann"], seed=seed)


def test_f1_verify_derives_everything_again() -> None:
    for game in (random_card_game(1), random_dice_game(1)):
        assert record.verify(record.of(game)) is None


def test_f2_no_state_holds_the_order_of_what_is_to_come() -> None:
    """Two seeds that have shown the same so far are in the same state: nothing hidden differs."""
    one, other = (cards.Game(["Ann", "Bo"], seed=seed_from(text)) for text in "ab")
    assert to_json(one.state) == to_json(other.state)
    one.do(cards.Deal(0))
    assert one.state.deck == tuple(card for card in Card.all() if card not in one.state.table)
    dice = cubed.Game(["Ann", "Bo"], seed=SEED)
    dice.do(cubed.Begin(0))
    held = {die.number for hand in dice.state.hands for die in hand}
    assert dice.state.bag == tuple(number for number in range(1, 43) if number not in held)


def test_f2_an_unfinished_record_does_not_hold_the_seed() -> None:
    game = cards.Game(["Ann", "Bo"], seed=SEED)
    game.do(cards.Deal(0))
    kept = record.of(game)
    assert kept.seed is None
    assert SEED not in record.write(kept)
    assert SEED not in record.write_json(kept)
    assert SEED.encode() not in to_json(game.state)


def test_f2_the_views_of_all_seats_hold_no_others_choice() -> None:
    game = cubed.Game(["Ann", "Bo", "Cy"], seed=SEED)
    state = cubed.rules.start(game.options, 3)
    from msgspec.structs import replace

    asked = replace(state, phase="extra_roll", choices=((1,), (2,), None), answered=frozenset({0, 1}))
    assert cubed.rules.view(asked, 0).choices == ((1,), None, None)
    assert cubed.rules.view(asked, 2).choices == (None, None, None)
    assert cubed.rules.view(asked, None).choices == (None, None, None)


@pytest.mark.parametrize("game", [random_card_game(2), random_dice_game(2)], ids=["set", "cubed"])
def test_f3_replaying_the_record_gives_the_same_state_bit_for_bit(game: cards.Game | cubed.Game) -> None:
    for text in (record.write(record.of(game)), record.write_json(record.of(game))):
        *_, (_, state) = record.replay(record.read(text))
        assert state == game.state
        assert to_json(state) == to_json(game.state)
        assert from_json(to_json(state), game.rules.state_type) == state


def test_f3_a_record_can_be_replayed_without_the_seed() -> None:
    game = cards.Game(["Ann", "Bo"], seed=SEED)
    game.do(cards.Deal(0))
    game.do(cards.Call(1), at=1234)
    kept = record.of(game)
    *_, (entry, state) = record.replay(record.read(record.write(kept)))
    assert kept.seed is None
    assert state == game.state
    assert entry.at == 1234


def test_f3_a_record_is_read_whatever_its_edition_is_today() -> None:
    """A built-in edition of an earlier version: named with its fingerprint, and all of it in the record."""
    before = Edition.from_plain({**Edition.named("house").whole(), "bonus": {"a1": 7}})
    game = cubed.Game(["Ann", "Bo"], seed=SEED, options={"edition": before.whole()})
    game.do(cubed.Begin(0))
    terms = terms_of("cubed", {"edition": f"house:{before.fingerprint}"})
    kept = record.build(
        terms=terms,
        options=game.options,
        seats=game.seats,
        commitment=commit(SEED, terms),
        commitments=["", ""],
        secrets=["", ""],
        seed=SEED,
        result=None,
        log=game.log,
    )
    for text in (record.write(kept), record.write_json(kept)):
        again = record.read(text)
        assert again == kept
        assert again.options.edition.layout.bonus == before.layout.bonus
        assert record.verify(again) is None


def test_f2_f4_a_game_that_is_broken_off_has_its_seed_and_is_called_that() -> None:
    game = cards.Game(["Ann", "Bo"], seed=SEED, secrets=[OTHER])
    game.do(cards.Deal(0))
    game.do(cards.Call(1), at=1234)
    assert record.prove(record.of(game)).state == "unfinished"
    kept = record.read(record.write(record.of(game, broken_off=True)))
    assert kept.seed == SEED
    assert kept.result is None
    proof = record.prove(kept)
    assert (proof.state, proof.itself.verdict) == ("broken_off", "proved")
    whole = record.of(random_dice_game(1))
    assert record.prove(replace(whole, seal=None)).state == "unsealed"
    assert record.prove(whole).state == "finished"
    assert not record.prove(whole).is_wrong


def test_f4_a_client_that_was_there_tells_a_forged_record_from_the_real_one() -> None:
    game = next(game for game in map(random_card_game, range(99)) if game.secrets and game.secrets[0])
    kept = record.of(game)
    promise = Promise(
        terms=kept.terms,
        commitment=kept.commitment,
        commitments=kept.commitments,
        seat=0,
        secret=kept.secrets[0],
    )
    assert verdicts(kept, promise) == ["proved", "proved", "proved"]
    assert verdicts(kept, None) == ["proved", "open", "open"]
    assert verdicts(kept, replace(promise, commitment=commit(OTHER, kept.terms))) == [
        "proved",
        "wrong",
        "proved",
    ]
    assert verdicts(kept, replace(promise, called_off=1)) == ["proved", "wrong", "proved"]
    assert verdicts(kept, replace(promise, secret=seed_from("not there"))) == ["proved", "proved", "wrong"]
    assert verdicts(kept, replace(promise, seat=7)) == ["proved", "proved", "wrong"]
    assert verdicts(kept, replace(promise, seat=None, secret="")) == ["proved", "proved", "open"]
    assert verdicts(replace(kept, seed=OTHER), promise)[0] == "wrong"
    assert verdicts(replace(kept, seed=None), promise)[0] == "open"
    assert verdicts(replace(kept, seal=(kept.seal or "")[:-1]), promise)[0] == "wrong"


def verdicts(kept: record.Record, promise: Promise | None) -> list[str]:
    proof = record.prove(kept, promise)
    return [proof.itself.verdict, proof.promised.verdict, proof.secret.verdict]
