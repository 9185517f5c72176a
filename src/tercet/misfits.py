"""What does not fit, in words: msgspec speaks of types and paths to whoever wrote the types, and not to whoever wrote the data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from msgspec import inspect

_KINDS = {
    "NoneType": "null",
    "array": "a list",
    "bool": "true or false",
    "dict": "an object",
    "float": "a number",
    "int": "a whole number",
    "list": "a list",
    "null": "null",
    "object": "an object",
    "str": "a text",
}
_AT = re.compile(r" - at `(?:key in )?\$\.?([^`]*)`$")
_STEP = re.compile(r"\[[^\]]*\]|[^.\[\]]+")


def in_words(message: str, kind: Any = None) -> str:
    """A message of msgspec about data that should have been of this kind, if it is known; any other message as it is.

    >>> in_words("Expected `int`, got `str` - at `$.seat`")
    'seat: give a whole number, not a text'
    >>> in_words("Object missing required field `hand`")
    "'hand' is missing"
    >>> from tercet import cards
    >>> in_words("Object contains unknown field `round`", cards.Options)
    "there is no 'round'; did you mean 'rounds'?"
    """
    found = _AT.search(message)
    path = found[1] if found else ""
    said = _say(message[: found.start()] if found else message, kind, path)
    return f"{path}: {said}" if path and path != "..." else said


def at(path: str, message: str, kind: Any = None) -> str:
    """The same, where the path stands apart from the message."""
    said = _say(message, kind, path)
    return f"{path}: {said}" if path else said


def _say(message: str, kind: Any, path: str) -> str:
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return f"there is no {found[1]!r:.40}{suggest(found[1], _fields(kind, path))}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", message):
        return f"{found[1]!r} is missing"
    if found := re.fullmatch(r"Invalid (?:enum )?value (.*)", message, re.DOTALL):
        value = found[1][1:-1] if found[1][:1] == "'" else found[1]
        choices = _choices(kind, path)
        return f"{found[1]:.60} is not known{suggest(value, choices)}"
    if found := re.fullmatch(r"Expected `([a-z| ]+)`, got `(\w+)`", message):
        return f"give {_kind(found[1])}, not {_kind(found[2])}"
    if found := re.fullmatch(r"Expected `(int|float)` (>=|<=|>|<) (\S+)", message):
        how = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}[found[2]]
        return f"give {_KINDS[found[1]]} {how} {found[3]}"
    if found := re.fullmatch(r"Expected `(str|array|object)` of length (>=|<=) (\d+)", message):
        things = "character" if found[1] == "str" else "thing"
        things += "s" * (found[3] != "1")
        return f"give {_KINDS[found[1]]} of at {'least' if found[2] == '>=' else 'most'} {found[3]} {things}"
    if re.fullmatch(r"Expected `str` matching regex '.*'", message, re.DOTALL):
        return "this text does not have the form it should"
    return message


def suggest(given: str, known: Iterable[str]) -> str:
    """What somebody may have meant, or all that there is, to be put after what is wrong."""
    known = [*known]
    if near := get_close_matches(given, known, 1):
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(known)}" if known else ""


def _kind(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _fields(kind: Any, path: str) -> list[str]:
    return [
        field.encode_name
        for found in _follow(kind, path)
        if isinstance(found, inspect.StructType)
        for field in found.fields
    ]


def _choices(kind: Any, path: str) -> list[str]:
    return [
        str(value)
        for found in _follow(kind, path)
        if isinstance(found, inspect.LiteralType)
        for value in found.values
    ]


def _follow(kind: Any, path: str) -> list[inspect.Type]:
    """The types that may stand at this place of such data; none where that cannot be said."""
    if kind is None:
        return []
    try:
        here = _parts(inspect.type_info(kind))
    except TypeError:
        return []
    for step in _STEP.findall(path):
        inside: list[inspect.Type] = []
        for found in here:
            if isinstance(found, inspect.StructType):
                inside += [field.type for field in found.fields if field.encode_name == step]
                inside += [inspect.LiteralType((found.tag,))] if found.tag_field == step else []
            elif isinstance(found, inspect.CollectionType):
                inside.append(found.item_type)
            elif isinstance(found, inspect.DictType):
                inside.append(found.value_type)
        here = [part for found in inside for part in _parts(found)]
    return here


def _parts(kind: inspect.Type) -> list[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        return _parts(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [part for each in kind.types for part in _parts(each)]
    return [kind]
