/** A small board to be drawn. */

import { squareOf, type Square } from '../../../editions/squares'
import type { CubedPlacement as Placement } from '../../../protocol'
import type { Lying } from '../Board.svelte'
import type { Board } from '../turns'
import { SMALL } from './deal'

/** What lies there, with what is laid on top of it. */
export function diceOn(board: Board, laid: readonly Placement[] = []): Map<Square, Lying> {
  const dice = new Map<Square, Lying>()
  board.forEach((die, cell) => {
    if (die) dice.set(squareOf(SMALL.layout, cell), { face: die.face, wild: die.wild })
  })
  for (const { square, face, wild } of laid) dice.set(square, { face, wild: wild ?? false, fresh: true })
  return dice
}
