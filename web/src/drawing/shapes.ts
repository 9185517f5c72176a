/** The three shapes, upright in a box of 34 by 72, and their hatching as plain lines, crisp in any size. */

type Point = readonly [number, number]
type Curve = readonly [Point, Point, Point, Point]

export const SHAPE_BOX = { width: 34, height: 72 } as const

const PERIOD = 6

/** Half of the squiggle; the other half is the same turned by 180 degrees. */
const HALF_SQUIGGLE: readonly Curve[] = [
  [[8, 5], [14, -1], [33, 2], [33, 19]],
  [[33, 19], [33, 30], [24, 33], [24, 44]],
  [[24, 44], [24, 53], [32, 57], [26, 67]],
]

const turned = ([x, y]: Point): Point => [SHAPE_BOX.width - x, SHAPE_BOX.height - y]

const SQUIGGLE: readonly Curve[] = [
  ...HALF_SQUIGGLE,
  ...HALF_SQUIGGLE.map(([a, b, c, d]): Curve => [turned(a), turned(b), turned(c), turned(d)]),
]

/** The outline of each, so far from the left. */
const OUTLINES: Record<string, (x: number) => string> = {
  diamond: (x) => `M${x + 17} 2 ${x + 32} 36 ${x + 17} 70 ${x + 2} 36Z`,
  oval: (x) => `M${x + 2} 17a15 15 0 0 1 30 0v38a15 15 0 0 1-30 0Z`,
  squiggle: (x) => {
    const at = ([left, top]: Point) => `${left + x} ${top}`
    return `M${at(SQUIGGLE[0]![0])}${SQUIGGLE.map(([, b, c, d]) => `C${at(b)} ${at(c)} ${at(d)}`).join('')}Z`
  },
}

function pointOn([a, b, c, d]: Curve, t: number): Point {
  const mix = (axis: 0 | 1) =>
    (1 - t) ** 3 * a[axis] + 3 * (1 - t) ** 2 * t * b[axis] + 3 * (1 - t) * t ** 2 * c[axis] + t ** 3 * d[axis]
  return [mix(0), mix(1)]
}

/** Where a level line crosses each shape: from and to. */
const CROSSINGS: Record<string, (y: number) => [number, number]> = {
  diamond: (y) => {
    const half = 15 * (1 - Math.abs(y - 36) / 34)
    return [17 - half, 17 + half]
  },
  oval: (y) => {
    const beyond = y < 17 ? 17 - y : y > 55 ? y - 55 : 0
    const half = Math.sqrt(15 ** 2 - beyond ** 2)
    return [17 - half, 17 + half]
  },
  squiggle: (y) => {
    const points = SQUIGGLE.flatMap((curve) => Array.from({ length: 24 }, (_, step) => pointOn(curve, step / 24)))
    const crossed = points.flatMap(([x, at], place) => {
      const [nextX, next] = points[(place + 1) % points.length]!
      return at <= y !== next <= y ? [x + ((y - at) / (next - at)) * (nextX - x)] : []
    })
    return [Math.min(...crossed), Math.max(...crossed)]
  },
}

const round = (value: number): number => Math.round(value * 10) / 10

/** The level lines of each: how high, and from where to where. */
const HATCHING: Record<string, readonly [number, number, number][]> = Object.fromEntries(
  Object.entries(CROSSINGS).map(([shape, crossing]) => {
    const levels = Array.from({ length: 11 }, (_, line) => PERIOD + line * PERIOD)
    const lines = levels.map((y): [number, number, number] => [y, ...crossing(y)])
    return [shape, lines.filter(([, from, to]) => to - from > 1)]
  }),
)

/** Some of the same shape, each so far from the one before: one path, since a table draws dozens of them at once. */
export interface Row {
  outline: string
  hatching: string
}

const rows = new Map<string, Row>()

export function rowOf(shape: string, count: number, apart: number): Row {
  const key = [shape, count, apart].join()
  let row = rows.get(key)
  if (!row) rows.set(key, (row = newRow(shape, count, apart)))
  return row
}

function newRow(shape: string, count: number, apart: number): Row {
  const starts = Array.from({ length: count }, (_, place) => place * apart)
  const lines = HATCHING[shape] ?? []
  return {
    outline: starts.map((x) => OUTLINES[shape]?.(x)).join(''),
    hatching: starts.flatMap((x) => lines.map(([y, from, to]) => `M${round(from + x)} ${y}H${round(to + x)}`)).join(''),
  }
}
