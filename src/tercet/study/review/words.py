"""Numbers in words, as all reviews say them."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: float, what: str, many: str | None = None) -> str:
    """
    >>> count(1, "SET"), count(3, "SET"), count(0.5, "minute"), count(2, "die", "dice")
    ('1 SET', '3 SETs', '0.5 minutes', '2 dice')
    """
    return f"{number:.12g} {what if number == 1 else many or what + 's'}"


def times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def signed(value: float, digits: int = 1) -> str:
    """A change, with its sign.

    >>> signed(2.0), signed(-17.4, 0), signed(-0.04)
    ('+2.0', '−17', '0.0')
    """
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return text
    return ("+" if value > 0 else "−") + text


def plain(value: float, digits: int = 0) -> str:
    """A number that is rarely below 0.

    >>> plain(31.4), plain(-0.26, 1)
    ('31', '−0.3')
    """
    return signed(value, digits).removeprefix("+")


def clock(at: int) -> str:
    """Milliseconds as minutes and seconds.

    >>> clock(75_900)
    '1:15'
    """
    seconds = at // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def share_of_win(result: Sequence[int], seat: int) -> float:
    """1 for a win, 0 for none; a shared one counts its part."""
    return (result[seat] == max(result)) / result.count(max(result))
