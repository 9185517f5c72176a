/** Somebody else's pace: when they had solved how much. */

import { recordOf } from '../api'
import { loadGame } from '../games'
import type { Entry, GameModule, GameState } from '../games/module'
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
  const errorMs = addedByError(rules, states[0]!)
  let added = 0
  return log.flatMap(({ at, event }, place) => {
    if (pace.isError(event, seat)) added += errorMs
    const [before, after] = [pace.done(states[place]!, seat), pace.done(states[place + 1]!, seat)]
    return after > before ? [at - begun + added] : []
  })
}

/** What an error adds to the time that counts; nothing where it takes from the time that is left. */
export const addedByError = ({ pace }: GameModule, state: GameState): number =>
  !pace || (pace.limit?.(state) ?? null) !== null ? 0 : pace.errorMs(state.options)

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
