"""A game's options as data: what a page or a command needs to know to offer them.

The fields of the game's ``Options`` are the one place where an option, its default and its limits stand. What a type
cannot say goes into its ``Meta(extra=...)``:

>>> from tercet import cards
>>> options = {option.name: option for option in describe(cards.Options)}
>>> rounds, claim = options["rounds"], options["claim"]
>>> rounds.kind, rounds.optional, rounds.least, rounds.most
('number', True, 1, 100)
>>> claim.group, claim.choices, claim.default
('rules', ('call', 'instant'), 'call')
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, Protocol, get_args, get_origin, get_type_hints, runtime_checkable

from msgspec import NODEFAULT, Meta, Struct, inspect, structs

from tercet.codec import to_data

#: The headings under which options are offered, in this order.
GROUPS = ("game", "length", "rules", "time")
Group = Literal["game", "length", "rules", "time"]


class Option(Struct, frozen=True, kw_only=True):
    """One thing that can be chosen for a table.

    ``optional``: None may be chosen, too. ``least`` and ``most`` limit a number, ``suggested`` are the numbers
    to offer where not all can be. ``choices`` are the values of a choice; those of something ``named`` are the names
    that are known, and its whole content may be given instead. ``only_with``: values of other options,
    of which one line must hold, or this one stays at its default.
    """

    name: str
    group: Group
    kind: Literal["switch", "number", "choice", "named"]
    default: Any
    optional: bool
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] = ()
    suggested: tuple[int, ...] = ()
    only_with: tuple[dict[str, tuple[Any, ...]], ...] = ()


@runtime_checkable
class Named(Protocol):
    """A type whose values have names that one may choose by, such as an edition."""

    @staticmethod
    def known() -> tuple[str, ...]:
        """The names that can be chosen anywhere."""

    def reference(self) -> Any:
        """The name with a fingerprint of the content, or all of what has no such name."""

    def whole(self) -> dict[str, Any]:
        """All of it."""


def choose(
    group: Group,
    *,
    suggested: tuple[int, ...] = (),
    only_with: tuple[Mapping[str, tuple[Any, ...]], ...] = (),
) -> Meta:
    """What the type of an option does not say, to annotate it with."""
    return Meta(extra={"group": group, "suggested": suggested, "only_with": only_with})


#: Annotates an option that nobody chooses: whoever sets up the table does.
NOT_CHOSEN = Meta(extra={"is_chosen": False})


def describe(options: type[Any]) -> tuple[Option, ...]:
    """The options that a Struct has, in the order of their groups."""
    info = inspect.type_info(options)
    assert isinstance(info, inspect.StructType)
    hints = get_type_hints(options, include_extras=True)
    found = [_describe(field, hints[field.name]) for field in info.fields if _is_chosen(field)]
    return tuple(sorted(found, key=lambda option: GROUPS.index(option.group)))


def _is_chosen(field: inspect.Field) -> bool:
    return not isinstance(field.type, inspect.Metadata) or (field.type.extra or {}).get("is_chosen", True)


def _describe(field: inspect.Field, hint: Any) -> Option:
    kind, extra = field.type, dict[str, Any]()
    if isinstance(kind, inspect.Metadata):
        extra = kind.extra or {}
        kind = kind.type
    optional = False
    if isinstance(kind, inspect.UnionType):
        rest = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
        optional = len(rest) < len(kind.types)
        (kind,) = rest
    default = field.default if field.default is not NODEFAULT else field.default_factory()
    return Option(
        name=field.name,
        default=to_data(default),
        optional=optional,
        **{"group": "rules", "suggested": (), "only_with": (), **extra},
        **_kind(kind, hint, field.name),
    )


def misfit(options: type[Any], data: Any) -> str | None:
    """What of this data the options do not take, and what they would; None if nothing is found.

    >>> from tercet import cards
    >>> misfit(cards.Options, {"round": 1})
    "there is no option 'round'; did you mean 'rounds'?"
    >>> misfit(cards.Options, {"rounds": 0})
    'rounds is a whole number from 1 to 100 or None, not 0'
    """
    if not isinstance(data, Mapping):
        return f"give a dict, as in {{'rounds': 1}}, not {data!r:.40}"
    known = [field.name for field in structs.fields(options)]
    for name in data:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            told = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            return f"there is no option {name!r:.40}; {told}"
    for option in describe(options):
        value = data.get(option.name, option.default)
        if (wanted := _wanted(option, value)) is not None:
            return f"{option.name} is {wanted}{' or None' if option.optional else ''}, not {value!r:.40}"
    return None


def _wanted(option: Option, value: Any) -> str | None:
    """What this option should be, unless the value is that."""
    if value is None and option.optional:
        return None
    match option.kind:
        case "switch":
            return None if isinstance(value, bool) else "True or False"
        case "number":
            least, most = option.least or 0, option.most
            fits = isinstance(value, int) and not isinstance(value, bool) and least <= value
            if fits and (most is None or value <= most):
                return None
            return f"a whole number from {least}" + (f" to {most}" if most is not None else " on")
        case "choice":
            fits = any(value == choice and type(value) is type(choice) for choice in option.choices)
            *all_but_one, last = map(repr, option.choices)
            return None if fits else f"{', '.join(all_but_one)} or {last}"
    return None


def _kind(kind: inspect.Type, hint: Any, name: str) -> dict[str, Any]:
    match kind:
        case inspect.BoolType():
            return {"kind": "switch"}
        case inspect.IntType():
            return {"kind": "number", "least": kind.ge, "most": kind.le}
        case inspect.LiteralType():
            return {"kind": "choice", "choices": _in_order(hint)}
        case inspect.CustomType(cls=cls) if isinstance(cls, Named):
            return {"kind": "named", "choices": cls.known()}
        case _:
            raise TypeError(f"option {name}: nobody would know how to offer {kind}")


def _in_order(hint: Any) -> tuple[Any, ...]:
    """The values of the Literal in an annotation as they are written there; msgspec sorts them."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := _in_order(part))), ())
