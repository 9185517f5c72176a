/** How cards lie on a screen: as large as they can, in groups of three that are columns or rows. */

export interface TableLayout {
  columns: number
  rows: number
  /** Groups of three are columns on a wide table and rows on a narrow one. */
  wide: boolean
  upright: boolean
  width: number
  height: number
}

const SIDES = 1.5
/** Where there is height to spare, lying cards are so much nearer to a square, and what is printed on them is larger. */
const LEAST_SIDES = 1.2
/** So many cards are thought of when the kind of layout is chosen, so that three more cards do not turn it round; on a narrow
 * table also when they are measured, so that three more move none. */
const CARDS_IN_MIND = 15
/** A phone that is held upright. */
const NARROW = 500
const LARGEST = 400

export function layOut(cards: number, width: number, height: number, gap: number): TableLayout {
  const kinds = [true, false].flatMap((wide) => [true, false].map((upright) => ({ wide, upright })))
  const measured = (count: number, { wide, upright }: { wide: boolean; upright: boolean }): TableLayout => {
    const groups = Math.max(1, Math.ceil(count / 3))
    const [columns, rows] = wide ? [groups, 3] : [3, groups]
    const ratio = upright ? 1 / SIDES : SIDES
    const room = Math.min(
      (width - gap * (columns - 1)) / columns,
      ((height - gap * (rows - 1)) / rows) * ratio,
      upright ? LARGEST / SIDES : LARGEST,
    )
    const side = Math.max(24, Math.floor(room))
    const spare = upright || wide ? 0 : (height - gap * (rows - 1)) / rows
    return { columns, rows, wide, upright, width: side, height: Math.floor(Math.max(side / ratio, Math.min(side / LEAST_SIDES, spare))) }
  }
  const area = (layout: TableLayout) => layout.width * layout.height
  const best = kinds
    .map((kind) => ({ kind, area: area(measured(Math.max(cards, CARDS_IN_MIND), kind)) }))
    .reduce((a, b) => (b.area > a.area ? b : a))
  return measured(best.kind.wide && width >= NARROW ? cards : Math.max(cards, CARDS_IN_MIND), best.kind)
}
