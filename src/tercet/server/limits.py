"""A budget for everything that a client could do too much of, all in one place; `budgets` spends them.

The table in docs/hosting.md is written from here: ``python -m tercet.server.limits docs/hosting.md``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from msgspec import Meta, Struct


def _budget(about: str, told: str, least: float = 0) -> Meta:
    return Meta(ge=least, description=about, extra={"told": told})


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults suit a machine that serves some thousand players.

    An address is an IPv4 address or the first 64 bits of an IPv6 address. All is counted on each node for itself. A
    ``burst`` is how much of the rate before it may come at once; other rates may be used up at once.
    """

    # --- connections and requests ---
    connections: Annotated[
        int, _budget("open connections in all; the oldest idle ones make way", "503 `server_full`", 1)
    ] = 25000
    connections_per_address: Annotated[
        int, _budget("open connections of an address that is no proxy", "429 `too_many`", 1)
    ] = 1000
    header_bytes: Annotated[int, _budget("bytes of a request before its body", "431 `too_large`", 256)] = (
        16384
    )
    headers: Annotated[int, _budget("headers of a request", "431 `too_large`", 1)] = 64
    body_bytes: Annotated[int, _budget("bytes of a body", "413 `too_large`", 1)] = 65536
    request_seconds: Annotated[float, _budget("seconds until a request is whole", "408 `too_slow`", 0.1)] = 15
    response_seconds: Annotated[
        float, _budget("seconds until an answer is taken", "the line is cut", 0.1)
    ] = 60
    idle_seconds: Annotated[
        float, _budget("seconds that a connection stays open between two requests", "it is closed", 0.1)
    ] = 30
    pipelined: Annotated[int, _budget("requests sent ahead on one connection", "429 `too_fast`", 1)] = 16
    requests_per_second: Annotated[
        float, _budget("requests to the API, and sockets, of an address", "429 `too_fast`, 4008 `too_fast`")
    ] = 50
    request_burst: Annotated[int, _budget("", "")] = 1000
    work_per_minute: Annotated[
        float, _budget("seconds of processor time for the requests of an address", "429 `too_fast`")
    ] = 20
    misses_per_minute: Annotated[
        float,
        _budget("codes and games of an address that do not exist", "429 `too_fast`, 4008 `too_fast`"),
    ] = 60
    records_per_minute: Annotated[float, _budget("records read by an address", "429 `too_fast`")] = 120
    records_at_once: Annotated[
        int,
        _budget(
            "records, and pages of exports, made at the same time; ten times as many wait",
            "503 `server_full`",
            1,
        ),
    ] = 2
    exports_per_person: Annotated[
        int, _budget("exports of a person sent at the same time", "429 `too_fast`", 1)
    ] = 1
    downloads_at_once: Annotated[
        int, _budget("downloads of public games sent at the same time", "503 `server_full`", 1)
    ] = 8
    downloads_per_address: Annotated[
        int, _budget("downloads of public games sent to an address at the same time", "429 `too_fast`", 1)
    ] = 1
    passwords_at_once: Annotated[
        int, _budget("passwords checked at the same time; ten times as many wait", "503 `server_full`", 1)
    ] = 2
    guests_per_minute: Annotated[
        float, _budget("new guests and accounts of an address", "429 `too_fast`")
    ] = 60
    logins_per_minute: Annotated[
        float, _budget("tries to log in, of an address and for an account", "429 `too_fast`")
    ] = 10

    # --- sockets ---
    sockets: Annotated[
        int,
        _budget(
            "open sockets and streams in all; people with a seat come in all the same", "4429 `too_many`"
        ),
    ] = 20000
    sockets_per_address: Annotated[
        int,
        _budget(
            "sockets and streams of an address; people with a seat come in all the same", "4429 `too_many`"
        ),
    ] = 400
    sockets_per_person: Annotated[
        int, _budget("sockets and streams of a person", "4429 `too_many`, 429 `too_many`")
    ] = 20
    sockets_per_table: Annotated[
        int,
        _budget("sockets of onlookers at a table; whoever has many of them makes way", "4429 `too_many`"),
    ] = 200
    joins_per_minute: Annotated[
        float, _budget("sockets and streams that a person opens", "4008 `too_fast`")
    ] = 120
    message_bytes: Annotated[int, _budget("bytes of a message", "1009, 4006 `bad_message`", 1)] = 8192
    message_seconds: Annotated[
        float, _budget("seconds until a message that comes in pieces is whole", "4003 `slow`", 0.1)
    ] = 10
    fragments: Annotated[int, _budget("fragments of a message", "4005 `flood`", 1)] = 32
    messages_per_second: Annotated[float, _budget("messages of a person, over all sockets", "`too_fast`")] = (
        25
    )
    message_burst: Annotated[int, _budget("", "")] = 60
    frames_per_second: Annotated[
        float,
        _budget(
            "pings, pongs, fragments and pieces on a socket, and messages that were too fast", "4005 `flood`"
        ),
    ] = 60
    frame_burst: Annotated[int, _budget("", "")] = 600
    outbox_bytes: Annotated[
        int, _budget("bytes that wait for a client, the first message apart", "4003 `slow`", 1)
    ] = 262144
    outbox_seconds: Annotated[
        float, _budget("seconds for a first message that is larger than that", "4003 `slow`", 0.1)
    ] = 30
    hints_at_once: Annotated[
        int, _budget("hints worked out at the same time; ten times as many wait", "`too_fast`", 1)
    ] = 2
    chat_per_second: Annotated[
        float, _budget("messages and reactions of a person at a table", "`too_fast`")
    ] = 0.5
    chat_burst: Annotated[int, _budget("", "")] = 5
    table_chat_per_second: Annotated[float, _budget("messages and reactions at a table", "`too_fast`")] = 5
    table_chat_burst: Annotated[int, _budget("", "")] = 40

    # --- what is kept ---
    tables: Annotated[int, _budget("tables in memory", "503 `server_full`")] = 20000
    tables_per_person: Annotated[int, _budget("open tables that a person hosts", "400 `too_many_tables`")] = (
        20
    )
    runs_per_person: Annotated[
        int, _budget("open tables of a person to play against the clock", "400 `too_many_tables`")
    ] = 100
    tables_per_minute: Annotated[float, _budget("new tables of a person", "429 `too_fast`")] = 60
    editions_per_minute: Annotated[
        float, _budget("editions of one's own checked for an address", "429 `too_fast`")
    ] = 60
    options_bytes: Annotated[
        int, _budget("bytes of a table's options, an edition of one's own with them", "400 `bad_request`", 1)
    ] = 16384
    tokens_per_person: Annotated[int, _budget("tokens of a person", "400 `too_many_tokens`")] = 20
    challenges_per_minute: Annotated[float, _budget("challenges that somebody makes", "429 `too_fast`")] = 20
    challenges_open: Annotated[
        int,
        _budget(
            "challenges that somebody has made and nobody has answered; four times as many may wait for somebody",
            "429 `too_many_challenges`",
        ),
    ] = 5
    challenge_seconds: Annotated[
        float, _budget("seconds that a challenge waits for an answer", "`expired`", 1)
    ] = 120
    reviews_per_day: Annotated[
        int,
        _budget("reviews that a person asks for in 24 hours, one after the other", "429 `too_many_reviews`"),
    ] = 50
    reviews_per_minute: Annotated[float, _budget("reviews asked for from an address", "429 `too_fast`")] = 20
    reviews_at_once: Annotated[int, _budget("reviews made at the same time, a process each", "they wait")] = 1
    reviews_waiting: Annotated[
        int, _budget("reviews that wait, and as many that nobody asked for", "503 `server_full`")
    ] = 500
    review_games: Annotated[
        int, _budget("games played out for a decision, by the deepest review", "no `deeper`", 8)
    ] = 20000
    review_seconds: Annotated[
        float, _budget("seconds of processor time for a review", "`cannot_review`", 1)
    ] = 1800
    review_bytes: Annotated[
        int, _budget("bytes of a review that is kept, compressed", "`cannot_review`", 1000)
    ] = 4_000_000
    review_load: Annotated[
        float,
        _budget(
            "programs that may run for each core while games are reviewed by themselves; 0: none are", "—"
        ),
    ] = 0.5
    what_ifs_per_minute: Annotated[
        float, _budget("turns of finished games that a person tries out", "429 `too_fast`")
    ] = 30
    what_ifs_at_once: Annotated[
        int, _budget("turns tried out at the same time; ten times as many wait", "503 `server_full`", 1)
    ] = 1
    seat_grace_seconds: Annotated[
        float, _budget("seconds that the seat of somebody who plays and is gone stays theirs", "`still_here`")
    ] = 30

    # --- how long the absent are waited for ---
    away_seconds: Annotated[
        float,
        _budget(
            "seconds that a game waits for somebody who is gone; then it goes on, or stands still if nobody is there",
            "`2 is away` in the log",
        ),
    ] = 10
    stand_in_seconds: Annotated[
        float,
        _budget(
            "seconds that a turn without a time limit waits for somebody who is gone before anybody may let a bot play on",
            "`still_here`",
        ),
    ] = 60
    listed_minutes: Annotated[
        float, _budget("minutes that a table without anybody stays in the lobby", "it is not listed")
    ] = 2
    gathering_minutes: Annotated[
        float,
        _budget("minutes that a table without anybody and without a game stays open", "4404 `no_such_table`"),
    ] = 30
    playing_hours: Annotated[
        float,
        _budget("hours that a game without anybody stays open; one by post 62 days", "4404 `no_such_table`"),
    ] = 24


def page() -> str:
    """All budgets as a table for hosts."""
    rows = ["| Setting | Default | So many … | Told when it runs out |", "|---|---|---|---|"]
    hints: dict[str, Any] = get_type_hints(Limits, include_extras=True)
    names = list(Limits.__struct_fields__)
    usual = Limits()
    for name in names:
        (meta,) = hints[name].__metadata__
        if meta.description:
            burst = next((n for n in names[names.index(name) + 1 :][:1] if n.endswith("_burst")), None)
            default = (
                f"{getattr(usual, name):g}" if getattr(usual, name) < 1 else f"{getattr(usual, name):,.10g}"
            )
            label, value = f"`{name}`", default
            if burst is not None:
                label, value = f"{label}, `{burst}`", f"{value}, {getattr(usual, burst)}"
            rows.append(f"| {label} | {value} | {meta.description} | {meta.extra['told']} |")
    return "\n".join(rows)


def insert(text: str) -> str:
    """A page with the table as it should be."""
    return re.sub(
        r"(<!-- limits[^\n]*-->\n).*?(\n<!-- end of limits -->)",
        lambda found: found[1] + page() + found[2],
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(insert(path.read_text("utf-8")), "utf-8")
