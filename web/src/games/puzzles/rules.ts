/** Puzzles, event by event: the mirror of `tercet.puzzles`. */

import { findSets, isSet, third } from '../../sets'
import type { PuzzleEvent, PuzzleItem, PuzzleOptions, PuzzleRunner, PuzzleState } from '../../protocol'

/** What the site keeps beside what the server tells: the points by seat, and that there are no rounds. */
export type State = PuzzleState & { round: number; scores: number[] }

export const withScores = (state: PuzzleState): State => ({ ...state, round: 1, scores: state.runners.map(({ score }) => score) })

/** What each has, in ms, by what is played; undefined where only the time taken counts (Z4). */
const LIMIT_MS: Partial<Record<Required<PuzzleOptions>['kind'], number>> = { storm: 180_000, race: 90_000 }
/** How long all are at the line of a race before it begins. */
const LINE_MS = 3000
export const ERROR_MS = 10_000
const BONUS_MS: Record<number, number> = { 5: 3000, 12: 5000, 20: 7000, 30: 10_000 }

/** What so many right answers in a row give back. */
export function bonusOf(kind: PuzzleOptions['kind'], combo: number): number {
  if (kind !== 'storm') return 0
  return combo > 30 && combo % 10 === 0 ? BONUS_MS[30]! : (BONUS_MS[combo] ?? 0)
}

/** At how many right answers in a row the clock gets something back next, and how much. */
export function nextBonus(combo: number): { at: number; ms: number } {
  const at = [5, 12, 20, 30].find((one) => one > combo) ?? (Math.floor(combo / 10) + 1) * 10
  return { at, ms: bonusOf('storm', at) }
}

const RUNNER: PuzzleRunner = {
  number: 1, shown_at: 0, found: [], score: 0, right: 0, errors: 0, combo: 0, until: null, stopped_at: null, why: null,
}

export const start = (options: PuzzleOptions, seats: number): State =>
  withScores({
    options: { kind: 'storm', day: null, ...options },
    seats,
    phase: 'start',
    begins_at: null,
    items: [],
    runners: Array<PuzzleRunner>(seats).fill(RUNNER),
  })

export function evolve(state: State, event: PuzzleEvent, at: number): State {
  switch (event.kind) {
    case 'lined_up':
      return { ...state, phase: 'line', begins_at: at + LINE_MS }
    case 'began': {
      const limit = LIMIT_MS[state.options.kind]
      const runner = { ...RUNNER, shown_at: at, until: limit === undefined ? null : at + limit }
      return { ...state, phase: 'play', begins_at: null, items: event.first ? [event.first] : [], runners: Array<PuzzleRunner>(state.seats).fill(runner) }
    }
    case 'answered': {
      const items = event.next && state.items.length === event.number ? [...state.items, event.next] : state.items
      const runner = answer(state, state.runners[event.seat]!, event, at)
      return withScores({ ...state, items, runners: state.runners.with(event.seat, runner) })
    }
    case 'stopped':
      return { ...state, runners: state.runners.with(event.seat, { ...state.runners[event.seat]!, stopped_at: at, why: event.why }) }
    case 'ended':
      return { ...state, phase: 'over' }
  }
}

function answer({ options }: State, runner: PuzzleRunner, event: PuzzleEvent & { kind: 'answered' }, at: number): PuzzleRunner {
  const combo = event.right ? runner.combo + 1 : 0
  const change = event.right ? bonusOf(options.kind, combo) : -ERROR_MS
  const answered: PuzzleRunner = {
    ...runner,
    score: runner.score + event.points,
    right: runner.right + (event.right ? 1 : 0),
    errors: runner.errors + (event.right ? 0 : 1),
    combo,
    until: runner.until === null ? null : runner.until + change,
  }
  if (options.kind !== 'daily_set') return { ...answered, number: runner.number + 1, shown_at: at }
  return event.right && event.picks ? { ...answered, found: [...runner.found, event.picks.toSorted((a, b) => a - b)] } : answered
}

/** Whether these picks answer an item of cards or dice. */
export function isRight({ asked, shown, choices }: PuzzleItem, picks: readonly number[]): boolean {
  const signs = picks.map((place) => shown[place]!)
  if (asked === 'third') return choices[picks[0]!] === third(shown[0]!, shown[1]!)
  if (asked === 'is_set') return isSet(shown[0]!, shown[1]!, shown[2]!) === (picks[0] === 1)
  return isSet(signs[0]!, signs[1]!, signs[2]!)
}

/** What would have been right, for who was wrong: the SET, or three that are none. */
export function rightAnswer({ asked, shown }: PuzzleItem): { signs: string[]; right: boolean } | null {
  if (asked === 'third') return { signs: [...shown, third(shown[0]!, shown[1]!)], right: true }
  if (asked === 'is_set') return { signs: [...shown], right: isSet(shown[0]!, shown[1]!, shown[2]!) }
  const [found] = asked === 'find' ? findSets(shown) : []
  return found ? { signs: found.map((place) => shown[place]!), right: true } : null
}

/** A turn of dice is good or less good, but no error. */
export const isError = (event: PuzzleEvent, seat: number): boolean =>
  event.kind === 'answered' && event.seat === seat && !event.right && !event.placements?.length

/** What each has at first, in ms; null where only the time taken counts. */
export const limitOf = ({ options }: State): number | null => LIMIT_MS[options.kind] ?? null

/** How many things one picks for an answer. */
export const PICKS: Record<PuzzleItem['asked'], number> = { third: 1, is_set: 1, find: 3, find_all: 3, best_turn: 0 }

/** How many items or SETs there are altogether; null for as many as one can. */
export function wholeOf({ options }: State): number | null {
  return { storm: null, race: null, boards: 8, daily_set: 6, daily_cubed: 1 }[options.kind]
}

/** How much this seat has done: of boards every one counts, however good its turn was. */
export function doneBy({ options, runners }: State, seat: number): number {
  const { number, right } = runners[seat] ?? RUNNER
  return options.kind === 'boards' ? number - 1 : right
}
