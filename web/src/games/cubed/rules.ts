/** The dice game, event by event: the mirror of `tercet.cubed`, for tables, for replays and for checking fairness. */

import type { CubedEvent, CubedOptions, CubedState, Die, CubedPlacement as Placement } from '../../protocol'
import { editionOf } from '../../editions/editions'
import { cellOf } from '../../editions/squares'
import { optionsOf, usual } from '../../options'
import { awayAfter, missing } from '../absence'
import type { Chance } from '../module'

/** So many rounds in a row in which somebody could have laid a die and nobody did end the game (C16). */
export const IDLE_LIMIT = 3

const USUAL_OPTIONS = usual(optionsOf('cubed')) as unknown as Required<CubedOptions>

export function start(options: CubedOptions, seats: number): CubedState {
  const full = { ...USUAL_OPTIONS, ...options }
  const { layout, dice } = editionOf(full.edition)
  return {
    options: full,
    seats,
    phase: 'start',
    round: 1,
    bag: dice.map((_, place) => place + 1),
    hands: Array.from({ length: seats }, () => []),
    board: Array<Die | null>(layout.rows * layout.cols).fill(null),
    scores: Array<number>(seats).fill(0),
    throws: Array<number>(dice.length).fill(0),
    call: null,
    barred: [],
    none: [],
    first: null,
    turn: null,
    until: null,
    draft: [],
    drafts: 0,
    laid: false,
    could_lay: false,
    idle_rounds: 0,
    rethrows: 0,
    answered: [],
    choices: [],
    away: [],
  }
}

/** The state after an event that the table announced. */
export function evolve(state: CubedState, event: CubedEvent, at: number): CubedState {
  switch (event.kind) {
    case 'began':
      return { ...state, phase: 'opening' }
    case 'drew': {
      const drawn = event.dice.map(({ number }) => number)
      const hands = put(state.hands, event.seat, [...state.hands[event.seat]!, ...event.dice])
      return countThrows({ ...state, hands, bag: state.bag.filter((number) => !drawn.includes(number)) }, event.dice)
    }
    case 'threw': {
      const shown = new Map(event.dice.map((die) => [die.number, die]))
      const hand = state.hands[event.seat]!.map((die) => shown.get(die.number) ?? die)
      const thrown = { ...state, hands: put(state.hands, event.seat, hand) }
      return countThrows(state.phase === 'opening' ? { ...thrown, barred: [], none: [] } : thrown, event.dice)
    }
    case 'called': {
      const until = at + state.options.show_seconds * 1000
      return { ...state, call: { seat: event.seat, until }, none: state.none.filter((seat) => seat !== event.seat) }
    }
    case 'missed':
      return { ...state, call: null, barred: [...state.barred, event.seat] }
    case 'saw_none':
      return { ...state, none: [...state.none, event.seat] }
    case 'opened': {
      const opened: CubedState = { ...state, phase: 'turn', call: null, barred: [], none: [], first: event.seat }
      return nextTurn(lay(opened, event.seat, event.placements, event.points), event.seat, at)
    }
    case 'laid':
      return nextTurn(lay(state, event.seat, event.placements, event.points), event.seat, at)
    case 'drafted':
      return { ...state, draft: event.placements, drafts: state.drafts + 1 }
    case 'passed':
      return nextTurn({ ...state, could_lay: state.could_lay || event.could_lay }, event.seat, at)
    case 'replaced': {
      const hand = state.hands[event.seat]!.filter((die) => die.number !== event.die.number)
      const { layout } = editionOf(state.options.edition)
      const replaced = {
        ...state,
        board: put(state.board, cellOf(layout, event.square), event.die),
        draft: [],
        hands: put(state.hands, event.seat, [...hand, event.taken]),
        could_lay: state.could_lay || event.could_lay,
      }
      return countThrows(replaced, [event.taken])
    }
    case 'round_ended':
      return endRound(state, event.then, at)
    case 'chose': {
      const answered = [...state.answered, event.seat]
      const chosen = { ...state, answered, choices: put(state.choices, event.seat, event.dice) }
      return missing(chosen, answered).length ? chosen : beginRound(chosen, at)
    }
    case 'stepped_away':
    case 'came_back': {
      const after = { ...state, away: awayAfter(state.away, event) }
      return state.phase === 'extra_roll' && !missing(after, state.answered).length ? beginRound(after, at) : after
    }
    case 'ended':
      return { ...state, phase: 'over', turn: null, until: null }
  }
}

