/** A record in its JSON lines form: read, replayed step by step, and checked against its seed. */

import type {
  CardEntry,
  CardEvent,
  CardOptions,
  CardState,
  CubedEntry,
  CubedEvent,
  CubedOptions,
  CubedState,
  Die,
} from '../protocol'
import { evolveCards, packOf, startCards } from './cards'
import { evolveCubed, startCubed } from './cubed'
import { editionOf } from './editions'
import { commit, Seeded } from './fairness'

interface Header {
  seats: string[]
  commitment: string
  entropy: string[]
  seed: string | null
  result: number[] | null
  /** Remarks; `Bot2` is the level of the bot on the second seat. */
  tags?: Record<string, string>
}

export type GameRecord =
  | (Header & { game: 'set'; options: CardOptions; log: CardEntry[] })
  | (Header & { game: 'cubed'; options: CubedOptions; log: CubedEntry[] })

export function readRecord(text: string): GameRecord {
  const [header, ...log] = text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...header, log } as unknown as GameRecord
}

/** The level of the bot on each seat; undefined for a person. */
export const botsOf = ({ seats, tags }: GameRecord): (string | undefined)[] =>
  seats.map((_, place) => tags?.[`Bot${place + 1}`])

/** The states of a game: before the first event, and after each. */
export function cardStates({ options, seats, log }: Extract<GameRecord, { game: 'set' }>): CardState[] {
  const states = [startCards(options, seats.length)]
  for (const { event, at } of log) states.push(evolveCards(states.at(-1)!, event, at))
  return states
}

export function cubedStates({ options, seats, log }: Extract<GameRecord, { game: 'cubed' }>): CubedState[] {
  const states = [startCubed(options, seats.length)]
  for (const { event, at } of log) states.push(evolveCubed(states.at(-1)!, event, at))
  return states
}

export type Finding =
  | { fair: true; checked: number }
  | { fair: false; why: 'no_seed' | 'wrong_seed' | 'wrong_result' }
  | { fair: false; why: 'wrong_chance'; line: number }

/** Computes every card and throw again from the seed; `progress` hears how much of the log is done, from 0 to 1. */
export async function checkFairness(record: GameRecord, progress: (done: number) => void): Promise<Finding> {
  if (record.seed === null) return { fair: false, why: 'no_seed' }
  if ((await commit(record.seed)) !== record.commitment) return { fair: false, why: 'wrong_seed' }
  const chance = await Seeded.from(record.seed, record.entropy)
  const step = record.game === 'set' ? cardSteps(record) : cubedSteps(record)
  let checked = 0
  for (const [place, { seq }] of record.log.entries()) {
    const numbers = await step.check(place, chance)
    if (numbers === null) return { fair: false, why: 'wrong_chance', line: seq }
    checked += numbers
    progress((place + 1) / record.log.length)
  }
  if (step.scores().join() !== (record.result ?? []).join()) return { fair: false, why: 'wrong_result' }
  return { fair: true, checked }
}

interface Steps {
  /** How many chances of this log line came out right; null if one did not. */
  check(place: number, chance: Seeded): Promise<number | null>
  scores(): number[]
}

function cardSteps(record: Extract<GameRecord, { game: 'set' }>): Steps {
  const states = cardStates(record)
  return {
    scores: () => states.at(-1)!.scores,
    async check(place, chance) {
      const state = states[place]!
      const { event } = record.log[place]!
      const pack = packOf(state.options.only)
      const deck = event.kind === 'dealt' ? [...pack] : [...state.deck]
      const turned = turnedBy(event)
      for (const card of turned) {
        const label = `round ${state.round} card ${pack.length - deck.length + 1}`
        const [drawn] = deck.splice(await chance.below(deck.length, label), 1)
        if (drawn !== card) return null
      }
      return turned.length
    },
  }
}

function turnedBy(event: CardEvent): string[] {
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

function cubedSteps(record: Extract<GameRecord, { game: 'cubed' }>): Steps {
  const states = cubedStates(record)
  const { dice } = editionOf(states[0]!.options.edition)
  return {
    scores: () => states.at(-1)!.scores,
    async check(place, chance) {
      const state = states[place]!
      const { event } = record.log[place]!
      const bag = [...state.bag]
      const thrown = thrownBy(event)
      for (const die of thrown) {
        if (event.kind === 'drew') {
          const [drawn] = bag.splice(await chance.below(bag.length, `draw ${dice.length - bag.length + 1}`), 1)
          if (drawn !== die.number) return null
        }
        const throws = state.throws[die.number - 1]! + 1
        const side = await chance.below(6, `die ${die.number} throw ${throws}`)
        if (dice[die.number - 1]![side] !== die.face) return null
      }
      return thrown.length
    },
  }
}

function thrownBy(event: CubedEvent): Die[] {
  switch (event.kind) {
    case 'drew':
    case 'threw':
      return event.dice
    case 'replaced':
      return [event.taken]
    default:
      return []
  }
}
