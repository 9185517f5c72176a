"""Boards and dice as data: what the dice games are played with (C1, C2)."""

from tercet.editions.dice import Die
from tercet.editions.edition import Edition, EditionError, Layout, WildRule, built_in_names, template
from tercet.editions.squares import Square

__all__ = ["Die", "Edition", "EditionError", "Layout", "Square", "WildRule", "built_in_names", "template"]
