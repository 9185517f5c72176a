/** Turns of dice as `tercet` writes them, whichever dice they are laid with: "2GS@e5 *1RO@e6". */

import { rowCol } from '../../editions/squares'
import type { CubedPlacement } from '../../protocol'

export const turnText = (placements: readonly CubedPlacement[]): string =>
  placements
    .map((one) => ({ ...one, ...rowCol(one.square) }))
    .sort((a, b) => a.row - b.row || a.col - b.col)
    .map(({ square, face, wild }) => `${wild ? '*' : ''}${face}@${square}`)
    .join(' ')

/** What is laid; nothing for "-", which is to pass. */
export const placementsOf = (text: string): CubedPlacement[] =>
  text.split(' ').flatMap((one) => {
    const [, wild, face, square] = /^(\*?)(\w+)@(\w+)$/.exec(one) ?? []
    return face && square ? [{ square, face, wild: wild !== '' }] : []
  })
