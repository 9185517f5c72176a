// Written by `python -m tercet.server.protocol.typescript` from src/tercet/server/protocol; do not edit.

/** A card such as "2GHS": number, colour, fill, shape. */
export type Card = string;
/** A face of a die such as "2GS", or "W" for the wild. */
export type Face = string;
/** A square such as "e5". */
export type Square = string;
/** A built-in edition by its name, or the content of an edition file. */
export type Edition = string | Record<string, unknown>;

export const PROTOCOL_VERSION = 1;
export const CHAT_LIMIT = 200;
export const REACTIONS = ["well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye"] as const;
export const GAMES = ["set", "cubed", "scramble", "puzzles"] as const;
export type GameName = (typeof GAMES)[number];
/** The games that have a review. */
export const REVIEWED: readonly GameName[] = ["set", "cubed"];
/** Every code with which a game, or the server, may refuse a command. */
export const REFUSALS = {
  set: ["already_dealt", "always_a_set", "away_already", "call_first", "called_by_another", "game_over", "locked_out", "no_call_needed", "no_such_seat", "not_away", "not_dealt", "not_on_table", "not_the_dealer", "nothing_to_take_back", "one_of_last", "said_already", "same_card_twice", "show_first", "there_is_a_set", "too_late", "wrong_number"],
  cubed: ["answered_already", "away_already", "barred", "call_first", "called_by_another", "game_over", "makes_no_set", "no_draft_needed", "no_such_seat", "no_wild_there", "not_away", "not_in_hand", "not_on_logo", "not_the_named_face", "not_your_turn", "nothing_laid", "occupied", "off_board", "said_already", "same_die_twice", "same_square_twice", "show_first", "too_late", "too_many_dice", "too_many_drafts", "wild_not_named", "wrong_phase"],
  scramble: ["already_thrown", "away_already", "call_first", "called_by_another", "game_over", "locked_out", "no_call_needed", "no_such_seat", "not_away", "not_on_table", "not_the_thrower", "not_thrown", "nothing_to_take_back", "said_already", "same_die_twice", "show_first", "too_late", "wrong_number"],
  puzzles: ["already_begun", "answered_already", "found_already", "game_over", "makes_no_set", "no_such_place", "no_such_seat", "not_begun", "not_in_hand", "not_reached", "nothing_laid", "occupied", "off_board", "same_die_twice", "same_place_twice", "same_square_twice", "stopped_already", "too_many_dice", "too_soon", "wild_not_named", "wrong_number"],
  server: ["bots_by_token", "failed", "missing_scope", "store_unavailable", "too_fast", "bad_command", "game_over", "no_game", "no_seat", "not_practice", "not_your_seat", "paused", "chat_off", "nothing_said", "bad_options", "committed_already", "game_running", "kicked", "name_taken", "clock_runs", "fixed_run", "not_for_bots", "no_late_join", "no_such_bot", "no_such_person", "no_such_seat", "no_such_start", "not_alone", "not_the_host", "not_yourself", "run_over", "run_running", "seat_taken", "seated_already", "starting", "still_here", "table_closed", "table_full", "too_few_players", "wrong_secret"],
} as const;
export type RefusalCode = (typeof REFUSALS)[keyof typeof REFUSALS][number];
/** Every code of a request that failed. */
export const FAILURES = ["bad_request", "not_found", "too_large", "wrong_method", "bad_token", "missing_scope", "not_signed_in", "other_origin", "token_ended", "too_fast", "wrong_host", "too_many", "too_slow", "bad_name", "bots_by_token", "name_taken", "no_account", "not_by_token", "password_too_short", "played_already", "registered_already", "too_many_tokens", "wrong_old_password", "wrong_password", "kicked", "no_seat", "not_for_bots", "not_the_host", "seated_already", "server_full", "too_many_tables", "challenge_over", "no_bot", "no_such_account", "not_online", "not_yourself", "other_games", "too_many_challenges", "day_not_over", "no_such_day", "run_running", "broken_off", "cannot_review", "no_review", "no_what_if", "not_finished", "review_failed", "review_waits", "too_many_reviews", "internal_error", "store_unavailable"] as const;
export type FailureCode = (typeof FAILURES)[number];
/** Every code of an edition that cannot be played with. */
export const EDITION_PROBLEMS = ["bad_bonus", "bad_face", "bad_form", "bad_key", "bad_name", "bad_note", "bad_size", "bad_square", "bad_title", "bonus_on_logo", "bonus_twice", "dice_count", "faces_count", "logo_not_in_line", "logo_not_three", "no_name", "no_room", "no_size", "no_such_base", "not_toml", "off_board", "wilds_count", "too_large"] as const;
export type EditionProblem = (typeof EDITION_PROBLEMS)[number];
/** What a token may do. */
export const SCOPES = ["read", "play", "challenge"] as const;
/** Why a challenge is declined. */
export const DECLINES = ["no", "later", "game", "options"] as const;
/** The kinds of runs: what counts first, for how many they are, and whether there is one for each day. */
export const RUNS = {
  sprint: {"order": "time", "seats": 1, "daily": false},
  sprint_ten: {"order": "time", "seats": 1, "daily": false},
  sprint_call: {"order": "time", "seats": 1, "daily": false},
  sprint_ultra: {"order": "time", "seats": 1, "daily": false},
  sprint_chain: {"order": "time", "seats": 1, "daily": false},
  sprint_junior: {"order": "time", "seats": 1, "daily": false},
  storm: {"order": "points", "seats": 1, "daily": false},
  race: {"order": "points", "seats": 10, "daily": false},
  dice_sprint: {"order": "time", "seats": 1, "daily": false},
  daily_set: {"order": "time", "seats": 1, "daily": true},
  daily_cubed: {"order": "points", "seats": 1, "daily": true},
} as const;
export type RunName = keyof typeof RUNS;
/** Why a run is on no board. */
export const RUN_REASONS = ["not_finished", "faster_than_a_hand", "played_before", "day_over", "seat_taken_over"] as const;
export type RunReason = (typeof RUN_REASONS)[number];
/** Why a socket was closed, and with which code. */
export const CLOSE_CODES = {
  restart: 1012,
  store_unavailable: 1013,
  kicked: 4001,
  closed: 4002,
  slow: 4003,
  flood: 4005,
  bad_message: 4006,
  signed_out: 4007,
  too_fast: 4008,
  bad_token: 4410,
  token_ended: 4411,
  missing_scope: 4412,
  not_signed_in: 4401,
  other_origin: 4403,
  no_such_table: 4404,
  wrong_host: 4421,
  too_many: 4429,
} as const;
/** The bots of each game, the weakest first. */
export const BOTS: Record<GameName, readonly string[]> = {
  set: ["beginner", "casual", "regular", "quick", "champion"],
  cubed: ["random", "greedy", "steady", "expert", "master"],
  scramble: ["beginner", "casual", "regular", "quick", "champion"],
  puzzles: ["beginner", "casual", "regular", "quick", "champion"],
};
/** The options of each game, with defaults and limits. */
export const OPTIONS: Record<GameName, readonly Option[]> = {
  set: [
    {"name": "variant", "group": "game", "kind": "choice", "default": "classic", "optional": false, "least": null, "most": null, "choices": ["classic", "chain", "ultra", "ghost", "shuffle", "junior"], "suggested": [], "only_with": []},
    {"name": "only", "group": "game", "kind": "choice", "default": null, "optional": true, "least": null, "most": null, "choices": ["1", "2", "3", "red", "green", "purple", "full", "hatched", "empty", "diamond", "oval", "squiggle"], "suggested": [], "only_with": [{"variant": ["classic"]}]},
    {"name": "table", "group": "game", "kind": "choice", "default": 12, "optional": false, "least": null, "most": null, "choices": [9, 12], "suggested": [], "only_with": [{"only": ["1", "2", "3", "red", "green", "purple", "full", "hatched", "empty", "diamond", "oval", "squiggle"]}, {"variant": ["junior"]}]},
    {"name": "rounds", "group": "length", "kind": "number", "default": null, "optional": true, "least": 1, "most": 100, "choices": [], "suggested": [1, 2, 3, 4, 5, 6, 8, 10], "only_with": []},
    {"name": "sets", "group": "length", "kind": "number", "default": null, "optional": true, "least": 1, "most": 100, "choices": [], "suggested": [5, 10, 15, 20], "only_with": []},
    {"name": "claim", "group": "rules", "kind": "choice", "default": "call", "optional": false, "least": null, "most": null, "choices": ["call", "instant"], "suggested": [], "only_with": []},
    {"name": "penalty", "group": "rules", "kind": "choice", "default": "lock", "optional": false, "least": null, "most": null, "choices": ["lock", "point"], "suggested": [], "only_with": []},
    {"name": "auto_deal", "group": "rules", "kind": "switch", "default": false, "optional": false, "least": null, "most": null, "choices": [], "suggested": [], "only_with": []},
    {"name": "honest_none", "group": "rules", "kind": "switch", "default": false, "optional": false, "least": null, "most": null, "choices": [], "suggested": [], "only_with": []},
    {"name": "show_seconds", "group": "time", "kind": "number", "default": 5, "optional": false, "least": 3, "most": 30, "choices": [], "suggested": [], "only_with": []},
  ],
  cubed: [
    {"name": "edition", "group": "game", "kind": "named", "default": "house", "optional": false, "least": null, "most": null, "choices": ["dutch", "house"], "suggested": [], "only_with": []},
    {"name": "show_seconds", "group": "time", "kind": "number", "default": 5, "optional": false, "least": 3, "most": 30, "choices": [], "suggested": [], "only_with": []},
    {"name": "extra_seconds", "group": "time", "kind": "number", "default": null, "optional": true, "least": 5, "most": 2592000, "choices": [], "suggested": [30, 60, 86400], "only_with": []},
    {"name": "turn_seconds", "group": "time", "kind": "number", "default": null, "optional": true, "least": 5, "most": 2592000, "choices": [], "suggested": [30, 60, 120, 86400, 259200, 604800], "only_with": []},
  ],
  scramble: [
    {"name": "edition", "group": "game", "kind": "named", "default": "house", "optional": false, "least": null, "most": null, "choices": ["dutch", "house"], "suggested": [], "only_with": []},
    {"name": "rounds", "group": "length", "kind": "number", "default": 5, "optional": false, "least": 1, "most": 10, "choices": [], "suggested": [], "only_with": []},
    {"name": "claim", "group": "rules", "kind": "choice", "default": "call", "optional": false, "least": null, "most": null, "choices": ["call", "instant"], "suggested": [], "only_with": []},
    {"name": "auto_end", "group": "rules", "kind": "switch", "default": true, "optional": false, "least": null, "most": null, "choices": [], "suggested": [], "only_with": []},
    {"name": "show_seconds", "group": "time", "kind": "number", "default": 5, "optional": false, "least": 3, "most": 30, "choices": [], "suggested": [], "only_with": []},
  ],
  puzzles: [
    {"name": "kind", "group": "game", "kind": "choice", "default": "storm", "optional": false, "least": null, "most": null, "choices": ["storm", "race", "boards", "daily_set", "daily_cubed"], "suggested": [], "only_with": []},
  ],
};

