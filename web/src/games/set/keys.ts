/** The keys of the card table: three rows of the keyboard for the three rows of the table, by where a key lies. */

import { m } from '../../language.svelte'
import { CALL, COMMON, keyOf, printedOn, SEE_NONE, type KeyGuide, type Shortcut } from '../../table/keys'

const ROWS = ['QWERTYU', 'ASDFGHJ', 'ZXCVBNM']

const TYPE: Shortcut = { action: 'type', code: '/', says: () => m.key_type() }

export const SHORTCUTS: readonly Shortcut[] = [CALL, SEE_NONE, ...COMMON, TYPE]

export const keys: KeyGuide = {
  shortcuts: SHORTCUTS,
  fixed: [
    { keys: () => m.key_space(), says: () => m.key_space_says() },
    { keys: () => '← ↑ → ↓, Enter', says: () => m.key_arrows_cards() },
    { keys: () => `${keyOfPlace(0)} … ${keyOfPlace(20)}`, says: () => m.key_letters() },
    { keys: () => '1 2 3', says: () => m.key_last_set() },
    { keys: () => 'Esc', says: () => m.key_escape() },
  ],
}

const codeOf = (place: number): string => `Key${ROWS[place % 3]?.[Math.floor(place / 3)] ?? ''}`

/** The place of the card that a key stands for: cards lie in groups of three. */
export function placeOfKey(code: string): number | null {
  const row = ROWS.findIndex((letters) => letters.includes(code.replace(/^Key/, '')))
  return /^Key.$/.test(code) && row >= 0 ? ROWS[row]!.indexOf(code.at(-1)!) * 3 + row : null
}

/** The card that a key stands for: on the table, or of the SET taken last. */
export function cardOfKey(code: string, { table, last }: { table: readonly string[]; last: readonly string[] }): string | undefined {
  const place = placeOfKey(code)
  return /^Digit[1-3]$/.test(code) ? last[Number(code.at(-1)) - 1] : place === null ? undefined : table[place]
}

/** What is printed on the key of a place; empty if that key does something else. */
export const keyOfPlace = (place: number): string =>
  SHORTCUTS.some((shortcut) => keyOf(shortcut).code === codeOf(place)) ? '' : printedOn(codeOf(place))
