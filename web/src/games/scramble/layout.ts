/** How dice lie on a screen: in a full rectangle, as large as they can. */

export interface Layout {
  columns: number
  rows: number
  side: number
}

const LARGEST = 112

export function layOut(places: number, width: number, height: number, gap: number): Layout {
  const whole = Array.from({ length: places }, (_, place) => place + 1).filter((columns) => places % columns === 0)
  return whole
    .map((columns) => {
      const rows = places / columns
      const room = Math.min((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows, LARGEST)
      return { columns, rows, side: Math.max(0, Math.floor(room)) }
    })
    .reduce((best, next) => (next.side > best.side ? next : best))
}

/** The place of the die that is next in a direction: straight on if it can be, else the nearest on that side. */
export function nextPlace(lies: readonly boolean[], columns: number, from: number, [down, right]: readonly [number, number]): number {
  let [best, nearest] = [from, Infinity]
  lies.forEach((there, place) => {
    if (!there) return
    const [rows, across] = [Math.floor(place / columns) - Math.floor(from / columns), (place % columns) - (from % columns)]
    const [ahead, aside] = [rows * down + across * right, Math.abs(rows * right) + Math.abs(across * down)]
    const far = ahead + 3 * aside
    if (ahead > 0 && far < nearest) [best, nearest] = [place, far]
  })
  return best
}
