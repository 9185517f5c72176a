"""JSON and plain data for everything in the games.

Values with a text form (cards, faces, squares) go by their text, editions by their name or content:
whatever has a ``to_plain`` method and a ``from_plain`` class method.
"""

from __future__ import annotations

from operator import methodcaller
from typing import Any, TypeVar

import msgspec

from tercet.misfits import in_words

T = TypeVar("T")

REASON_LIMIT = 200


_to_plain = methodcaller("to_plain")


def _from_plain(kind: type[Any], value: Any) -> Any:
    return kind.from_plain(value)


def _from_plain_or_itself(kind: type[Any], value: Any) -> Any:
    return value if isinstance(value, kind) else kind.from_plain(value)


def to_data(value: Any) -> Any:
    """Plain dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=_to_plain)


def from_data(data: Any, kind: type[T]) -> T:
    """What `to_data` was given; `msgspec.ValidationError` says where the data does not fit.

    What is not plain any more stays as it is.
    """
    return msgspec.convert(data, kind, dec_hook=_from_plain_or_itself)


#: Anything as JSON.
to_json = msgspec.json.Encoder(enc_hook=_to_plain).encode

_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def from_json(text: str | bytes, kind: Any) -> Any:
    """As `from_data`; `msgspec.DecodeError` if it is no JSON at all."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind, dec_hook=_from_plain)
    try:
        return decoder.decode(text)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deeply") from None
    except UnicodeError:
        raise msgspec.DecodeError("JSON is not Unicode text") from None


def reason(error: Exception, kind: Any = None) -> str:
    """What an error says, on one line that is not too long: it may quote what was read. ``kind``: what should have been read."""
    text = " ".join(in_words(str(error), kind).split())
    return text if len(text) <= REASON_LIMIT else text[:REASON_LIMIT] + "…"
