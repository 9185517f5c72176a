/** What a screen reader should say: short sentences, each by itself, spoken in the order in which they came. */

import { untrack } from 'svelte'
import { settings, type Speech } from './settings.svelte'

interface Sentence {
  id: number
  text: string
}

/** Enough for all that happens at once; older ones are spoken. */
const KEPT = 8
const LEVELS: readonly Speech[] = ['short', 'usual', 'full']

let sentences = $state.raw<readonly Sentence[]>([])
let count = 0

export const spoken = (): readonly Sentence[] => sentences

/** What was said on another page is not read here. */
export const hush = (): void => void (sentences = [])

/** The last one again. */
export const sayAgain = (): void => announce(sentences.at(-1)?.text ?? '')

/** Whether somebody wants to hear so much. */
export const isWanted = (level: Speech): boolean => LEVELS.indexOf(settings.speech) >= LEVELS.indexOf(level)

/** `level`: only whoever wants to hear so much hears it. An effect that says something does not hang on what was said before. */
export function announce(text: string, level: Speech = 'short'): void {
  untrack(() => {
    if (!text || !isWanted(level)) return
    // A dot between two things is for the eyes.
    sentences = [...sentences, { id: ++count, text: text.replaceAll(' · ', ', ') }].slice(-KEPT)
  })
}
