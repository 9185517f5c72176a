/** The card game, event by event: the mirror of `tercet.cards`, for tables, for replays and for checking fairness. */

import type { Card, CardEvent, CardOptions, CardState } from '../../protocol'
import { ALL_CARDS, valuesOf } from '../../sets'
import type { Chance } from '../module'

/** How long a table waits for the dealer between two rounds. */
const PAUSE_MS = 10_000

export const USUAL_OPTIONS: Required<CardOptions> = {
  rounds: null,
  show_seconds: 5,
  honest_none: false,
  only: null,
  table: 12,
  claim: 'call',
  auto_deal: false,
  penalty: 'lock',
}

/** The cards of a round: all 81, or the 27 of the simplified game. */
export const packOf = (only: string | null): Card[] =>
  ALL_CARDS.filter((card) => only === null || Object.values(valuesOf(card)).includes(only))

export function start(options: CardOptions, seats: number): CardState {
  const nothing = Array<number>(seats).fill(0)
  return {
    options: { ...USUAL_OPTIONS, ...options },
    seats,
    phase: 'deal',
    round: 1,
    dealer: 0,
    table: [],
    deck: [],
    scores: nothing,
    taken: nothing,
    call: null,
    locked: [],
    none: [],
    deal_due: null,
  }
}

export const roundsOf = (state: CardState): number => state.options.rounds ?? state.seats

/** The state after an event that the table announced. */
export function evolve(state: CardState, event: CardEvent, at: number): CardState {
  switch (event.kind) {
    case 'dealt': {
      const deck = without(packOf(state.options.only), event.cards)
      return { ...state, phase: 'play', table: event.cards, deck, deal_due: null }
    }
    case 'called': {
      const until = at + state.options.show_seconds * 1000
      return { ...state, call: { seat: event.seat, until }, none: without(state.none, [event.seat]) }
    }
    case 'took':
      return {
        ...state,
        table: refill(state.table, event.cards, event.dealt),
        deck: without(state.deck, event.dealt),
        scores: add(state.scores, event.seat, 1),
        taken: add(state.taken, event.seat, 1),
        call: null,
        locked: [],
        none: [],
      }
    case 'missed':
      return penalise({ ...state, call: null }, event.seat)
    case 'saw_none':
      return { ...state, none: [...state.none, event.seat] }
    case 'took_back':
      return { ...state, none: without(state.none, [event.seat]) }
    case 'opened':
      return { ...state, table: [...state.table, ...event.cards], deck: without(state.deck, event.cards), none: [] }
    case 'round_ended':
      return {
        ...state,
        phase: 'deal',
        round: state.round + 1,
        dealer: (state.dealer + 1) % state.seats,
        table: [],
        deck: [],
        locked: [],
        none: [],
        deal_due: at + PAUSE_MS,
      }
    case 'ended':
      return { ...state, phase: 'over', round: roundsOf(state), deal_due: null }
  }
}

/** New cards go into the gaps; without any, the last cards of the table move there. */
export function refill(table: readonly Card[], taken: readonly Card[], dealt: readonly Card[]): Card[] {
  const gaps = table.flatMap((card, place) => (taken.includes(card) ? [place] : []))
  const size = dealt.length ? table.length : table.length - taken.length
  const filling = dealt.length ? dealt : table.slice(size).filter((card) => !taken.includes(card))
  const next = table.slice(0, size)
  gaps.filter((gap) => gap < size).forEach((gap, place) => (next[gap] = filling[place]!))
  return next
}

function penalise(state: CardState, seat: number): CardState {
  if (state.options.penalty === 'point') return { ...state, scores: add(state.scores, seat, -1) }
  const locked = [...state.locked, seat]
  return { ...state, locked: locked.length < state.seats ? locked : [] }
}

const add = (counts: readonly number[], seat: number, points: number): number[] =>
  counts.map((count, place) => (place === seat ? count + points : count))

const without = <T>(all: readonly T[], gone: readonly T[]): T[] => all.filter((one) => !gone.includes(one))

/** Every card that this event turns was drawn from the deck as it was before. */
export function chances(state: CardState, event: CardEvent): Chance[] {
  const pack = packOf(state.options.only)
  const deck = event.kind === 'dealt' ? [...pack] : [...state.deck]
  return turnedBy(event).map((card) => {
    const [count, place] = [deck.length, deck.indexOf(card)]
    if (place >= 0) deck.splice(place, 1)
    return { count, label: `round ${state.round} card ${pack.length - count + 1}`, gave: (number) => number === place }
  })
}

function turnedBy(event: CardEvent): readonly Card[] {
  switch (event.kind) {
    case 'dealt':
    case 'opened':
      return event.cards
    case 'took':
      return event.dealt
    default:
      return []
  }
}
