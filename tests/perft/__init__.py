"""Perft files: counts of groups and of turns that any implementation of the rules can be checked with."""

from pathlib import Path

FOLDER = Path(__file__).parent
