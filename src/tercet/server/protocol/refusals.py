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

#: The same in words.
CLOSE_REASONS = {
    "kicked": "The host sent you away.",
    "closed": "The table is closed.",
    "slow": "You did not take your messages, or did not answer pings. Connect again.",
    "restart": "The server restarts. Connect again.",
    "flood": "Far too many messages, pings or pieces.",
    "bad_message": "That was no message of this protocol, or too long a one.",
    "signed_out": "The cookie or token with which you came has ended. Connect again if you have a new one.",
    "bad_token": "There is no such token: make one on the page Account.",
    "token_ended": "The token was revoked, or its time is up: make a new one on the page Account.",
    "missing_scope": "The token may not do this: make one that may.",
    "wrong_host": "The server is not called by that name.",
    "not_signed_in": "Nobody knows you: come with a token, or with the cookie of POST /api/session.",
    "other_origin": "A page of another site tried to connect.",
    "no_such_table": "No table has this code, or it is closed.",
    "too_fast": "Too many sockets in a short time, or to tables that do not exist. Wait a minute.",
    "too_many": "Too many sockets: of yours, of your address or at this table.",
    "store_unavailable": "The server cannot reach its database. Try again.",
}

#: Why a table refuses, in words for whoever writes programs; games have words of their own.
REFUSAL_REASONS: dict[str, str] = {
    "bots_by_token": "This is a bot's account: it plays only with a token.",
    "failed": "Something went wrong at the server: its log says what.",
    "missing_scope": "The token may not do this: make one that may.",
    "store_unavailable": "The server cannot reach its database. Try again.",
    "too_fast": "Too many in a short time. Wait a moment.",
    "bad_command": "That is no command of this game.",
    "game_over": "The game is over.",
    "no_game": "No game is running here: it begins when all seats are taken and everybody is ready.",
    "no_seat": "You have no seat here: you are watching.",
    "not_practice": "Hints are for practice tables only.",
    "not_your_seat": "That is not your seat.",
    "paused": "The game is paused.",
    "chat_off": "Chat is switched off here.",
    "nothing_said": "There is nothing in it to say.",
    "bad_options": "These options do not go together.",
    "committed_already": "Another client of yours is already part of this start.",
    "game_running": "Not while the game is running.",
    "kicked": "The host has sent you away from this table.",
    "name_taken": "Somebody here has the same name.",
    "clock_runs": "A run cannot be paused: the clock keeps going.",
    "fixed_run": "The rules of a run cannot be changed.",
    "not_for_bots": "The boards are people's: bots do not play against the clock.",
    "no_late_join": "The game has begun; you can watch.",
    "no_such_bot": "There is no such bot.",
    "no_such_person": "This person is not at the table.",
    "no_such_seat": "There is no such seat.",
    "no_such_start": "That start is over.",
    "not_alone": "A game can be paused only against bots.",
    "not_the_host": "Only the host may do that.",
    "not_yourself": "Nobody can do that to themselves.",
    "run_over": "This puzzle can be played only once at this table.",
    "run_running": "You have another run in progress. Finish it first.",
    "seat_taken": "This seat is taken.",
    "seated_already": "You have a seat already.",
    "starting": "The game is about to begin.",
    "still_here": "Whoever has the seat is still here: it is theirs.",
    "table_closed": "The table is closed.",
    "table_full": "All seats are taken.",
    "too_few_players": "More players are needed.",
    "wrong_secret": "That secret does not fit its commitment.",
}

#: Why an edition of somebody's own is not taken; the last is the server's own reason.
EDITION_PROBLEMS = (*PROBLEMS, "too_large")

FAILURES: tuple[str, ...] = get_args(FailureCode)
SERVER_REFUSALS: tuple[str, ...] = get_args(ServerRefusal)
