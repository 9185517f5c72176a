"""Fair chance: a committed seed and everybody's committed secret give every shuffle, draw and throw.

Before play the table publishes ``commit(seed, terms)``, and each person's client ``commit_secret(secret, terms)``.
The secrets are shown only when all commitments are known, so nobody, not even an operator who plays along, can
have chosen the outcome. Every chance is then a number computed from the seed, the secrets and a label that says
what it decides (``die 17 throw 3``). After the game the seed is revealed, and anybody can compute every number
again. ``docs/fairness.md`` has all of it in plain words.

There is no order of the deck and no list of coming throws anywhere: a card is chosen
at the moment it is turned. As its label is fixed beforehand, so is the outcome.

>>> chance = Seeded(seed_from("an example"))
>>> chance.below(6, "die 17 throw 3") == chance.below(6, "die 17 throw 3")
True
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from tercet.sets import KindError, TercetError, of_kind

_RANGE = 2**64
#: With so many outcomes at most, numbers below this are always in a whole block.
_MANY = 2**48
_SURE = _RANGE - _MANY
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class SeedError(TercetError):
    """A text that is not a seed or a secret, or one too many."""


class PromiseError(TercetError):
    """A text that is not what a client kept."""


class Chance(Protocol):
    """Where the games get their luck from."""

    def below(self, count: int, label: str) -> int:
        """A number from 0 to ``count - 1``, each equally likely; the same label gives the same one."""


def _is_hexadecimal(given: object) -> bool:
    return isinstance(given, str) and re.fullmatch(r"[0-9a-f]{64}", given) is not None


def check_seed(seed: str) -> str:
    """The seed as it is, if it is one: 64 hexadecimal digits in lower case."""
    if not _is_hexadecimal(seed):
        raise SeedError("a seed is 64 hexadecimal digits in lower case")
    return seed


def seed_from(text: str) -> str:
    """A seed made from any text, for games that anybody may set up again."""
    of_kind(text, str, "a text to make a seed of")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def check_secret(secret: str) -> str:
    """The secret as it is, if it is one: 64 hexadecimal digits in lower case."""
    if not _is_hexadecimal(secret):
        raise SeedError("a secret is 64 hexadecimal digits in lower case")
    return secret


def check_secrets(secrets: Sequence[str], seats: int) -> tuple[str, ...]:
    """One secret a seat, empty where nobody adds one."""
    if isinstance(secrets, str) or not isinstance(secrets, Sequence):
        raise KindError(f"give the secrets in a list, one a seat, not {secrets!r:.40}")
    if len(secrets) > seats:
        raise SeedError(f"secrets for {len(secrets)} seats, but the game has {seats}")
    for secret in secrets:
        if secret != "":
            check_secret(secret)
    return (*secrets, *[""] * (seats - len(secrets)))


def canonical(data: Any) -> str:
    """JSON that is written in one way only: keys sorted, no spaces, letters beyond ASCII as they are.

    >>> canonical({"rounds": 1, "edition": "house"})
    '{"edition":"house","rounds":1}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Terms(Struct, frozen=True):
    """What a commitment is bound to: the table, the number of the game there, which game it is, and its options as
    `canonical` writes them. A game at one's own keyboard is number 1 of table ""."""

    game: str
    options: str = "{}"
    table: str = ""
    number: int = 1


def terms_of(game: str, options: Mapping[str, Any], table: str = "", number: int = 1) -> Terms:
    """The terms of a game with these options, as the rules describe them."""
    return Terms(game, canonical(options), table, number)


def commit(seed: str, terms: Terms) -> str:
    """What the table publishes before anybody's part is known: the hash of the seed and of what it is for.

    >>> commit("00" * 32, Terms("set"))
    '2ce745c1992941967a0c34f6bdb4403ba77080117ae0351ff17e178ff4ec40ed'
    """
    return _hash("tercet seed", check_seed(seed), terms)


def commit_secret(secret: str, terms: Terms) -> str:
    """What a client publishes before it shows its secret."""
    return _hash("tercet secret", check_secret(secret), terms)


def _hash(kind: str, hidden: str, terms: Terms) -> str:
    lines = (kind, terms.table, str(terms.number), terms.game, terms.options, hidden)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


class Promise(Struct, frozen=True, kw_only=True):
    """What a client was told before play, and keeps: the seed's commitment, everybody's (one a seat, empty for a bot),
    how often the start had been called off, and its own secret, if it had a seat."""

    terms: Terms
    commitment: str
    commitments: tuple[str, ...]
    called_off: int = 0
    seat: int | None = None
    secret: str = ""

    @property
    def problem(self) -> str | None:
        """Why no secret may be shown for this: our own commitment is missing or another one."""
        if self.seat is None or not self.secret:
            return None
        if self.commitments[self.seat] != commit_secret(self.secret, self.terms):
            return "our own commitment is not among them"
        return None


def read_promise(text: str | bytes) -> Promise:
    """A promise as a client keeps it, in JSON; `PromiseError` if it is none."""
    try:
        return msgspec.json.decode(text, type=Promise)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise PromiseError(f"this is no promise: {str(error)[:200]}") from None


class Seeded:
    """Chance from a seed and the players' secrets, one a seat, empty for a bot.

    The key is the HMAC-SHA256, keyed by the seed's bytes, of ``tercet 1`` and each secret
    on a line of its own after its length in bytes (``64:0f…``, ``0:``). A number is the first eight bytes
    of the HMAC-SHA256 of ``label/attempt`` under that key, modulo ``count``; the attempt counts up
    from 0 while those bytes lie in the incomplete last block, so that no number is favoured.
    """

    def __init__(self, seed: str, secrets: Sequence[str] = ()) -> None:
        lines = [b"tercet 1", *(b"%d:%s" % (len(text.encode()), text.encode()) for text in secrets)]
        key = hmac.digest(bytes.fromhex(check_seed(seed)), b"\n".join(lines), "sha256").ljust(64, b"\0")
        # The two halves of an HMAC, begun once: three times as fast as hmac.digest, which also hands over
        # Python's lock each time and then waits for it in a busy server.
        self._inner = hashlib.sha256(key.translate(_INNER_PAD))
        self._outer = hashlib.sha256(key.translate(_OUTER_PAD))

    def below(self, count: int, label: str) -> int:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(f"{label}/0".encode())
        outer.update(inner.digest())
        number = int.from_bytes(outer.digest()[:8], "big")
        # Below this no block is incomplete; the rest happens once in 65,536 times.
        return number % count if number < _SURE and count <= _MANY else self._below(count, label)

    def _below(self, count: int, label: str) -> int:
        whole, attempt = _RANGE - _RANGE % count, 0
        while True:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{label}/{attempt}".encode())
            outer.update(inner.digest())
            number = int.from_bytes(outer.digest()[:8], "big")
            if number < whole:
                return number % count
            attempt += 1
