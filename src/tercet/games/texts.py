"""Commands and events that take text where it can mean one thing only: ``Show(0, "3RHS 1GFO 2PEO")``.

A constructor looks no further than the first thing that it is given; all else happens only when that is not what it
should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, cast, get_args

import msgspec
from msgspec.structs import force_setattr

from tercet.codec import from_data, reason, to_data
from tercet.sets import KindError, NotationError


def several(kind: type, read: Callable[[str], tuple[Any, ...]], *fields: str) -> Callable[[Any], None]:
    """A ``__post_init__`` for fields that are tuples of this kind: whatever else comes is read, or a `KindError`."""
    # Written out for these fields, as every event of every game passes here: in a loop over two names it took twice as long.
    lines = ["def look(self):"]
    for field in fields:
        lines += [
            f"    given = self.{field}",
            "    if type(given) is not tuple or (given and type(given[0]) is not kind):",
            f"        understand(self, {field!r}, kind, read)",
        ]
    made: dict[str, Any] = {"kind": kind, "read": read, "understand": _understand}
    exec("\n".join(lines), made)
    look: Callable[[Any], None] = made["look"]
    return look


def _understand(struct: Any, field: str, kind: type, read: Callable[[str], tuple[Any, ...]]) -> None:
    given, owner = getattr(struct, field), cast("type[msgspec.Struct]", type(struct))
    if given is None and _may_be_none(owner, field):
        return
    force_setattr(struct, field, tuple(_each(struct, field, given, kind, read)))


def _each(
    struct: Any, field: str, given: object, kind: type, read: Callable[[str], tuple[Any, ...]]
) -> Iterable[Any]:
    if isinstance(given, str):
        yield from read(given)
    elif isinstance(given, Iterable):
        for one in given:
            if type(one) is kind:
                yield one
            elif isinstance(one, str):
                yield from read(one)
            else:
                raise _complaint(struct, field, one, f"a {kind.__name__} or its text")
    else:
        raise _complaint(struct, field, given, f"a text, or {kind.__name__}s in a tuple")


def single(kind: Any, read: Callable[[str], Any], *fields: str) -> Callable[[Any], None]:
    """The same for fields that are one thing of this kind."""

    def look(self: Any) -> None:
        for field in fields:
            given = getattr(self, field)
            if type(given) is not kind:
                if not isinstance(given, str):
                    raise _complaint(self, field, given, f"a {kind.__name__} or its text")
                force_setattr(self, field, read(given))

    return look


def read_numbers(text: str) -> tuple[int, ...]:
    """Numbers of dice.

    >>> read_numbers("3 17")
    (3, 17)
    """
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 5):
            raise NotationError(f"{word[:20]!r} is not the number of a die: write numbers, as in 3 17")
    return tuple(map(int, words))


def check(command: msgspec.Struct) -> None:
    """Whether everything in it is of the kind it should be; a `KindError` names the field that is not."""
    try:
        from_data(to_data(command), type(command))
    except (msgspec.ValidationError, TypeError, AttributeError) as error:
        raise KindError(f"{command!r:.80} is no command: {reason(error)}") from None


@cache
def _may_be_none(struct: type[msgspec.Struct], field: str) -> bool:
    kind = next(found.type for found in msgspec.structs.fields(struct) if found.name == field)
    return type(None) in get_args(kind)


def _complaint(struct: Any, field: str, given: object, wanted: str) -> KindError:
    return KindError(f"{field} of {type(struct).__name__} is {given!r:.40}: give {wanted}")
