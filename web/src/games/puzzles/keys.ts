/** The keys of puzzles: digits for choices, the rows of the keyboard for what lies there, as at the card table. */

import { m } from '../../language.svelte'
import { COMMON, printedOn, type KeyGuide, type Shortcut } from '../../table/keys'

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

/** Where a letter key lies on the keyboard. */
export function cellOfKey(code: string): { row: number; column: number } | null {
  const letter = /^Key(.)$/.exec(code)?.[1] ?? ''
  const row = ROWS.findIndex((letters) => letter && letters.includes(letter))
  return row < 0 ? null : { row, column: ROWS[row]!.indexOf(letter) }
}

/** What is printed on the key that lies there. */
export const letterAt = (row: number, column: number): string => printedOn(`Key${ROWS[row]?.[column] ?? ''}`)
