/** A game that is over, told from its events. */

import { recordOf } from '../api'
import { withWords } from '../games'
import type { AfterGame, Entry, GameModule, Story } from '../games/module'
import { readRecord, statesOf } from '../record'

/** What a game shows when it is over, with its words. */
export const afterOf = (rules: GameModule): Promise<AfterGame> =>
  withWords('after', rules.after()).then(({ default: after }) => after)

interface Known {
  names: readonly string[]
  seat: number | null
}

export function tell(rules: GameModule, options: object, entries: readonly Entry[], { names, seat }: Known): Story {
  const states = statesOf({ options, seats: names, log: entries }, rules)
  return { names, seat, entries, states, words: (place) => rules.eventWords(entries[place]!.event, names, states[place + 1]) }
}

/** For whoever was not there when it was played, or has come back since. */
export async function fetchStory(rules: GameModule, game: string, known: Known): Promise<Story> {
  const { options, log } = readRecord(await recordOf(game))
  return tell(rules, options, log, known)
}
