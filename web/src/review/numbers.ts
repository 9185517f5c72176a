/** Chances as people read them. */

import { isRightToLeft } from '../language.svelte'
import { numbersOf } from '../locale'

const format = (share: number, signed: boolean): string => {
  const text = numbersOf({ style: 'percent', signDisplay: signed ? 'exceptZero' : 'auto' }).format(share)
  // The sign stays before the number, whichever way the words around it run.
  return isRightToLeft() ? `\u2066${text.replace('-', '−')}\u2069` : text.replace('-', '−')
}

/** "58%", or "58 %". */
export const percent = (share: number): string => format(share, false)

/** "+12%", "−9%". */
export const change = (share: number): string => format(share, true)
