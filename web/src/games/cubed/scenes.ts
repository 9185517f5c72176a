/** What happened at the table, as it is shown: one scene after another, each with the state after it. */

import { editionOf } from '../../editions/editions'
import { cellOf } from '../../editions/squares'
import type { CubedEntry, CubedEvent, CubedState } from '../../protocol'
import type { Mark } from './marks'
import { evolve } from './rules'
import { judge } from './turns'

type Event<Kind extends CubedEvent['kind']> = CubedEvent & { kind: Kind }

/** A turn with its SETs one by one: the points are theirs and the bonus. */
export interface TurnScene {
  kind: 'turn'
  event: Event<'laid' | 'opened'>
  marks: readonly Mark[]
  bonus: number
}

export interface ThrowScene {
  kind: 'throw'
  /** At the beginning, because nobody found a SET then, after a round, because nobody could lay, or as an extra roll. */
  why: 'opening' | 'none' | 'refill' | 'stuck' | 'extra'
  /** The round that is over with it. */
  round: number | null
  /** The dice by their numbers; those that are drawn come out of the bag. */
  thrown: readonly { seat: number; die: number; drawn: boolean }[]
}

type EventScene =
  | { kind: 'replaced'; event: Event<'replaced'> }
  | { kind: 'passed'; event: Event<'passed'> }
  | { kind: 'over'; event: Event<'ended'> }
  /** What is only said. */
  | { kind: 'quiet'; event: CubedEvent }

/** `seq` is the number of the event that it begins with; `timeUp`: the table did it, because the time was up; `then`: the state
 * after it when it happened, if it is shown again on the board as it is now. */
export type Scene = (TurnScene | ThrowScene | EventScene) & { seq: number; timeUp: boolean; after: CubedState; then?: CubedState }

/** How a turn is made up, told from the board on which it lies. */
export function turnOf(after: CubedState, event: Event<'laid' | 'opened'>): TurnScene {
  const { seat, placements, points } = event
  const edition = editionOf(after.options.edition)
  if (event.kind === 'opened')
    return { kind: 'turn', event, bonus: 0, marks: [{ squares: placements.map(({ square }) => square), points, seat }] }
  const before = [...after.board]
  for (const { square } of placements) before[cellOf(edition.layout, square)] = null
  const { sets, bonus } = judge(edition, before, placements)
  return { kind: 'turn', event, bonus, marks: sets.map((set) => ({ squares: set.squares, points: set.points, seat })) }
}

/** The scenes of these events, from the state before them on. */
export function scenesOf(before: CubedState, entries: readonly CubedEntry[]): Scene[] {
  const scenes: Scene[] = []
  let state = before
  for (const { seq, at, event } of entries) {
    const was = state
    state = evolve(state, event, at)
    const last = scenes.at(-1)
    if (last?.kind === 'throw' && (event.kind === 'drew' || event.kind === 'threw'))
      scenes[scenes.length - 1] = { ...last, ...withThrow(last, event), after: state }
    else scenes.push({ ...sceneOf(was, state, event), seq, timeUp: at === was.until, after: state })
  }
  return scenes
}

function sceneOf(before: CubedState, after: CubedState, event: CubedEvent): TurnScene | ThrowScene | EventScene {
  switch (event.kind) {
    case 'laid':
    case 'opened':
      return turnOf(after, event)
    case 'began':
      return newThrow('opening')
    case 'round_ended':
      if (event.then === 'end') return { kind: 'quiet', event }
      return { ...newThrow(event.then === 'rethrow' ? 'stuck' : 'refill'), round: event.round }
    case 'chose':
      return after.phase === 'turn' ? newThrow('extra') : { kind: 'quiet', event }
    case 'drew':
    case 'threw':
      if (before.phase === 'opening') return withThrow(newThrow(event.kind === 'threw' ? 'none' : 'opening'), event)
      return withThrow(newThrow('extra'), event)
    case 'replaced':
      return { kind: 'replaced', event }
    case 'passed':
      return { kind: 'passed', event }
    case 'ended':
      return { kind: 'over', event }
    default:
      return { kind: 'quiet', event }
  }
}

const newThrow = (why: ThrowScene['why']): ThrowScene => ({ kind: 'throw', why, round: null, thrown: [] })

/** A die that is thrown again and again until somebody has a SET is seen once. */
function withThrow(scene: ThrowScene, { kind, seat, dice }: Event<'drew' | 'threw'>): ThrowScene {
  const news = dice.filter(({ number }) => scene.thrown.every(({ die }) => die !== number))
  const thrown = news.map(({ number }) => ({ seat, die: number, drawn: kind === 'drew' }))
  return { ...scene, thrown: [...scene.thrown, ...thrown] }
}

/** Where the last round of others begins: after one's own last turn; for who only looks on, with the last turn of every
 * seat. */
export function lastRoundFrom(entries: readonly CubedEntry[], seats: number, me: number | null): number {
  const turns = entries.flatMap(({ event }, place) => (isTurn(event) ? [{ place, seat: event.seat }] : []))
  const own = turns.findLast(({ seat }) => seat === me)
  const lately = turns.slice(-seats)[0]
  return Math.max(own ? own.place + 1 : 0, lately?.place ?? entries.length)
}

const isTurn = (event: CubedEvent): event is Event<'laid' | 'opened' | 'passed'> =>
  event.kind === 'laid' || event.kind === 'opened' || event.kind === 'passed'
