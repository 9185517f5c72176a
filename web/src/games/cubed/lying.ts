import { editionOf } from '../../editions/editions'
import { squareOf } from '../../editions/squares'
import type { CubedState, Die } from '../../protocol'

/** The dice on the board by their squares. */
export function lyingOn({ board, options }: CubedState): Map<string, Die> {
  const { layout } = editionOf(options.edition)
  return new Map(board.flatMap((die, cell) => (die ? [[squareOf(layout, cell), die] as const] : [])))
}
