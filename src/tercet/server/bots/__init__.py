"""Bots at tables: on their seats (`seats`, `player`), and thinking in processes of their own (`thinking`)."""
