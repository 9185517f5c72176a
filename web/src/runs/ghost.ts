/** Somebody else's pace: when they had solved how much. */

import { recordOf } from '../api'
import { loadGame } from '../games'
import type { Entry, GameModule } from '../games/module'
import { readRecord, statesOf } from '../record'

export interface Ghost {
  name: string
  /** When there were one, two and so on, by the time that counts: since the first cards, and with what errors added. */
  times: readonly number[]
}

/** When this seat had solved the first, the second and so on, by the time that counts. */
export function splitsOf(rules: GameModule, options: object, names: readonly string[], log: readonly Entry[], seat: number): number[] {
  const pace = rules.pace
  if (!pace) return []
  const states = statesOf({ options, seats: names, log }, rules)
  const begun = beginningOf(log)
  const adds = (pace.limit?.(states[0]!) ?? null) === null
  let added = 0
  return log.flatMap(({ at, event }, place) => {
    const [was, is] = [states[place]!, states[place + 1]!]
    if (adds) added += pace.costMs(event, seat, is)
    const [before, after] = [pace.done(was, seat), pace.done(is, seat)]
    return after > before ? [at - begun + added] : []
  })
}

/** The clock runs from the first cards on. */
export const beginningOf = (log: readonly Entry[]): number =>
  log.find(({ event }) => event.kind === 'dealt' || event.kind === 'began')?.at ?? 0

/** A run that was played, as a ghost that runs at its own pace. */
export async function ghostOf(game: string, seat: number, name: string): Promise<Ghost> {
  const record = readRecord(await recordOf(game))
  return { name, times: splitsOf(await loadGame(record.game), record.options, record.seats, record.log, seat) }
}

/** One that always takes as long. */
export const evenGhost = (name: string, wholeMs: number, count: number): Ghost => ({
  name,
  times: Array.from({ length: count }, (_, place) => (wholeMs * (place + 1)) / count),
})

/** How many it had by then. */
export const doneBy = ({ times }: Ghost, ms: number): number => times.findLastIndex((at) => at <= ms) + 1
