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

/** Three neighbouring cells of a row or a column. */
export type RunCells = readonly [number, number, number]

interface Runs {
  all: RunCells[]
  /** By cell: at most six each. */
  through: RunCells[][]
}

const known = new WeakMap<Layout, Runs>()

function runsIn(layout: Layout): Runs {
  const { rows, cols } = layout
  const runs: Runs = { all: [], through: Array.from({ length: rows * cols }, () => []) }
  for (let cell = 0; cell < rows * cols; cell++) if ((cell % cols) + 2 < cols) runs.all.push([cell, cell + 1, cell + 2])
  for (let cell = 0; cell + 2 * cols < rows * cols; cell++) runs.all.push([cell, cell + cols, cell + 2 * cols])
  for (const run of runs.all) for (const cell of run) runs.through[cell]!.push(run)
  return runs
}

function knownRuns(layout: Layout): Runs {
  const runs = known.get(layout) ?? runsIn(layout)
  known.set(layout, runs)
  return runs
}

export const allRuns = (layout: Layout): readonly RunCells[] => knownRuns(layout).all

/** The runs that this cell is part of. */
export const runsThrough = (layout: Layout, cell: number): readonly RunCells[] => knownRuns(layout).through[cell]!
