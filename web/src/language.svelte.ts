/** The messages of the language in use. One language is loaded at a time, and of a game only what is asked for. */

import { LANGUAGES, parts as sources, type Messages } from './catalogue'
import { settings, type Language } from './settings.svelte'

export { LANGUAGES }

let current = $state.raw<Messages>({} as Messages)
let spoken = $state<Language>('en')
/** The site and the games whose words are here. */
const parts = new Set(['site'])

const wordsOf = async (part: string, language: Language): Promise<object> =>
  (await sources[part]!()).load[language]!()

/** The messages: `m.play_now()`. Whatever shows one changes when the language does. */
export const m: Messages = new Proxy({} as Messages, {
  get: (_, key) => current[key as keyof Messages],
})

/** A message by a name made at run time, such as one for a refusal's code; undefined if there is none. */
export const messageNamed = (name: string): ((inputs: Record<string, unknown>) => string) | undefined =>
  (current as unknown as Record<string, (inputs: Record<string, unknown>) => string>)[name]

export const language = (): Language => spoken
export const isRightToLeft = (): boolean => LANGUAGES[spoken].direction === 'rtl'

/** The first language of the browser that we speak. */
export function detectLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0]!
    for (const [ours, { also }] of Object.entries(LANGUAGES))
      if (code === ours || (also as readonly string[]).includes(code)) return ours as Language
  }
  return 'en'
}

export async function speak(chosen: Language | null = settings.language): Promise<void> {
  const next = chosen && chosen in LANGUAGES ? chosen : detectLanguage(navigator.languages)
  let words: object[] = []
  while (words.length < parts.size) words = await Promise.all([...parts].map((part) => wordsOf(part, next)))
  current = Object.assign({}, ...words) as Messages
  spoken = next
  document.documentElement.lang = next
  document.documentElement.dir = LANGUAGES[next].direction
}

/** From now on the words of this game are spoken too, or the chapters of its rules (`<game>-rules`). */
export async function speakOf(part: string): Promise<void> {
  if (parts.has(part)) return
  for (let asked: Language | null = null; asked !== spoken; ) {
    asked = spoken
    const words = await wordsOf(part, asked)
    if (asked === spoken) current = { ...current, ...words }
  }
  parts.add(part)
}
