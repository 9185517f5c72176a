"""Where everything is kept: SQLite in one file, or PostgreSQL, behind one interface.

The logs of tables and games are the truth (`Log`); lobby, my games and statistics are projections of them.
"""

from tercet.server.store.log import Conflict, Line, Log, Outcome, Rejected, Unavailable
from tercet.server.store.store import Store, StoreError, open_store

__all__ = [
    "Conflict",
    "Line",
    "Log",
    "Outcome",
    "Rejected",
    "Store",
    "StoreError",
    "Unavailable",
    "open_store",
]
