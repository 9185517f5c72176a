/** What the site asks a game. */

import type { Component, Snippet } from 'svelte'
import type { Spot } from '../after/chart'
import type { Daily, GameReview, Judged } from '../protocol'
import type { Connection } from '../table/connection.svelte'
import type { KeyGuide } from '../table/keys'
import type { News } from '../table/news'
import type { SeatView } from '../table/Seats.svelte'

/** What the site reads in any game's state; the rest is the game's own. */
export interface GameState {
  options: object
  round: number
  scores: readonly number[]
}

export interface GameEvent {
  kind: string
  seat?: number
}

export interface Entry<E extends GameEvent = GameEvent> {
  seq: number
  at: number
  event: E
}

/** A command as a player gives it: the connection adds the seat. */
export interface Command {
  do: string
}
export type Seatless<T> = T extends unknown ? Omit<T, 'seat'> : never

/** A line of the log; no text for what needs none. */
export interface EventWords {
  text: string
  /** The cards or dice it is about. */
  signs: string[]
  /** It only leads to what comes next: left out where there is little room. */
  passing?: boolean
}

/** A game from where somebody sits; `seat` is null for who looks on. */
export interface Place<S extends GameState = GameState> {
  state: S
  seat: number | null
  names: readonly string[]
}

/** What can be seen of a seat as the game stands. */
export type SeatMarks = Pick<SeatView, 'score' | 'active' | 'pile' | 'dealer' | 'locked' | 'none'>

/** A chance that an event tells of: the number that the seed must give for `label`. */
export interface Chance {
  count: number
  label: string
  gave(number: number): boolean
}

/** A run against the clock, as its bar and its ghosts see it. */
export interface Pace<S extends GameState = GameState> {
  /** How much this seat has solved. */
  done(state: S, seat: number): number
  /** How much there is altogether, where that is known; and how much there usually is, where it is not. */
  whole(state: S): number | null
  usually?(state: S): number
  /** How far this seat has come, in a game's own words. */
  progress?(state: S, seat: number): string | null
  /** When the time of this seat is up, if it has a limit; and when it stopped. */
  until?(state: S, seat: number): number | null
  stoppedAt?(state: S, seat: number): number | null
  /** How much time everybody has at first, where there is a limit. */
  limit?(state: S): number | null
  /** Whether an event is an error of this seat. */
  isError(event: GameEvent, seat: number): boolean
  /** What an event costs this seat, in ms: of the time that is left, where there is a limit, else added to what counts. The state may be a later one. */
  costMs(event: GameEvent, seat: number, state: S): number
  /** How somebody stops before the end; without it they leave the table. */
  stop?: Command
}

/** A game at the table and in the replay: its part of `games/<name>/index.ts`. */
export interface GameModule<S extends GameState = GameState, E extends GameEvent = GameEvent> {
  /** The state before the first event, and after each. */
  start(options: S['options'], seats: number): S
  evolve(state: S, event: E, at: number): S
  /** A state as the server tells it, with what the site wants to know besides. */
  read?(state: S): S
  /** All chances that this event tells of, in the order in which they came. */
  chances(state: S, event: E): Chance[]

  seatMarks(state: S, seat: number): SeatMarks
  /** The seats for which everybody else waits. */
  waitsFor(state: S): readonly number[]
  /** The same, and those who are asked whether they agree. */
  awaited(state: S): readonly number[]
  /** How many rounds a game has, where that is known beforehand. */
  rounds?(state: S): number
  /** What this seat does to set a game going that it wanted to start at once. */
  opening?(state: S, seat: number): Command | null
  /** Players take turns, and a bot takes a moment for its own. */
  hasTurns?: boolean

  /** How far a seat has come where one plays against the clock. */
  pace?: Pace<S>

  /** What is played of it, where that has a name of its own: "Chain". */
  variety?(options: S['options']): string
  /** A value of an option in words, where no message is named after it. */
  optionValue?(name: string, value: unknown): string | undefined
  /** `after`: the state after the event, where that is known. `late`: the time limit did it. */
  eventWords(event: E, names: readonly string[], after?: S, late?: boolean): EventWords
  /** Whether the time limit did this, not the player; only where there is one. */
  isLate?(before: S, entry: Entry<E>): boolean
  /** What is said at the moment it happens, from where one sits; null for what goes without saying. */
  eventNews(event: E, place: Place<S>): News | null
  /** The keys with which it is played. */
  keys: KeyGuide

  /** Whether the table can show this event again, where it happened. */
  showsAgain?(event: E): boolean

  Table: Component<{ connection: Connection }>
  /** What a seat holds for all to see. */
  Holding?: Component<{ state: S; seat: number }>
  /** What is seen of a game when it is over; it comes when it is asked for. */
  after(): Promise<{ default: AfterGame }>
  /** What its review shows, for a game that has one; it comes when a review is opened. */
  review?(): Promise<{ default: ReviewGame }>
}

/** A game that is over, as its events tell it. */
export interface Story<S extends GameState = GameState, E extends GameEvent = GameEvent> {
  names: readonly string[]
  /** Where the reader sat; null for who looked on. */
  seat: number | null
  entries: readonly Entry<E>[]
  /** Before the first event, and after each. */
  states: readonly S[]
  /** The words for the event at this place of the entries. */
  words(place: number): EventWords
}

/** A column of the table of results: a value for each seat. */
export interface Figures {
  title: string
  values: readonly string[]
}

