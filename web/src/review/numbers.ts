/** Chances as people read them. */

import { isRightToLeft } from '../language.svelte'
import { numbersOf } from '../locale'

const format = (share: number, digits: number, signed: boolean): string => {
  const text = numbersOf({
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: signed ? 'exceptZero' : 'auto',
  }).format(share)
  // The sign stays before the number, whichever way the words around it run.
  return isRightToLeft() ? `\u2066${text.replace('-', '−')}\u2069` : text.replace('-', '−')
}

/** "58%", or "58 %". */
export const percent = (share: number): string => format(share, 0, false)

/** "58.3%": where numbers stand beside each other, and are subtracted. */
export const exactly = (share: number): string => format(share, 1, false)

/** "+12.4%", "−9.1%". */
export const change = (share: number): string => format(share, 1, true)
