"""What a game needs to be shown and played in a terminal.

A game's own part is the module ``terminal`` of its package, with its `Desk` class (`tercet.terminal.desk`) as ``desk``.
"""