/** A game when it is over: its result and its replay, `games/<name>/after.ts`. */
export interface AfterGame<S extends GameState = GameState, E extends GameEvent = GameEvent> {
  /** What somebody who played alone is told first; otherwise the points are. */
  aloneTitle?(story: Story<S, E>): string
  /** The game in a few words each: how long, how much, how many mistakes. */
  summary(story: Story<S, E>): string[]
  figures(story: Story<S, E>): Figures[]
  /** What there is to see of it; `replay` is the address of the moment after an event. */
  Result: Component<{ story: Story<S, E>; replay: (seq: number) => string }>

  /** How a run ended, where that is to be said. */
  ending?(story: Story<S, E>): string
  /** What was answered in the puzzle of a day: right or wrong one after the other, and the turn that was laid, as text. */
  answers?(story: Story<S, E>): { marks: boolean[]; turn: string | null }
  /** What each turn of it was worth, and how it lies on the board. */
  Turns?: Component<{ daily: Daily; yours: string | null }>

  /** Whether a replay has anything to show yet. */
  hasBegun(state: S): boolean
  /** A step of the replay that the log passes over; what has no words here either is no step. */
  quietWords(event: E, names: readonly string[]): EventWords
  /** The middle of the table just when an event happens; `before` it is as it was before. */
  Replay: Component<{ before: S; state: S; event: E | undefined; names: readonly string[] }>
}

/** A place at which a review stops: something that happened, seen by the player who is looked at. */
export interface Stop {
  /** One of all. */
  id: string
  /** The line of the record that it is about. */
  line: number
  /** Where it stands on the chart. */
  x: number
  y: number
  when: string
  title: string
  /** The cards that it is about. */
  signs?: readonly string[]
  tone?: 'good' | 'bad'
  /** Something to learn from: 1 is small, 3 is large. */
  mistake?: 1 | 2 | 3
}

/** How a game went, a line for some of the seats. */
export interface ReviewChart {
  title: string
  lines: readonly { seat: number; spots: readonly Spot[] }[]
  /** A value in words. */
  text: (y: number) => string
  /** Where lines begin and end, and what is written beside them. */
  levels: readonly { y: number; label: string }[]
  ticks: readonly { x: number; label: string }[]
  end: number
  /** A value holds until the next. */
  stepped: boolean
  /** What is above this is shaded, and so is what is below. */
  middle?: number
}

/** A line of the table of the whole game: a value for each seat, and what it means. */
export interface Measure {
  title: string
  values: readonly string[]
  about: string
}

/** A review of one game, as one of its players sees it. */
export interface ReviewTold {
  /** The most important, a sentence each. */
  summary: readonly string[]
  chart: ReviewChart
  /** In the order of the game. */
  stops: readonly Stop[]
  measures: readonly Measure[]
}

/** What can be asked again some days later: everything that the question needs, in JSON. */
export interface Question {
  /** The same mistake is asked once. */
  id: string
  asks: unknown
}

/** The review of a game: `games/<name>/review/index.ts`. */
export interface ReviewGame<R extends GameReview = GameReview, S extends GameState = GameState, E extends GameEvent = GameEvent> {
  tell(review: R, story: Story<S, E>, seat: number): ReviewTold
  /** How much was played out for it, in words. */
  depth?(review: R): string
  /** The table at a stop, with what was done and what could have been. `judge` asks the server about another choice. */
  Stage: Component<{
    review: R
    story: Story<S, E>
    seat: number
    stop: Stop
    judge: (line: number, command: Command) => Promise<Judged>
    /** How the game went: it stands beside the table, or above it. */
    chart: Snippet
  }>
  /** What else there is to learn of this player. */
  More?: Component<{ review: R; seat: number }>
  questions(review: R, story: Story<S, E>, seat: number): Question[]
  /** A question of this game; `answered` hears whether it was answered well. */
  Practise: Component<{ asks: unknown; answered: (right: boolean) => void }>
}

/** The site handles states and events of a game without looking into them, so it may take any game for the plain one. */
export const asGame = <S extends GameState, E extends GameEvent>(game: GameModule<S, E>): GameModule =>
  game as unknown as GameModule

export const asAfter = <S extends GameState, E extends GameEvent>(after: AfterGame<S, E>): AfterGame =>
  after as unknown as AfterGame

export const asReview = <R extends GameReview, S extends GameState, E extends GameEvent>(review: ReviewGame<R, S, E>): ReviewGame =>
  review as unknown as ReviewGame

/** A chapter of the rules. */
export interface Chapter {
  title: string
  lines: string[]
  examples?: { signs: string[]; text: string }[]
}

type Page<Props extends Record<string, unknown> = Record<string, never>> = Promise<{ default: Component<Props> }>

export interface Drill {
  name: string
  title(): string
  text(): string
}

/** A page of a game's own, by its path; a group in it is what the page is told. */
export interface OwnPage {
  path: RegExp
  load(): Page<never>
}

/** A game that can be played; those that are not in the lists have pages of their own. */
export interface Playable {
  name: string
  title: string | (() => string)
  pages?: readonly OwnPage[]
  load(): Promise<{ default: GameModule }>
}

/** A game in the lists of the start page and of the lessons. What is large comes when it is asked for. */
export interface Listing extends Playable {
  /** The same in every language. */
  title: string
  /** Three signs that make a SET, to show on the start page. */
  signs: readonly string[]
  about(): string
  playNow(): string
  /** How long a game that begins with one click is, in games whose length can be chosen: at first, and in words. */
  length?: { first?: number; words(count: number): string }
  lesson: { title(): string; text(): string; sign: string; load(): Page }
  /** Each is a page at /learn/<its name>, which is told that name. */
  drills?: { all: readonly Drill[]; load(): Page<{ drill: string }> }
  chapters(): Promise<{ chapters: () => Chapter[] }>
}