/** A command of the game, given by your own seat. */
export interface Play {
  type: "play";
  id: string;
  command: GameCommand;
}

/** A command about the table. */
export interface Manage {
  type: "manage";
  id: string;
  command: TableCommand;
}

/**
 * Take an open seat (any, if none is named); in a running game with late join also a bot's. Whoever had a seat in the
 * game comes back to that one only.
 */
export interface Sit {
  do: "sit";
  seat?: number | null;
}

/** Give up your seat. In a running game a bot plays on for you. */
export interface Leave {
  do: "leave";
}

/** Ready for the next game, or not after all. The game starts when everybody is ready. */
export interface Ready {
  do: "ready";
  ready?: boolean;
}

/**
 * Your client's part of the luck, still hidden; sent by itself while the start is `committing`.
 *
 * `to` is the table's commitment, which it answers. The first of a seat counts.
 */
export interface Commit {
  do: "commit";
  to: string;
  commitment: string;
}

/**
 * The secret behind your commitment, sent by itself while the start is `revealing`: after the list of all
 * commitments has been checked and kept.
 */
export interface Reveal {
  do: "reveal";
  to: string;
  secret: string;
}

/**
 * Host, or while the host is gone anybody with a seat: start without waiting. Open seats are taken away, and those of people
 * who are away, too.
 */
export interface Start {
  do: "start";
}

/** Host: one more seat, for a person or for a bot. */
export interface AddSeat {
  do: "add_seat";
  bot?: string | null;
}

/** Host: take away an open seat or a bot's, before the game. */
export interface RemoveSeat {
  do: "remove_seat";
  seat: number;
}

/**
 * Host: send somebody away, until you allow them back. In a running game a bot plays on; but whoever plays and
 * is connected, or was a moment ago, cannot be sent away before its end.
 */
export interface Kick {
  do: "kick";
  person: string;
}

/** Host: whoever was sent away may come back. */
export interface Allow {
  do: "allow";
  person: string;
}

/** Host: make somebody with a seat the host. */
export interface HandOver {
  do: "hand_over";
  person: string;
}

/**
 * Host: a bot plays on for somebody who is missing; if none is named, one like those at the table. In a running game a seat
 * belongs to its person while they are connected, or were a moment ago. Everybody with a seat may ask for it once the game has
 * waited for that person for a while: `missed` of presence.
 */
export interface StandIn {
  do: "stand_in";
  seat: number;
  bot?: string | null;
}

/** Let the running game stand still, its clock and its bots; only for who plays without other people. */
export interface Pause {
  do: "pause";
}

/** Let a game go on that stands still. */
export interface Resume {
  do: "resume";
}

/** Host: other options between two games, or other settings of the table at any time. */
export interface Change {
  do: "change";
  options?: GameOptions | null;
  public?: boolean | null;
  late_join?: boolean | null;
  chat?: boolean | null;
  quick_bots?: boolean | null;
}

/** Host: end the table, and with it a running game. */
export interface Close {
  do: "close";
}

export interface Say {
  type: "say";
  id: string;
  text: string;
}

export interface React {
  type: "react";
  id: string;
  reaction: "bye" | "hello" | "hurry" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
}

/** Hear no more chat and reactions from this person, or from anybody (None); or hear them again. */
export interface Mute {
  type: "mute";
  id: string;
  person?: string | null;
  muted?: boolean;
}

/** Practice tables: `strength` 1 to 3 tells that much of a SET or of a good turn. */
export interface AskHint {
  type: "ask_hint";
  id: string;
  strength?: number;
}

export interface Pong {
  type: "pong";
  number: number;
}

/** POST /api/session: sit down as a guest, who needs only a name. */
export interface NewGuest {
  name: string;
}

/** POST /api/account makes the guest an account; POST /api/login comes back to one. */
export interface Credentials {
  name: string;
  password: string;
}

/** PATCH /api/account: the old password, and the one to log in with from now on. */
export interface NewPassword {
  password: string;
  new_password: string;
}

/**
 * POST /api/tokens: a bearer token for a program of yours. `scopes` are what it may do: `read` what is yours and look on at
 * tables, `play`, and `challenge`, with which it also answers challenges. `days`: after so many it ends by itself.
 */
export interface NewToken {
  label: string;
  scopes?: ("challenge" | "play" | "read")[];
  days?: number | null;
}

/**
 * POST /api/tables. You take the first seat for a person.
 *
 * `public`: listed in the lobby; otherwise only who has the link comes in.
 * `late_join`: a newcomer may take over the seat of a bot while a game runs.
 * `practice`: hints are given, and the game does not count.
 * `chat`: whether people may write to each other.
 * `quick_bots`: in a game with turns bots play at once, and do not take a moment that people can follow.
 */
export interface NewTable {
  game: GameName;
  options?: GameOptions;
  seats: (PersonSeat | BotSeat)[];
  public?: boolean;
  late_join?: boolean;
  practice?: boolean;
  chat?: boolean;
  quick_bots?: boolean;
}

/** A seat for somebody. */
export interface PersonSeat {
  kind: "person";
}

