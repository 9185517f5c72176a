/** Chances as people read them. */

import { numbersOf } from '../locale'

const format = (share: number, signed: boolean): string => {
  const text = numbersOf({ style: 'percent', signDisplay: signed ? 'exceptZero' : 'auto' }).format(share)
  return text.replace('-', '−')
}

/** "58%", or "58 %". */
export const percent = (share: number): string => format(share, false)

/** "+12%", "−9%". */
export const change = (share: number): string => format(share, true)
