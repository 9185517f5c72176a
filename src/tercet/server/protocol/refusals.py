"""Every code with which the server itself says no, in the order of the way in. What the games refuse, they say
themselves (`Rules.refusals`)."""

from __future__ import annotations

from typing import Literal, get_args

from tercet.editions.edition import PROBLEMS

#: Why a request over HTTP failed: the ``code`` of a `Failure`.
FailureCode = Literal[
    # what came could not be read, or does not exist
    "bad_request",
    "not_found",
    "too_large",
    "wrong_method",
    # who asks, and from where
    "bad_token",
    "missing_scope",
    "not_signed_in",
    "other_origin",
    "token_ended",
    "too_fast",
    "wrong_host",
    "too_many",
    "too_slow",
    # people
    "bad_name",
    "bots_by_token",
    "name_taken",
    "no_account",
    "not_by_token",
    "password_too_short",
    "played_already",
    "registered_already",
    "too_many_tokens",
    "wrong_old_password",
    "wrong_password",
    # tables
    "kicked",
    "no_seat",
    "not_for_bots",
    "not_the_host",
    "seated_already",
    "server_full",
    "too_many_tables",
    # challenges
    "challenge_over",
    "no_bot",
    "no_such_account",
    "not_online",
    "not_yourself",
    "other_games",
    "too_many_challenges",
    # runs
    "day_not_over",
    "no_such_day",
    "run_running",
    # reviews
    "broken_off",
    "cannot_review",
    "no_review",
    "no_what_if",
    "not_finished",
    "review_failed",
    "review_waits",
    "too_many_reviews",
    # the server is not well
    "internal_error",
    "store_unavailable",
]

#: Why a command at a table was refused by the table or on the way to its game.
ServerRefusal = Literal[
    # any command
    "bots_by_token",
    "failed",
    "missing_scope",
    "store_unavailable",
    "too_fast",
    # commands of a game and hints
    "bad_command",
    "game_over",
    "no_game",
    "no_seat",
    "not_practice",
    "not_your_seat",
    "paused",
    # chat
    "chat_off",
    "nothing_said",
    # commands about the table
    "bad_options",
    "committed_already",
    "game_running",
    "kicked",
    "name_taken",
    "clock_runs",
    "fixed_run",
    "not_for_bots",
    "no_late_join",
    "no_such_bot",
    "no_such_person",
    "no_such_seat",
    "no_such_start",
    "not_alone",
    "not_the_host",
    "not_yourself",
    "run_over",
    "run_running",
    "seat_taken",
    "seated_already",
    "starting",
    "still_here",
    "table_closed",
    "table_full",
    "too_few_players",
    "wrong_secret",
]

#: Why a socket was closed, or not opened at all; with the code of the close frame (4000 and up are ours).
CLOSE_CODES = {
    "restart": 1012,
    "store_unavailable": 1013,
    "kicked": 4001,
    "closed": 4002,
    "slow": 4003,
    "flood": 4005,
    "bad_message": 4006,
    "signed_out": 4007,
    "too_fast": 4008,
    "bad_token": 4410,
    "token_ended": 4411,
    "missing_scope": 4412,
    "not_signed_in": 4401,
    "other_origin": 4403,
    "no_such_table": 4404,
    "wrong_host": 4421,
    "too_many": 4429,
}

#: Why an edition of somebody's own is not taken; the last is the server's own reason.
EDITION_PROBLEMS = (*PROBLEMS, "too_large")

FAILURES: tuple[str, ...] = get_args(FailureCode)
SERVER_REFUSALS: tuple[str, ...] = get_args(ServerRefusal)
