/** The dice game when it is over. */

import { m } from '../../language.svelte'
import type { CubedEvent, CubedState } from '../../protocol'
import { nameIn } from '../../table/racewords'
import { asAfter } from '../module'
import Replay from './Replay.svelte'
import Result from './Result.svelte'
import { IDLE_LIMIT } from './rules'
import { bestTurn, turnsOf, type Turn } from './story'

/** Why it ended though everybody had dice. */
function whyEnded(states: readonly CubedState[]): string[] {
  const last = states.at(-1)
  if (!last || last.phase !== 'over' || last.hands.some((hand) => !hand.length)) return []
  return [last.idle_rounds >= IDLE_LIMIT ? m.ended_idle() : m.ended_stuck()]
}

export default asAfter<CubedState, CubedEvent>({
  summary({ entries, states }) {
    const turns = turnsOf({ entries, states })
    const sets = turns.reduce((sum, turn) => sum + turn.marks.length, 0)
    return [m.rounds_played({ count: turns.at(-1)?.round ?? 0 }), m.sets_found({ count: sets }), ...whyEnded(states)]
  },
  figures({ names, ...story }) {
    const turns = turnsOf(story)
    const ofSeats = (count: (turns: Turn[]) => number) =>
      names.map((_, seat) => String(count(turns.filter((turn) => turn.seat === seat))))
    return [
      { title: m.best_turn(), values: ofSeats((own) => bestTurn(own)?.points ?? 0) },
      { title: m.bonus_points(), values: ofSeats((own) => own.reduce((sum, { bonus }) => sum + bonus, 0)) },
      { title: m.wild_points(), values: ofSeats((own) => own.reduce((sum, { wild }) => sum + wild, 0)) },
    ]
  },
  Result,
  quietWords(event, names) {
    const name = 'seat' in event ? nameIn(names, event.seat) : ''
    switch (event.kind) {
      case 'drew':
        return { text: m.log_drew({ name, count: event.dice.length }), signs: event.dice.map(({ face }) => face) }
      case 'drafted':
        return { text: '', signs: [] }
      default:
        return { text: m.log_began(), signs: [] }
    }
  },
  hasBegun: ({ board }) => board.some((die) => die !== null),
  Replay,
})
