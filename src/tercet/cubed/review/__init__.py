"""The review of the dice game."""

from tercet.cubed.review.review import Review

__all__ = ["Review"]
