/** Squares by their text: column letter, row number, `a1` at the top left. */

export type Square = string

export const squareAt = (row: number, col: number): Square =>
  (col >= 26 ? String.fromCharCode(96 + Math.floor(col / 26)) : '') + String.fromCharCode(97 + (col % 26)) + (row + 1)

export function rowCol(square: Square): { row: number; col: number } {
  const [, letters = '', digits = ''] = /^([a-z]+)(\d+)$/.exec(square) ?? []
  const col = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1
  return { row: Number(digits) - 1, col }
}

/** A board without dice. Cells count by row. */
export interface Layout {
  readonly rows: number
  readonly cols: number
  readonly logo: readonly Square[]
  readonly bonus: Readonly<Record<Square, number>>
}

export const cellOf = (layout: Layout, square: Square): number => {
  const { row, col } = rowCol(square)
  return row * layout.cols + col
}

export const squareOf = (layout: Layout, cell: number): Square =>
  squareAt(Math.floor(cell / layout.cols), cell % layout.cols)

/** Every three neighbouring cells of a row or a column that this cell is part of: at most six. */
export function runsThrough(layout: Layout, cell: number): [number, number, number][] {
  const row = Math.floor(cell / layout.cols)
  const col = cell % layout.cols
  const runs: [number, number, number][] = []
  for (let from = Math.max(0, col - 2); from <= col && from + 2 < layout.cols; from++) {
    const first = row * layout.cols + from
    runs.push([first, first + 1, first + 2])
  }
  for (let from = Math.max(0, row - 2); from <= row && from + 2 < layout.rows; from++) {
    const first = from * layout.cols + col
    runs.push([first, first + layout.cols, first + 2 * layout.cols])
  }
  return runs
}