/** A seat for a bot of this level. */
export interface BotSeat {
  kind: "bot";
  bot: string;
}

/** POST /api/editions: an edition of your own, as the text of its TOML file. */
export interface EditionText {
  text: string;
}

/** POST /api/runs: play against the clock. `day` is for a daily puzzle: today, or a day that is past and is not counted any more. */
export interface NewRun {
  kind: RunName;
  day?: string | null;
}

/**
 * POST /api/games/ID/review: have a finished game reviewed; `deeper`: once more, with four times as many games played
 * out. What is there or being made already is not made again, and does not count.
 */
export interface AskForReview {
  deeper?: boolean;
}

/**
 * POST /api/games/ID/review/what-if: what another command would have been worth than the one in this line of the log, which
 * is a decision of the review. Whose `seat` it is does not matter: it is taken as theirs who decided there.
 */
export interface WhatIf {
  line: number;
  command: GameCommand;
}

/** POST /api/challenges: `to` is the login name of an account. */
export interface NewChallenge {
  to: string;
  game: GameName;
  options?: GameOptions;
}

/** POST /api/challenges/ID/decline. */
export interface Declining {
  reason?: "game" | "later" | "no" | "options";
}

/** The dealer deals the round. */
export interface CardDeal {
  do: "deal";
  seat: number;
}

/** "Set!" (K2, M2). */
export interface CardCall {
  do: "call";
  seat: number;
}

/** The cards of the SET, three of them but in some variants. No cards: nothing to show after all, or not in time (K3). */
export interface CardShow {
  do: "show";
  seat: number;
  cards?: Card[];
}

/** "There is no SET here" (K6, M4). */
export interface CardSeeNone {
  do: "see_none";
  seat: number;
}

/** "Wait, let me look again": no longer agrees that there is none. */
export interface CardTakeBack {
  do: "take_back";
  seat: number;
}

/** The table says it, never a player: nobody waits for this seat any more. */
export interface StepAway {
  do: "step_away";
  seat: number;
}

/** The table says it: somebody is there again, and counts. */
export interface ComeBack {
  do: "come_back";
  seat: number;
}

/**
 * How the table plays. The defaults are the leaflet's game.
 *
 * `rounds`: None means one for each player, so that each has dealt once (K8).
 * `sets`: the game is over when so many SETs have been taken, or when the rounds are (K12).
 * `show_seconds`: how long a player may take to show after the call (K3).
 * `honest_none`: agreeing that there is no SET is refused while there is one (K6).
 * `variant`: another game with the same cards (V1).
 * `only`: the simplified game with just the cards of this value, such as `red` (K9).
 * `table`: how many cards lie open; 9 only in the simplified game (K9).
 * `claim`: `instant` takes three cards without a call (K10).
 * `auto_deal`: three more are opened as soon as there is no SET (K10).
 * `penalty`: `point` costs a point instead of the lock (K10).
 */
export interface CardOptions {
  variant?: "chain" | "classic" | "ghost" | "junior" | "shuffle" | "ultra";
  only?: "1" | "2" | "3" | "diamond" | "empty" | "full" | "green" | "hatched" | "oval" | "purple" | "red" | "squiggle" | null;
  table?: 9 | 12;
  rounds?: number | null;
  sets?: number | null;
  claim?: "call" | "instant";
  penalty?: "lock" | "point";
  auto_deal?: boolean;
  honest_none?: boolean;
  show_seconds?: number;
}

/** Everyone draws and throws: the opening race. */
export interface CubedBegin {
  do: "begin";
  seat: number;
}

/** "Set!" (C3). */
export interface CubedCall {
  do: "call";
  seat: number;
}

/** The opening SET, laid on the logo. No dice: nothing to show after all, or not in time. */
export interface CubedShow {
  do: "show";
  seat: number;
  placements?: CubedPlacement[];
}

/** A die put on a square. Without a number any die that shows the face will do. */
export interface CubedPlacement {
  square: Square;
  face: Face;
  wild?: boolean;
  die?: number | null;
}

/** "I see none" (C4). */
export interface CubedSeeNone {
  do: "see_none";
  seat: number;
}

/** Put a die of your own in place of a wild on the board and throw the wild (C21). */
export interface CubedReplace {
  do: "replace";
  seat: number;
  die: number;
  square: Square;
}

/** Lay one to three dice. */
export interface CubedLay {
  do: "lay";
  seat: number;
  placements: CubedPlacement[];
}

/** Dice that lie there for now: they are laid if the time runs out. None to take them back (C7). */
export interface CubedDraft {
  do: "draft";
  seat: number;
  placements?: CubedPlacement[];
}

/** Lay nothing. */
export interface CubedPass {
  do: "pass";
  seat: number;
}

/** The numbers of the dice to throw once more; none to keep them all (C14). */
export interface CubedChoose {
  do: "choose";
  seat: number;
  dice?: number[];
}

/**
 * How the table plays.
 *
 * `edition`: the board, the dice and the rule for wilds (C1, C20).
 * `show_seconds`: how long the caller of the opening SET may take to show it (C3).
 * `extra_seconds`: the limit for the extra roll, None for no limit (C14).
 * `turn_seconds`: the limit for a turn, after which the dice are laid that lie there for now, and it counts as a
 * pass if none do; None for no limit (C7).
 */
export interface CubedOptions {
  edition?: Edition;
  show_seconds?: number;
  extra_seconds?: number | null;
  turn_seconds?: number | null;
}

/** The thrower throws all dice: the round begins. */
export interface ScrambleThrow {
  do: "throw";
  seat: number;
}

/** "Set!" (K2, M2). */
export interface ScrambleCall {
  do: "call";
  seat: number;
}

/** The three dice of the SET, by their numbers. No dice: nothing to show after all, or not in time (M2). */
export interface ScrambleShow {
  do: "show";
  seat: number;
  dice?: number[];
}

/** "There is no SET here" (K6, M4). */
export interface ScrambleSeeNone {
  do: "see_none";
  seat: number;
}

/** "Wait, let me look again": no longer agrees that there is none. */
export interface ScrambleTakeBack {
  do: "take_back";
  seat: number;
}

/**
 * How the table plays.
 *
 * `edition`: the dice; its board is not used (M1).
 * `claim`: `instant` takes three dice without a call (M2).
 * `auto_end`: the round is over as soon as no SET is left; otherwise when all agree that there is none (M4).
 * `show_seconds`: how long a player may take to show after the call (M2).
 */
export interface ScrambleOptions {
  edition?: Edition;
  rounds?: number;
  claim?: "call" | "instant";
  auto_end?: boolean;
  show_seconds?: number;
}

/** Everybody sees the first item, and the clock runs; in a race they line up first, and it is said again when they have (Z4). */
export interface PuzzleBegin {
  do: "begin";
  seat: number;
}

/**
 * What a seat answers to the item of this number, which must be the one that it sees (Z3).
 *
 * `picks`: places counted from 0. Of `third` the one among the choices; of `find` and `find_all` the three of a SET among those
 * shown; of `is_set` 1 for yes and 0 for no. `placements`: the dice laid, of `best_turn`.
 */
export interface PuzzleAnswer {
  do: "answer";
  seat: number;
  item: number;
  picks?: number[];
  placements?: CubedPlacement[];
}

/** Enough: this seat goes no further. Taken as said when its time is up (Z5). */
export interface PuzzleStop {
  do: "stop";
  seat: number;
}

/**
 * What is played.
 *
 * `kind`: a storm of items, a race through the same ones, eight boards of dice, or the puzzle of a day (Z1).
 * `day`: the day of a daily puzzle, in UTC, as in 2026-11-17; its weekday says how hard it is (Z7).
 */
export interface PuzzleOptions {
  kind?: "boards" | "daily_cubed" | "daily_set" | "race" | "storm";
  day?: string | null;
}

/** The first message: where you are and how things stand. `missed` and `gone` as in presence. */
export interface Welcome {
  type: "welcome";
  version: number;
  you: Me;
  table: Table;
  game: RunningGame | null;
  present: Present[];
  missed: number[];
  chat: Said[];
  gone: Gone[];
}

