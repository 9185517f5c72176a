/** How a game of dice went, turn by turn. */

import { editionOf } from '../../editions/editions'
import { cellOf } from '../../editions/squares'
import type { CubedEvent, CubedPlacement as Placement, CubedState } from '../../protocol'
import type { Story } from '../module'
import { judge, type NewSet } from './turns'

export interface Turn {
  seq: number
  seat: number
  round: number
  placements: readonly Placement[]
  sets: NewSet[]
  points: number
  bonus: number
  /** What wilds added to the points. */
  wild: number
  /** The sum of this seat's points with this turn. */
  total: number
}

export type CubedStory = Story<CubedState, CubedEvent>

/** Every turn of the game, passes too. */
export function turnsOf({ entries, states }: Pick<CubedStory, 'entries' | 'states'>): Turn[] {
  return entries.flatMap(({ seq, event }, place) => {
    if (event.kind !== 'opened' && event.kind !== 'laid' && event.kind !== 'passed') return []
    const { seat } = event
    const scored = event.kind === 'passed' ? NOTHING : scoreOf(states[place]!, event)
    const total = states[place + 1]!.scores[seat]!
    return [{ seq, seat, round: states[place]!.round, total, ...scored }]
  })
}

type Scored = Pick<Turn, 'placements' | 'sets' | 'points' | 'bonus' | 'wild'>

const NOTHING: Scored = { placements: [], sets: [], points: 0, bonus: 0, wild: 0 }

/** What each SET of a turn scored. An opening SET is all of the player's own dice. */
export function scoreOf(before: CubedState, event: CubedEvent & { kind: 'opened' | 'laid' }): Scored {
  const { placements, points } = event
  if (event.kind === 'opened') {
    const squares = placements.map(({ square }) => square)
    return { placements, sets: [{ squares, laid: squares, points }], points, bonus: 0, wild: 0 }
  }
  const edition = editionOf(before.options.edition)
  const { sets, bonus } = judge(edition, before.board, placements)
  const laid = new Map(placements.map((placement) => [placement.square, placement.wild ?? false]))
  const isWild = (square: string) => laid.get(square) ?? before.board[cellOf(edition.layout, square)]?.wild ?? false
  const wild = sets.reduce((sum, set) => sum + set.points - set.squares.filter((square) => !isWild(square)).length, 0)
  return { placements, sets, points, bonus, wild }
}

/** The turn with the most points; of these the first. Undefined if nothing was laid. */
export const bestTurn = (turns: readonly Turn[]): Turn | undefined =>
  turns.reduce<Turn | undefined>((best, turn) => (turn.points > (best?.points ?? 0) ? turn : best), undefined)
