/** What those games have in common in which everybody looks for a SET at once: calls, locks and agreement (K2 to K4, K6). */

import type { CameBack, SteppedAway } from '../protocol'
import { awayAfter, missing } from './absence'
import type { GameState, SeatMarks } from './module'

export interface RaceState extends GameState {
  options: { claim: 'call' | 'instant'; show_seconds: number; auto_deal?: boolean; honest_none?: boolean }
  seats: number
  phase: 'deal' | 'play' | 'over'
  taken: number[]
  scores: number[]
  call: { seat: number; until: number } | null
  locked: number[]
  none: number[]
  away: number[]
}

export type RaceEvent = { kind: 'called' | 'missed' | 'saw_none' | 'took_back'; seat: number } | SteppedAway | CameBack

/** How long a table waits between two rounds for whoever deals or throws. */
export const PAUSE_MS = 10_000

/** A table at the beginning of a game. */
export const startRace = (seats: number) => ({
  seats,
  phase: 'deal' as const,
  round: 1,
  scores: Array<number>(seats).fill(0),
  taken: Array<number>(seats).fill(0),
  call: null,
  locked: [],
  none: [],
  away: [],
})

export function evolveRace<S extends RaceState>(state: S, event: RaceEvent, at: number): S {
  const { seat } = event
  switch (event.kind) {
    case 'called':
      return { ...state, call: { seat, until: at + state.options.show_seconds * 1000 }, none: without(state.none, [seat]) }
    case 'missed':
      return release({ ...state, call: null, locked: [...state.locked, seat] })
    case 'saw_none':
      return { ...state, none: [...state.none, seat] }
    case 'took_back':
      return { ...state, none: without(state.none, [seat]) }
    case 'stepped_away':
    case 'came_back':
      return release({ ...state, away: awayAfter(state.away, event) })
  }
}

/** When all who count are locked out, nobody is. */
const release = <S extends RaceState>(state: S): S => (missing(state, state.locked).length ? state : { ...state, locked: [] })

/** The seats whose word is waited for: once somebody sees none, those who have not said so. */
export const awaitedInRace = (state: RaceState): number[] =>
  state.phase === 'play' && state.none.length ? missing(state, state.none) : []

/** Somebody has a SET: a point, and everybody may call again. */
export const scoreSet = <S extends RaceState>(state: S, seat: number): S => ({
  ...state,
  scores: add(state.scores, seat, 1),
  taken: add(state.taken, seat, 1),
  call: null,
  locked: [],
  none: [],
})

export const add = (counts: readonly number[], seat: number, points: number): number[] =>
  counts.map((count, place) => (place === seat ? count + points : count))

export const without = <T>(all: readonly T[], gone: readonly T[]): T[] => all.filter((one) => !gone.includes(one))

export const raceMarks = (state: RaceState, seat: number): SeatMarks => ({
  score: state.scores[seat] ?? 0,
  pile: state.taken[seat] ?? 0,
  active: state.call?.seat === seat,
  locked: state.locked.includes(seat),
  none: state.none.includes(seat),
})