/** Who you are here. `account` is the login name, if you have one. `program`: it is a bot's account. */
export interface Me {
  id: string;
  name: string;
  account: string | null;
  program: boolean;
}

/**
 * All that people at a table know of it.
 *
 * `version` counts up with every change. `number` counts the games of the table, and `commitment` is the
 * hash of the seed of the running game, or of the next one while the table is gathering. `called_off` is how
 * often the start of that game came to nothing, `start` is there while it is under way. `playing` is the
 * running game, `last` the one before. `paused` says why the game stands still, if it does: no time passes in it, and
 * nobody plays, until somebody with a seat says `resume`. `sent_away` are those whom the host sent away last. `run` is there where people
 * play against the clock. `taken_over`: the seats that have changed hands in the running game.
 */
export interface Table {
  code: string;
  version: number;
  game: GameName;
  options: GameOptions;
  host: string;
  public: boolean;
  late_join: boolean;
  practice: boolean;
  chat: boolean;
  quick_bots: boolean;
  phase: "closed" | "gathering" | "playing";
  seats: Seat[];
  number: number;
  commitment: string;
  called_off: number;
  start: Starting | null;
  playing: string | null;
  last: Result | null;
  paused: "nobody_here" | "wanted" | null;
  sent_away: SentAway[];
  run: AtRun | null;
  taken_over: TakenOver[];
}

/**
 * A seat. `person` and `bot` are both None while it is open; `bot` is one of the server's own. `program`: the person is
 * the account of somebody's bot.
 */
export interface Seat {
  name: string;
  person: string | null;
  bot: string | null;
  ready: boolean;
  program: boolean;
}

/**
 * A game that is about to begin. Everybody's client commits to a secret, and when all have, shows it.
 *
 * `commitments` are the seats', empty for bots; `waits_for` are the seats that have not yet done what the stage
 * asks. After `until_time` the start is called off.
 */
export interface Starting {
  stage: "committing" | "revealing";
  commitments: string[];
  waits_for: number[];
  until_time: number;
}

/**
 * How a game ended. With the seed anybody can check every card and throw.
 *
 * `bots`: the level of the bot on a seat, None for a person. `names` are those who sat there at the end;
 * `taken_over` says who sat there before. Such a seat counts in nobody's statistics.
 */
export interface Result {
  game: string;
  names: string[];
  bots: (string | null)[];
  scores: number[];
  winners: number[];
  seed: string;
  taken_over: TakenOver[];
}

/**
 * A seat that changed hands during the game; `before` are those who had it, the first first. `bots`: the level of each of them
 * that was a bot, None for a person. `until`: the number of the last event of the game while each of them had it.
 */
export interface TakenOver {
  seat: number;
  before: string[];
  bots: (string | null)[];
  until: number[];
}

/** Somebody whom the host sent away. `name` is empty for who had no seat. */
export interface SentAway {
  person: string;
  name: string;
}

/**
 * What run is played at a table. Its clock does not stand still, whoever is there. `day` is that of a daily puzzle, whose seed stays secret
 * until the day is over: `Result.seed` is empty then. `reason`: why it will be on no board, if that is known beforehand.
 */
export interface AtRun {
  kind: RunName;
  day: string | null;
  reason: RunReason | null;
}

/**
 * A game from where you sit (`seat` is None for a spectator; `own_seat` is then the one that you had in it before, to
 * which you may come back while a bot has it).
 *
 * `state` is what you may know now, after event `seq`. `entries` are the events after the number that you
 * said you had seen; all of them, if you named none.
 */
export interface RunningGame {
  id: string;
  game: GameName;
  names: string[];
  seat: number | null;
  own_seat: number | null;
  seq: number;
  now: number;
  state: GameState;
  entries: GameEntry[];
}

/** Somebody at the table, playing or looking on. `round_trip_ms`: how long a message to them and back took last, if it is known here. */
export interface Present {
  person: string;
  name: string;
  quality: "fair" | "good" | "offline" | "poor";
  round_trip_ms: number | null;
}

/** A chat message. */
export interface Said {
  person: string;
  name: string;
  text: string;
  sent_time: number;
}

/**
 * A seat of the running game whose person is not here. After `host_ms` milliseconds the host may let a bot play on there, after
 * `anybody_ms` everybody with a seat; None while no turn without a time limit waits for them.
 */
export interface Gone {
  seat: number;
  host_ms: number;
  anybody_ms: number | null;
}

export interface TableChanged {
  type: "table_changed";
  table: Table;
}

export interface GameStarted {
  type: "game_started";
  game: RunningGame;
}

/**
 * What happened, in order. The rules of the game say what each event changes.
 *
 * `now` is the time of sending, so that a client can set its clock.
 */
export interface Events {
  type: "events";
  game: string;
  entries: GameEntry[];
  now: number;
}

/** Your command was carried out; `seq` is the number of its last event, if it brought any. */
export interface Accepted {
  type: "accepted";
  id: string;
  seq: number | null;
}

/**
 * Your command was not carried out, and nothing has changed.
 *
 * Whoever lost a race is told `seat` and `earlier_ms`: who was faster, and by how much.
 */
export interface Refused {
  type: "refused";
  id: string;
  refusal: { code: RefusalCode; [detail: string]: unknown };
}

/** Where to look (practice tables only), in the game's own words; they say nothing if there is nothing to be found. */
export interface Hint {
  type: "hint";
  id: string;
  hint: GameHint;
}

/**
 * Who is here now, and how good their connections are. `missed` are the seats for whose people the game has waited
 * so long in vain that anybody with a seat may let a bot play on there; `gone` all whose people are not here.
 */
export interface Presence {
  type: "presence";
  present: Present[];
  missed: number[];
  gone: Gone[];
}

/**
 * A bot at this table waits for its turn to think, because bots of many tables do; `ahead` are so many others.
 * Said again every few seconds; None when none waits any more.
 */
export interface BotsWaiting {
  type: "bots_waiting";
  ahead: number | null;
}

/**
 * How far the review of a game of this table has come: said about once a second while it is `making`, and when it is
 * `ready` to be fetched, or cannot be made because of a `problem`.
 */
export interface ReviewNews {
  type: "review_news";
  game: string;
  making: Making | null;
  ready: boolean;
  problem: FailureCode | null;
}

/**
 * A review that is being made. `ahead`: so many are made before; None once it has begun. Then `done` of `total` steps
 * are behind it (0 of 0 while that is not known).
 */
export interface Making {
  ahead: number | null;
  done: number;
  total: number;
}

export interface Chat {
  type: "chat";
  said: Said;
}

export interface Reaction {
  type: "reaction";
  person: string;
  reaction: string;
}

/** Answer with a pong of the same number: that is how the connection's quality is known. */
export interface Ping {
  type: "ping";
  number: number;
}

/**
 * The last message; the socket is closed after it.
 *
 * `slow` and `restart` are worth another try. `signed_out`: the session has ended with which the socket was opened;
 * another try is worth it for whoever is signed in again. The others are not.
 */
export interface Bye {
  type: "bye";
  reason: "bad_message" | "closed" | "flood" | "kicked" | "restart" | "signed_out" | "slow" | "too_many";
}

/** The first line of your stream: who you are, your games that are running, and your challenges that are open or just accepted. */
export interface Hello {
  type: "hello";
  version: number;
  you: Me;
  games: GameSummary[];
  challenges: Challenge[];
}

/**
 * A line of my games. `your_turn`: a running game waits for you. `hosted`: you host its table, which still stands.
 * `broken_off`: its table was closed before its end. `review`: it has one, or one is being made. `run`: it was against the clock.
 */
export interface GameSummary {
  id: string;
  table: string;
  game: GameName;
  players: Player[];
  practice: boolean;
  start_time: number;
  end_time: number | null;
  your_turn: boolean;
  hosted: boolean;
  broken_off: boolean;
  review: "making" | "ready" | null;
  run: RunName | null;
}

/** Who sat where in a game. `you` with a `bot`: it plays on for you, and you may have the seat back. */
export interface Player {
  name: string;
  you: boolean;
  bot: string | null;
  points: number | null;
  won: boolean;
}

