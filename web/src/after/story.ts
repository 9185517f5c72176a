/** A game that is over, told from its events. */

import { recordOf } from '../api'
import { withWords } from '../games'
import type { AfterGame, Entry, GameModule, Story } from '../games/module'
import type { TakenOver } from '../protocol'
import { readRecord, statesOf, takenOverOf } from '../record'
import { isOfBot, namesAt } from '../table/sitters'

/** What a game shows when it is over, with its words. */
export const afterOf = (rules: GameModule): Promise<AfterGame> =>
  withWords('after', rules.after()).then(({ default: after }) => after)

interface Known {
  names: readonly string[]
  seat: number | null
  /** Seats that changed hands. */
  takenOver?: readonly TakenOver[]
}

export function tell(rules: GameModule, options: object, entries: readonly Entry[], { names, seat, takenOver = [] }: Known): Story {
  const states = statesOf({ options, seats: names, log: entries }, rules)
  const words = (place: number) => {
    const entry = entries[place]!
    const { seq, event } = entry
    if (isOfBot(event, seq, takenOver, [])) return { text: '', signs: [] }
    return rules.eventWords(event, namesAt(names, takenOver, seq), states[place + 1], rules.isLate?.(states[place]!, entry))
  }
  return { names, seat, entries, states, words }
}

/** For whoever was not there when it was played, or has come back since. */
export async function fetchStory(rules: GameModule, game: string, known: Known): Promise<Story> {
  const record = readRecord(await recordOf(game))
  return tell(rules, record.options, record.log, { ...known, takenOver: takenOverOf(record) })
}
