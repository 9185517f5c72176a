/** Scramble, event by event: the mirror of `tercet.scramble`, for tables, for replays and for checking fairness. */

import { editionOf } from '../../editions/editions'
import { optionsOf, usual } from '../../options'
import type { Die, ScrambleEvent, ScrambleOptions, ScrambleState } from '../../protocol'
import type { Chance } from '../module'
import { evolveRace, PAUSE_MS, scoreSet, startRace } from '../race'

const USUAL_OPTIONS = usual(optionsOf('scramble')) as unknown as Required<ScrambleOptions>

export const start = (options: ScrambleOptions, seats: number): ScrambleState => ({
  ...startRace(seats),
  options: { ...USUAL_OPTIONS, ...options },
  thrower: 0,
  dice: [],
  throw_due: null,
})

/** The state after an event that the table announced. */
export function evolve(state: ScrambleState, event: ScrambleEvent, at: number): ScrambleState {
  switch (event.kind) {
    case 'thrown':
      return { ...state, phase: 'play', dice: event.dice, taken: state.taken.map(() => 0), throw_due: null }
    case 'took':
      return { ...scoreSet(state, event.seat), dice: state.dice.map((die) => (isAmong(event.dice, die) ? null : die)) }
    case 'round_ended':
      return {
        ...state,
        phase: 'deal',
        round: state.round + 1,
        thrower: (state.thrower + 1) % state.seats,
        dice: [],
        locked: [],
        none: [],
        throw_due: at + PAUSE_MS,
      }
    case 'ended':
      return { ...state, phase: 'over', round: state.options.rounds, throw_due: null }
    default:
      return evolveRace(state, event, at)
  }
}

const isAmong = (dice: readonly Die[], die: Die | null): boolean => dice.some(({ number }) => number === die?.number)

/** Place by place, one of the dice that are left came to lie there, and showed one of its faces. */
export function chances(state: ScrambleState, event: ScrambleEvent): Chance[] {
  if (event.kind !== 'thrown') return []
  const edition = editionOf(state.options.edition)
  const left = event.dice.map((_, place) => place + 1)
  const label = `round ${state.round}`
  return event.dice.flatMap(({ number, face }, place) => {
    const [count, index, faces] = [left.length, left.indexOf(number), edition.dice[number - 1] ?? []]
    if (index >= 0) left.splice(index, 1)
    return [
      { count, label: `${label} place ${place + 1}`, gave: (drawn: number) => drawn === index },
      { count: faces.length, label: `${label} die ${number}`, gave: (thrown: number) => faces[thrown] === face },
    ]
  })
}
