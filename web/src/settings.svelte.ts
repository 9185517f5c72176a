/** What a person chose, kept in this browser. */

import type { LANGUAGES } from './catalogue'

export type Language = keyof typeof LANGUAGES
export const KEYBOARDS = ['qwerty', 'qwertz', 'azerty', 'dvorak', 'russian', 'hebrew'] as const

/** How much a screen reader is told. */
export type Speech = 'short' | 'usual' | 'full'

/** A key of the keyboard, by where it lies, and what is printed on it. */
export interface Key {
  code: string
  shown: string
}

/** As long as a table may give. */
export const SHOW_SECONDS = [5, 10, 15, 20, 30] as const

export interface Settings {
  language: Language | null
  theme: 'system' | 'light' | 'dark'
  palette: 'ink' | 'wide'
  /** Letters on cards and dice, beside the drawing. */
  marks: boolean
  motion: 'system' | 'less' | 'full'
  /** 0 is silent. */
  volume: number
  /** Whether sound is wanted has been asked once. */
  soundAsked: boolean
  keyboard: (typeof KEYBOARDS)[number]
  /** Show the key of each card on it. */
  keys: boolean
  /** Letters, digits and signs do something at the table. */
  shortcuts: boolean
  /** The keys that are not the usual ones, by what they do. */
  keymap: Record<string, Key>
  speech: Speech
  /** How long one may take to show a SET after the call, in games that begin with one click. */
  showSeconds: number
  /** At new tables bots play at once, and take no time that one could follow. */
  quickBots: boolean
}

const USUAL: Settings = {
  language: null,
  theme: 'system',
  palette: 'ink',
  marks: false,
  motion: 'system',
  volume: 0,
  soundAsked: false,
  keyboard: 'qwerty',
  keys: false,
  shortcuts: true,
  keymap: {},
  speech: 'usual',
  showSeconds: 5,
  quickBots: false,
}

const PLACE = 'tercet.settings'

/** Something kept in the browser under a name; what is not there, or is damaged, is as usual. */
export function recall<T extends object>(place: string, usual: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...usual, ...kept } : usual
  } catch {
    return usual
  }
}

export function keep(place: string, value: unknown): void {
  try {
    localStorage.setItem(place, JSON.stringify(value))
  } catch {
    // A browser without storage plays on, and forgets.
  }
}

export const settings: Settings = $state(recall(PLACE, USUAL))

const darkByNight = matchMedia('(prefers-color-scheme: dark)')
let nightfall = $state(darkByNight.matches)
darkByNight.addEventListener('change', () => (nightfall = darkByNight.matches))

/** Keeps the document and the store in step with the settings, for as long as the page lives. */
export function applySettings(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement
      const dark = settings.theme === 'dark' || (settings.theme === 'system' && nightfall)
      root.dataset.theme = dark ? 'dark' : 'light'
      root.dataset.palette = settings.palette
      root.dataset.motion = settings.motion
    })
    $effect(() => keep(PLACE, settings))
  })
}

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether things may move on the screen. */
export const mayMove = (): boolean =>
  settings.motion === 'full' || (settings.motion === 'system' && !stillness.matches)
