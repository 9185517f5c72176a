"""The one idea both games share: what a SET is.

A card or a die face has a few features, and each feature has three values. It is coded as a
small int whose digits in base three are its values, the first feature the most significant.
Everything here works for any number of features.

>>> is_set(Card("1RFD"), Card("2GHD"), Card("3PED"))
True
>>> third(Card("1RFD"), Card("2GHD"))
Card('3PED')
>>> print(*find_sets([Card("1RFD"), Card("1GES"), Card("2GHD"), Card("3PED")])[0])
1RFD 2GHD 3PED
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import msgspec

if TYPE_CHECKING:
    from tercet.drawing import Picture


class TercetError(ValueError):
    """What this package raises for bad input; the message names the thing and the way out."""


class NotationError(TercetError):
    """A text that should name something in the games and does not; the message says how it should look."""


class KindError(TercetError, TypeError):
    """Something of another kind than is wanted, such as a number where cards belong; the message says what to give."""


def of_kind(given: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """A `KindError` unless it is of this kind; ``wanted`` says what to give instead. A truth is no number."""
    if not isinstance(given, kind) or (kind is int and isinstance(given, bool)):
        raise KindError(f"give {wanted}, not {given!r:.40}")


class Feature(NamedTuple):
    """One thing to look at, with its three values and the letter each is written with.

    ``countable``: one says "two ovals", but "two red".
    """

    name: str
    values: tuple[str, str, str]
    letters: str
    countable: bool = False


NUMBER = Feature("number", ("1", "2", "3"), "123", countable=True)
COLOUR = Feature("colour", ("red", "green", "purple"), "RGP")
FILL = Feature("fill", ("full", "hatched", "empty"), "FHE")
SHAPE = Feature("shape", ("diamond", "oval", "squiggle"), "DOS", countable=True)


_ENDINGS = {feature.name: "s" * feature.countable for feature in (NUMBER, COLOUR, FILL, SHAPE)}


#: What a format for whole numbers ends with.
_WHOLE = frozenset("bcdoxXn")


#: So many features there can be: nearly 200,000 symbols.
FEATURES_LIMIT = 11
#: With more features than these the table of thirds is filled as it is asked.
_TABLED = 4


def _check_features(name: str, given: Iterable[Feature]) -> tuple[Feature, ...]:
    of_kind(given, Iterable, f"the features of {name} in a tuple, as in features=(NUMBER, COLOUR)")
    features = tuple(given)
    if len(features) > FEATURES_LIMIT:
        raise NotationError(f"{name} has {len(features)} features: at most {FEATURES_LIMIT}")
    if not features:
        raise NotationError(f"{name} has no features: give one at least, as in features=(NUMBER, COLOUR)")
    for feature in features:
        of_kind(feature, Feature, f"features to {name}, such as NUMBER")
        letters = feature.letters
        values: tuple[str, ...] = feature.values
        of_kind(letters, str, f"the letters of {feature.name} as text, as in 'RGP'")
        of_kind(
            values, Sequence, f"the values of {feature.name} in a tuple, as in ('red', 'green', 'purple')"
        )
        if len(values) != 3 or len(letters) != 3 or len(set(letters)) != 3:
            raise NotationError(
                f"{name}: the feature {feature.name} has {len(values)} values and the letters "
                f"{letters!r:.20}. A SET is about three of each: give three values and three different letters"
            )
        if not letters.isascii() or not letters.isalnum() or letters != letters.upper():
            raise NotationError(
                f"{name}: the letters {letters!r} of {feature.name} must be capitals or digits, as in 'RGP'"
            )
    return features


class _Thirds(dict[int, tuple[Any, ...]]):
    """The third of one and each other, by the code of the one: a row is made when it is asked for the first time."""

    def __init__(self, symbols: tuple[Any, ...], features: int) -> None:
        super().__init__()
        self._symbols, self._features = symbols, features

    def __missing__(self, one: int) -> tuple[Any, ...]:
        if not 0 <= one < 3**self._features:
            raise IndexError(one)
        codes = [0]
        for place in reversed(range(self._features)):
            # Digit by digit: the value that both share, or else the one that neither has.
            digit = one // 3**place % 3
            codes = [code * 3 + -(digit + other) % 3 for code in codes for other in range(3)]
        row = self[int(one)] = tuple(self._symbols[code] for code in codes)
        return row


@lru_cache(maxsize=1000)
def _digits(code: int, count: int) -> tuple[int, ...]:
    return tuple(code // 3 ** (count - 1 - place) % 3 for place in range(count))


class Symbol(int):
    """Something with features, as a small int. Subclasses name their features:

    >>> class Coin(Symbol, features=(NUMBER, COLOUR)):
    ...     pass
    >>> [str(coin) for coin in Coin.all()]
    ['1R', '1G', '1P', '2R', '2G', '2P', '3R', '3G', '3P']
    """

    features: ClassVar[tuple[Feature, ...]] = ()
    #: How the subclass is spoken of in error messages.
    noun: ClassVar[str] = "symbol"
    _all: ClassVar[tuple[Any, ...]] = ()
    _by_text: ClassVar[dict[str, Any]] = {}
    _texts: ClassVar[tuple[str, ...]] = ()
    #: The third of each two that have features, by their codes.
    thirds: ClassVar[Any] = ()

    def __init_subclass__(
        cls, *, features: tuple[Feature, ...], extra: tuple[str, ...] = (), **kwargs: object
    ) -> None:
        super().__init_subclass__(**kwargs)
        cls.features = features = _check_features(cls.__name__, features)
        texts = [""]
        for feature in features:
            texts = [text + letter for text in texts for letter in feature.letters]
        cls._texts = (*texts, *extra)
        cls._all = tuple(int.__new__(cls, code) for code in range(len(cls._texts)))
        cls._by_text = dict(zip(cls._texts, cls._all, strict=True))
        cls.thirds = _Thirds(cls._all, len(features))
        if len(features) <= _TABLED:
            cls.thirds = tuple(cls.thirds[a] for a in range(3 ** len(features)))

    def __new__(cls, value: str | int) -> Self:
        """From its text, in either case, or from its code; always the same object for the same value."""
        if isinstance(value, str):
            found = cls._by_text.get(value.upper()) if value.isascii() else None
            if found is None:
                cls._check_own()
                raise NotationError(cls._complaint(value))
            return found  # type: ignore[no-any-return]
        try:
            if 0 <= value < len(cls._all) and (not isinstance(value, Symbol) or isinstance(value, cls)):
                return cls._all[value]  # type: ignore[no-any-return]
        except TypeError:
            pass
        cls._check_own()
        codes = f"0 to {len(cls._all) - 1}"
        if not isinstance(value, int):
            raise NotationError(f"{value!r:.40} is not a {cls.noun}: give its text or its code ({codes})")
        if isinstance(value, Symbol):
            raise NotationError(
                f"{value!r:.40} is a {value.noun}, not a {cls.noun}: give a {cls.noun} or its text"
            )
        raise NotationError(f"{value!r:.40} is not the code of a {cls.noun} ({codes})")

    @classmethod
    def _check_own(cls) -> None:
        """`KindError` for a class that has no features, and so nothing that could be made."""
        if not cls.features:
            raise KindError(
                f"{cls.__name__} has no features: make a class of your own, as in class Coin(Symbol, features=(NUMBER, COLOUR))"
            )

    @classmethod
    def _complaint(cls, text: str) -> str:
        parts = ", ".join(f"{f.name} {' '.join(f.letters)}" for f in cls.features)
        return f"{text[:20]!r} is not a {cls.noun}: write {parts}, as in {cls._texts[len(cls._texts) // 2]}"

    @classmethod
    def read(cls, text: str) -> tuple[Self, ...]:
        """All that a text names, with spaces or commas between them.

        >>> Card.read("1RFD 2GHD")
        (Card('1RFD'), Card('2GHD'))
        """
        cls._check_own()
        of_kind(text, str, f"a text, as in {cls.__name__}.read('{cls._texts[0]} {cls._texts[1]}')")
        return tuple(map(cls, text.replace(",", " ").split()))

    @classmethod
    def all(cls) -> tuple[Self, ...]:
        """Every one that has features, in order of code."""
        return cls._all[: 3 ** len(cls.features)]

    @property
    def digits(self) -> tuple[int, ...]:
        """The value of each feature as 0, 1 or 2; a wild, which has none, counts as all 0."""
        return _digits(int(self), len(self.features))

    @property
    def values(self) -> dict[str, str]:
        """The value of each feature by its name; nothing for a wild.

        >>> Card("2GHS").values
        {'number': '2', 'colour': 'green', 'fill': 'hatched', 'shape': 'squiggle'}
        >>> Face("W").values
        {}
        """
        if self >= 3 ** len(self.features):
            return {}
        return {f.name: f.values[digit] for f, digit in zip(self.features, self.digits, strict=True)}

    def __str__(self) -> str:
        return self._texts[self]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __format__(self, spec: str) -> str:
        """Its text, laid out as texts are; as a number where the format is one for whole numbers.

        >>> f"{Card('2GHS'):>8}|{Card('2GHS'):03d}"
        '    2GHS|041'
        """
        return format(int(self), spec) if spec[-1:] in _WHOLE else format(str(self), spec)

    def svg(self, **options: Any) -> Picture:
        """A picture of it; options are those of `tercet.drawing.draw_rows`."""
        from tercet.drawing import draw_rows  # noqa: PLC0415

        return draw_rows([self], **options)

    def _repr_svg_(self) -> str:
        return self.svg()

    to_plain = __str__

    @classmethod
    def from_plain(cls, value: object) -> Self:
        if not isinstance(value, str):
            raise NotationError(f"a {cls.noun} is written as text, not {value!r:.20}")
        found: Self | None = cls._by_text.get(value)
        return cls(value) if found is None else found

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (int(self),)


class Card(Symbol, features=(NUMBER, COLOUR, FILL, SHAPE)):
    """One of the 81 cards: number, colour, fill, shape.

    >>> Card("2GHS")
    Card('2GHS')
    >>> int(Card("2GHS")), Card(41) is Card("2GHS"), len(Card.all())
    (41, True, 81)
    """

    noun = "card"


class Face(Symbol, features=(NUMBER, COLOUR, SHAPE), extra=("W",)):
    """What a die shows: one of 27 faces (number, colour, shape), or the wild.

    >>> Face("2GS"), Face("W") is WILD, len(Face.all())
    (Face('2GS'), True, 27)
    """

    noun = "face"

    @property
    def is_wild(self) -> bool:
        return self is WILD


WILD = Face("W")


S = TypeVar("S", bound=Symbol)


def _in_order(symbols: Iterable[S]) -> list[S]:
    given: object = symbols
    if isinstance(given, str):
        raise KindError(f"{given!r:.40} is a text: make cards of it, as in Card.read('1RFD 2GHD 3PED')")
    of_kind(given, Iterable, "cards or faces in a list, as in Card.read('1RFD 2GHD 3PED')")
    lying = list(symbols)
    if len(lying) in (1, 2):
        _one_kind(lying)
    return lying


def _one_kind(symbols: Sequence[Symbol]) -> type[Symbol]:
    kind = type(symbols[0])
    if not issubclass(kind, Symbol):
        raise NotationError(
            f"{symbols[0]!r:.40} is neither a card nor a face: make it one, as in Card('2GHS')"
        )
    for symbol in symbols[1:]:
        if type(symbol) is not kind:
            raise NotationError(f"{symbols[0]!r} and {symbol!r} are of different kinds and make no SET")
    return kind


def third(a: S, b: S) -> S:
    """The only one that completes a SET with these two.

    >>> third(Face("1RO"), Face("1GO")), third(Face("1RO"), Face("1RO"))
    (Face('1PO'), Face('1RO'))
    """
    _one_kind((a, b))
    try:
        return a.thirds[a][b]  # type: ignore[no-any-return]
    except IndexError:
        raise NotationError(f"with {WILD!r} any third makes a SET, so there is no one answer") from None


def is_set(a: Symbol, b: Symbol, c: Symbol) -> bool:
    """Whether these three are a SET, in whatever order. A wild stands for whatever is needed.

    >>> is_set(Face("1RO"), Face("1RO"), Face("1RO"))
    True
    >>> is_set(Face("1RO"), Face("1RO"), Face("2RO"))
    False
    """
    _one_kind((a, b, c))
    if type(a) is Face and WILD in (a, b, c):
        return True
    return a.thirds[a][b] is c


def find_sets(symbols: Iterable[S]) -> list[tuple[S, S, S]]:
    """Every SET among these, each once, in the order in which they lie."""
    lying = _in_order(symbols)
    if len(lying) < 3:
        return []
    kind = _one_kind(lying)
    if kind is Face and WILD in lying:
        return [three for three in combinations(lying, 3) if is_set(*three)]
    places: dict[S, list[int]] = {}
    for place, symbol in enumerate(lying):
        places.setdefault(symbol, []).append(place)
    thirds = kind.thirds
    return [
        (a, b, lying[last])
        for (_, a), (second, b) in combinations(enumerate(lying), 2)
        for last in places.get(thirds[a][b], ())
        if last > second
    ]


def has_set(symbols: Iterable[S]) -> bool:
    """Whether there is any SET among these: what `find_sets` would tell, but it stops at the first.

    >>> has_set([Face("1RO"), Face("1RO"), Face("2RO")]), has_set([Face("1RO"), Face("1RO"), Face("1RO")])
    (False, True)
    """
    lying = _in_order(symbols)
    if len(lying) < 3:
        return False
    kind = _one_kind(lying)
    if kind is Face and WILD in lying:
        return True
    thirds = kind.thirds
    before: set[S] = set()
    for place, middle in enumerate(lying, 1):
        row = thirds[middle]
        for last in lying[place:]:
            if row[last] in before:
                return True
        before.add(middle)
    return False


Verdict = Literal["same", "different", "two_alike", "free"]


class FeatureCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """One yes-or-no question of the check: is this feature all the same or all different?

    ``two_alike`` breaks the SET: ``pair`` is the value that two share, ``odd`` the value of the
    one that does not, and ``odd_one`` its place among the three (0, 1 or 2). ``free`` means that
    wilds can take whatever value is needed.
    """

    feature: str
    verdict: Verdict
    values: tuple[str, ...]
    pair: str | None = None
    odd: str | None = None
    odd_one: int | None = None


class Explanation(msgspec.Struct, frozen=True):
    """Why three are a SET or not, feature by feature.

    ``broken`` are the checks that say no. In words:

    >>> print(explain(Face("1RO"), Face("2RO"), Face("3RS")))
    Not a SET: two ovals, one squiggle
    """

    is_set: bool
    features: tuple[FeatureCheck, ...]

    @property
    def broken(self) -> tuple[FeatureCheck, ...]:
        return tuple(check for check in self.features if check.verdict == "two_alike")

    def __str__(self) -> str:
        if self.is_set:
            return "SET: " + ", ".join(f"{c.feature} {c.verdict}" for c in self.features)
        return "Not a SET: " + "; ".join(
            f"two {c.pair}{_ENDINGS.get(c.feature, '')}, one {c.odd}" for c in self.broken
        )


def explain(a: Symbol, b: Symbol, c: Symbol) -> Explanation:
    """The leaflet's quick check as data: one question a feature.

    >>> explain(Card("1RFD"), Card("2RFD"), Card("3PFD")).broken[0]
    FeatureCheck(feature='colour', verdict='two_alike', values=('red', 'red', 'purple'), pair='red', odd='purple', odd_one=2)
    """
    three = [a, b, c]
    kind = _one_kind(three)
    if kind is Face and WILD in three:
        shown = [symbol for symbol in three if symbol is not WILD]
        free = tuple(
            FeatureCheck(feature.name, "free", tuple(symbol.values[feature.name] for symbol in shown))
            for feature in kind.features
        )
        return Explanation(True, free)
    checks = tuple(
        _check(feature, digits)
        for feature, *digits in zip(kind.features, a.digits, b.digits, c.digits, strict=True)
    )
    return Explanation(not any(check.verdict == "two_alike" for check in checks), checks)


def _check(feature: Feature, digits: Sequence[int]) -> FeatureCheck:
    values = tuple(feature.values[digit] for digit in digits)
    if len(set(digits)) != 2:
        return FeatureCheck(feature.name, "same" if len(set(digits)) == 1 else "different", values)
    odd_one = next(place for place in range(3) if digits.count(digits[place]) == 1)
    pair = values[(odd_one + 1) % 3]
    return FeatureCheck(feature.name, "two_alike", values, pair, values[odd_one], odd_one)
