"""The seal of a finished record tells when it is no longer what it was."""

from __future__ import annotations

import hashlib
import re

import msgspec

from tercet.fairness import canonical
from tercet.record.record import Record, RecordError
from tercet.record.writing import header_of, write_line

#: How many digits of each hash stand in the seal.
PART = 4


def seal(record: Record) -> str:
    """Four hexadecimal digits for the header and for each line, then the whole last hash.

    They are a chain: the SHA-256 hash of the header (all of it but the seal, remarks too, as canonical JSON), then
    of the hash before and the line as it is written. Anyone can make a seal, so it proves nothing about the
    table; it tells when a finished record is no longer what it was, and from which line on, even where the rules
    would allow both: a time, a vote, a name.
    """
    header = msgspec.to_builtins(header_of(record))
    del header["seal"]
    block = hashlib.sha256(canonical(header).encode())
    parts = [block.hexdigest()[:PART]]
    for entry in record.log:
        block = hashlib.sha256(block.digest() + write_line(record, entry).encode())
        parts.append(block.hexdigest()[:PART])
    return "".join(parts) + block.hexdigest()


def check_seal_form(text: str, lines: int) -> str:
    if not re.fullmatch(r"[0-9a-f]*", text) or len(text) != PART * (lines + 1) + 64:
        raise RecordError(other_length(text, lines))
    return text


def other_length(seal: str, lines: int) -> str:
    """What is wrong with a seal that is not as long as one of so many lines."""
    sealed, odd = divmod(len(seal) - 64, PART)
    if odd or sealed < 1 or not re.fullmatch(r"[0-9a-f]*", seal):
        return f"the seal is not one of a record of {lines} lines"
    missing = "its end is missing" if sealed - 1 > lines else "something was added"
    return f"the record has {lines} lines and was sealed with {sealed - 1}: {missing}"
