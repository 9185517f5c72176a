/** SETs outlined on the board with their points: which squares, in whose colour, and where the number stands. */

import { rowCol, type Layout, type Square } from '../../editions/squares'

/** A SET to outline: its three squares, what it scored, and the seat whose colour it has. */
export interface Mark {
  readonly squares: readonly Square[]
  readonly points: number
  readonly seat: number
}

/** A mark on the grid, in squares from the top left corner. `lane`: SETs that overlap in one line lie within each other. */
export interface Outline extends Mark {
  top: number
  left: number
  rows: number
  cols: number
  lane: number
  /** The corner on which the number stands. */
  badge: { top: number; left: number }
}

/** Numbers nearer than this would cover each other. */
const APART = 0.6

export function outlines(layout: Layout, marks: readonly Mark[]): Outline[] {
  const found: Outline[] = []
  for (const mark of marks) {
    const places = mark.squares.map(rowCol)
    const [top, bottom] = [Math.min(...places.map(({ row }) => row)), Math.max(...places.map(({ row }) => row))]
    const [left, right] = [Math.min(...places.map(({ col }) => col)), Math.max(...places.map(({ col }) => col))]
    const box = { top, left, rows: bottom - top + 1, cols: right - left + 1 }
    const inLine = found.filter((other) => overlapsInLine(box, other)).map(({ lane }) => lane)
    const corners = cornersOf(box)
    const free = corners.find((corner) => isIn(layout, corner) && found.every(({ badge }) => distance(badge, corner) >= APART))
    found.push({
      ...mark,
      ...box,
      lane: [0, 1, 2].find((lane) => !inLine.includes(lane)) ?? 0,
      badge: free ?? corners[0]!,
    })
  }
  return found
}

type Box = Pick<Outline, 'top' | 'left' | 'rows' | 'cols'>
type Corner = Outline['badge']

function overlapsInLine(one: Box, other: Box): boolean {
  if (one.rows !== other.rows || one.cols !== other.cols) return false
  return one.rows === 1
    ? one.top === other.top && Math.abs(one.left - other.left) < one.cols
    : one.left === other.left && Math.abs(one.top - other.top) < one.rows
}

/** The end at the right first, then the others. */
function cornersOf({ top, left, rows, cols }: Box): Corner[] {
  const [right, bottom] = [left + cols, top + rows]
  return rows === 1
    ? [{ top, left: right }, { top, left }, { top: bottom, left: right }, { top: bottom, left }]
    : [{ top, left: right }, { top: bottom, left: right }, { top, left }, { top: bottom, left }]
}

const isIn = ({ rows, cols }: Layout, { top, left }: Corner): boolean => top >= 0 && left >= 0 && top <= rows && left <= cols

const distance = (one: Corner, other: Corner): number => Math.hypot(one.top - other.top, one.left - other.left)
