/** The keys of puzzles: digits for choices, the rows of the keyboard for what lies there, as at the card table. */

import { m } from '../../language.svelte'
import { COMMON, type KeyGuide, type Shortcut } from '../../table/keys'

export const YES: Shortcut = { action: 'yes', code: 'KeyJ', says: () => m.puzzle_key_yes() }
export const NO: Shortcut = { action: 'no', code: 'KeyN', says: () => m.puzzle_key_no() }

export const keys: KeyGuide = {
  shortcuts: [YES, NO, ...COMMON.filter(({ action }) => action !== 'hint')],
  fixed: [
    { keys: () => '1 … 6', says: () => m.puzzle_key_digits() },
    { keys: () => 'Q … V', says: () => m.puzzle_key_letters() },
    { keys: () => '← ↑ → ↓, Enter', says: () => m.puzzle_key_arrows() },
    { keys: () => 'Esc', says: () => m.key_escape() },
  ],
}

const ROWS = ['QWER', 'ASDF', 'ZXCV']

/** The place that a letter key stands for: three rows, in groups of three from the left. */
export function placeOfKey(code: string): number | null {
  const letter = /^Key(.)$/.exec(code)?.[1] ?? ''
  const row = ROWS.findIndex((letters) => letter && letters.includes(letter))
  return row < 0 ? null : ROWS[row]!.indexOf(letter) * 3 + row
}
