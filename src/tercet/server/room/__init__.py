"""A table in memory: its people, its chat, and the game that is played there."""
