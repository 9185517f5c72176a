"""The review of the card game and its variants."""

from tercet.cards.review.review import Review

__all__ = ["Review"]
