"""JSON and plain data for everything in the games: small int-coded values go by their text."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def _to_text(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no text form")


def _from_text(kind: type[Any], value: Any) -> Any:
    if isinstance(value, str):
        return kind(value)
    raise ValueError(f"a {kind.__name__.lower()} is written as text")


def to_data(value: Any) -> Any:
    """Plain dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=_to_text)


def from_data(data: Any, kind: type[T]) -> T:
    """What `to_data` was given; `msgspec.ValidationError` says where the data does not fit."""
    return msgspec.convert(data, kind, dec_hook=_from_text)


_encoder = msgspec.json.Encoder(enc_hook=_to_text)
_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def to_json(value: Any) -> bytes:
    return _encoder.encode(value)


def from_json(text: str | bytes, kind: Any) -> Any:
    """As `from_data`; `msgspec.DecodeError` if it is no JSON at all."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind, dec_hook=_from_text)
    return decoder.decode(text)
