"""A game's options on the command line, whatever game it is: its schema says which there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tercet import games
from tercet.cli.edition import read_edition
from tercet.cli.text import InputError
from tercet.games import Option

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def known_games(separator: str = "|") -> str:
    """The names of all games, for a line of help."""
    return separator.join(games.names())


def complete_game(incomplete: str) -> list[str]:
    """For the Tab key."""
    return [name for name in games.names() if name.startswith(incomplete)]


def read_options(game: str, texts: Iterable[str]) -> dict[str, Any]:
    """Options as plain data from texts such as ``rounds=2``."""
    known = {option.name: option for option in games.find(game).rules.options_schema()}
    data: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            offered = f"with one of {', '.join(sorted(known))}" if known else "; but this game has no options"
            raise InputError(f"option {text[:40]!r}: write KEY=VALUE {offered}")
        if key in data:
            raise InputError(f"option {key} is given twice")
        data[key] = _read(known[key], value)
    return data


def _read(option: Option, text: str) -> Any:
    """On the command line all is text."""
    if option.optional and text.lower() in ("none", "null"):
        return None
    match option.kind:
        case "switch" if text.lower() in YES + NO:
            return text.lower() in YES
        case "switch":
            raise InputError(f"option {option.name}: true or false, not {text[:40]!r}")
        case "number":
            return _read_number(option, text)
        case "choice":
            values = {str(choice): choice for choice in option.choices}
            if text not in values:
                raise InputError(f"option {option.name}: one of {', '.join(values)}, not {text[:40]!r}")
            return values[text]
        case "named":
            return read_edition(text).to_plain()


def _read_number(option: Option, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise InputError(f"option {option.name}: a number, not {text[:40]!r}") from None
    if option.least is not None and number < option.least:
        raise InputError(f"option {option.name}: {option.least} at least, not {text[:40]}")
    if option.most is not None and number > option.most:
        raise InputError(f"option {option.name}: {option.most} at most, not {text[:40]}")
    return number
