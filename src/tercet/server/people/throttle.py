"""How often somebody may try a password. Names count as accounts do, and nobody's bad tries lock out somebody else."""

from __future__ import annotations

from tercet.server.budgets import Buckets
from tercet.server.people.people import account_key

#: So many times as often as from one address, an account may be tried from all unknown ones together.
FROM_EVERYWHERE = 20
#: So many addresses are remembered from which somebody came in.
KNOWN_LIMIT = 10_000


class Throttle:
    """Counts tries by address and by session, and bad ones by account.

    Every address may try so often, whatever account. All addresses together may fail at one account some
    times as often; then only those may still try it from which somebody has got into that account before. Whoever is
    signed in to the account already is counted alone.
    """

    def __init__(self, per_minute: float) -> None:
        self._by_address = Buckets.per_minute("logins_per_minute", per_minute)
        self._by_session = Buckets.per_minute("logins_per_minute", per_minute)
        self._bad = Buckets.per_minute("logins_per_minute", FROM_EVERYWHERE * per_minute)
        self._known: dict[tuple[str, str], None] = {}

    def may_try(self, name: str, address: str, session: str | None = None) -> bool:
        """Whether there may be a try at this account; ``session``, if it is one of the account itself."""
        if session is not None:
            return self._by_session.take(session)
        account = account_key(name)
        if not self._by_address.take(address):
            return False
        return (account, address) in self._known or not self._bad.is_empty(account)

    def failed(self, name: str) -> None:
        """It was the wrong password."""
        self._bad.take(account_key(name))

    def succeeded(self, name: str, address: str) -> None:
        """It was the right one."""
        key = (account_key(name), address)
        self._known.pop(key, None)
        if len(self._known) >= KNOWN_LIMIT:
            del self._known[next(iter(self._known))]
        self._known[key] = None
