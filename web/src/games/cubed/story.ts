/** How a game of dice went, turn by turn. */

import { editionOf } from '../../editions/editions'
import { cellOf } from '../../editions/squares'
import type { CubedEvent, CubedState } from '../../protocol'
import type { Story } from '../module'
import type { Mark } from './marks'
import { turnOf, type TurnScene } from './scenes'

export interface Turn {
  seq: number
  /** Of the event among all. */
  place: number
  seat: number
  round: number
  marks: readonly Mark[]
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
  return entries.flatMap(({ seq, event }, place): Turn[] => {
    if (event.kind !== 'opened' && event.kind !== 'laid' && event.kind !== 'passed') return []
    const { seat } = event
    const after = states[place + 1]!
    const known = { seq, place, seat, round: states[place]!.round, total: after.scores[seat]! }
    if (event.kind === 'passed') return [{ ...known, marks: [], points: 0, bonus: 0, wild: 0 }]
    const turn = turnOf(after, event)
    return [{ ...known, marks: turn.marks, points: event.points, bonus: turn.bonus, wild: wildPoints(after, turn) }]
  })
}

/** Each die of a SET is a point; what wilds are worth is what is more than the others. In an opening SET it is nothing. */
function wildPoints({ board, options }: CubedState, { event, marks }: TurnScene): number {
  if (event.kind === 'opened') return 0
  const { layout } = editionOf(options.edition)
  const isPlain = (square: string) => !board[cellOf(layout, square)]!.wild
  return marks.reduce((sum, { squares, points }) => sum + points - squares.filter(isPlain).length, 0)
}

/** The turn with the most points; of these the first. Undefined if nothing was laid. */
export const bestTurn = (turns: readonly Turn[]): Turn | undefined =>
  turns.reduce<Turn | undefined>((best, turn) => (turn.points > (best?.points ?? 0) ? turn : best), undefined)
