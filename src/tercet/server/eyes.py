"""What one seat sees of a game. Only the extra roll of the dice game looks different from seat to seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from tercet.games import Entry, Rules
from tercet.sets import Card


class Eyes:
    """The view from a seat; None is a spectator."""

    def __init__(self, rules: Rules[Any, Any, Any, Any], seat: int | None) -> None:
        self._rules = rules
        self._seat = seat

    @staticmethod
    def differ(
        rules: Rules[Any, Any, Any, Any], before: Any, after: Any, entries: Sequence[Entry[Any]]
    ) -> bool:
        """Whether some seat may know more of this than a spectator."""
        return (
            rules.view(before, None) is not before
            or rules.view(after, None) is not after
            or any(rules.see(entry.event, None) is not entry.event for entry in entries)
        )

    def view(self, state: Any) -> Any:
        return self._rules.view(state, self._seat)

    def entries(self, entries: Iterable[Entry[Any]]) -> list[Entry[Any]]:
        seen = ((entry, self._rules.see(entry.event, self._seat)) for entry in entries)
        return [entry if event is entry.event else replace(entry, event=event) for entry, event in seen]

    def changes(self, before: Any, after: Any) -> dict[str, Any]:
        """The fields of the view that are different now."""
        old, new = self.view(before), self.view(after)
        return {
            field: _quick(value)
            for field in new.__struct_fields__
            if (value := getattr(new, field)) is not getattr(old, field)
        }


def _quick(value: Any) -> Any:
    """A deck or a table of cards as ready-made JSON: the encoder would ask Python for every single card."""
    if type(value) is tuple and value and type(value[0]) is Card:
        return Raw(('["' + '","'.join(map(str, value)) + '"]').encode())
    return value
