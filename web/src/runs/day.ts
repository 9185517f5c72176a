/** The days of puzzles change at midnight, UTC, also on a page that is left open. */

const MINUTE = 60_000

/** Calls back when the day that ends at this moment is over, and every minute until this is undone: the next day may not be there yet. */
export function onceOver(ends: number, then: () => void): () => void {
  let at = ends
  // A timer of hours would not run while the machine sleeps.
  const timer = setInterval(() => {
    if (Date.now() < at) return
    at = Date.now() + MINUTE
    then()
  }, MINUTE / 4)
  return () => clearInterval(timer)
}

/** When a day such as 2026-11-17 is over. */
export const endOf = (day: string): number => Date.parse(day) + 24 * 60 * MINUTE
