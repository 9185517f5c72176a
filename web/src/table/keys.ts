/** The keys of a table: what they do, and which they are for this person. */

import { m } from '../language.svelte'
import { settings, type Key } from '../settings.svelte'

/** How far an arrow key goes: rows down, columns to the right. */
export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/** A single key that does something at a table; `code` is where it usually lies. */
export interface Shortcut {
  action: string
  code: string
  says(): string
}

/** Keys that are what they are, as on any page. */
export interface FixedKey {
  keys(): string
  says(): string
}

/** What a game's page of keys shows. */
export interface KeyGuide {
  shortcuts: readonly Shortcut[]
  fixed: readonly FixedKey[]
}

export const CALL: Shortcut = { action: 'call', code: 'KeyL', says: () => m.key_call() }
export const SEE_NONE: Shortcut = { action: 'none', code: 'Digit0', says: () => m.key_none() }
/** The same at every table. */
export const COMMON: readonly Shortcut[] = [
  { action: 'hint', code: 'KeyI', says: () => m.key_hint() },
  { action: 'standing', code: 'KeyO', says: () => m.key_standing() },
  { action: 'lying', code: 'KeyP', says: () => m.key_lying() },
  { action: 'again', code: 'KeyK', says: () => m.key_again() },
]
/** Keys that choose a card, a die or an answer in some game, by where it lies. */
export const PICKS = /^(Key[QWERTYUASDFGHJZXCVBNM]|Digit[1-6])$/
export const HELP: Shortcut = { action: 'help', code: '?', says: () => m.key_help() }

/** What is printed on the keys that lie where a QWERTY keyboard has its letters, row by row. */
const PRINTED: Record<typeof settings.keyboard, readonly string[]> = {
  qwerty: ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM'],
  qwertz: ['QWERTZUIOP', 'ASDFGHJKL', 'YXCVBNM'],
  azerty: ['AZERTYUIOP', 'QSDFGHJKL', 'WXCVBN,'],
  dvorak: ["',.PYFGCRL", 'AOEUIDHTN', ';QJKXBM'],
  russian: ['ЙЦУКЕНГШЩЗ', 'ФЫВАПРОЛД', 'ЯЧСМИТЬ'],
  hebrew: ['/׳קראטוןםפ', 'שדגכעיחלך', 'זסבהנמצ'],
}

/** What is printed on the key that lies there. */
export function printedOn(code: string): string {
  const letter = /^Key(.)$/.exec(code)?.[1]
  if (!letter) return code.replace(/^Digit/, '')
  const row = PRINTED.qwerty.findIndex((letters) => letters.includes(letter))
  return PRINTED[settings.keyboard][row]?.[PRINTED.qwerty[row]!.indexOf(letter)] ?? letter
}

/** The key of a shortcut for this person. */
export const keyOf = ({ action, code }: Shortcut): Key => settings.keymap[action] ?? { code, shown: printedOn(code) }

/** What a key that was pressed means among these; undefined: nothing. A sign such as `/` is found wherever it is printed, but
 * where a letter lies on most keyboards only with Shift. */
export function actionOf({ code, key, shiftKey }: KeyboardEvent, shortcuts: readonly Shortcut[]): string | undefined {
  if (!settings.shortcuts) return undefined
  const signs = shiftKey || !code.startsWith('Key')
  return shortcuts.find((one) => keyOf(one).code === code || (signs && keyOf(one).code === key))?.action
}

/** Whether a single key may mean something to the table as the page is now. */
export const isForTable = (event: KeyboardEvent): boolean =>
  !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) &&
  !(event.target instanceof Element && event.target.matches('input, select, textarea')) &&
  !document.querySelector('dialog[open]')
