/** A record in its JSON lines form: read, replayed step by step, and checked against its seed. */

import { canonical, commit, commitSecret, Seeded, type Terms } from './fairness'
import type { Entry, GameModule, GameState } from './games/module'
import type { Promised } from './promises'
import type { TakenOver } from './protocol'

export interface GameRecord {
  game: string
  /** What the commitments are bound to. */
  terms: Terms
  called_off: number
  /** With all of the edition, as the record has it. */
  options: object
  seats: string[]
  commitment: string
  /** One a seat; empty for a bot. */
  commitments: string[]
  secrets: string[]
  seed: string | null
  result: number[] | null
  /** Remarks; `Bot2` is the level of the bot on the second seat. */
  tags?: Record<string, string>
  log: Entry[]
}

export function readRecord(text: string): GameRecord {
  const [header, ...log] = text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  const { game, table, number, options, edition } = header as { game: string; table: string; number: number; options: object; edition: object | null }
  const terms = { game, table, number, options: canonical(options) }
  return { ...header, terms, options: edition ? { ...options, edition } : options, log } as unknown as GameRecord
}

/** The level of the bot on each seat; undefined for a person. */
export const botsOf = ({ seats, tags }: GameRecord): (string | undefined)[] =>
  seats.map((_, place) => tags?.[`Bot${place + 1}`])

/** The seats that changed hands. Anybody can write a remark: one that cannot be read says nothing. */
export function takenOverOf({ seats, tags }: GameRecord): TakenOver[] {
  return seats.flatMap((_, seat) => {
    const [before, until] = ['Before', 'Until'].map((name) => listIn(tags?.[`${name}${seat + 1}`]))
    if (!before!.length || before!.length !== until!.length) return []
    const names = before!.map(String)
    // A person gives way to a bot, and a bot to a person; of who sat there last the record says which it is.
    const last = Boolean(tags?.[`Bot${seat + 1}`])
    const isBot = (place: number) => ((names.length - place) % 2 === 1) !== last
    const bots = names.map((name, place) => (isBot(place) ? name.replace(/ \d+$/, '').toLowerCase() : null))
    return [{ seat, before: names, bots, until: until!.map(Number) }]
  })
}

function listIn(text: string | undefined): unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? '')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** The states of a game: before the first event, and after each. */
export function statesOf(
  { options, seats, log }: { options: object; seats: readonly string[]; log: readonly Entry[] },
  rules: GameModule,
): GameState[] {
  const states = [rules.start(options, seats.length)]
  for (const { event, at } of log) states.push(rules.evolve(states.at(-1)!, event, at))
  return states
}

/** The three steps of a proof (F4): each is proved, or wrong, or stays open. */
export interface Proof {
  itself: Finding
  promised: 'proved' | 'wrong' | 'open'
  secret: 'proved' | 'wrong' | 'open'
}

export type Finding =
  | { fair: true; checked: number; brokenOff: boolean }
  | { fair: false; why: 'no_seed' | 'wrong_seed' | 'wrong_secret' | 'wrong_result' }
  | { fair: false; why: 'wrong_chance'; line: number }

/** Whether the record is what this browser was told before play, and whether its own secret is in it. */
export function compare(record: GameRecord, promised: Promised | undefined): Pick<Proof, 'promised' | 'secret'> {
  if (!promised) return { promised: 'open', secret: 'open' }
  const told = ({ terms, commitment, commitments, called_off }: GameRecord | Promised) =>
    canonical([terms, commitment, commitments, called_off])
  const { seat, secret } = promised
  const isIn = seat !== null && record.secrets[seat] === secret && record.commitments[seat] === commitSecret(secret, record.terms)
  return {
    promised: told(record) === told(promised) ? 'proved' : 'wrong',
    secret: seat === null || !secret ? 'open' : isIn ? 'proved' : 'wrong',
  }
}

/** Computes every card and throw again from the seed; `progress` hears how much of the log is done, from 0 to 1. */
export async function checkFairness(
  record: GameRecord,
  rules: GameModule,
  progress: (done: number) => void,
): Promise<Finding> {
  const { seed, secrets, commitments, terms } = record
  if (seed === null) return { fair: false, why: 'no_seed' }
  if (commit(seed, terms) !== record.commitment) return { fair: false, why: 'wrong_seed' }
  if (secrets.some((secret, seat) => (secret ? commitSecret(secret, terms) : '') !== commitments[seat]))
    return { fair: false, why: 'wrong_secret' }
  const seeded = new Seeded(seed, secrets)
  const states = statesOf(record, rules)
  let checked = 0
  for (const [place, { seq, event }] of record.log.entries()) {
    for (const { count, label, gave } of rules.chances(states[place]!, event)) {
      if (!gave(seeded.below(count, label))) return { fair: false, why: 'wrong_chance', line: seq }
      checked++
    }
    progress((place + 1) / record.log.length)
    if (place % 20 === 0) await new Promise((go) => setTimeout(go))
  }
  if (record.result && states.at(-1)!.scores.join() !== record.result.join()) return { fair: false, why: 'wrong_result' }
  return { fair: true, checked, brokenOff: record.result === null }
}
