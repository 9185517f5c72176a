/** What a chart must work out before it draws. */

export interface Spot {
  x: number
  y: number
}

const STEPS = [1, 2, 5]

/** Whole numbers at even distances that hold both ends, some four to seven of them. */
export function niceTicks(low: number, high: number): number[] {
  const rough = (high - low) / 5
  let step = 1
  for (let power = 1; step < rough; power *= 10) step = power * (STEPS.find((one) => one * power >= rough) ?? 10)
  const first = Math.floor(low / step) * step
  const count = Math.ceil((high - first) / step)
  return Array.from({ length: count + 1 }, (_, place) => first + place * step)
}

/** Minutes and seconds at even distances, some three to six of them, none at 0. */
export function timeTicks(end: number): { x: number; label: string }[] {
  const seconds = [5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600, 7200]
  const step = 1000 * (seconds.find((one) => end / 1000 / one <= 6) ?? 3600 * Math.ceil(end / 6 / 3_600_000))
  return Array.from({ length: Math.floor(end / step) }, (_, place) => (place + 1) * step).map((x) => ({ x, label: clockTime(x) }))
}

const DIGIT = 9

/** Those whose labels, written in the middle below their places, do not touch the one before. */
export function legible<T extends { x: number; label: string }>(ticks: readonly T[]): T[] {
  let free = -Infinity
  return ticks.filter(({ x, label }) => {
    const half = (label.length * DIGIT) / 2
    const fits = x - half >= free
    if (fits) free = x + half
    return fits
  })
}

/** "3:50", "1:02:03". */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

export function lineThrough(spots: readonly Spot[], stepped: boolean): string {
  const text = ({ x, y }: Spot) => `${x.toFixed(1)} ${y.toFixed(1)}`
  return spots
    .map((spot, place) => {
      if (!place) return `M${text(spot)}`
      return stepped ? `H${spot.x.toFixed(1)}V${spot.y.toFixed(1)}` : `L${text(spot)}`
    })
    .join('')
}

/** The same heights, moved so far that no two are nearer than `distance`, and all stay between the ends. */
export function apart(heights: readonly number[], distance: number, [top, bottom]: readonly [number, number]): number[] {
  const order = heights.map((_, place) => place).sort((a, b) => heights[a]! - heights[b]!)
  const moved = [...heights]
  const room = (bottom - top) / Math.max(1, heights.length - 1)
  const gap = Math.min(distance, room)
  let free = top
  for (const place of order) free = (moved[place] = Math.max(moved[place]!, free)) + gap
  free = bottom
  for (const place of order.reverse()) free = (moved[place] = Math.min(moved[place]!, free)) - gap
  return moved
}
