/** The keys of the cards: three rows of the keyboard for the three rows of the table, by where a key lies. */

import type { Settings } from '../../settings.svelte'

const ROWS = [
  ['KeyQ', 'KeyW', 'KeyE', 'KeyR', 'KeyT', 'KeyY', 'KeyU'],
  ['KeyA', 'KeyS', 'KeyD', 'KeyF', 'KeyG', 'KeyH', 'KeyJ'],
  ['KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB', 'KeyN', 'KeyM'],
] as const

/** What is printed on those keys. */
const PRINTED: Record<Settings['keyboard'], readonly string[]> = {
  qwerty: ['QWERTYU', 'ASDFGHJ', 'ZXCVBNM'],
  qwertz: ['QWERTZU', 'ASDFGHJ', 'YXCVBNM'],
  azerty: ['AZERTYU', 'QSDFGHJ', 'WXCVBN,'],
  dvorak: ["',.PYFG", 'AOEUIDH', ';QJKXBM'],
  russian: ['ЙЦУКЕНГ', 'ФЫВАПРО', 'ЯЧСМИТЬ'],
  hebrew: ['/׳קראטו', 'שדגכעיח', 'זסבהנמצ'],
}

/** The place of the card that a key stands for: cards lie in groups of three. */
export function placeOfKey(code: string): number | null {
  for (const [row, codes] of ROWS.entries()) {
    const column = (codes as readonly string[]).indexOf(code)
    if (column >= 0) return column * 3 + row
  }
  return null
}

export const keyOfPlace = (place: number, keyboard: Settings['keyboard']): string =>
  PRINTED[keyboard][place % 3]?.[Math.floor(place / 3)] ?? ''
