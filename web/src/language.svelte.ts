/** The messages of the language in use. One language is loaded at a time. */

import type * as Messages from './paraglide/messages/en.js'
import { LANGUAGES, settings, type Language } from './settings.svelte'

type Compiled = typeof Messages
/** Messages without placeholders are called without an argument. */
type Catalogue = {
  [Name in keyof Compiled]: Compiled[Name] extends (inputs: infer Inputs) => string
    ? object extends Inputs
      ? (inputs?: object) => string
      : (inputs: Inputs) => string
    : never
}

const load: Record<Language, () => Promise<unknown>> = {
  en: () => import('./paraglide/messages/en.js'),
  nb: () => import('./paraglide/messages/nb.js'),
  fi: () => import('./paraglide/messages/fi.js'),
  is: () => import('./paraglide/messages/is.js'),
  nl: () => import('./paraglide/messages/nl.js'),
  ru: () => import('./paraglide/messages/ru.js'),
  he: () => import('./paraglide/messages/he.js'),
}

/** What each language calls itself. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  nb: 'Norsk',
  fi: 'Suomi',
  is: 'Íslenska',
  nl: 'Nederlands',
  ru: 'Русский',
  he: 'עברית',
}

let current = $state.raw<Catalogue>({} as Catalogue)
let spoken = $state<Language>('en')

/** The messages: `m.play_now()`. Whatever shows one changes when the language does. */
export const m: Catalogue = new Proxy({} as Catalogue, {
  get: (_, key) => current[key as keyof Catalogue],
})

/** A message by a name made at run time, such as one for a refusal's code; undefined if there is none. */
export const messageNamed = (name: string): ((inputs: Record<string, unknown>) => string) | undefined =>
  (current as unknown as Record<string, (inputs: Record<string, unknown>) => string>)[name]

export const language = (): Language => spoken
export const isRightToLeft = (): boolean => spoken === 'he'

/** The first language of the browser that we speak. */
export function detectLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0]!
    const ours = code === 'no' || code === 'nn' ? 'nb' : code === 'iw' ? 'he' : code
    const found = LANGUAGES.find((known) => known === ours)
    if (found) return found
  }
  return 'en'
}

export async function speak(chosen: Language | null = settings.language): Promise<void> {
  const next = chosen ?? detectLanguage(navigator.languages)
  current = (await load[next]()) as Catalogue
  spoken = next
  document.documentElement.lang = next
  document.documentElement.dir = next === 'he' ? 'rtl' : 'ltr'
}
