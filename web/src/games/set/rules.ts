/** The card game, event by event: the mirror of `tercet.cards`, for tables, for replays and for checking fairness. */

import { optionsOf, usual } from '../../options'
import type { Card, CardEvent, CardOptions, CardState } from '../../protocol'
import type { Chance, GameEvent } from '../module'
import { add, evolveRace, PAUSE_MS, scoreSet, startRace, without } from '../race'
import { variantOf } from './variants'

const USUAL_OPTIONS = usual(optionsOf('set')) as unknown as Required<CardOptions>

/** What an error adds to the time of a sprint. */
export const ERROR_MS = 5000

export const isError = (event: GameEvent, seat: number): boolean => event.kind === 'missed' && event.seat === seat

export const start = (options: CardOptions, seats: number): CardState => ({
  ...startRace(seats),
  options: { ...USUAL_OPTIONS, ...options },
  dealer: 0,
  table: [],
  deck: [],
  last: [],
  deal_due: null,
})

export const roundsOf = (state: CardState): number => state.options.rounds ?? state.seats

/** The state after an event that the table announced. */
export function evolve(state: CardState, event: CardEvent, at: number): CardState {
  switch (event.kind) {
    case 'dealt': {
      const deck = without(variantOf(state.options).pack, event.cards)
      return { ...state, phase: 'play', table: event.cards, deck, deal_due: null }
    }
    case 'took':
      return {
        ...scoreSet(state, event.seat),
        table: refill(state.table, event.cards, event.dealt),
        deck: without(state.deck, event.dealt),
        last: variantOf(state.options).chained ? event.cards : [],
      }
    case 'missed':
      if (state.options.penalty === 'lock') return evolveRace(state, event, at)
      return { ...state, call: null, scores: add(state.scores, event.seat, -1) }
    case 'opened':
      return { ...state, table: [...state.table, ...event.cards], deck: without(state.deck, event.cards), none: [] }
    case 'shuffled':
      return { ...state, table: event.table }
    case 'round_ended':
      return {
        ...state,
        phase: 'deal',
        round: state.round + 1,
        dealer: (state.dealer + 1) % state.seats,
        table: [],
        deck: [],
        last: [],
        locked: [],
        none: [],
        deal_due: at + PAUSE_MS,
      }
    case 'ended':
      return { ...state, phase: 'over', round: roundsOf(state), deal_due: null }
    default:
      return evolveRace(state, event, at)
  }
}

/** New cards go into the gaps; where there are not enough, the last cards of the table move there. */
export function refill(table: readonly Card[], taken: readonly Card[], dealt: readonly Card[]): Card[] {
  const gaps = table.flatMap((card, place) => (taken.includes(card) ? [place] : []))
  const next = [...table]
  dealt.forEach((card, place) => (next[gaps[place]!] = card))
  const left = gaps.slice(dealt.length)
  const size = table.length - left.length
  const movers = next.slice(size).filter((_, place) => !left.includes(size + place))
  left.forEach((gap, place) => gap < size && (next[gap] = movers[place]!))
  return next.slice(0, size)
}

/** Every card that this event turns was drawn from the deck as it was before; places are changed from the last on. */
export function chances(state: CardState, event: CardEvent): Chance[] {
  if (event.kind === 'shuffled') return swaps(state, event.table)
  const { pack } = variantOf(state.options)
  const deck = event.kind === 'dealt' ? [...pack] : [...state.deck]
  return turnedBy(event).map((card) => {
    const [count, place] = [deck.length, deck.indexOf(card)]
    if (place >= 0) deck.splice(place, 1)
    return { count, label: `round ${state.round} card ${pack.length - count + 1}`, gave: (number) => number === place }
  })
}

function swaps(state: CardState, after: readonly Card[]): Chance[] {
  const table = [...state.table]
  const label = `round ${state.round} with ${state.deck.length + table.length} left, place`
  return table.slice(1).map((_, step) => {
    const place = table.length - 1 - step
    const other = table.indexOf(after[place]!)
    const fits = other >= 0 && other <= place
    if (fits) [table[place], table[other]] = [table[other]!, table[place]!]
    return { count: place + 1, label: `${label} ${place + 1}`, gave: (number) => fits && number === other }
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