/**
 * A game for two that somebody wants to play with somebody; one of them, at least, is a bot. `table` is where it is played, once it
 * is accepted: both have a seat there. `reason`: why it was declined.
 */
export interface Challenge {
  id: string;
  status: "accepted" | "cancelled" | "declined" | "expired" | "open";
  challenger: Side;
  challenged: Side;
  game: GameName;
  options: GameOptions;
  table: string | null;
  reason: "game" | "later" | "no" | "options" | null;
  created_time: number;
  expires_time: number;
}

/** Who challenges or is challenged. `program`: it is a bot's account. */
export interface Side {
  id: string;
  name: string;
  account: string | null;
  program: boolean;
}

/** A challenge of yours, or to you, is new or has changed: see its `status`. */
export interface ChallengeNews {
  type: "challenge_news";
  challenge: Challenge;
}

/** A game has begun in which you play, whoever started it: come to its `table`. */
export interface GameBegan {
  type: "game_began";
  table: string;
  id: string;
  game: GameName;
  names: string[];
}

/** A game of yours is over; without a `result`, it was broken off, or how it ended is in your games. */
export interface GameEnded {
  type: "game_ended";
  table: string;
  id: string;
  game: GameName;
  result: Result | null;
}

/** A bot that can be challenged now: its login name, its name at tables, and what it plays. */
export interface OnlineBot {
  account: string;
  name: string;
  games: GameName[];
}

/** `secret` is shown once, when the token is made. After `expires_time` it is worth nothing. */
export interface Token {
  id: string;
  label: string;
  created_time: number;
  used_time: number | null;
  scopes: ("challenge" | "play" | "read")[];
  expires_time: number | null;
  secret: string;
}

/**
 * All finished games of a person in one of the games; practice does not count.
 *
 * `pace` are SETs a minute, for a game in which SETs are counted; `points_per_turn` is for one with turns.
 */
export interface Statistics {
  game: GameName;
  games: number;
  wins: number;
  points: number;
  sets: number;
  turns: number;
  pace: number | null;
  points_per_turn: number | null;
}

/** GET /api/me/export: all that is kept about you. */
export interface PersonalData {
  me: Me;
  created_time: number;
  tokens: Token[];
  games: GameSummary[];
  statistics: Statistics[];
  runs: RunSummary[];
  reviews: AskedReview[];
  challenges: Challenge[];
}

/**
 * A run that is over. `game` and `seat` name its record; `reason` is why it is on no board, None if it is. `value` is what boards go by,
 * the least first. `day` is that of a daily puzzle.
 */
export interface RunSummary {
  kind: RunName;
  game: string;
  seat: number;
  day: string | null;
  points: number;
  time_ms: number;
  errors: number;
  value: number;
  reason: RunReason | null;
  start_time: number;
  end_time: number;
}

/** A review that you asked for lately. */
export interface AskedReview {
  game: string;
  asked_time: number;
}

/** The table's code is all that another person needs: /t/CODE. */
export interface TableCreated {
  code: string;
}

/**
 * The edition as it goes into the options of a table; or what is wrong with it, as a code with what goes with it, and
 * a sentence in English.
 */
export interface CheckedEdition {
  edition: Edition | null;
  problem: { code: EditionProblem; [detail: string]: unknown } | null;
  detail: string;
}

/**
 * A line of the lobby. `sitting`: who has a seat, as far as this node knows. Bots' accounts are among `bots`. `run`: it is
 * played against the clock.
 */
export interface TableSummary {
  code: string;
  game: GameName;
  host: string;
  sitting: Sitting[];
  phase: "gathering" | "playing";
  seats: number;
  people: number;
  bots: number;
  open_seats: number;
  options: GameOptions;
  created_time: number;
  run: RunName | null;
}

/** Somebody, or a bot, at a table. `program`: the account of somebody's bot. */
export interface Sitting {
  seat: number;
  name: string;
  bot: string | null;
  program: boolean;
}

/** GET /api/company: how many people are at tables now, listed ones or not. */
export interface Company {
  people: number;
}

/**
 * What can be chosen when a table is made. `title` is the game's name for people, in every language. `review`: whether
 * finished games can be reviewed.
 */
export interface GameInfo {
  name: GameName;
  title: string;
  min_seats: number;
  max_seats: number;
  bots: BotLevel[];
  options: Option[];
  review: boolean;
}

/** A bot that can be seated, and a line about it. */
export interface BotLevel {
  name: string;
  about: string;
}

/**
 * One thing that can be chosen for a table.
 *
 * `optional`: None may be chosen, too. `least` and `most` limit a number, `suggested` are the numbers
 * to offer where not all can be. `choices` are the values of a choice; those of something `named` are the names
 * that are known, and its whole content may be given instead. `only_with`: values of other options,
 * of which one line must hold, or this one stays at its default.
 */
export interface Option {
  name: string;
  group: "game" | "length" | "rules" | "time";
  kind: "choice" | "named" | "number" | "switch";
  default: unknown;
  optional: boolean;
  least: number | null;
  most: number | null;
  choices: unknown[];
  suggested: number[];
  only_with: Record<string, unknown[]>[];
}

/** A kind of run: GET /api/runs. `order`: what counts first on its boards. `daily`: one for each day, the same for all. */
export interface RunInfo {
  name: RunName;
  game: GameName;
  options: GameOptions;
  order: "points" | "time";
  most_seats: number;
  daily: boolean;
}

/**
 * Where it is played: join the table of this code, and say `start`; before it begins your client takes part in the luck (`commit`,
 * then `reveal`). Items are counted from 1, and what is picked from 0. `resumed`: you have begun it already, and its clock runs.
 * `reason`: why it will be on no board, if that is known beforehand.
 */
export interface RunCreated {
  code: string;
  resumed: boolean;
  reason: RunReason | null;
}

/**
 * GET /api/me/runs: how often one has played a kind, the best, the last, the averages of those that count, and a page of them, the
 * latest first. `average_ms` has what errors added, where less time is better. `streak` are the days in a row, up to today or yesterday, on which a daily puzzle was solved, `longest` the
 * most there ever were, and `solved` all of them.
 */
export interface MyRuns {
  kind: RunName;
  count: number;
  best: RunSummary | null;
  last: RunSummary | null;
  average_ms: number | null;
  average_points: number | null;
  streak: number;
  longest: number;
  solved: number;
  runs: RunSummary[];
}

/**
 * GET /api/boards/{kind}: the best runs of a period, each person once. `on` is the period: a day, a week as 2026-W47, a month as 2026-11, or
 * `ever`. `count` are all who are on it, `yours` your own line, also if nobody else sees it (`listed`: they do, because you have an account).
 * `next` is for the next page: ask for those `after` it.
 */
export interface Board {
  kind: RunName;
  period: "day" | "ever" | "month" | "week";
  on: string;
  among: "all" | "company";
  count: number;
  lines: BoardLine[];
  yours: BoardLine | null;
  listed: boolean;
  next: string | null;
}

/** A line of a board: a person's best run of the period. `game` and `seat` name its record, which anybody may replay. */
export interface BoardLine {
  place: number;
  name: string;
  you: boolean;
  game: string;
  seat: number;
  points: number;
  time_ms: number;
  errors: number;
  value: number;
  end_time: number;
}

/**
 * GET /api/daily/{kind}/{day}: the puzzle of a day, and the best of it. `level` is from 1 to 4. `commitment` is the hash of kind, day and seed,
 * published ahead; the `seed` comes when the day is over, and with it `solutions`: the picks of all SETs. `turns` (of dice) come then, too,
 * and before to who has played. `puzzle` is None before its day. `begun`: you have; `yours` is your run, if it is over. `ends_time`: when the
 * day is over.
 */
export interface Daily {
  kind: RunName;
  day: string;
  level: number;
  commitment: string;
  seed: string | null;
  puzzle: PuzzleItem | null;
  solutions: number[][];
  turns: TurnValue[];
  results: DailyResults;
  best: BoardLine[];
  begun: boolean;
  yours: RunSummary | null;
  ends_time: number;
}

/**
 * A turn of a daily puzzle with dice: its `placements` as text, the chance to win after it with its standard error, its points, and
 * how many chose it.
 */
