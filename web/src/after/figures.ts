/** Numbers as people read them. */

import { language, m } from '../language.svelte'

/** With one digit after the point, if there is anything there: "2.9". */
export const decimal = (number: number): string => new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(number)

/** "1.2 s"; whole seconds from ten on. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000
  return m.seconds_short({ seconds: decimal(seconds < 10 ? seconds : Math.round(seconds)) })
}
