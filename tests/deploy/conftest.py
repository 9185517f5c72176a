"""The same PostgreSQL and Valkey that the tests of the server have."""

from tests.server.conftest import postgres, valkey

__all__ = ["postgres", "valkey"]