export interface TurnValue {
  turn: string;
  chance: number;
  error: number;
  points: number;
  chosen: number;
}

/**
 * How those who count did: how many played, how many solved it (all SETs, or the best turn), and the middle of the times that count,
 * with what errors added: half of them took no longer. None where the chance to win counts, and not the time.
 */
export interface DailyResults {
  played: number;
  solved: number;
  middle_ms: number | null;
}

/** The days of a month with a puzzle, those to come as far as they are committed to. */
export interface Calendar {
  kind: RunName;
  today: string;
  month: string;
  days: DayLine[];
}

/** A day of the calendar: GET /api/daily/{kind}. The seed is there when the day is over; `yours` is the run that counts, else the best one. */
export interface DayLine {
  day: string;
  level: number;
  commitment: string;
  seed: string | null;
  yours: RunSummary | null;
}

/**
 * GET /api/games/ID/review: what there is of the review of a game, for whoever may see its record.
 *
 * `review` is the finished one. `making`: one is being made, the first or a deeper one; look again in some seconds, or hear
 * `review_news` at the table. `problem`: there is none, and none can be made, for this reason (but after `review_failed`
 * it may be asked for once more). With none of the three, it can be asked for. `games`: so many were played out for a decision, None for a game in which none are; `deeper`: whether a
 * review by more of them can be asked for. `left`: how many reviews you may still ask for today, None if nobody knows you.
 */
export interface ReviewState {
  id: string;
  game: GameName;
  review: GameReview | null;
  made_time: number | null;
  games: number | null;
  making: Making | null;
  problem: FailureCode | null;
  deeper: boolean;
  left: number | null;
}

/** What the command would have been worth; or why the rules do not allow it. */
export interface Judged {
  game: GameName;
  judged: GameJudged | null;
  refusal: { code: RefusalCode; [detail: string]: unknown } | null;
}

/** The body of every answer that is not a success. */
export interface Failure {
  code: FailureCode;
  detail: string;
}

/** GET /health. `detail` says what is wrong. `bus`: whether other machines are heard of, where there is one; games go on without it. */
export interface Health {
  status: "cannot_write" | "ok" | "store_unavailable";
  version: string;
  tables: number;
  sockets: number;
  detail: string;
  bus: "away" | "up" | null;
}

/**
 * A table between two events. It holds no secret: the deck has no order until a card is turned.
 *
 * `deck` are the cards not yet turned, sorted. `locked` and `none` are seats: who is locked
 * out, who says that there is no SET; `away` are those that nobody waits for (T1). `taken` counts SETs, which with penalties are not the points.
 * `last` is the SET taken last, where the next one needs a card of it (V2).
 */
export interface CardState {
  options: Required<CardOptions>;
  seats: number;
  phase: "deal" | "over" | "play";
  round: number;
  dealer: number;
  table: Card[];
  deck: Card[];
  last: Card[];
  scores: number[];
  taken: number[];
  call: CardPendingCall | null;
  locked: number[];
  none: number[];
  deal_due: number | null;
  away: number[];
}

/** Who called, and until when the SET must be shown. */
export interface CardPendingCall {
  seat: number;
  until: number;
}

export interface CardEntry {
  seq: number;
  at: number;
  event: CardEvent;
}

/** A round begins: the dealer laid these cards out. */
export interface CardDealt {
  kind: "dealt";
  round: number;
  dealer: number;
  cards: Card[];
}

export interface CardCalled {
  kind: "called";
  seat: number;
}

/** A right SET. `dealt` fill the gaps, in the order in which the cards lay (K5). */
export interface CardTook {
  kind: "took";
  seat: number;
  cards: Card[];
  dealt: Card[];
}

/** These are no SET; or nothing was shown (K3). */
export interface CardMissed {
  kind: "missed";
  seat: number;
  cards: Card[];
}

export interface CardSawNone {
  kind: "saw_none";
  seat: number;
}

export interface CardTookBack {
  kind: "took_back";
  seat: number;
}

/** Three more cards. */
export interface CardOpened {
  kind: "opened";
  cards: Card[];
}

/** The cards on the table have changed places, and lie like this now (V5). */
export interface CardShuffled {
  kind: "shuffled";
  table: Card[];
}

/** `left` are the cards that nobody took (K7). */
export interface CardRoundEnded {
  kind: "round_ended";
  left: Card[];
}

export interface CardEnded {
  kind: "ended";
  scores: number[];
}

/** Nobody waits for this seat until it is back. */
export interface SteppedAway {
  kind: "stepped_away";
  seat: number;
}

export interface CameBack {
  kind: "came_back";
  seat: number;
}

/** Some cards of a SET on the table; none if there is no SET. */
export interface CardHint {
  cards: Card[];
}

/**
 * A table between two events. Only `choices` and `draft` are secret: what others answer to the extra roll, until
 * it is over and they are gone; and what lies there for now of the turn that somebody else has.
 *
 * `bag` are the numbers of the dice not yet drawn, sorted: they have no order until they are drawn.
 * `board` has one entry a cell, by row. `throws` counts how often each die was thrown.
 * `turn` is the seat to move, `until` when its time, or that of the extra roll, runs out.
 * `draft` is what is laid then, and `drafts` how often it was changed.
 * `laid` and `could_lay`: whether in this round anybody laid a die, or could have.
 * `idle_rounds`: how many rounds in a row somebody could have laid a die and nobody did; those that end in a
 * forced re-throw, `rethrows` of them in a row, neither count nor break that row. `away` are the seats that nobody
 * waits for but in their turn (T1).
 */
export interface CubedState {
  options: Required<CubedOptions>;
  seats: number;
  phase: "extra_roll" | "opening" | "over" | "start" | "turn";
  round: number;
  bag: number[];
  hands: Die[][];
  board: (Die | null)[];
  scores: number[];
  throws: number[];
  call: CubedPendingCall | null;
  barred: number[];
  none: number[];
  first: number | null;
  turn: number | null;
  until: number | null;
  draft: Required<CubedPlacement>[];
  drafts: number;
  laid: boolean;
  could_lay: boolean;
  idle_rounds: number;
  rethrows: number;
  answered: number[];
  choices: (number[] | null)[];
  away: number[];
}

/** A die and what it shows. `wild`: it lies on the board as a wild that stands for that face. */
export interface Die {
  number: number;
  face: Face;
  wild: boolean;
}

/** Who called, and until when the SET must be shown. */
export interface CubedPendingCall {
  seat: number;
  until: number;
}

export interface CubedEntry {
  seq: number;
  at: number;
  event: CubedEvent;
}

export interface CubedBegan {
  kind: "began";
  seat: number;
}

/** Dice drawn from the bag, and what they show. */
export interface CubedDrew {
  kind: "drew";
  seat: number;
  dice: Die[];
}

/** Dice thrown again, and what they show now. */
export interface CubedThrew {
  kind: "threw";
  seat: number;
  dice: Die[];
}

export interface CubedCalled {
  kind: "called";
  seat: number;
}

/** These are no SET; or nothing was shown. No further call until the next throw (C3). */
export interface CubedMissed {
  kind: "missed";
  seat: number;
  placements: Required<CubedPlacement>[];
}

export interface CubedSawNone {
  kind: "saw_none";
  seat: number;
}

/** The opening SET lies on the logo (C5). */
export interface CubedOpened {
  kind: "opened";
  seat: number;
  placements: Required<CubedPlacement>[];
  points: number;
}

/**
 * `die` lies where the wild lay; the wild was thrown and is `taken` into the hand.
 *
 * `could_lay`: whether the player could have laid a die before.
 */
export interface CubedReplaced {
  kind: "replaced";
  seat: number;
  die: Die;
  square: Square;
  taken: Die;
  could_lay: boolean;
}

export interface CubedLaid {
  kind: "laid";
  seat: number;
  placements: Required<CubedPlacement>[];
  points: number;
}

/** Dice lie there for now. Nobody else may know which. */
export interface CubedDrafted {
  kind: "drafted";
  seat: number;
  placements: Required<CubedPlacement>[];
}

