/** How dice lie on a screen: in a full rectangle, as large as they can. */

export interface Layout {
  columns: number
  rows: number
  side: number
  gap: number
}

const LARGEST = 112
/** Between two dice, of a side: dice that do not lie straight hardly touch. */
const GAP = 0.1

export function layOut(places: number, width: number, height: number): Layout {
  const whole = Array.from({ length: places }, (_, place) => place + 1).filter((columns) => places % columns === 0)
  const sideIn = (room: number, count: number) => room / (count + (count - 1) * GAP)
  return whole
    .map((columns) => {
      const rows = places / columns
      const side = Math.max(0, Math.floor(Math.min(sideIn(width, columns), sideIn(height, rows), LARGEST)))
      return { columns, rows, side, gap: Math.floor(side * GAP) }
    })
    .reduce((best, next) => (next.side > best.side ? next : best), { columns: 1, rows: 0, side: 0, gap: 0 })
}

/** The place of the next die: across in the order of reading, so that every die can be reached; up and down the nearest. */
export function nextPlace(lies: readonly boolean[], columns: number, from: number, [down, right]: readonly [number, number]): number {
  if (right) {
    let place = from + right
    while (lies[place] === false) place += right
    return lies[place] ? place : from
  }
  let [best, nearest] = [from, Infinity]
  lies.forEach((there, place) => {
    const rows = (Math.floor(place / columns) - Math.floor(from / columns)) * down
    const far = rows + 3 * Math.abs((place % columns) - (from % columns))
    if (there && rows > 0 && far < nearest) [best, nearest] = [place, far]
  })
  return best
}
