"""The ``tercet`` command."""

from tercet.cli.app import main

__all__ = ["main"]
