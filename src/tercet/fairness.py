"""Fair chance: one committed seed gives every shuffle, draw and throw.

Before play the table publishes ``commit(seed)``. Players may add entropy of their own, so that
nobody, not even the host, can have chosen the outcome. Every chance is then a number computed
from the seed, the entropy and a label that says what it decides (``die 17 throw 3``). After
the game the seed is revealed, and anybody can compute every number again.

There is no order of the deck and no list of coming throws anywhere: a card is chosen
at the moment it is turned. As its label is fixed beforehand, so is the outcome.

>>> chance = Seeded(seed_from("an example"))
>>> chance.below(6, "die 17 throw 3") == chance.below(6, "die 17 throw 3")
True
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Protocol

from tercet.sets import TercetError

#: The longest entropy a player may add, in characters.
ENTROPY_LIMIT = 200

_RANGE = 2**64
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class SeedError(TercetError):
    """A text that is not a seed, or entropy that is too long."""


class Chance(Protocol):
    """Where the games get their luck from."""

    def below(self, count: int, label: str) -> int:
        """A number from 0 to ``count - 1``, each equally likely; the same label gives the same one."""


def check_seed(seed: str) -> str:
    """The seed as it is, if it is one: 64 hexadecimal digits in lower case."""
    if not re.fullmatch(r"[0-9a-f]{64}", seed):
        raise SeedError("a seed is 64 hexadecimal digits in lower case")
    return seed


def seed_from(text: str) -> str:
    """A seed made from any text, for games that anybody may set up again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def commit(seed: str) -> str:
    """What the table publishes before play: the SHA-256 hash of the seed's 32 bytes, in hexadecimal.

    >>> commit("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(bytes.fromhex(check_seed(seed))).hexdigest()


class Seeded:
    """Chance from a seed and the players' entropy, one text a seat.

    The key is the HMAC-SHA256, keyed by the seed's bytes, of ``tercet 1`` and each entropy text
    on a line of its own after its length in bytes (``3:abc``). A number is the first eight bytes
    of the HMAC-SHA256 of ``label/attempt`` under that key, modulo ``count``; the attempt counts up
    from 0 while those bytes lie in the incomplete last block, so that no number is favoured.
    """

    def __init__(self, seed: str, entropy: Sequence[str] = ()) -> None:
        lines = [b"tercet 1", *(b"%d:%s" % (len(text.encode()), text.encode()) for text in entropy)]
        key = hmac.digest(bytes.fromhex(check_seed(seed)), b"\n".join(lines), "sha256").ljust(64, b"\0")
        # The two halves of an HMAC, begun once: three times as fast as hmac.digest, which also hands over
        # Python's lock each time and then waits for it in a busy server.
        self._inner = hashlib.sha256(key.translate(_INNER_PAD))
        self._outer = hashlib.sha256(key.translate(_OUTER_PAD))

    def below(self, count: int, label: str) -> int:
        whole = _RANGE - _RANGE % count
        attempt = 0
        while True:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{label}/{attempt}".encode())
            outer.update(inner.digest())
            number = int.from_bytes(outer.digest()[:8], "big")
            if number < whole:
                return number % count
            attempt += 1