/** `could_lay`: whether there was a die to be laid (C12). */
export interface CubedPassed {
  kind: "passed";
  seat: number;
  could_lay: boolean;
}

/** `then`: the extra roll, a throw of all dice without one (C12), or the end of the game. */
export interface CubedRoundEnded {
  kind: "round_ended";
  round: number;
  then: "end" | "extra_roll" | "rethrow";
}

/** Which dice a player throws once more. None where the reader may not know yet. */
export interface CubedChose {
  kind: "chose";
  seat: number;
  dice: number[] | null;
}

export interface CubedEnded {
  kind: "ended";
  scores: number[];
}

/** Where to look: numbers of dice in hand that are a SET, or placements of the turn with the most points. */
export interface CubedHint {
  dice: number[];
  placements: Required<CubedPlacement>[];
}

/**
 * A table between two events. It holds no secret: no die is thrown before it can be seen.
 *
 * `dice` are the places of the table with what lies there: None where a die was taken. `taken` counts the SETs
 * of this round. `locked` and `none` are seats: who is locked out, who says that no SET is left; `away` are those
 * that nobody waits for (T1).
 */
export interface ScrambleState {
  options: Required<ScrambleOptions>;
  seats: number;
  phase: "deal" | "over" | "play";
  round: number;
  thrower: number;
  dice: (Die | null)[];
  scores: number[];
  taken: number[];
  call: ScramblePendingCall | null;
  locked: number[];
  none: number[];
  throw_due: number | null;
  away: number[];
}

/** Who called, and until when the SET must be shown. */
export interface ScramblePendingCall {
  seat: number;
  until: number;
}

export interface ScrambleEntry {
  seq: number;
  at: number;
  event: ScrambleEvent;
}

/** A round begins: so the dice came to lie, place by place. */
export interface ScrambleThrown {
  kind: "thrown";
  round: number;
  thrower: number;
  dice: Die[];
}

export interface ScrambleCalled {
  kind: "called";
  seat: number;
}

/** A right SET: its dice leave the table (M3). */
export interface ScrambleTook {
  kind: "took";
  seat: number;
  dice: Die[];
}

/** These are no SET; or nothing was shown (M2). */
export interface ScrambleMissed {
  kind: "missed";
  seat: number;
  dice: Die[];
}

export interface ScrambleSawNone {
  kind: "saw_none";
  seat: number;
}

export interface ScrambleTookBack {
  kind: "took_back";
  seat: number;
}

/** `left` are the dice that nobody took (M4). */
export interface ScrambleRoundEnded {
  kind: "round_ended";
  left: Die[];
}

export interface ScrambleEnded {
  kind: "ended";
  scores: number[];
}

/** Some dice of a SET on the table, by their numbers; none if there is no SET. */
export interface ScrambleHint {
  dice: number[];
}

/**
 * A table between two events. `items` are those that were drawn, in a view those that its seat has reached; `begins_at` is
 * when a race begins, while all are at the line.
 */
export interface PuzzleState {
  options: Required<PuzzleOptions>;
  seats: number;
  phase: "line" | "over" | "play" | "start";
  begins_at: number | null;
  items: PuzzleItem[];
  runners: PuzzleRunner[];
}

/**
 * Something to be solved.
 *
 * `shown` are cards (`2GHS`) or faces of dice (`2GS`), and `choices` what the third of a SET is chosen from. `position`
 * is a game of dice in which whoever has the turn is to lay well. `difficulty` are the milliseconds after which a
 * player of speed 1 has solved it, half of the time.
 */
export interface PuzzleItem {
  asked: "best_turn" | "find" | "find_all" | "is_set" | "third";
  of: "cards" | "dice";
  shown: string[];
  choices: string[];
  position: CubedState | null;
  difficulty: number;
}

/**
 * How far a seat has come: at item `number`, shown to it at `shown_at`.
 *
 * `found` are the SETs of it that are found already, each by its places in order, as far as one may know them. `combo`
 * counts right answers in a row. `until` is when its time is up, if it has a limit; `stopped_at` when it stopped, and `why`.
 */
export interface PuzzleRunner {
  number: number;
  shown_at: number;
  found: number[][];
  score: number;
  right: number;
  errors: number;
  combo: number;
  until: number | null;
  stopped_at: number | null;
  why: "enough" | "solved" | "time" | null;
}

export interface PuzzleEntry {
  seq: number;
  at: number;
  event: PuzzleEvent;
}

/** Everybody is at the line: a race begins in three seconds. */
export interface PuzzleLinedUp {
  kind: "lined_up";
}

/** The first item. */
export interface PuzzleBegan {
  kind: "began";
  first: PuzzleItem | null;
}

/**
 * An answer to item `number`, whether it was right, and for how many `points`; `next` is the item that follows, if one
 * does. What others answer and come to is not known before one is there: then these are None.
 */
export interface PuzzleAnswered {
  kind: "answered";
  seat: number;
  number: number;
  right: boolean;
  points: number;
  picks: number[] | null;
  placements: Required<CubedPlacement>[] | null;
  next: PuzzleItem | null;
}

/** A seat goes no further: all is solved, its time is up, or it had enough. */
export interface PuzzleStopped {
  kind: "stopped";
  seat: number;
  why: "enough" | "solved" | "time";
}

export interface PuzzleEnded {
  kind: "ended";
  scores: number[];
}

/** The hint of a game that gives none. */
export interface NoHint {
}

/**
 * What a game of Set teaches. `seats` are the measures of each player, `lives` every SET that lay on a table, in the order
 * in which they went, `scores` the points after each change with its time.
 */
export interface CardReview {
  game: "set";
  engine: string;
  players: ReviewPlayer[];
  result: number[];
  variant: string;
  seats: CardReviewSeat[];
  lives: CardReviewLife[];
  wrong: CardReviewWrongCall[];
  false_none: CardReviewFalseNone[];
  scores: [number, number[]][];
  milliseconds: number;
}

/**
 * Who sat at a seat. `bot`: its name, if it was one. `before`: those who sat there earlier in this game; such a seat
 * counts for nobody.
 */
export interface ReviewPlayer {
  name: string;
  bot: string | null;
  before: string[];
}

/**
 * One player's game. `looked`: the seconds in which something could be found, and they could call it and were there.
 *
 * `missed`: SETs that lay there for longer than this player usually needs, and that they did not take; `quick`: SETs taken in
 * less than a third of that. `consistency`: 0 to 100, None after fewer than three finds. `sought`: all that the speed is
 * estimated from.
 *
 * `waited`: it is a gentle bot, which leaves people their time: it has no speed, missed nothing and was never quick.
 */
export interface CardReviewSeat {
  found: number;
  looked: number;
  waited: boolean;
  speed: Estimate | null;
  missed: number;
  quick: number;
  wrong: number;
  false_none: number;
  consistency: number | null;
  pace: CardReviewPace[];
  strengths: CardReviewStrength[];
  sought: [number, number, number, number][];
}

/** A factor such as a speed: the most likely logarithm, and its deviation. */
export interface Estimate {
  log: number;
  deviation: number;
}

/** A part of the game, up to `until` (milliseconds): SETs found, and seconds for which the player looked. */
export interface CardReviewPace {
  until: number;
  found: number;
  looked: number;
}

/**
 * How many times as long a player takes for one kind of SETs as for the rest; `found`: from so many of them.
 *
 * `clear`: beyond chance, also where one looks at all kinds at once, and from several finds.
 */
export interface CardReviewStrength {
  kind: CardReviewKind;
  found: number;
  slowness: Estimate;
  clear: boolean;
}

/**
 * A kind of SETs: those that differ in so many features, those on which a feature is different, or those that share
 * a value.
 */
export interface CardReviewKind {
  by: "count" | "different" | "same";
  name: string;
}

/**
 * A SET on the table, from when it lay there until it did not.
 *
 * `since` and `until` are lines of the record, `appeared` and `gone` milliseconds. `went`: it was taken, it was
 * broken when somebody took another with one of its cards (in Chain, any other), or it was left when the round ended; `by` is that seat.
 * `difficulty`: the seconds that a player of speed 1 needs for it, as it lay at last. `tables`: on so many it lay, one
 * after the other. `looked`: the seconds for which each seat looked. What follows is known when the speeds are: `expected`,
 * the seconds that each seat usually needs for it, None for one whose speed is not measured; the seats by which it was `missed`;
 * whether it was a `quick` find.
 */
