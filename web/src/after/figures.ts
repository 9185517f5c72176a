/** Numbers as people read them. */

import { m } from '../language.svelte'
import { decimal } from '../locale'

/** "1.2 s"; whole seconds from ten on. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000
  return m.seconds_short({ seconds: decimal(seconds < 10 ? seconds : Math.round(seconds)) })
}
