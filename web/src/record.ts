/** A record in its JSON lines form: read, replayed step by step, and checked against its seed. */

import { commit, Seeded } from './fairness'
import type { Entry, GameModule, GameState } from './games/module'

export interface GameRecord {
  game: string
  options: object
  seats: string[]
  commitment: string
  entropy: string[]
  seed: string | null
  result: number[] | null
  /** Remarks; `Bot2` is the level of the bot on the second seat. */
  tags?: Record<string, string>
  log: Entry[]
}

export function readRecord(text: string): GameRecord {
  const [header, ...log] = text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...header, log } as unknown as GameRecord
}

/** The level of the bot on each seat; undefined for a person. */
export const botsOf = ({ seats, tags }: GameRecord): (string | undefined)[] =>
  seats.map((_, place) => tags?.[`Bot${place + 1}`])

/** The states of a game: before the first event, and after each. */
export function statesOf({ options, seats, log }: GameRecord, rules: GameModule): GameState[] {
  const states = [rules.start(options, seats.length)]
  for (const { event, at } of log) states.push(rules.evolve(states.at(-1)!, event, at))
  return states
}

export type Finding =
  | { fair: true; checked: number }
  | { fair: false; why: 'no_seed' | 'wrong_seed' | 'wrong_result' }
  | { fair: false; why: 'wrong_chance'; line: number }

/** Computes every card and throw again from the seed; `progress` hears how much of the log is done, from 0 to 1. */
export async function checkFairness(
  record: GameRecord,
  rules: GameModule,
  progress: (done: number) => void,
): Promise<Finding> {
  if (record.seed === null) return { fair: false, why: 'no_seed' }
  if ((await commit(record.seed)) !== record.commitment) return { fair: false, why: 'wrong_seed' }
  const seeded = await Seeded.from(record.seed, record.entropy)
  const states = statesOf(record, rules)
  let checked = 0
  for (const [place, { seq, event }] of record.log.entries()) {
    for (const { count, label, gave } of rules.chances(states[place]!, event)) {
      if (!gave(await seeded.below(count, label))) return { fair: false, why: 'wrong_chance', line: seq }
      checked++
    }
    progress((place + 1) / record.log.length)
  }
  if (states.at(-1)!.scores.join() !== (record.result ?? []).join()) return { fair: false, why: 'wrong_result' }
  return { fair: true, checked }
}