function lay(state: CubedState, seat: number, placements: readonly Placement[], points: number): CubedState {
  const { layout } = editionOf(state.options.edition)
  const board = [...state.board]
  for (const { square, die, face, wild } of placements)
    board[cellOf(layout, square)] = { number: die ?? 0, face, wild: wild ?? false }
  const gone = placements.map(({ die }) => die)
  return {
    ...state,
    board,
    hands: put(state.hands, seat, state.hands[seat]!.filter(({ number }) => !gone.includes(number))),
    scores: put(state.scores, seat, state.scores[seat]! + points),
    laid: true,
  }
}

const nextTurn = (state: CubedState, seat: number, at: number): CubedState => ({
  ...state,
  turn: (seat + 1) % state.seats,
  until: limit(at, state.options.turn_seconds),
  draft: [],
  drafts: 0,
})

function endRound(before: CubedState, then: 'end' | 'extra_roll' | 'rethrow', at: number): CubedState {
  const state = {
    ...before,
    laid: false,
    could_lay: false,
    idle_rounds: before.laid ? 0 : before.idle_rounds + (before.could_lay ? 1 : 0),
    rethrows: before.laid || before.could_lay ? 0 : before.rethrows + 1,
  }
  if (then === 'end') return state
  const next = { ...state, round: state.round + 1 }
  if (then === 'rethrow') return beginRound(next, at)
  return {
    ...next,
    phase: 'extra_roll',
    turn: null,
    until: limit(at, state.options.extra_seconds),
    answered: [],
    choices: Array<null>(state.seats).fill(null),
  }
}

const beginRound = (state: CubedState, at: number): CubedState => ({
  ...state,
  phase: 'turn',
  turn: state.first,
  until: limit(at, state.options.turn_seconds),
  choices: [],
})

const limit = (at: number, seconds: number | null): number | null => (seconds === null ? null : at + seconds * 1000)

const countThrows = (state: CubedState, dice: readonly Die[]): CubedState => ({
  ...state,
  throws: state.throws.map((count, place) => (dice.some(({ number }) => number === place + 1) ? count + 1 : count)),
})

function put<T>(all: readonly T[], place: number, value: T): T[] {
  const next = [...all]
  next[place] = value
  return next
}

/** Dice that this event shows were drawn from the bag as it was before, if they came from there, and thrown. */
export function chances(state: CubedState, event: CubedEvent): Chance[] {
  const { dice } = editionOf(state.options.edition)
  const bag = [...state.bag]
  return thrownBy(event).flatMap(({ number, face }) => {
    const throws = state.throws[number - 1]! + 1
    const thrown: Chance = {
      count: 6,
      label: `die ${number} throw ${throws}`,
      gave: (side) => dice[number - 1]?.[side] === face,
    }
    if (event.kind !== 'drew') return [thrown]
    const [count, place] = [bag.length, bag.indexOf(number)]
    if (place >= 0) bag.splice(place, 1)
    return [{ count, label: `draw ${dice.length - count + 1}`, gave: (drawn) => drawn === place }, thrown]
  })
}

function thrownBy(event: CubedEvent): readonly Die[] {
  switch (event.kind) {
    case 'drew':
    case 'threw':
      return event.dice
    case 'replaced':
      return [event.taken]
    default:
      return []
  }
}