export interface CardReviewLife {
  round: number;
  cards: Card[];
  differing: number;
  difficulty: number;
  since: number;
  until: number;
  appeared: number;
  gone: number;
  went: "broken" | "left" | "taken";
  by: number | null;
  tables: number;
  looked: number[];
  expected: (number | null)[];
  missed: number[];
  quick: boolean;
}

/** A call after which the cards were no SET, or none were shown. `broken`: the features because of which. */
export interface CardReviewWrongCall {
  seat: number;
  line: number;
  at: number;
  cards: Card[];
  broken: string[];
}

/** "I see none", said while so many SETs lay there, of which this was the easiest. */
export interface CardReviewFalseNone {
  seat: number;
  line: number;
  at: number;
  sets: number;
  easiest: Card[];
}

/**
 * What a game of Set Cubed teaches: the chance to win after every event, every decision, and what luck brought.
 *
 * `games` are those played out for a decision, shared among its choices; where a choice has 0 of them, it was searched in full.
 */
export interface CubedReview {
  game: "cubed";
  engine: string;
  players: ReviewPlayer[];
  result: number[];
  games: number;
  seats: CubedReviewSeat[];
  moments: CubedReviewMoment[];
  decisions: CubedReviewDecision[];
  luck: CubedReviewLuck[];
}

/**
 * One player's game. Losses and luck are in percentage points of the chance to win.
 *
 * `decisions`: all of them; `counted`: those that could matter, by which the player is judged. `error_rate`: the mean loss of one, with
 * its standard error `rate_error`, None while there are too few. `plays_like`: the bot that loses about as much, or two (the
 * weaker first) between which the player is, or none, if nobody can tell. `points_left`: what the turns with most points would have scored beyond
 * what was scored.
 *
 * The account of a game: `start`, the chance to win before the first decision; `luck` of their own draws and throws with its
 * standard error, and `others_luck`; `given` away by their own decisions; `gifts`, what those of the others gave; and
 * `rest`, what the best choices were worth beyond those of the greedy players who play games out, and noise. `start` + `luck` +
 * `others_luck` - `given` + `gifts` + `rest` is the result, 0 to 100; `adjusted` is the result without all luck.
 */
export interface CubedReviewSeat {
  decisions: number;
  counted: number;
  error_rate: number | null;
  rate_error: number | null;
  plays_like: string[];
  accuracy: number | null;
  small: number;
  medium: number;
  large: number;
  points_left: number;
  start: number;
  luck: number;
  luck_error: number;
  others_luck: number;
  given: number;
  gifts: number;
  rest: number;
  adjusted: number;
}

/**
 * The chance of every seat to win after a line of the log. `before`: had the best been chosen, where somebody decided; from there
 * to `chances` it falls by the loss.
 */
export interface CubedReviewMoment {
  line: number;
  round: number;
  chances: number[];
  before: number[] | null;
}

/**
 * What somebody chose, in which line of the log.
 *
 * `loss` is what the best choice wins more often, in percentage points, with its standard error `error`; a `mark` stands where
 * it is more than two of them. `estimate` is the same as the games tell it, unrounded, and below 0 where they tell by chance that
 * the choice was better than the best: right on average, so error rates are made of it. `counts`: it could matter; where every
 * choice wins less than 2 % or more than 98 % of the time the game is decided, and nobody is judged by it; nor by a wild that was
 * replaced in games played out, where a greedy turn follows it and it comes out too low. `most`: the points of the turn that
 * scores most.
 */
export interface CubedReviewDecision {
  line: number;
  round: number;
  seat: number;
  kind: "extra roll" | "opening" | "replacing" | "turn";
  chosen: CubedReviewChoice;
  best: CubedReviewChoice;
  choices: CubedReviewChoice[];
  loss: number;
  error: number;
  estimate: number;
  counts: boolean;
  mark: "large" | "medium" | "small" | null;
  accuracy: number;
  most: number | null;
}

/**
 * One of the choices of a decision: the chance to win after it with its standard error, by so many games (0: exact), and
 * the points that it scores at once.
 */
export interface CubedReviewChoice {
  text: string;
  value: number;
  error: number;
  games: number;
  points: number | null;
}

/** What a draw or a throw brought: the change of every seat's chance to win, and the standard errors. */
export interface CubedReviewLuck {
  line: number;
  round: number;
  seat: number;
  kind: "draw" | "throw" | "wild";
  changes: number[];
  errors: number[];
}

export type ClientMessage =
  | Play
  | Manage
  | Say
  | React
  | Mute
  | AskHint
  | Pong;

export type TableCommand =
  | Sit
  | Leave
  | Ready
  | Commit
  | Reveal
  | Start
  | AddSeat
  | RemoveSeat
  | Kick
  | Allow
  | HandOver
  | StandIn
  | Pause
  | Resume
  | Change
  | Close;

export type ServerMessage =
  | Welcome
  | TableChanged
  | GameStarted
  | Events
  | Accepted
  | Refused
  | Hint
  | Presence
  | BotsWaiting
  | ReviewNews
  | Chat
  | Reaction
  | Ping
  | Bye;

export type PersonalMessage =
  | Hello
  | ChallengeNews
  | GameBegan
  | GameEnded
  | Ping
  | Bye;

export type CardCommand =
  | CardDeal
  | CardCall
  | CardShow
  | CardSeeNone
  | CardTakeBack
  | StepAway
  | ComeBack;

export type CardEvent =
  | CardDealt
  | CardCalled
  | CardTook
  | CardMissed
  | CardSawNone
  | CardTookBack
  | CardOpened
  | CardShuffled
  | CardRoundEnded
  | CardEnded
  | SteppedAway
  | CameBack;

export type CubedCommand =
  | CubedBegin
  | CubedCall
  | CubedShow
  | CubedSeeNone
  | CubedReplace
  | CubedLay
  | CubedDraft
  | CubedPass
  | CubedChoose
  | StepAway
  | ComeBack;

export type CubedEvent =
  | CubedBegan
  | CubedDrew
  | CubedThrew
  | CubedCalled
  | CubedMissed
  | CubedSawNone
  | CubedOpened
  | CubedReplaced
  | CubedLaid
  | CubedDrafted
  | CubedPassed
  | CubedRoundEnded
  | CubedChose
  | CubedEnded
  | SteppedAway
  | CameBack;

export type ScrambleCommand =
  | ScrambleThrow
  | ScrambleCall
  | ScrambleShow
  | ScrambleSeeNone
  | ScrambleTakeBack
  | StepAway
  | ComeBack;

export type ScrambleEvent =
  | ScrambleThrown
  | ScrambleCalled
  | ScrambleTook
  | ScrambleMissed
  | ScrambleSawNone
  | ScrambleTookBack
  | ScrambleRoundEnded
  | ScrambleEnded
  | SteppedAway
  | CameBack;

export type PuzzleCommand =
  | PuzzleBegin
  | PuzzleAnswer
  | PuzzleStop;

export type PuzzleEvent =
  | PuzzleLinedUp
  | PuzzleBegan
  | PuzzleAnswered
  | PuzzleStopped
  | PuzzleEnded;

export type GameCommand =
  | CardCommand
  | CubedCommand
  | ScrambleCommand
  | PuzzleCommand;

export type GameOptions =
  | CardOptions
  | CubedOptions
  | ScrambleOptions
  | PuzzleOptions;

export type GameState =
  | CardState
  | CubedState
  | ScrambleState
  | PuzzleState;

export type GameEntry =
  | CardEntry
  | CubedEntry
  | ScrambleEntry
  | PuzzleEntry;

export type GameEvent =
  | CardEvent
  | CubedEvent
  | ScrambleEvent
  | PuzzleEvent;

export type GameHint =
  | CardHint
  | CubedHint
  | ScrambleHint;

export type GameReview =
  | CardReview
  | CubedReview;

export type GameJudged =
  | CubedReviewDecision;
